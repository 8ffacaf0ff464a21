"""The pot: document 001 Stock, the solo pot of 002 01.6, the cap of Schierling (001 Impure Schafkopf Examples)."""

import re

import pytest
from support.tables import judge_one, judge_text
from support.worked_examples import EXAMPLE_1, EXAMPLE_2

from archive.judge import Judgement

OUT = '[[deal]]\ngame = "none"\n'
LOST = EXAMPLE_1.replace("Ben rufspiel S", "Anna rufspiel S")  # with Cem, who has the called ace, against the Obers


def evening(*deals: str, stock: str) -> list[Judgement]:
    """Deals in a row; their dealers are left to the rotation, whose first is set so that the last one has its own."""
    text = "".join(deals)
    names = ["Anna", "Ben", "Cem", "Dora"]
    last = re.findall(r'dealer = "(\w+)"', deals[-1])[0]
    first = names[(names.index(last) - len(deals) + 1) % 4]
    return judge_text(text.replace("[[deal]]", f'[[deal]]\ndealer = "{first}"', 1), house=f"stock = {{ {stock} }}")


def payments(found: Judgement) -> tuple[int | None, ...]:
    assert found.settlement.payments is not None
    assert sum(amount or 0 for amount in found.settlement.payments) + found.settlement.pot == 0
    return found.settlement.payments


def test_001_stock_each_pays_and_the_next_rufer_shares_the_pot() -> None:
    one, two, three = evening(OUT, OUT, EXAMPLE_1, stock='amount = 10, won_by = ["rufspiel"]')
    assert payments(one) == payments(two) == (-10, -10, -10, -10)
    assert (two.before.stock, three.before.stock) == (40, 80)
    assert payments(three) == (-70, 70 + 40, 70 + 40, -70)
    assert three.after.stock == 0
    assert three.after.totals == (-90, 90, 90, -90)


def test_001_stock_the_declarers_double_it_when_they_lose() -> None:
    _, lost = evening(OUT, LOST, stock='amount = 10, won_by = ["rufspiel"]')
    assert lost.settlement.won is False
    assert [line.amount for line in lost.settlement.lines if line.kind == "pot"] == [-20]
    assert lost.after.stock == 80


def test_001_stock_is_not_touched_by_a_solo() -> None:
    _, solo = evening(OUT, EXAMPLE_2, stock='amount = 10, won_by = ["rufspiel"]')
    assert payments(solo) == (80, 80, -240, 80)
    assert solo.after.stock == 40


def test_002_01_6_the_solo_pot_goes_to_the_next_solo_or_is_doubled() -> None:
    _, solo = evening(OUT, EXAMPLE_2, stock='amount = 10, won_by = ["wenz", "solo"]')
    assert payments(solo) == (80, 80, -240 - 40, 80)
    assert solo.after.stock == 80


def test_schierling_no_more_than_the_cap_is_played_for() -> None:
    stock = 'amount = 20, won_by = ["rufspiel"], cap = 400'
    found = evening(*[OUT] * 6, EXAMPLE_1, stock=stock)[-1]
    assert found.before.stock == 480
    assert payments(found) == (-70, 70 + 200, 70 + 200, -70)
    assert found.after.stock == 80


@pytest.mark.parametrize(("stated", "rules"), [(40, []), (0, ["stated-stock"])])
def test_the_stated_pot_is_held_against_it(stated: int, rules: list[str]) -> None:
    out = OUT + f"stated.stock = {stated}\n"
    found = judge_one(out, house='stock = { amount = 10, won_by = ["rufspiel"] }')
    assert [each.rule for each in found.findings] == rules
