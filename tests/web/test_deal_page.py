"""The deal page's facts, from judgements of an invented evening (`web_evening.toml`)."""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace
from support import deal_pages
from support.cardless_club import SHEET
from support.samples import ROWS
from support.store_samples import read
from support.web_archive import evening

import archive.text
import archive.web
from archive.analysis.proofs import Kind
from archive.engine.duties import DUTIES
from archive.explain import explain
from archive.judge import Judgement, judge_session
from archive.judge.compare_stated import COMPUTED
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Basis
from archive.notation.game_words import CALLS, WORDS
from archive.notation.read_values import VERBS
from archive.record import Deal, Event, Game, Source
from archive.resources import resource_dir
from archive.rules.guide import guide
from archive.rules.titles import trick_name
from archive.store.accounts import ROLES
from archive.store.live_evenings import DRAFTED, Outcome
from archive.store.privacy import AUDIENCES, SUBJECTS
from archive.web import vega
from archive.web.card_sprites import static_text
from archive.web.check.routes import EXAMPLES
from archive.web.deal import model as deal_model
from archive.web.deal import settlement as deal_settlement
from archive.web.deal.settlement import disputed_line
from archive.web.deal.timeline import owner_initials
from archive.web.evening.offers import ENDS
from archive.web.search.queries import DEALS
from archive.web.texts import LANGUAGES, TEXTS
from importers import IMPORTERS, record_toml

T = TEXTS["en"]
PLACE = deal_model.DealPosition(id=1, session=1, event="Stammtisch")


@pytest.fixture(scope="module", name="evening")
def the_evening() -> list[Judgement]:
    return evening()


def shown(judgement: Judgement) -> deal_model.DealPage:
    return deal_pages.deal_page(judgement, PLACE, T)


def steps(page: deal_model.DealPage) -> list[dict]:
    return json.loads(page.table.replay)["steps"]


def by_id(page: deal_model.DealPage) -> dict[str, dict]:
    return {step["id"]: step for step in steps(page)}


def test_every_deal_of_the_evening_has_a_page(evening: list[Judgement]) -> None:
    assert [found.verdict for found in evening] == [
        "differs", "agrees", "unplayable", "agrees", "agrees", "undecidable", "undecidable",
    ]  # fmt: skip
    titles = ["Rufspiel Gras", "Wenz", "Solo Eichel", "Ramsch", "thrown in", "Rufspiel Eichel", "Rufspiel Schellen"]
    assert [shown(found).heading.title for found in evening] == titles


def test_steps_tell_the_deal_in_the_order_it_happened(evening: list[Judgement]) -> None:
    ids = [step["id"] for step in steps(shown(evening[0]))]
    assert ids[:9] == ["start", "k1", "a1", "a2", "a3", "a4", "g", "t1.1", "d1"], (
        "Kontra is said before the second card"
    )
    assert ids[-2:] == ["t8.4", "end"]
    assert len(ids) == len(set(ids)) == 32 + 7 + 2


def test_factor_grows_where_the_settlement_has_its_proof(evening: list[Judgement]) -> None:
    found = by_id(shown(evening[0]))
    assert [found[at].get("factor", 1) for at in ("start", "k1", "t1.1", "d1", "end")] == [1, 2, 2, 4, 4]


def test_points_won_so_far_add_up_to_all_card_points(evening: list[Judgement]) -> None:
    for judgement in evening[:4]:
        page = shown(judgement)
        end = steps(page)[-1]["won"]
        assert sum(points for points, _ in end.values()) == page.table.total == 120
        assert sum(tricks for _, tricks in end.values()) == 8
        assert {int(seat): tally[0] for seat, tally in end.items()} == dict(enumerate(judgement.replay.points))


def test_allowed_cards_are_those_of_the_replay(evening: list[Judgement]) -> None:
    judgement = evening[0]
    order = steps(shown(judgement))
    for step in judgement.replay.steps:
        before = order[[move["id"] for move in order].index(f"t{step.trick}.{step.place}") - 1]
        assert (before["turn"], tuple(before["may"])) == (step.seat, step.allowed_cards)
    assert "turn" not in order[1], "nobody is in turn before the game is named"


def test_a_broken_duty_stands_on_its_card_in_its_words(evening: list[Judgement]) -> None:
    page = shown(evening[2])
    step = by_id(page)["t2.2"]
    assert step["flag"]
    assert "must follow trump" in step["say"]
    cell = next(cell for row in page.course.rows for cell in row.cells if cell and cell.id == "t2.2")
    assert cell.broken
    assert page.evidence.findings[0].at == deal_model.MoveLink("Schellen-Sau", "t2.2")


def test_what_must_be_followed_is_said_beforehand(evening: list[Judgement]) -> None:
    found = by_id(shown(evening[0]))
    assert found["d1"]["next"] == "Ben must follow trump"
    assert found["g"]["next"] == "Anna may lead any card"


def test_partner_is_secret_until_the_called_card_is_played(evening: list[Judgement]) -> None:
    page = shown(evening[0])
    mark = next(mark for seat in page.table.seats for mark in seat.marks if mark.text == T["partner"])
    assert mark.secret
    assert by_id(page)[mark.since]["card"] == "GA"


def test_hands_stand_trumps_first_and_know_when_each_card_leaves(evening: list[Judgement]) -> None:
    page = shown(evening[0])
    ben = next(seat for seat in page.table.seats if seat.name == "Ben")
    assert [card.code for card in ben.cards] == ["EO", "GO", "SO", "EU", "GU", "EK", "G9", "S9"]
    found = by_id(page)
    assert all(found[card.until]["card"] == card.code for card in ben.cards if card.until)


def test_a_ramsch_counts_points_by_player_and_names_the_loser(evening: list[Judgement]) -> None:
    page = shown(evening[3])
    assert [group.seats for group in page.table.groups] == [(3,), (0,), (1,), (2,)]
    assert page.table.levels == ()
    assert page.heading.loser == "Dora"
    game, points = page.settlement.lines[0], evening[3].settlement.side_points if evening[3].settlement else None
    assert [link.text.partition(" with ")[0] for link in game.proof] == [str(points)]


def test_stated_and_computed_stand_side_by_side(evening: list[Judgement]) -> None:
    rows = {row.label: (row.stated, row.computed, row.off) for row in shown(evening[0]).settlement.comparisons}
    assert rows["Price"] == ("160", "320", True)
    assert rows["Points"] == ("75", "75", False)
    assert rows["Anna:"] == ("−160", "−320", True)


def test_what_cannot_be_computed_is_not_held_against_the_record(evening: list[Judgement]) -> None:
    rows = shown(evening[5]).settlement.comparisons
    assert rows
    assert all(row.computed == "–" and not row.off for row in rows)
    assert shown(evening[5]).evidence.missing


def test_deals_without_cards_show_what_is_there(evening: list[Judgement]) -> None:
    for judgement in (evening[4], evening[5]):
        page = shown(judgement)
        assert [segment.label for segment in page.course.segments] == ["Start", "End"]
        assert page.table.groups == ()
        assert [seat.cards for seat in page.table.seats] == [()] * 4


def test_unknown_partner_leaves_players_apart(evening: list[Judgement]) -> None:
    page = shown(evening[6])
    assert len(page.table.groups) == 4
    assert all(row.score == "" for row in page.course.rows)


@pytest.mark.parametrize("seats", range(2, 7))
def test_any_number_of_seats_has_a_page(evening: list[Judgement], seats: int) -> None:
    names = tuple("ABCDEF"[:seats])
    session = replace(evening[0].session, players=names)
    for game in (None, Game("none"), Game("wenz", 0), Game("ramsch")):
        deal = Deal(dealer=seats - 1, game=game, knocks=(0,), events=(Event(0, "shows", "3.2", "all"),))
        (judgement,) = judge_session(session, [deal])
        assert {seat.name for seat in shown(judgement).table.seats} <= set(names)


def test_a_record_whose_rules_are_unknown_has_a_page(evening: list[Judgement]) -> None:
    session = replace(evening[0].session, rules="nowhere")
    (judgement,) = judge_session(session, [evening[0].deal])
    page = shown(judgement)
    assert (page.heading.verdict, page.settlement.lines) == ("undecidable", ())
    assert {row.computed for row in page.settlement.comparisons} == {"–"}
    assert all(len(seat.cards) == 8 for seat in page.table.seats)


def test_names_cannot_end_the_script_element(evening: list[Judgement]) -> None:
    players = ("</script><b>", "Ben", "Cem", "Dora")
    judgement = evening[0]
    page = shown(replace(judgement, session=replace(judgement.session, players=players)))
    assert "<" not in page.table.replay
    assert "</script><b>" in steps(page)[2]["say"]


@pytest.mark.parametrize(("name", "limit"), [("archive.css", 21), ("deal.js", 12), ("cards-german.svg", 30)])
def test_static_files_stay_small(name: str, limit: int) -> None:
    assert len(static_text(name).encode()) < limit * 1024


def test_every_text_is_used_and_every_name_of_the_engine_has_one() -> None:
    modules = (path for room in (archive.text, archive.web) for path in Path(room.__path__[0]).rglob("*.py"))
    pages = [*resource_dir().rglob("*.html"), *modules]
    source = "".join(path.read_text("utf-8") for path in pages)
    named = {f"a_{key}" for key in COMPUTED if key != "payments"} | {f"a_{key}_of" for key in deal_settlement.PER_SEAT}
    named |= (
        {"h_withdraw", "h_restore"}
        | {f"ca_{each}" for each in ("received", "credit", "paid", "owed")}
        | {f"cl_{honour}" for honour in ("dearest", "row", "declared", "turn", "schneider")}
        | {f"n_{duty}" for duty in DUTIES}
        | {f"c_{call}" for call in CALLS}
        | {f"word_{word}" for word in WORDS}
        | {"many_agrees", "many_differs"}
        | {f"basis_{each}" for each in get_args(Basis)}
    )
    named |= {key for key in T if key.startswith("v_") and key.removesuffix("_arg")[2:] in VERBS}
    named |= {key for key in T if key.startswith(("r_house_", "r_contract_", "r_round_", "r_special_", "rv_"))}
    named |= {f"p_format_{importer.NAME}" for importer in IMPORTERS} | {f"p_try_{name}" for name in EXAMPLES}
    named |= {key for key in T if key.startswith(("on_ace_", "c_turn_", "s_turn_"))}  # of cards, of turns
    named |= {f"vis_{each}" for each in (*AUDIENCES, *SUBJECTS, "everybody")}
    named |= {f"ev_{outcome}" for outcome in get_args(Outcome)} | {f"ev_why_{outcome}" for outcome in DRAFTED}
    named |= {f"ev_o_{outcome}" for outcome in ENDS} | {"ev_double_1", "ev_double_2"}
    named |= {
        f"ev_ask_{'_'.join(part)}"
        for each in guide()
        for part in ((each.id,), *((each.id, one) for one in each.answers))
    }
    named |= {f"place_{place}" for place in (2, 3, 4)} | {
        f"door_{does}{role}" for role in ROLES for does in ("", "does_")
    }
    named |= {f"an_prove_{kind}" for kind in get_args(Kind)}
    named |= {key for key in T if key.startswith(("sc_", "sv_", "sl_", "ds_op_"))}  # of questions, for `test_web_stats`
    named |= {key for path in vega.SPECS.glob("*.json") for key in re.findall(r'"t:(\w+)"', path.read_text("utf-8"))}
    named |= {option.text for each in DEALS.values() for option in (each.options or {}).values()} & set(T)
    assert {f"v_{verb}" for verb in VERBS} <= named
    assert named <= set(T)
    used = {*re.findall(r"\bt\.(\w+)", source), *re.findall(r"""(?<=["'])[\w-]+(?=["'])""", source)}
    assert set(T) - named - {"lang", "faces"} - used == set()


@pytest.mark.parametrize("language", TEXTS)
def test_every_language_has_every_text(language: str) -> None:
    assert TEXTS[language].keys() == T.keys()
    for key, text in T.items():
        assert set(re.findall(r"{(\w+)", TEXTS[language][key])) == set(re.findall(r"{(\w+)", text)), key


def test_no_two_pages_have_a_text_of_one_key() -> None:
    """All texts lie in one table: of two with one key a page would show the other's."""
    for language in LANGUAGES:
        files = Path(archive.web.__path__[0]).rglob(f"words/{language}.toml")
        keys = [key for path in files for key in tomllib.loads(path.read_text("utf-8"))]
        assert [key for key, count in Counter(keys).items() if count > 1] == []


def test_what_follows_from_a_mistake_stands_below_it() -> None:
    found = list(record_toml.read((ROWS / "a2.toml").read_bytes(), Source("a2.toml")))
    judged = [each for each in judge_stream(found) if isinstance(each, Judgement)][1]
    views = shown(judged).evidence.findings
    assert [view.rule for view in views if view.follows] == ["not-in-hand"] * 4
    assert views[[view.follows for view in views].index(True) - 1].rule == "wrong-leader"
    assert len(views) == len(judged.findings)


def test_002_05_a_fat_trick_has_20_points_a_champions_trick_40(evening: list[Judgement]) -> None:
    assert [trick_name(points) for points in (None, 19, 20, 39, 40)] == ["", "", "fat", "fat", "champion"]
    rows = [row for found in evening for row in shown(found).course.rows if row.cells]
    assert any(row.name for row in rows)
    for row in rows:
        assert row.name == trick_name(row.points)


# --- what is in dispute, and what came of a deal ----------------------------------------------------------------------


def disputed(judgement: Judgement, language: str = "en") -> deal_model.DealPage:
    explained = explain(judgement) if judgement.verdict == "differs" else None
    return deal_pages.deal_page(judgement, PLACE, TEXTS[language], explained=explained)


@pytest.mark.parametrize("language", TEXTS)
def test_a_deal_that_differs_names_its_likeliest_cause(language: str) -> None:
    judgement = evening()[0]
    page = disputed(judgement, language)
    assert page.evidence.dispute.why.says
    assert judgement.settlement.payments
    stated = judgement.deal.stated
    assert [each.differs for each in page.table.amounts] == [
        own != other for own, other in zip(judgement.settlement.payments, stated.payments or (), strict=True)
    ]


def test_a_deal_that_agrees_has_no_strip_and_no_moment() -> None:
    page = disputed(evening()[1])
    assert page.evidence.dispute is None
    assert not any(segment.flag for segment in page.course.segments)


@pytest.mark.parametrize(("payments", "named"), [("40, -40, 40, -40", False), ("20, -20, 20, -20", True)])
def test_a_total_that_was_added_up_wrong_is_in_no_line_of_the_price(payments: str, named: bool) -> None:
    stated = f"stated.payments = [{payments}]\nstated.totals = [900, 0, 0, -900]"
    (_, judgement), _ = read(SHEET.replace("stated.payments = [20, -20, 20, -20]", stated), "sheet.toml")[0]
    assert judgement.verdict == "differs"
    assert (disputed_line(judgement, explain(judgement)) is not None) == named


def test_every_deal_that_needs_a_look_has_a_moment_for_it() -> None:
    for judgement in evening():
        page = disputed(judgement)
        assert any(segment.flag for segment in page.course.segments) == (judgement.verdict != "agrees")


def test_the_result_is_one_sentence() -> None:
    results = [disputed(judgement).heading.result for judgement in evening()[:4]]
    rufspiel, wenz = "Ben with Dora wins 75 : 45, with 6, × 4: 320 ct", "Cem loses 38 : 82, with 2: 70 ct"
    assert results == [rufspiel, wenz, "", "Dora loses: 20 ct"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Anna", "Ben", "Cem", "Dora"), ("A", "B", "C", "D")),
        (("Kathi", "Karin", "Max", "Moni"), ("Kat", "Kar", "Ma", "Mo")),
        (("PcLinks", "PcRechts", "PcOben", "Ich"), ("PcL", "PcR", "PcO", "I")),
        (("Ex-Sauspieler 1", "Ex-Sauspieler 2", "Rita", "🦊 Fuchs"), ("1", "2", "R", "4")),
    ],
)
def test_owners_of_trumps_are_told_apart(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert owner_initials(names) == expected
