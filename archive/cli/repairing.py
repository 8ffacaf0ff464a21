"""What `schafkopf audit repair DEAL` prints: the change that is proposed, and the command that would make it."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from archive.audit import Judgement
    from archive.audit.repair import Proposal, Repair

MOST = 8  # changes that are listed where several fit


def print_proposal(found: "Judgement", deal: str, db: str = "archive.db") -> bool:
    """What a single change can do for a deal that cannot be played; gives whether it needs any. `deal` is how it was
    named, which the command that would make the change names it by again."""
    from archive.audit.repair import repair

    result = repair(found.session, found.deal, found.number, found.before)
    for line in lines(found, result, deal, db):
        click.echo(line)
    return result.tried > 0


def lines(found: "Judgement", result: "Repair", deal: str, db: str) -> Iterator[str]:
    """The reason, how many changes fit, and each; the command where one is proposed."""
    if not result.tried:
        yield result.says
        return
    yield found.reason
    yield f"{result.says} ({result.tried} were tried.)"
    if result.proposal is None:
        yield from (f"  {place}. {each.says}" for place, each in enumerate(result.fits[:MOST], 1))
        if len(result.fits) > MOST:
            yield f"  and {len(result.fits) - MOST} more"
        return
    yield f"  {result.proposal.says}"
    yield from (f"  {line}" for line in outlook(result.proposal))
    yield "Nothing is changed unless somebody makes it a correction:"
    yield f"  {command(result.proposal, deal, db)}"


def outlook(each: "Proposal") -> Iterator[str]:
    """The verdict that the change leads to, and what is stated that speaks for it."""
    yield f"Then: {each.verdict}. {each.reason}"
    if each.supports:
        yield f"With it agree: {', '.join(key.replace('_', ' ') for key in each.supports)}, as stated."


def command(each: "Proposal", deal: str, db: str = "archive.db") -> str:
    """The command line that makes a proposal a correction, but for who makes it."""
    sets = [part for entry in each.entries for part in ("--set", entry)]
    other = [] if db == "archive.db" else ["--db", db]
    told = shlex.join(["schafkopf", "correct", deal, *sets, *other])
    return f"{told} --by NAME --why {shlex.quote(each.says)}"
