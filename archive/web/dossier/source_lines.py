"""The lines of a source that tell one deal: what is handed on of a file that tells other people's deals too."""

import sqlite3

# Where the deal ?2 stands in the file ?1: the first line of its session there, of the first deal of that session, its
# own first and last line.
PLACES = """SELECT s.line, (SELECT min(t.line) FROM (
        SELECT line FROM records WHERE source_id = ?1 AND session_id = r.session_id
        UNION ALL SELECT c.line FROM copies c JOIN records o ON o.id = c.deal_id
            WHERE c.source_id = ?1 AND o.session_id = r.session_id) t), p.line, p.end_line
    FROM (SELECT line, end_line FROM records WHERE id = ?2 AND source_id = ?1
        UNION ALL SELECT line, end_line FROM copies WHERE deal_id = ?2 AND source_id = ?1) p
    JOIN records r ON r.id = ?2 JOIN sessions s ON s.id = r.session_id"""


def lines_of_deal(conn: sqlite3.Connection, source: int, deal: int, text: bytes) -> bytes | None:
    """The text with every line blank that does not tell the deal or the head of its session, so that the numbers of the
    lines stay; None where the file is no text, or it is not known where the deal stands in it."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return None
    lines = text.splitlines(keepends=True)
    shown = set[int]()
    for begins, first, line, end in conn.execute(PLACES, (source, deal)):
        if line is None:
            return None
        head = range(begins, first) if begins is not None and first is not None else range(0)
        shown |= {*head, *range(line, (end or line) + 1)}
    return (
        b"".join(line if number in shown else ending(line) for number, line in enumerate(lines, 1)) if shown else None
    )


def ending(line: bytes) -> bytes:
    """The line break of a line."""
    return line[len(line.rstrip(b"\r\n")) :]
