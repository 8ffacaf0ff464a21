"""A score sheet is a record: what its facts come to is computed by the rules that settle cards."""

import re
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.facts_of_deals import facts_of
from support.paths import ROOT
from support.tables import judge_text
from support.thorough import examples
from support.two_players import IN_HAND

from archive.generate import deals, session
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.play.game_words import is_tout
from archive.record import Stated
from archive.say import Message
from archive.settle.ledger import apply_carry, empty_ledger

HOUSE = 'tariff = "10/20/50"'


def judged(text: str, rules: str = "pub") -> Judgement:
    return judge_text(f"[[deal]]\n{text}\n", rules, HOUSE)[0]


SHEET = 'game = "Ben rufspiel E"\nwith = "Dora"\nstated.won = false\nstated.runners = 3\n'


def test_a_sheet_whose_amounts_follow_from_its_facts_agrees() -> None:
    found = judged(SHEET + "stated.payments = [50, -50, 50, -50]")
    assert (found.verdict, found.basis) == ("agrees", "facts")
    assert [line.amount for line in found.settlement.lines] == [20, 30]
    assert all(line.cite for line in found.settlement.lines)


def test_a_sheet_whose_amounts_no_reading_of_its_facts_gives_differs_and_shows_the_working() -> None:
    found = judged(SHEET + "stated.payments = [55, -55, 55, -55]")
    assert (found.verdict, found.basis, found.settlement.payments) == ("differs", "facts", (50, -50, 50, -50))


def test_an_amount_that_an_unwritten_schneider_would_give_is_open_and_says_so() -> None:
    found = judged(SHEET + "stated.payments = [60, -60, 60, -60]")
    assert (found.verdict, found.basis) == ("undecidable", "amounts")
    assert "missing.schneider" in [each.id for each in found.missing]


def test_who_won_and_with_whom_is_never_taken_for_granted() -> None:
    found = judged('game = "Ben rufspiel E"\nstated.payments = [50, -50, 50, -50]')
    assert (found.verdict, [each.id for each in found.missing]) == ("undecidable", ["missing.partner", "missing.won"])


def test_facts_show_no_points_and_no_tricks_that_nobody_saw() -> None:
    found = judged(SHEET)
    assert (found.settlement.side_points, found.settlement.side_tricks) == (None, None)
    assert not any(line.proof for line in found.settlement.lines)
    assert found.replay.points == (None,) * 4


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("stated.won = true\nstated.points = 45", "stated-won"),
        ("stated.schwarz = true\nstated.tricks = 3", "stated-schwarz"),
        ("stated.runners = 15", "stated-runners"),
    ],
)
def test_facts_that_contradict_each_other_are_findings(text: str, rule: str) -> None:
    found = judged(f'game = "Ben rufspiel E"\nwith = "Dora"\n{text}')
    assert found.verdict == "differs"
    assert rule in [each.rule for each in found.findings]


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ('game = "Anna solo E"\nstated.runners = 9', False),  # six cards
        ('game = "Anna solo E"\nstated.runners = 6', False),  # all of them Obers and Unters, and none of the suit
        ('game = "Anna solo E"\nstated.runners = 5', True),
        ('game = "Anna solo E"\nstated.runners = -11', True),  # the others have eighteen
        ('game = "Anna solo E"\nstated.runners = -12', False),  # one trump of the suit is the declarer's
        ('game = "Anna rufspiel G"\nstated.runners = 11', False),  # the called Ace, and a card of its suit
        ('game = "Anna rufspiel G"\nstated.runners = 10', True),
        ('game = "Anna solo E"\nhands.Ben = "EO HO H9 G9 S9 SK"\nstated.runners = 1', False),
    ],
)
def test_runners_of_a_short_pack_that_no_distribution_allows_are_found(text: str, possible: bool) -> None:
    found = judge_text(f'[[deal]]\ndealer = "Dora"\n{text}\n', "bavarian", "deck = 24")[0]
    assert [each.rule for each in found.findings] == ([] if possible else ["stated-runners"])


OPEN = 'tariff = "unknown"'
UNPRICED = 'game = "Ben rufspiel E"\nwith = "Dora"\nstated.won = false\nstated.payments = {}'


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        (UNPRICED.format([35, -35, 35, -35]), True),
        (UNPRICED.format([0, 0, 0, 0]), True),
        (UNPRICED.format([-35, 35, -35, 35]), False),  # the winners pay
        (UNPRICED.format([35, 35, -35, -35]), False),  # Ben and Dora lost
        (UNPRICED.format([35, -35, 70, -70]), False),  # two prices
        (UNPRICED.format([35, -105, 35, 35]), False),  # as for a declarer alone
        (UNPRICED.format([35, -35, 35, -35]) + "\nstated.price = 35", True),
        (UNPRICED.format([35, -35, 35, -35]) + "\nstated.price = 70", False),
        ('game = "Ben rufspiel E"\nstated.payments = [20, 20, -20, -20]', True),  # whoever was the partner
        ('game = "Ben rufspiel E"\nstated.payments = [60, -20, -20, -20]', False),
        ('game = "Ben solo H"\nstated.payments = [-20, 60, -20, -20]', True),
        ('game = "Ben solo H"\nstated.payments = [-20, 20, -20, 20]', False),
        ('game = "Ben solo H"\nstated.payments = { Anna = -20, Dora = -20 }', True),
        ('game = "Ben solo H"\nstated.won = true\nstated.payments = { Anna = 20, Dora = 20 }', False),
    ],
)
def test_payments_that_no_tariff_gives_are_found_where_the_tariff_is_not_known(text: str, possible: bool) -> None:
    found = judge_text(f"[[deal]]\n{text}\n", "pub", OPEN)[0]
    assert {each.rule for each in found.findings} == (set() if possible else {"stated-payments"})
    assert found.verdict == ("undecidable" if possible else "differs")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("rules", ["bavarian", "pub", "expats", "schierling", "three-hand", "short", "langendorf"])
def test_amounts_of_any_tariff_are_never_refuted_where_it_is_not_known_and_turned_ones_are(rules: str) -> None:
    refuted = 0
    for tariff in ("5/20", "10/20/50", "20/100"):
        head = session(rules, {"tariff": tariff})
        hidden = session(rules, {"tariff": "unknown"})
        for made in deals(Random(f"{rules} {tariff}"), head, 12):
            before = apply_carry(empty_ledger(len(head.players)), made.carry, len(head.players))
            right = judge(head, made, 1, before)
            for deal in (right.deal, facts_of(right, True)):
                stated = replace(deal.stated or Stated(), payments=right.settlement.payments)
                found = judge(hidden, replace(deal, stated=stated), 1, before)
                assert found.verdict in ("agrees", "undecidable"), (found.reason, deal)
                turned = tuple(-each for each in right.settlement.payments or ())
                if any(turned) and right.deal.game.contract != "ramsch":
                    found = judge(hidden, replace(deal, stated=replace(stated, payments=turned)), 1, before)
                    refuted += found.verdict == "differs"
    assert refuted


RULES = (
    "bavarian", "bavarian-tournament", "pub", "expats", "sheepshead-basic", "langendorf", "schierling", "bierkopf",
    "short", "three-hand", "three-player-blind", "palatinate", "asserufen", "bauernstoss", "alter-schoofkopp",
    "deutscher-schafkopf",
)  # fmt: skip


NEEDS_A_CARD = ("bauernstoss", "deutscher-schafkopf")  # in the first deal of a game the chalk lies with a card


@pytest.mark.one_in(6)
@pytest.mark.parametrize("rules", RULES)
def test_facts_of_a_replayed_deal_settle_as_the_deal_does(rules: str) -> None:
    head = session(rules)
    for made in deals(Random(f"facts {rules}"), head, 40):
        before = apply_carry(empty_ledger(len(head.players)), made.carry, len(head.players))
        right = judge(head, made, 1, before)
        for amounts in (True, False):
            found = judge(head, facts_of(right, amounts), 1, before)
            if rules in NEEDS_A_CARD and [each.id for each in found.missing] == ["missing.dealt"]:
                continue
            assert found.settlement.payments == right.settlement.payments, (found.reason, found.deal)
            assert found.settlement.marks == right.settlement.marks, (found.reason, found.deal)
            assert (found.verdict, found.basis) == (right.verdict, "facts")
            assert [each.rule for each in found.findings] == [each.rule for each in right.findings]
            assert priced(found) == priced(right)


@settings(max_examples=examples(10, 150), deadline=None)
@example("palatinate", 208635)  # a Du that is won by a surrender, and so without the Schneider that its tricks are
@given(st.sampled_from(RULES), st.integers(0, 10**6))
def test_facts_of_any_replayed_deal_settle_as_it_does_or_name_the_card_that_is_missing(rules: str, n: int) -> None:
    """The rulesets whose settlement needs a card are listed in docs/what-no-check-can-notice.md."""
    right = judged_deal(Random(f"facts {rules} {n}"), session(rules), Wish())
    found = judge(right.session, facts_of(right, amounts=False), 1, right.before)
    if [each.id for each in found.missing] == ["missing.dealt"]:
        assert rules in NEEDS_A_CARD
        return
    if Message("missing.surrender") in found.missing:  # facts_of leaves events out
        assert is_tout(right.deal)
        assert right.replay.ending.kind == "given-up"
        assert (found.verdict, found.findings) == ("undecidable", ())
        return
    assert found.basis == "facts"
    assert found.settlement.payments == right.settlement.payments, (found.reason, found.deal)
    assert found.settlement.marks == right.settlement.marks, (found.reason, found.deal)


def test_a_deal_whose_last_trick_is_not_written_is_settled_as_the_only_legal_one() -> None:
    for made in deals(Random(4), session("pub"), 12, state=("won",)):
        right = judge(session("pub"), made, 1, empty_ledger(4))
        found = judge(right.session, replace(made, tricks=(made.tricks or ())[:-1]), 1, right.before)
        assert found.settlement.payments == right.settlement.payments, found.deal


def test_the_rulesets_that_need_a_card_are_listed_and_no_other() -> None:
    page = (ROOT / "docs" / "what-no-check-can-notice.md").read_text("utf-8")
    (line,) = [line for line in page.splitlines() if "where the chalk lies" in line]
    assert sorted(re.findall("`([a-z-]+)`", line)) == sorted(NEEDS_A_CARD)
    assert sorted(RULES) == sorted(IN_HAND)


def priced(found: Judgement) -> list[tuple[str, int]]:
    """The lines of a settlement that move its price."""
    return [(line.part, line.amount) for line in found.settlement.lines if line.part != "ending"]


def test_a_bare_count_of_runners_costs_what_it_would_with_or_without() -> None:
    text = 'game = "Anna Rufspiel E"\nwith = "Cem"\nstated.won = true\nstated.{}'
    for counts, price in ((("runners = 3", "runners = -3", "runner_count = 3"), 50), (("runner_count = 2",), 20)):
        for count in counts:
            judged = judge_text("[[deal]]\n" + text.format(count) + "\n", "bavarian", 'tariff = "10/20/50"')[0]
            assert judged.settlement.payments == (price, -price, price, -price)
            assert judged.unwritten is None or "missing.runners" not in {each.id for each in judged.unwritten}
