"""Document 001, Bavarian Schafkopf: the worked examples and the table of payments, each under its heading.

The document prints results without cards; the deals here are ours and were chosen to have just those results. Its
example 1 says that C pays D: C is the partner there, so D pays C.
"""

import pytest
from msgspec.structs import replace
from support.tables import judge_one, missing_of
from support.worked_examples import EXAMPLE_1, EXAMPLE_2, EXAMPLE_3, EXAMPLE_4, PLAYERS, bavarian, played, settled

from archive.cards import CODES, NUMBER
from archive.judge.sentences import say_reason
from archive.record import Deal, Double, Game
from archive.rules import tables
from archive.rules.tables import hand_size
from archive.settle.facts import runners
from archive.settle.settle import settle
from archive.settle.types import LedgerState, Settlement


@pytest.mark.parametrize(
    ("deal", "tariff", "payments"),
    [
        (EXAMPLE_1, "10/50", (-70, 70, 70, -70)),
        (EXAMPLE_2, "10/50", (80, 80, -240, 80)),
        (EXAMPLE_3, "10/50", (30, -30, -30, 30)),
        (EXAMPLE_4, "10/50", (-240, -240, 720, -240)),
        (EXAMPLE_1, "5/10", (-35, 35, 35, -35)),
        (EXAMPLE_2, "5/10", (25, 25, -75, 25)),
        (EXAMPLE_3, "5/10", (15, -15, -15, 15)),
        (EXAMPLE_4, "5/10", (-60, -60, 180, -60)),
    ],
)
def test_001_examples_and_variants_stakes(deal: str, tariff: str, payments: tuple[int, ...]) -> None:
    found = judge_one(deal, house=f'tariff = "{tariff}"')
    assert found.verdict == "agrees", say_reason(found)
    assert found.settlement.payments == payments


def test_001_example_1_lines_are_game_schneider_and_runners() -> None:
    found = judge_one(EXAMPLE_1)
    assert [(line.amount, line.running) for line in found.settlement.lines] == [(10, 10), (10, 20), (50, 70)]
    assert found.settlement.runners == 5


def test_001_example_2_is_lost_singly_and_pays_the_declarers_runners() -> None:
    found = judge_one(EXAMPLE_2)
    assert (found.settlement.won, found.settlement.schneider, found.settlement.runners) == (False, False, 3)


def test_001_example_3_has_no_runners_as_the_declarer_holds_the_ober_of_hearts() -> None:
    found = judge_one(EXAMPLE_3)
    assert "HO" in (found.replay.dealt[0] or ())
    assert (found.settlement.schwarz, found.settlement.runners, found.settlement.runners_paid) == (True, 1, False)


def test_001_example_4_doubles_the_tout_and_not_its_runners_but_all_for_the_stoss() -> None:
    found = judge_one(EXAMPLE_4)
    assert [(line.kind, line.amount, line.running) for line in found.settlement.lines] == [
        ("add", 50, 50), ("times", 2, 100), ("add", 20, 120), ("times", 2, 240),
    ]  # fmt: skip


# --- Scoring: the table for 10/50 -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("contract", "suit", "most"), [("solo", "G", 14), ("rufspiel", None, 14), ("wenz", None, 4)])
@pytest.mark.parametrize("side", [0, 1])
def test_001_runners_up_to_a_theoretical_maximum_of_14_and_of_4_in_a_wenz(
    contract: str, suit: str | None, most: int, side: int
) -> None:
    """All trumps are on one side, in its two hands: the declarer's, or the others'."""
    compiled = tables(bavarian(), contract, suit, "EA" if contract == "rufspiel" else None)
    assert len(compiled.trumps) == most
    tops = [CODES[number] for number in compiled.trumps]
    others = [code for code in CODES if NUMBER[code] not in compiled.trumps]
    hands = [tuple(tops[:8]), tuple(tops[8:]), tuple(others[:8]), ()]
    seats = (0, 3, 1, 2) if side == 0 else (1, 2, 0, 3)
    held = tuple(hands[seats.index(seat)] for seat in range(4))
    replay = replace(played(70, 5, contract, 3), dealt=held, held=held)
    assert runners(replay, compiled) == (most if side == 0 else -most)


@pytest.mark.parametrize(("deck", "cards"), [(32, 8), (24, 6), (20, 5)])
def test_001_short_schafkopf_hands_of_six_and_of_five(deck: int, cards: int) -> None:
    assert hand_size(bavarian(deck=deck).house) == cards


@pytest.mark.parametrize(
    ("contract", "row"),
    [
        ("rufspiel", (-30, -20, -10, 10, 20, 30)),
        ("wenz", (-70, -60, -50, 50, 60, 70)),
        ("solo", (-70, -60, -50, 50, 60, 70)),
    ],
)
@pytest.mark.parametrize(
    ("column", "points", "tricks"),
    [
        (0, 0, 0), (1, 1, 1), (1, 30, 3), (2, 31, 3), (2, 60, 4), (3, 61, 4), (3, 90, 5), (4, 91, 5), (4, 120, 7),
        (5, 120, 8),
    ],
)  # fmt: skip
def test_001_scoring_table_10_50(contract: str, row: tuple[int, ...], column: int, points: int, tricks: int) -> None:
    result = settled(contract, points, tricks)
    assert result.payments[0] == row[column] * (1 if contract == "rufspiel" else 3)
    assert result.payments[1] == -row[column]
    assert sum(payment or 0 for payment in result.payments) == 0


@pytest.mark.parametrize("contract", ["wenz", "solo"])
def test_001_scoring_table_tout_wins_or_loses_1_euro(contract: str) -> None:
    assert settled(contract, 120, 8, "tout").price == 100
    assert settled(contract, 120, 7, "tout").payments == (-300, 100, 100, 100)


def test_001_stakes_triple_tariff_10_20_50() -> None:
    """10 for each runner and for Schneider, 20 for a Rufer and for Schwarz, 50 for Wenz and Solo."""
    rules = bavarian(tariff="10/20/50")
    assert settled("rufspiel", 70, 4, rules=rules).price == 20
    assert settled("rufspiel", 100, 5, rules=rules).price == 30
    assert settled("rufspiel", 120, 8, rules=rules).price == 40
    assert settled("wenz", 120, 8, rules=rules).price == 70
    assert rules.prices["runner"] == 10


def test_001_doubling_stoss_doubles_and_retour_quadruples_everything() -> None:
    for doubles, factor in ((1, 2), (2, 4)):
        game = Game("rufspiel", 0, "E", "EA")
        deal = Deal(game=game, doubles=doubles)
        assert settle(deal, PLAYERS, bavarian(), played(95, 6, "rufspiel", 3)).price == 20 * factor


def test_each_doubling_is_cited_and_kept_in_order() -> None:
    deal = Deal(game=Game("wenz", 0), doubles=(Double(2, "kontra", 1, 1), Double(0, "re", 1, 1)))
    lines = settle(deal, PLAYERS, bavarian(), played(70, 4, "wenz", None)).lines
    assert [(line.text, line.running, line.cite) for line in lines[1:]] == [
        ("kontra: Cem", 100, "001 Doubling"),
        ("re: Anna", 200, "001 Doubling"),
    ]


# --- Stakes, Runners ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("example", "price"), [(EXAMPLE_1, 20), (EXAMPLE_2, 50), (EXAMPLE_3, 30), (EXAMPLE_4, 200)])
def test_001_stakes_without_runners(example: str, price: int) -> None:
    found = judge_one(example, house="runners_from = { rufspiel = 0, solo = 0, wenz = 0 }")
    assert found.settlement.price == price


@pytest.mark.parametrize(("example", "price"), [(EXAMPLE_1, 80), (EXAMPLE_2, 80), (EXAMPLE_3, 40), (EXAMPLE_4, 240)])
def test_001_stakes_triple_tariff_in_the_examples(example: str, price: int) -> None:
    found = judge_one(example, house='tariff = "10/20/50"')
    assert found.settlement.price == price


CLAIMS = [
    ("", True),
    ('events = ["@end Ben claims runners"]', True),
    ('events = ["Cem claims 5 runners"]', True),
    ('events = ["@next Ben claims runners"]', False),
    ('events = ["@end Cem no-claim"]', False),
    ('events = ["@end Cem no-claim", "@end Ben claims runners"]', True),
    ('events = ["@next Dora claims runners"]', True),  # she has lost: not hers to claim, nothing is said of the others
    ('events = ["@next Ben claims the rest"]', True),
]


@pytest.mark.parametrize(("events", "paid"), CLAIMS)
def test_001_runners_cannot_be_claimed_after_the_next_hand_has_been_dealt(events: str, paid: bool) -> None:
    found = judge_one(f"{EXAMPLE_1}\n{events}\n")
    settled = found.settlement
    assert (settled.price, settled.runners_paid, settled.runners) == (70 if paid else 20, paid, 5)
    assert any("not claimed in time" in line.text for line in settled.lines) is not paid
    late = "@next" in events and "runners" in events and not paid
    assert [each.rule for each in found.findings] == (["claim-too-late"] if late else [])


@pytest.mark.parametrize(("events", "paid"), CLAIMS)
def test_runners_are_paid_unasked_where_the_house_says_so(events: str, paid: bool) -> None:
    found = judge_one(f"{EXAMPLE_1}\n{events}\n", house='runners_claim = "no"')
    assert (found.settlement.price, found.findings) == (70, ())


# --- Avoiding Passed Out Hands: Muss-Spiel --------------------------------------------------------------------------


def must(points: int, tricks: int = 4) -> Settlement:
    muss, no = {"win": 60, "schneider": 90, "schneider_against": 91, "tie": "lost"}, False
    rules = bavarian(all_pass="muss", muss={"card": "EO", "contract": "rufspiel", "levels": muss, "stoss": no})
    return settled("rufspiel", points, tricks, "muss", rules=rules)


@pytest.mark.parametrize(
    ("points", "won", "schneider"),
    [(29, False, True), (30, False, False), (59, False, False), (60, True, False), (89, True, False), (90, True, True)],
)
def test_001_muss_spiel_60_wins_90_is_schneider_30_is_out_of_it(points: int, won: bool, schneider: bool) -> None:
    found = must(points)
    assert (found.won, found.schneider, found.price) == (won, schneider, 20 if schneider else 10)


def test_001_muss_spiel_its_levels_hold_for_a_muss_alone() -> None:
    assert [settled("rufspiel", points, 4).won for points in (60, 61)] == [False, True]
    assert [settled("rufspiel", points, 4).schneider for points in (30, 31, 90, 91)] == [True, False, False, True]


# --- Langendorf: no more than 4 euros -------------------------------------------------------------------------------


def test_001_langendorf_four_euros_from_each_is_the_most() -> None:
    rules = bavarian(cap=400)
    deal = Deal(game=Game("wenz", 0), doubles=3)
    assert settle(deal, PLAYERS, rules, played(70, 5, "wenz", None)).price == 400
    result = settle(replace(deal, doubles=4), PLAYERS, rules, played(70, 5, "wenz", None))
    assert result.payments == (1200, -400, -400, -400)
    assert [(line.kind, line.amount, line.running) for line in result.lines[1:]] == [
        ("times", 16, 800),
        ("at-most", 400, 400),
    ]


# --- Special Rounds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("recorded", "table", "price"),
    [
        (None, (), 50),
        (("bock",), (), 100),
        (("bock", "bock"), (), 200),
        (None, (("bock", 3),), 100),
        (None, (("bock", 3), ("bock", 1)), 200),
        ((), (("bock", 3),), 50),  # the record says that none is played
        (("kreuz",), (("bock", 3),), 50),
    ],
)
def test_001_bock_doubles_all_payments_and_overlapping_rounds_quadruple_them(
    recorded: tuple[str, ...] | None, table: tuple[tuple[str, int], ...], price: int
) -> None:
    deal = Deal(game=Game("wenz", 0), round=recorded)
    assert settle(deal, PLAYERS, bavarian(), played(70, 5, "wenz", None), LedgerState(rounds=table)).price == price


def test_001_langendorf_a_hausbock_doubles_one_deal_beside_the_knocks() -> None:
    rules = bavarian(hausbock=True, knock="anyone")
    deal = Deal(game=Game("wenz", 0), knocks=(1,))
    found = [
        settle(deal, PLAYERS, rules, played(70, 5, "wenz", None), LedgerState(hausbock=n)).price for n in (0, 1, 2)
    ]
    assert found == [100, 200, 200]


@pytest.mark.parametrize(
    ("house", "table", "missing"),
    [
        ({"bock": {"on": ["60-60"]}}, LedgerState(rounds=None), "which special round is played"),
        ({"hausbock": True}, LedgerState(hausbock=None), "whether a Hausbock lies on the table"),
        ({"levels": {"tie": "stake"}}, LedgerState(stake=None), "what is carried over"),
        ({"stock": {"amount": 10, "won_by": ["wenz"]}}, LedgerState(stock=None), "how much is in the pot"),
    ],
)
def test_what_a_gap_hides_leaves_the_payments_undecided(
    house: dict[str, object], table: LedgerState, missing: str
) -> None:
    deal = Deal(game=Game("wenz", 0))
    hidden = settle(deal, PLAYERS, bavarian(**house), played(70, 5, "wenz", None), table)
    assert (missing_of(hidden), hidden.payments, hidden.price, hidden.won) == ((missing,), None, None, True)
    assert settle(deal, PLAYERS, bavarian(), played(70, 5, "wenz", None), table).price == 50


# --- an open game costs double; the Sie -----------------------------------------------------------------------------


def test_001_langendorf_an_open_bettel_costs_double() -> None:
    rules = bavarian(contracts=["bettel"], tariff="5/15", rank={"bettel open": 97})
    game = Game("bettel", 0, words=("open",))
    assert settle(Deal(game=game), PLAYERS, rules, played(0, 0, "bettel", None)).payments == (90, -30, -30, -30)
    assert settle(Deal(game=game), PLAYERS, rules, played(2, 1, "bettel", None)).payments == (-90, 30, 30, 30)


def sie(**house: object) -> Settlement:
    lords = tuple(suit + rank for rank in "OU" for suit in "EGHS")
    replay = replace(played(0, 0, "sie", None), held=(lords, (), (), ()), complete=True)
    return settle(Deal(game=Game("sie", 0)), PLAYERS, bavarian(**house), replay)


def test_sie_four_times_a_solo_or_four_times_base_and_runners_or_as_a_tout() -> None:
    assert sie().payments == (600, -200, -200, -200)
    assert sie(sie="base+runners").price == 4 * (50 + 80)
    assert sie(sie="tout").price == 2 * (50 + 20 + 80)
