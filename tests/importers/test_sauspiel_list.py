"""The list of games of sauspiel.de: every game is there with what the list tells of it, and no more."""

import re

import pytest
from msgspec.structs import replace
from support.items import Read, bare, by_kind
from support.paths import ROOT
from support.patience import without_hanging
from support.writers import sauspiel_list as writer

from archive.record import Finding, Game, Source
from importers.sauspiel import game_list

SAMPLE = (ROOT / "sample_games" / "valid" / "sauspiel-list.html").read_bytes()


def read(data: bytes) -> Read:
    sessions, deals, findings = by_kind(game_list.read(data, Source("list.html", sha256="abc")))
    return [replace(each, source=None) for each in sessions], deals, findings


def changed(old: str, new: str, count: int = 1) -> bytes:
    text = SAMPLE.decode()
    assert old in text
    return text.replace(old, new, count).encode()


def rules(findings: list[Finding]) -> list[str]:
    return [each.rule for each in findings]


SESSIONS, DEALS, _ = read(SAMPLE)


def test_the_sample_is_read_whole() -> None:
    sessions, deals, findings = read(SAMPLE)
    assert findings == []
    assert len(deals) == SAMPLE.count(b"games-item")
    assert all(session.players == sessions[0].players for session in sessions)


def test_a_game_that_was_thrown_in_has_its_number_its_knocks_and_no_hand() -> None:
    deal = next(deal for deal in DEALS if deal.game == Game("none"))
    assert deal.id
    assert (deal.knocks, deal.doubles, deal.hands, deal.inferred) == (2, None, None, None)
    assert deal.stated.price == 0


def test_the_hand_belongs_to_who_is_logged_in() -> None:
    assert DEALS[0].hands
    assert [hand is not None for hand in DEALS[0].hands] == [False, True, False, False]
    assert DEALS[0].inferred == (writer.OWN,)


@pytest.mark.parametrize("top", ["", '<span class="topbar-username-mobile">Somebody</span>'])
def test_a_hand_that_is_nobodys_is_kept_without_a_player(top: str) -> None:
    text = re.sub(r"<span class=.topbar.*?</span>", top, SAMPLE.decode())
    _, deals, findings = read(text.encode())
    assert findings == []
    assert all(deal.hands is None and deal.inferred is None for deal in deals)
    assert deals[0].x == {"hand": " ".join(DEALS[0].hands[1] or ())}
    assert deals[0].game == DEALS[0].game


def test_the_short_deck_is_read_from_the_line_under_the_title() -> None:
    short = [session for session in SESSIONS if (session.house or {}).get("deck") == 24]
    assert len(short) == 1
    assert short[0].inferred is None
    assert SESSIONS[0].house
    assert "deck" not in SESSIONS[0].house


@pytest.mark.parametrize("dash", ["-", "–", "—"])
def test_any_dash_parts_the_line_under_the_title(dash: str) -> None:
    sessions, deals, findings = read(SAMPLE.decode().replace(" - ", f" {dash} ").encode())
    assert (sessions, bare(deals), findings) == (SESSIONS, bare(DEALS), [])


def test_absolute_addresses_and_scripts_of_a_saved_page_change_nothing() -> None:
    text = (
        SAMPLE.decode()
        .replace('href="/', 'href="https://www.sauspiel.de/')
        .replace("</head>", "<script>if (1<2) {}</script></head>")
    )
    sessions, deals, findings = read(text.encode())
    assert (sessions, bare(deals), findings) == (SESSIONS, bare(DEALS), [])


@pytest.mark.parametrize(
    ("told", "count"),
    [
        ("2x Kontra", 2),
        ("<b>2</b>x Kontra", 2),
        ("<b>2</b> x Kontra", 2),
        ("x Kontra", None),
        ("0x Kontra", 0),
        ("", None),
    ],
)
def test_a_count_is_a_number_before_its_word_and_not_the_end_of_another_text(told: str, count: int | None) -> None:
    text = re.sub(r"(?<=<p>)\d*x Kontra", told, SAMPLE.decode())
    _, deals, findings = read(text.encode())
    assert findings == []
    assert {deal.doubles for deal in deals} == {count}


@pytest.mark.parametrize(
    ("old", "new", "rule", "lost"),
    [
        ("Ergebnis: P", "Resultat: P", "log-incomplete", "stated"),
        ("card-icon-EO", "card-icon-EQ", "unknown-card", "hands"),
        ("gewonnen mit", "irgendwie", "log-incomplete", "stated"),
        ("Sauspiel auf die", "Schafspiel auf die", "unknown-contract", "game"),
        ("15.04.2026 20:08", "gestern", "log-incomplete", "time"),
    ],
)
def test_what_is_damaged_costs_itself_and_a_finding_with_its_line(old: str, new: str, rule: str, lost: str) -> None:
    _, deals, findings = read(changed(old, new))
    assert rules(findings) == [rule]
    assert deals[0].source.line <= findings[0].source.line <= (deals[0].source.end_line or 0)
    assert findings[0].source.deal == 1
    for key in {"game", "hands", "time", "knocks", "doubles", "url", "stated"} - {lost}:
        runners = key == "stated" and lost == "game"  # stand in the title
        assert runners or getattr(deals[0], key) == getattr(DEALS[0], key)
    assert bare(deals)[1:] == bare(DEALS)[1:]


def test_a_game_without_its_players_costs_no_other() -> None:
    name = SESSIONS[0].players[3]
    _, deals, findings = read(changed(f'data-username="{name}"', "", 1))
    assert rules(findings) == ["deal-unreadable"]
    assert bare(deals) == bare(DEALS)[1:]


def test_two_numbers_of_one_game_are_a_finding() -> None:
    _, deals, findings = read(changed(f"#{DEALS[0].id}", "#1"))
    assert rules(findings) == ["bad-entry"]
    assert deals[0].id == "1"


def test_a_page_without_games_is_a_finding() -> None:
    assert rules(read(b"<p>games-item /spiele/")[2]) == ["no-deals"]


def test_a_page_of_elements_never_closed_is_refused_at_once() -> None:
    with without_hanging():
        assert rules(read(b"<div class='games-item'>" * 40_000)[2]) == ["deal-unreadable"]
