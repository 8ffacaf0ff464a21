"""Plans: a game of a ruleset as a row of integers for the core, made from the data and by the worded functions.

What is covered follows from the data alone: `lacking` names what the core does not know of a ruleset or a game.
"""

from msgspec import Struct

from archive.cards import CODES, PACKS, mask
from archive.engine import columns as c
from archive.engine import tricks
from archive.engine.duties import NUMBERS
from archive.play.game_words import is_tout, wrong_words
from archive.play.hand_requirements import own_trumps, write_call
from archive.play.types import NOT_PLAYED, THROWN_IN
from archive.record import Deal, Game
from archive.rules import Contract, Ruleset, Tables, hand_size, tables
from archive.rules.tables import score_of
from archive.rules.types import EVENTS
from archive.settle.facts import least_runners
from archive.settle.goals import HALVES, schneider_at, terms_of
from archive.settle.lines import cap_between, opponents_of
from archive.settle.price import factors_of, worth_of
from archive.settle.ramsch import TIES, VIRGINS, march_number
from archive.settle.rounds import special_rounds
from archive.settle.settle import lacks_tariff

HIGHEST = 10**6  # an amount that stays in range under every covered number of doublings
ENDS = {"played-out": 0, "first-trick-lost": 1, "first-trick-taken": 2, "not-played": 3}
PARTIES = {"alone": tricks.ALONE, "called": tricks.CALLING, "opposite": tricks.OPPOSITE, "each": tricks.EACH}
GOALS = {"points": c.BY_POINTS, "no-trick": c.NO_TRICK, "dealt": c.AS_DEALT, "most-loses": c.MOST_LOSES}
HOLDS = {
    "callable": tricks.CALLABLE,
    "trump-card": tricks.TRUMP_CARD,
    "top-trumps": tricks.TOP_TRUMPS,
    "one-trump": tricks.ONE_TRUMP,
    "few-lords": tricks.FEW_LORDS,
    "trump-length": tricks.TRUMP_LENGTH,
    "top-trump": tricks.TOP_TRUMP,
}

PRICED = (c.P_GAME, c.P_STAKE_UNIT, c.P_SCHNEIDER, c.P_SCHWARZ, c.P_RUNNER, c.P_MARCH_PRICE)  # in points of the price


class Plan(Struct, frozen=True):
    """A game as the core plays it; without a row, `lacking` says why it does not. `game` has no declarer."""

    game: Game
    contract: Contract | None
    tables: Tables | None
    row: tuple[int, ...] | None
    lacking: str = ""


def plan_of(ruleset: Ruleset, game: Game) -> Plan:
    """Return the plan of a game, whoever declares it."""
    row = ruleset.contracts.get(game.contract)
    why = lacking_ruleset(ruleset) or lacking_game(ruleset, row, game)
    if why:
        return Plan(game, row, None, None, why)
    if row is None:
        return Plan(game, None, None, thrown_in(ruleset))
    compiled = tables(ruleset, row.id, game.suit, game.called)
    columns = [0] * c.PLAN_WIDTH
    _of_house(columns, ruleset)
    _of_play(columns, ruleset, row, compiled, game)
    _of_hold(columns, ruleset, row, compiled, game)
    _of_price(columns, ruleset, row, game)
    return Plan(game, row, compiled, tuple(columns))


def thrown_in(ruleset: Ruleset) -> tuple[int, ...]:
    columns = [0] * c.PLAN_WIDTH
    _of_house(columns, ruleset)
    columns[tricks.PARTIES], columns[c.P_GOAL] = tricks.NOBODY, c.THROWN_IN
    columns[tricks.ENDS] = tricks.NOT_PLAYED
    columns[tricks.DUTY] = tricks.NO_DUTY
    return tuple(columns)


# --- what is covered --------------------------------------------------------------------------------------------------


def lacking_ruleset(ruleset: Ruleset) -> str:
    """Return the part of a house that the core does not know, empty if it knows all of it."""
    house = ruleset.house
    size = hand_size(house)
    reasons = (
        ("a score in marks", score_of(house) is not None),
        ("play without tricks", house.play != "tricks"),
        ("cards on the table", house.deck != house.seats * size or house.pile + house.stacks > 0),
        (f"{house.seats} players", house.seats > c.MOST_SEATS),
        (f"hands of {size} cards", size > c.MOST_TRICKS),
        (
            "special rounds that a result sets off",
            any(set(EVENTS) & {*each.on} for each in special_rounds(ruleset).values()),
        ),
        ("amounts of more than a million", max(_amounts(ruleset)) > HIGHEST),
    )
    return next((reason for reason, is_so in reasons if is_so), "")


def lacking_game(ruleset: Ruleset, row: Contract | None, game: Game) -> str:
    """Return the part of a game that the core does not know, or cannot judge as it is named."""
    house = ruleset.house
    if game.contract == THROWN_IN:
        return "cards passed on" if house.schieber.on else "hands without points" if house.blanks else ""
    if row is None or game.contract in NOT_PLAYED or game.contract not in house.contracts:
        return "no contract of this table"
    asked, muss = Deal(game=game), house.muss
    unsaid = (row.called and game.called is None) or (row.takes == "trump" and game.suit is None)
    called_trump = bool(row.called and not unsaid and tables(ruleset, row.id, game.suit, game.called).called == 0)
    reasons = (
        (f"parties: {row.parties}", row.parties not in PARTIES),
        ("a game that one player must play", row.declares != "anyone"),
        ("no declarer", not row.declarer and row.parties not in ("each", "opposite")),
        (f"a goal: {row.goal}", row.goal not in GOALS),
        (f"cards that change hands: {row.exchange}", row.exchange != "none"),
        ("points of the last trick", row.last_trick > 0),
        ("a trump that need not follow", bool(row.free)),
        ("a blind", row.blind or house.blind_runners),
        ("a hand that is laid down", not row.partner_plays),
        ("what is done at one's turn", bool(row.acts or row.late) or row.trump == "turned"),
        ("running away by the cards dealt", bool(row.called) and house.call.run_away_counts == "dealt"),
        (f"{len(row.duties)} duties", len(row.duties) > tricks.DUTIES),
        (
            "a contract that sets off a special round",
            any(row.id in each.on for each in special_rounds(ruleset).values()),
        ),
        ("a bid in points", house.bids is not None and game.bid is not None),
        ("no suit or card that is named", bool(unsaid) or called_trump),
        ("words that are not played", bool(wrong_words(game, row, house))),
        (
            "another game than the one that must be played",
            bool(muss and "muss" in game.words and muss.contract != row.id),
        ),
        ("an open hand", "open" in game.words),
        ("no price", bool(lacks_tariff(ruleset, row))),
        ("runners without trumps", least_runners(ruleset, row) > 0 and not tables(ruleset, row.id, game.suit).trumps),
        ("a Tout of such a goal", is_tout(asked) and row.goal != "points"),
        ("goal and parties", (row.parties == "each") != (row.goal == "most-loses")),
    )
    return next((reason for reason, is_so in reasons if is_so), "")


def _amounts(ruleset: Ruleset) -> list[int]:
    house = ruleset.house
    tabled = [amount for amounts in house.table.values() for amount in amounts]
    suits = [amount for row in ruleset.contracts.values() for amount in row.suit_price.values()]
    priced = [amount * house.point for amount in (*ruleset.prices.values(), *tabled, *suits)]
    return [*priced, house.stock.amount, house.cap or 0]


# --- the columns ------------------------------------------------------------------------------------------------------


def _of_house(columns: list[int], ruleset: Ruleset) -> None:
    house, stock = ruleset.house, ruleset.house.stock
    columns[tricks.SEATS], columns[tricks.SIZE] = house.seats, hand_size(house)
    columns[tricks.PACK] = PACKS[house.deck]
    columns[c.P_FEE], columns[c.P_HAUSBOCK], columns[c.P_LIST] = stock.amount, int(house.hausbock), house.list
    columns[c.P_STOCK_CAP] = -1 if stock.cap is None else stock.cap
    columns[c.P_STOCK_RAKED] = int(stock.lost == "to-winners")


def _of_play(columns: list[int], ruleset: Ruleset, row: Contract, compiled: Tables, game: Game) -> None:
    tout, house = is_tout(Deal(game=game)), ruleset.house
    columns[tricks.TRUMPS], columns[tricks.LORDS] = compiled.groups[-1], compiled.lords
    columns[tricks.CALLED], columns[tricks.CALLED_SUIT] = compiled.called, compiled.called_suit
    columns[tricks.RUN_AWAY], columns[tricks.LEADS] = compiled.run_away, int(row.leads == "declarer")
    columns[tricks.DUE] = compiled.due
    columns[tricks.ENDS] = tricks.FIRST_LOST if tout else ENDS[row.ends]
    columns[tricks.STRICT_END] = int(row.ends == "first-trick-lost" or (house.du and tout))
    columns[tricks.PARTIES], columns[tricks.DECLARED] = PARTIES[row.parties], int(row.declarer)
    for place in range(tricks.DUTIES):
        columns[tricks.DUTY + place] = NUMBERS[row.duties[place]] if place < len(row.duties) else tricks.NO_DUTY
    columns[tricks.TRUMP_COUNT] = len(compiled.trumps)
    columns[tricks.TRUMP : tricks.TRUMP + len(compiled.trumps)] = compiled.trumps
    columns[tricks.POINTS : tricks.POINTS + len(CODES)] = compiled.points
    columns[tricks.BEATS : tricks.BEATS + len(CODES)] = compiled.beats
    columns[tricks.LED : tricks.LED + len(CODES)] = [compiled.groups[group] for group in compiled.group]


def _of_hold(columns: list[int], ruleset: Ruleset, row: Contract, compiled: Tables, game: Game) -> None:
    house, call = ruleset.house, ruleset.house.call
    columns[tricks.HOLDS] = sum(HOLDS[name] for name in row.holds)
    columns[tricks.OWN_TRUMPS] = own_trumps(compiled, game.suit)
    columns[tricks.TOP] = sum(1 << card for card in compiled.trumps[: hand_size(house)])
    columns[tricks.MOST_LORDS] = house.lengths.most_lords if house.lengths else len(compiled.trumps)
    columns[tricks.BID] = -1 if game.bid is None else game.bid
    columns[tricks.MUSS_CARD] = mask((house.muss.card,)) if house.muss and "muss" in game.words else 0
    columns[tricks.SAID_VOID], columns[tricks.UNANNOUNCED] = int("void" in game.words), int(not call.announced)
    write_call(columns, row.called, row.order, compiled.groups, call, "muss" in game.words)


def _of_price(columns: list[int], ruleset: Ruleset, row: Contract, game: Game) -> None:
    house, terms = ruleset.house, terms_of(Deal(game=game), ruleset, row)
    levels = terms.levels
    columns[c.P_GOAL], columns[c.P_TOUT] = GOALS[row.goal], int(terms.tout)
    columns[c.P_WIN], columns[c.P_STAKES_MOST] = levels.win, levels.stakes_most
    columns[c.P_HIGH_WON], columns[c.P_HIGH_LOST] = (schneider_at(levels, row, won) for won in (True, False))
    columns[c.P_TIE] = c.HALF_STAKE if terms.stake else HALVES[row.tie or levels.tie]
    columns[c.P_BONUSES] = int(terms.bonuses)
    columns[c.P_STOCK_WON] = int(row.id in house.stock.won_by)
    columns[c.P_RUNNER], columns[c.P_LEAST] = ruleset.prices.get("runner", 0), least_runners(ruleset, row)
    columns[c.P_RUNNERS_MOST] = house.runners_most
    ours = 1 if row.parties in ("alone", "each") else 2
    cap = cap_between(house, opponents_of(ours, house.seats - ours, house))
    columns[c.P_CAP] = -1 if cap is None else cap
    if row.parties == "each":
        _of_alone(columns, ruleset, row)
    else:
        _of_sides(columns, ruleset, row, game)
    for amount in PRICED:
        columns[amount] *= house.point


def _of_sides(columns: list[int], ruleset: Ruleset, row: Contract, game: Game) -> None:
    house, deal = ruleset.house, Deal(game=game)
    ours = 1 if row.parties == "alone" else 2
    worth = worth_of(ruleset, row, is_tout(deal), max(1, (house.seats - ours) // ours), game.suit)
    over = {"base": 1, "base+runners": 1, "all": 1}
    for factor in factors_of(deal, ruleset, row):
        over[factor.over] *= factor.times
    more = row.suit_price.get(game.suit or "", 0)
    columns[c.P_GAME], columns[c.P_STAKE_UNIT] = (worth.game + more) * over["base"], worth.game
    columns[c.P_SCHNEIDER], columns[c.P_SCHWARZ] = worth.schneider, worth.schwarz
    columns[c.P_OVER_RUNNERS], columns[c.P_OVER_ALL] = over["base+runners"], over["all"]
    columns[c.P_EACH_PAYS_EACH] = int(house.each_pays_each)
    if house.bonus_times:
        columns[c.P_TIMES_SCHNEIDER], columns[c.P_TIMES_SCHWARZ] = (
            house.bonus_times.schneider,
            house.bonus_times.schwarz,
        )


def _of_alone(columns: list[int], ruleset: Ruleset, row: Contract) -> None:
    rule, prices = ruleset.house.ramsch, ruleset.prices
    columns[c.P_GAME], columns[c.P_MARCH_PRICE] = prices[row.price], prices[rule.march_price]
    columns[c.P_SCHNEIDER], columns[c.P_SCHWARZ] = prices["schneider"], prices["schwarz"]
    columns[c.P_VIRGIN], columns[c.P_VIRGIN_IS] = VIRGINS.index(rule.virgin), int(rule.virgin_is == "no-points")
    columns[c.P_MARCH] = march_number(rule)
    columns[c.P_BONUS_UNDER] = rule.bonus_under
    for place in range(len(TIES)):
        columns[c.P_TIES + place] = TIES.index(rule.tie[place]) if place < len(rule.tie) else -1
