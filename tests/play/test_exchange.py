"""Cards that change hands before play, and special rounds of one deal each: Hochzeit, Schieber, Teufel, and the games
for three. Documents 001 Wedding, Schieber, Teufel, Three-Hand Schafkopf; 002 06.3."""

import random

import pytest
from msgspec.structs import replace
from support.tables import judge_one, missing_of, rules_of

from archive.generate import deal, session
from archive.judge import Judgement, judge
from archive.judge.judge_stream import judge_stream
from archive.notation import read_lines, read_toml, write_line, write_toml
from archive.record import Deal, Session, Source
from archive.settle.ledger import empty_ledger


def messages(found: Judgement) -> list[str]:
    return [each.message for each in found.findings if each.rule != "contract-not-played"]


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


# --- 001 Additional Contracts: Wedding --------------------------------------------------------------------------------

HOCHZEIT = """
[[deal]]
dealer = "Cem"
hands = [
    "Anna: GA SU SZ HK EZ HU HZ GZ",
    "Ben: G8 E8 S9 G9 H8 S7 E7 S8",
    "Cem: HA EK EA H7 GU G7 SA HO",
    "Dora: SK GK H9 SO GO EU E9 EO",
]
game = "Ben hochzeit"
with = "Anna"
exchange = ["Ben > Anna: H8", "Anna > Ben: HU"]
tricks = [
    "Dora: EU H8 HU HA",
    "Dora: GO HZ E8 HO",
    "Dora: SK SZ S9 SA",
    "Cem: EK E9 EZ E7",
    "Anna: GA G9 G7 GK",
    "Anna: GZ G8 H7 EO",
    "Dora: H9 SU S8 GU",
    "Cem: EA SO HK S7",
]
"""
WITHOUT = ('exchange = ["Ben > Anna: H8", "Anna > Ben: HU"]\n', "")


def hochzeit(*pairs: tuple[str, str]) -> Judgement:
    return judge_one(changed(HOCHZEIT, *pairs), house="price.hochzeit = 10")


def test_001_wedding_who_offers_and_who_accepts_play_together_against_the_other_two() -> None:
    found = hochzeit()
    assert messages(found) == []
    assert found.replay.sides == ("declarer", "declarer", "defence", "defence")
    assert found.settlement.payments == (-80, -80, 80, 80)
    assert [line.amount for line in found.settlement.lines] == [10, 10, 60]  # Rufer, Schneider, six runners


def test_001_wedding_play_is_with_the_hands_after_the_exchange_and_both_are_kept() -> None:
    replay = hochzeit().replay
    assert (replay.dealt[0] or ())[5] == "HU"
    assert set(replay.held[0] or ()) - set(replay.dealt[0] or ()) == {"H8"}
    assert set(replay.held[1] or ()) - set(replay.dealt[1] or ()) == {"HU"}
    assert replay.held[2:] == replay.dealt[2:]


def test_001_wedding_runners_are_those_of_both_together() -> None:
    found = judge_one(
        changed(HOCHZEIT, ("Anna: GA SU", "Anna: EO SU"), ("E9 EO", "E9 GA"), ("Anna > Ben: HU", "Anna > Ben: EO"))
    )
    assert "EO" in (found.replay.held[1] or ())
    assert found.settlement.runners == 1


@pytest.mark.parametrize("left_out", ['with = "Anna"\n', WITHOUT[0]])
def test_001_wedding_the_acceptor_is_named_or_seen_in_the_exchange(left_out: str) -> None:
    found = hochzeit((left_out, ""))
    assert messages(found) == []
    assert found.verdict == "agrees"
    assert found.replay.partner == 0
    assert found.settlement.payments == (-80, -80, 80, 80)


def test_001_wedding_without_either_the_partner_is_missing() -> None:
    found = hochzeit(('with = "Anna"\n', ""), WITHOUT)
    assert messages(found) == []
    assert found.verdict == "undecidable"
    assert "the partner" in missing_of(found)


@pytest.mark.parametrize(
    ("exchange", "told"),
    [
        ("Ben > Anna: E8; Anna > Ben: HU", "1: Ben passes E8, where the declarer's one trump is due"),
        ("Ben > Anna: H8; Anna > Ben: H8", "2: Anna passes H8, where any other card than the one offered is due"),
        ("Ben > Cem: H8; Cem > Ben: HA", "1 in the Hochzeit: Ben > Cem (1 card), where Ben > Anna (1 card) is due"),
        ("Anna > Ben: HU; Ben > Anna: H8", "1 in the Hochzeit: Anna > Ben (1 card), where Ben > Anna (1 card) is due"),
        (
            "Ben > Anna: H8; Anna > Ben: HU SU",
            "2 in the Hochzeit: Anna > Ben (2 cards), where Anna > Ben (1 card) is due",
        ),
        ("Ben > Anna: H8", "2 in the Hochzeit: nothing, where Anna > Ben (1 card) is due"),
        ("", "1 in the Hochzeit: nothing, where Ben > Anna (1 card) is due"),
        ("Ben > Anna: H8; Anna > Ben: HO", "2: Anna passes HO, which is not in the hand: EZ GA GZ HZ HK HU H8 SZ SU"),
        (
            "Ben > Anna: H8; Anna > Ben: HU; Cem > Dora: H7",
            "3 in the Hochzeit: Cem > Dora (1 card), where nothing is due",
        ),
    ],
)
def test_001_wedding_the_trump_against_another_card(exchange: str, told: str) -> None:
    quoted = exchange and f'"{exchange}"'.replace("; ", '", "')
    assert messages(hochzeit(('"Ben > Anna: H8", "Anna > Ben: HU"', quoted)))[0] == f"exchange {told}"


def test_001_wedding_an_unknown_card_that_came_back_is_no_error() -> None:
    found = hochzeit(("Anna > Ben: HU", "Anna > Ben: ??"))
    assert messages(found) == []
    assert found.settlement.payments == (-80, -80, 80, 80)


def test_001_wedding_unrecorded_exchange_the_hands_must_allow_it() -> None:
    """The declarer played the trump and never gave it away."""
    kept = hochzeit(WITHOUT, ("EU H8 HU HA", "EU HU H8 HA"))
    assert messages(kept) == ["exchange 1 in the Hochzeit: Ben > Anna (0 cards), where Ben > Anna (1 card) is due"]
    other = hochzeit(WITHOUT, ("GO HZ E8 HO", "GO HZ HO E8"))
    assert messages(other) == [
        "Ben played HO, neither dealt nor within reach of the cards passed on",
        "trick 2 card 4: Cem played E8, which is not in the hand: EA EK GU G7 HO H7 SA",
    ]


def test_hands_as_dealt_are_those_played_before_the_recorded_exchange() -> None:
    hands = HOCHZEIT[HOCHZEIT.index("hands") : HOCHZEIT.index("game")]
    found = hochzeit((hands, ""))
    assert messages(found) == []
    assert set(found.replay.dealt[1] or ()) == set("G8 E8 S9 G9 H8 S7 E7 S8".split())


def test_a_card_passed_on_is_not_played_by_who_gave_it_away() -> None:
    hands = HOCHZEIT[HOCHZEIT.index("hands") : HOCHZEIT.index("game")]
    kept = hochzeit((hands, ""), ("EU H8 HU HA", "EU HU H8 HA"))
    assert messages(kept) == [
        "Anna held HU HZ SZ EZ GA GZ SU HK, but with the cards passed on it would be HZ SZ EZ GA GZ SU HK H8",
        "Ben held H8 E8 S9 E7 G9 G8 S8 S7, but with the cards passed on it would be E8 S9 E7 G9 G8 S8 S7 HU",
    ]


def test_001_wedding_round_trips_with_its_partner_in_both_encodings() -> None:
    head = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "bavarian"\n'
    for name in ("Hochzeit", "Wedding", "Marriage"):
        text = head + changed(HOCHZEIT, ("Ben hochzeit", f"Ben {name}"))
        evening, made = read_toml(text.encode(), Source("a.toml"))
        assert isinstance(evening, Session)
        assert (made.game.contract, made.game.declarer, made.partner) == ("hochzeit", 1, 0)
        again = list(read_toml(write_toml(evening, [made]).encode(), Source("a.toml")))
        line = list(read_lines(write_line(evening, made), Source("a.jsonl")))
        for _, back in (again, line):
            assert isinstance(back, Deal)
            assert replace(back, source=None) == replace(made, source=None)


# --- 001 Special Rounds: Schieber -------------------------------------------------------------------------------------

SCHIEBER = """
[[deal]]
dealer = "Anna"
round = ["schieber"]
hands = [
    "Anna: G9 G7 SO HZ EZ SK",
    "Ben: SU H7 E7 S8 S9 EK GK G8",
    "Cem: HO H9 EU SZ HA H8 GA S7",
    "Dora: E9 GZ HU EA SA GU E8 HK",
]
game = "Ben solo E"
exchange = ["blind > Ben: EO GO", "Ben > Cem: S8 GK", "Cem > Dora: GA S7", "Dora > Anna: EA SA"]
tricks = [
    "Ben: E7 HO GU EA",
    "Cem: S8 S7 SA S9",
    "Anna: G9 G8 GK GA",
    "Dora: E9 EZ SU EU",
    "Cem: SZ GZ SK EK",
    "Ben: H7 H8 HK HZ",
    "Anna: SO GO H9 E8",
    "Ben: EO HA HU G7",
]
"""
EXCHANGE = SCHIEBER[SCHIEBER.index("exchange") : SCHIEBER.index("tricks")]
UNPLAYED = (SCHIEBER[SCHIEBER.index("tricks") :], "")


def schieber(*pairs: tuple[str, str]) -> Judgement:
    return judge_one(changed(SCHIEBER, *pairs))


def random_schieber(seed: int, declarer: int, **keys: object) -> tuple[Session, Deal]:
    evening = session("bavarian")
    made = deal(random.Random(seed), evening, "solo", dealer=3, declarer=declarer, rounds=("schieber",))
    return evening, replace(made, **keys)


def test_001_schieber_the_dealer_is_dealt_two_fewer_and_all_play_with_eight() -> None:
    found = schieber()
    assert messages(found) == []
    assert [len(hand or ()) for hand in found.replay.dealt] == [6, 8, 8, 8]
    assert [len(hand or ()) for hand in found.replay.held] == [8, 8, 8, 8]
    assert found.settlement.side_points == 50


def test_001_schieber_a_player_may_pass_on_what_he_has_received() -> None:
    found = schieber(("Cem > Dora: GA S7", "Cem > Dora: S8 GK"), ("Dora > Anna: EA SA", "Dora > Anna: S8 GK"), UNPLAYED)
    assert messages(found) == []
    assert set(found.replay.held[0] or ()) >= {"S8", "GK"}
    assert found.replay.held[2] == found.replay.dealt[2]


@pytest.mark.parametrize(("declarer", "moves"), [(0, 4), (1, 3), (2, 2), (3, 1)])
def test_001_schieber_who_declined_passes_nothing_and_neither_does_the_dealer(declarer: int, moves: int) -> None:
    """The first move is the two Obers: a dealer who takes them discards nothing."""
    evening, made = random_schieber(declarer, declarer)
    assert len(made.exchange or ()) == moves
    found = judge(evening, made, 1, empty_ledger(4))
    assert (found.verdict, found.findings) == ("agrees", ())
    assert found.replay
    assert all(found.replay.held[seat] == found.replay.dealt[seat] for seat in range(declarer))


@pytest.mark.parametrize("declarer", range(4))
def test_001_schieber_unrecorded_passing_is_followed_from_hand_to_hand(declarer: int) -> None:
    evening, made = random_schieber(10 + declarer, declarer)
    known = judge(evening, made, 1, empty_ledger(4))
    found = judge(evening, replace(made, exchange=None, blind=None), 1, empty_ledger(4))
    assert (found.verdict, found.findings) == ("agrees", ())
    assert known.settlement
    assert found.settlement == known.settlement


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Ben > Cem: S8 GK", "Ben > Dora: S8 GK", "exchange 2 in the Schieber: Ben > Dora (2 cards), where Ben > Cem"),
        ("Ben > Cem: S8 GK", "Ben > Cem: S8 S8", "exchange 2 in the Schieber: Ben > Cem (1 card), where Ben > Cem"),
        ("Ben > Cem: S8 GK", "Ben > Cem: S8", "exchange 2 in the Schieber: Ben > Cem (1 card), where Ben > Cem"),
        ("blind > Ben: EO GO", "blind > Cem: EO GO", "exchange 1 in the Schieber: blind > Cem (2 cards), where blind"),
        ("blind > Ben: EO GO", "blind > Ben: EO HO", "exchange 1: blind passes HO, where EO GO lie aside"),
        ("Ben > Cem: S8 GK", "Ben > Cem: S8 HO", "exchange 2: Ben passes HO, which is not in the hand: EK EO E7 GK GO"),
        ("Cem > Dora: GA S7", "Cem > Dora: GA EA", "exchange 3: Cem passes EA, which is not in the hand: EU GA GK HA"),
    ],
)
def test_001_schieber_each_move_is_checked(old: str, new: str, told: str) -> None:
    found = schieber((old, new), UNPLAYED)
    assert any(each.startswith(told) for each in messages(found)), messages(found)
    assert found.verdict == "unplayable"


def test_001_schieber_a_card_is_passed_before_it_has_come() -> None:
    """Cem passes on a card of Ben's before Ben has passed it."""
    early = schieber(
        (
            EXCHANGE,
            'exchange = ["blind > Ben: EO GO", "Cem > Dora: S8 GA", "Ben > Cem: S8 GK", "Dora > Anna: EA SA"]\n',
        ),
        UNPLAYED,
    )
    assert rules_of(early) == ["exchange-order", "exchange-not-held"]


def test_001_schieber_thrown_in_by_the_dealer_nothing_is_passed() -> None:
    text = changed(SCHIEBER, ("Ben solo E", "none"), (EXCHANGE, ""), UNPLAYED)
    found = judge_one(text)
    assert (messages(found), found.missing) == ([], ())
    passed = judge_one(changed(SCHIEBER, ("Ben solo E", "none"), UNPLAYED))
    assert messages(passed)[0] == "exchange 1 in the Schieber: blind > Ben (2 cards), where nothing is due"


def test_001_schieber_the_two_obers_lie_aside() -> None:
    aside = ('round = ["schieber"]', 'round = ["schieber"]\nblind = "EO GO"')
    assert messages(schieber(aside)) == []
    other = ('round = ["schieber"]', 'round = ["schieber"]\nblind = "EO HO"')
    assert "in a Schieber round GO must be in the blind" in messages(schieber(other, UNPLAYED))
    dealt = schieber(("Cem: HO H9", "Cem: EO H9"), UNPLAYED)
    assert "the hand of Cem: EO is there for the second time" in messages(dealt)


# --- 001 Special Rounds: Teufel ---------------------------------------------------------------------------------------

TEUFEL = """
[[deal]]
dealer = "Anna"
round = ["teufel"]
hands = [
    "Anna: EZ S8 G8 H7 HA GZ S9 GA",
    "Ben: EO HO SO EU G9 GO SZ SK",
    "Cem: SU GU HU EA EK HK GK HZ",
    "Dora: SA G7 E8 E7 E9 H8 H9 S7",
]
game = "Ben solo S"
tricks = [
    "Ben: EO GU S7 S9",
    "Ben: SK SU SA S8",
    "Cem: GK G7 G8 G9",
    "Cem: EA E9 EZ SZ",
    "Ben: SO HU E8 H7",
    "Ben: HO EK E7 GZ",
    "Ben: EU HK H8 GA",
    "Ben: GO HZ H9 HA",
]
"""
NOT_PLAYED = (TEUFEL[TEUFEL.index("tricks") :], "")


def test_001_teufel_forehand_is_given_four_lords_and_names_a_solo() -> None:
    found = judge_one(TEUFEL)
    assert (messages(found), found.verdict) == ([], "agrees")
    assert found.settlement.won


OTHERWISE = {  # deals with something else in them, and what is told of that first
    "001_wedding_a_player_dealt_only_one_trump_offers": [
        (HOCHZEIT, [("E7 S8", "E7 H9"), ("GK H9", "GK S8")],
         ["Ben offers a Hochzeit without having exactly one trump: E8 E7 G9 G8 H9 H8 S9 S7", ...])],
    "001_schieber_a_dealer_with_eight_has_too_many": [
        (SCHIEBER, [("Anna: G9 G7 SO", "Anna: G9 G7 SO EA SA"), ("HU EA SA", "HU"), UNPLAYED],
         ["Anna has 8 cards, expected 6", "Dora has 6 cards, expected 8", ...])],
    "001_schieber_without_a_dealer_any_hand_may_be_the_short_one": [
        (SCHIEBER, [('dealer = "Anna"\n', ""), UNPLAYED], [])],
    "001_schieber_a_suit_solo_is_played": [
        (SCHIEBER, [("Ben solo E", "Ben wenz"), UNPLAYED], ["a Wenz in a Schieber round, in which a Solo is played"])],
    # the declarer need not have been dealt a card of it, but must hold one when it is named
    "001_schieber_the_suit_is_named_after_the_exchange": [
        (SCHIEBER, [("Ben solo E", "Ben solo G"), ("Ben > Cem: S8 GK", "Ben > Cem: GK G8"), UNPLAYED],
         ["Ben names Gras without a card of it besides the lords: EK EO E7 GO H7 SU S9 S8"])],
    "001_teufel_forehand_must_play": [
        (TEUFEL, [("Ben solo S", "Cem solo H"), NOT_PLAYED],
         ["Cem plays in a Teufel round, in which forehand Ben must"]),
        (TEUFEL, [("Ben solo S", "none"), NOT_PLAYED],
         ["nobody plays in a Teufel round, in which forehand Ben must"])],
    "001_teufel_the_four_lords_are_in_forehands_hand": [
        (TEUFEL, [("Ben: EO HO SO", "Ben: EO HO SU"), ("Cem: SU", "Cem: SO"), NOT_PLAYED],
         ["in a Teufel round SO must be in the hand of Ben"])],
    "001_teufel_a_suit_is_named_nothing_else": [
        (TEUFEL, [("Ben solo S", "Ben wenz"), NOT_PLAYED], ["a Wenz in a Teufel round, in which a Solo is played"])],
    "001_teufel_a_suit_named_blind_need_not_be_held": [
        (TEUFEL, [("Ben solo S", "Ben solo E"), NOT_PLAYED], []),
        (TEUFEL, [('round = ["teufel"]\n', ""), ("Ben solo S", "Ben solo E"), NOT_PLAYED],
         ["Ben names Eichel without a card of it besides the lords: EO EU GO G9 HO SZ SK SO"])],
    "a_hand_held_is_the_hand_dealt_after_the_exchange": [
        (HOCHZEIT, [("tricks = [", 'held = ["Ben: G8 E8 S9 G9 HU S7 E7 S8"]\ntricks = [')], []),
        (HOCHZEIT, [("tricks = [", 'held = ["Ben: G8 E8 S9 G9 H8 S7 E7 S8"]\ntricks = [')],
         ["Ben held G8 E8 S9 G9 H8 S7 E7 S8, but with the cards passed on it would be G8 E8 S9 G9 S7 E7 S8 HU", ...])],
}  # fmt: skip


@pytest.mark.parametrize("case", OTHERWISE)
def test_what_is_otherwise_is_told(case: str) -> None:
    for deal_, pairs, told in OTHERWISE[case]:
        found = messages(judge_one(changed(deal_, *pairs)))
        assert found[: len(told) - 1] == told[:-1] if told[-1:] == [...] else found == told


# --- 001 Three-Hand Schafkopf -----------------------------------------------------------------------------------------


def test_001_three_hand_eight_cards_of_24_each_and_only_who_plays_alone() -> None:
    evening = session("three-hand", players=("Anna", "Ben", "Cem"))
    for seed, contract in enumerate(("wenz", "solo", "sie")):
        made = deal(random.Random(seed), evening, contract, lean=0.8)
        assert [len(hand or ()) for hand in made.hands or ()] == [8, 8, 8]
        found = judge(evening, made, 1, empty_ledger(3))
        assert found.verdict == "agrees"
        assert found.settlement.payments
        assert sorted(found.replay.sides if found.replay else ()) == ["declarer", "defence", "defence"]
    partners = replace(made, game=replace(made.game, contract="rufspiel", suit="E", called="EA"), tricks=None)
    assert "contract-not-played" in rules_of(judge(evening, partners, 1, empty_ledger(3)))


# --- 002 06.3 Three-Player Schafkopf ----------------------------------------------------------------------------------

BLIND = """
[[deal]]
players = ["Anna", "Ben", "Cem"]
dealer = "Anna"
hands = [
    "Anna: G9 H7 SA G7 HU SU EA H9 E9 GK",
    "Ben: SK H8 HZ G8 GU GA SZ EK S7 E8",
    "Cem: S8 SO EO HK HA EZ GZ HO GO E7",
]
blind = "EU S9"
game = "Cem solo G 65"
exchange = ["blind > Cem: EU S9", "Cem > blind: EZ S9"]
tricks = [
    "Ben: G8 GZ SU",
    "Anna: G7 GA HO",
    "Cem: HK H7 HZ",
    "Ben: E8 E7 EA",
    "Anna: G9 GU EU",
    "Cem: HA H9 H8",
    "Cem: S8 SA S7",
    "Anna: E9 EK EO",
    "Cem: GO HU SK",
    "Cem: SO GK SZ",
]
"""
TAKEN = BLIND[BLIND.index("exchange") : BLIND.index("tricks")]
PLAY = (BLIND[BLIND.index("tricks") :], "")


def blind(*pairs: tuple[str, str], house: str = "") -> Judgement:
    return judge_one(changed(BLIND, *pairs), "three-player-blind", house)


def test_002_06_3_ten_cards_each_and_ten_tricks() -> None:
    found = blind()
    assert (messages(found), found.verdict) == ([], "agrees")
    assert len(found.replay.winners) == 10


def test_002_06_3_what_is_laid_away_counts_toward_the_declarers_tricks() -> None:
    """2+13+... in tricks, and a Ten laid away."""
    found = blind()
    in_tricks = sum(
        points or 0
        for winner, points in zip(found.replay.winners, found.replay.trick_points, strict=True)
        if winner == 2
    )
    assert found.replay.points[2] == in_tricks + 10
    assert sum(points or 0 for points in found.replay.points) == 120
    assert found.settlement.side_points == found.replay.points[2]


def test_002_06_3_the_blind_that_is_not_recorded_is_what_nobody_holds() -> None:
    known = blind().settlement
    unseen = blind(('blind = "EU S9"\n', ""), (TAKEN, ""))
    assert (messages(unseen), unseen.missing) == ([], ())
    assert unseen.settlement == known
    assert set(unseen.replay.held[2] or ()) ^ set(unseen.replay.dealt[2] or ()) == {"EU", "EZ"}


def test_002_06_3_without_the_hands_too_the_tricks_tell_what_was_laid_away() -> None:
    hands = BLIND[BLIND.index("hands") : BLIND.index("game")]
    unseen = blind((hands, ""), (TAKEN, ""))
    assert unseen.settlement == blind().settlement
    assert missing_of(unseen) == ("the cards passed on in the Solo",)


NEEDS = "solo_needs_suit = true"


def test_002_06_3_the_exchange_comes_before_the_game_is_named() -> None:
    """Where a Solo needs a card of its suit, only a Spade taken up makes one."""
    taken = blind(("blind > Cem: EU S9", "blind > Cem: EU S9"), ("Cem solo G 65", "Cem solo S"), PLAY, house=NEEDS)
    assert messages(taken) == []
    laid = blind(("Cem > blind: EZ S9", "Cem > blind: S8 S9"), ("Cem solo G 65", "Cem solo S"), PLAY, house=NEEDS)
    assert messages(laid) == [
        "Cem names Schellen without a card of it besides the lords: EZ EO EU E7 GZ GO HA HK HO SO"
    ]


@pytest.mark.parametrize(
    ("exchange", "told"),
    [
        ('"Cem > blind: EZ S8", "blind > Cem: EU S9"', "1 in the Solo: Cem > blind (2 cards), where blind > Cem"),
        ('"blind > Ben: EU S9", "Ben > blind: SK H8"', "1 in the Solo: blind > Ben (2 cards), where blind > Cem"),
        ('"blind > Cem: EU S9"', "2 in the Solo: nothing, where Cem > blind (2 cards) is due"),
        ('"blind > Cem: EU S9", "Cem > blind: EZ"', "2 in the Solo: Cem > blind (1 card), where Cem > blind (2"),
        ('"blind > Cem: EU S7", "Cem > blind: EZ S9"', "1: blind passes S7, which is not in the hand: EU S9"),
        ('"blind > Cem: EU S9", "Cem > blind: EZ SK"', "2: Cem passes SK, which is not in the hand: EZ EO EU E7"),
    ],
)
def test_002_06_3_two_cards_against_the_two_in_the_middle(exchange: str, told: str) -> None:
    found = blind((TAKEN, f"exchange = [{exchange}]\n"), PLAY)
    assert messages(found)[0].startswith(f"exchange {told}"), messages(found)


def test_002_06_3_the_cards_taken_up_may_be_laid_away_again() -> None:
    assert messages(blind(("Cem > blind: EZ S9", "Cem > blind: EU S9"), PLAY)) == []


def test_002_06_3_a_hand_is_played_without_the_blind_which_still_counts() -> None:
    evening = session("three-player-blind", players=("Anna", "Ben", "Cem"))
    for seed in range(6):
        made = deal(random.Random(seed), evening, "solo", words=("hand",), doubles=False)
        assert not made.exchange
        found = judge(evening, made, 1, empty_ledger(3))
        assert found.replay.held == found.replay.dealt
        assert sum(points or 0 for points in found.replay.points) == 120
        taken = replace(made, exchange=tuple(deal(random.Random(seed), evening, "solo").exchange or ()), tricks=None)
        assert rules_of(judge(evening, taken, 1, empty_ledger(3)))[0] == "exchange-order"


def test_002_06_3_in_a_ramsch_the_blind_is_left_on_the_table_and_counts_for_nobody() -> None:
    evening = session("three-player-blind", players=("Anna", "Ben", "Cem"))
    for seed in range(6):
        made = deal(random.Random(seed), evening, "ramsch")
        found = judge(evening, made, 1, empty_ledger(3))
        assert found.verdict == "agrees"
        tricks = sum(points or 0 for points in found.replay.trick_points)
        assert sum(points or 0 for points in found.replay.points) == tricks


def test_002_06_3_a_tout_is_lost_with_any_trick_whatever_was_laid_away() -> None:
    found = blind(("Cem solo G 65", "Cem solo G tout"), (PLAY[0], 'tricks = ["Ben: G8 GZ SU"]\n'))
    assert messages(found) == []
    assert found.settlement.won is False
    assert found.settlement.payments == (80, 80, -160)


def test_002_06_3_where_the_blind_cannot_be_known_the_points_are_not_guessed() -> None:
    hands = BLIND[BLIND.index("hands") : BLIND.index("game")]
    game = (("Cem solo G 65", "Cem solo G tout"), (PLAY[0], 'tricks = ["Ben: G8 GZ SU"]\n'))
    found = blind((hands, ""), (TAKEN, ""), *game)
    assert found.verdict == "undecidable"
    assert "the cards of the blind" in missing_of(found)
    assert found.settlement.payments is None


def test_a_blind_has_its_number_of_cards() -> None:
    assert messages(blind(('blind = "EU S9"', 'blind = "EU S9 E7"'), PLAY))[0] == "the blind has 3 cards, expected 2"
    found = judge_one('[[deal]]\ndealer = "Anna"\nblind = "EU S9"\ngame = "Ben wenz"\n')
    assert messages(found) == ["the blind has 2 cards, expected 0"]


# --- any game ---------------------------------------------------------------------------------------------------------


def test_no_card_changes_hands_in_other_games() -> None:
    text = '[[deal]]\ndealer = "Anna"\ngame = "Ben wenz"\nexchange = ["Ben > Cem: EU"]\n'
    assert messages(judge_one(text)) == ["exchange 1 in the Wenz: Ben > Cem (1 card), where nothing is due"]


@pytest.mark.parametrize(
    ("packet", "told"),
    [(4, []), (7, ["dealt as 7 cards first, at this table 4 4"]), (8, ["the first packet has 8 cards of a hand of 8"])],
)
def test_001_legen_the_first_packet_is_less_than_the_hand(packet: int, told: list[str]) -> None:
    assert messages(judge_one(f'[[deal]]\ndealer = "Anna"\npacket = {packet}\ngame = "none"\n')) == told


@pytest.mark.parametrize(
    ("rules", "house", "contract", "rounds"),
    [
        ("bavarian", {"contracts": ["rufspiel", "hochzeit", "solo"], "hochzeit": {"when": "before"}}, "hochzeit", ()),
        ("bavarian", None, "solo", ("schieber",)),
        ("bavarian", None, "solo", ("teufel",)),
        ("three-player-blind", None, "wenz", ()),
        ("three-hand", None, "solo", ()),
    ],
)
def test_random_deals_agree_with_and_without_what_is_told_of_the_exchange(
    rules: str, house: dict[str, object] | None, contract: str, rounds: tuple[str, ...]
) -> None:
    evening = session(rules, house)
    for seed in range(8):
        lean = -0.9 if contract == "hochzeit" else 0.3
        made = deal(random.Random(seed), evening, contract, rounds=rounds, lean=lean)
        known = judge(evening, made, 1, empty_ledger(len(evening.players)))
        for unseen in (
            replace(made, exchange=None),
            replace(made, exchange=None, blind=None),
            replace(made, hands=None),
        ):
            found = judge(evening, unseen, 1, empty_ledger(len(evening.players)))
            assert rules_of(found) == []
            assert found.settlement == known.settlement
        (written,) = (each for each in judge_stream(read_toml(write_toml(evening, [made]).encode(), Source("a.toml"))))
        assert written.settlement == known.settlement
