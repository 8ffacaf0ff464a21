"""A deal in dispute: the account of its settlement, everything that its record states, the deals around it; and names
for the parts of a price in sentences, and for the game that a price belongs to."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from archive.explain.account import Account, Amounts, Item, Items, account_of, facts_of, known_amounts, paid_of
from archive.explain.types import Change, offer_by, rows
from archive.judge.types import Case, Judgement
from archive.play.game_words import is_tout
from archive.record import Stated
from archive.rules import UNKNOWN
from archive.rules.titles import contract_title
from archive.say import Fact, Message, message
from archive.settle.facts import contract_of, least_runners, states_runners
from archive.settle.goals import levels_of, points_in_play
from archive.settle.lines import cite_of
from archive.settle.marks_ledger import marks_of_sides
from archive.settle.rulings import ruled_beside, stated_payments
from archive.settle.types import Settlement, add_per_seat, coalesce

TARIFFS = (
    "5/10", "5/20", "5/25", "10/20", "10/25", "10/50", "20/50", "20/100", "50/100", "5/10/20", "5/10/25", "5/20/50",
    "10/20/40", "10/20/50", "10/20/100", "20/50/100",
)  # fmt: skip
AGAIN = 1.5  # the cost of two slips in one deal
NEAR = 4.0  # how much less likely than the first an explanation by two slips may be to be searched
CLASSES = ("rufspiel", "ramsch", "solo", "bettel")
Vector = tuple[int | None, ...]


class Slip(Struct, frozen=True, gc=False):
    """A slip, or a different rule of the house: its cause with the facts of its sentence, or of another `row`. `extra`
    makes it less likely here than elsewhere; `seen` are facts that a recorder who made it may have noted; `setting` is
    the key of a reading with its value; `basis` is what it rests on if no game is known."""

    cause: str
    facts: dict[str, Fact] = {}
    row: str = ""
    extra: float = 0
    cite: str = ""
    seen: dict[str, Any] = {}
    setting: tuple[str, Any] = ("", None)
    basis: str = ""


Trial = tuple[Slip, Account]


def change_of(slip: Slip) -> Change:
    """Return a slip as a change, with its sentence."""
    of = rows().cause[slip.cause]
    clause = Message(f"explain.{slip.row or slip.cause}", slip.facts)
    offered = Message(offer_by(slip.basis), {"clause": clause})
    return Change(
        slip.cause, of.kind, of.cost + slip.extra, offered, slip.cite, *slip.setting, clause=clause, basis=slip.basis
    )


def cost_of(slip: Slip) -> float:
    return rows().cause[slip.cause].cost + slip.extra


class Fit(Struct, frozen=True, gc=False):
    """Slips that together give what is stated, and how unlikely they are; `account` is the one that they make, None if
    they make none."""

    slips: tuple[Slip, ...]
    weight: float
    account: Account | None = None


class Scene(Struct, frozen=True, kw_only=True):
    """A deal in dispute. `paid`, `price` and `facts` are computed; `totals` and whatever begins with `stated` is
    written; `had` are the totals before. In a game for marks the totals are those of marks."""

    case: Case
    players: tuple[str, ...]
    account: Account | None
    paid: Amounts | None
    facts: dict[str, Any]
    stated_paid: Vector | None
    stated_price: int | None
    stated_facts: dict[str, Any]
    totals: Vector | None
    had: Amounts | None
    ran: Amounts | None = None  # the totals before by the rules, if those that were written are others
    above: tuple[int, Amounts] | None = None  # of the lines beside: number and amounts,
    below: tuple[int, Amounts] | None = None
    beside: tuple[tuple[int, Vector], ...] = ()  # as they are stated or computed
    since: tuple[tuple[int, Amounts], ...] = ()  # the amounts of the deals just before this one without totals
    marks: bool = False
    from_facts: bool = False  # no card is known: the settlement rests on the noted facts
    prices: dict[str, int] = {}
    price_class: str = ""
    tariffs: tuple[tuple[str, dict[str, int]], ...] = ()
    tariff: str = ""
    own_prices: bool = False
    has_two_sides: bool = False
    has_bonuses: bool = False
    has_pot: bool = False
    may_tout: bool = False
    runners_known: bool = True
    count: int | None = None
    signed: int = 0
    least: int = 0
    points: int | None = None
    others: int | None = None
    whole: int = 120
    far: float = 0
    round_until: int = 0  # the deal above, if a round that doubles ended with it; else 0
    cite_runners: str = ""


def prices_of(tariff: str) -> dict[str, int]:
    """Return a list of prices, as prices by class."""
    parts = [int(part) for part in tariff.split("/")]
    extra, call, others = parts[0], parts[-2], parts[-1]
    prices = {"rufspiel": call, "ramsch": call, "solo": others, "bettel": others}
    return prices | {"schneider": extra, "schwarz": 2 * extra, "runner": extra}


def scores_of(case: Case) -> tuple[int, ...]:
    """Return the marks that a deal may bring at a table, and those near them."""
    rule = case.ruleset.house.marks
    if rule is None:
        return (1, 2) if case.ruleset.house.score else ()  # tallies
    solos = [row.marks for row in case.ruleset.contracts.values() if row.marks]
    return tuple(dict.fromkeys((*rule.scores, 1, 2, 3, *solos)))


def paid_at(other: Judgement) -> Vector | None:
    """Return the amounts of a deal as they are computed, else as stated, else by the totals before and after it."""
    paid = other.settlement.payments if other.settlement else None
    stated = other.deal.stated.payments if other.deal.stated else None
    if paid is not None or stated is not None:
        return stated if paid is None else paid
    gained = stated_payments(other.deal, other.before.stated_totals)
    return None if gained is None or None in gained else gained


def paid_since(judgement: Judgement, beside: Sequence[Judgement]) -> tuple[tuple[int, Amounts], ...]:
    """Return the numbers and amounts of the deals just before one without totals after them; the last one first."""
    found: list[tuple[int, Amounts]] = []
    numbered = {other.number: other for other in beside if other.session.players == judgement.session.players}
    for number in range(judgement.number - 1, 0, -1):
        other = numbered.get(number)
        paid = known_amounts(paid_at(other)) if other else None
        if other is None or paid is None or (other.deal.stated and other.deal.stated.totals):
            break
        found.append((number, paid))
    return tuple(found)


def ended_round(settled: Settlement, above: Sequence[Judgement]) -> int:
    """Return the number of the deal above if it was doubled for a round, and this one is not; else 0."""
    rounds = [
        any(line.part == "round" for line in each.lines) for each in (settled, *(o.settlement for o in above)) if each
    ]
    return above[0].number if rounds[1:] == [True] and not rounds[0] else 0


def scene_of(judgement: Judgement, case: Case, beside: Sequence[Judgement]) -> Scene:
    """Return the scene of a judged deal; its case has its play, or the plainest example of it."""
    stated, before, house, settled = case.deal.stated or Stated(), case.before, case.ruleset.house, case.settlement
    marks, row = settled.marks is not None, case.ruleset.contracts.get(contract_of(case.deal))
    had = coalesce(before.stated_marks, before.marks) if marks else coalesce(before.stated_totals, before.totals)
    if penalties := ruled_beside(case.deal, len(case.players))[1]:
        had = add_per_seat(had, penalties)
    next_to = [
        other
        for other in beside
        if abs(other.number - judgement.number) == 1 and other.session.players == judgement.session.players
    ]
    near = {other.number: paid for other in next_to if (paid := known_amounts(paid_at(other)))}
    lines = [(other.number, other.settlement.payments if other.settlement else None) for other in next_to]
    lines += [(other.number, other.deal.stated.payments if other.deal.stated else None) for other in next_to]
    written = [(number, line) for number, line in lines if line and any(line)]  # fmt: skip
    number = judgement.number
    above, below = [(at, near[at]) if at in near else None for at in (number - 1, number + 1)]
    is_run_otherwise = not marks and before.stated_totals not in (None, before.totals)
    sides = row is not None and row.parties != "each" and bool(settled.winners)
    count = None if settled.runners is None else abs(settled.runners)
    known = settled.side_points is not None
    points, whole = settled.side_points, points_in_play(case.replay) if sides else 120
    least_points = far = 0
    if row and sides and points is not None:
        levels = levels_of(case.deal, case.ruleset)
        least_points = levels.schneider if settled.won else levels.schneider_against
        far = least_points - (points if settled.won else whole - points)
    prices = case.ruleset.prices
    own = bool(house.price) or house.tariff == UNKNOWN or bool(house.table)
    return Scene(
        case=case, players=case.players, account=account_of(case), paid=paid_of(case), facts=facts_of(case),
        stated_paid=None if marks else stated.payments, stated_price=None if marks else stated.price,
        stated_facts={key: getattr(stated, key) for key in facts_of(case)},
        totals=marks_of_sides(stated.marks) if marks else stated.totals,
        had=known_amounts(had) if had and len(had) == len(case.players) else None,
        ran=known_amounts(before.totals) if is_run_otherwise else None, above=above, below=below,
        beside=tuple(dict.fromkeys(written)),
        since=() if marks or stated.totals is None else paid_since(judgement, beside), marks=marks,
        from_facts=judgement.basis == "facts", prices=prices,
        price_class=row.price if row and row.price in CLASSES else "solo",
        tariffs=tuple((name, prices_of(name)) for name in TARIFFS) if own else (),
        tariff="" if house.tariff == UNKNOWN else house.tariff,
        own_prices=own, has_two_sides=sides, has_bonuses=bool(row and row.bonuses),
        has_pot=any(line.kind == "pot" for line in settled.lines) and bool(before.stock),
        may_tout=bool(row and row.tout_rank is not None and not is_tout(case.deal) and settled.won),
        runners_known=not case.replay.example or states_runners(stated), count=count,
        signed=(settled.runners or 0) if not case.replay.example or stated.runners else 0,
        least=least_runners(case.ruleset, row) if row else 0, points=points if known else None,
        others=whole - points if known and points is not None else None, whole=whole, far=max(0, far),
        round_until=ended_round(settled, [other for other in next_to if other.number < number]),
        cite_runners=cite_of(case.ruleset, f"house.runners_from.{row.id}") if row else "",
    )  # fmt: skip


NAMED = ("game", "runners", "schneider", "schwarz", "suit", "stake")


def part_title(item: Item) -> Message:
    return message(f"explain.part-{item.part}" if item.part in NAMED else "explain.part-other")


def words_of_wrong_game(scene: Scene, item: Item, value: int) -> tuple[dict[str, Any], str]:
    """Return the facts and the row for a game at a price of the same list: the game that costs it, or another row."""
    contracts, house = scene.case.ruleset.contracts, scene.case.ruleset.house
    of = [name for name, price in scene.prices.items() if price == value and name in contracts]
    titles = [contract_title(contracts[name]) for name in of if name in house.contracts]
    if titles:
        return {"value": value, "title": titles[0]}, "wrong-game-of"
    return {"value": value, "what": part_title(item)}, "wrong-row"


def row_of_unpaid(scene: Scene) -> str:
    """Return the row that says why runners are not paid; that a record says of 0 runners that none of them are does not
    say how many there were."""
    few = scene.count is None or scene.count < scene.least
    stated = scene.case.deal.stated
    if few and scene.from_facts and stated and 0 in (stated.runners, stated.runner_count):
        return "runners-below"
    return "runners-unpaid" if not scene.least else "" if few else "runners-unclaimed"


def parts_moved(rest: Items, was: int, place: int) -> tuple[dict[str, Any], str]:
    """Return the parts of the price that a Tout doubles too, or no longer, if it stands elsewhere among the other
    lines; and the row that says which."""
    parts = [item for item in rest[min(was, place) : max(was, place)] if not item.times and item.amount]
    row = "tout-over-more" if place > was else "tout-over-less"
    return ({"what": tuple(dict.fromkeys(map(part_title, parts)))}, row) if parts else ({}, "tout-over-other")
