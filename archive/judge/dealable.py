"""Whether a pack can be dealt so that a side has, or lacks, a given number of the highest trumps in a row."""

from collections.abc import Iterator
from itertools import islice, product

import msgspec
from msgspec.structs import replace

from archive.cards import CODES, SUITS, numbers
from archive.play.hand_requirements import HOLDS, Hold
from archive.record import Game
from archive.rules import Contract, Ruleset, Tables, hand_size, tables
from archive.rules.load import NOMINAL
from archive.settle.facts import counts_table

RESULTS: dict[tuple[object, ...], bool] = {}  # worked out already: no price decides what can be dealt
MOST_RESULTS = 50_000
RULES: dict[str, bytes] = {}  # `rules_but_prices`, by the digests of rulesets
MOST_RULES = 1_000
RANKS = len(CODES) // len(SUITS)  # cards of a suit, the Ace first
Seats = tuple[int, int]  # the number of players on the declarer's side, and against it


def rules_but_prices(ruleset: Ruleset) -> bytes:
    """Return the rules without the prices, encoded: what decides a game and how high, by every tariff."""
    rules = RULES.get(ruleset.digest)
    if rules is None:
        if len(RULES) >= MOST_RULES:
            RULES.clear()
        house = replace(ruleset.house, tariff=NOMINAL, price={})
        rules = RULES[ruleset.digest] = msgspec.json.encode((ruleset.id, house, ruleset.contracts, ruleset.rounds))
    return rules


def is_dealable(ruleset: Ruleset, row: Contract, game: Game, seats: Seats, bound: bool, count: int) -> bool:
    """Return whether `count` runners, below 0 without, can be dealt: the hands of a side have room for them and for the
    called card in the partner's, and, if the game is `bound` to its contract's demands, the declarer's hand meets
    them."""
    key = rules_but_prices(ruleset), row.id, game.suit, game.called, game.bid, game.words, seats, bound, count
    result = RESULTS.get(key)
    if result is None:
        named = [game]
        if row.called and game.called is None:
            named = [replace(game, called=letter + row.called) for letter in SUITS]
        if len(RESULTS) >= MOST_RESULTS:
            RESULTS.clear()
        result = RESULTS[key] = any(_is_dealable(ruleset, row, each, seats, bound, count) for each in named)
    return result


def _is_dealable(ruleset: Ruleset, row: Contract, game: Game, seats: Seats, bound: bool, count: int) -> bool:
    house, size = ruleset.house, hand_size(ruleset.house)
    compiled = tables(ruleset, row.id, game.suit, game.called)
    if compiled.called & compiled.groups[-1]:
        return False
    table = max(0, house.deck - house.seats * size)
    with_us, with_them = (table, 0) if counts_table(house, row) else (0, table)
    partners = (seats[0] - 1) * size - compiled.called.bit_count() + with_us
    run, end = cut_run(compiled.trumps, count)
    if count < 0 and run.bit_count() > seats[1] * size + with_them:
        return False
    for hand in declarers_hands(compiled, run, compiled.called | (end if count > 0 else run), size):
        rest = run & ~hand if count > 0 else end & ~hand
        if rest.bit_count() <= partners and (not bound or may_name(ruleset, row, game, compiled, hand)):
            return True
    return False


def cut_run(trumps: tuple[int, ...], count: int) -> tuple[int, int]:
    """Return the trumps of a run of this many runners, and the one that ends it, as masks."""
    cards = [1 << card for card in trumps[: abs(count) + 1]]
    return sum(cards[: abs(count)]), sum(cards[abs(count) :])


def declarers_hands(compiled: Tables, run: int, apart: int, size: int) -> Iterator[int]:
    """Yield a hand (a mask) for each number of lords and other trumps within a run and below it, of the called suit and
    of other suits, without the cards in `apart`."""
    pools, seen = [], apart
    for kind in (compiled.lords & run, run, compiled.lords, compiled.groups[-1], compiled.called_suit, compiled.pack):
        cards = kind & ~seen
        high = [card for card in compiled.trumps if cards >> card & 1] if cards & compiled.groups[-1] else []
        rest = cards & ~compiled.groups[-1]  # all Aces first, then all Tens: who has them may call a King
        pools.append([*high, *sorted(numbers(rest), key=lambda card: card % RANKS)] if rest else high)
        seen |= kind
    *others, last = pools
    for counts in product(*(range(min(size, len(pool)), -1, -1) for pool in others)):
        if 0 <= size - sum(counts) <= len(last):
            both = zip(pools, (*counts, size - sum(counts)), strict=True)
            yield sum(1 << card for pool, many in both for card in islice(pool, many))


def may_name(ruleset: Ruleset, row: Contract, game: Game, compiled: Tables, hand: int) -> bool:
    """Return whether a hand has everything that its contract demands of the declarer."""
    at = Hold(hand, game, row, compiled, ruleset.house.call, ruleset.house.lengths)
    return not any(HOLDS[demand](at) for demand in row.holds)
