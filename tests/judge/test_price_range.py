"""What is known of the price of an open deal: a price that every completion has, bounds, the lines that hold."""

from random import Random

import pytest
from msgspec.structs import replace
from support.tables import judge_text

from archive.generate import session
from archive.generate.playing import Wish, judged_deal
from archive.judge import Judgement, judge
from archive.judge.price import price_of
from archive.judge.price_range import price_range, say_price_range
from archive.judge.report import report
from archive.record import Stated
from archive.rules import bundled

HOUSE = 'tariff = "10/20/50"'
LOST = 'game = "Anna rufspiel E"\nstated.won = false\nstated.runners = 3\n'


def judged(text: str, rules: str = "pub", house: str = HOUSE) -> Judgement:
    return judge_text(f'[[deal]]\ndealer = "Dora"\n{text}', rules, house)[0]


def test_the_partner_changes_no_price_so_a_deal_without_one_has_its_price_and_its_lines() -> None:
    deal = judged(LOST)
    known = price_range(deal)
    assert deal.verdict == "undecidable"
    assert (known.prices, known.least, known.most) == ((50,), (-50, -50, -50, -50), (-50, 50, 50, 50))
    assert [(line.amount, line.running, line.cite) for line in known.lines] == [
        (20, 20, "this table: house.tariff"),
        (30, 50, "001 Runners"),
    ]
    fields = report(deal, "de")
    assert (fields["price"], fields["payments"]) == (None, None), "who pays whom stays open"
    assert [line["running"] for line in fields["settlement"]] == [20, 50]
    assert fields["price_range"]["prices"] == [50]
    assert fields["price_range"]["least"] == {"Anna": -50, "Ben": -50, "Cem": -50, "Dora": -50}


def test_an_open_deal_is_told_in_both_languages() -> None:
    deal = judged(LOST)
    known = price_range(deal)
    assert known
    assert say_price_range(deal, known) == (
        "The price is 50 ct, whatever the open facts are.",
        "Each player, as far as it is known: Anna −50, Ben −50 to +50, Cem −50 to +50, Dora −50 to +50.",
    )
    assert say_price_range(deal, known, "de") == (
        "Der Preis ist 50 ct, gleich was noch offen ist.",
        "Je Spieler, soweit bekannt: Anna −50, Ben −50 bis +50, Cem −50 bis +50, Dora −50 bis +50.",
    )


def test_tricks_that_are_seen_leave_every_level_open_that_they_allow() -> None:
    deal = judged('game = "Anna solo H"\nstated.runners = 3\ntricks = ["Anna: EO H8 H7 H9"]\n')
    known = price_range(deal)
    assert known.prices == (80, 90, 100), "no more, Schneider, Schwarz of the others"
    assert (known.least[0], known.most[0]) == (-270, 300), "she has a trick and is not Schwarz herself"
    assert "the price is 80 or 90 or 100 ct" in say_price_range(deal, known)[0].lower()


def test_the_price_of_a_game_without_its_suit_is_known_where_no_suit_costs_more() -> None:
    (of_heart, of_none) = (price_range(judged(f'game = "Anna solo{suit}"\n')) for suit in (" H", ""))
    assert of_none
    assert of_none == of_heart


@pytest.mark.parametrize("text", ["", 'game = "thrown in"\n', 'game = "rufspiel E"\n'])
def test_without_the_game_or_who_plays_it_no_price_is_known(text: str) -> None:
    assert price_range(judged(text)) is None


@pytest.mark.parametrize(
    ("rules", "text", "missing"),
    [
        ("three-player-blind", "Herzsolo, verloren mit 63", "missing.bid"),  # 002 06.3: it was bid for more
        ("palatinate", "Herzsolo, verloren mit 70", "missing.surrender"),  # 004 Giving Up: one was refused
    ],
)
def test_no_price_is_shown_of_a_result_that_nobody_told(rules: str, text: str, missing: str) -> None:
    """The usual game would be won with these points, and the words say that it was lost."""
    found = price_of(text, rules, {})
    assert isinstance(found, Judgement), found
    assert (found.verdict, found.settlement.payments, price_range(found)) == ("undecidable", None, None)
    assert missing in [each.id for each in found.missing]


def test_002_06_3_fewer_points_than_any_bid_asks_for_are_not_won() -> None:
    found = price_of("Herzsolo, gewonnen mit 45", "three-player-blind", {})
    assert isinstance(found, Judgement), found
    assert [each.rule for each in found.findings] == ["stated-won"]


@pytest.mark.parametrize(
    ("beside", "house"),
    [
        ("", 'tariff = "unknown"'),
        ("stated.price = 100\n", HOUSE),  # by a Kontra that nobody wrote down
        ("stated.payments = [-100, -100, 100, 100]\n", HOUSE),
    ],
)
def test_no_price_is_known_without_a_tariff_or_where_something_unwritten_must_have_happened(
    beside: str, house: str
) -> None:
    deal = judged(LOST + beside, house=house)
    assert (deal.verdict, price_range(deal)) == ("undecidable", None)


@pytest.mark.parametrize("rules", bundled())
def test_what_the_whole_deal_pays_lies_within_what_is_known_of_a_part(rules: str) -> None:
    for seed in range(4):
        whole = judged_deal(Random(f"range {rules} {seed}"), session(rules), Wish())
        settled, tricks = whole.settlement, whole.deal.tricks
        if settled is None or settled.payments is None or not tricks or whole.deal.events:
            continue
        knocks, doubles = whole.deal.knocks or (), whole.deal.doubles or ()
        stated = Stated(runners=settled.runners if settled.runners_paid else None)
        half = replace(whole.deal, tricks=tricks[:-2], knocks=knocks, doubles=doubles, stated=stated)
        known = price_range(judge(whole.session, half, 1, whole.before))
        if known is not None:
            bounds = zip(known.least, settled.payments, known.most, strict=True)
            assert all(least <= (own or 0) <= most for least, own, most in bounds), (half, known)
            assert not known.prices or settled.price in known.prices
