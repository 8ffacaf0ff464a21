"""The prices of the next deal as a table: for each game and end the lines of a settlement, with places for what may be
counted (runners, knocks, doublings, virgins), from which a page computes a price by itself.

Every line is one that the settlement has written for an example of such a deal. A game is in the table only if its
settlements come out of it line by line: with nothing counted, and with so many of everything.
"""

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.completions import Completion, replay_of_example, usual_completions
from archive.judge.from_facts import find_open_amounts
from archive.judge.judge_deal import judge, with_rounds
from archive.judge.known_facts import without_sign
from archive.judge.types import Case
from archive.notation.corrections import with_entries
from archive.notation.tapped_deal import LEVEL, LEVELS, SIDES, tapped_entries
from archive.play.replay import replay
from archive.play.types import THROWN_IN
from archive.record import Deal, Session
from archive.rules import Ruleset
from archive.settle.ledger import next_state
from archive.settle.settle import settle
from archive.settle.types import LedgerState, Settlement, SettlementLine

PLACES = {"runners": "runners", "knock": "knocks", "kontra": "doubles", "virgin": "virgins"}  # a part: what is counted
LINEAR = {"add", "times", "pot"}
HIGH = {"": (False, False), LEVELS[0]: (True, False), LEVELS[1]: (True, True)}
Lines = tuple[SettlementLine, ...]
Counts = dict[str, int]


class PricedGame(Struct, frozen=True):
    """A game as it is tapped: its words in a record, the announcements, whether it has a partner, its ends; `counts`:
    what may be counted, each with the numbers that change its price."""

    value: str
    words: str
    partner: bool
    ends: tuple[str, ...]
    counts: tuple[tuple[str, tuple[int, ...]], ...]


class EndPrice(Struct, frozen=True):
    """The price of an end: its lines in their order, a name of `PLACES` if they depend on how many there were; `share`:
    how many times the price each seat is paid if the first declares and the second is partner; `extra`: what each is
    paid besides. `moves`: it leaves something on the table, so that the next deal may cost otherwise."""

    lines: tuple[SettlementLine | str, ...]
    share: tuple[int, ...]
    extra: tuple[int, ...]
    moves: bool


class GamePrices(Struct, frozen=True):
    """The prices of a game by its ends, and the lines of its places, each by how many there were."""

    ends: dict[str, EndPrice]
    places: dict[str, dict[int, Lines]]


class Example(NamedTuple):
    """An example of a game that is to be settled: the deal as it is tapped, the worlds that it leaves open, the numbers
    of runners that are paid."""

    head: Session
    case: Case
    worlds: list[Completion]
    taps: dict[str, str]
    runners: tuple[int, ...]


class PricedSettlement(NamedTuple):
    """A settlement with a price, and what it leaves on the table."""

    settlement: Settlement
    after: LedgerState


def game_prices(head: Session, ruleset: Ruleset, before: LedgerState, game: PricedGame) -> GamePrices | None:
    """Return the prices of a game, with the ends that it can have; None if they are not such a table. A name in a line
    is the number of its seat in braces: the declarer, or the loser, is {0}."""
    example, counts = example_of(head, ruleset, before, game), dict(game.counts)
    table = GamePrices({}, {key: {} for key in counts})
    most = max(map(len, counts.values()), default=0)  # all are counted at once: the first number of each, the second
    steps: list[Counts] = [{key: each[at] for key, each in counts.items() if at < len(each)} for at in range(most)]
    steps = steps or [{}]
    for end in game.ends:
        bare = settle_end(example, end, {})
        if bare is None:
            continue
        for numbers in steps[: 1 if table.ends else None]:
            full = settle_end(example, end, numbers)
            if full is None and numbers is not steps[0]:  # so many runners can nobody have
                break
            if full is None or not is_linear(bare.settlement, full.settlement):
                return None
            for key, count in numbers.items():
                table.places[key][count] = lines_of(full.settlement, key)
            if numbers is steps[0]:
                table.ends[end] = end_price(bare, full, example.case.before)
    return table if table.ends else None


def thrown_in_price(head: Session, before: LedgerState) -> EndPrice:
    """Return the price of a deal that all have passed."""
    deal = with_entries(head, Deal(), {"id": "x", "game": THROWN_IN})
    judged = judge(head, deal, 1, replace(before, dealer=len(head.players) - 1))
    paid = judged.settlement.payments if judged.settlement else None
    extra = tuple(amount or 0 for amount in paid or ())
    return EndPrice((), (0,) * len(extra), extra, not extra or stakes_of(judged.after) != stakes_of(before))


def example_of(head: Session, ruleset: Ruleset, before: LedgerState, game: PricedGame) -> Example:
    """Return the game as it is tapped, with the first seat as declarer and the second as partner."""
    seats = len(head.players)
    head = replace(head, players=tuple(f"{{{seat}}}" for seat in range(seats)))
    before = replace(before, dealer=seats - 1, totals=(0,) * seats, stated_totals=None, settled=None)
    taps = {"key": "x", "who": "0", "game": game.value, "words": game.words, "with": "1" if game.partner else ""}
    deal = tapped_deal(head, ruleset, taps)
    deal = with_rounds(deal, ruleset, before) if before.rounds else deal
    case = Case(deal, head.players, ruleset, before, replay(deal, head.players, ruleset, before.dealer), Settlement())
    return Example(head, case, usual_completions(case), taps, dict(game.counts).get("runners", ()))


def tapped_deal(head: Session, ruleset: Ruleset, taps: dict[str, str]) -> Deal:
    none = {"knocks": "0", "doubles": "0"}
    return with_entries(head, Deal(), tapped_entries(none | taps, ruleset, len(head.players)))


def settle_end(example: Example, end: str, numbers: Counts) -> PricedSettlement | None:
    """Return the settlement of an end with so many of the things that may be counted; None if it has no price. If the
    record states card points, or no world can be told, the deal is judged; otherwise a world is settled."""
    head, case, worlds, taps, paid = example
    side, _, level = end.partition("-")
    if level == LEVEL or not worlds:
        outcome = {"runners": "0", "outcome": end} | {key: str(count) for key, count in numbers.items()}
        judged = judge(head, tapped_deal(head, case.ruleset, taps | outcome), 1, case.before)
        return priced_settlement(judged.settlement, judged.after)
    doubled = {key: numbers.get(key) or () for key in ("knocks", "doubles")}
    case = replace(case, deal=replace(case.deal, **doubled))
    wanted = numbers.get("runners", 0), numbers.get("virgins", 0)
    fits = [world for world in worlds_of(worlds, side, level) if count_paid(world, paid) == wanted]
    if not fits or find_open_amounts(fits):
        return None
    played = replay_of_example(case, fits[0].outcome.example, fits[0].partner, fits[0].runners)
    settled = settle(case.deal, case.players, case.ruleset, played, case.before)
    if paid:  # they are counted, and nobody says who had them
        lines = tuple(replace(line, message=without_sign(line.message)) for line in settled.lines)
        settled = replace(settled, lines=lines)
    seats, dealer = len(case.players), case.before.dealer
    return priced_settlement(settled, next_state(case.before, case.deal, seats, dealer, settled, case.ruleset, played))


def count_paid(world: Completion, paid: tuple[int, ...]) -> tuple[int, int]:
    """Return how many runners are paid in a world, and how many virgins it has."""
    run = abs(world.runners)
    return run if run in paid else 0, len(world.outcome.result.virgins)


def worlds_of(worlds: list[Completion], side: str, level: str) -> list[Completion]:
    """Return the worlds that end so: for whom, and how high; however high, if that makes no difference in this game."""
    if side not in SIDES:
        return [world for world in worlds if world.outcome.result.loser == 0]
    ended = [world for world in worlds if world.outcome.result.won is SIDES[side]]
    high = [(bool(world.outcome.result.schneider), bool(world.outcome.result.schwarz)) for world in ended]
    return [world for world, each in zip(ended, high, strict=True) if each == HIGH[level]] or ended


def priced_settlement(settled: Settlement | None, after: LedgerState) -> PricedSettlement | None:
    return PricedSettlement(settled, after) if settled and settled.price is not None and settled.payments else None


def bare_line(line: SettlementLine) -> SettlementLine:
    """Return a line without the parts in which another example differs."""
    return replace(line, running=None, proof=(), who=line.who if line.kind == "pot" else ())


def lines_of(settled: Settlement, key: str) -> Lines:
    """Return the lines of counted things, without the price after them."""
    return tuple(bare_line(each) for each in settled.lines if PLACES.get(each.part) == key)


def is_linear(bare: Settlement, full: Settlement) -> bool:
    """Return whether two settlements differ in counted things alone, in lines that add or multiply, and in the
    price."""
    if any(each.kind not in LINEAR for each in full.lines):
        return False
    left = [bare_line(each) for each in full.lines if each.part not in PLACES]
    return left == [bare_line(each) for each in bare.lines] and shares_of(bare) == shares_of(full)


def shares_of(settled: Settlement) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return how often each seat is paid the price, and what it is paid beside that; None if it is no such number."""
    price, paid = settled.price or 0, settled.payments or ()
    pots = [each for each in settled.lines if each.kind == "pot"]
    extra = tuple(sum(each.amount for each in pots if seat in each.who) for seat in range(len(paid)))
    rest = [(amount or 0) - more for amount, more in zip(paid, extra, strict=True)]
    if not price or any(amount % price for amount in rest):
        return None
    return tuple(amount // price for amount in rest), extra


def end_price(bare: PricedSettlement, full: PricedSettlement, before: LedgerState) -> EndPrice:
    lines = list[SettlementLine | str]()
    for each in full.settlement.lines:
        line = PLACES.get(each.part) or bare_line(each)
        if not isinstance(line, str) or line not in lines:
            lines.append(line)
    share, extra = shares_of(bare.settlement) or ((), ())
    return EndPrice(tuple(lines), share, extra, stakes_of(bare.after) != stakes_of(before))


def stakes_of(table: LedgerState) -> tuple[object, ...]:
    """Return the things on the table that a price may depend on; special rounds without the deals that are left of
    them."""
    rounds = None if table.rounds is None else [name for name, _ in table.rounds]
    return table.stock, table.hausbock, table.stake, rounds, table.queue
