"""The contracts that can be dealt in bulk at a table, with their words, frequency and plans."""

from msgspec import Struct

from archive.bulk.plans import Plan, plan_of
from archive.cards import RANKS, SUITS
from archive.generate.plan import tout_word
from archive.record import Game
from archive.rules import Contract, Ruleset

USUAL, OTHERS, PASSED = 0.62, 0.3, 0.08  # of all deals: the lowest game, the others together, all pass
SELDOM = 0.02  # of the weight of another game: one that is won as dealt, or must take every trick
TOUT = 0.03  # the share of Touts among a game's deals
RARE = ("dealt", "every-trick")  # goals
AUCTIONS = ("ranks", "hanging")


class Kind(Struct, frozen=True):
    """A contract with its words; `row` is None if all pass and nothing is played."""

    row: Contract | None
    weight: float
    first: int  # the first of its plans
    count: int  # the number of its plans, one for each suit or card that may be named

    @property
    def has_declarer(self) -> bool:
        return self.row is not None and self.row.declarer

    @property
    def columns(self) -> tuple[int, int, int]:
        """Return the columns of `wanted` for it, as `chance.deal_run` takes them."""
        return self.first, self.count, int(self.has_declarer)


class ContractMix(Struct, frozen=True):
    """The kinds of game that are dealt; `sure` is the one played if no hand fits, `complete` says whether they include
    every contract of the table."""

    kinds: tuple[Kind, ...]
    plans: tuple[Plan, ...]
    sure: Kind
    complete: bool


def contract_mix_of(ruleset: Ruleset) -> ContractMix | None:
    """Return the mix of contracts of a ruleset; None if nothing can be dealt in bulk, or if more than the game and
    knocks is called before play."""
    house = ruleset.house
    if house.auction not in AUCTIONS or house.bids is not None or house.klopfen:
        return None
    kinds: list[Kind] = []
    plans: list[Plan] = []
    for row, words, weight in contract_choices(ruleset):
        covered = [plan for game in games_of(ruleset, row, words) if (plan := plan_of(ruleset, game)).row]
        if covered:
            kinds.append(Kind(row, weight, len(plans), len(covered)))
            plans += covered
    if not any(kind.row for kind in kinds):
        return None
    sure = next((kind for kind in kinds if not kind.has_declarer), kinds[0])
    rows = {kind.row.id for kind in kinds if kind.row}
    return ContractMix(tuple(kinds), tuple(plans), sure, rows >= {*house.contracts})


def contract_choices(ruleset: Ruleset) -> list[tuple[Contract | None, tuple[str, ...], float]]:
    """Return the contracts that may be played (None: all pass), with words and frequency; the lowest game first."""
    house = ruleset.house
    rows = sorted((ruleset.contracts[name] for name in house.contracts), key=lambda row: row.rank)
    declared = [row for row in rows if row.declarer]
    choices: list[tuple[Contract | None, tuple[str, ...], float]] = []
    for row in declared:
        often = USUAL if row is declared[0] else OTHERS / (len(declared) - 1)
        weight = often * (SELDOM if row.goal in RARE else 1)
        choices.append((row, (), weight))
        if row.tout_rank is not None:
            choices.append((row, (tout_word(house),), weight * TOUT))
    if house.all_pass == "thrown-in" or house.hausbock:
        choices.append((None, (), PASSED / 2))
    if house.all_pass == "muss" and house.muss:
        row = ruleset.contracts[house.muss.contract]
        choices += [(row, ("muss",), PASSED), (row, ("muss", "void"), PASSED / 100)]
    choices += [(row, (), PASSED if declared else USUAL) for row in rows if not row.declarer]
    return choices


def games_of(ruleset: Ruleset, row: Contract | None, words: tuple[str, ...]) -> list[Game]:
    """Return the games that a contract may be, one for each suit or card it may name; some may call lower cards."""
    if row is None:
        return [Game("none")]
    if row.called:
        lower = "muss" in words or ruleset.house.call.ten == "always"
        ranks = RANKS[RANKS.index(row.called) :][:3] if lower else row.called
        return [Game(row.id, None, suit, suit + rank, words) for rank in ranks for suit in SUITS]
    suits = SUITS if row.takes == "trump" else (None,)
    return [Game(row.id, None, suit, None, words) for suit in suits]
