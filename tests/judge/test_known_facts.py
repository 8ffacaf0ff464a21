"""What an archive holds of a deal without cards is in its record, or follows from it whatever nobody wrote down."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.facts_of_deals import facts_of
from support.tables import judge_one, judge_text
from support.thorough import examples

from archive.generate import session
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.store.rows import deal_row, seat_rows

HOUSE = 'tariff = "10/20/50"'
RULES = (
    "bavarian", "bavarian-tournament", "pub", "expats", "langendorf", "schierling", "short", "three-hand",
    "three-player-blind", "palatinate", "asserufen", "deutscher-schafkopf",
)  # fmt: skip
MAY_BE_SILENT = ("schneider", "schwarz", "runners", "virgins", "points", "payments", "knocks", "doubles", "partner")
# Columns of `outcomes`, and of `seats`; amounts are those in force, with `unwritten` beside them.
OF_DEAL = ("contract", "suit", "called", "tout", "declarer", "partner", "loser", "won", "side_points", "side_tricks",
           "schneider", "schwarz", "runners", "runners_paid", "knocks", "doubles", "multiplier", "base",
           "schneider_amount", "schwarz_amount", "runners_amount")  # fmt: skip
OF_SEAT = ("place", "declaring", "points", "tricks", "won", "trumps", "lords", "dealt", "held")


def judged(text: str, rules: str = "pub") -> Judgement:
    return judge_text(f"[[deal]]\n{text}\n", rules, HOUSE)[0]


def columns(found: Judgement) -> tuple[dict[str, object], list[dict[str, object]]]:
    return deal_row(found, 0, None, ("", "")), seat_rows(found, list(range(len(found.session.players))))


def record_silent_about(right: Judgement, silent: frozenset[str]) -> Judgement:
    """The deal judged by its facts without some of them, of which one is whether runners were with or without."""
    deal = facts_of(right)
    stated = deal.stated
    if stated is None:
        return right
    if "sign" in silent and stated.runners:
        stated = replace(stated, runners=None, runner_count=abs(stated.runners))
    stated = replace(stated, **dict.fromkeys(silent & {*stated.__struct_fields__}))
    deal = replace(deal, stated=stated, **dict.fromkeys(silent & {"knocks", "doubles", "partner"}))
    return judge(right.session, deal, 1, right.before)


@settings(max_examples=examples(10, 400), deadline=None)
@example("pub", 3, frozenset({"sign"}))
@example("bavarian", 316061, frozenset({"doubles", "points"}))  # a Sie of which nobody wrote whether Kontra was said
@given(st.sampled_from(RULES), st.integers(0, 10**6), st.frozensets(st.sampled_from((*MAY_BE_SILENT, "sign"))))
def test_a_value_of_any_column_is_true_whatever_the_unknown_facts_are(
    rules: str, n: int, silent: frozenset[str]
) -> None:
    right = judged_deal(Random(f"known {rules} {n}"), session(rules), Wish())
    if right.replay and right.replay.ending and right.replay.ending.kind == "given-up":
        return  # facts_of leaves events out
    found = record_silent_about(right, silent)
    (deal, seats), (true_deal, true_seats) = columns(found), columns(right)
    for name in OF_DEAL:
        assert deal[name] in (None, true_deal[name]), (name, found.deal)
    assert deal["runner_count"] in (None, abs(int(str(true_deal["runners"] or 0)))), found.deal
    for seat, true in zip(seats, true_seats, strict=True):
        for name in OF_SEAT:
            assert seat[name] in (None, true[name]), (name, seat["seat"], found.deal)


def test_a_sie_that_pays_double_is_not_accused_where_nobody_wrote_whether_kontra_was_said() -> None:
    lines = 'dealer = "Ben"\ngame = "Dora Sie"\nstated = { won = true, payments = [-400, -400, -400, 1200] }'
    found = judge_one(f"[[deal]]\n{lines}\n")
    assert (found.verdict, [each.id for each in found.missing]) == ("undecidable", ["missing.kontra"])


BARE = 'game = "Anna Rufspiel E"\nwith = "Cem"\nstated.won = true\n'


def test_what_nobody_wrote_is_assumed_for_the_price_and_is_no_fact() -> None:
    deal, _ = columns(judged(BARE))
    assert deal["price"] == 20
    unknown = ("schneider", "schwarz", "runners", "runner_count", "runners_paid", "multiplier", "runners_amount")
    assert [deal[name] for name in unknown] == [None] * len(unknown)


def test_amounts_tell_what_nobody_wrote_where_nothing_else_comes_to_them() -> None:
    deal, _ = columns(judged(BARE + "stated.payments = [20, -20, 20, -20]"))
    known = ("schneider", "schwarz", "runners_paid", "multiplier", "runners_amount")
    assert [deal[name] for name in known] == [False, False, False, 1, 0]
    assert (deal["runners"], deal["runner_count"]) == (None, None)


@pytest.mark.parametrize(("rules", "parts"), [("pub", (100, 0, 0, 40)), ("schierling", (100, 20, 20, 80))])
def test_001_the_parts_of_a_tout_without_cards_are_known(rules: str, parts: tuple[int, ...]) -> None:
    """Schneider and Schwarz are ignored in it, or (Schierling) always paid and doubled."""
    facts = f"stated = {{ won = true, runners = 4, price = {sum(parts)} }}\nknocks = []\ndoubles = []"
    deal, _ = columns(judged(f'game = "Anna Solo E Tout"\n{facts}', rules))
    assert tuple(deal[name] for name in ("base", "schneider_amount", "schwarz_amount", "runners_amount")) == parts


@pytest.mark.parametrize(
    ("stated", "signed", "count"),
    [("runners = 3", 3, None), ("runners = -3", -3, None), ("runner_count = 3", None, 3), ("runners = 0", None, None)],
)
def test_runners_have_a_sign_where_the_record_says_with_or_without(
    stated: str, signed: int | None, count: int | None
) -> None:
    found = judged(f"{BARE}stated.{stated}")
    deal, _ = columns(found)
    assert (deal["runners"], deal["runner_count"]) == (signed, count)
    texts = " ".join(line.text for line in found.settlement.lines)
    assert ("without" in texts, "with" in texts) == (signed == -3, signed is not None)


def test_the_partner_is_who_was_paid_as_the_declarer_was_and_as_many_as_the_contract_has() -> None:
    text = 'game = "Anna Rufspiel E"\nstated.won = true\nstated.payments = {}'
    for payments, sides in (
        ([20, -20, 20, -20], [True, False, True, False]),
        ([20, 20, 20, -60], [True, None, None, None]),
        ([60, -20, -20, -20], [True, None, None, None]),
    ):
        found = judge_text(f"[[deal]]\n{text.format(payments)}\n", "pub", 'tariff = "unknown"')[0]
        _, seats = columns(found)
        assert [seat["declaring"] for seat in seats] in (sides, [None] * 4)


def test_payments_beside_a_pot_are_not_accused_where_nobody_knows_what_went_into_it() -> None:
    for stock, rules in (("40", []), ("", ["stated-sum"])):
        stated = "stated.payments = [-10, -10, -10, -10]" + (f"\nstated.stock = {stock}" if stock else "")
        found = judge_one(f"[[deal]]\n{stated}\n")
        assert [each.rule for each in found.findings] == rules
