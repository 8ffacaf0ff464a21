"""What `schafkopf audit repair DEAL` prints: the change that is proposed, and the command that would make it."""

import shlex
from collections.abc import Callable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from archive.audit import Judgement
    from archive.audit.repair import Proposal, Repair

MOST = 8  # changes that are listed where several fit
LABELS = {
    "tried": ("({count} were tried.)", "({count} wurden versucht.)"),
    "more": ("and {count} more", "und {count} weitere"),
    "then": ("Then: {verdict}. {reason}", "Dann: {verdict}. {reason}"),
    "supports": ("With it agree: {facts}, as stated.", "Dazu stimmt, was angeschrieben ist: {facts}."),
    "how": (
        "Nothing is changed unless somebody makes it a correction:",
        "Geändert wird nichts, solange niemand es berichtigt:",
    ),
}


def print_proposal(found: "Judgement", deal: str, db: str = "archive.db", language: str = "en") -> bool:
    """What a single change can do for a deal that cannot be played; gives whether it needs any. `deal` is how it was
    named, which the command that would make the change names it by again."""
    from archive.audit.repair import repair
    from archive.cli.table import width

    result = repair(found.session, found.deal, found.number, found.before)
    for line in lines(found, result, deal, db, language):
        if line.startswith("  schafkopf "):  # to be copied whole
            click.echo(line)
            continue
        click.echo("\n".join(wrap(line, width(), subsequent_indent="    ")))
    return result.tried > 0


def lines(
    found: "Judgement", result: "Repair", deal: str, db: str = "archive.db", language: str = "en"
) -> Iterator[str]:
    """The reason, how many changes fit, and each; the command where one is proposed."""
    from archive.audit.german import reason_in_german

    names = found.session.players
    told = _told(names, language)
    if not result.tried:
        yield told(result.says)
        return
    yield reason_in_german(found.reason, found.findings, names) if language == "de" else found.reason
    yield f"{told(result.says)} {_say('tried', language, count=result.tried)}"
    if result.proposal is None:
        yield from (f"  {place}. {told(each.says)}" for place, each in enumerate(result.fits[:MOST], 1))
        if len(result.fits) > MOST:
            yield f"  {_say('more', language, count=len(result.fits) - MOST)}"
        return
    yield f"  {told(result.proposal.says)}"
    yield from (f"  {line}" for line in outlook(result.proposal, names, language))
    yield _say("how", language)
    yield f"  {command(result.proposal, deal, db, told(result.proposal.says))}"


def outlook(each: "Proposal", names: tuple[str, ...] = (), language: str = "en") -> Iterator[str]:
    """The verdict that the change leads to, and what is stated that speaks for it."""
    told = _told(names, language)
    yield _say("then", language, verdict=told(each.verdict), reason=told(each.reason))
    if each.supports:
        yield _say("supports", language, facts=", ".join(_fact(key, language) for key in each.supports))


def command(each: "Proposal", deal: str, db: str = "archive.db", why: str = "") -> str:
    """The command line that makes a proposal a correction, but for who makes it; `why` is what it says, where that is
    not the English of it."""
    sets = [part for entry in each.entries for part in ("--set", entry)]
    other = [] if db == "archive.db" else ["--db", db]
    told = shlex.join(["schafkopf", "correct", deal, *sets, *other])
    return f"{told} --by NAME --why {shlex.quote(why or each.says)}"


def _told(names: tuple[str, ...], language: str) -> Callable[[str], str]:
    """What puts a sentence of the engine into the reader's language."""
    from archive.audit.german import reason_in_german

    return (lambda text: reason_in_german(text, (), names)) if language == "de" else str


def _fact(key: str, language: str) -> str:
    """What a key of `stated` is called: in German as the finding that it differs says it."""
    from archive.record import severities
    from archive.say import outline

    rule = f"stated-{key.replace('_', '-')}"
    known = language == "de" and rule in severities()
    return outline(f"findings.{rule}", "de").partition(":")[0] if known else key.replace("_", " ")


def _say(key: str, language: str, **facts: object) -> str:
    return LABELS[key][language == "de"].format(**facts)
