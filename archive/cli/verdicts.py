"""The output of commands that judge deals: findings line by line, and how many deals have which verdict."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice, starmap
from typing import TYPE_CHECKING, TypeVar, get_args

import click

from archive.cli.language import cli_text
from archive.judge import Judgement
from archive.judge.door import line_of
from archive.judge.finding_groups import Lack, add_up, findings_with_depth
from archive.judge.types import Basis
from archive.record import Finding, remedy, say_finding
from archive.say import say

if TYPE_CHECKING:
    from archive.cli.inputs import File
    from archive.store.near_names import NearNames

T = TypeVar("T")
VERDICTS = {"agrees": "green", "differs": "red", "undecidable": "yellow", "unplayable": "red"}  # with their colours
TOGETHER = 1_000  # lines that are printed at once
MOST_LACKS = 4  # reasons why deals are incomplete
WRITTEN = {  # facts that a record may lack, and the row of `cli.toml` that says where to write each
    "won": "write-won", "who-lost": "write-loser", "loser": "write-loser", "declarer": "write-declarer",
    "partner": "write-partner", "called-partner": "write-partner", "trump-suit": "write-suit", "game": "write-game",
    "tariff": "write-tariff", "runners": "write-runners", "doublings": "write-doublings", "knocks": "write-doublings",
    "kontra": "write-doublings", "schneider": "write-points", "schwarz": "write-points",
    "points-and-tricks": "write-points", "rules": "write-rules", "dealer": "write-dealer", "bid": "write-bid",
}  # fmt: skip
DIFFERENT = ("differs", "unplayable")


def basis_text(basis: str | None, language: str) -> str:
    """Return the basis of a deal's amounts, to stand after its verdict."""
    return f" ({cli_text(f'on-{basis}', language)})" if basis else ""


def findings_of(judged: Iterable[Judgement | Finding]) -> list[Finding]:
    """Return every finding, of reading and of judging, in the order of its line."""
    each_of = ((each,) if isinstance(each, Finding) else each.findings for each in judged)
    return sorted(chain.from_iterable(each_of), key=line_of)


def split_findings(judged: Iterable[T | Finding]) -> tuple[list[T], list[Finding]]:
    """Return the deals that were judged, and the findings that belong to none."""
    items = list(judged)
    deals = [item for item in items if not isinstance(item, Finding)]
    return deals, [item for item in items if isinstance(item, Finding)]


def print_findings(findings: Iterable[Finding], deals: int = 0, language: str = "en") -> None:
    """Print one line for each finding, its consequences indented below it, and after the last what to do about each
    rule. If the file holds more than one deal (`deals` of them were read), each line ends with the number of its
    deal."""
    findings = list(findings)
    severities = {each.rule: each.severity for each in findings}
    rules = {rule: click.style(rule, fg="red" if severities[rule] == "error" else "yellow") for rule in severities}
    several = max([deals, *(finding.source.deal or 0 for finding in findings if finding.source)]) > 1

    def line_of_finding(each: Finding, depth: int) -> str:
        place = f"{each.source.path}:{each.source.line}" if each.source else "-"
        number = each.source.deal if several and each.source else None
        deal = f" [{cli_text('deal', language, n=number)}]" if number else ""
        return f"{' ' * 4 * depth}{place}: {rules[each.rule]} {say_finding(each, language)}{deal}\n"

    lines = starmap(line_of_finding, findings_with_depth(findings))
    while text := "".join(islice(lines, TOGETHER)):
        click.echo(text, nl=False)
    for rule in rules:
        click.echo(click.style(f"  {rule}: {remedy(rule, language)}", dim=True))


def summary(verdicts: Counter[str], language: str = "en", proved: int = 0, bases: Counter[str] | None = None) -> str:
    """Return how many deals, and how many of each verdict, in colour; the bases of their amounts, unless all deals have
    their cards; and how many that the fast run found clean were judged by words as well."""
    counts = [
        click.style(cli_text(f"count-{verdict}", language, n=verdicts[verdict]), fg=colour)
        for verdict, colour in VERDICTS.items()
        if verdicts[verdict]
    ]
    text = cli_text("deals", language, n=verdicts.total()) + (f": {', '.join(counts)}" if counts else "")
    if bases and bases.total() != bases["cards"]:
        texts = {basis: cli_text(f"on-{basis}", language) for basis in get_args(Basis) if bases[basis]}
        text += (
            basis_text(next(iter(texts)), language)
            if len(texts) == 1
            else f" ({', '.join(f'{bases[basis]} {text}' for basis, text in texts.items())})"
        )
    return f"{text}; {cli_text('proved', language, n=proved)}" if proved else text


def print_understood(
    file: "File",
    judged: Sequence[Judgement | Finding],
    language: str,
    alone: bool,
    near: "Sequence[NearNames] | None" = None,
) -> None:
    """Print what was understood of a file, in three lines; nothing if it is too large to be read twice. `alone`: no
    other file is read; among several, only those written by hand have it, after their path. `near` are the near-equal
    names of an archive."""
    if not file.is_small or not judged or not (alone or file.is_by_hand):
        return
    from archive.text.understood import lines_of, understand  # here, since only a check needs the search for a tariff

    pairs = None if near is None else [(each.name, each.like) for each in near]
    deals = [each for each in judged if isinstance(each, Judgement)]
    lone = [each for each in judged if isinstance(each, Finding)]
    if not alone:
        click.echo(f"{file.source.path}:", err=True)
    for line in lines_of(understand(deals, lone, pairs)):
        click.echo(click.style(say(line, language), bold=True), err=True)


def print_lacks(lacks: Iterable[Lack], language: str) -> None:
    """Print why deals are incomplete, what would decide them, and where to write that; only the most frequent
    reasons."""
    for lack in add_up(lacks)[:MOST_LACKS]:
        where = f"{lack.source.path}:{lack.source.line}" if lack.source else "-"
        missing = tuple(say(fact, language, lack.faces) for fact in lack.missing)
        hints = dict.fromkeys(WRITTEN.get(fact.id.partition(".")[2], "write-else") for fact in lack.missing)
        text = cli_text("incomplete-why", language, n=lack.n, place=where, missing=missing)
        click.echo(f"  {text} {' '.join(cli_text(hint, language) for hint in hints)}", err=True)
