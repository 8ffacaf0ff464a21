"""Who plays with whom: document 001 Contracts: Rufer, Special Rounds: Kreuz, Avoiding Passed Out Hands: Ramsch."""

from typing import Any

import pytest
from msgspec.structs import replace
from support.rulesets import load_rules
from support.tables import HEAD, judge_one, missing_of
from support.worked_examples import EXAMPLE_1, PLAYERS, played

from archive.judge import Judgement
from archive.judge.infer import infer_house
from archive.judge.judge_deal import rules_of as rules_in_force
from archive.notation import read_toml
from archive.record import Deal, Finding, Game, PriceStep, Session, Source, Stated
from archive.say import say
from archive.settle.ledger import empty_ledger
from archive.settle.settle import settle

SEATS = 'contracts = ["rufspiel", "kreuz", "ramsch", "solo"]\nkreuz = { by = "seats" }'
ACES = 'contracts = ["rufspiel", "kreuz", "ramsch", "solo"]\nkreuz = { by = "aces" }'
PLAYED = EXAMPLE_1.replace('"Ben rufspiel S"', '"{game}"')  # legal in any game with these trumps but for the called Ace


def judged(game: str, more: str = "", house: str = ACES) -> Judgement:
    return judge_one(PLAYED.replace("{game}", game) + more, house=house)


def sides(found: Judgement) -> tuple[str | None, ...]:
    return found.replay.sides


# --- Rufer -----------------------------------------------------------------------------------------------------------


def test_001_rufer_who_has_played_the_called_ace_is_the_partner_though_no_hand_is_known() -> None:
    """Of the other cards only the leads were seen, so that no hand can be told from the tricks."""
    tricks = ", ".join(f'"{lead} ?? ?? ??"' for lead in ("Dora: H9", "Anna: HO")) + ', "Ben: SK SA ?? ??"'
    text = f'[[deal]]\ndealer = "Cem"\ngame = "Ben rufspiel S"\ntricks = [{tricks}]\n'
    found = judge_one(text)
    assert (found.replay.partner, sides(found)) == (2, ("defence", "declarer", "declarer", "defence"))
    assert "the partner" not in " ".join(missing_of(found))
    wrong = judge_one(text + 'with = "Dora"\n')
    assert "wrong-partner" in [each.rule for each in wrong.findings]


# --- Kreuz ------------------------------------------------------------------------------------------------------------


def test_001_kreuz_the_players_with_the_aces_are_partners() -> None:
    found = judged("Anna kreuz", 'with = "Ben"\n')
    assert (found.verdict, found.findings) == ("agrees", ())
    assert sides(found) == ("declarer", "declarer", "defence", "defence")
    assert (found.settlement.side_points, found.settlement.runners) == (62, 3)


def test_001_kreuz_by_aces_is_undecidable_without_one_of_the_two() -> None:
    assert missing_of(judged("Anna kreuz")) == ("the partner",)
    assert missing_of(judged("kreuz")) == ("the declarer",)


@pytest.mark.parametrize("game", ["Anna kreuz", "Ben kreuz", "kreuz"])
@pytest.mark.parametrize("draw", ['"Anna SA", "Ben EA"', '"Ben S7", "Anna SA", "Cem EO", "Anna GA", "Ben EA"'])
def test_001_kreuz_cards_are_dealt_face_up_until_two_players_have_an_ace(game: str, draw: str) -> None:
    found = judged(game, f"draw = [{draw}]\n")
    assert (found.verdict, found.findings) == ("agrees", ())
    assert sides(found) == ("declarer", "declarer", "defence", "defence")


@pytest.mark.parametrize(
    ("game", "more"), [("Anna kreuz", 'with = "Cem"\n'), ("Cem kreuz", ""), ("Cem kreuz", 'with = "Dora"\n')]
)
def test_001_kreuz_the_draw_is_held_against_the_partners_that_are_named(game: str, more: str) -> None:
    found = judged(game, f'draw = ["Anna SA", "Ben EA"]\n{more}')
    assert [(each.rule, each.message) for each in found.findings] == [
        ("wrong-parties", "who plays with whom in Kreuz: the draw made Anna and Ben partners")
    ]


@pytest.mark.parametrize(
    ("draw", "why"),
    [
        ('"Anna SA", "Anna EA"', "the draw: no two players were dealt a card of rank A"),
        ('"Anna SA", "Ben EA", "Cem GA"', "the draw: it ends when a second player is dealt a card of rank A"),
        ('"Cem S7", "Dora S7", "Anna SA", "Ben EA"', "the draw: S7 is in it twice"),
    ],
)
def test_a_draw_that_is_no_draw_is_noted(draw: str, why: str) -> None:
    found = judged("Anna kreuz", f'draw = [{draw}]\nwith = "Ben"\n')
    assert [(each.rule, each.severity, each.message) for each in found.findings] == [("draw-not-allowed", "note", why)]
    assert found.verdict == "agrees"


def test_where_nobody_draws_partners_a_draw_is_noted() -> None:
    found = judge_one('[[deal]]\ndealer = "Anna"\ndraw = ["Anna SA"]\ngame = "Ben solo H"\n')
    assert [each.message for each in found.findings] == ["the draw: nobody draws partners here"]


def test_001_kreuz_the_players_sitting_opposite_are_partners() -> None:
    found = judged("kreuz", house=SEATS)
    assert (found.verdict, found.findings) == ("agrees", ())
    assert sides(found) == ("declarer", "defence", "declarer", "defence")
    assert found.settlement.payments is not None
    assert sum(payment or 0 for payment in found.settlement.payments) == 0


def test_001_kreuz_forehand_and_who_sits_opposite_count_as_the_declarers_side() -> None:
    found = judge_one('[[deal]]\ndealer = "Anna"\ngame = "kreuz"\n', house=SEATS)
    assert sides(found) == ("defence", "declarer", "defence", "declarer")


@pytest.mark.parametrize(("points", "pays"), [(91, 20), (90, 10), (61, 10), (60, 0), (59, 10), (30, 10), (29, 20)])
def test_001_kreuz_both_pairs_need_61_to_win_and_91_for_schneider(points: int, pays: int) -> None:
    rules = load_rules("bavarian", {"kreuz": {"by": "seats"}})
    both: Any = ("declarer", "defence", "declarer", "defence")
    finished = replace(played(points, 4, "kreuz", None), declarer=None, sides=both)
    found = settle(Deal(game=Game("kreuz")), PLAYERS, rules, finished, empty_ledger(4)).payments
    sign = 1 if points > 60 else -1
    assert found == (sign * pays, -sign * pays, sign * pays, -sign * pays)


def test_a_kreuz_is_written_as_it_was_read() -> None:
    text = HEAD.format(rules="bavarian") + '[[deal]]\ngame = "Anna Kreuz"\nwith = "Ben"\n[[deal]]\ngame = "Cross"\n'
    _, *deals = (each for each in read_toml(text.encode(), Source("test.toml")) if not isinstance(each, Finding))
    games = [
        (each.game.contract, each.game.declarer, each.partner) for each in deals if isinstance(each, Deal) and each.game
    ]
    assert games == [("kreuz", 0, 1), ("kreuz", None, None)]


def test_nothing_is_inferred_of_what_all_pass_leads_to_from_a_kreuz() -> None:
    head = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="bavarian", house={"kreuz": {"by": "seats"}})
    told = Stated(steps=(PriceStep("base", 10),))
    found = infer_house(head, [Deal(game=Game("kreuz"), dealer=3, stated=told)])
    assert rules_in_force(found)[0]


# --- what cannot be ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "more", "house", "why"),
    [
        ("Anna kreuz", "", SEATS, "it has no declarer, but the record names Anna"),
        ("kreuz", 'with = "Cem"\n', SEATS, "nobody has chosen a partner in it, but the record names Cem"),
        ("Ben solo S", 'with = "Cem"\n', ACES, "nobody has chosen a partner in it, but the record names Cem"),
        ("Anna kreuz", 'with = "Anna"\n', ACES, "Anna is declarer and partner at once"),
    ],
)
def test_a_declarer_or_partner_that_cannot_be(game: str, more: str, house: str, why: str) -> None:
    wrong = [each for each in judged(game, more, house).findings if each.rule == "wrong-parties"]
    assert [say(each.facts["why"]) for each in wrong] == [why]


def test_who_sits_out_plays_with_nobody() -> None:
    text = '[[deal]]\nplayers = ["Anna", "Ben", "Cem", "Dora", "Emil"]\ndealer = "Emil"\nsits_out = ["Emil"]\n'
    found = judge_one(text + 'game = "Anna kreuz"\nwith = "Emil"\n', house=ACES)
    assert [each.message for each in found.findings] == ["who plays with whom in Kreuz: Emil sits out"]


# --- everyone alone ---------------------------------------------------------------------------------------------------


def test_001_ramsch_everyone_plays_alone() -> None:
    assert sides(judged("ramsch")) == ("alone",) * 4
