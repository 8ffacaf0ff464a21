"""French faces and the score sheet of a marks game: in the viewer, in the terminal, in the archive."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace
from support.asgi import request
from support.deal_pages import deal_page
from support.paths import ROOT
from support.ruleset_pages import page as rules_page
from support.running import import_into, run
from support.store_samples import read
from support.thorough import examples

from archive.cards import CODES, in_faces, read_card, spoken_name
from archive.judge import Judgement, judge_session
from archive.judge.sentences import say_reason
from archive.rules import load
from archive.store import load_judgement, open_read, session_rows
from archive.text.chalk import MOST, chalk_lines, chalk_sheet, initials, session_sheets
from archive.text.wording import call_words, incomplete_words, texts_of
from archive.web.app import create_app
from archive.web.chalk import SHEEP_HEAD, chalk_drawing, head_path, stroke_path
from archive.web.deal.model import DealPosition
from archive.web.serve import build_app
from archive.web.texts import TEXTS

T = TEXTS["en"]
VALID = ROOT / "sample_games" / "valid"
SAMPLES = ("palatinate", "palatinate-four", "asserufen", "bauernstoss", "alter-schoofkopp", "deutscher-schafkopf")


def sample(name: str, text: str | None = None) -> list[Judgement]:
    pairs, findings = read((VALID / f"{name}.toml").read_text("utf-8") if text is None else text)
    assert findings == []
    return [each for _, each in pairs]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return import_into(tmp_path_factory.mktemp("tally") / "a.db", *(VALID / f"{name}.toml" for name in SAMPLES))


@pytest.fixture(scope="module")
def client(db: Path) -> FlaskClient:
    return create_app(db).test_client()


def deals_of(db: Path, event: str) -> list[int]:
    conn = open_read(db)
    rows = conn.execute("SELECT deal FROM outcomes WHERE rules = ? ORDER BY deal", (event,)).fetchall()
    conn.close()
    return [row[0] for row in rows]


# --- faces ------------------------------------------------------------------------------------------------------------


def test_cards_have_the_names_of_their_faces() -> None:
    named = [spoken_name(code) for code in ("EU", "GA", "HZ", "SO")]
    assert named == ["Eichel-Unter", "Gras-Sau", "Herz-Zehner", "Schellen-Ober"]
    named = [spoken_name(code, "french") for code in ("EU", "GA", "HZ", "SO", "H7")]
    assert named == ["Kreuz-Bube", "Pik-Ass", "Herz-Zehn", "Karo-Dame", "Herz-7"]


def test_a_sentence_names_its_cards_as_on_the_faces_and_leaves_names_alone() -> None:
    said = "H7 leads EO, but must follow Schellen: SZ ?U of S? ??, and E says simple G, lowest U"
    assert in_faces(said, "german") == said
    told = in_faces(said, "french", ("H7", "Ben Ober", "E"))
    assert told == "H7 leads ♣D, but must follow Karo: ♦10 ?B of ♦? ??, and E says simple ♠, lowest B"


def test_what_is_printed_with_french_faces_is_read_as_french_letters() -> None:
    assert [read_card(in_faces(code, "french"), "french") for code in CODES] == list(CODES)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SAMPLES)
def test_no_german_face_is_named_where_the_pack_is_french(name: str, db: Path, client: FlaskClient) -> None:
    rules = sample(name)[0].ruleset
    for deal in deals_of(db, rules.id)[:: examples(3, 1)]:
        shown = run("show", str(deal), "--db", db)
        assert shown.exit_code == 0
        assert not re.search(r"Eichel|Gras|Schellen|\bOber\b|\bUnter\b|\bSau\b|\b[EGHS][AZKOU987]\b", shown.output)
        assert not re.search(r"Kreuz|Pik\b|Karo|Dame\b|Bube|[♣♠♥♦][DB]\b", shown.output)
        others = ("en", "english", r"|Pik-|Karo|-Dame\b|-Bube"), ("de", "french", "|Spades|Queen")
        for language, sprite, foreign in others:
            text = client.get(f"/deals/{deal}?lang={language}").get_data(as_text=True)
            german = r"Eichel|Gras\b|Schellen|\bOber\b|\bUnter\b|\bSau\b|cards-german"
            assert not re.search(german + foreign, text.split("<main")[1])
            assert f"cards-{sprite}.svg#" in text or 'id="replay"' not in text  # a receipt shows no card
        assert client.get(f"/deals/{deal}?cards=german").status_code == 200


def test_calls_name_suits_and_ranks_of_the_pack() -> None:
    rules, _ = load("bauernstoss")
    t = texts_of(rules, T)
    said = [call_words(call, rules, t) for call in ("lowest U", "bauernstoss G", "4")]
    assert said == ["names the lowest J", "says Bauernstoss Spades", "bids 4"]


def test_findings_name_cards_as_on_the_faces_and_keep_the_letters_of_the_record_in_their_facts() -> None:
    first = sample("bauernstoss")[1]
    tricks = first.deal.tricks or ()
    dealt = first.deal.hands or ()
    stranger = next(card for card in dealt[0] or () if card not in tricks[0].cards)
    broken = replace(first.deal, tricks=(replace(tricks[0], cards=(stranger, *tricks[0].cards[1:])), *tricks[1:]))
    (found,) = judge_session(first.session, [broken])
    told = next(each for each in found.findings if each.rule == "not-in-hand")
    assert in_faces(stranger, "french") in told.message
    assert stranger in told.facts.values()
    assert told.message[1:] in say_reason(found)


def test_the_archive_has_the_names_beside_the_letters(db: Path) -> None:
    conn = open_read(db)
    row = conn.execute(
        "SELECT suit, suit_name, called, called_name, faces FROM outcomes WHERE called = 'GA'"
    ).fetchone()
    assert tuple(row) == ("G", "Pik", "GA", "Pik-Ass", "french")
    names = dict(conn.execute("SELECT code, name FROM plays").fetchall())
    assert names == {code: spoken_name(code, "french") for code in names}
    conn.close()


def asked(db: Path, path: str) -> str:
    return request(build_app(db), path).text


def test_datasette_shows_the_cards_on_their_faces_and_hands_out_the_letters_of_the_archive(db: Path) -> None:
    deal = deals_of(db, "asserufen")[0]
    for table in (f"seats?deal_id={deal}", f"tricks?deal_id={deal}", f"deals?id={deal}", f"outcomes?deal={deal}"):
        told = re.sub(r"<pre.*</pre>", "", asked(db, f"/data/{table}"), flags=re.S)
        assert re.search(r"♠A|Pik-Ass", told), table
        assert not re.search(r"\bGA\b", told), table
    sql = f"/data?sql=select+deal_id,+dealt+from+seats+where+deal_id={deal}"
    assert "♠A" in asked(db, sql)
    assert "GA" in asked(db, sql.replace("/data?", "/data.json?"))
    assert "♠A" not in asked(db, "/data?sql=select+'GA'+as+cards,+'x'+as+deal")


# --- the score sheet --------------------------------------------------------------------------------------------------


def test_every_fifth_stroke_lies_across_its_group() -> None:
    paths = stroke_path(0, 14).split("M")[1:]
    assert len(paths) == 14
    assert [n for n, path in enumerate(paths, 1) if "L" in path] == [5, 10]
    assert stroke_path(0, 4) + stroke_path(4, 14) == stroke_path(0, 14)


def test_000_alter_schoofkopp_the_marks_draw_a_sheeps_head() -> None:
    """15 marks are the whole head, and the first side with it has won."""
    found = sample("alter-schoofkopp")
    sheets = [sheet for each in found if (sheet := chalk_sheet(each, T))]
    assert {sheet.drawing for sheet in sheets} == {"sheep-head"}
    for sheet in sheets:
        for side, (old, new) in zip(sheet.sides, chalk_drawing(sheet)["paths"], strict=True):
            assert old + new == "".join(SHEEP_HEAD[: side.marks or 0])
            assert side.won is ((side.marks or 0) >= len(SHEEP_HEAD) == sheet.game)
    assert any(side.won for sheet in sheets for side in sheet.sides)
    assert head_path(0, 4) + head_path(4, 15) == head_path(0, 40) == "".join(SHEEP_HEAD)
    assert all(line.count("M") == 1 for line in SHEEP_HEAD)


def test_initials_tell_the_players_apart() -> None:
    assert initials(("Uta", "Jens", "Gerd", "Mia")) == ("U", "J", "G", "M")
    assert initials(("Anna", "Anton", "Ben", "An")) == ("Ann", "Ant", "B", "An")


def test_the_sheet_after_a_deal_has_the_strokes_of_both_sides_and_the_chalk() -> None:
    found = sample("bauernstoss")[3]  # a Small Solo, won
    sheet = chalk_sheet(found, T)
    above, below = sheet.sides
    assert (above.initials, above.marks, above.new, above.chalk) == ("U G", 2, 0, False)
    assert (below.initials, below.marks, below.new, below.chalk) == ("J M", 8, 8, True)
    assert sheet.text == "Uta and Gerd have 2 marks; Jens and Mia have 8 marks and the chalk"
    paths = chalk_drawing(sheet)["paths"]
    assert paths[0][0].count("M") == 2
    assert paths[1][1].count("M") == 8
    assert chalk_sheet(sample("asserufen")[0], T) is None


def test_marks_that_are_not_known_are_not_drawn() -> None:
    found = sample("bauernstoss")[3]
    sheet = chalk_sheet(replace(found, before=replace(found.before, marks=None)), T)
    assert [side.marks for side in sheet.sides] == [None, None]
    assert chalk_drawing(sheet)["paths"] == [("", ""), ("", "")]
    assert "the marks of Uta and Gerd are unknown" in sheet.text


def test_no_more_strokes_are_drawn_than_fit() -> None:
    found = sample("bauernstoss")[3]
    many = replace(found, before=replace(found.before, marks=(10**9, 0, 10**9, 0)))
    sheet = chalk_sheet(many, T)
    assert sheet.sides[0].marks == 10**9
    assert "".join(chalk_drawing(sheet)["paths"][0]).count("M") == MOST
    assert len(chalk_lines(many, 80)) < 500


def test_several_games_of_a_session_have_a_sheet_each(db: Path, client: FlaskClient) -> None:
    conn = open_read(db)
    told = {}
    for number, rules in conn.execute("SELECT id, rules FROM sessions").fetchall():
        told[rules] = session_sheets(session_rows(conn, number), T)
        text = client.get(f"/sessions/{number}").get_data(as_text=True)
        assert text.count('<figure class="tally">') == len(told[rules])
        assert ("does not sum to zero" in text) is False
    conn.close()
    assert [[side.marks for side in sheet.sides] for sheet in told["bauernstoss"]] == [[23, 10], [0, 4]]
    assert [side.won for sheet in told["bauernstoss"] for side in sheet.sides] == [True, False, False, False]
    assert [[side.marks for side in sheet.sides] for sheet in told["alter-schoofkopp"]] == [[2, 15], [15, 0]]
    assert told["palatinate"] == told["asserufen"] == ()


def test_the_terminal_draws_the_sheet_and_tells_the_score_before(db: Path) -> None:
    deal = deals_of(db, "bauernstoss")[3]
    result = run("show", str(deal), "--db", db)
    assert "in force:  U G 2 : 0 J M, chalk: U G" in result.output
    lines = result.output.splitlines()
    at = lines.index("Score sheet after this deal, to 20 marks")
    assert lines[at + 1] == "U G        ||  2"
    assert set(lines[at + 2]) == {"─"}
    assert lines[at + 3] == "J M chalk  ||||| |||  8 (+8)"


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_wider_than_a_terminal_of_80(name: str, db: Path) -> None:
    rules = sample(name)[0].ruleset
    for deal in deals_of(db, rules.id):
        result = run("show", str(deal), "--db", db)
        assert max(map(len, result.output.splitlines())) <= 80


def test_marks_and_chalk_can_be_asked_for(db: Path) -> None:
    conn = open_read(db)
    rows = conn.execute("SELECT marks, chalk FROM outcomes WHERE rules = 'bauernstoss' ORDER BY deal").fetchall()
    assert [tuple(row) for row in rows][:4] == [(0, None), (1, "Uta"), (1, "Uta"), (8, "Jens")]
    ledger = conn.execute(
        "SELECT player, marks, marks_total, chalk_after FROM ledger WHERE deal = ? ORDER BY seat",
        (deals_of(db, "bauernstoss")[3],),
    ).fetchall()
    assert [tuple(row) for row in ledger] == [("Uta", 0, 2, 2), ("Jens", 8, 8, 2), ("Gerd", 0, 2, 2), ("Mia", 8, 8, 2)]
    total = conn.execute("SELECT total, deals, undecided FROM standings WHERE event = 'Kerwe' AND player = 'Mia'")
    assert tuple(total.fetchone()) == (14, 9, 0), "of two games; who laid the hand down has played"
    conn.close()


# --- three players and a skat, a hand laid down, what is incomplete ---------------------------------------------------


def test_the_skat_of_a_solo_lies_unseen_for_the_declarer() -> None:
    found = next(each for each in sample("palatinate") if each.deal.game and each.deal.game.contract == "solo")
    told = deal_page(found, DealPosition(id=1, session=1), T)
    assert told.table.blind_for == told.heading.declarer
    assert len(told.table.blind) == 2
    simple = next(each for each in sample("palatinate") if each.deal.exchange)
    assert deal_page(simple, DealPosition(id=1, session=1), T).table.blind_for == ""


def test_who_lays_the_hand_down_plays_no_card() -> None:
    found = sample("bauernstoss")[3]
    told = deal_page(found, DealPosition(id=1, session=1), T)
    laid = next(seat for seat in told.table.seats if any(mark.text == T["lays_down"] for mark in seat.marks))
    assert laid.name == told.heading.partner == "Mia"
    assert all(row.cells[told.table.seats.index(laid)] is None for row in told.course.rows if row.cells)
    assert sum(row.points or 0 for row in told.course.rows) == 88


def test_the_marks_that_are_needed_stand_at_the_points() -> None:
    told = deal_page(sample("bauernstoss")[4], DealPosition(id=1, session=1), T)
    assert [level.text for level in told.table.levels] == ["42 with the chalk", "79 without"]
    first = deal_page(sample("alter-schoofkopp")[0], DealPosition(id=1, session=1), T)
    assert [level.text for level in first.table.levels] == ["61 wins"]


def test_a_ruleset_that_is_incomplete_says_so_wherever_it_is_shown(db: Path, client: FlaskClient) -> None:
    rules, _ = load("deutscher-schafkopf")
    why = rules.incomplete[:40]
    assert why in rules_page(rules)
    assert "(incomplete)" in run("rules", columns=200).output
    for command in (["rules", rules.id], ["rules", "compare", "bauernstoss", rules.id]):
        assert why in run(*command, columns=200).output, command
    deal = deals_of(db, rules.id)[0]
    assert why in run("show", str(deal), "--db", db, columns=120).output
    assert why in client.get(f"/deals/{deal}").get_data(as_text=True)
    conn = open_read(db)
    found = load_judgement(conn, deal)
    assert found is not None
    session = conn.execute("SELECT session FROM outcomes WHERE deal = ?", (deal,)).fetchone()[0]
    assert conn.execute("SELECT incomplete FROM rulesets WHERE name = ?", (rules.id,)).fetchone()[0] == rules.incomplete
    conn.close()
    assert why in client.get(f"/sessions/{session}").get_data(as_text=True)
    places = (f"deals/{deal}", f"deals/{deal}/dossier", f"sessions/{session}", "rulesets", f"rulesets/{rules.id}")
    for address in places:
        page = client.get(f"/{address}?lang=de").get_data(as_text=True)
        assert incomplete_words(rules.incomplete, "de") in page, address
        assert why not in page, address
    assert "ncomplete" not in client.get(f"/deals/{deals_of(db, 'bauernstoss')[0]}").get_data(as_text=True)
