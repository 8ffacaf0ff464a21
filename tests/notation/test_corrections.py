"""Corrections: what was set in a deal later is laid over the record, and the record stays as it was."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.strategies import evenings
from support.thorough import examples

from archive.judge import judge_session
from archive.judge.infer import infer_house
from archive.notation import identity, read_lines, read_toml, write_line, write_toml
from archive.notation.corrections import (
    apply_corrections,
    changes_by,
    file_table,
    format_key,
    leaf_entries,
    parse_key,
    with_entries,
)
from archive.notation.key_table import FIELDS, OWN
from archive.notation.problem import Problem
from archive.record import Correction, Deal, Finding, Game, PriceStep, Session, Source, Stated, Trick

PLAYERS = ("Anna", "Ben", "Cem", "J. R.")
HEAD = Session(players=PLAYERS, rules="bavarian", source=Source("evening.toml", sha256="ab"))
DEAL = Deal(
    source=Source("evening.toml", 6, 30, "ab", 1),
    dealer=3,
    hands=(("EO", "GO"), ("HO", "SO"), None, ()),
    knocks=(0, 1),
    doubles=2,
    game=Game("rufspiel", 1, "G", "GA"),
    tricks=(Trick(("EO", "GO"), 0), Trick(("HO", "SO"), 1)),
    stated=Stated(points=75, payments=(20, -20, None, 5), winners=(0, 2), steps=(PriceStep("base", 20),)),
    house={"tariff": "10/20/50", "stock": {"amount": 10, "won_by": ["solo"]}},
    note="Cem asked for a recount.",
    x={"by hand": {"a.b": 1}},
)


def row(set_: dict[str, Any], when: str = "2026-11-15", by: str = "Dora") -> Correction:
    return Correction(by, when, "misread", set_)


def laid(**set_: Any) -> Deal:
    return with_entries(HEAD, DEAL, set_)


def after(set_: dict[str, Any]) -> Deal:
    return with_entries(HEAD, DEAL, set_)


def stated(**keys: Any) -> Deal:
    assert DEAL.stated
    return replace(DEAL, stated=replace(DEAL.stated, **keys))


# --- what can be set ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("set_", "expected"),
    [
        ({"stated.points": 76}, stated(points=76)),
        ({"stated": {"points": 76}}, stated(points=76)),
        ({"stated.points": {"Anna": 30, "Ben": 90}}, "a number stands there"),
        ({"stated.payments": [1, 2, -2, -1]}, stated(payments=(1, 2, -2, -1))),
        ({"stated.payments.Ben": 7}, stated(payments=(20, 7, None, 5))),
        ({"stated.payments.Seat3": 7}, stated(payments=(20, -20, 7, 5))),
        ({'stated.payments."J. R."': 7}, stated(payments=(20, -20, None, 7))),
        ({"stated": {"payments": {"J. R.": 7, "Anna": 0}}}, stated(payments=(0, -20, None, 7))),
        ({"stated.payments.Ben": {}}, stated(payments=(20, None, None, 5))),
        ({"stated.payments": {}, "stated.payments.Ben": 7}, stated(payments=(None, 7, None, None))),
        ({"stated.totals.Cem": 7}, stated(totals=(None, None, 7, None))),
        ({"stated.points": {}, "stated.points.Anna": 30}, stated(points=(30, None, None, None))),
        ({"stated.winners.2": "Ben"}, stated(winners=(0, 1))),
        ({"stated.winners.3": "Anna"}, stated(winners=(0, 2, 0))),
        ({"stated.steps.1": "base 50: Solo"}, stated(steps=(PriceStep("base", 50, None, "Solo"),))),
        ({"stated": {}}, replace(DEAL, stated=None)),
        ({"game": "Cem solo H tout"}, replace(DEAL, game=Game("solo", 2, "H", None, ("tout",)))),
        ({"game": "Cem Herz-Solo"}, replace(DEAL, game=Game("solo", 2, "H"))),
        ({"game": {}}, replace(DEAL, game=None)),
        ({"dealer": "Seat1"}, replace(DEAL, dealer=0)),
        ({"with": "Anna"}, replace(DEAL, partner=0)),
        ({"hands.Cem": "E7 E8"}, replace(DEAL, hands=(("EO", "GO"), ("HO", "SO"), ("E7", "E8"), ()))),
        ({"hands": ["Cem: E7"]}, replace(DEAL, hands=(None, None, ("E7",), None))),
        ({"hands.Anna": {}}, replace(DEAL, hands=(None, ("HO", "SO"), None, ()))),
        ({"held.Anna": ["EO"]}, replace(DEAL, held=(("EO",), None, None, None))),
        ({"tricks.2": "Ben: HO E7"}, replace(DEAL, tricks=(Trick(("EO", "GO"), 0), Trick(("HO", "E7"), 1)))),
        ({"tricks": {"2": "HO E7"}}, replace(DEAL, tricks=(Trick(("EO", "GO"), 0), Trick(("HO", "E7"))))),
        ({"tricks.1": {}}, replace(DEAL, tricks=(Trick(("HO", "SO"), 1),))),
        ({"tricks.1": {}, "tricks": {"1": {}}}, replace(DEAL, tricks=())),
        ({"tricks": []}, replace(DEAL, tricks=())),
        ({"tricks": {}}, replace(DEAL, tricks=None)),
        ({"knocks.3": "Cem"}, replace(DEAL, knocks=(0, 1, 2))),
        ({"knocks": 1}, replace(DEAL, knocks=1)),
        ({"sits_out.1": "Cem"}, replace(DEAL, sits_out=(2,))),
        ({"doubles": ["@1.2 Cem kontra"]}, "doubles"),
        ({"blind": "E7 E8"}, replace(DEAL, blind=("E7", "E8"))),
        ({"skat": "E7 E8"}, replace(DEAL, blind=("E7", "E8"))),
        ({"carry.stock": 80}, "carry"),
        ({"carry.pots.Hausbock": 80}, "carry"),
        ({"house.tariff": "20/50"}, replace(DEAL, house={"tariff": "20/50", "stock": DEAL.house["stock"]})),  # type: ignore[index]
        ({"house.stock.won_by.2": "wenz"}, "house"),
        ({"house.tariff": {}}, replace(DEAL, house={"stock": DEAL.house["stock"]})),  # type: ignore[index]
        ({'x."by hand"."a.b"': 2}, replace(DEAL, x={"by hand": {"a.b": 2}})),
        ({"x": {"by hand": {"c": [1]}}}, replace(DEAL, x={"by hand": {"a.b": 1, "c": [1]}})),
        ({"x.1": True}, replace(DEAL, x={"by hand": {"a.b": 1}, "1": True})),
        ({"rules": "pub"}, replace(DEAL, rules="pub")),
        ({"note": {}}, replace(DEAL, note=None)),
        ({"no": 4, "id": "7"}, replace(DEAL, no=4, id="7")),
        ({"players.2": "Emil"}, replace(DEAL, players=("Anna", "Emil", "Cem", "J. R."))),
        (
            {"players": ["Anna", "Emil", "Cem", "J. R."], "stated.payments.Emil": 0, "dealer": "Emil"},
            replace(stated(payments=(20, 0, None, 5)), players=("Anna", "Emil", "Cem", "J. R."), dealer=1),
        ),
        ({}, DEAL),
    ],
)
def test_each_kind_of_key_can_be_set_and_nothing_else_changes(set_: dict[str, Any], expected: Deal | str) -> None:
    if isinstance(expected, Deal):
        assert after(set_) == expected
    elif " " in expected:
        with pytest.raises(Problem):
            after(set_)
    else:
        told = after(set_)
        assert getattr(told, expected) != getattr(DEAL, expected)
        assert replace(told, **{expected: getattr(DEAL, expected)}) == DEAL


@pytest.mark.parametrize(
    ("set_", "rule", "why"),
    [
        ({"stated.paymets": 7}, "unknown-key", "stated.paymets; did you mean payments?"),
        ({"nonsense": {}}, "unknown-key", "nonsense"),
        ({"stated.nonsense": {}}, "unknown-key", "stated.nonsense"),
        ({"stated.payments.Dora": 7}, "unknown-player", "Dora"),
        ({"stated.payments": [1, 2]}, "wrong-type", "4 players"),
        ({"stated.payments.Anna": "much"}, "wrong-type", "a whole number"),
        ({"stated.points.Anna": 30}, "wrong-type", "as a whole"),
        ({"doubles.1": "Cem kontra"}, "wrong-type", "as a whole"),
        ({"game.suit": "H"}, "wrong-type", "as a whole"),
        ({"tricks.4": "EO"}, "wrong-type", "1 to 3"),
        ({"tricks.0": "EO"}, "wrong-type", "1 to 3"),
        ({"tricks.first": "EO"}, "wrong-type", "1 to 3"),
        ({"tricks.²": "EO"}, "wrong-type", "1 to 3"),
        ({"tricks.1": "Emil: EO"}, "unknown-player", "Emil"),
        ({"hands.Cem": "QQ"}, "unknown-card", "QQ"),
        ({"game": "Cem hopscotch"}, "unknown-contract", "hopscotch"),
        ({"players": ["Anna", "Ben"]}, "unknown-player", "Seat4"),
        ({"players": [*PLAYERS, "Emil"]}, "wrong-type", "5 players"),
        ({"players": ["Anna", "Anna", "Cem", "J. R."]}, "bad-players", "Anna"),
        ({"players": 4}, "wrong-type", "a list"),
        ({"correction": []}, "wrong-type", "only ever added"),
        ({"ruling": {}}, "wrong-type", "only ever added"),
        ({"": 1}, "wrong-type", "expected a key"),
        ({"stated.": 1}, "wrong-type", "empty"),
        ({"stated..points": 1}, "wrong-type", "expected a key"),
        ({'stated."points': 1}, "wrong-type", "expected a key"),
        ({"x" + ".a" * 9000: 1}, "wrong-type", "parts"),
        ({"x.a": float("inf")}, "wrong-type", "finite"),
        ({"blind": "E7", "skat": "E8"}, "wrong-type", "another word"),
    ],
)
def test_a_key_or_value_that_the_format_refuses_is_told_as_for_a_file(
    set_: dict[str, Any], rule: str, why: str
) -> None:
    deal = replace(DEAL, correction=(row(set_),))
    found, findings = apply_corrections(HEAD, deal)
    assert found == deal
    assert [each.rule for each in findings] == ["correction-not-applied"]
    assert why in findings[0].message
    assert findings[0].source == DEAL.source
    with pytest.raises(Problem) as problem:
        after(set_)
    assert problem.value.rule == rule


def test_corrections_are_laid_over_each_other_in_order_and_a_bad_one_is_left_out() -> None:
    rows = (row({"stated.points": 1}), row({"stated.pints": 2}), row({"stated.points": 3, "note": {}}))
    found, findings = apply_corrections(HEAD, replace(DEAL, correction=rows))
    assert found == replace(stated(points=3), note=None, correction=rows)
    assert len(findings) == 1


def test_a_correction_is_taken_back_by_another() -> None:
    set_ = {"game": "Cem wenz", "stated.payments.Cem": 7, "note": {}, "carry.stock": 8, "hands.Cem": "E7"}
    told = changes_by(HEAD, DEAL, set_)
    assert [(each.key, each.before, each.after) for each in told] == [
        ("game", "Ben rufspiel G", "Cem wenz"),
        ("stated.payments.Cem", None, 7),
        ("note", "Cem asked for a recount.", None),
        ("carry.stock", None, 8),
        ("hands.Cem", None, "E7"),
    ]
    back = {each.key: {} if each.before is None else each.before for each in told}
    assert with_entries(HEAD, with_entries(HEAD, DEAL, set_), back) == DEAL


def test_a_value_is_told_with_the_names_of_its_players() -> None:
    (told,) = changes_by(HEAD, DEAL, {"stated.payments": [0, 0, 0, 0]})
    assert told.before == {"Anna": 20, "Ben": -20, "J. R.": 5}
    (told,) = changes_by(HEAD, DEAL, {"hands": {}})
    assert told.before == {"Anna": "EO GO", "Ben": "HO SO", "J. R.": ""}


# --- any record -----------------------------------------------------------------------------------------------------

thorough = settings(max_examples=examples(10, 60), suppress_health_check=list(HealthCheck))


@thorough
@given(evenings(most=1), st.data())
def test_what_is_set_to_itself_changes_nothing(evening: tuple[Session, tuple[Deal, ...]], data: st.DataObject) -> None:
    session, deals = evening
    for deal in deals:
        bare = replace(deal, correction=None, ruling=None)
        plain = file_table(bare, bare.players or session.players, session)
        same = {key: value for key, value in plain.items() if key != "players" and sayable(value)}
        keys = data.draw(st.sets(st.sampled_from(sorted(same)))) if same else set()
        assert with_entries(session, deal, {key: same[key] for key in keys}) == deal


def sayable(value: Any) -> bool:
    """Whether `set` can say a value: no null is in it, and no empty table, which takes away."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return value is not None and value != {} and all(map(sayable, inner))


@thorough
@given(evenings(most=1), st.sampled_from([key for key in OWN if key not in ("correction", "ruling")]))
def test_what_is_taken_away_is_as_if_never_recorded(evening: tuple[Session, tuple[Deal, ...]], key: str) -> None:
    session, deals = evening
    for deal in deals:
        assert with_entries(session, deal, {key: {}}) == replace(deal, **{FIELDS.get(key, key): None})


@thorough
@given(evenings(most=2))
def test_corrections_of_any_record_are_applied_or_told(evening: tuple[Session, tuple[Deal, ...]]) -> None:
    session, deals = evening
    for deal in deals:
        found, findings = apply_corrections(session, deal)
        assert all(isinstance(each, Finding) for each in findings)
        assert (found.correction, found.source) == (deal.correction, deal.source)


@thorough
@given(st.lists(st.text(st.characters(exclude_characters="'\""), min_size=1), min_size=1, max_size=5))
def test_a_key_written_is_read_again(parts: list[str]) -> None:
    assert parse_key(format_key(parts)) == tuple(parts)


def test_nested_and_dotted_keys_say_the_same() -> None:
    nested = {"stated": {"payments": {"Anna": 1}, "price": 2}, "x": {}}
    assert list(leaf_entries(nested)) == list(leaf_entries({"stated.payments.Anna": 1, "stated.price": 2, "x": {}}))


# --- judged ---------------------------------------------------------------------------------------------------------


def test_both_encodings_hold_the_same_correction() -> None:
    deal = replace(DEAL, correction=(row({"stated.payments.Anna": 1, "x": {"a": [1, {}]}, "note": {}}),))
    (_, line), (_, page) = (
        [each for each in read if not isinstance(each, Finding)]
        for read in (
            read_lines(write_line(HEAD, deal), Source("")),
            read_toml(write_toml(HEAD, [deal]).encode(), Source("")),
        )
    )
    assert isinstance(line, Deal)
    assert isinstance(page, Deal)
    expected = stated(payments=(1, -20, None, 5)).stated
    assert apply_corrections(HEAD, line)[0].stated == apply_corrections(HEAD, page)[0].stated == expected


def test_a_deal_is_judged_as_corrected_and_keeps_what_was_recorded() -> None:
    head = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="bavarian")
    thrown = Deal(game=Game("none"), dealer=0, correction=(row({"dealer": "Ben"}),))
    first, second = judge_session(head, [thrown, Deal(game=Game("none"))])
    assert (first.deal.dealer, first.recorded) == (1, thrown)
    assert second.before.dealer == 2, "the session is settled again from the corrected deal on"


def test_settings_are_inferred_from_the_corrected_deals() -> None:
    head = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="bavarian")
    said = Deal(game=Game("solo", 0, "E"), stated=Stated(steps=(PriceStep("base", 50),)))
    fixed = replace(said, correction=(row({"stated.steps": ["base 60"]}),))
    assert (infer_house(head, [said]).house or {})["price"] == {"solo": 50}
    assert (infer_house(head, [fixed]).house or {})["price"] == {"solo": 60}


def test_a_deal_is_known_by_what_was_recorded_and_not_by_what_was_added() -> None:
    fixed = replace(DEAL, correction=(row({"note": {}}),))
    assert identity(HEAD, DEAL, 1) == identity(HEAD, fixed, 1)
    assert identity(HEAD, DEAL, 1) != identity(HEAD, replace(DEAL, note=None), 1)
