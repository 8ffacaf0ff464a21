"""Score sheets with one deal falsified as a score keeper would: deals reduced to their facts, one of them with amounts
that a known cause made.

Each cause gives every form in which it can happen to a deal: what would be written, and the player whose amount alone
is wrong. None of them asks `archive.explain`: a slip in reckoning is the deal settled with a fact or a setting
otherwise, a slip in writing is done to the numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive import generate
from archive.explain import Explanation
from archive.judge import Judgement, judge, judge_session
from archive.notation import merge_settings, read_lines, write_line
from archive.record import Deal, Session, Source, Stated
from support.facts_of_deals import facts_of

Amounts = tuple[int, ...]
Form = tuple[Amounts | None, str]  # what is written, and of whom alone it is wrong
TABLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("bavarian", {}),
    ("pub", {"tariff": "10/20/50"}),
    ("palatinate", {}),
    ("pub", {}),
    ("bavarian", {"tariff": "20/50", "knock": "anyone"}),
    ("langendorf", {}),
    ("schierling", {}),
    ("pub", {"tariff": "5/20/50", "runners_from": {"solo": 2}}),
    ("three-hand", {}),
    ("short", {}),
    ("pub", {"tariff": "20/50/100"}),
    ("asserufen", {}),
)
TARIFFS = ("5/10", "5/20", "10/20", "10/50", "20/50", "20/100", "50/100", "5/10/20", "5/20/50", "10/20/50", "20/50/100")
DEALS = 24  # of an evening


class Sheet(Struct, frozen=True):
    """A deal of a score sheet that is right, and those around it."""

    right: Judgement
    payments: Amounts
    beside: tuple[Judgement, ...]

    @property
    def above(self) -> Judgement | None:
        """The deal of the line above."""
        return next((each for each in self.beside if each.number < self.right.number), None)


class Falsified(Struct, frozen=True):
    """A deal with the amounts that a cause made. `name`: whose amount alone is wrong. `alike` are all causes that make
    the same amounts of this deal."""

    cause: str
    name: str
    found: Judgement
    beside: tuple[Judgement, ...]
    alike: frozenset[str]


def evenings(seed: str, numbers: range, deals: int = DEALS) -> Iterator[list[Judgement]]:
    """Judged sheets of generated evenings, by number, at the tables in turn. Each deal goes through the line of a
    file."""
    for number in numbers:
        rules, house = TABLES[number // 2 % len(TABLES)]  # both halves of the numbers have every table
        head = generate.session(rules, house)
        made = list(generate.deals(Random(f"{seed} {number}"), head, deals))
        sheet = [reduced(each) for each in judge_session(head, made)]
        yield list(judge_session(head, [through_a_file(head, deal) for deal in sheet]))


def reduced(found: Judgement) -> Deal:
    """All the facts of a deal, and nothing of its cards: what did not happen is written too."""
    deal, settled = facts_of(found), found.settlement
    stated = replace(deal.stated or Stated(), runners=settled.runners if settled else None)
    return replace(deal, knocks=deal.knocks or (), doubles=deal.doubles or (), events=deal.events or (), stated=stated)


def through_a_file(head: Session, deal: Deal) -> Deal:
    """The deal as it is read from the line that it was written to."""
    lines = read_lines(write_line(head, deal) + b"\n", Source("sheet.jsonl"))
    (read,) = [each for each in lines if isinstance(each, Deal)]
    return replace(read, source=None)


def sheets(evening: list[Judgement]) -> Iterator[Sheet]:
    """The deals of an evening that were played for something, with the lines beside them."""
    for n, each in enumerate(evening):
        paid = each.settlement.payments if each.settlement else None
        if paid and None not in paid and any(paid) and each.basis == "facts":
            beside = (*evening[max(0, n - 1) : n], *evening[n + 1 : n + 2])
            yield Sheet(each, tuple(own or 0 for own in paid), beside)


def falsified(rng: Random, count: int, pool: list[Sheet]) -> Iterator[Falsified]:
    """So many falsified deals, each cause in turn, each in a deal of the pool in which it can happen."""
    causes = list(CAUSES)
    for n in range(count):
        cause = causes[n % len(causes)]
        for sheet in rng.sample(pool, len(pool)):
            forms = possible_forms(sheet, cause)
            if forms:
                amounts, name = rng.choice(forms)
                yield falsify(sheet, cause, amounts, name)
                break


def possible_forms(sheet: Sheet, cause: str) -> list[tuple[Amounts, str]]:
    """The forms of a cause that change anything."""
    forms = ((paid, name) for paid, name in CAUSES[cause](sheet) if paid is not None and paid != sheet.payments)
    return list(dict.fromkeys(forms))


def falsify(sheet: Sheet, cause: str, amounts: Amounts, name: str) -> Falsified:
    """The deal with other amounts, read from its line and judged."""
    right = sheet.right
    stated = replace(right.deal.stated or Stated(), payments=amounts)
    deal = through_a_file(right.session, replace(right.deal, stated=stated))
    alike = [each for each in CAUSES if any(amounts == paid for paid, _ in possible_forms(sheet, each))]
    found = judge(right.session, deal, right.number, right.before)
    return Falsified(cause, name, found, sheet.beside, frozenset(alike))


def place(explanations: Sequence[Explanation], causes: Iterable[str], name: str) -> int:
    """The place of the first explanation that is one of these causes, and names the player where one alone is wrong;
    99 where there is none."""
    wanted = {own for cause in causes for own in NAMES[cause]}
    for n, each in enumerate(explanations, 1):
        made = each.changes[0]
        if len(each.changes) == 1 and made.cause in wanted and (not name or made.clause.facts["name"] == name):
            return n
    return 99


# --- what would be reckoned -------------------------------------------------------------------------------------------


def paid(
    sheet: Sheet, house: dict[str, Any] | None = None, facts: dict[str, Any] | None = None, **changes: Any
) -> Form:
    """The payments of the deal with other stated facts, other calls, or at another house."""
    right = sheet.right
    stated = replace(right.deal.stated or Stated(), payments=None, **(facts or {}))
    session = replace(right.session, house=merge_settings(right.session.house or {}, house or {}))
    again = judge(session, replace(right.deal, stated=stated, **changes), right.number, right.before)
    payments = again.settlement.payments if again.settlement else None
    return (None if payments is None or None in payments else tuple(each or 0 for each in payments)), ""


def row(sheet: Sheet) -> Any:
    assert sheet.right.ruleset
    return sheet.right.ruleset.contracts.get(sheet.right.deal.game.contract) if sheet.right.deal.game else None


def house(sheet: Sheet) -> Any:
    assert sheet.right.ruleset
    return sheet.right.ruleset.house


def settled(sheet: Sheet) -> Any:
    return sheet.right.settlement


def least(sheet: Sheet) -> int:
    return int(house(sheet).runners_from.get(row(sheet).id, 0)) if row(sheet) else 0


def of_two_sides(sheet: Sheet) -> bool:
    return row(sheet) is not None and row(sheet).parties != "each"


def runners_forgotten(sheet: Sheet) -> Iterator[Form]:
    if settled(sheet).runners_paid:
        yield paid(sheet, {"runners_from": {row(sheet).id: 0}})


def runners_from(sheet: Sheet) -> Iterator[Form]:
    """Paid from two where the table pays from three, or the other way round."""
    if of_two_sides(sheet) and settled(sheet).runners and least(sheet) in (2, 3):
        yield paid(sheet, {"runners_from": {row(sheet).id: 5 - least(sheet)}})


def other_runners(step: int) -> Callable[[Sheet], Iterator[Form]]:
    def slip(sheet: Sheet) -> Iterator[Form]:
        count = settled(sheet).runners or 0
        if settled(sheet).runners_paid and abs(count) + step >= max(1, least(sheet)):
            yield paid(sheet, facts={"runners": count + step if count > 0 else count - step})

    return slip


def knock_missed(sheet: Sheet) -> Iterator[Form]:
    knocks = sheet.right.deal.knocks
    for each in knocks if isinstance(knocks, tuple) else ():
        yield paid(sheet, knocks=tuple(other for other in knocks or () if other != each))  # type: ignore[union-attr]


def kontra_missed(sheet: Sheet) -> Iterator[Form]:
    doubles = sheet.right.deal.doubles
    if isinstance(doubles, tuple) and doubles:
        yield paid(sheet, doubles=len(doubles) - 1)


def knock_extra(sheet: Sheet) -> Iterator[Form]:
    knocks = sheet.right.deal.knocks
    if row(sheet) is not None and isinstance(knocks, tuple) and house(sheet).knock != "no":
        yield paid(sheet, knocks=len(knocks) + 1)


def kontra_extra(sheet: Sheet) -> Iterator[Form]:
    doubles = sheet.right.deal.doubles
    if of_two_sides(sheet) and isinstance(doubles, tuple) and house(sheet).stoss.until != "no":
        yield paid(sheet, doubles=len(doubles) + 1)


def schneider_forgotten(sheet: Sheet) -> Iterator[Form]:
    if settled(sheet).schneider and not settled(sheet).schwarz and settled(sheet).schneider_amount:
        yield paid(sheet, facts={"schneider": False})


def schwarz_forgotten(sheet: Sheet) -> Iterator[Form]:
    """Counted as Schneider only, or neither of both."""
    if settled(sheet).schwarz and settled(sheet).schwarz_amount and house(sheet).unit == "ct":
        prices = sheet.right.ruleset.prices if sheet.right.ruleset else {}
        yield paid(sheet, {"price": {"schwarz": prices["schneider"]}})
        yield paid(sheet, {"price": {"schwarz": 0, "schneider": 0, "runner": prices["runner"]}})


def other_tariff(sheet: Sheet) -> Iterator[Form]:
    if row(sheet) is not None and house(sheet).unit == "ct":
        yield from (paid(sheet, {"tariff": each}) for each in TARIFFS if each != house(sheet).tariff)


# --- what would be written --------------------------------------------------------------------------------------------


def wrong_side(sheet: Sheet) -> Iterator[Form]:
    yield tuple(-each for each in sheet.payments), ""


def of_one(write: Callable[[Sheet, int], Iterator[int]]) -> Callable[[Sheet], Iterator[Form]]:
    def slip(sheet: Sheet) -> Iterator[Form]:
        for seat, own in enumerate(sheet.payments):
            for wrong in write(sheet, seat):
                if wrong != own:
                    name = sheet.right.session.players[seat]
                    yield tuple(wrong if n == seat else each for n, each in enumerate(sheet.payments)), name

    return slip


def one_sign(sheet: Sheet, seat: int) -> Iterator[int]:
    yield -sheet.payments[seat]


def transposed(sheet: Sheet, seat: int) -> Iterator[int]:
    """Two digits that stand beside each other, exchanged; nobody begins a number with a nought."""
    own = sheet.payments[seat]
    digits = list(str(abs(own)))
    for n in range(len(digits) - 1):
        wrong = [*digits[:n], digits[n + 1], digits[n], *digits[n + 2 :]]
        if wrong[0] != "0":
            yield int("".join(wrong)) * (1 if own > 0 else -1)


def from_above(sheet: Sheet, seat: int) -> Iterator[int]:
    above = sheet.above.deal.stated if sheet.above else None
    if above and above.payments and above.payments[seat] is not None:
        yield above.payments[seat] or 0


CAUSES: dict[str, Callable[[Sheet], Iterator[Form]]] = {
    "runners-forgotten": runners_forgotten,
    "runners-from": runners_from,
    "runner-less": other_runners(-1),
    "runner-more": other_runners(1),
    "knock-missed": knock_missed,
    "knock-extra": knock_extra,
    "kontra-missed": kontra_missed,
    "kontra-extra": kontra_extra,
    "schneider-forgotten": schneider_forgotten,
    "schwarz-forgotten": schwarz_forgotten,
    "other-tariff": other_tariff,
    "wrong-side": wrong_side,
    "one-sign": of_one(one_sign),
    "digits-transposed": of_one(transposed),
    "line-above": of_one(from_above),
}
# The causes of the program that say so.
NAMES: dict[str, tuple[str, ...]] = {
    "runners-forgotten": ("runners-missed",),
    "runners-from": ("runners-from",),
    "runner-less": ("runner-less",),
    "runner-more": ("runner-more",),
    "knock-missed": ("knock-missed",),
    "knock-extra": ("doubling-extra",),
    "kontra-missed": ("double-missed",),
    "kontra-extra": ("doubling-extra",),
    "schneider-forgotten": ("schneider-missed",),
    "schwarz-forgotten": ("schwarz-as-schneider", "schwarz-missed"),
    "other-tariff": ("tariff",),
    "wrong-side": ("turned",),
    "one-sign": ("one-sign",),
    "digits-transposed": ("one-digits-swapped",),
    "line-above": ("one-from-above",),
}
