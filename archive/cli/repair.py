"""`schafkopf audit repair`: the change proposed for a deal that cannot be played, and the command to make it."""

import shlex
from collections.abc import Iterator
from textwrap import wrap

import click

from archive.cli.archive_file import DB, judged_deal
from archive.cli.known_names import DEAL
from archive.cli.language import LANG, asked_for, cli_text
from archive.cli.options import print_object
from archive.cli.terminal import width
from archive.explain.repair import Proposal, Repair, repair_report
from archive.explain.repair import repair as repair_deal
from archive.judge import Judgement
from archive.judge.sentences import faces_of, name_of_stated, say_reason
from archive.say import say, sentence

MOST = 8  # changes that are listed if several fit


@click.command()
@click.argument("deal", type=DEAL)
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@LANG
@DB
@click.pass_context
def repair(context: click.Context, /, deal: str, as_json: bool, language: str, db: str) -> None:
    """Propose the single change that makes the record of DEAL playable, where there is exactly one.

    Nothing is ever changed but by `schafkopf correct`, whose command is printed. Exit status: 0 where the deal can be
    played as it is, 1 where it cannot.
    """
    judgement = judged_deal(db, deal)
    result = repair_deal(judgement.session, judgement.deal, judgement.number, judgement.before)
    if as_json:
        print_object(repair_report(judgement, result, asked_for(context)))
    for line in () if as_json else proposal_lines(judgement, result, deal, db, language):
        whole = line.startswith("  schafkopf ")  # kept on one line, so that it can be copied
        click.echo(line if whole else "\n".join(wrap(line, width(), subsequent_indent="    ")))
    context.exit(int(result.tried > 0))


def proposal_lines(judgement: Judgement, result: Repair, deal: str, db: str, language: str = "en") -> Iterator[str]:
    """Yield the reason, how many changes fit, and each; the command if one is proposed. `deal` is how the user named
    the deal, and the command names it so again."""
    faces = faces_of(judgement)
    how_many = sentence(say(result.message, language, faces))
    if not result.tried:
        yield how_many
        return
    yield say_reason(judgement, language)
    yield f"{how_many} {cli_text('tried', language, n=result.tried)}"
    if result.proposal is None:
        texts = (say(each.message, language, faces) for each in result.fits[:MOST])
        yield from (f"  {place}. {text}" for place, text in enumerate(texts, 1))
        if len(result.fits) > MOST:
            yield f"  {cli_text('more', language, n=len(result.fits) - MOST)}"
        return
    change = say(result.proposal.message, language, faces)
    yield f"  {change}"
    facts = {"verdict": cli_text(result.proposal.verdict, language)}
    facts["reason"] = sentence(say(result.proposal.reason, language, faces))
    yield f"  {cli_text('then', language, **facts)}"
    if result.proposal.supports:
        names = ", ".join(say(name_of_stated(key), language) for key in result.proposal.supports)
        yield f"  {cli_text('supports', language, facts=names)}"
    yield cli_text("how", language)
    yield f"  {correction_command(result.proposal, deal, db, change)}"


def correction_command(proposal: Proposal, deal: str, db: str, why: str = "") -> str:
    """Return the command line that makes a proposal a correction, except for the author; `why` is its reason, if not
    the English one."""
    sets = [part for entry in proposal.entries for part in ("--set", entry)]
    other = [] if db == "archive.db" else ["--db", db]
    words = shlex.join(["schafkopf", "correct", deal, *sets, *other])
    return f"{words} --by NAME --why {shlex.quote(why or say(proposal.message))}"
