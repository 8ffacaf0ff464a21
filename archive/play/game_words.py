"""The words of a game and its bid: whether this contract is played with them at this table."""

from collections.abc import Callable

from archive.cards import SUITS
from archive.play.messages import call_message
from archive.play.types import Scene
from archive.record import TOUTS, Deal, Finding, Game, finding
from archive.rules import Contract, House, hand_size
from archive.rules.tables import POINTS
from archive.rules.titles import contract_title
from archive.say import message

SHORTEST = 2  # trump length that may be bid
IN_THE_PACK = len(SUITS) * sum(POINTS.values())  # nobody can make more

# What lets a contract be played with a word. Whether a suit is void as announced is a question to the hand.
ALLOWED_WORDS: dict[str, Callable[[Contract, House], bool]] = {
    "tout": lambda row, house: row.tout_rank is not None,
    "open": lambda row, house: row.open_rank is not None and house.bettel.open != "no",
    "hand": lambda row, house: house.hand != "no" and row.exchange == "blind",
    "muss": lambda row, house: house.muss is not None and house.all_pass == "muss",
    "void": lambda row, house: row.takes == "called",
    "du": lambda row, house: house.du and row.tout_rank is not None,
}


def is_tout(deal: Deal) -> bool:
    """Return whether all tricks were announced."""
    return deal.game is not None and not TOUTS.isdisjoint(deal.game.words)


def rank_of(row: Contract, words: tuple[str, ...], house: House, suit: str | None = None) -> int | None:
    """Return the auction rank of a contract with its words and trump suit, or None if it is not played with them."""
    if not all(ALLOWED_WORDS[word](row, house) for word in words if word in ALLOWED_WORDS):
        return None
    plain = row.suit_rank.get(suit or "", row.rank)
    return row.tout_rank if not TOUTS.isdisjoint(words) else row.open_rank if "open" in words else plain


MOST_BID = 200  # more card points than any deal has


def is_bid(points: int, house: House) -> bool:
    """Return whether this number can be bid: points that win anyway or a step of the auction, 002 06.3 Bidding with
    Three; or a number of trumps, 000 Making Trumps."""
    bids = house.bids
    if bids is None:
        return house.lengths is not None and SHORTEST <= points <= hand_size(house)
    if bids.rising:
        return 0 < points <= MOST_BID and points % max(bids.step, 1) == 0
    stepped = bids.start <= points <= IN_THE_PACK and (points - bids.start) % max(bids.step, 1) == 0
    return points == house.levels.win or stepped


def first_bids(house: House) -> tuple[int, ...]:
    """Return the bid that need not be said, and the one after it; of rising bids the first three."""
    if house.bids and house.bids.rising:
        return tuple(house.bids.start + house.bids.step * n for n in range(3))
    steps = (house.bids.start, house.bids.start + house.bids.step) if house.bids else ()
    return (house.levels.win, *steps)


def check_words(scene: Scene) -> tuple[Finding, ...]:
    """Return a finding for each word or bid that is not played."""
    game, row = scene.deal.game, scene.contract
    if game is None or row is None or (not game.words and game.bid is None):
        return ()
    house, findings = scene.ruleset.house, []
    for word in wrong_words(game, row, house):
        says = call_message(word)
        if house.bids and is_between_steps(word, house):
            says = message("play.bid-between-steps", points=word, step=house.bids.step)
        findings.append(finding("word-not-played", scene.deal.source, word=says, contract=contract_title(row)))
    return tuple(findings)


def is_between_steps(word: str, house: House) -> bool:
    """Return whether a word is a bid in points between two steps. 002 06.4: in increments of five."""
    bids = house.bids
    return word.isdecimal() and bids is not None and bids.rising and int(word) % max(bids.step, 1) != 0


def wrong_words(game: Game, row: Contract, house: House) -> list[str]:
    """Return the words of a game, and its bid, that are not played with this contract at this table."""
    wrong = [word for word in game.words if word in ALLOWED_WORDS and not ALLOWED_WORDS[word](row, house)]
    counts = house.lengths is None or "trump-length" in row.holds
    if game.bid is not None and not (counts and is_bid(game.bid, house)):
        wrong.append(str(game.bid))
    return wrong
