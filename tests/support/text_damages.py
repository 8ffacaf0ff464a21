"""Damages as a hand does them to the text of a session file, which know neither game nor rule, each with its way back:
every text of which the same kind of damage could have made this one. A text is the lines of a deal."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

from archive.judge import Judgement, judge
from archive.notation import read_toml, write_toml
from archive.record import Deal, Session, Source
from archive.settle.ledger import apply_carry, empty_ledger

CARD = re.compile(r"\b[EGHS][AZKOU9876]\b")
LABEL = re.compile(r' *"(?:[^:"]+: )?')  # of a line, before its cards
PEN = {"A": "Z", "Z": "7", "7": "Z", "K": "U", "U": "O", "O": "U", "9": "6", "6": "8", "8": "9"}  # read one for another
LISTS = ("hands", "tricks")
GAMES = ("wenz", "solo E", "solo G", "solo H", "solo S", "rufspiel E", "rufspiel G", "rufspiel S")
Text = tuple[str, ...]
Place = tuple[int, int, str]  # a card: its line, its place there, its code
Back = Callable[[Text], Iterator[Text]]


class Damage(NamedTuple):
    """A kind of damage: a function that does it at random, None if it cannot; and one that yields every text that it
    could have been made of."""

    make: Callable[[Random, Text], Text | None]
    back: Back


def text_of(judged: Judgement) -> tuple[Text, Text]:
    """Return the head of a session file, and the lines of its deal."""
    lines = write_toml(judged.session, [judged.deal]).splitlines()
    first = lines.index("[[deal]]")
    return tuple(lines[:first]), tuple(lines[first:])


def read(head: Text, lines: Text) -> Judgement | None:
    """Return the judgement of a deal as its lines have it; None if the format refuses them."""
    try:
        found = list(read_toml("\n".join((*head, *lines)).encode(), Source("damaged")))
    except ValueError:
        return None
    match found:
        case [Session() as top, Deal() as record]:
            return judge_first(top, record)
    return None


def judge_first(head: Session, record: Deal) -> Judgement:
    """Judge a deal that is the first of its evening."""
    return judge(head, record, 1, apply_carry(empty_ledger(len(head.players)), record.carry, len(head.players)))


# --- lines and cards --------------------------------------------------------------------------------------------------


def block(lines: Text, key: str) -> range:
    """Return the lines of a list, as places; empty if the deal has no such list."""
    if f"{key} = [" not in lines:
        return range(0)
    first = lines.index(f"{key} = [") + 1
    return range(first, lines.index("]", first))


def cards_at(lines: Text, *keys: str) -> list[Place]:
    """Return every card of these lists."""
    rows = [row for key in keys for row in block(lines, key)]
    return [(row, nth, card) for row in rows for nth, card in enumerate(cards_in(lines[row]))]


def cards_in(line: str) -> list[str]:
    return CARD.findall(line)


def put(lines: Text, row: int, line: str) -> Text:
    return (*lines[:row], line, *lines[row + 1 :])


def put_cards(lines: Text, row: int, cards: Sequence[str]) -> Text:
    """Return a text with other cards in a line, behind the same name."""
    label = LABEL.match(lines[row])
    return put(lines, row, f'{label[0] if label else ""}{" ".join(cards)}",')


def put_card(lines: Text, row: int, nth: int, *cards: str) -> Text:
    """Return a text with other cards, or none, in place of one."""
    own = cards_in(lines[row])
    return put_cards(lines, row, (*own[:nth], *cards, *own[nth + 1 :]))


def pack_left(lines: Text, key: str, but: int = -1) -> list[str]:
    """Return the cards of the pack, by the ranks that the deal shows, that are in no other line of a list (nor in the
    blind)."""
    every = {suit + card[1] for line in lines for card in cards_in(line) for suit in "EGHS"}
    own = {card for row in block(lines, key) if row != but for card in cards_in(lines[row])}
    blind = {card for line in lines if line.startswith("blind") for card in cards_in(line)}
    return sorted(every - own - (blind if key == "hands" else set()))


def names(lines: Text) -> tuple[str, ...]:
    """Return the players, as the lists name them."""
    labels = (lines[row].strip(' "').partition(":")[0] for key in LISTS for row in block(lines, key))
    return tuple(dict.fromkeys(name for name in labels if name and " " not in name))


def symmetric(every: Back) -> Damage:
    """Return a damage of which each text that it makes is one that it could have been made of."""
    return one_of(every, every)


def one_of(every: Back, back: Back) -> Damage:
    """Return a damage that makes one of some texts."""
    return Damage(lambda rng, lines: rng.choice(made) if (made := [*every(lines)]) else None, back)


# --- cards ------------------------------------------------------------------------------------------------------------


def exchanged(near: Callable[[Place, Place], bool], *keys: str) -> Damage:
    """Return the damage that exchanges two cards."""

    def every(lines: Text) -> Iterator[Text]:
        for one, other in combinations(cards_at(lines, *keys), 2):
            if near(one, other) and one[2] != other[2]:
                yield put_card(put_card(lines, *one[:2], other[2]), *other[:2], one[2])

    return symmetric(every)


def strayed(lines: Text) -> Iterator[Text]:
    """Yield a card of a hand, at the end of the line of another."""
    for row, nth, card in cards_at(lines, "hands"):
        for other in block(lines, "hands"):
            if other != row:
                yield put_cards(put_card(lines, row, nth), other, (*cards_in(lines[other]), card))


def rewritten(key: str, source: Callable[[list[Place], int], str | None]) -> Damage:
    """Return the damage that writes another card; `source` says which, of all cards of the list and a place in it."""

    def every(lines: Text) -> Iterator[Text]:
        at = cards_at(lines, key)
        for place, (row, nth, card) in enumerate(at):
            if (other := source(at, place)) and other != card:
                yield put_card(lines, row, nth, other)

    def back(lines: Text) -> Iterator[Text]:
        at = cards_at(lines, key)
        cards = [card for *_, card in at]
        for row, nth, card in at:
            if cards.count(card) > 1 or len({*cards}) == len(cards):
                yield from (put_card(lines, row, nth, other) for other in pack_left(lines, key))

    return one_of(every, back)


def look_alike(at: list[Place], place: int) -> str:
    return at[place][2][0] + PEN[at[place][2][1]]


def next_suit(at: list[Place], place: int) -> str:
    return "EGHS"["GHSE".index(at[place][2][0])] + at[place][2][1]


def left_of(at: list[Place], place: int) -> str | None:
    return at[place - 1][2] if at[place][1] else None


def above(at: list[Place], place: int) -> str | None:
    return next((card for row, nth, card in at if (row + 1, nth) == at[place][:2]), None)


def swallowed(key: str) -> Damage:
    """Return the damage that leaves out a card."""

    def back(lines: Text) -> Iterator[Text]:
        longest = max((len(cards_in(lines[row])) for row in block(lines, key)), default=0)
        for row in block(lines, key):
            own = cards_in(lines[row])
            for card in pack_left(lines, key) if len(own) < longest else ():
                for nth in range(len(own) + 1) if key == "tricks" else (len(own),):
                    yield put_cards(lines, row, (*own[:nth], card, *own[nth:]))

    return one_of(lambda lines: (put_card(lines, row, nth) for row, nth, _ in cards_at(lines, key)), back)


def stuttered(key: str) -> Damage:
    """Return the damage that writes a card twice running."""
    return one_of(
        lambda lines: (put_card(lines, row, nth, card, card) for row, nth, card in cards_at(lines, key)),
        lambda lines: (
            put_card(lines, row, nth)
            for row, nth, card in cards_at(lines, key)
            if cards_in(lines[row])[nth + 1 : nth + 2] == [card]
        ),
    )


def turned(lines: Text) -> Iterator[Text]:
    """Yield a trick written from another card on."""
    for row in block(lines, "tricks"):
        own = cards_in(lines[row])
        yield from (put_cards(lines, row, own[by:] + own[:by]) for by in range(1, len(own)))


# --- lines ------------------------------------------------------------------------------------------------------------


def line_over_the_next(key: str) -> Damage:
    """Return the damage that copies a line over the one below, of tricks with its name or without."""

    def every(lines: Text) -> Iterator[Text]:
        for row in block(lines, key)[:-1]:
            yield put_cards(lines, row + 1, cards_in(lines[row]))
            if key == "tricks":
                yield put(lines, row + 1, lines[row])

    def back(lines: Text) -> Iterator[Text]:
        for row in block(lines, key)[1:]:
            own, left = cards_in(lines[row]), pack_left(lines, key, row)
            if own != cards_in(lines[row - 1]) or len(left) != len(own):
                continue
            for cards in permutations(left) if key == "tricks" else (left,):
                yield put_cards(lines, row, cards)
                if key == "tricks":  # the name may have been overwritten as well
                    yield put(lines, row, f'    "{" ".join(cards)}",')

    return one_of(every, back)


def line_twice(lines: Text) -> Iterator[Text]:
    yield from ((*lines[:row], lines[row], *lines[row:]) for row in block(lines, "tricks"))


def line_once(lines: Text) -> Iterator[Text]:
    for row in block(lines, "tricks")[1:]:
        if lines[row] == lines[row - 1]:
            yield (*lines[:row], *lines[row + 1 :])


def line_lost(lines: Text) -> Iterator[Text]:
    yield from ((*lines[:row], *lines[row + 1 :]) for row in block(lines, "tricks"))


def line_found(lines: Text) -> Iterator[Text]:
    rows, left = block(lines, "tricks"), pack_left(lines, "tricks")
    size = len(cards_in(lines[rows[0]])) if rows else 0
    for row in range(rows[0], rows[-1] + 2) if len(left) == size else ():
        for cards in permutations(left):
            yield (*lines[:row], f'    "{" ".join(cards)}",', *lines[row:])


def lines_exchanged(key: str, farthest: int) -> Damage:
    """Return the damage that exchanges two tricks, or the cards of two hands, so many lines apart at most."""

    def every(lines: Text) -> Iterator[Text]:
        for one, other in combinations(block(lines, key), 2):
            if other - one > farthest:
                continue
            if key == "tricks":
                yield put(put(lines, one, lines[other]), other, lines[one])
            else:
                yield put_cards(put_cards(lines, one, cards_in(lines[other])), other, cards_in(lines[one]))

    return symmetric(every)


def hands_shifted(lines: Text) -> Iterator[Text]:
    """Yield all hands, each in the line of another player, in their order."""
    rows = block(lines, "hands")
    for by in range(1, len(rows)):
        now = lines
        for place, row in enumerate(rows):
            now = put_cards(now, row, cards_in(lines[rows[(place + by) % len(rows)]]))
        yield now


# --- names and words --------------------------------------------------------------------------------------------------


def entries(lines: Text, prefix: str) -> list[int]:
    """Return the lines that begin so."""
    return [row for row, line in enumerate(lines) if line.startswith(prefix)]


def other_name(prefix: str) -> Damage:
    """Return the damage that writes another name in an entry that begins so, or in one line of a list."""

    def every(lines: Text) -> Iterator[Text]:
        for row in (*entries(lines, prefix), *block(lines, prefix)):
            for name, other in permutations(names(lines), 2):
                if re.search(rf"\b{name}\b", lines[row]):
                    yield put(lines, row, re.sub(rf"\b{name}\b", other, lines[row], count=1))

    return symmetric(every)


def other_suit(lines: Text) -> Iterator[Text]:
    """Yield another suit in the entry of the game."""
    for row in entries(lines, "game = "):
        for found in re.finditer(r"\b[EGHS]\b", lines[row]):
            for suit in set("EGHS") - {found[0]}:
                yield put(lines, row, lines[row][: found.start()] + suit + lines[row][found.end() :])


def other_game(lines: Text) -> Iterator[Text]:
    """Yield the entry of the game as it might stand in the deal before: another player, another game."""
    for row in entries(lines, "game = "):
        yield from (put(lines, row, f'game = "{name} {game}"') for name in names(lines) for game in GAMES)


def every_game(lines: Text) -> Iterator[Text]:
    suited = (f"{word} {suit}" for word in ("rufspiel", "solo", "farbwenz", "farbgeier", "simple") for suit in "EGHS")
    words = ("wenz", "geier", "bettel", "sie", "bierkopf", "ramsch", *suited)
    every = [f"{name} {word}{more}".strip() for name in (*names(lines), "") for word in words for more in ("", " tout")]
    yield from (put(lines, row, f'game = "{each}"') for row in entries(lines, "game = ") for each in every)


DAMAGES: dict[str, Damage] = {
    "two neighbouring cards of a line exchanged": exchanged(
        lambda one, other: one[:2] == (other[0], other[1] - 1), "tricks"
    ),
    "two cards, one below the other, exchanged": exchanged(
        lambda one, other: one[:2] == (other[0] - 1, other[1]), *LISTS
    ),
    "a card at the end of another hand": symmetric(strayed),
    "a rank read as one that looks like it, in a trick": rewritten("tricks", look_alike),
    "a rank read as one that looks like it, in a hand": rewritten("hands", look_alike),
    "a suit read as the next, in a trick": rewritten("tricks", next_suit),
    "a suit read as the next, in a hand": rewritten("hands", next_suit),
    "the card to the left written again, in a trick": rewritten("tricks", left_of),
    "the card to the left written again, in a hand": rewritten("hands", left_of),
    "the card above written again, in a trick": rewritten("tricks", above),
    "the card above written again, in a hand": rewritten("hands", above),
    "a card of a hand not written": swallowed("hands"),
    "a card of a trick not written": swallowed("tricks"),
    "a card of a hand written twice": stuttered("hands"),
    "a card of a trick written twice": stuttered("tricks"),
    "a trick from another card on": symmetric(turned),
    "a hand over the next": line_over_the_next("hands"),
    "a trick over the next": line_over_the_next("tricks"),
    "a trick written twice": one_of(line_twice, line_once),
    "a trick not written": one_of(line_lost, line_found),
    "two neighbouring tricks exchanged": lines_exchanged("tricks", 1),
    "two tricks exchanged": lines_exchanged("tricks", 99),
    "two hands exchanged": lines_exchanged("hands", 99),
    "all hands under another name": symmetric(hands_shifted),
    "another leader of a trick": other_name("tricks"),
    "another declarer": other_name("game = "),
    "another dealer": other_name("dealer = "),
    "another name at a doubling": other_name("doubles = "),
    "another name at an exchange": other_name("exchange = "),
    "another suit of the game": symmetric(other_suit),
    "the game of another deal": one_of(other_game, every_game),
}
