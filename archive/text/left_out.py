"""The sentences beside a standing: which rows are not in it, and which do not add up."""

from collections.abc import Iterable
from typing import Literal

from archive.say import message, say
from archive.store.left_out import RowsOfFile

MOST = 8  # lines that are named, of a file


def drafts_text(drafts: int, language: str) -> str:
    """Return a sentence for so many deals that were entered and not stored; empty for none."""
    return say(message("cash.drafts", n=drafts), language) if drafts else ""


def rows_text(kind: Literal["unread", "uneven"], files: Iterable[RowsOfFile], language: str) -> list[str]:
    """Return a sentence a file."""
    return [
        say(
            message(
                f"cash.rows-{kind}",
                n=len(each.lines),
                file=each.file,
                rows=tuple(map(str, each.lines[:MOST])) + (("…",) if len(each.lines) > MOST else ()),
            ),
            language,
        )
        for each in files
    ]
