"""The kinds of file that a command can write, what each of them drops, and replacing a file in one step."""

import io
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

import click
from msgspec import Struct

from archive.cli.language import cli_text, wrong_use
from archive.judge import Judgement
from archive.notation import write_one_line
from archive.record import Session
from archive.say import Message, message, why_refused
from archive.store.export import export_outcomes, export_parquet
from archive.text.protocol import protocol

MOST = 20  # deals that are named if many are left out
Pairs = Iterable[tuple[Session, Judgement]]  # deals, each with the head of its session


class Kind(Struct, frozen=True):
    """A kind of file. `drops`: the row of `cli.toml` that says what of a record it does not hold; empty: it holds
    everything."""

    title: str
    ending: str
    drops: str = ""


KINDS = {
    "jsonl": Kind("JSON lines", ".jsonl"),
    "toml": Kind("TOML", ".toml"),
    "csv": Kind("CSV", ".csv", "drops-table"),
    "parquet": Kind("Parquet", ".parquet", "drops-table"),
    "one-line": Kind("The one-line notation", "", "drops-one-line"),
    "protocol": Kind("The protocol", ".txt", "drops-protocol"),
}
SHEETS = {"xlsx": Kind("XLSX", ".xlsx", "drops-sheet"), "ods": Kind("ODS", ".ods", "drops-sheet")}  # of one session


def kind_of(goal: str) -> str:
    """Return the kind that the ending of a file's name tells. Raises UsageError if it tells none."""
    endings = {kind.ending: name for name, kind in KINDS.items() if kind.ending}
    if (ending := Path(goal).suffix.lower()) not in endings:
        raise wrong_use("no-ending", goal=goal, endings=" ".join(endings))
    return endings[ending]


def say_dropped(kind: Kind, language: str) -> str:
    """Return the sentence on which parts of a record a file of this kind does not hold."""
    return cli_text(kind.drops, language, kind=kind.title) if kind.drops else f"{kind.title}: nothing is dropped."


DROPS, EXPORT_DROPS = (
    "\n\n".join(say_dropped(kind, "en") for kind in kinds.values()) for kinds in (KINDS, KINDS | SHEETS)
)


def check_installed(kind: str) -> None:
    """Refuse, by a UsageError, a kind that needs something not installed."""
    if kind == "parquet" and find_spec("pyarrow") is None:
        raise wrong_use("no-parquet")


def warn_dropped_fields(kind: str, language: str) -> None:
    """Say on stderr which fields of a record a kind of file does not hold."""
    if (lossy := (KINDS | SHEETS).get(kind)) and lossy.drops:
        click.echo(say_dropped(lossy, language), err=True)


@contextmanager
def replace_file(path: str, force: bool) -> Iterator[BinaryIO]:
    """Give a file to write to, which replaces `path` when it is complete; `-` is standard output. Raises UsageError if
    a file exists and `force` is not given, or it cannot be written."""
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    goal = Path(path)
    check_overwriting(goal, force)
    aside = goal.with_name(f".{goal.name}.{os.getpid()}.part")
    try:
        with aside.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        aside.replace(goal)
    except OSError as error:
        raise wrong_use("not-written", path=path, why=why_refused(error)) from None
    finally:
        with suppress(OSError):  # on a disk that is read-only, of a file that is not there too
            aside.unlink(missing_ok=True)


def check_page_ending(path: str, *others: str) -> None:
    """Raise UsageError for a file that has an ending, and none of a page nor of `others`."""
    if Path(path).suffix.lower() not in ("", *(endings := (".html", ".htm", *others))):
        raise wrong_use("page-ending", path=path, endings=endings)


def write_page(path: str, page: bytes, force: bool, *others: str) -> None:
    """Write a page to a file, and say where it is; `-` is standard output. Raises UsageError as `replace_file` and
    `check_page_ending`."""
    check_page_ending(path, *others)
    with replace_file(path, force) as out:
        out.write(page)
    if path != "-":
        click.echo(path)


def check_overwriting(goal: Path, force: bool) -> None:
    """Refuse, by a UsageError, to overwrite an existing file without `force`."""
    if goal.exists() and not goal.is_file():
        raise wrong_use("no-file", path=goal)
    if goal.exists() and not force:
        raise wrong_use("file-there", path=goal)


# --- writers --------------------------------------------------------------------------------------------------------


def write_outcomes(
    kind: str, conn: sqlite3.Connection, out: BinaryIO, session: int | None = None, for_excel: bool = False
) -> None:
    """Write the table of outcomes as CSV or Parquet; `for_excel`: as CSV that a German Excel opens."""
    if kind == "csv":
        text = io.TextIOWrapper(out, "utf-8-sig" if for_excel else "utf-8", newline="")
        export_outcomes(conn, text, session, for_excel)
        text.detach()
        return
    export_parquet(conn, out, session)


def write_judged(kind: str, pairs: Pairs, out: BinaryIO, language: str, of_file: str) -> None:
    """Write deals as a protocol, in the language `of_file`, or in one line each; deals without such a line are named on
    stderr."""
    if kind == "protocol":
        for part in protocol(pairs, of_file):
            out.write(part.encode())
        return
    left: dict[Message, list[Judgement]] = {}
    heads: dict[int, Session] = {}
    for head, judgement in pairs:
        heads[id(head)] = head
        line = one_line(judgement)
        if isinstance(line, Message):
            left.setdefault(line, []).append(judgement)
        else:
            out.write(f"{line}\n".encode())
    for why, deals in left.items():
        places = ", ".join(_place(judgement, len(heads) > 1) for judgement in deals[:MOST])
        more = f" {cli_text('more', language, n=len(deals) - MOST)}" if len(deals) > MOST else ""
        text = cli_text("no-line", language, n=len(deals), why=why, deals=f"{places}{more}")
        click.echo(text, err=True)


def one_line(judgement: Judgement) -> str | Message:
    """Return a judged deal in the one-line notation, or the reason why it has no line."""
    played, rules = judgement.replay, judgement.ruleset
    if played is None or rules is None:
        return message("notation.one-line-no-rules")
    return write_one_line(judgement.deal, rules.house, played.active, played.leaders)


def _place(judgement: Judgement, several: bool) -> str:
    """Return a deal by its number, and if there are several sessions by its place in the file."""
    source = judgement.deal.source
    return f"{source.path}:{source.line}" if several and source else str(judgement.number)
