"""Readers of values: from a value of a file to the record's types. A reader takes the table with which its strings are
read, the dotted key for a Problem, and the value; it raises Problem."""

import datetime
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from archive import record
from archive.cards import ALPHABETS, SUITS, is_known
from archive.notation import game_words
from archive.notation.names import (
    Reader,
    begins_with_card,
    check_players,
    players_at_start,
    read_after_player,
    read_cards,
    read_stacked,
    seat_of_name,
)
from archive.notation.problem import Problem, refuse_entry, refuse_value
from archive.notation.write_values import OPEN
from archive.record.names import one_form
from archive.say import message

T = TypeVar("T")
Read = Callable[[Reader, str, Any], Any]

STEP = r"(?s)(\S+)(?: +([+-]?\d{1,15}))? +([+-]?\d{1,15})(?::(.*))?"
STEPS = ("base", "schneider", "schwarz", "runners", "knocks", "doubles", "tout", "virgins", "thrown-in")
MOMENT = re.compile(r"([1-9]\d{0,2})(?:\.([1-9]\d{0,2}))?")
MOMENTS = ("cut", "deal", "end", "next")
BLIND = r"(?i)(?:blind|skat) *(?=[>:])"
DEEPEST = 50
RULING_KINDS = ("annul", "again", "penalty", "total")
# The verbs of events, and what stands after them: text must stand, may stand, cards, a number, a suit, all or none.
VERBS = {
    "shows": "all-or-none",
    "offers-surrender": "may",
    "accepts": "may",
    "refuses": "may",
    "gives-up": "may",
    "claims": "must",
    "no-claim": "may",
    "announces": "must",
    "exposes": "cards",
    "out-of-turn": "may",
    "revoke": "may",
    "miscount": "number",
    "prevented": "cards",
    "remarks": "must",
    "looks": "must",
    "marriage": "suit",
    "takes-trump": "cards",
    "closes": "may",
    "calls": "number",
}
# The words of turns, and what follows them.
TURNS = {
    "all": "none",
    "pass": "none",
    "knocks": "none",
    "keeps": "none",
    "takes": "none",
    "deals": "cards",
    "again": "places",
}


# --- lists and seats ------------------------------------------------------------------------------------------------


def list_of(read: Read) -> Read:
    """Return a reader of lists of what `read` reads; a number, used if only the count is known, stays one."""
    return lambda table, key, value: value if isinstance(value, int) else _read_all(table, key, value, read)


def _read_all(table: Reader, key: str, entries: Sequence[Any], read: Read) -> tuple[Any, ...]:
    values = []
    for place, entry in enumerate(entries):
        try:
            values.append(read(table, key, entry))
        except Problem as problem:
            if isinstance(entry, str):  # the problem is of this entry of the list
                problem.entry, problem.nth = entry, list(entries[:place]).count(entry)
            raise
    return tuple(values)


def read_texts(_table: Reader, _key: str, value: list[str]) -> tuple[str, ...]:
    return tuple(value)


def read_per_seat(table: Reader, key: str, value: Any) -> Any:
    """Read one number per player: a list in seat order, or a table by name; a plain number stays one."""
    if isinstance(value, int):
        return value
    if isinstance(value, list):
        if len(value) != len(table.players):
            refuse_value(key, message("notation.one-for-each", players=len(table.players), entries=len(value)))
        return tuple(value)
    return _by_seat(table, key, value, lambda _key, number: number)


def _by_seat(table: Reader, key: str, value: dict[str, Any], read: Callable[[str, Any], T]) -> tuple[T | None, ...]:
    entries: dict[int, T] = {}
    for name, entry in value.items():
        seat = seat_of_name(table, key, name)
        if seat in entries:
            refuse_entry(key, name, message("notation.each-player-once"))
        entries[seat] = read(f"{key}.{name}", entry)
    return tuple(entries.get(seat) for seat in range(len(table.players)))


def read_hands(table: Reader, key: str, value: Any) -> tuple[record.Cards | None, ...]:
    """Read hands: strings that begin with names, a list in seat order, or a table by name."""
    if isinstance(value, dict):
        return _by_seat(table, key, value, partial(read_stacked, table))

    def has_name(hand: Any) -> bool:
        return isinstance(hand, str) and not begins_with_card(table, hand)

    if not any(map(has_name, value)):
        if len(value) not in (0, len(table.players)):
            refuse_value(key, message("notation.hand-for-each", players=len(table.players), entries=len(value)))
        hands = _read_all(table, key, value, lambda t, k, hand: None if hand is None else read_stacked(t, k, hand))
        return hands or (None,) * len(table.players)
    by_seat: dict[int, record.Cards] = {}

    def read_hand(table: Reader, key: str, hand: Any) -> None:
        if not has_name(hand):
            refuse_entry(key, str(hand), message("notation.names-or-none"))
        seat, cards = read_after_player(table, key, hand, lambda seat, rest: (seat, read_stacked(table, key, rest)))
        if seat in by_seat:
            refuse_entry(key, hand, message("notation.one-hand-each"))
        by_seat[seat] = cards

    _read_all(table, key, value, read_hand)
    return tuple(by_seat.get(seat) for seat in range(len(table.players)))


# --- strings of the game --------------------------------------------------------------------------------------------


def read_draw(table: Reader, key: str, text: str) -> record.Draw:
    def read_card(seat: int, rest: str) -> record.Draw:
        cards = read_cards(table, key, rest)
        if len(cards) != 1 or not is_known(cards[0]):
            refuse_entry(key, text, message("notation.draw"))
        return record.Draw(seat, cards[0])

    return read_after_player(table, key, text, read_card)


def read_call(table: Reader, key: str, text: str) -> record.Call:
    read = partial(game_words.read_call, alphabet=table.alphabet, of=table.spoken)
    return read_after_player(table, key, text, lambda seat, rest: record.Call(seat, read(key, rest)))


def read_game(table: Reader, key: str, text: str) -> record.Game:
    read = partial(game_words.read_game, alphabet=table.alphabet, of=table.spoken)
    if players_at_start(table, text):  # a player may be called as a word that means nothing in a game
        unmeant = any(word in game_words.FILLERS for word in game_words.split_words(text)[:1])
        alone = None if unmeant else partial(read, key, text, None)
        return read_after_player(table, key, text, lambda seat, rest: read(key, rest, seat), alone)
    try:
        return read(key, text, None)
    except Problem:
        text = one_form(text)
        for seat, name in enumerate(table.players):  # `Herz-Solo Hans`
            if text.endswith((f" {name}", f",{name}")):
                return read(key, text[: -len(name)].rstrip(" ,:"), seat)
        check_first_word(table, key, text)
        raise


def check_first_word(table: Reader, key: str, text: str) -> None:
    """Refuse a game whose first word is neither a player nor of a game, though a game follows it."""
    first, _, rest = text.partition(" ")
    known = game_words.contract_names(table.spoken)
    if not any(word in known or word in game_words.FILLERS for word in game_words.split_words(first)) and rest:
        try:
            game_words.read_game(key, rest, 0, table.alphabet, table.spoken)
        except Problem:
            return
        raise Problem("unknown-player", key, text, players=", ".join(table.players))


def read_exchange(table: Reader, key: str, text: str) -> record.Exchange:
    def read_taker(giver: int | None, rest: str) -> record.Exchange:
        if not rest.startswith(">"):
            refuse_entry(key, text, message("notation.exchange"))
        return from_blind_or(rest[1:].strip(), lambda taker, cards: read_passed(giver, taker, cards))

    def read_passed(giver: int | None, taker: int | None, cards: str) -> record.Exchange:
        shown = cards.removeprefix(":").rstrip()
        is_open = shown.casefold().endswith(f" {OPEN}")
        return record.Exchange(giver, taker, read_cards(table, key, shown[: -len(OPEN)] if is_open else shown), is_open)

    def from_blind_or(start: str, read: Callable[[int | None, str], record.Exchange]) -> record.Exchange:
        blind = re.match(BLIND, start)
        return read(None, start[blind.end() :]) if blind else read_after_player(table, key, start, read)

    return from_blind_or(text, read_taker)


def _split_moment(key: str, text: str) -> tuple[str | None, str]:
    """Return the moment with which a string may begin (`@3.2 …`), or None, and the rest."""
    if not text.startswith("@"):
        return None, text
    moment, _, rest = text[1:].partition(" ")
    if moment not in MOMENTS and not MOMENT.fullmatch(moment):
        refuse_entry(key, text, message("notation.moment"))
    return moment, rest.strip()


def read_double(table: Reader, key: str, text: str) -> record.Double:
    moment, rest = _split_moment(key, text)

    def read_word(seat: int, word: str) -> record.Double:
        match = MOMENT.fullmatch(moment or "")
        doubling = game_words.read_doubling(word)
        if doubling is None or (moment and not match):
            hint = game_words.hint_of([word], game_words.usual_words()["doubles"])
            refuse_entry(key, text, message("notation.double", hint=hint))
        trick, card = (int(n) if n else None for n in match.groups()) if match else (None, None)
        return record.Double(seat, doubling, trick, card)

    return read_after_player(table, key, rest, read_word)


def read_event(table: Reader, key: str, text: str) -> record.Event:
    moment, rest = _split_moment(key, text)

    def read_verb(seat: int, rest: str) -> record.Event:
        verb, _, arg = rest.partition(" ")
        before, has_by, name = f" {arg}".rpartition(" by ")
        by = seat_of_name(table, key, name.strip()) if has_by else None
        arg = before if has_by else arg
        return record.Event(seat, verb.casefold(), moment, _read_argument(table, key, text, verb, arg.strip()), by)

    return read_after_player(table, key, rest, read_verb)


def _read_argument(table: Reader, key: str, text: str, verb: str, arg: str) -> str | None:
    kind = VERBS.get(verb.casefold())
    if kind is None:
        refuse_entry(key, text, message("notation.event", verbs=tuple(VERBS)))
    if kind == "cards":
        return " ".join(read_cards(table, key, arg)) or refuse_entry(
            key, text, message("notation.event-cards", verb=verb)
        )
    if kind == "number" and re.fullmatch(r"[+-]?\d{1,9}", arg):
        return str(int(arg))
    if kind == "suit" and (suit := game_words.read_suit(arg, table.alphabet, table.spoken)):
        return suit
    if kind == "all-or-none" and arg.casefold() in ("all", "none"):
        return arg.casefold()
    if kind in ("number", "all-or-none", "suit") or (kind == "must" and not arg):
        refuse_entry(key, text, message(f"notation.event-{'text' if kind == 'must' else kind}", verb=verb))
    return arg or None


def read_trick(table: Reader, key: str, value: str | list[str]) -> record.Trick:
    if isinstance(value, list) or begins_with_card(table, value):
        return record.Trick(read_cards(table, key, value))
    return read_after_player(table, key, value, lambda leader, rest: record.Trick(read_cards(table, key, rest), leader))


def read_turn(table: Reader, key: str, text: str) -> record.Turn:
    """Read a turn: what goes where, or a word with what belongs to it."""

    def read_after(seat: int | None, rest: str) -> record.Turn:
        source, arrow, target = (part.strip() for part in rest.partition(">"))
        word, _, behind = source.partition(" ")
        kind = None if arrow else TURNS.get(word.casefold())
        if kind == "cards":
            return record.Turn(seat, word.casefold(), cards=read_cards(table, key, behind))
        if kind == "places":
            return record.Turn(seat, word.casefold(), cards=tuple(behind.split()))
        if kind == "none" and not behind:
            return record.Turn(seat, word.casefold())
        spots = [read_spot(table, key, part) for part in (source, target)] if arrow else []
        if not spots or not all(spots):  # a comma alone is no card
            refuse_entry(key, text, message("notation.turn", words=tuple(TURNS)))
        return record.Turn(seat, spots[0], spots[1])

    if not players_at_start(table, text):
        return read_after(None, text)
    return read_after_player(table, key, text, read_after, partial(read_after, None, text))


def read_spot(table: Reader, key: str, text: str) -> str:
    """Read a place on the table, a number or a suit; or cards."""
    suit = ALPHABETS[table.alphabet][0].get(text.upper(), "?")
    if suit in SUITS or (text.isdecimal() and len(text) == 1):
        return suit if suit in SUITS else text
    return " ".join(read_cards(table, key, text))


def read_step(_table: Reader, key: str, text: str) -> record.PriceStep:
    match = re.fullmatch(STEP, text.strip())
    if not match or match[1] not in STEPS:
        refuse_entry(key, text, message("notation.price-step", kinds=STEPS))
    count = int(match[2]) if match[2] else None
    return record.PriceStep(match[1], int(match[3]), count, (match[4] or "").strip() or None)


# --- texts and free tables ------------------------------------------------------------------------------------------


def read_players(table: Reader, _key: str, value: list[str]) -> tuple[str, ...]:
    names = tuple(map(one_form, value))
    check_players(names, table.alphabet)
    return names


def read_date(_table: Reader, key: str, value: str) -> str:
    match = re.fullmatch(r"\d{4}(?:-(\d\d)(?:-(\d\d))?)?", value)
    if not match:
        refuse_value(key, message("notation.date-expected", date=value))
    try:
        datetime.date.fromisoformat(value + "-01-01"[len(value) - 4 :])
    except ValueError as error:
        refuse_value(key, str(error))
    return value


def read_house(table: Reader, key: str, value: Any) -> Any:
    return None if value is None else check_free_table(table, key, value)


def read_ruling_kind(table: Reader, key: str, value: str) -> str:
    """Read the kind of a ruling that does not say who pays whom."""
    if value not in RULING_KINDS:
        refuse_value(key, message("notation.ruling-kind", kinds=RULING_KINDS, got=value))
    return value


def check_free_table(table: Reader, key: str, value: Any, depth: int = 0) -> Any:
    """Check that a free table holds only what both TOML and JSON can say, and return it."""
    if depth > DEEPEST:
        refuse_value(key.split(".")[0], message("notation.too-deep", most=DEEPEST))
    inner: Iterable[tuple[str, Any]] = ()
    if isinstance(value, dict):
        inner = ((f"{key}.{name}", entry) for name, entry in value.items())
    elif isinstance(value, list):
        inner = ((key, entry) for entry in value)
    elif value is None:
        refuse_value(key, message("notation.null"))
    elif isinstance(value, float) and not math.isfinite(value):
        refuse_value(key, message("notation.not-finite"))
    elif isinstance(value, int) and abs(value) > 2**53:
        refuse_value(key, message("notation.too-large"))
    for name, entry in inner:
        check_free_table(table, name, entry, depth + 1)
    return value
