"""The choices of a deal that a table offers: its games, and what can be added to each, by the rules of the house."""

from collections.abc import Iterator

from msgspec import Struct

from archive.cards import PACKS
from archive.notation.tapped_deal import counts_runners, has_levels
from archive.play.auction.ranks import wedding
from archive.play.game_words import is_bid
from archive.record import Game
from archive.rules import Contract, Ruleset, tables
from archive.rules.tables import are_pairs_fixed, points_of
from archive.settle.facts import least_runners
from archive.settle.rounds import special_rounds
from archive.settle.types import LedgerState
from archive.text.ledger_state import round_title
from archive.text.wording import Texts, contract_title, game_title, texts_of, word_of

CALLED = ("E", "G", "S", "H")
NAMED = ("E", "G", "H", "S")
MOST_RUNNERS = 14
MOST_DOUBLES = 4  # if the house has no limit
WITH_PARTNER = ("called", "named")
OUTCOMES = ("won", "won-schneider", "won-schwarz", "lost", "lost-schneider", "lost-schwarz")
LEVEL = "lost-level"
PLAIN, SURE = ("won", "lost"), ("won",)  # sure: whoever holds the cards has won
LOSER = ("loser",)
LOSING_PAIR = ("lost", "lost-schneider", "lost-schwarz", "level")  # one of it is named, if nobody declares
ENDS = (*OUTCOMES, LEVEL, "level", *LOSER)  # in the order in which they are tapped


class GameOffer(Struct, frozen=True):
    """A game to tap: its words in a record, its title, the title of its contract, the suit that is drawn, whether it
    has a partner, the numbers of runners that are paid, words that can be added, the possible ends, and how many
    card points its declarer can have; 0 if they do not tell an end."""

    value: str
    title: str
    contract: str
    suit: str | None
    partner: bool
    runners: tuple[int, ...]
    words: tuple[str, ...]
    outcomes: tuple[str, ...]
    virgins: bool
    points: int


class Offers(Struct, frozen=True):
    """All that can be tapped: games, how many may have knocked and doubled, words in the reader's language, numbers
    that can be bid; whether virgins are counted, or named where each is paid otherwise; the special rounds with their
    titles, if it is not known whether one is under way; how any of the games can end, and whether somebody declares
    them or loses alone."""

    games: tuple[GameOffer, ...]
    knocks: tuple[int, ...]
    doubles: tuple[int, ...]
    words: dict[str, str]
    runners: tuple[int, ...]
    bids: tuple[int, ...]
    virgins: bool
    named_virgins: bool
    points: int
    rounds: tuple[tuple[str, str], ...]
    outcomes: tuple[str, ...]
    declares: bool


def offers_of(rules: Ruleset, table: LedgerState, t: Texts) -> Offers:
    """Return the offers of a house for the next deal; in a special round that must be played with certain games,
    these."""
    house, t = rules.house, texts_of(rules, t)
    games = tuple(game for row in rows_on_offer(rules, table) for game in games_of(row, rules, t))
    unknown = special_rounds(rules) if table.rounds is None else ()
    words = tuple(dict.fromkeys(word for game in games for word in game.words))
    limit = house.stoss.limit or MOST_DOUBLES
    return Offers(
        games=games,
        knocks=tuple(range(house.seats + 1)) if house.knock != "no" else (),
        doubles=tuple(range(limit + 1)) if house.stoss.until != "no" else (),
        words={word: word_of(word, t) for word in words},
        runners=tuple(sorted({0, *(number for game in games for number in game.runners)})),
        bids=bids_of(rules),
        virgins=house.ramsch.virgin == "double-all" and any(game.virgins for game in games),
        named_virgins=house.ramsch.virgin != "double-all" and any(game.virgins for game in games),
        points=max((game.points for game in games), default=0),
        rounds=tuple((name, round_title(name, rules)) for name in unknown),
        outcomes=tuple(each for each in ENDS if any(each in game.outcomes for game in games)),
        declares=any(game.outcomes for game in games),
    )


def rows_on_offer(rules: Ruleset, table: LedgerState) -> list[Contract]:
    """Return the contracts that may be played in the next deal, the lowest first."""
    names = list(rules.house.contracts)
    under_way = [rules.rounds[name] for name, _ in table.rounds or () if name in rules.rounds]
    if bound := [name for each in under_way for name in each.contracts]:
        names = bound
    elif offered := wedding(rules):
        names.append(offered.id)
    rows = [rules.contracts[name] for name in dict.fromkeys(names)]
    return sorted(rows, key=lambda row: (not row.declarer, rules.house.rank.get(row.id, row.rank)))


def games_of(row: Contract, rules: Ruleset, t: Texts) -> Iterator[GameOffer]:
    """Yield the games of a contract, one for each suit that it can be played with."""
    house = rules.house
    suits: tuple[str | None, ...] = {
        "called": tuple(suit for suit in CALLED if suit != house.trumps),
        "trump": NAMED,
        "none": (None,),
    }[row.takes]
    touts = ("du" if house.du else "tout",) if row.tout_rank is not None else ()
    opened = ("open",) if row.open_rank is not None else ()
    by_hand = ("hand",) if house.hand != "no" and row.exchange == "blind" else ()
    forced = ("muss",) if house.all_pass == "muss" and house.muss and house.muss.contract == row.id else ()
    least, ends = counts_runners(row) and least_runners(rules, row), outcomes_of(row, rules)
    for suit in suits:
        called = f"{suit}{row.called}" if row.takes == "called" else None
        most = len(tables(rules, row.id, suit, called).trumps) if least else 0
        yield GameOffer(
            value=" ".join(filter(None, (row.id, suit))),
            title=game_title(Game(row.id, None, suit, called), rules, t),
            contract=contract_title(row.id, rules, t),
            suit=suit,
            partner=row.parties in WITH_PARTNER,
            runners=tuple(range(least, min(most, MOST_RUNNERS) + 1)) if least else (),
            words=(*touts, *opened, *by_hand, *forced),
            outcomes=ends,
            virgins=ends == LOSER and house.ramsch.virgin != "no",
            points=whole_points(row, rules) if row.goal in ("points", "reach-bid") and row.declarer else 0,
        )


def outcomes_of(row: Contract, rules: Ruleset) -> tuple[str, ...]:
    """Return how a contract can end, as far as one can say it without the cards; also at 60 : 60, if that starts a
    special round."""
    if row.goal == "match-points":
        return ()
    if are_pairs_fixed(row):
        return LOSING_PAIR[: 3 if (row.tie or rules.house.levels.tie) == "lost" else None]
    if not row.declarer or not has_levels(row):
        return LOSER if not row.declarer else SURE if row.goal == "dealt" else PLAIN
    starts = any("60-60" in each.on for each in special_rounds(rules).values())
    return (*OUTCOMES, LEVEL) if starts and rules.house.levels.tie == "lost" else OUTCOMES


def bids_of(rules: Ruleset) -> tuple[int, ...]:
    """Return the numbers that a declarer may have bid, and can make."""
    house, row = rules.house, rules.contracts[rules.house.contracts[0]]
    if not house.bids and not house.lengths:
        return ()
    return tuple(number for number in range(1, whole_points(row, rules) + 1) if is_bid(number, house))


def whole_points(row: Contract, rules: Ruleset) -> int:
    """Return the card points of both sides together."""
    house = rules.house
    return points_of(tables(rules, row.id, house.trumps).points, PACKS[house.deck]) + row.last_trick
