"""Hypothesis strategies for valid records: anything that a reader could have read, playable or not.

`sessions()` gives a Session, `deals(session)` a Deal of it, `evenings()` a session with some deals.
"""

from collections.abc import Sequence
from typing import Any
from unicodedata import is_normalized

from hypothesis import strategies as st

from archive import record
from archive.cards import ALPHABETS, CODES, SUITS, read_card
from archive.notation.game_words import CALLS, WORDS, contract_text, contract_words, is_contract
from archive.notation.names import RESERVED, SEAT
from archive.notation.read_values import MOMENTS, STEPS, VERBS
from archive.record import Cards

PLAIN_NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fritz")
# Names that a careless reader takes for something else.
ODD_NAMES = (
    "Anna Maria", "Maria", "Herz", "Solo Sepp", "A > B", "C: D", "pass", "Kreuz-Toni", "Ho Chi", "die", "O by P",
)  # fmt: skip

amounts = st.integers(-(2**53), 2**53)
counts = st.integers(0, 40)
text = st.text(max_size=20)
card = st.one_of(
    st.sampled_from(CODES), st.sampled_from(["??", "E?", "?A", "?Z"]), st.sampled_from(CODES), st.sampled_from(CODES)
)
cards: st.SearchStrategy[Cards] = st.lists(card, max_size=9).map(tuple)
values = st.one_of(st.booleans(), amounts, text, st.floats(allow_nan=False, allow_infinity=False))
free: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    text,
    st.recursive(values, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3)),
    max_size=3,
)
phrase = st.lists(
    st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=6).filter(lambda w: w != "by"),
    min_size=1,
    max_size=3,
).map(" ".join)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def tuples(strategy: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[Any]:
    return st.lists(strategy, max_size=most).map(tuple)


def drawn(draw: st.DrawFn, kinds: dict[str, st.SearchStrategy[Any]]) -> dict[str, Any]:
    """Return a value or None for each of the keys, which are parted by blanks."""
    return {key: draw(maybe(kind)) for keys, kind in kinds.items() for key in keys.split()}


def usable(name: str) -> bool:
    """Return whether the format takes a name (by its rules, written here once more, not by asking the reader)."""
    return not (
        name != name.strip()
        or "  " in name
        or not is_normalized("NFC", name)  # the form in which names are kept
        or not name.isprintable()
        or name.casefold() in RESERVED
        or is_contract(name)
        or name.startswith("@")
        or SEAT.match(name)
        or any(read_card(name, alphabet) for alphabet in ALPHABETS)
    )


names = st.one_of(
    st.sampled_from(PLAIN_NAMES), st.sampled_from(ODD_NAMES), st.text(min_size=1, max_size=8).filter(usable)
).filter(usable)
tables_of_players = st.one_of(st.just(PLAIN_NAMES[:4]), st.lists(names, min_size=3, max_size=7, unique=True).map(tuple))
dates = st.dates().map(str) | st.integers(1900, 2030).map(str) | st.just("1987-05")


@st.composite
def carries(draw: st.DrawFn, players: int) -> record.Carry:
    seats = st.integers(0, players - 1)
    row = st.tuples(*[maybe(amounts)] * players)
    return record.Carry(**drawn(draw, {
        "stock hausbock stake": amounts, "totals marks": row, "chalk": seats, "bock": counts, "queue": tuples(text),
        "pots": st.dictionaries(text, amounts, max_size=2),
    }))  # fmt: skip


def common(players: int) -> dict[str, st.SearchStrategy[Any]]:
    """Return the keys that heads and deals have alike."""
    texts = dict.fromkeys(("table", "list", "url", "time", "licence", "origin", "note"), maybe(text))
    return {**texts, "x": maybe(free), "inferred": maybe(tuples(text)), "carry": maybe(carries(players))}


@st.composite
def sessions(draw: st.DrawFn) -> record.Session:
    players = draw(tables_of_players)
    about = {key: draw(maybe(text)) for key in ("event", "place", "recorder", "unit")}
    shared = {key: draw(value) for key, value in common(len(players)).items()}
    return record.Session(
        players=players,
        rules=draw(st.just("bavarian") | text),
        date=draw(maybe(dates)),
        house=draw(maybe(free)),
        **about,
        **shared,
    )


@st.composite
def games(draw: st.DrawFn, players: int) -> record.Game:
    """Return a game that the vocabulary of the rules allows."""
    contract = draw(st.sampled_from([*sorted(contract_words().words.takes), "none", "misdeal"]))
    if contract in ("none", "misdeal"):
        return record.Game(contract)
    declarer = draw(maybe(st.integers(0, players - 1))) if contract_words().words.declarer[contract] else None
    takes = contract_words().words.takes[contract]
    suit = draw(maybe(st.sampled_from(SUITS))) if takes != "none" else None
    called = None
    if takes == "called" and suit:
        called = suit + draw(st.sampled_from([contract_words().words.called[contract]] * 2 + ["Z", "K"]))
    said = tuple(word for word in WORDS if word in draw(st.sets(st.sampled_from(WORDS), max_size=2)))
    return record.Game(contract, declarer, suit, called, said, draw(maybe(counts)))


@st.composite
def calls(draw: st.DrawFn) -> str:
    return draw(
        st.one_of(
            st.sampled_from(sorted(CALLS)),
            counts.map(str),
            st.sampled_from(["have-solo", "have-tout", "not-wenz", "lowest 9"]),
            games(4).filter(lambda game: game.contract not in ("none", "misdeal")).map(contract_text),
        )
    )


@st.composite
def events(draw: st.DrawFn, players: int) -> record.Event:
    seats = st.integers(0, players - 1)
    verb = draw(st.sampled_from(sorted(VERBS)))
    arg = {
        "must": phrase,
        "may": maybe(phrase),
        "cards": cards.filter(bool).map(" ".join),
        "number": st.integers(-99, 99).map(str),
        "suit": st.sampled_from("EGHS"),
        "all-or-none": st.sampled_from(["all", "none"]),
    }[VERBS[verb]]
    trick_and_card = st.tuples(st.integers(1, 9), st.integers(1, 4)).map(lambda at: f"{at[0]}.{at[1]}")
    moment = maybe(trick_and_card | st.integers(1, 9).map(str) | st.sampled_from(MOMENTS))
    said = draw(arg)
    return record.Event(draw(seats), verb, draw(moment), said or None, draw(maybe(seats)))


@st.composite
def results(draw: st.DrawFn, players: int) -> record.Stated:
    seats = st.integers(0, players - 1)
    row = st.tuples(*[maybe(amounts)] * players)
    won = st.tuples(*[maybe(counts)] * players)
    told = text.map(str.strip).map(lambda said: said or None)
    steps = st.builds(record.PriceStep, st.sampled_from(STEPS), st.integers(-999, 999), maybe(st.integers(-9, 9)), told)
    return record.Stated(**drawn(draw, {
        "points": amounts | row, "points_against runners price stock": amounts, "tricks": counts | won,
        "payments totals marks wins solos touts": row, "won schneider schwarz of_list": st.booleans(),
        "partner loser": seats, "winners": tuples(seats), "virgins": counts | tuples(seats), "deals": counts,
        "runner_count": st.integers(0, 99), "steps": tuples(steps), "result": text,
    }))  # fmt: skip


@st.composite
def deals(draw: st.DrawFn, session: record.Session) -> record.Deal:
    """Return a deal of a session; values that it sets anew differ from those of the session."""
    anew = draw(maybe(tables_of_players.filter(lambda players: players != session.players)))
    players = len(anew or session.players)
    seats = st.integers(0, players - 1)
    hands = st.tuples(*[maybe(cards)] * players)
    ends = maybe(seats)
    moments = st.one_of(st.just((None, None)), st.tuples(st.integers(1, 9), maybe(st.integers(1, 4))))
    doubles = st.builds(
        lambda seat, word, at: record.Double(seat, word, *at),
        seats,
        st.sampled_from(["kontra", "re", "double"]),
        moments,
    )
    when = dates | text
    rulings = st.builds(record.Ruling, text, when, text, st.tuples(*[maybe(amounts)] * players), maybe(text))
    keys = drawn(draw, {
        "no packet": counts, "id cut": text, "dealer partner": seats, "sits_out": tuples(seats), "round": tuples(text),
        "rules": text.filter(lambda rules: rules != session.rules),
        "house": free.filter(lambda house: bool(house) and "head" not in house),
        "draw": tuples(st.builds(record.Draw, seats, st.sampled_from(CODES))),
        "hands held": hands, "blind": cards, "game": games(players), "knocks": counts | tuples(seats),
        "auction": tuples(st.builds(record.Call, seats, calls())), "doubles": counts | tuples(doubles),
        "exchange": tuples(st.builds(record.Exchange, ends, ends, cards)),
        "tricks": tuples(st.builds(record.Trick, cards, ends), 9),
        "events": tuples(events(players)), "stated": results(players),
        "correction": tuples(st.builds(record.Correction, text, when, text, free), 2), "ruling": tuples(rulings, 2),
    })  # fmt: skip
    return record.Deal(players=anew, **{key: draw(value) for key, value in common(players).items()}, **keys)


@st.composite
def evenings(draw: st.DrawFn, most: int = 3) -> tuple[record.Session, tuple[record.Deal, ...]]:
    """Return a session with its deals."""
    session = draw(sessions())
    return session, tuple(draw(st.lists(deals(session), max_size=most)))


def tampered_calls(
    data: st.DataObject, calls: Sequence[record.Call], seats: int, others: Sequence[str]
) -> list[record.Call]:
    """Return an auction of which some calls are gone, in another order, others or more, any of these by any seat."""
    tampered, said = list(calls), st.sampled_from([*sorted(CALLS), *others])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(tampered)))
        how = data.draw(st.sampled_from(("drop", "swap", "change", "add")))
        if how == "drop":
            del tampered[place : place + 1]
        elif how == "swap":
            tampered[place:] = tampered[place:][::-1]
        else:
            seat = data.draw(st.integers(0, seats - 1))
            tampered[place : place + (how == "change")] = [record.Call(seat, data.draw(said))]
    return tampered
