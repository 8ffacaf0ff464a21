"""Parts that the JSON of score-keeping apps has in common: lists within it with their lines, games by their names,
euros, evenings, losers by the amounts."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from itertools import groupby
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from archive.notation.convert import convert_table
from archive.notation.game_words import NO_GAME, words_of_rules
from archive.notation.jsonl import without_null_keys
from archive.notation.problem import Problem, refuse_entry
from archive.record import Deal, Finding, Game, Session, Source, finding
from archive.say import Fact, Message, message, say
from importers.json_text import Game as ReadGame
from importers.json_text import Part, each_document, list_parts, members, read_games, unreadable_game
from importers.score_sheet.cells import AT_TABLE as AT_TABLE
from importers.score_sheet.cells import TableWords, read_game, sheet_words

RULES = "bavarian"  # no app names any
NIGHT = timedelta(hours=6)  # after midnight, until which an evening goes on
MOST_EUROS = 10**7
Euros = Annotated[float, Meta(ge=-MOST_EUROS, le=MOST_EUROS)]
Count = Annotated[int, Meta(ge=0, le=99)]
MOMENT = re.compile(r"(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?")
T = TypeVar("T", bound=Struct)


class Row(Struct):
    """A deal as an app has it."""

    moment: str


R = TypeVar("R", bound=Row)


class ReadRound(NamedTuple, Generic[R]):
    """A deal of an app as read: its place, its findings, the row of the app, the evening as an ISO date, the deal."""

    at: Source
    findings: tuple[Finding, ...]
    row: R | None = None
    day: str = ""
    deal: Deal | None = None


def read_file(
    data: bytes, source: Source, key: str, games: Callable[[Part, Any, Source], Iterator[ReadGame]]
) -> Iterator[Session | Deal | Finding]:
    """Yield the heads, deals and findings of the exports in a file, which are objects with a list under a key, each as
    `games` reads it."""

    def is_export(value: Any) -> bool:
        return isinstance(value, dict) and isinstance(value.get(key), list)

    def games_of(part: Part, value: Any, source: Source) -> Iterator[ReadGame]:
        for each, entry in each_document(part, value, is_export):
            if is_export(entry):
                yield from games(each, entry, source)
            else:
                why = message("importers.not-an-object")
                yield unreadable_game(place_of(each, source), why)._replace(is_game=False)

    return read_games(data, source, f'"{key}"'.encode(), is_export, games_of)


def place_of(part: Part, source: Source) -> Source:
    return replace(source, line=part.line, end_line=part.end_line)


def read_round(part: Part, kind: type[R], source: Source, moment: str, deal_of: Callable[[R], Deal]) -> ReadRound[R]:
    """Return a deal from an object of JSON that has its moment under a key. `deal_of` may raise Problem."""
    at = place_of(part, source)
    row, findings = read_struct(part, kind, at)
    if row is None:
        return ReadRound(at, findings)
    try:
        day = evening_of(moment_of(moment, row.moment)).isoformat()
        deal = replace(deal_of(row), time=row.moment[:16].replace(" ", "T"))  # by the clock that the app had
    except Problem as problem:
        return ReadRound(at, (*problem_findings([problem], at),), row)
    return ReadRound(at, (), row, day, deal)


def by_evening(
    rounds: Iterable[ReadRound[R]], head_of: Callable[[str, Sequence[ReadRound[R]]], Session]
) -> Iterator[ReadGame]:
    """Yield the deals of a table, each with the head of its evening."""
    for day, group in groupby(rounds, key=lambda each: each.day):
        evening = list(group)
        head = head_of(day, evening)
        for each in evening:
            yield ReadGame(each.at, each.findings, head if each.deal else None, each.deal)


def member_parts(part: Part, key: str) -> list[Part]:
    """Return the elements of the list under a key of a JSON object, each with its line; none if there is no list."""
    member = members(part).get(key)
    return list_parts(member) if member and member.raw.startswith(b"[") else []


def read_struct(part: Part, kind: type[T], at: Source) -> tuple[T | None, tuple[Finding, ...]]:
    """Return the struct of a JSON object, or None and a finding for each of its keys that is wrong or missing."""
    table = msgspec.json.decode(part.raw)
    table = {key: without_null_keys(entry) for key, entry in table.items()} if isinstance(table, dict) else {}
    read, problems = convert_table(table, kind, strict=False)
    by_key: dict[str, Problem] = {}  # each key once: if one is wrong, others that are there are called missing
    for problem in problems:
        why = problem.facts.get("why")
        if not (isinstance(why, Message) and why.facts.get("key") == problem.key and problem.key in table):
            by_key.setdefault(problem.key, problem)
    return read, () if read else tuple(problem_findings(by_key.values(), at))


def game_of(key: str, text: str) -> tuple[Game, bool, int]:
    """Return the game that an app calls by this name, without its declarer; whether it has one; how many play together.
    Raise Problem for an unknown name."""
    game, _ = read_game(key, text, _words())
    has_declarer = game.contract not in NO_GAME and _words().has_declarer(game.contract)
    return game, has_declarer, 2 if game.contract in sheet_words()["parties"]["partner"] else 1


@cache
def _words() -> TableWords:
    return TableWords(RULES, words_of_rules(RULES, None), "german", ())


def cents(key: str, euros: float) -> int:
    """Return an amount of euros in cents. Raise Problem for one that is no whole number of them."""
    whole = round(euros * 100) if abs(euros) < MOST_EUROS else 0
    if abs(euros * 100 - whole) > 1e-4:
        refuse_entry(key, str(euros), message("importers.amount"))
    return whole


def moment_of(key: str, text: str) -> datetime:
    """Return a moment by the clock that an app had. Raise Problem if it is none."""
    try:
        return datetime.fromisoformat(text if MOMENT.fullmatch(text) else "")
    except ValueError:
        refuse_entry(key, text, message("importers.date"))


def evening_of(moment: datetime) -> date:
    """Return the day of an evening, which goes on until 6 in the morning."""
    return (moment - NIGHT).date()


def seat_of(key: str, name: str, names: Sequence[str]) -> int:
    """Return the seat of a player. Raise Problem for an unknown name."""
    if name not in names:
        raise Problem("unknown-player", key, name, players=", ".join(names), hint="")
    return names.index(name)


def loser_of(payments: Sequence[int]) -> int | None:
    """Return the seat of the only player who pays, or None if none or several do."""
    paying = [seat for seat, amount in enumerate(payments) if amount < 0]
    return paying[0] if len(paying) == 1 else None


def session_of(
    players: Sequence[str],
    day: str,
    house: dict[str, Any],
    inferred: Iterable[str],
    evening: Iterable[ReadRound[R]],
    **x: str | None,
) -> Session:
    """Return the head of an evening, with its contracts if it has more than the usual ones, in the place of the empty
    entries for them in `house` and `inferred`, and with what is free of it."""
    usual = sheet_words()["house"]["usual"]
    games = [each.deal.game for each in evening if each.deal and each.deal.game]
    others = dict.fromkeys(game.contract for game in games if game.contract not in (*usual, *NO_GAME))
    house = house | {"contracts": [*usual, *others]} if others else house
    why = evidence("house.contracts", "app-contracts") if others else ""
    free = {key: value for key, value in x.items() if value}
    return Session(
        players=tuple(players),
        rules=RULES,
        date=day or None,
        unit="ct",
        house={key: value for key, value in house.items() if value},
        inferred=(evidence("rules", "app-no-rules"), *(text for each in inferred if (text := each or why))),
        x=free or None,
    )


def evidence(key: str, id: str, **facts: Fact) -> str:
    """Return an entry of `inferred` for a key of the record, with the phrase that says where its value comes from."""
    return f"{key}: {say(message(f'importers.{id}', **facts), 'en')}"


def problem_findings(problems: Iterable[Problem], at: Source) -> Iterator[Finding]:
    return (finding(problem.rule, at, **problem.facts) for problem in problems)
