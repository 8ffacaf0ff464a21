"""`schafkopf audit repair`: the change proposed for a deal that cannot be played, and the command to make it."""

import shlex
from collections.abc import Callable, Iterator
from textwrap import wrap

import click

from archive.audit import Judgement
from archive.audit.german import reason_in_german
from archive.audit.repair import Proposal, Repair
from archive.audit.repair import repair as repair_deal
from archive.cli.archive_file import DB, judged_deal, report_archive_errors
from archive.cli.language import LANG, cli_text
from archive.cli.table import width
from archive.record import severities
from archive.say import outline

MOST = 8  # changes that are listed where several fit


@click.command()
@click.argument("deal")
@LANG
@DB
@click.pass_context
@report_archive_errors
def repair(context: click.Context, /, deal: str, language: str, db: str) -> None:
    """Propose the single change that makes the record of DEAL playable, where there is exactly one.

    Nothing is ever changed but by `schafkopf correct`, whose command is printed. Exit status: 0 where the deal can be
    played as it is, 1 where it cannot.
    """
    judgement = judged_deal(db, deal)
    result = repair_deal(judgement.session, judgement.deal, judgement.number, judgement.before)
    for line in lines(judgement, result, deal, db, language):
        whole = line.startswith("  schafkopf ")  # to be copied
        click.echo(line if whole else "\n".join(wrap(line, width(), subsequent_indent="    ")))
    context.exit(int(result.tried > 0))


def lines(
    judgement: Judgement, result: Repair, deal: str, db: str = "archive.db", language: str = "en"
) -> Iterator[str]:
    """The reason, how many changes fit, and each; the command where one is proposed. `deal` is how the deal was named,
    which the command names it by again."""
    names = judgement.session.players
    translated = _translator(names, language)
    if not result.tried:
        yield translated(result.says)
        return
    de = language == "de"
    yield reason_in_german(judgement.reason, judgement.findings, names) if de else judgement.reason
    yield f"{translated(result.says)} {cli_text('tried', language, n=result.tried)}"
    if result.proposal is None:
        yield from (f"  {place}. {translated(each.says)}" for place, each in enumerate(result.fits[:MOST], 1))
        if len(result.fits) > MOST:
            yield f"  {cli_text('more', language, n=len(result.fits) - MOST)}"
        return
    yield f"  {translated(result.proposal.says)}"
    yield from (f"  {line}" for line in outlook(result.proposal, names, language))
    yield cli_text("how", language)
    yield f"  {command(result.proposal, deal, db, translated(result.proposal.says))}"


def outlook(proposal: Proposal, names: tuple[str, ...] = (), language: str = "en") -> Iterator[str]:
    """The verdict that the change leads to, and what is stated that speaks for it."""
    translated = _translator(names, language)
    verdict, reason = cli_text(proposal.verdict, language), translated(proposal.reason)
    yield cli_text("then", language, verdict=verdict, reason=reason)
    if proposal.supports:
        facts = ", ".join(stated_key(key, language) for key in proposal.supports)
        yield cli_text("supports", language, facts=facts)


def command(proposal: Proposal, deal: str, db: str = "archive.db", why: str = "") -> str:
    """The command line that makes a proposal a correction, but for who makes it; `why` is what it says, where that is
    not the English of it."""
    sets = [part for entry in proposal.entries for part in ("--set", entry)]
    other = [] if db == "archive.db" else ["--db", db]
    words = shlex.join(["schafkopf", "correct", deal, *sets, *other])
    return f"{words} --by NAME --why {shlex.quote(why or proposal.says)}"


def _translator(names: tuple[str, ...], language: str) -> Callable[[str], str]:
    return (lambda text: reason_in_german(text, (), names)) if language == "de" else str


def stated_key(key: str, language: str) -> str:
    """How a key of `stated` is called: in German as the finding that it differs says it."""
    rule = f"stated-{key.replace('_', '-')}"
    known = language == "de" and rule in severities()
    return outline(f"findings.{rule}", "de").partition(":")[0] if known else key.replace("_", " ")
