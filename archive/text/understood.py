"""A file as it was understood, in three lines: deals, players and unit; the tariff that the amounts follow; the open
questions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.tariff_search import TariffFit, fit_of_record
from archive.judge.types import Judgement, unit_of_deal
from archive.record import Finding, evidence_key
from archive.record.names import near_keys
from archive.say import Message, message, say

SHOWN = 8  # players
MOST = 6  # questions
Pair = tuple[str, str]


class Understood(Struct, frozen=True):
    """The deals of a file, its evenings with their days, its players and units, the tariff, the pairs of near-equal
    names, and the number of each finding outside the deals that is more than a note. `lacking`: games that the rules
    do not have, if these were only supposed, and the rules."""

    deals: int
    evenings: int
    dates: tuple[str, ...]
    players: tuple[str, ...]
    units: tuple[str, ...]
    tariff: TariffFit
    near: tuple[Pair, ...]
    findings: dict[str, int]
    lacking: tuple[str, tuple[str, ...]] | None = None


def understand(
    judgements: Sequence[Judgement], lone: Sequence[Finding], near: Sequence[Pair] | None = None, seconds: float = 60
) -> Understood:
    """Return what was understood of a file. `lone` are the findings that belong to no deal, `near` the near-equal names
    of an archive; if None, those of the file itself are used. The tariff is the record's, or one found by a search of
    at most so many `seconds`; none if it names none and all its amounts agree as they are, as under rules with prices
    of their own."""
    heads = {(each.session.source, each.session.date): each.session for each in judgements}
    tables = dict.fromkeys(each.session.players for each in judgements)
    units = dict.fromkeys(unit for each in judgements if (unit := unit_of_deal(each)))
    lacking = [
        (str(found.facts["ruleset"]), str(found.facts["contract"]))
        for each in judgements
        for found in each.findings
        if found.rule == "contract-not-in-rules" and "rules" in map(evidence_key, each.session.inferred or ())
    ]
    priced, tariff = fit_of_record(judgements)
    if not tariff.is_settled and priced and all(each.verdict == "agrees" for each in priced):
        tariff = replace(tariff, tariff=None, named=None)
    elif not tariff.is_settled:
        from archive.explain.tariff_search import find_tariff  # here, since most records name theirs

        tariff = find_tariff(judgements, seconds)
    return Understood(
        deals=len(judgements),
        evenings=len(heads),
        dates=tuple(sorted({head.date for head in heads.values() if head.date})),
        players=tuple(dict.fromkeys(name for table in tables for name in table)),
        units=tuple(units),
        tariff=tariff,
        near=tuple(near_in_file(list(tables)) if near is None and len(tables) > 1 else near or ()),
        findings=dict(Counter(each.rule for each in lone if each.severity != "note")),
        lacking=(lacking[0][0], tuple(dict.fromkeys(game for _, game in lacking))) if lacking else None,
    )


def near_in_file(tables: Sequence[tuple[str, ...]]) -> Iterator[Pair]:
    """Yield the pairs of near-equal names that never sat at one table."""
    by_key: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for table in tables for name in table):
        alike = dict.fromkeys(other for key in near_keys(name) for other in by_key.get(key, ()))
        yield from ((name, other) for other in alike if not any(name in each and other in each for each in tables))
        for key in near_keys(name):
            by_key.setdefault(key, []).append(name)


def lines_of(what: Understood) -> tuple[Message, ...]:
    """Return the three lines; only two if nothing was understood."""
    asked = tuple(questions(what))[:MOST]
    asking = message("cli.understood-asked", questions=asked) if asked else message("cli.understood-nothing-asked")
    if not what.deals:
        return message("cli.understood-none"), asking
    players: tuple[Any, ...] = what.players[:SHOWN]
    if (more := len(what.players) - SHOWN) > 0:
        players += (message("cli.understood-others", n=more),)
    when: Message | str = ""
    if what.evenings > 1:
        when = message("cli.understood-evenings", n=what.evenings)
        if len(what.dates) > 1:
            when = message("cli.understood-dates", n=what.evenings, first=what.dates[0], last=what.dates[-1])
    elif what.dates:
        when = message("cli.understood-on", date=what.dates[0])
    unit = message("cli.understood-unit", unit=what.units) if what.units else message("cli.understood-no-unit")
    deals = message("cli.understood-deals", n=what.deals, when=when, players=players, unit=unit)
    fit = what.tariff
    if fit.tariff is None:
        kind = "needless" if fit.count else "none"
        return deals, message(f"cli.understood-tariff-{kind}", n=fit.count), asking
    is_named, whole = fit.named == fit.tariff, fit.fits == fit.count
    kind = "named" if is_named else "other" if fit.named else "found"
    kind = kind if whole else "named-some" if is_named else "some"
    facts = {"tariff": fit.tariff, "named": fit.named or "", "fits": fit.fits, "n": fit.count}
    return deals, message(f"cli.understood-tariff-{kind}", **facts), asking


def questions(what: Understood) -> Iterator[Message]:
    """Yield the questions that an import leaves open."""
    fit = what.tariff
    if what.lacking:
        yield message("cli.ask-rules", rules=what.lacking[0], games=what.lacking[1])
    if fit.tariff and fit.tariff != fit.named:
        is_found = fit.fits == fit.count
        yield message("cli.ask-whether-tariff", tariff=fit.tariff) if is_found else message("cli.ask-tariff")
    yield from (message("cli.ask-one-person", name=name, like=like) for name, like in what.near)
    yield from (message("cli.ask-finding", rule=message(f"kinds.{rule}"), n=n) for rule, n in what.findings.items())


def as_json(what: Understood, language: str = "en") -> dict[str, Any]:
    """Return what was understood, as JSON, with its lines in the language."""
    fit = what.tariff
    return {
        "deals": what.deals, "evenings": what.evenings, "dates": what.dates, "players": what.players,
        "units": what.units, "tariff": fit.tariff, "tariff_named": fit.named, "amounts": fit.count,
        "amounts_that_fit": fit.fits, "questions": [say(each, language) for each in questions(what)],
        "lines": [say(each, language) for each in lines_of(what)],
    }  # fmt: skip
