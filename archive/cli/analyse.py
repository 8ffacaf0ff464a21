"""`schafkopf analyse`: the value of every card of a deal with open cards, or of all deals of an archive."""

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from textwrap import wrap

import click

from archive.analysis import Analysis, Expected, analyse, analysis_report, known_losses
from archive.analysis.contracts import prospects
from archive.analysis.open_cards import Place
from archive.analysis.proofs import Proof, proofs
from archive.analysis.report import contracts_report, proofs_report
from archive.analysis.solver import Solver, TooLongError, has_machine_code
from archive.analysis.worlds import WORLDS
from archive.cli.archive_file import DB, judged_deal
from archive.cli.inputs import open_files
from archive.cli.known_names import DEAL_OR_FILE, PLAYER
from archive.cli.language import LANG, wrong_use
from archive.cli.options import print_object
from archive.cli.terminal import width, with_pager, with_progress
from archive.judge import Judgement
from archive.judge.judge_stream import gc_paused, judge_stream
from archive.judge.types import case_of
from archive.record import Finding, say_finding
from archive.record.names import seat_named
from archive.say import message, say
from archive.stats import processes
from archive.store import open_archive, open_read
from archive.store.analyses import analyse_archive, count_analyses, count_lacking, declared_with
from archive.store.transaction import checkpoint
from archive.text.analysis import analysis_lines, proof_lines
from archive.text.contracts import contracts_lines
from archive.text.deal import deal_title

FEW = 5  # deals of a file that plain functions analyse before compiled ones would be ready
SOON = 400  # positions that plain functions look at, 0.1 seconds, before kept machine code is loaded, in 0.8


@click.command("analyse")
@click.argument("deal", required=False, type=DEAL_OR_FILE)
@click.option(
    "--worlds",
    type=click.IntRange(2, 10_000),
    help="Also say what each mistake cost by what its player could know: over so many deals that he thought possible.",
)
@click.option(
    "--contracts",
    type=PLAYER,
    metavar="PLAYER",
    help="Instead: how often each game of this player's hand would be won, and what it brings on average.",
)
@click.option("--json", "as_json", is_flag=True, help="Print an object a deal, with the value of every legal card.")
@click.option(
    "--all", "every", is_flag=True, help="Analyse every deal of the archive that lacks it, and keep the results."
)
@click.option("--workers", type=click.IntRange(1), help="With --all: so many processes; without it, one for each core.")
@LANG
@DB
@click.pass_context
def analyse_(context: click.Context, /, deal: str | None, worlds: int | None, contracts: str | None, as_json: bool,
             every: bool, workers: int | None, language: str, db: str) -> None:  # fmt: skip
    """Say what a DEAL would have come to with all cards open, and which card cost what.

    DEAL is a number, id or hash of the archive, or a file: then each of its deals. Every legal card is valued by what
    the deal would pay if everybody saw all cards and played perfectly from there on; half of such mistakes could not
    have been seen at the table. Exit status: 0 analysed, 1 where a deal cannot be.

    With --all every deal of the archive is analysed that was not yet, or was judged anew since; whatever is done is
    kept where it is stopped, and `schafkopf stats` asks it.
    """
    if (deal is None) is not every:
        raise wrong_use("analyse-what")
    if every:
        if as_json or contracts is not None:
            raise wrong_use("analyse-of-deal")
        analyse_all(db, worlds or 0, workers or cores(), language)
        return
    if workers is not None:
        raise wrong_use("workers-for-all")
    if contracts is None:
        analyse_deals(context, deal or "", worlds, as_json, language, db)
    else:
        analyse_contracts(context, deal or "", contracts, worlds or WORLDS, as_json, language, db)


@with_pager
def analyse_deals(context: click.Context, deal: str, worlds: int | None, as_json: bool, language: str, db: str) -> None:
    """Print the analysis of a deal, or of each in a file. Exit with 1 if one cannot be analysed."""
    deals = iter(deals_of(deal, db, language))
    first = list(islice(deals, FEW + 1))
    solver, without = Solver(fast=worlds is not None or len(first) > FEW), not first
    if has_machine_code():
        solver.limit(SOON)
    for judgement in chain(first, deals):
        with gc_paused():  # loading the compiler makes many objects, too
            try:
                result, known, proved = values_of(judgement, solver, worlds)
            except TooLongError:
                solver = Solver(fast=True)
                result, known, proved = values_of(judgement, solver, worlds)
        without |= isinstance(result, str)
        if as_json:
            print_object(analysis_report(judgement, result, known) | proofs_report(judgement, proved))
            continue
        click.echo(click.style(deal_title(judgement, language), bold=True))
        for line in lines_of(judgement, result, known, language):
            click.echo(line)
        for line in proof_lines(judgement, proved, width(), language):
            click.echo(line)
        click.echo()
    gc.freeze()  # nor does the end of the process look through them; the archive is closed
    context.exit(int(without))


def values_of(
    judgement: Judgement, solver: Solver, worlds: int | None
) -> tuple[Analysis | str, Mapping[Place, Expected], tuple[Proof, ...]]:
    """Return the analysis of a deal, or else the id of a sentence on why there is none; what the player could know of
    each mistake; and the proofs of what may be disputed. Raises TooLongError."""
    case = case_of(judgement)
    if case is None:
        return "analysis.not-played", {}, ()
    result = analyse(case, solver)
    known = known_losses(case, result, solver, worlds) if worlds and not isinstance(result, str) else {}
    return result, known, proofs(case, solver)


@with_pager
def analyse_contracts(
    context: click.Context, deal: str, player: str, worlds: int, as_json: bool, language: str, db: str
) -> None:
    """Print the games of a player's hand, deal by deal. Exit with 1 if there is nothing to say of one."""
    solver, deals, without = Solver(fast=True), list(deals_of(deal, db, language)), False
    conn = None if Path(deal).is_file() else open_read(db)  # a file has no other games to compare with
    for judgement in deals:
        case, names = case_of(judgement), judgement.session.players
        seat = seat_named(player, names)
        if seat is None:
            raise click.UsageError(say(message("analysis.no-player", player=player), language))
        found = prospects(case, seat, solver, worlds) if case else "analysis.not-played"
        without |= isinstance(found, str)
        declared = {} if conn is None or isinstance(found, str) else declared_with(conn, judgement, found)
        if as_json:
            print_object(contracts_report(judgement, seat, found, declared))
            continue
        click.echo(click.style(deal_title(judgement, language), bold=True))
        lines = (
            [say(message(found), language)]
            if isinstance(found, str)
            else contracts_lines(judgement, seat, found, width(), language, declared)
        )
        for line in lines:
            click.echo(line)
        click.echo()
    context.exit(int(without or not deals))


def analyse_all(db: str, worlds: int, workers: int, language: str) -> None:
    """Analyse what an archive lacks; print how many deals that were, how many have an analysis, and why the others have
    none. Raises ArchiveError."""
    open_read(db).close()  # never makes an archive
    with closing(open_archive(db).conn) as conn:
        length = count_lacking(conn, worlds)
        if length:
            with processes(workers) as pool:
                parts = analyse_archive(conn, str(Path(db).absolute()), pool, 2 * workers, worlds)
                for _ in with_progress(parts, "Analysing", length, lambda done: done, 1):
                    pass
            checkpoint(conn)
        counted = count_analyses(conn)
    click.echo(say(message("analysis.all", n=length, valid=counted.valid), language))
    for why, number in counted.missing.items():
        click.echo(f"{number:>8}  {say(message(why), language)}")
    if counted.stale:
        click.echo(say(message("analysis.all-stale", n=counted.stale), language))


def cores() -> int:
    """Return how many processes may run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def deals_of(deal: str, db: str, language: str) -> Iterator[Judgement]:
    """Yield the judged deals of a file, or the one of an archive that the text names; what cannot be read of the file
    is said. Raises UsageError if it is none."""
    if not Path(deal).is_file():
        yield judged_deal(db, deal)
        return
    for file in open_files(Path(deal), None):
        for each in judge_stream(list(file.items())):
            if not isinstance(each, Finding):
                yield each
            elif each.severity != "note":
                click.echo(say_finding(each, language), err=True)


def lines_of(
    judgement: Judgement, result: Analysis | str, known: Mapping[Place, Expected], language: str
) -> Iterator[str]:
    """Yield an analysis, or the sentence why there is none."""
    if isinstance(result, str):
        yield from wrap(say(message(result), language), width())
    else:
        yield from analysis_lines(judgement, result, known, width(), language)
