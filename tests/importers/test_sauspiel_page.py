"""Game pages of sauspiel.de: nothing of a page is lost, nothing is guessed, and damage costs itself and a finding."""

import re
from typing import Any

import pytest
from msgspec.structs import replace
from support.forty import forty
from support.items import Read, bare, by_kind
from support.paths import ROOT
from support.thorough import examples
from support.writers import sauspiel_page as writer

from archive.record import Call, Deal, Session, Source, Stated, Trick
from importers import find, html
from importers.sauspiel import game_page

VALID = ROOT / "sample_games" / "valid"
SAMPLES = {path.stem.removeprefix("sauspiel-"): path.read_bytes() for path in sorted(VALID.glob("sauspiel-*.html"))}
SAMPLES.pop("list", None)
RUFSPIEL = SAMPLES["rufspiel"].decode()
OLD = SAMPLES["wenz-old"].decode()


def read(data: bytes | str) -> Read:
    """Sessions and deals without their places, and the findings."""
    page = data if isinstance(data, bytes) else data.encode()
    sessions, deals, findings = by_kind(game_page.read(page, Source("page.html")))
    return [replace(each, source=None) for each in sessions], bare(deals), findings


def one(data: bytes | str) -> tuple[Session, Deal, list[tuple[str, str]]]:
    """The one session and deal of a page; of each finding its rule and the line that it points to."""
    sessions, deals, findings = read(data)
    assert (len(sessions), len(deals)) == (1, 1)
    lines = (data if isinstance(data, str) else data.decode()).split("\n")
    assert all(each.source and each.source.deal == 1 for each in findings)
    return sessions[0], deals[0], [(each.rule, lines[each.source.line - 1] if each.source else "") for each in findings]


def swapped(text: str, old: str, new: str, count: int = 1) -> str:
    assert old in text
    return text.replace(old, new, count)


def differences(deal: Deal, other: Deal) -> set[str]:
    return {key for key in Deal.__struct_fields__ if getattr(deal, key) != getattr(other, key)}


SESSION, DEAL, _ = one(RUFSPIEL)
PLAYERS = SESSION.players
STATED = DEAL.stated or Stated()


# --- whole pages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("old", [False, True])
def test_each_of_our_forty_deals_comes_back_from_its_page(old: bool) -> None:
    head, deals = forty()[0], forty()[1][: examples(16, 40)]
    for number, data in enumerate(writer.write(head, deals, old=old)):
        session, deal = writer.held(head, deals[number])
        wanted = replace(deal, auction=None) if old else deal
        assert read(data) == ([session], [wanted], [])
        assert find("x", data) == (game_page,)


def test_the_samples_are_read_whole() -> None:
    contracts = {}
    for name, data in SAMPLES.items():
        session, deal, findings = one(data)
        assert findings == []
        assert deal.hands
        assert None not in deal.hands
        contracts[name] = (deal.game.contract, session.unit)
    assert contracts == {
        "rufspiel": ("rufspiel", "P"), "solo-tout": ("solo", "ct"), "wenz-old": ("wenz", "P"),
        "ramsch": ("ramsch", "P"), "farbwenz-short": ("farbwenz", "P"), "tournament": ("solo", "TP"),
        "five-fifty": ("rufspiel", "P"), "thrown-in": ("none", "P"),
    }  # fmt: skip


def test_who_took_a_trick_may_stand_under_a_heading_of_its_own() -> None:
    """As the page has it in April 2026: the heading of a trick, in it another one above who took it."""
    before, after = '<div class="game-participant-avatar">Stich von ', '<div class="game-participant-avatar">'
    heading = '<h5 class="game-participant-title">Stich von</h5>'
    assert one(RUFSPIEL.replace(before, heading + after)) == (SESSION, DEAL, [])


def test_everything_on_the_page_is_in_the_record() -> None:
    assert PLAYERS == ("Ex-Sauspieler #20417", "da Sepp", "hirsch_42", "Moni B.")
    assert (SESSION.rules, SESSION.unit, SESSION.date, SESSION.origin) == ("bavarian", "P", "2026-04-15", "sauspiel.de")
    assert SESSION.house["tariff"] == "10/20/50"
    assert (DEAL.id, DEAL.url) == ("1550000101", "https://www.sauspiel.de/spiele/1550000101")
    assert (DEAL.dealer, DEAL.time) == (3, "2026-04-15T20:01")
    assert DEAL.game.declarer is not None
    assert isinstance(DEAL.doubles, tuple)
    assert [each.word for each in DEAL.doubles] == ["kontra", "re"]
    assert isinstance(DEAL.knocks, tuple)
    assert len(DEAL.knocks) == RUFSPIEL.split("Klopfer")[1].split("</tr>")[0].count("_Karten")
    assert STATED.payments
    assert sum(pay or 0 for pay in STATED.payments) == 0
    assert STATED.price == max(pay or 0 for pay in STATED.payments)
    assert STATED.winners
    assert len(STATED.winners) == 8
    assert DEAL.tricks
    assert sum(len(trick.cards) for trick in DEAL.tricks) == 32


def test_a_tournament_has_a_name_and_no_tariff() -> None:
    session, _, _ = one(SAMPLES["tournament"])
    assert session.event == "Sonntagsturnier im Hirschen"
    assert session.house["tariff"] == "unknown"


def test_two_prices_of_a_tariff_are_the_extra_and_one_for_all_games() -> None:
    assert "<td>P 5 / 50</td>" in SAMPLES["five-fifty"].decode()
    assert (one(SAMPLES["five-fifty"])[0].house or {})["tariff"] == "5/50/50"


def test_euros_are_counted_in_cents() -> None:
    session, deal, _ = one(SAMPLES["solo-tout"])
    assert (session.house or {})["tariff"] == "10/20/50"
    assert f"€ {deal.stated.payments[deal.game.declarer or 0] // 100}," in SAMPLES["solo-tout"].decode()  # type: ignore[union-attr, operator]


@pytest.mark.parametrize("rule", ["Farbwenz", "Geier", "Ramsch"])
def test_special_rules_are_what_the_table_plays(rule: str) -> None:
    text = re.sub(rf"<img[^>]*{rule}[^>]*>", "", RUFSPIEL)
    session, _, findings = one(text)
    assert findings == []
    assert (SESSION.house or {})["contracts"] == [*(session.house or {})["contracts"], rule.lower()] or (
        rule.lower() not in (session.house or {})["contracts"]
    )
    assert ("all_pass" in (session.house or {})) == (rule != "Ramsch")
    assert (one(SAMPLES["farbwenz-short"])[0].house or {})["deck"] == 24


def test_the_loser_of_a_ramsch_is_who_is_not_among_the_winners() -> None:
    _, deal, _ = one(SAMPLES["ramsch"])
    assert deal.stated.payments
    assert deal.stated.loser == deal.stated.payments.index(min(pay or 0 for pay in deal.stated.payments))


# --- the first packet, the bidding ------------------------------------------------------------------------------------


def test_the_first_packet_is_told_by_card_where_the_hands_are_sorted() -> None:
    assert DEAL.packet is None
    first = DEAL.x["first packet"]
    assert DEAL.hands
    for player, hand in zip(PLAYERS, DEAL.hands, strict=True):
        assert len(first[player].split()) == 4
        assert set(first[player].split()) < set(hand or ())


def test_the_first_packet_is_a_number_where_it_stands_first() -> None:
    head, deals = forty()
    number = next(place for place, deal in enumerate(deals) if deal.packet)
    _, deal, _ = one(writer.write(head, deals)[number])
    assert (deal.packet, deal.x) == (4, None)


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        (
            "0 sagt weiter.|1 dad gern.|2 dad gern.|3 sagt weiter.|2 hätt an Wenz.|1 lässt den Vortritt.",
            ["pass", "play", "play", "pass", "have-wenz", "good"],
        ),
        ("0 sagt weiter. (timeout)|1 dad gern.|1 hätt a Solo-Tout.", ["timeout", "play", "solo tout"]),
        ("0 dad gern.|0 hätt a Sauspiel.|0 spielt auf die Hundsgfickte.", ["play", "have-rufspiel", "rufspiel S"]),
        ("0 hätt an Farbwenz.|2 lässt den Vortritt. (timeout)", ["have-farbwenz", "timeout"]),
        ("0 dad gern. (timeout)|1 hätt an Geier-Tout.", ["play", "geier tout"]),
    ],
)
def test_the_bidding_is_read_call_by_call(said: str, calls: list[str]) -> None:
    _, deal, findings = one(with_bidding(said))
    assert findings == []
    assert deal.auction == tuple(Call(int(row[0]), call) for row, call in zip(said.split("|"), calls, strict=True))


def with_bidding(said: str) -> str:
    rows = [(int(row[0]), row[2:]) for row in said.split("|")]
    shown = "".join(f'<div class="card-row">\n  {PLAYERS[seat]}\n  {text}\n</div>\n' for seat, text in rows)
    start, end = RUFSPIEL.index("Spielermittlung"), RUFSPIEL.index("1. Stich")
    return f'{RUFSPIEL[:start]}Spielermittlung</h4>{shown}<h4 class="card-title">{RUFSPIEL[end:]}'


def test_the_bidding_is_kept_up_to_what_cannot_be_read() -> None:
    _, deal, findings = one(with_bidding("0 sagt weiter.|1 spielt Eichel.|2 dad gern."))
    assert [rule for rule, _ in findings] == ["line-not-read"]
    assert deal.auction == (Call(0, "pass"),)


def test_the_suit_of_a_bid_is_that_of_the_game() -> None:
    _, deal, _ = one(SAMPLES["solo-tout"])
    assert deal.auction[-1] == Call(deal.game.declarer or 0, f"solo {deal.game.suit} tout")


# --- as it was saved --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_that_a_browser_saved_gives_the_same_deal(name: str) -> None:
    text = SAMPLES[name].decode()
    address = "https://www.sauspiel.de/spiele/1550000101"
    saved = text.replace('href="/', 'href="https://www.sauspiel.de/').replace('href="#', f'href="{address}#')
    saved = saved.replace("</head>", '<script>for (i=0;i<n;i++) { x = "<h1>Wenz</h1>" }</script><!-- <h1> -->\n</head>')
    saved = saved.replace("<body>", '<body class="a">\n<style>.x > .y { color: red }</style>').replace("\n", "\r\n")
    assert read(saved) == read(text)
    assert find("x", saved.encode()) == (game_page,)


def test_a_page_of_something_else_is_not_claimed() -> None:
    assert find("x", b"<html><h1 class='game-name-title'>Roulette</h1></html>") == ()
    assert find("x", b"Sauspiel game-participants") == ()


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "rule", "at", "lost"),
    [
        ("20 / 50", "20 bis 50", "bad-entry", "Tarif", set()),
        ("<th>Klopfer</th>", "<th>Kl</th>", "log-incomplete", "Tarif", {"knocks", "x"}),
        (" mit [0-9]+ Augen", " haushoch", "bad-entry", "Spielausgang", {"stated"}),
        ("<td>P ", "<td>€ ", "bad-entry", "Tarif", set()),
        ("<th>Wert</th><td>P ", "<th>Wert</th><td>€ ", "bad-entry", "Wert", {"stated"}),
        ("<span>P -?[0-9]+</span>", "", "log-incomplete", "game-participant", {"stated"}),
        ("Spiel #", "Spiel Nr. ", "log-incomplete", "<!DOCTYPE", {"time"}),
        ("vom 15. April", "vom 35. April", "log-incomplete", "title-supertext", {"time"}),
        ("um 20:01", "um 8:01 PM", "log-incomplete", "title-supertext", {"time"}),
        (">Spielermittlung", ">Vorspiel", "log-incomplete", "<!DOCTYPE", {"auction"}),
        ("dad gern", "mag ned", "line-not-read", "card-row", {"auction"}),
        (">4. Stich", ">Vierter", "line-not-read", "Vierter", set()),
        (">4. Stich", ">5. Stich", "log-incomplete", "<!DOCTYPE", {"tricks", "stated", "x"}),
        (">4. Stich", ">44. Stich", "line-not-read", "44. Stich", {"tricks", "stated", "x"}),
        ("Geier", "Bockrunde", "bad-entry", "Sonderregeln", set()),
    ],
)
def test_what_is_damaged_costs_itself_and_a_finding_with_its_line(
    old: str, new: str, rule: str, at: str, lost: set[str]
) -> None:
    text = re.sub(old, new, RUFSPIEL, count=1)
    assert text != RUFSPIEL
    _, deal, findings = one(text)
    assert [line for each, line in findings if each == rule and at in line]
    assert {each for each, _ in findings} <= {rule, "log-incomplete", "line-not-read"}
    assert differences(deal, DEAL) == lost


def test_another_level_than_the_three_is_kept_as_words() -> None:
    _, deal, findings = one(re.sub(r"Augen \(\w+\)", "Augen (Tout)", RUFSPIEL))
    assert findings == []
    assert deal.stated == replace(STATED, schneider=None, schwarz=None, result=deal.stated and deal.stated.result)
    assert (deal.stated.result or "").endswith("Augen (Tout)")


def test_the_marked_card_tells_the_winner_where_nobody_is_named() -> None:
    text = re.sub(r"Stich von <a.*?</a>", "", RUFSPIEL)
    assert one(text)[1:] == (DEAL, [])
    _, deal, findings = one(text.replace(" highlight", ""))
    assert {rule for rule, _ in findings} == {"log-incomplete"}
    assert (deal.stated or Stated()).winners is None


def test_an_unknown_card_of_a_hand_is_unknown_and_the_rest_is_kept() -> None:
    line = next(line for line in RUFSPIEL.split("\n") if "card-image" in line)
    _, deal, findings = one(swapped(RUFSPIEL, line, line.replace(line.split()[4].split('"')[0], "Q5")))
    assert findings == [("unknown-card", line.replace(line.split()[4].split('"')[0], "Q5"))]
    assert deal.hands[0] == ("??", *(DEAL.hands[0] or ())[1:])
    assert differences(deal, DEAL) <= {"hands", "x"}


def test_an_unknown_card_of_a_trick_is_unknown_and_the_rest_is_kept() -> None:
    start = RUFSPIEL.index("2. Stich")
    text = RUFSPIEL[:start] + re.sub(r"g3 [EGHS].", "g3 Q5", RUFSPIEL[start:], count=1)
    _, deal, findings = one(text)
    assert [rule for rule, _ in findings] == ["unknown-card"]
    assert deal.tricks[1] == replace(DEAL.tricks[1], cards=("??", *DEAL.tricks[1].cards[1:]))
    assert differences(deal, DEAL) == {"tricks"}


@pytest.mark.parametrize("place", range(4))
def test_a_card_that_is_missing_from_a_trick_leaves_its_place_empty(place: int) -> None:
    start = RUFSPIEL.index("2. Stich")
    card = rf'<div class="game-protocol-trick-card position-{place}.*?</div>'
    text = RUFSPIEL[:start] + re.sub(card, "", RUFSPIEL[start:], count=1, flags=re.DOTALL)
    _, deal, findings = one(text)
    assert [rule for rule, _ in findings] == ["log-incomplete"]
    assert "2. Stich" in findings[0][1]
    cards = list(DEAL.tricks[1].cards)
    cards[place] = "??"
    assert deal.tricks[1] == Trick(tuple(cards), DEAL.tricks[1].leader)
    assert differences(deal, DEAL) == {"tricks"}


def test_a_missing_trick_is_unknown_and_the_tricks_after_it_are_kept() -> None:
    start, end = RUFSPIEL.index('<div class="card">\n<h4 class="card-title">3. '), RUFSPIEL.index("4. Stich")
    _, deal, findings = one(RUFSPIEL[:start] + '<div><h4 class="card-title">' + RUFSPIEL[end:])
    assert [rule for rule, _ in findings] == ["log-incomplete"]
    assert deal.tricks
    assert DEAL.tricks
    assert deal.tricks == (*DEAL.tricks[:2], Trick(("??",) * 4), *DEAL.tricks[3:])
    assert STATED.winners
    assert deal.stated.winners is None  # a list of the first ones would not be that of the tricks
    takers = [PLAYERS[seat] for seat in STATED.winners]
    assert deal.x
    assert deal.x["winners"] == [*takers[:2], "?", *takers[3:]]
    _, deal, _ = one(RUFSPIEL[: RUFSPIEL.rindex('<div class="card">\n<h4 class="card-title">8. ')])
    assert deal.x
    assert (deal.stated.winners, deal.x["winners"]) == (None, [*takers[:7], "?"])  # whose cards the hands tell


def test_a_page_that_breaks_off_within_a_trick_keeps_it_and_who_took_those_before() -> None:
    _, deal, findings = one(RUFSPIEL[: RUFSPIEL.index("position-2", RUFSPIEL.index("4. Stich")) + 12])
    assert {rule for rule, _ in findings} == {"log-incomplete"}
    assert deal.tricks
    assert DEAL.tricks
    assert STATED.winners
    assert deal.tricks[3].cards == (*DEAL.tricks[3].cards[:2], "??", "??")
    assert deal.stated.winners == STATED.winners[:4]  # who takes it stands above its cards


def test_without_the_players_the_hands_tell_who_plays() -> None:
    text = re.sub(r'<div class="game-participants">.*?<table', "<table", RUFSPIEL, flags=re.DOTALL)
    session, deal, findings = one(text)
    assert session.players == PLAYERS
    assert [rule for rule, _ in findings] == ["log-incomplete"]
    assert differences(deal, DEAL) == {"stated"}
    assert deal.stated == replace(STATED, payments=None, partner=None)


def test_without_hands_the_rest_is_kept() -> None:
    text = re.sub(r"<h4 class=.card-title.>Karten.*?(?=<h4)", "", RUFSPIEL, flags=re.DOTALL)
    _, deal, findings = one(text)
    assert [rule for rule, _ in findings] == ["log-incomplete"]
    assert differences(deal, DEAL) == {"hands", "x"}


def test_a_title_that_names_nobody_of_the_table_is_no_game() -> None:
    _, deal, findings = one(re.sub(r"(<h1.*?)von [^\n]*", r"\1von Niemand", RUFSPIEL, flags=re.DOTALL))
    assert deal.game == DEAL.game, "the same title stands in the head of the page"
    text = RUFSPIEL.replace('property="og:title"', "").replace("Sauspiel auf die", "Spiel auf die")
    _, deal, findings = one(text)
    assert deal.game is None
    assert "unknown-contract" in {rule for rule, _ in findings}
    assert differences(deal, DEAL) <= {"game", "auction", "stated", "x"}


def test_a_title_that_contradicts_the_roles_is_a_finding() -> None:
    other = (DEAL.game.declarer or 0) - 1
    text = RUFSPIEL.replace(f"von {PLAYERS[DEAL.game.declarer or 0]}", f"von {PLAYERS[other]}")
    assert [rule for rule, _ in one(text)[2]] == ["bad-entry"]


def test_runners_of_the_table_that_are_not_those_of_the_title_are_a_finding() -> None:
    text = re.sub(r"(<th>Laufende</th><td>)\d", r"\g<1>9", RUFSPIEL)
    _, deal, findings = one(text)
    assert [(rule, "Laufende" in line) for rule, line in findings] == [("bad-entry", True)]
    assert differences(deal, DEAL) == set()


def test_a_name_that_is_not_at_the_table_costs_its_row() -> None:
    _, deal, findings = one(re.sub(r"(<th>Klopfer.*?_Karten\">)[^<]*", r"\1Niemand", RUFSPIEL))
    assert [rule for rule, _ in findings] == ["unknown-player"]
    assert differences(deal, DEAL) == {"knocks"}


@pytest.mark.parametrize("names", [3, 5])
def test_a_page_without_four_players_is_no_deal(names: int) -> None:
    links = "".join(f'<div class="game-participant"><a data-username="P{n}">P{n}</a></div>' for n in range(names))
    sessions, deals, findings = read(f'<!DOCTYPE html>\n<div class="game-participants">{links}</div>')
    assert (sessions, deals) == ([], [])
    assert [each.rule for each in findings] == ["deal-unreadable"]


def test_what_stands_twice_is_not_read_twice() -> None:
    row = next(line for line in RUFSPIEL.split("\n") if "Kontra und Retour" in line)
    _, deal, findings = one(swapped(RUFSPIEL, row, f"{row}\n{row}"))
    assert [rule for rule, _ in findings] == ["line-not-read"]
    assert deal == DEAL


def test_another_row_of_the_table_is_kept() -> None:
    _, deal, findings = one(
        swapped(RUFSPIEL, "<tr><th>Wert", "<tr><th>Tisch</th><td>Zum Hirschen</td></tr>\n<tr><th>Wert")
    )
    assert findings == []
    assert deal.x["Tisch"] == "Zum Hirschen"


@pytest.mark.parametrize("text", [RUFSPIEL, OLD], ids=["today", "old"])
def test_a_lost_line_never_costs_more_than_its_own(text: str) -> None:
    """Whatever line is gone: there is a deal, or a finding that says why not; what differs was found."""
    lines = text.split("\n")
    whole = read(text)
    for number in range(0, len(lines), examples(3, 1)):
        _, deals, findings = read("\n".join(lines[:number] + lines[number + 1 :]))
        assert deals or findings
        assert len(deals) <= 1
        if not findings and deals != whole[1]:
            assert differences(deals[0], whole[1][0]) <= {"hands", "packet", "x", "url", "stated", "auction"}


# --- lines ------------------------------------------------------------------------------------------------------------


def test_every_element_knows_its_line() -> None:
    tree = html.parse_page(RUFSPIEL)
    lines = RUFSPIEL.split("\n")
    nodes: list[Any] = tree.css("[class]")
    assert len(nodes) > 100
    assert all(html.attribute(node, "class") in lines[html.line_of(node) - 1] for node in nodes)
