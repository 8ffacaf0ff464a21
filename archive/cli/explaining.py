"""Explanations in the terminal: the likeliest first, what cannot be told from it, and how many others fit."""

from collections.abc import Iterator
from textwrap import wrap

import click

from archive.audit import Judgement
from archive.audit.deciding import deciding_in
from archive.audit.explain import Explained, Explanation, SessionExplained
from archive.audit.explain.report import alike
from archive.cli.table import width
from archive.rules import HERE
from archive.say import say

MOST = 5  # explanations that are shown; how many more fit is said

LABELS: dict[str, tuple[str, str]] = {
    "here": (HERE, "dieser Tisch"),
    "ways": ("or so", "oder so"),
    "alike": ("cannot be told from the first", "vom Ersten nicht zu unterscheiden"),
    "more": ("and {count} more", "und {count} weitere"),
    "stated": ("stated", "steht da"),
    "computed": ("by the rules", "nach den Regeln"),
    "explains": ("explains", "erklärt"),
    "stay": ("still differ", "weichen weiter ab"),
    "deciding": ("Each of these alone would decide it", "Jedes davon allein würde es entscheiden"),
    "deciding_one": ("This alone would decide it", "Dies allein würde es entscheiden"),
    "breaks": ("would then differ", "wichen dann ab"),
}


def print_explanation(found: Judgement, explained: Explained, language: str = "en") -> None:
    """What explains a deal, in lines as wide as the terminal at most."""
    for line in explanation_lines(found, explained, width(), language):
        click.echo(line)


def print_session_explanation(explained: SessionExplained, language: str = "en") -> None:
    """The settings that explain a session."""
    for line in session_lines(explained, width(), language):
        click.echo(line)


def explanation_lines(found: Judgement, explained: Explained, room: int, language: str = "en") -> Iterator[str]:
    """The sentence, and what would decide a deal that lacks something; what is stated beside what is computed; then the
    explanations by rank."""
    yield from (click.style(line, bold=True) for line in wrap(say(explained.message, language, explained.faces), room))
    if explained.state == "undecidable" and (facts := deciding_in(found, language)):
        said = f"{_say('deciding' if len(facts) > 1 else 'deciding_one', language)}: {'; '.join(facts)}"
        yield from wrap(said, room, subsequent_indent="  ")
    for key, value in explained.stated.items():
        both = (("stated", value), ("computed", explained.computed[key]))
        for label, each in both:
            yield f"  {_say(label, language)}: {_amounts(found, each)}"
    for rank, each in enumerate(explained.explanations[:MOST], 1):
        yield from _ranked(rank, each, room, language, explained.faces)
    if (more := len(explained.explanations) - MOST) > 0:
        yield f"  {_say('more', language).format(count=more)}"
    yield from _arguments(explained, room, language)


def _ranked(rank: int, each: Explanation, room: int, language: str, faces: str) -> Iterator[str]:
    """An explanation with its citation, and other ways of the same cause."""
    text = " ".join(say(made.message, language, faces) for made in each.changes)
    cites = "; ".join(dict.fromkeys(_cited(made.cite, language) for made in each.changes if made.cite))
    head = f"{rank:>3}. "
    yield from wrap(text + (f" ({cites})" if cites else ""), room, initial_indent=head, subsequent_indent=" " * 5)
    for changes in each.ways[:2]:
        said = f"{_say('ways', language)}: " + " ".join(say(made.message, language, faces) for made in changes)
        yield from wrap(said, room, initial_indent=" " * 5, subsequent_indent=" " * 7)
    if len(each.ways) > 2:
        yield " " * 5 + _say("more", language).format(count=len(each.ways) - 2)


def _arguments(explained: Explained, room: int, language: str) -> Iterator[str]:
    """Which of the others cannot be told from the first, and why not."""
    if not explained.explanations:
        return
    first, *others = explained.explanations[:MOST]
    why = {rank: say(one, language) for rank, each in enumerate(others, 2) if (one := alike(first, each))}
    if why:
        ranks = ", ".join(map(str, why))
        said = f"{ranks}: {_say('alike', language)}. {' '.join(dict.fromkeys(why.values()))}"
        yield from (click.style(line, dim=True) for line in wrap(said, room, subsequent_indent="   "))


def session_lines(explained: SessionExplained, room: int, language: str = "en") -> Iterator[str]:
    yield from (click.style(line, bold=True) for line in wrap(say(explained.message, language), room))
    for rank, each in enumerate(explained.readings, 1):
        made = each.change
        text = f"{say(made.message, language)} [house.{made.setting} = {made.value!r}]"
        yield from wrap(text, room, initial_indent=f"{rank:>3}. ", subsequent_indent=" " * 5)
        told = (("explains", each.explains), ("stay", each.stay), ("breaks", each.breaks))
        said = "; ".join(f"{_say(key, language)} {', '.join(map(str, deals))}" for key, deals in told if deals)
        yield from wrap(said, room, initial_indent=" " * 5, subsequent_indent=" " * 5)


def _say(key: str, language: str) -> str:
    return LABELS[key][language == "de"]


def _cited(cite: str, language: str) -> str:
    """Where a rule stands: a document's own heading, or a setting of the table."""
    return f"{_say('here', language)}{cite.removeprefix(HERE)}" if cite.startswith(HERE) else cite


def _amounts(found: Judgement, value: object) -> str:
    """Amounts by name, or a single value."""
    if isinstance(value, tuple) and len(value) == len(found.session.players):
        both = zip(found.session.players, value, strict=True)
        return ", ".join(f"{name} {'?' if each is None else each}" for name, each in both)
    return str(value)
