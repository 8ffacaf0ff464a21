"""The one-line notation: a game in words and its cards in play order, `Rufspiel Blaue von 3: so h7 go eo …`.

Seats count from forehand, who leads first; the later leaders follow from the cards. Described in
docs/formats/one-line.md.
"""

import re
from functools import cache

from msgspec import Struct

from archive.cards import BIT, NUMBER, SUIT_NAMES, UNKNOWN, is_known, read_card
from archive.notation import game_words
from archive.notation.names import card_spellings
from archive.notation.problem import Problem, finding_of, refuse_entry
from archive.record import Deal, Finding, Game, Source, Trick
from archive.rules import House, load, tables
from archive.say import Message, message

RULES = "bavarian"  # the notation names its contracts
CONTRACTS = ("rufspiel", "wenz", "farbwenz", "geier", "farbgeier", "solo", "bettel", "ramsch")
DECKS = (24, 32)
SEATS = 4
LONGEST = 120  # characters of the words before the colon
ENOUGH = 12  # cards after a colon make a line a game
BETWEEN = str.maketrans(dict.fromkeys(",;|/[]()", " "))  # cards or tricks
HIDDEN = "_"  # a card that is not known

DECLARER = r"(?i)(?P<game>.+?)\s+von\s+(?P<seat>\d+)"
STEMS = {
    "alt": "E",
    "blau": "G",
    "laub": "G",
    "schell": "S",
    "pump": "S",
    "sticht": "solo",
}  # besides those of the rules
BEATS = {"normal": False, "stich": True, "stichzwang": True}  # whether a trick must be beaten in a Bettel
SAID = frozenset({"tout"})  # besides a game
CALLS = frozenset({"auf", "mit"})  # `auf die Alte`, `mit der Alten`
FILLERS = game_words.FILLERS | {"sau", "ass", "as", "spielt", "spiel"}


class OneLine(Struct, frozen=True):
    """A game as a line has it. `beat` is None if it does not say whether a trick must be beaten in a Bettel."""

    game: Game
    tricks: tuple[Trick, ...]
    beat: bool | None

    @property
    def deck(self) -> int:
        return SEATS * len(self.tricks)


# --- reading --------------------------------------------------------------------------------------------------------


def is_one_line(text: str) -> bool:
    """Return whether a line holds a game, good or bad; with quotes or braces it is JSON, which has cards too."""
    after = text.partition(":")[2]
    if len(after) <= 2 * ENOUGH or text[:1] in "{[<" or '"' in text:
        return False
    few, all_cards = (sum(map(_cards().__contains__, each.split())) for each in (after, after.translate(BETWEEN)))
    return few >= ENOUGH or all_cards >= min(DECKS)  # a sentence names some, with commas between them


def read_one_line(text: str, source: Source | None = None) -> OneLine | Finding:
    """Return the game of a line in the notation, or what is wrong with it."""
    try:
        before, _, after = text.partition(":")
        cards = after.translate(BETWEEN).split()
        if len(cards) not in DECKS:
            refuse_entry("cards", message("notation.cards", n=len(cards)), message("notation.one-line-cards"))
        read = tuple(map(_read_card, cards))  # the leader is known only for the first trick
        tricks = tuple(Trick(read[n : n + SEATS], None if n else 0) for n in range(0, len(read), SEATS))
        game, beat = _read_game(" ".join(before[: LONGEST + 1].split()))
        return OneLine(game, tricks, beat)
    except Problem as problem:
        return finding_of(problem, source)


@cache
def _cards() -> dict[str, str]:
    """Return the usual spellings of a card, with its code."""
    return card_spellings("german") | {HIDDEN: 2 * UNKNOWN}


def _read_card(text: str) -> str:
    code = _cards().get(text) or read_card(text)
    if code is None:
        raise Problem("unknown-card", "cards", text, card=text, alphabet=game_words.letters("german"))
    return code


def _read_game(text: str) -> tuple[Game, bool | None]:
    """Return the game in words of any order and ending, and `beat`. Raise Problem if a word means nothing."""
    match = re.fullmatch(DECLARER, text)
    seat = int(match["seat"][:2]) if match else None
    if len(text) > LONGEST or (seat is not None and seat >= SEATS):
        refuse_entry("game", text, message("notation.one-line-game"))
    game_text = (match["game"] if match else text).casefold()
    meanings, pattern = _stems()
    stems = pattern.findall(game_text)
    meant = {meanings[stem] for stem in stems}
    rest = re.findall(r"\w+", pattern.sub(" ", game_text))
    beats = [BEATS[word] for word in sorted(meant & BEATS.keys())]
    terms = meant - BEATS.keys() | set(rest) - FILLERS
    nicknames = game_words.contract_words().words.nicknames.keys()
    if not terms & set(CONTRACTS) and (CALLS & set(rest) or nicknames & set(stems)):
        terms.add("rufspiel")
    if len(terms & set(CONTRACTS)) > 1 or len(set(beats)) > 1 or (beats and "bettel" not in terms):
        refuse_entry("game", text, message("notation.one-game"))
    plain = " ".join(sorted(terms, key=lambda word: (word not in CONTRACTS, word)))
    try:
        game = game_words.read_game("game", plain, seat, "german", game_words.contract_words())
    except Problem as problem:
        raise Problem(problem.rule, **problem.facts | {"entry": text}) from None
    if game.bid is not None or set(game.words) - SAID:
        refuse_entry("game", text, message("notation.plain-game"))
    return game, beats[0] if beats else None


@cache
def _stems() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the meanings of words by their beginnings (contract, suit, Tout, kind of Bettel), and their pattern."""
    usual = game_words.contract_words().words
    names = {name: contract for name, contract in usual.names.items() if contract in CONTRACTS}
    suits = {name: suit for name, (_, suit) in usual.nicknames.items()} | usual.suits
    meanings = suits | names | STEMS | {word: word for word in ("tout", *BEATS)}
    stems = sorted((stem for stem in meanings if stem.isalpha() and len(stem) > 1), key=len, reverse=True)
    some = "|".join(map(re.escape, stems))
    return meanings, re.compile(rf"({some})(?:(?:e?[nrs]|e)(?=\b|{some}))?")


# --- writing --------------------------------------------------------------------------------------------------------


def write_one_line(deal: Deal, house: House, active: tuple[int, ...], leaders: tuple[int | None, ...]) -> str | Message:
    """Return the line of a deal without a line break, or why there is none.

    `active` are the seats in play, forehand first, and `leaders` those of each trick, as a replay gives both. What no
    line tells (names, hands apart from the play, auction, knocks, doublings, results) is left out.
    """
    game, tricks = deal.game, tuple(trick.cards for trick in deal.tricks or ())
    if house.seats != SEATS:
        return message("notation.one-line-seats")
    if game is None or game.contract not in CONTRACTS:
        return message("notation.one-line-no-game")
    if set(game.words) - SAID or game.bid is not None or not (game.called or "A").endswith("A"):
        return message("notation.one-line-no-word")
    takes = game_words.contract_words().words.takes
    if game.contract != "ramsch" and (game.declarer is None or (game.suit is None and takes[game.contract] != "none")):
        return message("notation.one-line-no-declarer")
    if SEATS * len(tricks) not in DECKS or any(len(cards) != SEATS for cards in tricks):
        return message("notation.one-line-unfinished")
    if not all(is_known(card) for cards in tricks for card in cards):
        return message("notation.one-line-hidden")
    if len(active) != SEATS or leaders != _leaders(game, tricks, house.bettel.beat, active):
        return message("notation.one-line-leaders")
    cards = " ".join(card.lower() for four in tricks for card in four)
    return f"{_game_text(game, house.bettel.beat, active)}: {cards}"


def _game_text(game: Game, beat: bool, active: tuple[int, ...]) -> str:
    """Return the game as the notation says it: `Solo Gras Tout von 2`, `Bettel Stich von 0`."""
    parts = [game.contract.capitalize(), SUIT_NAMES.get(game.suit or "")]
    parts += ["Tout"] * ("tout" in game.words) + ["Stich"] * (game.contract == "bettel" and beat)
    parts += [] if game.declarer is None else [f"von {active.index(game.declarer)}"]
    return " ".join(part for part in parts if part)


def _leaders(
    game: Game, tricks: tuple[tuple[str, ...], ...], beat: bool, active: tuple[int, ...]
) -> tuple[int | None, ...]:
    """Return the seat that leads each trick, as a reader with nothing but the cards works it out."""
    ruleset, _ = load(RULES, {"deck": SEATS * len(tricks), "bettel": {"beat": beat}})
    if ruleset is None:
        return ()
    beats = tables(ruleset, game.contract, game.suit, game.called).beats
    places = [0]
    for cards in tricks:
        best = 0
        for place, card in enumerate(cards):
            best = place if beats[NUMBER[cards[best]]] & BIT[card] else best
        places.append((places[-1] + best) % SEATS)
    return tuple(active[place] for place in places[:-1])
