"""`schafkopf convert`: a file in another kind, without an archive."""

import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

import click
from msgspec import Struct

from archive.cli.formats import (
    DROPS,
    KINDS,
    check_installed,
    check_overwriting,
    kind_of,
    replace_file,
    warn_dropped_fields,
    write_judged,
    write_outcomes,
)
from archive.cli.import_each import import_each
from archive.cli.inputs import FORMAT, File, files_with_progress
from archive.cli.known_names import FILE, JUDGED_BY
from archive.cli.language import LANG, asked_for, cli_text, wrong_use
from archive.cli.options import FORCE
from archive.cli.verdicts import findings_of, print_findings, split_findings, summary
from archive.judge import Judgement
from archive.judge.judge_stream import judge_with_heads
from archive.notation import write_toml
from archive.record import Deal, Finding, Session
from archive.store import open_archive
from archive.store.export import session_lines, with_numbers

TABLES = ("csv", "parquet")  # kinds with a row for each deal
Numbered = tuple[int, Deal]


class JudgedFile(Struct, frozen=True):
    """The deals of a file as recorded and, in the same order, judged with their heads; `lone`: findings of no deal."""

    deals: tuple[Deal, ...]
    judged: tuple[tuple[Session, Judgement], ...]
    lone: tuple[Finding, ...]


@click.command(epilog=DROPS)
@click.argument("given", metavar="IN", type=FILE)
@click.argument("goal", metavar="OUT", type=FILE)
@click.option("--to", "kind", type=click.Choice([*KINDS]), help="The kind of OUT, where its ending does not tell it.")
@click.option("--rules", type=JUDGED_BY, help="Judge by this ruleset instead of the one that the record names.")
@click.option("--format", "format_name", type=FORMAT, help="Read IN in this format instead of recognising it.")
@LANG
@FORCE
@click.pass_context
def convert(
    context: click.Context,
    given: str,
    goal: str,
    kind: str | None,
    rules: str | None,
    format_name: str | None,
    language: str,
    force: bool,
) -> None:
    """Write what IN holds as OUT, without an archive.

    The ending of OUT tells its kind: .jsonl .toml .csv .parquet .txt (a protocol to print); the one-line notation needs
    --to. IN may be a folder; - is standard input or output. Findings are printed to stderr as `check` prints them, and
    what could be read is written in any case. Exit status: 0 all well, 1 findings.
    """
    kind = kind or kind_of(goal)
    check_installed(kind)
    if goal != "-":
        check_overwriting(Path(goal), force)
    read = files_with_progress((given,), format_name)
    write: Callable[[BinaryIO], None]
    if kind in TABLES:  # by way of an archive that is only in memory
        archive = open_archive(":memory:")
        stored = [result for _, result in import_each(archive, read, rules, {}, dry_run=False)]
        findings = [each for file in stored for each in findings_of([*file.lone, *file.judged])]
        verdicts = sum((file.verdicts for file in stored), Counter[str]())
        write = partial(write_table, kind, archive.conn, verdicts.total(), language)
    else:
        files = [judge_file(file, rules) for file in read]
        findings = [each for file in files for each in findings_of([*file.lone, *(pair[1] for pair in file.judged)])]
        verdicts = Counter[str](judgement.verdict for file in files for _, judgement in file.judged)
        write = partial(write_deals, kind, files, language, asked_for(context))
    deals = verdicts.total()
    with redirect_stdout(sys.stderr):
        print_findings(findings, deals, language)
    if deals:
        with replace_file(goal, force) as out:
            write(out)
        warn_dropped_fields(kind, language)
    click.echo(summary(verdicts, language), err=True)
    context.exit(0 if deals and all(finding.severity == "note" for finding in findings) else 1)


def judge_file(file: File, rules: str | None) -> JudgedFile:
    """Return the deals of a file, and what is wrong with it."""
    items = list(file.items())
    judged, lone = split_findings(judge_with_heads(items, rules))
    return JudgedFile(tuple(item for item in items if isinstance(item, Deal)), tuple(judged), tuple(lone))


def write_deals(kind: str, files: list[JudgedFile], language: str, of_file: str, out: BinaryIO) -> None:
    """Write the deals of the files, one after another; stderr is in `language`, a protocol in that `of_file`."""
    if kind == "jsonl":
        out.writelines(session_lines(recorded_deals(files)))
    elif kind == "toml":
        grouped = [[*group] for _, group in groupby(recorded_deals(files), key=lambda each: id(each[0]))]
        sessions = [(pairs[0][0], [deal for _, deal in pairs]) for pairs in grouped]  # another head, another session
        if len(sessions) > 1:
            raise wrong_use("sessions-for-toml", n=len(sessions))
        out.writelines(write_toml(head, with_numbers(deals)).encode() for head, deals in sessions)
    else:
        write_judged(kind, (pair for file in files for pair in file.judged), out, language, of_file)


def recorded_deals(files: list[JudgedFile]) -> Iterator[tuple[Session, Numbered]]:
    """Yield deals as recorded, each with its head and its number."""
    for file in files:
        for (head, judgement), deal in zip(file.judged, file.deals, strict=True):
            yield head, (judgement.number, deal)


def write_table(kind: str, conn: sqlite3.Connection, deals: int, language: str, out: BinaryIO) -> None:
    """Write the table of outcomes of an archive; say on stderr how many of the deals given stand there twice."""
    rows = conn.execute("SELECT count(*) FROM outcomes").fetchone()[0]
    write_outcomes(kind, conn, out)
    if twice := deals - rows:
        click.echo(cli_text("one-row", language, n=twice), err=True)
