"""The lines of the sauspiel-scraper: what the page said is kept, what it lost is not made up, damage costs one line."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.items import Read, bare, by_kind
from support.paths import ROOT
from support.thorough import examples
from support.writers import sauspiel_scraper as writer

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Double, Game, Source
from importers import record_lines
from importers.sauspiel import events, scraper
from importers.sauspiel.site_words import read_names

VALID = ROOT / "sample_games" / "valid"
SAMPLE = (VALID / "sauspiel-scraper.jsonl").read_bytes()
LINES = SAMPLE.splitlines()
GAMES: list[dict[str, Any]] = [json.loads(line) for line in LINES]
FIRST, RAMSCH, OLDER, THROWN_IN, HALF_KNOWN = 0, 3, 5, 6, 7


def read(data: bytes) -> Read:
    sessions, deals, findings = by_kind(scraper.read(data, Source("games.jsonl", sha256="abc")))
    assert all(each.source and each.source.line >= 1 for each in findings), "each has a place"
    return sessions, deals, findings


def changed(number: int = FIRST, *path: str, **keys: Any) -> bytes:
    """A game of the sample with keys set, or taken out where the value is `...`, in the object at `path`."""
    game = deepcopy(GAMES[number])
    inner = game
    for key in path:
        inner = inner[key]
    inner |= keys
    for key in [key for key, value in inner.items() if value is ...]:
        del inner[key]
    return writer.line(game)


def only(data: bytes) -> Deal:
    """The deal of a line that is read without an error."""
    _, (deal,), findings = read(data)
    assert all(each.severity != "error" for each in findings)
    return deal


# --- the sample -------------------------------------------------------------------------------------------------------


def test_the_sample_is_read_whole_and_agrees() -> None:
    sessions, deals, findings = read(SAMPLE)
    assert (findings, len(deals), len(sessions)) == ([], 8, 8)
    contracts = [deal.game.contract for deal in deals if deal.game]
    assert contracts == ["rufspiel", "solo", "geier", "ramsch", "wenz", "farbwenz", "none", "rufspiel"]
    verdicts = [each.verdict for each in judge_stream(scraper.read(SAMPLE, Source("x"))) if isinstance(each, Judgement)]
    assert verdicts == ["agrees"] * 8


def test_a_line_tells_all_that_the_page_told() -> None:
    sessions, deals, _ = read(SAMPLE)
    session, deal = sessions[FIRST], deals[FIRST]
    assert session.players[0] == "Ex-Sauspieler #30907"
    assert (session.date, session.unit, session.origin) == ("2026-05-01", "P", "sauspiel.de")
    assert session.house["tariff"] == "10/20/50"
    assert (deal.id, deal.time, deal.dealer) == ("1650000200", "2026-05-01T21:10", 3)
    assert deal.url == "https://www.sauspiel.de/spiele/1650000200"
    assert isinstance(deal.doubles, tuple)
    assert [each.word for each in deal.doubles] == ["kontra", "re"]
    assert deal.stated.result == GAMES[FIRST]["meta"]["spielausgang"]
    assert deal.stated.partner is not None


def test_the_short_pack_is_stated_or_follows_from_the_hands() -> None:
    sessions, _, _ = read(SAMPLE)
    assert (sessions[4].house["deck"], sessions[4].inferred) == (24, None)
    without, _, _ = read(changed(4, "meta", deck_type=...))
    assert (without[0].house["deck"], without[0].inferred) == (24, ("house.deck: a hand has 6 cards",))


def test_older_lines_have_their_rows_beside_the_others() -> None:
    game = deepcopy(GAMES[OLDER])
    assert "extra_fields" not in game["meta"]
    rows = {key: game["meta"].pop(key) for key in ("tarif", "sonderregeln", "kontra_und_retour")}
    game["meta"]["extra_fields"] = rows
    assert bare(read(writer.line(game))[1]) == bare(read(LINES[OLDER])[1])


def test_rows_and_keys_without_a_meaning_here_are_kept() -> None:
    assert only(LINES[RAMSCH]).x == {"jungfrau": "-"}
    assert only(changed(scraped_by={"version": 3, "note": None}, rating=5)).x == {
        "scraped_by": '{"version":3,"note":null}', "rating": 5
    }  # fmt: skip


def test_an_unknown_player_of_a_trick_is_no_unknown_leader() -> None:
    deal = only(LINES[HALF_KNOWN])
    assert deal.tricks
    assert all(trick.leader is not None for trick in deal.tricks)
    nobody = [{"cards": ["?" + card[1:] for card in trick["cards"]]} for trick in GAMES[FIRST]["tricks"]]
    deal = only(changed(tricks=nobody))
    assert deal.tricks
    assert [trick.leader for trick in deal.tricks] == [None] * 8
    assert deal.stated.winners is None


def test_unknown_cards_are_unknown() -> None:
    game = deepcopy(GAMES[FIRST])
    game["initial_hands"][game["players"][0]][:2] = ["?", None]
    game["tricks"][0]["cards"][0] = "0:?"
    deal = only(writer.line(game))
    assert deal.hands[0]
    assert deal.hands[0][:2] == ("??", "??")
    assert deal.tricks[0].cards[0] == "??"


def test_some_missing_winners_are_not_made_up() -> None:
    game = deepcopy(GAMES[FIRST])
    game["tricks"][2]["winner"] = None
    del game["tricks"][3]["winner"]
    deal = only(writer.line(game))
    assert deal.stated.winners is None
    assert deal.x["winners"][2:4] == ["?", "?"]


# --- titles and results -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "game", "runners"),
    [
        ("Wenz von da Wastl", Game("wenz", 1), None),
        ("Wenz-Tout von da Wastl", Game("wenz", 1, words=("tout",)), None),
        ("Eichel-Solo ohne 2 von da Wastl", Game("solo", 1, "E"), -2),
        ("Gras-Farbwenz mit 4 von Loisl", Game("farbwenz", 2, "G"), 4),
        ("Sauspiel auf die Hundsgfickte von Ex-Sauspieler #30907", Game("rufspiel", 0, "S", "SA"), None),
        ("Geier-Tout mit 3 von Kathi_88", Game("geier", 3, words=("tout",)), 3),
    ],
)
def test_the_title_is_the_game(title: str, game: Game, runners: int | None) -> None:
    rest = {"players": GAMES[FIRST]["players"], "game_type": title.split("-")[0], "title": title}
    deal = only(writer.line({"game_id": "1", **rest, "meta": {"date": "2026-05-01T20:08:00"}}))
    assert deal.game == game
    assert (deal.stated.runners if deal.stated else None) == runners


def test_who_plays_is_told_by_the_roles_where_the_title_does_not() -> None:
    title = GAMES[FIRST]["title"].split(" von ")[0]
    assert only(changed(title=title)).game == only(LINES[FIRST]).game
    _, deals, findings = read(changed(0, "roles", **{"Kathi_88": "Gegenspieler", "Loisl": "Spieler"}))
    assert (deals, [each.rule for each in findings]) == ([], ["bad-entry"])


def test_runners_without_a_sign_are_kept_and_not_stated() -> None:
    title = "Sauspiel auf die Alte von Kathi_88"
    game = deepcopy(GAMES[FIRST]) | {"title": title}
    game["meta"]["laufende"] = "4"
    deal = only(writer.line(game))
    assert deal.x == {"laufende": "4"}
    assert deal.stated.runners is None


def test_a_tournament_has_a_name_and_no_tariff() -> None:
    game = deepcopy(GAMES[FIRST])
    rows = game["meta"]["extra_fields"]
    del rows["tarif"]
    rows["turnier"] = "Maiturnier"
    game["meta"]["wert"] = "TP 4"
    sessions, deals, findings = read(writer.line(game))
    assert (sessions[0].event, sessions[0].unit, findings) == ("Maiturnier", "TP", [])
    assert sessions[0].house["tariff"] == "unknown"
    assert deals[0].stated.price == 4


def test_real_money_is_counted_in_ct() -> None:
    game = deepcopy(GAMES[FIRST])
    game["meta"]["wert"] = "€ 1,20"
    game["meta"]["extra_fields"]["tarif"] = "€ 0,10 / 0,20 / 0,50"
    sessions, deals, _ = read(writer.line(game))
    assert sessions[0].unit == "ct"
    assert sessions[0].house["tariff"] == "10/20/50"
    assert deals[0].stated.price == 120


@pytest.mark.parametrize(
    ("written", "players", "seats"),
    [
        ("Resi,Xaver", ("Resi", "Xaver", "A", "B"), [(0, 1)]),
        ("Resi, Xaver", ("Resi", "Xaver", "A", "B"), [(0, 1)]),
        ("Resi", ("Resi", "Xaver", "A", "B"), [(0,)]),
        ("Resi,Xaver,A", ("Resi,Xaver", "Xaver", "A", "B"), [(0, 2)]),
        ("Resi,Xaver", ("Resi,Xaver", "Resi", "Xaver", "B"), [(0,), (1, 2)]),
        ("Resi,,Xaver", ("Resi", "Xaver", "A", "B"), []),
        ("Resi,", ("Resi", "Xaver", "A", "B"), []),
        ("ResiXaver", ("Resi", "Xaver", "A", "B"), []),
        ("a,a" * 400 + "x", ("a", "a,a", "aa", "a,aa"), []),
    ],
)
def test_names_that_run_together_are_read_in_one_way_or_not_at_all(
    written: str, players: tuple[str, ...], seats: list[tuple[int, ...]]
) -> None:
    assert sorted(read_names(written, players)) == sorted(seats)
    game = deepcopy(GAMES[THROWN_IN]) | {"players": list(players), "klopfer": [], "title": "Ramsch"}
    game["meta"]["extra_fields"]["kontra_und_retour"] = written
    _, deals, findings = read(writer.line(game))
    if len(seats) == 1:
        words = ("kontra", "re")
        assert deals[0].doubles == tuple(Double(seat, words[n]) for n, seat in enumerate(seats[0]))
    else:
        assert (deals, [each.rule for each in findings]) == ([], ["bad-entry"])


@pytest.mark.parametrize(
    ("path", "keys", "rule"),
    [
        ((), {"title": "Schnapsen von Kathi_88"}, "unknown-contract"),
        ((), {"players": ["a", "b", "c"]}, "deal-unreadable"),
        ((), {"players": ...}, "deal-unreadable"),
        ((), {"klopfer": ["Niemand"]}, "unknown-player"),
        ((), {"klopfer": "Loisl"}, "wrong-type"),
        ((), {"roles": {"Niemand": "Spieler"}}, "unknown-player"),
        ((), {"initial_hands": {"Niemand": []}}, "unknown-player"),
        ((), {"initial_hands": {"Loisl": ["Schellen-Zehner"]}}, "unknown-card"),
        ((), {"tricks": [{"cards": ["0:E-A", "2:E-K"]}]}, "deal-unreadable"),
        ((), {"tricks": [{"cards": ["4:E-A"]}]}, "bad-entry"),
        ((), {"tricks": [{"cards": ["0:E-A"]}, {"cards": ["1:G-A"]}]}, "deal-unreadable"),
        ((), {"tricks": [{"cards": []}]}, "deal-unreadable"),
        ((), {"tricks": [{"winner": 4, "cards": ["0:E-A"]}]}, "wrong-type"),
        (("meta",), {"date": "gestern"}, "bad-entry"),
        (("meta",), {"date": "2026-05-01"}, "bad-entry"),
        (("meta",), {"wert": "viel"}, "bad-entry"),
        (("meta",), {"wert": "P -4"}, "bad-entry"),
        (("meta",), {"wert": "€ 4,00"}, "bad-entry"),
        (("meta",), {"laufende": "9"}, "bad-entry"),
        (("meta",), {"spielausgang": "Remis"}, "bad-entry"),
        (("meta", "extra_fields"), {"tarif": "P zehn"}, "bad-entry"),
        (("meta", "extra_fields"), {"kontra_und_retour": 3}, "wrong-type"),
    ],
)
def test_what_cannot_be_costs_its_line(path: tuple[str, ...], keys: dict[str, Any], rule: str) -> None:
    _, deals, findings = read(LINES[1] + b"\n" + changed(FIRST, *path, **keys) + b"\n" + LINES[2])
    assert bare(deals) == bare(read(LINES[1] + b"\n" + LINES[2])[1])
    assert {each.rule for each in findings} == {rule}
    assert {(each.source.line, each.source.deal) for each in findings if each.source} == {(2, 2)}


def test_what_a_line_lacks_is_said() -> None:
    for keys, word in (
        ({"title": ...}, "the title"), ({"initial_hands": ...}, "hands"), ({"meta": ...}, "meta"),
        ({"tricks": GAMES[FIRST]["tricks"][:5]}, "12 of 32 cards"),
    ):  # fmt: skip
        _, deals, findings = read(changed(**keys))
        assert len(deals) == 1
        assert [each.rule for each in findings] == ["log-incomplete"]
        assert word in findings[0].message


# --- recognition ------------------------------------------------------------------------------------------------------


def test_it_is_known_by_its_content_alone() -> None:
    assert scraper.matches("x", SAMPLE[:65536])
    assert scraper.matches("x", json.dumps(GAMES, indent=2).encode()[:65536])
    assert not record_lines.matches("x", SAMPLE[:65536])
    assert not events.matches("x", SAMPLE[:65536])
    for other in (b"", b"{}", b'{"game_id": 3}', b'<html><script>{"game_id": 1, "players": []}'):
        assert not scraper.matches("games.jsonl", other)


# --- damage -----------------------------------------------------------------------------------------------------------


def mutations(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """A JSON value with something in it gone, of a wrong type, or mangled, and where that is."""
    junk: list[Any] = [None, 17, -3, 2.5, "§", True, [], [[]], {}, {"a": 1}, 10**30]
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{path}.{key}".lstrip(".")
            yield place, {other: kept for other, kept in value.items() if other != key}
            yield place, {other + "é" * (other == key): kept for other, kept in value.items()}
            for where, other in [*((place, each) for each in junk), *mutations(inner, place)]:
                yield where, value | {key: other}
    elif isinstance(value, list):
        for number, inner in list(enumerate(value))[:2]:
            yield path, value[:number] + value[number + 1 :]
            for where, other in [*((path, each) for each in junk), *mutations(inner, path)]:
                yield where, [*value[:number], other, *value[number + 1 :]]
    elif isinstance(value, str):
        yield from ((path, other) for other in (value[:-1], value + "§", f" {value}") if other != value)


# What says nothing, or says again what another key says: it may be damaged without a word.
SAID_TWICE = ("game_type", "roles", "meta.laufende", "meta.deck_type", "meta.extra_fields.sonderregeln")
# A dash, an empty text and a missing key are alike there; letters and blanks may be others, and mean the same.
LENIENT = ("meta.wert", "meta.spielausgang", "meta.extra_fields.kontra_und_retour", "meta.extra_fields.tarif", "title")


@pytest.mark.parametrize("number", [FIRST, THROWN_IN])
def test_every_key_gone_or_wrong_costs_its_own_line_at_most(number: int) -> None:
    want = bare(read(LINES[1] + b"\n" + LINES[2])[1])
    (head,), (own,), _ = read(LINES[number])
    told = replace(head, source=None), replace(own, source=None)
    silent, count = set(), 0
    for path, damaged in mutations(GAMES[number]):
        if damaged == GAMES[number]:
            continue
        count += 1
        sessions, deals, findings = read(b"\n".join([LINES[1], writer.line(damaged), LINES[2]]))
        found = bare(deals)
        assert (found[0], found[-1]) == (want[0], want[1]), path
        assert all(each.source and each.source.line == 2 for each in findings)
        assert len(found) == 3 or any(each.severity == "error" for each in findings), path
        if len(found) == 3 and not findings and (replace(sessions[1], source=None), found[1]) == told:
            silent.add(path)
    assert count > 250
    alike = {"initial_hands"} if number == THROWN_IN else set()  # no hands, whether it is empty or not there
    assert {path for path in silent if not path.startswith((*SAID_TWICE, *LENIENT))} == alike


@given(st.integers(0, len(LINES[0])), st.integers(0, 30), st.binary(max_size=8))
@settings(max_examples=examples(10, 200))
def test_a_damaged_line_costs_itself(place: int, gone: int, junk: bytes) -> None:
    broken = (LINES[0][:place] + junk + LINES[0][place + gone :]).replace(b"\n", b" ").replace(b"\r", b" ")
    want = bare(read(LINES[1] + b"\n" + LINES[2])[1])
    _, deals, findings = read(b"\n".join([LINES[1], broken, LINES[2]]))
    found = bare(deals)
    assert (found[0], found[-1]) == (want[0], want[1])
    assert len(found) == 3 or findings or not broken.strip()


def test_fifty_broken_lines_of_two_thousand_are_fifty_findings_in_order() -> None:
    rows = [LINES[number % 8] for number in range(2000)]
    broken = range(7, 2000, 40)
    for number in broken:
        rows[number] = rows[number][: len(rows[number]) // 2]
    _, deals, findings = read(b"\n".join(rows))
    assert len(deals) == 2000 - len(broken)
    assert [each.source and each.source.line for each in findings] == [number + 1 for number in broken]
