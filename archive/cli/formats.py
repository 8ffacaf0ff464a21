"""The kinds of file that a command can write, what each of them drops, and a file that is moved into place."""

import io
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

import click
from msgspec import Struct

from archive.cli.language import cli_text
from archive.judge import Judgement
from archive.notation import write_one_line
from archive.record import Session
from archive.say import Message, message, say
from archive.store.export import export_outcomes, export_parquet
from archive.text.protocol import protocol

MOST = 20  # deals that are named where many are left out
FORCE = click.option("--force", is_flag=True, help="Overwrite a file that is there.")
Pairs = Iterable[tuple[Session, Judgement]]  # deals, each with the head of its session


class Kind(Struct, frozen=True):
    """A kind of file. `drops` says what of a record it does not hold; empty: it holds everything."""

    title: str
    ending: str
    drops: str = ""


FLAT = "players and payments of every seat, hands, auction, tricks, the lines of the settlement, and what is stated"
KINDS = {
    "jsonl": Kind("JSON lines", ".jsonl"),
    "toml": Kind("TOML", ".toml"),
    "csv": Kind("CSV, a row a deal,", ".csv", FLAT),
    "parquet": Kind("Parquet, a row a deal,", ".parquet", FLAT),
    "one-line": Kind(
        "The one-line notation",
        "",
        "names, date, house rules, hands apart from the play, knocks, doublings, the auction, and every result",
    ),
    "protocol": Kind(
        "The protocol",
        ".txt",
        "additions of your own (x) and how the source words a price, and cannot be read back",
    ),
}
DROPS = "\n\n".join(
    f"{kind.title} drops {kind.drops}." if kind.drops else f"{kind.title}: nothing is dropped."
    for kind in KINDS.values()
)


def check_installed(kind: str) -> None:
    """Raises UsageError where a kind needs what is not installed."""
    if kind == "parquet" and find_spec("pyarrow") is None:
        raise click.UsageError(
            "Parquet needs pyarrow, which is not installed: pip install 'schafkopf-archive[parquet]'"
        )


def warn_dropped_fields(kind: str) -> None:
    """Says on stderr which fields of a record a kind of file does not hold."""
    if kind in KINDS and KINDS[kind].drops:
        click.echo(f"{KINDS[kind].title} drops {KINDS[kind].drops}.", err=True)


@contextmanager
def replace_file(path: str, force: bool) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when all of it is there; `-` is standard output. Raises
    UsageError where a file is there and `force` is not said, or it cannot be written."""
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
        raise click.UsageError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        aside.unlink(missing_ok=True)


def check_overwriting(goal: Path, force: bool) -> None:
    """Raises UsageError where a file must not be written."""
    if goal.exists() and not goal.is_file():
        raise click.UsageError(f"{goal} is no file")
    if goal.exists() and not force:
        raise click.UsageError(f"{goal} is there; --force overwrites it")


# --- writers --------------------------------------------------------------------------------------------------------


def write_outcomes(kind: str, conn: sqlite3.Connection, out: BinaryIO, session: int | None = None) -> None:
    """The table of outcomes as CSV or Parquet."""
    if kind == "csv":
        text = io.TextIOWrapper(out, "utf-8", newline="")
        export_outcomes(conn, text, session)
        text.detach()
        return
    export_parquet(conn, out, session)


def write_judged(kind: str, pairs: Pairs, out: BinaryIO) -> None:
    """Deals as a protocol, or one line each; which have no line is said on stderr."""
    if kind == "protocol":
        for part in protocol(pairs):
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
        more = f" and {len(deals) - MOST} more" if len(deals) > MOST else ""
        verb = "is" if len(deals) == 1 else "are"
        click.echo(f"{cli_text('deals', n=len(deals))} {verb} left out, for {say(why)}: {places}{more}", err=True)


def one_line(judgement: Judgement) -> str | Message:
    """A judged deal in the one-line notation, or why it has no line."""
    played, rules = judgement.replay, judgement.ruleset
    if played is None or rules is None:
        return message("notation.one-line-no-rules")
    return write_one_line(judgement.deal, rules.house, played.active, played.leaders)


def _place(judgement: Judgement, several: bool) -> str:
    """A deal by its number, and where there are several sessions by its place in the file."""
    source = judgement.deal.source
    return f"{source.path}:{source.line}" if several and source else str(judgement.number)
