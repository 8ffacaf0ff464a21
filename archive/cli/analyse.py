"""`schafkopf analyse`: the value of every card of a deal with open cards."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import msgspec

from archive.analysis import Analysis, Expected, analyse, analysis_report, expected_values
from archive.analysis.contracts import prospects
from archive.analysis.open_cards import Place
from archive.analysis.report import contracts_report
from archive.analysis.solver import Solver
from archive.analysis.worlds import WORLDS
from archive.cli.archive_file import DB, judged_deal, report_archive_errors
from archive.cli.inputs import open_files
from archive.cli.language import LANG
from archive.cli.terminal import width
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case, case_of
from archive.record import Finding
from archive.say import message, say
from archive.text.analysis import analysis_lines
from archive.text.contracts import contracts_lines
from archive.text.deal import deal_title


@click.command("analyse")
@click.argument("deal")
@click.option(
    "--worlds",
    type=click.IntRange(2, 10_000),
    help="Also say what each mistake cost by what its player could know: over so many deals that he thought possible.",
)
@click.option(
    "--contracts",
    metavar="PLAYER",
    help="Instead: how often each game of this player's hand would be won, and what it brings on average.",
)
@click.option("--json", "as_json", is_flag=True, help="Print an object a deal, with the value of every legal card.")
@LANG
@DB
@click.pass_context
@report_archive_errors
def analyse_(context: click.Context, /, deal: str, worlds: int | None, contracts: str | None, as_json: bool,
             language: str, db: str) -> None:  # fmt: skip
    """Say what a DEAL would have come to with all cards open, and which card cost what.

    DEAL is a number, id or hash of the archive, or a file: then each of its deals. Every legal card is valued by what
    the deal would pay if everybody saw all cards and played perfectly from there on; half of such mistakes could not
    have been seen at the table. Exit status: 0 analysed, 1 where a deal cannot be.
    """
    if contracts is not None:
        analyse_contracts(context, deal, contracts, worlds or WORLDS, as_json, language, db)
        return
    solver, without = Solver(fast=worlds is not None), False
    for judgement in deals_of(deal, db):
        case = case_of(judgement)
        result = analyse(case, solver) if case else "analysis.not-played"
        without |= isinstance(result, str)
        known = as_known(case, result, solver, worlds) if case and worlds and not isinstance(result, str) else {}
        if as_json:
            click.echo(msgspec.json.encode(analysis_report(judgement, result, known)))
            continue
        click.echo(click.style(deal_title(judgement, language), bold=True))
        for line in lines_of(judgement, result, known, language):
            click.echo(line)
        click.echo()
    context.exit(int(without))


def analyse_contracts(
    context: click.Context, deal: str, player: str, worlds: int, as_json: bool, language: str, db: str
) -> None:
    """Prints the games of a player's hand, deal by deal. Exits 1 where of one there is nothing to say."""
    solver, without = Solver(fast=True), False
    for judgement in deals_of(deal, db):
        case, names = case_of(judgement), judgement.session.players
        if player not in names:
            raise click.UsageError(say(message("analysis.no-player", player=player), language))
        seat = names.index(player)
        found = prospects(case, seat, solver, worlds) if case else "analysis.not-played"
        without |= isinstance(found, str)
        if as_json:
            click.echo(msgspec.json.encode(contracts_report(judgement, seat, found)))
            continue
        click.echo(click.style(deal_title(judgement, language), bold=True))
        lines = (
            [say(message(found), language)]
            if isinstance(found, str)
            else contracts_lines(judgement, seat, found, width(), language)
        )
        for line in lines:
            click.echo(line)
        click.echo()
    context.exit(int(without))


def deals_of(deal: str, db: str) -> Iterator[Judgement]:
    """The judged deals of a file, or the one of an archive that the text names. Raises UsageError where it is none."""
    if not Path(deal).is_file():
        yield judged_deal(db, deal)
        return
    for file in open_files(Path(deal), None):
        yield from (each for each in judge_stream(list(file.items())) if not isinstance(each, Finding))


def as_known(case: Case, analysis: Analysis, solver: Solver, worlds: int) -> dict[Place, Expected]:
    """The decisions that cost something with open cards, by what their players could know."""
    wrong = (each for each in analysis.decisions if each.loss)
    valued = ((each.at, expected_values(case, analysis, each, solver, worlds)) for each in wrong)
    return {at: expected for at, expected in valued if expected}


def lines_of(
    judgement: Judgement, result: Analysis | str, known: Mapping[Place, Expected], language: str
) -> Iterator[str]:
    """An analysis, else the sentence why there is none."""
    if isinstance(result, str):
        yield say(message(result), language)
    else:
        yield from analysis_lines(judgement, result, known, width(), language)
