"""Bauernstoss and its kin: who plays with whom, what must be played, how trumps are bid for. Document 000.

Cards are written in German letters: Unters are the Jacks, Acorns the clubs, Z the ten, O the queen.
"""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.duties import narrow_hand
from support.rulesets import load_rules
from support.tables import auction_findings, judge_one, judge_text, missing_of, rules_of
from support.thorough import examples

from archive.cards import BIT, CODES, NUMBER, codes
from archive.generate import deal, session
from archive.judge import Judgement, judge
from archive.rules import Tables, tables
from archive.settle.ledger import empty_ledger

SYSTEMS = ("bauernstoss", "alter-schoofkopp", "deutscher-schafkopf")


def compiled(name: str, suit: str, contract: str = "bauernstoss") -> Tables:
    return tables(load_rules(name), contract, suit)


def may(hand: str, on: str = "", suit: str = "H", name: str = "bauernstoss") -> str:
    """The cards that may be played, in the order of the hand."""
    allowed = narrow_hand(hand, on, "", load_rules(name), ("bauernstoss", suit))[0]
    return " ".join(card for card in hand.split() if card in allowed)


# --- 000 Players and Cards --------------------------------------------------------------------------------------------


def test_000_players_and_cards_the_rank_of_the_trumps() -> None:
    trumps = compiled("bauernstoss", "H").trumps
    assert " ".join(CODES[number] for number in trumps) == "EU GU HU SU HA HZ HK HO H9 H8 H7"


def test_000_players_and_cards_the_rank_of_a_plain_suit() -> None:
    table = compiled("bauernstoss", "H")
    assert [code for code in "EA EZ EK EO E9 E8 E7".split() if table.beats[NUMBER["EO"]] & BIT[code]] == [
        "EA",
        "EZ",
        "EK",
    ]
    assert sum(table.points) == 120


def test_deutscher_schafkopf_the_tens_rank_between_queen_and_nine_everywhere() -> None:
    table = compiled("deutscher-schafkopf", "H")
    assert " ".join(CODES[number] for number in table.trumps) == "EU GU HU SU HA HK HO HZ H9 H8 H7"
    assert codes(table.beats[NUMBER["EZ"]] & table.groups[0]) == ("EA", "EK", "EO")
    assert table.points[NUMBER["EZ"]] == 10


def test_deutscher_schafkopf_says_that_its_document_breaks_off() -> None:
    assert "breaks off" in load_rules("deutscher-schafkopf").incomplete
    assert not load_rules("bauernstoss").incomplete


# --- laws -------------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(10, 150))
@given(st.integers(0, 2**32), st.sampled_from(SYSTEMS), st.sampled_from("EGHS"), st.integers(1, 8), st.integers(0, 3))
def test_a_player_always_has_a_card_to_play_and_obeys_every_sentence(
    seed: int, name: str, suit: str, size: int, before: int
) -> None:
    rng = Random(seed)
    pack = [code for code in CODES if code[1] != "6"]
    cards = rng.sample(pack, size + before)
    hand, on = cards[:size], cards[size:]
    trumps = [CODES[number] for number in compiled(name, suit).trumps]
    order = "AKOZ987" if name == "deutscher-schafkopf" else "AZKO987"
    ranked = [*trumps, *(on[0][0] + rank for rank in order if on and on[0] not in trumps)]
    best = min((card for card in on if card in ranked), key=ranked.index, default=None)
    follow = [c for c in hand if on and (c in trumps if on[0] in trumps else c not in trumps and c[0] == on[0][0])]
    held = [card for card in hand if card in trumps]
    wanted = (follow or held or hand) if on else hand
    higher = [card for card in held if best in trumps and trumps.index(card) < trumps.index(best)]
    on_trumps = bool(on) and on[0] in trumps
    on_jack = best is not None and best[1] == "U" and set(wanted) <= set(trumps)
    if on_trumps if name == "alter-schoofkopp" else on_jack:
        wanted = higher or wanted
    assert may(" ".join(hand), " ".join(on), suit, name) == " ".join(card for card in hand if card in wanted)


# --- parties and Solos ------------------------------------------------------------------------------------------------

HANDS = """hands = [
    "Anna: EU GU HA HZ H9 EA EZ S7",
    "Ben: HU HK E9 E8 GA G7 SA S9",
    "Cem: SU HO H8 EK GZ GK SZ S8",
    "Dora: H7 EO E7 GO G9 G8 SK SO",
]"""
SOLO = """hands = [
    "Anna: H7 EO E7 GO G9 G8 SK SO",
    "Ben: EU GU HU SU HA HZ HK HO",
    "Cem: H9 H8 EA EZ EK E9 E8 GA",
    "Dora: GZ GK G7 SA SZ S9 S8 S7",
]"""


LOST = SOLO.replace("HZ HK HO", "HZ HK G9").replace("GO G9 G8", "GO HO G8")  # with its third trick


def judged(text: str, name: str = "bauernstoss") -> Judgement:
    """A deal that may be a Solo though it is the first."""
    found = judge_one("[[deal]]\n" + text, rules=name, house="marks = { solo_in_first = true }")
    assert found.replay is not None
    return found


def test_000_players_and_cards_partners_sit_opposite_and_nobody_need_say_so() -> None:
    found = judged('dealer = "Dora"\ngame = "Ben bauernstoss H"\ntricks = []')
    assert found.replay.sides == ("defence", "declarer", "defence", "declarer")
    assert found.replay.partner == 3
    assert rules_of(found) == []


def test_a_partner_that_the_record_names_sits_opposite() -> None:
    text = 'dealer = "Dora"\ngame = "Ben bauernstoss H"\nwith = "{}"\ntricks = []'
    assert rules_of(judged(text.format("Dora"))) == []
    assert rules_of(judged(text.format("Cem"))) == ["wrong-parties"]


def test_000_the_deal_the_first_two_who_are_dealt_a_jack_are_partners_and_sit_opposite() -> None:
    draw = 'draw = ["Ben EA", "Anna GU", "Ben H7", "Anna EU", "{} HU"]'
    text = f'dealer = "Dora"\n{draw}\ngame = "Ben bauernstoss H"\ntricks = []'
    assert rules_of(judged(text.format("Cem"))) == []
    (wrong,) = judged(text.format("Dora")).findings
    assert (wrong.rule, wrong.message) == (
        "wrong-parties",
        "who plays with whom in Bauernstoss: the draw made Anna and Dora partners, who do not sit opposite each other",
    )


def test_000_the_play_in_a_solo_three_play_and_vorhand_leads() -> None:
    found = judged(f'dealer = "Dora"\n{SOLO}\ngame = "Ben big-solo H"\ntricks = ["H7 HA H9", "EU H8 EO"]')
    assert found.replay.playing == (0, 1, 2)
    assert rules_of(found) == []
    assert found.replay.winners == (1, 1)
    assert found.replay.active == (0, 1, 2, 3)


def test_000_the_play_in_a_solo_of_vorhands_partner_the_next_player_leads() -> None:
    """Anna deals: Ben is Vorhand and Dora's partner, so that Cem leads."""
    hands = SOLO.replace("Ben:", "X:").replace("Dora:", "Ben:").replace("X:", "Dora:")
    found = judged(f'dealer = "Anna"\n{hands}\ngame = "Dora big-solo H"\ntricks = ["H8 HA H7", "EU EO H9"]')
    assert found.replay.playing == (2, 3, 0)
    assert rules_of(found) == []
    assert found.replay.leaders == (2, 3)


def test_the_partner_of_a_solo_plays_no_card() -> None:
    found = judged(f'dealer = "Dora"\n{SOLO}\ngame = "Ben big-solo H"\ntricks = ["H7 HA H9 GZ"]')
    assert "trick-size" in rules_of(found)
    found = judged(f'dealer = "Dora"\n{SOLO}\ngame = "Ben big-solo H"\ntricks = ["Dora: GZ H7 HA"]')
    assert rules_of(found) == ["wrong-leader"]
    assert found.replay.missing


def test_000_the_play_a_solo_ends_with_the_first_trick_that_is_lost() -> None:
    tricks = ['"H7 HA H9"', '"EU H8 HO"', '"G9 GA G8"']
    for played, over in ((2, False), (3, True)):
        told = ", ".join(tricks[:played])
        found = judged(f'dealer = "Dora"\n{LOST}\ngame = "Ben big-solo H"\ntricks = [{told}]')
        assert rules_of(found) == []
        assert found.replay.complete == over


def test_000_the_play_what_is_played_after_a_lost_solo_is_noticed() -> None:
    tricks = '"H7 HA H9", "EU H8 HO", "G9 GA G8", "Cem: GO G7 GK"'
    found = judged(f'dealer = "Dora"\n{LOST}\ngame = "Ben big-solo H"\ntricks = [{tricks}]')
    (went_on,) = [each for each in found.findings if each.rule == "play-went-on"]
    assert went_on.facts == {"trick": 4, "lost": 3}


def test_the_hand_laid_down_is_shown_by_nobody() -> None:
    """An event of the partner, whose cards are not played, is no claim."""
    found = judged(
        f'dealer = "Dora"\n{SOLO}\ngame = "Ben big-solo H"\ntricks = ["H7 HA H9"]\nevents = ["@2.1 Dora shows all"]'
    )
    assert rules_of(found) == ["nothing-irregular"]


# --- 000 Making Trumps: what must be in hand --------------------------------------------------------------------------


def hand_findings(hand: str, game: str, name: str = "bauernstoss") -> list[str]:
    return rules_of(judged(f'dealer = "Dora"\nhands = ["Anna: {hand}"]\ngame = "Anna {game}"\ntricks = []', name))


def test_000_making_trumps_the_number_includes_all_jacks_and_the_cards_of_the_suit() -> None:
    example = "GU HU SU EA EZ GK H7 S8"
    assert hand_findings(example, "bauernstoss G 4") == []
    assert hand_findings(example, "bauernstoss E 5") == []
    assert hand_findings(example, "bauernstoss E 4") == ["wrong-trump-length"]
    assert hand_findings(example, "bauernstoss E") == []
    assert hand_findings(example, "bauernstoss E 9") == ["wrong-trump-length", "word-not-played"]


def test_000_making_trumps_without_a_jack_nobody_makes_trumps() -> None:
    assert hand_findings("HA HZ HK HO H9 H8 H7 EA", "bauernstoss H 7") == ["wrong-lords"]


def test_000_making_trumps_with_all_four_jacks_only_a_big_solo() -> None:
    four = "EU GU HU SU HA HZ EA EZ"
    assert hand_findings(four, "bauernstoss H 6") == ["wrong-lords"]
    assert hand_findings(four, "small-solo H") == ["wrong-lords"]
    assert hand_findings(four, "big-solo H") == []


def test_000_alter_schoofkopp_all_four_jacks_may_make_trumps() -> None:
    assert hand_findings("EU GU HU SU HA HZ EA EZ", "bauernstoss H 6", "alter-schoofkopp") == []


def test_000_making_trumps_only_the_jack_of_clubs_bids_a_solo() -> None:
    without = "GU HU SU HA HZ HK EA EZ"
    assert hand_findings(without, "big-solo H") == ["not-the-top-trump"]
    assert hand_findings(without, "small-solo H") == ["not-the-top-trump"]
    assert hand_findings(without, "bauernstoss H 6") == []


def test_a_suit_that_is_proposed_is_one_of_the_hand() -> None:
    assert hand_findings("GU HU SU EA EZ GK G7 S8", "bauernstoss H 3") == ["no-card-of-trump-suit"]


def test_000_alter_schoofkopp_there_is_no_small_solo() -> None:
    assert "contract-not-played" in hand_findings("EU GU SU HA HZ HK EA EZ", "small-solo H", "alter-schoofkopp")


# --- 000 Making Trumps: Small Solo ------------------------------------------------------------------------------------

SMALL = """hands = [
    "Anna: EU GU HA HZ HK HO H9 E7",
    "Ben: HU E9 E8 GA G7 SA S9 EA",
    "Cem: SU H8 EK GZ GK SZ S8 EZ",
    "Dora: H7 EO GO G9 G8 SK SO S7",
]"""


def small(exchange: str) -> list[str]:
    told = f"exchange = [{exchange}]\n" if exchange else ""
    return rules_of(judged(f'dealer = "Dora"\n{SMALL}\ngame = "Anna small-solo H"\n{told}tricks = ["EU HU H7"]'))


def test_000_small_solo_a_card_to_the_partner_and_one_back() -> None:
    assert small('"Anna > Cem: E7", "Cem > Anna: SU"') == []


def test_000_small_solo_the_partner_passes_a_card_of_the_original_hand() -> None:
    assert small('"Anna > Cem: E7", "Cem > Anna: E7"') == ["exchange-card"]


def test_000_small_solo_one_card_each_and_only_between_the_partners() -> None:
    assert small('"Anna > Cem: E7 HO", "Cem > Anna: SU EZ"') == ["exchange-order"]
    assert small('"Anna > Ben: E7", "Ben > Anna: EA"') == ["exchange-order"]
    assert small('"Anna > Cem: E7"') == ["exchange-order"]
    assert small('"Anna > Cem: E8", "Cem > Anna: SU"') == ["exchange-not-held"]


def test_a_small_solo_whose_exchange_is_not_recorded_is_not_guessed() -> None:
    assert small("") == []
    found = judged(f'dealer = "Dora"\n{SMALL}\ngame = "Anna small-solo H"\ntricks = ["EU HU H7", "SU H8 GA"]')
    assert "the cards passed on in the Small Solo" in (missing_of(found.replay) if found.replay else ())


def test_000_big_solo_no_card_is_passed() -> None:
    text = f'dealer = "Dora"\n{SMALL}\ngame = "Anna big-solo H"\nexchange = ["Anna > Cem: E7"]\ntricks = ["EU HU H7"]'
    assert rules_of(judged(text)) == ["exchange-order"]


# --- 000 Making Trumps: the auction -----------------------------------------------------------------------------------


def calls(said: str, game: str = "misdeal", hands: str = "", name: str = "bauernstoss") -> list[str]:
    """The findings of an auction; `hands` like `Anna: E?…, Ben: …`."""
    told = ", ".join(f'"{hand}"' for hand in hands.split(", ")) if hands else ""
    return auction_findings(said, game, name, "marks = { solo_in_first = true }", f"hands = [{told}]" if told else "")


@pytest.mark.parametrize(
    ("said", "game"),
    [
        ("Anna 4, Ben good, Cem good, Dora good", "Anna bauernstoss H 4"),
        ("Anna 4, Ben 5, Cem pass, Dora 6", "Dora bauernstoss E 6"),
        ("Anna pass, Ben 3, Cem 4, Dora pass", "Cem bauernstoss E"),
        ("Anna 4, Ben mit, Cem good, Dora good, Anna lowest 8, Ben concede", "Anna bauernstoss H 4"),
        ("Anna 4, Ben mit, Cem good, Dora good, Anna lowest 8, Ben lowest 9", "Ben bauernstoss S 4"),
        ("Anna 4, Ben mit, Cem mit, Dora good, Anna lowest 7, Ben lowest 8, Cem lowest K", "Cem bauernstoss S 4"),
        ("Anna 4, Ben mit, Cem mit, Dora good, Anna lowest 9, Ben concede, Cem concede", "Anna bauernstoss S 4"),
        ("Anna 4, Ben mit, Cem good, Dora good", "Ben bauernstoss S 4"),  # who won the tie is not recorded
        ("Anna 4, Ben good, Cem mit, Dora good", "Anna bauernstoss S 4"),
        ("Anna 4, Ben good, Cem mit, Dora good", "Cem bauernstoss S 4"),
        ("Anna 4, Ben good, Cem 4, Dora good, Anna concede", "Cem bauernstoss S 4"),
        ("Anna 4, Ben 5, Cem big-solo", "Cem big-solo E"),
        ("Anna small-solo", "Anna small-solo E"),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "none"),
    ],
)
def test_000_making_trumps_auctions_that_lead_to_the_game(said: str, game: str) -> None:
    assert calls(said, game) == []


@pytest.mark.parametrize(
    ("said", "game", "rule"),
    [
        ("Anna 4, Ben 5, Cem pass, Dora pass", "Anna bauernstoss H 4", "auction-result"),
        ("Anna 4, Ben 5, Cem pass, Dora pass", "none", "auction-result"),
        ("Anna 4, Ben good, Cem good, Dora good", "Anna bauernstoss H 5", "auction-result"),
        ("Anna 4, Ben good, Cem good, Dora good", "Anna big-solo H", "auction-result"),
        ("Anna 4, Ben mit, Cem good, Dora good, Anna lowest 8, Ben concede", "Ben bauernstoss H 4", "auction-result"),
        ("Anna 4, Ben mit, Cem good, Dora good, Anna lowest 8, Ben lowest 9", "Anna bauernstoss H", "auction-result"),
        ("Anna 4, Ben mit, Cem good, Dora good", "Cem bauernstoss S 4", "auction-result"),
        ("Anna 4, Ben good, Cem mit, Dora good, Anna concede", "Anna bauernstoss S 4", "auction-result"),
        ("Anna 4, Ben 5, Cem big-solo", "Ben bauernstoss E 5", "auction-result"),
        ("Anna 4, Ben 5, Cem big-solo", "Cem small-solo E", "auction-result"),
        ("Anna 4, Ben 5, Cem big-solo H", "Cem big-solo E", "auction-result"),
        ("Anna pass, Ben pass, Cem pass, Dora pass", "Dora bauernstoss E 3", "auction-result"),
        ("Anna 5, Ben 4", "misdeal", "auction-too-low"),
        ("Anna mit", "misdeal", "auction-call"),
        ("Anna 1", "misdeal", "auction-call"),
        ("Anna 9", "misdeal", "auction-call"),
        ("Anna 99999999999", "misdeal", "auction-call"),
        ("Anna hang", "misdeal", "auction-call"),
        ("Ben 4", "misdeal", "auction-out-of-turn"),
        ("Anna 4, Anna 5", "misdeal", "auction-call"),
        ("Anna big-solo, Ben pass", "misdeal", "auction-call"),
        ("Anna 4, Ben good, Cem good, Dora good, Anna lowest 8", "misdeal", "auction-call"),
        ("Anna 4, Ben mit, Anna lowest 8", "misdeal", "auction-call"),
        ("Anna 4, Ben mit, Cem good, Dora good, Ben lowest 8", "misdeal", "auction-out-of-turn"),
        ("Anna 4, Ben mit, Cem good, Dora good, Anna concede", "misdeal", "auction-call"),
        ("Anna 4, Ben mit, Cem good, Dora good, Anna lowest 9, Ben lowest 9", "misdeal", "auction-too-low"),
        ("Anna 4, Ben mit, Cem good, Dora good, Anna lowest U", "misdeal", "auction-call"),
        ("Anna 4, Ben good, Cem mit, Dora good, Anna lowest 8", "misdeal", "auction-call"),
        ("Anna pass, Ben 4, Cem pass, Dora pass, Anna 5", "misdeal", "auction-after-pass"),
    ],
)
def test_000_making_trumps_calls_that_are_not_made(said: str, game: str, rule: str) -> None:
    assert rule in calls(said, game)


def test_000_making_trumps_who_is_first_to_speak_may_not_pass_with_one_two_or_three_jacks() -> None:
    one = "Anna: EU EA EZ GK G7 HA H7 SA"
    three = one.replace("EA EZ", "GU SU")
    assert calls("Anna pass", hands=one) == ["auction-call"]
    assert calls("Anna pass", hands=three) == ["auction-call"]
    assert calls("Anna pass", hands=one.replace("EU", "E9")) == []
    assert calls("Anna pass", hands=three.replace("G7", "HU")) == []  # all four may pass
    assert calls("Anna pass, Ben pass", hands=one.replace("Anna", "Ben")) == ["auction-call"]
    assert calls("Anna 3, Ben pass", hands=one.replace("Anna", "Ben")) == []


def test_000_making_trumps_nothing_is_good_before_a_number_was_bid() -> None:
    assert calls("Anna good") == ["auction-call"]
    assert calls("Anna pass, Ben good") == ["auction-call"]
    assert calls("Anna 3, Ben good, Cem pass, Dora good", "Anna bauernstoss H 3") == []


@pytest.mark.parametrize(
    ("hand", "rules"),
    [
        ("EU GU HA HK HO G9 E9 S9", ["auction-result"]),  # two Jacks: somebody must have bid
        ("EU GU HU SU HO G9 E9 S9", []),  # all four: the others must pass
        ("EA GA HA SA HO G9 E9 S9", []),  # none
        ("EU GU HA HK HO G9 E9 ??", []),  # what is not known may be Jacks
    ],
)
def test_000_making_trumps_only_with_all_jacks_in_one_hand_can_all_pass(hand: str, rules: list[str]) -> None:
    entry = f'[[deal]]\ndealer = "Dora"\nhands = ["Anna: {hand}"]\ngame = "none"'
    assert rules_of(judge_text(entry, "bauernstoss")[0]) == rules


def test_000_making_trumps_a_number_needs_a_suit_of_that_length() -> None:
    hand = "Anna: EU EA EZ GK G7 HA H7 SA"
    assert calls("Anna 3, Ben 4, Cem pass, Dora pass", "Ben bauernstoss H 4", hand) == []
    assert calls("Anna 4, Ben 5, Cem pass, Dora pass", "Ben bauernstoss H 5", hand) == ["auction-call"]
    assert calls("Anna 3", hands=hand.replace("EU", "E9")) == ["auction-call"]  # without a Jack


@pytest.mark.parametrize(
    ("said", "least"),
    [
        ("Anna 4, Ben mit", "8"),  # the opponent has bid 4
        ("Anna pass, Ben 4, Cem mit, Dora mit", "9"),  # the partner 4, the right-hand opponent mit
        ("Anna pass, Ben 4, Cem pass, Dora 4", "7"),  # the partner 4, the right-hand opponent has passed
        ("Anna 4, Ben pass, Cem mit, Dora mit", "8"),  # both opponents 4, the partner has passed
    ],
)
def test_000_making_trumps_the_examples_of_mit(said: str, least: str) -> None:
    last = said.split(", ")[-1].split()[0]
    for rank in "789":  # of Schellen; of Acorns there are as many, down to the Seven
        hand = f"{last}: EU GU SA S{rank} GA HA EA E7"
        assert calls(said, hands=hand) == ([] if rank >= least else ["auction-too-low"])


def test_000_alter_schoofkopp_to_go_along_with_the_partner_the_lowest_trump_must_be_an_eight() -> None:
    hand = "Cem: EU GU SA S7 GA HA EA HU"
    said, fits = "Anna 5, Ben pass, Cem mit", hand.replace("S7", "S8")
    assert calls(said, hands=hand) == []
    assert calls(said, hands=hand, name="alter-schoofkopp") == ["auction-too-low"]
    assert calls(said, hands=fits, name="alter-schoofkopp") == []


def test_000_alter_schoofkopp_the_higher_lowest_trump_is_strict_even_between_partners() -> None:
    said = "Anna 4, Ben pass, Cem mit, Dora pass, Anna lowest 8, Cem lowest 9"
    assert calls(said, "Cem bauernstoss H 4", name="alter-schoofkopp") == []
    assert calls(said, "Anna bauernstoss H 4", name="alter-schoofkopp") == ["auction-result"]


def test_000_making_trumps_the_lowest_card_named_is_that_of_the_suit_made_trumps() -> None:
    hand = "Ben: EU GU SA S9 GA HA EA E8"
    said = "Anna 4, Ben mit, Cem pass, Dora pass, Anna lowest 7, Ben lowest {}"
    assert calls(said.format("8"), "Ben bauernstoss E 4", hand) == []
    assert calls(said.format("9"), "Ben bauernstoss E 4", hand) == ["auction-call"]
    assert calls(said.format("9"), "Ben bauernstoss S 4", hand) == []
    assert calls(said.format("9"), "misdeal", hand) == []
    assert calls(said.format("K"), "misdeal", hand) == ["auction-call"]


def test_deutscher_schafkopf_a_ten_is_a_lower_lowest_trump_than_a_queen() -> None:
    said = "Anna 4, Ben mit, Cem pass, Dora pass, Anna lowest O, Ben lowest Z"
    assert calls(said, "Ben bauernstoss E 4") == []
    assert calls(said, "misdeal", name="deutscher-schafkopf") == ["auction-too-low"]


@settings(max_examples=examples(10, 40))
@given(st.integers(0, 2**32), st.sampled_from(SYSTEMS), st.sampled_from((1, 3)))
def test_no_opponent_of_who_has_won_the_auction_makes_trumps(seed: int, name: str, step: int) -> None:
    evening = session(name)
    made = deal(Random(seed), evening)
    assert made.game.declarer is not None
    another = replace(made, game=replace(made.game, declarer=(made.game.declarer + step) % 4))
    assert "auction-result" in rules_of(judge(evening, another, 1, empty_ledger(4)))


@given(
    st.sampled_from(((2, 32), (3, 24), (3, 36), (4, 32), (5, 20), (6, 36))),
    st.sampled_from(SYSTEMS),
    st.sampled_from(["bauernstoss H 4", "small-solo H", "big-solo H"]),
)
def test_a_table_with_another_number_of_seats_breaks_nothing(table: tuple[int, int], name: str, game: str) -> None:
    seats, deck = table
    names = ["Anna", "Ben", "Cem", "Dora", "Emil", "Fips", "Gitta"][:seats]
    text = f"""[[deal]]
    players = {names}
    dealer = "Anna"
    auction = ["Ben 4", "Anna mit", "Ben lowest 9"]
    game = "Ben {game}"
    exchange = ["Ben > Anna: E7", "Anna > Ben: SU"]
    tricks = ["Ben: HU HA", "SA S7 EU"]
    events = ["@2.1 Anna shows all"]
    """
    found = judge_one(text.replace("'", '"'), name, f"seats = {seats}\ndeck = {deck}\nhand_size = {deck // seats}")
    assert found.verdict in ("unplayable", "undecidable")


def test_a_solo_whose_dealer_is_not_known_is_not_guessed() -> None:
    """Who leads may be Vorhand, or sit behind Vorhand."""
    found = judged('game = "Ben big-solo H"\ntricks = ["Anna: H7 HA H9"]')
    assert found.replay.active == ()
    assert "the dealer" in missing_of(found)
