"""Deals typed as lines, in a text and in a chat: what tells a deal is one, what nearly does is a finding, all other
lines are counted."""

import pytest
from support.items import places_in
from support.tables import rules_of

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Finding, Session, Source
from importers import find, most_like, typed_lines

HEAD = "Spieler: Hans, Toni, Sepp, Maria Huber\nTarif: 10/20/50\nRegeln: pub\n"
LINES = (
    "Sepp Sauspiel auf die Alte mit Toni, verloren, 3 Laufende",
    "Servus, bin heut später dran",
    "Hans Herzsolo gewonnen, Kontra Maria Huber",
    "Zamgschmissn",
    "Hast du das Solo vom Hans gesehen?",
    "Weiter",
    "Toni, wann kommst du? Hab schon 20 Euro verloren",
)
ANDROID = "14.11.26, 20:{:02} - Anna Wirtin: {}"


def read(text: str) -> list[Session | Deal | Finding]:
    data = text.encode()
    assert find("x", data) == (typed_lines,)
    return list(typed_lines.read(data, Source("x")))


def deals(items: list[Session | Deal | Finding]) -> list[Deal]:
    return [each for each in items if isinstance(each, Deal)]


def test_a_line_that_begins_like_a_deal_and_is_not_understood_is_a_finding_with_its_line() -> None:
    items = read(HEAD + "Sepp Sauspeil auf die Alte, verloren\nToni Wnez gewonnen\nBruno Solo Herz gewonnen\nhallo\n")
    assert places_in(items) == [
        ("bad-entry", 4),
        ("bad-entry", 5),
        ("unknown-player", 6),
        ("no-deals", 1),
        ("lines-without-deal", 7),
    ]


def test_every_word_of_a_line_is_kept() -> None:
    (deal,) = deals(
        read(HEAD + "Hans und Maria Huber Sau auf Gras, verloren 55:65, Klopfer Toni und Sepp, Kontra Sepp, Geber Toni")
    )
    assert (deal.game.contract, deal.game.suit, deal.game.declarer, deal.partner, deal.dealer) == (
        "rufspiel",
        "G",
        0,
        3,
        1,
    )
    assert deal.knocks == (1, 2)
    assert [(each.seat, each.word) for each in deal.doubles or () if not isinstance(deal.doubles, int)] == [
        (2, "kontra")
    ]
    assert (deal.stated.won, deal.stated.points, deal.stated.points_against) == (False, 55, 65)


def test_without_rules_and_tariff_nothing_is_guessed_about_money() -> None:
    items = read("Players: Hans, Toni, Sepp, Maria\nSepp won a call game on the ace of acorns with Toni, 20 ct\n")
    session = items[0]
    assert (session.house, len(session.inferred or ())) == ({"tariff": "unknown"}, 1)


def test_a_chat_about_something_else_is_none_of_ours() -> None:
    talk = [line for line in LINES if line not in (LINES[0], LINES[2])]
    chat = "\n".join(ANDROID.format(n, line) for n, line in enumerate(talk))
    assert typed_lines not in find("x", chat.encode())
    copied = (f"[{moment}] Hans: {LINES[1]}".encode() for moment in ("20:15, 14.11.2026", "14.11.26, 20:15"))
    assert {*map(most_like, copied)} == {typed_lines}


@pytest.mark.parametrize("text", ["neulich", "31.02.2026", "20. Brachet 2026"])
def test_a_date_that_is_none_is_a_finding_and_costs_no_deal(text: str) -> None:
    items = read(f"{HEAD}Datum: {text}\n{LINES[0]}\n")
    assert places_in(items) == [("bad-entry", 4)]
    assert len(deals(items)) == 1


def test_a_date_that_is_none_is_talk_in_a_chat() -> None:
    said = [*HEAD.splitlines(), "Datum: schau ma mal", LINES[0]]
    items = read("\n".join(ANDROID.format(minute, line) for minute, line in enumerate(said)))
    assert places_in(items) == [("lines-without-deal", 4)]
    assert len(deals(items)) == 1


CHAT = [
    "12.11.26, 19:05 - Sepp: Spieler: Hans, Toni, Sepp, Maria",
    "12.11.26, 19:15 - Toni: Hans Wenz gewonnen",
    "13.11.26, 00:40 - Toni: Toni Wenz verloren",
    "13.11.26, 20:15 - Toni: Maria Wenz gewonnen",
    "19.11.26, 00:10 - Toni: Sepp Wenz gewonnen",
]


def test_deals_of_a_chat_on_another_day_are_another_evening_but_not_in_the_night_after() -> None:
    items = read("\n".join(CHAT))
    sessions = [each for each in items if isinstance(each, Session)]
    assert [each.date for each in sessions] == ["2026-11-12", "2026-11-13", "2026-11-19"]
    assert {each.players for each in sessions} == {("Hans", "Toni", "Sepp", "Maria")}
    assert [each.source.deal for each in deals(items) if each.source] == [1, 2, 1, 1]
    assert not places_in(items)


@pytest.mark.parametrize(
    ("first", "second", "dates"),
    [
        ("11/12/26, 19:05", "11/13/26, 19:07", ["2026-11-12", "2026-11-13"]),  # the second can only be so
        ("05/11/2026, 7:05 pm", "13/11/2026, 7:05 pm", ["2026-11-05", "2026-11-13"]),  # as in Britain
        ("5/11/26, 7:05 PM", "5/12/26, 7:05 PM", ["2026-05-11", "2026-05-12"]),
        ("05.11.26, 19:05", "06.11.26, 19:05", ["2026-11-05", "2026-11-06"]),
    ],
)
def test_the_month_stands_first_in_all_messages_of_a_chat_or_in_none(first: str, second: str, dates: list[str]) -> None:
    said = [f"{first} - Sepp: {HEAD.splitlines()[0]}"]
    said += [f"{moment} - Toni: Hans Wenz, won" for moment in (first, second)]
    items = read("\n".join(said))
    assert [each.date for each in items if isinstance(each, Session)] == dates


# --- three who name no rules play with 24 cards -----------------------------------------------------------------------

OF_THREE = """Nr;Spiel;Spieler;Partner;Ergebnis;Wert;Vroni;Girgl;Zenzi
1;Sauspiel;Vroni;Girgl;Gewonnen;0.50;+0.50 €;+0.50 €;-1.00 €
2;Solo;Zenzi;;Verloren;2.00;+2.00 €;+2.00 €;-4.00 €
"""
TYPED = """Spieler: Vroni, Girgl, Zenzi
Vroni Sauspiel mit Girgl gewonnen mit 74
Zenzi Solo verloren mit 45
"""


@pytest.mark.parametrize(("name", "text"), [("called.csv", OF_THREE), ("abend.txt", TYPED)])
def test_three_who_name_no_rules_play_legally_and_their_amounts_are_open(name: str, text: str) -> None:
    data = text.encode()
    (importer,) = find(name, data)
    found = list(judge_stream(importer.read(data, Source(name))))
    judged = [each for each in found if isinstance(each, Judgement)]
    assert len(judged) == 2
    assert [(each.verdict, rules_of(each)) for each in judged] == [("undecidable", [])] * 2
    assert all(each.session.house and each.session.house["seats"] == 3 for each in judged)
    assert any("house.seats" in note for note in judged[0].session.inferred or ())
