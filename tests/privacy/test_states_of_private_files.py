"""A private evening stays private in every state of its file, and the rest of the file stays there."""

from contextlib import closing
from pathlib import Path

import pytest
from support import running

from archive.privacy.public_copy import write_copy
from archive.store import load_judgement, open_read
from archive.store.privacy import hidden_from

HEAD = (
    '{{"format": "schafkopf-record/1", "rules": "pub", "players": ["{}", "Ben", "Cem", "Dora"], '
    '"date": "{}", "event": "{}", '
)
DEAL = '"game": "{} wenz", "stated": {{"payments": [{}]}}}}\n'


def evening(name: str, day: str, event: str, *declarers: str) -> str:
    """A line for each deal, a Wenz that was won."""
    head, players = HEAD.format(name, day, event), (name, "Ben", "Cem", "Dora")
    paid = {each: ", ".join("150" if who == each else "-50" for who in players) for each in declarers}
    return "".join(head + DEAL.format(each, paid[each]) for each in declarers)


def run(db: Path, *words: str) -> None:
    done = running.run(*words, "--db", db)
    assert done.exit_code in (0, 1), done.output


def copy_of(db: Path, target: Path) -> str:
    """The public copy of an archive, as text; every deal that is there can be shown."""
    with closing(open_read(db)) as conn:
        write_copy(db, target, hidden_from(conn, None))
    with closing(open_read(target)) as conn:
        deals = [row[0] for row in conn.execute("SELECT id FROM deals")]
        assert all(load_judgement(conn, deal) for deal in deals)
        tables = [row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [str(tuple(row)) for table in tables for row in conn.execute(f'SELECT * FROM "{table}"')]
        texts = [str(row[0]) for row in conn.execute("SELECT hex(raw) FROM sources WHERE length(raw)")]
    return f"{deals} {len(texts)} texts\n" + "\n".join(rows)


PRIVATE = evening("Walburga", "2026-11-13", "Secret", "Walburga", "Ben", "Cem")
LESS = PRIVATE.partition("\n")[2]
LATER = evening("Kreszentia", "2026-11-20", "Secret", "Kreszentia", "Ben")
OPEN = ("Anna", "2026-11-20", "Open")
CASES = {  # what is made private, the file before and after, the deals that a stranger sees, what else he does not see
    "an evening loses a deal": ("session", PRIVATE, LESS, [], "secret.jsonl"),
    "the evening of a private file loses a deal": ("source", PRIVATE, LESS, [], "secret.jsonl"),
    "a private file tells another evening": ("source", PRIVATE, PRIVATE + LATER, [], "Kreszentia"),
} | {
    f"the other evening has {len(rest)} deals": (
        "session", PRIVATE + evening(*OPEN, "Anna", "Ben"), PRIVATE + evening(*OPEN, *rest), [4, 5, 6][: len(rest)],
        "Walburga",
    )
    for rest in (("Anna",), ("Anna", "Ben", "Cem"), ())
}  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("case", CASES)
def test_a_private_evening_is_in_no_state_of_its_file_and_the_others_are(case: str, tmp_path: Path) -> None:
    subject, before, after, seen, hidden = CASES[case]
    db, file = tmp_path / "archive.db", tmp_path / "secret.jsonl"
    file.write_text(before, "utf-8")
    run(db, "import", str(file))
    run(db, "visibility", "set", subject, "1", "players", "--by", "Emil")
    file.write_text(after, "utf-8")
    run(db, "import", str(file))
    copy = copy_of(db, tmp_path / "copy.db")
    assert copy.startswith(f"{seen} 0 texts")
    assert ("Walburga" in copy, hidden in copy) == (False, False)
