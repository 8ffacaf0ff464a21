"""The log of one game on sauspiel.de: its events with their types and lines, and the contradictions among them."""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from archive.cards import read_card
from archive.notation.convert import convert_table
from archive.notation.game_words import letters
from archive.record import Finding, Source, finding
from archive.say import Message, message
from importers.json_text import SHOWN, Part, list_parts

SEATS = range(4)
Position = Annotated[int, Meta(ge=0, le=3)]
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Count = Annotated[int, Meta(ge=0, le=99)]
Hand = tuple[str, ...]


def _event_type(name: str, *required: tuple[str, Any], **optional: Any) -> type[Struct]:
    """Return the struct of an event with these fields, named as in the format; an absent optional one is None."""
    fields: list[Any] = [*required, *((field, kind | None, None) for field, kind in optional.items())]
    return msgspec.defstruct(name, fields, kw_only=True)


POSITION = ("position", Position)
GameResult: Any = _event_type(
    "GameResult",
    won=bool,
    points=Whole,
    amount=Whole,
    gameType=str,
    gameRate=Whole | str,
    baseRate=Whole | str,
    runners=Whole,
    knockings=Count,
    contras=Count,
)
KINDS: dict[str, type[Struct]] = {
    "yourAuthenticationSucceeded": _event_type("Login", position=Position, userName=str),
    "joinedTable": _event_type("JoinedTable", position=Position, userName=str),
    "gameStarted": _event_type("GameStarted", gameID=Whole | str),
    "youGotCards": _event_type("OwnCards", ("cards", list[str])),
    "playersGotCards": _event_type("AllCards", ("cards", Annotated[list[list[str]], Meta(min_length=4, max_length=4)])),
    "hasKnocked": _event_type("Knock", POSITION),
    "playsTheGame": _event_type("GamePlayed", ("gameType", Whole), position=Position, suit=str, announcement=Whole),
    "hasContra": _event_type("Contra", POSITION),
    "playedACard": _event_type("CardPlayed", POSITION, ("cardID", str)),
    "wonTheTrick": _event_type("TrickWon", POSITION, cards=list[str]),
    "gameResult": GameResult,
}
ONCE = ("yourAuthenticationSucceeded", "gameStarted", "playsTheGame", "gameResult")


class LogEvent(NamedTuple):
    """One event: its place, its kind, its struct, and how many cards were played before it."""

    source: Source
    kind: str
    body: Any  # the struct of its kind
    before: int


class Log(NamedTuple):
    """The events of one game; `x` is what is kept unchanged."""

    events: tuple[LogEvent, ...]
    x: dict[str, Any]
    source: Source

    def of(self, *kinds: str) -> list[LogEvent]:
        return [event for event in self.events if event.kind in kinds]

    def one(self, kind: str) -> Any:
        """Return the struct of the one event of a kind, or None if there is none."""
        return next((event.body for event in self.of(kind)), None)


def read_log(part: Part, value: list[Any], x: dict[str, Any], source: Source) -> tuple[Log, list[Finding]]:
    """Return the log of a list of events, those of unknown types as text in `x.events`, and what keeps it unread."""
    x, cards = dict(x), 0
    events: list[LogEvent] = []
    unknown, strange, errors = [], [], []
    for where, entry in zip(list_parts(part), value, strict=True):
        kind = entry.get("type") if isinstance(entry, dict) else None
        if not isinstance(kind, str):
            strange.append(where)
        elif kind not in KINDS:
            unknown.append(where.raw.decode())
        else:
            at = replace(source, line=where.line, end_line=where.end_line)
            body, problems = convert_table(entry, KINDS[kind], strict=False)
            errors += [finding("wrong-type", at, key=f"{kind}.{p.key}", why=p.facts["why"]) for p in problems]
            events.append(LogEvent(at, kind, body, cards))
            cards += kind == "playedACard"
            if kind == "gameResult":
                others = entry.keys() - {*GameResult.__struct_fields__, "type"}
                x[kind] = {key: entry[key] for key in entry if key in others and entry[key] is not None}
    if strange:
        at = replace(source, line=strange[0].line, end_line=strange[-1].end_line)
        errors.append(finding("line-not-read", at, text=strange[0].raw[:SHOWN].decode("utf-8", "replace")))
    if unknown:
        x["events"] = unknown
    if not errors:
        log = Log(tuple(events), x, source)
        return log, [*contradictions(log)]
    return Log((), x, source), errors


# --- cards ------------------------------------------------------------------------------------------------------------


def card_codes(cards: list[str]) -> Hand:
    return tuple(read_card(card) or "??" for card in cards)


def own_parts(log: Log) -> list[Hand]:
    """Return the cards that the owner was dealt, a hand for each event that tells them."""
    return [card_codes(event.body.cards) for event in log.of("youGotCards")]


def all_parts(log: Log) -> list[list[Hand]]:
    """Return the cards of every position, a list of four hands for each event that tells them."""
    return [[card_codes(hand) for hand in event.body.cards] for event in log.of("playersGotCards")]


def join_parts(parts: list[Hand]) -> Hand | None:
    """Return the one hand that several parts tell, the first cards first: each part adds to those before, or repeats
    them and adds some. Return None if one does neither."""
    hand: Hand = ()
    for part in parts:
        again = set(hand) & set(part)
        if again and not set(hand) <= set(part):
            return None
        hand += tuple(card for card in part if card not in again)
    return hand


# --- what cannot be ---------------------------------------------------------------------------------------------------


def contradictions(log: Log) -> Iterator[Finding]:
    """Yield a finding for each event that contradicts another: told twice, wrong cards, out of order."""
    for kind in ONCE:
        first = log.one(kind)
        for event in log.of(kind)[1:]:
            if event.body != first:
                yield _unreadable(event, message("importers.second-event", kind=kind))
    strange = []
    for event in log.events:
        cards = [event.body.cardID] if event.kind == "playedACard" else getattr(event.body, "cards", None) or []
        flat = [card for hand in cards for card in (hand if isinstance(hand, list) else [hand])]
        strange += [(event, card) for card in flat if read_card(card) is None]
    if strange:
        german = letters("german")
        yield from (finding("unknown-card", at.source, key=at.kind, card=card, alphabet=german) for at, card in strange)
        return
    yield from _hands_twice(log)
    yield from _out_of_turn(log)
    yield from _other_tricks(log)


def _unreadable(event: LogEvent, why: Message) -> Finding:
    return finding("deal-unreadable", event.source, why=why)


def _hands_twice(log: Log) -> Iterator[Finding]:
    """Yield a finding for hands that are given twice with different cards."""
    owner, everyone = log.one("yourAuthenticationSucceeded"), all_parts(log)
    hands = {seat: join_parts([part[seat] for part in everyone]) for seat in SEATS if everyone}
    own_hand = join_parts(own_parts(log))
    if None in hands.values():
        yield _unreadable(log.of("playersGotCards")[-1], message("importers.other-hands"))
    elif own_hand is None:
        yield _unreadable(log.of("youGotCards")[-1], message("importers.other-hand"))
    elif own_hand and owner and sorted(hands.get(owner.position) or own_hand) != sorted(own_hand):
        yield _unreadable(log.of("playersGotCards")[-1], message("importers.other-own-hand"))


def _out_of_turn(log: Log) -> Iterator[Finding]:
    played = log.of("playedACard")
    for number, event in enumerate(played):
        trick, card = divmod(number, 4)
        if event.body.position != (played[number - card].body.position + card) % 4:
            where = {"position": event.body.position, "card": card + 1, "trick": trick + 1}
            yield _unreadable(event, message("importers.out-of-turn", **where))


def _other_tricks(log: Log) -> Iterator[Finding]:
    """Yield a finding for each trick won before it is complete, twice, or with other cards than those played."""
    played = card_codes([event.body.cardID for event in log.of("playedACard")])
    taken = {0}
    for event in log.of("wonTheTrick"):
        cards = event.body.cards
        if event.before % 4 or event.before in taken:
            yield _unreadable(event, message("importers.won-after", cards=message("importers.cards", n=event.before)))
        elif cards is not None and sorted(card_codes(cards)) != sorted(played[event.before - 4 : event.before]):
            yield _unreadable(event, message("importers.other-trick"))
        taken.add(event.before)
