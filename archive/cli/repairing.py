"""What `schafkopf audit repair DEAL` prints: the change that is proposed, and the command that would make it."""

import shlex
from collections.abc import Iterator
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
    from archive.audit.sentences import faces_of, say_reason
    from archive.say import say, sentence

    faces = faces_of(found)
    how_many = sentence(say(result.message, language, faces))
    if not result.tried:
        yield how_many
        return
    yield say_reason(found, language)
    yield f"{how_many} {_say('tried', language, count=result.tried)}"
    if result.proposal is None:
        texts = (say(each.message, language, faces) for each in result.fits[:MOST])
        yield from (f"  {place}. {text}" for place, text in enumerate(texts, 1))
        if len(result.fits) > MOST:
            yield f"  {_say('more', language, count=len(result.fits) - MOST)}"
        return
    change = say(result.proposal.message, language, faces)
    yield f"  {change}"
    yield from (f"  {line}" for line in outlook(result.proposal, language, faces))
    yield _say("how", language)
    yield f"  {command(result.proposal, deal, db, change)}"


def outlook(each: "Proposal", language: str = "en", faces: str = "german") -> Iterator[str]:
    """The verdict that the change leads to, and what is stated that speaks for it."""
    from archive.audit.sentences import name_of_stated
    from archive.cli.language import voice
    from archive.say import say, sentence

    reason = sentence(say(each.reason, language, faces))
    yield _say("then", language, verdict=voice(language)(each.verdict), reason=reason)
    if each.supports:
        yield _say("supports", language, facts=", ".join(say(name_of_stated(key), language) for key in each.supports))


def command(each: "Proposal", deal: str, db: str = "archive.db", why: str = "") -> str:
    """The command line that makes a proposal a correction, but for who makes it; `why` is what the change says."""
    from archive.say import say

    sets = [part for entry in each.entries for part in ("--set", entry)]
    other = [] if db == "archive.db" else ["--db", db]
    told = shlex.join(["schafkopf", "correct", deal, *sets, *other])
    return f"{told} --by NAME --why {shlex.quote(why or say(each.message))}"


def _say(key: str, language: str, **facts: object) -> str:
    return LABELS[key][language == "de"].format(**facts)
