"""Tables and files that programs of others write, typed by their shapes: what each says, read as deals and lists."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from msgspec.structs import replace
from support.items import places_in
from support.writers.schafkopf_tracker import database

from archive.cli.inputs import read_pasted
from archive.judge.judge_stream import judge_stream
from archive.notation import drop_unwritable
from archive.record import Deal, Finding, Session, Source, Stated
from importers import find, schafkopf_tracker, score_sheet

SAMPLES = Path(__file__).parents[2] / "sample_games" / "valid"
Items = list[Session | Deal | Finding]


def read(data: bytes, path: str = "file") -> Items:
    """What the only importer that claims a file makes of it."""
    (importer,) = find(path, data)
    return list(importer.read(data, Source(path)))


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def heads(items: Items) -> list[Session]:
    return [item for item in items if isinstance(item, Session)]


def deals(items: Items) -> list[Deal]:
    return [item for item in items if isinstance(item, Deal)]


def stated(deal: Deal) -> Stated:
    assert deal.stated
    return deal.stated


def verdicts(items: Items) -> list[str]:
    return [judged.verdict for judged in judge_stream(items) if not isinstance(judged, (Session, Finding))]


# --- Schafkopfauswerter -----------------------------------------------------------------------------------------------

ROW = "<tr><td>{}</td></tr>"


def session_page(*rows: str, stock: str = "nein") -> bytes:
    """A page of the program with these rows behind the first; cells are parted by blanks."""
    head = "Anzahl Spieler Spiel Preis Marei Hias Korbi Leni Gewonnen Stock".replace(" ", "</th><th>")
    body = "\n".join(ROW.format(row.replace("_", " ").replace(" ", "</td><td>", 9)) for row in rows)
    prices = f"<p>Rufspiel: 20</p><p>Solo: 50</p><p>Laufende/Schneider: 10</p><p>Stock: {stock}</p>"
    return (
        f"Preise:\n{prices}\n<p>Tabelle:</p>\n<table>\n<thead>\n<tr><th>{head}</th></tr>\n</thead>\n<tbody>\n"
        f"{ROW.format('0 / / 0 0 0 0 0 keiner 0'.replace(' ', '</td><td>'))}\n{body}\n</tbody>\n</table>\n"
    ).encode()


def test_a_session_of_schafkopfauswerter_is_read_with_what_each_deal_paid() -> None:
    items = read(sample("schafkopfauswerter.html"))
    (head,) = heads(items)
    assert head.players == ("Marei", "Hias", "Korbi", "Leni")
    assert head.house == {
        "tariff": "10/20/50", "price": {"sie": 65}, "tout": "base+runners", "knock": "anyone", "stoss": {"limit": 4},
    }  # fmt: skip
    games = [(each.game.contract, each.game.declarer, each.game.words) for each in deals(items) if each.game]
    assert games == [
        ("none", None, ()), ("rufspiel", 0, ()), ("solo", 1, ()), ("solo", 3, ("tout",)), ("sie", 2, ()),
        ("rufspiel", 3, ()),
    ]  # fmt: skip
    assert [stated(each).payments for each in deals(items)] == [
        (0, 0, 0, 0), (20, 20, -20, -20), (60, -180, 60, 60), (-160, -160, -160, 480), (-260, -260, 780, -260),
        (-40, 40, 40, -40),
    ]  # fmt: skip
    assert [stated(each).price for each in deals(items)] == [None, 20, 60, 160, 260, 40]
    assert [stated(each).won for each in deals(items)] == [None, True, False, True, True, False]
    assert [each.partner for each in deals(items)] == [None, 1, None, None, None, 0]
    assert places_in(items) == []


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize(("name", "line"), [("schafkopfauswerter.html", 14), ("sauspiel-list.html", 22)])
def test_a_page_that_breaks_off_is_told_where_it_does(name: str, line: int, joined: bool) -> None:
    whole = sample(name) * joined
    cut = sample(name).splitlines(keepends=True)[:line]
    assert ("log-incomplete", whole.count(b"\n") + line) in places_in(read(whole + b"".join(cut)))
    after = b"<!-- <table> --><script>'<table>'</script>"
    assert "log-incomplete" not in dict(places_in(read(sample(name) + after * name.startswith("schafkopf"))))


def test_a_page_of_schafkopfauswerter_without_a_head_of_the_winner_pays_its_stock_as_the_program_does() -> None:
    items = read(sample("schafkopfauswerter-stock.html"))
    assert heads(items)[0].house["stock"] == {"amount": 20, "won_by": ["rufspiel"]}  # type: ignore[index]
    assert [stated(each).stock for each in deals(items)] == [80, 160, 0]
    assert [stated(each).payments for each in deals(items)] == [(-20,) * 4, (20, -60, 20, -60), (100, -20, 100, -20)]
    assert verdicts(items) == ["agrees"] * 3


@pytest.mark.parametrize(
    ("row", "paid"),
    [
        ("1 Hias Rufspiel 20 20 20 -20 -20 ja 0", (20, 20, -20, -20)),
        ("2 Hias Rufspiel 20 20 20 -20 -20 ja 0", None),  # a row before it is missing: the difference is of two deals
        ("1 Hias Rufspiel 20 20 2x -20 -20 ja 0", None),
    ],
)
def test_a_difference_is_stated_only_from_one_row_to_the_next(row: str, paid: tuple[int, ...] | None) -> None:
    items = read(session_page(row))
    assert [stated(each).payments for each in deals(items)] == ([paid] if "2x" not in row else [])
    assert places_in(items) == ([("bad-entry", 10)] if "2x" in row else [])


def test_a_deal_of_schafkopfauswerter_that_was_changed_by_hand_is_seen() -> None:
    items = read(session_page("1 Hias Rufspiel 20 20 20 -20 -20 ja 0", "2 / Weiter 0 20 20 -10 -20 keiner 0"))
    assert "differs" in verdicts(items)


def test_a_page_of_schafkopfauswerter_on_which_players_share_a_name_is_a_finding() -> None:
    """Each of them keeps his column, so that no amounts are lost before it is said."""
    page = session_page("1 Marei Rufspiel 20 20 -20 20 -20 PLAYER 0")
    items = read(page.replace(b"<th>Hias", b"<th>Korbi").replace(b"<th>Leni", b"<th>Korbi"))
    assert [stated(deal).payments for deal in deals(items)] == [(20, -20, 20, -20)]
    assert [rule for rule, _ in places_in([*drop_unwritable(items)])] == ["bad-players", "deal-unreadable"]


def test_a_file_beside_a_page_may_name_the_rules_and_not_the_columns(tmp_path: Path) -> None:
    (tmp_path / "a.columns.toml").write_text('rules = "pub"\n[house]\ntariff = "5/20/50"\n')
    items = list(score_sheet.read(sample("schafkopfauswerter.html"), Source(str(tmp_path / "a.html"))))
    assert heads(items)[0].rules == "pub"
    assert heads(items)[0].house["tariff"] == "5/20/50"  # type: ignore[index]
    assert len(deals(items)) == 6


# --- SchafkopfTurnier -------------------------------------------------------------------------------------------------

WIDE = """\
platz_gesamt;punkte_gesamt;soli_gesamt;nr;nachname;vorname;wohnort;plz;ort;email;platz_r1;punkte_r1;soli_r1;tisch_r1;platz_r2;punkte_r2;soli_r2;tisch_r2
1;17;2;2;Brandl;Hias;Aying;85653;Aying;;2;3;0;1;1;14;2;1
2;17;1;1;Ettinger;Marei;Glonn;85625;Glonn;m@example.org;1;12;1;1;2;5;0;1
3;-12;0;3;Kranz;Korbi;Glonn;85625;Glonn;;3;-7;0;1;3;-5;0;1
4;-22;0;4;Lechner;Leni;Egmating;85658;Egmating;;4;-8;0;1;4;-14;0;1
"""
LONG = """\
runde;tisch;sitz;nr;tp_id;nachname;vorname;wohnort;plz;ort;punkte;soli;created_at;updated_at
1;1;A;1;11;Ettinger;Marei;Glonn;85625;Glonn;12;1;2026-10-18 19:40:00;2026-10-18 19:40:00
1;1;B;2;12;Brandl;Hias;Aying;85653;Aying;3;0;2026-10-18 19:40:00;2026-10-18 19:40:00
1;1;C;3;13;Kranz;Korbi;Glonn;85625;Glonn;-7;0;2026-10-18 19:40:00;2026-10-18 19:40:00
1;1;D;4;14;Lechner;Leni;Egmating;85658;Egmating;-8;0;2026-10-18 19:40:00;2026-10-18 19:40:00
2;1;A;2;12;Brandl;Hias;Aying;85653;Aying;14;2;2026-10-18 21:40:00;2026-10-18 21:40:00
2;1;B;1;11;Ettinger;Marei;Glonn;85625;Glonn;5;0;2026-10-18 21:40:00;2026-10-18 21:40:00
2;1;C;3;13;Kranz;Korbi;Glonn;85625;Glonn;-5;0;2026-10-18 21:40:00;2026-10-18 21:40:00
2;1;D;4;14;Lechner;Leni;Egmating;85658;Egmating;-14;0;2026-10-18 21:40:00;2026-10-18 21:40:00
"""
TABLE = """\
runde;tisch;sitz;nr;nachname;vorname;wohnort;punkte;soli
2;1;A;2;Brandl;Hias;Aying;14;2
2;1;B;1;Ettinger;Marei;Glonn;5;0
2;1;C;3;Kranz;Korbi;Glonn;-5;0
2;1;D;4;Lechner;Leni;Egmating;-14;0

check;punkte_eingetragen;4;summe_punkte;0;soll;0
"""
PLACES = """\
platz;nr;nachname;vorname;wohnort;tisch;sitz;punkte;soli
1;2;Brandl;Hias;Aying;1;A;14;2
2;1;Ettinger;Marei;Glonn;1;B;5;0
3;3;Kranz;Korbi;Glonn;1;C;-5;0
4;4;Lechner;Leni;Egmating;1;D;-14;0
"""
FIRST = {"Brandl Hias": (3, 0), "Ettinger Marei": (12, 1), "Kranz Korbi": (-7, 0), "Lechner Leni": (-8, 0)}
SECOND = {"Brandl Hias": (14, 2), "Ettinger Marei": (5, 0), "Kranz Korbi": (-5, 0), "Lechner Leni": (-14, 0)}


def lists(items: Items) -> list[tuple[str | None, str | None, dict[str, tuple[int | None, int | None]]]]:
    """Table, round, points and Soli by name of each list."""
    both = zip(heads(items), deals(items), strict=True)
    return [
        (head.table, head.list, dict(zip(head.players, zip(each.payments, each.solos, strict=True), strict=True)))  # type: ignore[arg-type]
        for head, each in ((head, stated(deal)) for head, deal in both)
    ]


def test_the_totals_of_a_tournament_are_a_list_with_its_title_and_its_day() -> None:
    items = read(sample("schafkopfturnier.csv"))
    (head,) = heads(items)
    assert (head.event, head.date, head.house) == (
        "Preisschafkopf im Bräustüberl", "2026-10-24", {"standings": ["solos"]},
    )  # fmt: skip
    assert stated(deals(items)[0]).of_list
    wanted = {"Ettinger Marei": (64, 3), "Brandl Hias": (20, 2), "Kranz Korbi": (-14, 0), "Lechner Leni": (-70, 1)}
    assert lists(items) == [(None, "1", wanted)]
    assert places_in(items) == []
    first = sample("schafkopfturnier.csv")
    joined = read(first + first.replace(b"-10-24", b"-10-31").replace(b";64;", b";62;").replace(b";20;", b";22;"))
    assert ([each.date for each in heads(joined)], places_in(joined)) == (["2026-10-24", "2026-10-31"], [])


def test_the_scores_of_all_rounds_are_a_list_for_each_table_with_two_of_one_name_told_apart() -> None:
    items = read(sample("schafkopfturnier-rounds.csv"))
    assert {(head.event, head.date) for head in heads(items)} == {("Kirta-Turnier", "2026-10-18")}
    told = lists(items)
    assert sorted((table, number) for table, number, _ in told) == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]
    assert next(each for table, number, each in told if (table, number) == ("2", "1")) == {
        "Kranz Korbi (Moosach)": (30, 2), "Neumair Vitus": (-10, 0), "Ostler Afra": (-9, 0),
        "Pichler Simmerl": (-11, 0),
    }  # fmt: skip
    assert places_in(items) == []


@pytest.mark.parametrize("text", [WIDE, LONG], ids=["a row a player", "a row a player and round"])
def test_the_rounds_of_a_tournament_are_the_same_lists_in_either_export(text: str) -> None:
    for before in ("", "sep=;\n", "\nsep = ;\n", '"sep=;";;\n'):
        items = read(f"{before}{text}".encode("utf-8-sig"))
        assert lists(items) == [("1", "1", FIRST), ("1", "2", SECOND)]
        assert places_in(items) == []
    assert "example.org" not in repr(items), "addresses are not taken over"


def test_the_list_of_a_table_has_the_check_below_it_that_is_no_player() -> None:
    items = read(TABLE.encode("utf-8-sig"))
    assert lists(items) == [("1", "2", SECOND)]
    assert places_in(items) == []


@pytest.mark.parametrize(("path", "number"), [("R02.csv", "2"), ("zip/rundenwertung/R12.csv", "12"), ("x.csv", "1")])
def test_the_places_of_a_round_have_its_number_in_the_name_of_the_file_alone(path: str, number: str) -> None:
    assert lists(read(PLACES.encode("utf-8-sig"), path)) == [("1", number, SECOND)]


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("4;-22;", "4;-23;", ("list-total", 5)),
        ("3;-12;0;3;", "1;-12;0;3;", ("list-place", 4)),
        (";3;-7;0;1;", ";3;-6;0;1;", None),  # the sums of the table and of the row: the judge sees the first
        (";4;-8;0;1;", ";4;acht;0;1;", ("bad-entry", 5)),
    ],
)
def test_a_list_that_does_not_fit_itself_is_named_by_its_line(
    old: str, new: str, finding: tuple[str, int] | None
) -> None:
    found = places_in(read(WIDE.replace(old, new).encode()))
    assert (finding in found) if finding else found


def test_a_list_with_a_column_of_somebody_else_is_not_the_programs() -> None:
    text = PLACES.replace("soli\n", "soli;verein\n").replace(";2\n", ";2;FC\n").replace(";0\n", ";0;SV\n")
    assert "standings" not in repr(heads(read(text.encode())))


@pytest.mark.parametrize("old", [";1;1;A;1;", "7;Kirta-Turnier;2026-10-18;18:30;;1;1;A;1;Ettinger;Marei;"])
def test_a_row_of_no_round_or_of_nobody_is_named_and_the_other_tables_are_kept(old: str) -> None:
    new = old.replace(";1;1;A", ";0;1;A") if "Marei" not in old else old.replace("Ettinger;Marei", ";")
    items = read(sample("schafkopfturnier-rounds.csv").decode("utf-8-sig").replace(old, new, 1).encode())
    assert ("bad-entry", 2) in places_in(items)
    assert ("2", "1") in {(head.table, head.list) for head in heads(items)}


# --- Schafkopf_Punkteliste --------------------------------------------------------------------------------------------

FOUR: list[list[str | int]] = [
    ["Ruf", "spieler", "normal", 0, "Burgl", "Ferdl", "Kathi", "Wastl", "", "", "16.10.2026 20:12:03"],
    ["Solo", "nicht-spieler", "schneider", 2, "Kathi", "", "Burgl", "Ferdl", "Wastl", "", "16.10.2026 20:20:44"],
    ["Ruf", "nicht-spieler", "schwarz", 3, "Ferdl", "Wastl", "Burgl", "Kathi", "", "", "17.10.2026 00:14:51"],
    ["Ruf", "spieler", "normal", 0, "Burgl", "Nandl", "Ferdl", "Kathi", "", "", "23.10.2026 20:05:12"],
    ["Ramsch", "spieler", "normal", 0, "Wastl", "", "Burgl", "Nandl", "Kathi", "", "23.10.2026 20:11:40"],
    ["Ramsch", "nicht-spieler", "jungfrau", 0, "Ferdl", "", "Wastl", "Nandl", "Kathi", "", "23.10.2026 20:19:02"],
]
THREE: list[list[str | int]] = [
    ["Solo", "spieler", "normal", 0, "Burgl", "Ferdl", "Kathi", "", "16.10.2026 19:40:00"],
    ["Ramsch", "nicht-spieler", "normal", 0, "Ferdl", "Burgl", "Kathi", "", "16.10.2026 19:48:00"],
    ["Solo", "nicht-spieler", "schneider", 4, "Nandl", "Burgl", "Kathi", "", "16.10.2026 19:55:00"],
]


def as_rows(rows: list[list[str | int]], *head: str, sign: str = ",") -> bytes:
    heads: list[str | int] = [*head, *("" for _ in rows[0][len(head) :])]
    return "\n".join(sign.join(str(cell) for cell in row) for row in [heads, *rows]).encode()


def sides(items: Items) -> list[tuple[str, str | None, str | None]]:
    """What was played, and the names of who declared and who was partner, or of who lost."""
    told, session = [], None
    for item in items:
        if isinstance(item, Session):
            session = item
        elif isinstance(item, Deal) and session and item.game:
            declarer = item.game.declarer if item.stated is None or item.stated.loser is None else item.stated.loser
            names = [None if seat is None else session.players[seat] for seat in (declarer, item.partner)]
            told.append((item.game.contract, names[0], names[1]))
    return told


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("head", [("Spiel", "Gewinner"), ("Play", "Winner", "Condition", "Running"), ("a", "b", "c")])
def test_a_sheet_of_the_form_is_known_by_its_rows_whatever_its_heads_are(head: tuple[str, ...], sign: str) -> None:
    items = read(as_rows(FOUR, *head, sign=sign))
    assert [(each.date, each.players) for each in heads(items)] == [
        ("2026-10-16", ("Burgl", "Ferdl", "Kathi", "Wastl")),
        ("2026-10-23", ("Burgl", "Nandl", "Ferdl", "Kathi", "Wastl")),
    ]
    assert sides(items) == [
        ("rufspiel", "Burgl", "Ferdl"), ("solo", "Kathi", None), ("rufspiel", "Ferdl", "Wastl"),
        ("rufspiel", "Burgl", "Nandl"), ("ramsch", None, None), ("ramsch", "Ferdl", None),
    ]  # fmt: skip
    assert [stated(each).won for each in deals(items)] == [True, False, False, True, True, None]
    assert [(stated(each).schneider, stated(each).schwarz) for each in deals(items)] == [
        (False, False), (True, False), (True, True), (False, False), (None, None), (None, None),
    ]  # fmt: skip
    assert [stated(each).runner_count for each in deals(items)] == [None, 2, 3, None, None, None]
    assert [each.sits_out for each in deals(items)] == [None, None, None, (4,), (2,), (0,)]
    assert [each.time for each in deals(items)][2] == "2026-10-17T00:14"
    assert places_in(items) == []
    evenings = [as_rows(FOUR[:3], *head, sign=sign), as_rows(FOUR[3:], *head, sign=sign)]
    for line in (f"sep={sign}".encode(), b""):  # for Excel, and each with its heads
        joined = read(b"\n".join((line, evenings[0], line, evenings[1])))
        assert (sides(joined), places_in(joined)) == (sides(items), [])


def test_of_three_at_the_table_a_session_begins_where_others_sit_down() -> None:
    items = read(as_rows(THREE, "Spiel"))
    assert [(each.rules, each.players) for each in heads(items)] == [
        ("three-hand", ("Burgl", "Ferdl", "Kathi")), ("three-hand", ("Nandl", "Burgl", "Kathi")),
    ]  # fmt: skip
    assert sides(items) == [("solo", "Burgl", None), ("ramsch", "Ferdl", None), ("solo", "Nandl", None)]
    assert places_in(items) == []


def test_a_sheet_of_the_beginning_without_runners_is_read_too() -> None:
    items = read(as_rows([[*row[:3], *row[4:]] for row in FOUR], "Spiel"))
    assert [stated(each).runner_count for each in deals(items)] == [None] * 6
    assert len(heads(items)) == 2


def test_with_a_tariff_beside_it_each_deal_of_the_form_is_paid(tmp_path: Path) -> None:
    (tmp_path / "columns.toml").write_text('tariff = "10/20/50"\n')
    items = list(score_sheet.read(as_rows(FOUR, "Spiel"), Source(str(tmp_path / "a.csv"))))
    assert {head.house["tariff"] for head in heads(items) if head.house} == {"10/20/50"}


def test_a_row_of_the_form_with_nearly_a_hundred_cells_is_read() -> None:
    """With the columns of its players there are more than a hundred, each with its number."""
    sheet = sample("schafkopf-punkteliste.csv")
    first, wide, *rest = sheet.splitlines()
    items = read(b"\n".join((first, wide + b",x" * 86, *rest)))
    assert places_in(items) == places_in(read(sheet))
    assert len(deals(items)) == len(deals(read(sheet)))


def test_a_row_of_the_form_that_is_damaged_is_named_and_the_others_are_kept() -> None:
    rows = [list(row) for row in FOUR]
    rows[1][2], rows[3][4], rows[4][6] = "Schneda", "Huber", rows[4][4]  # who stands in a row twice is two of one name
    dateless: list[str | int] = [*FOUR[5][:10], "", 10]
    cut = rows[0][:6]
    items = read(as_rows([*rows, *FOUR, *FOUR, dateless, ["Summe", *[""] * 10], cut], "Spiel"))
    assert places_in(items) == [("bad-entry", 3), ("line-not-read", 6), ("line-not-read", 22)]
    assert len(deals(items)) == 17


@pytest.mark.parametrize("name", ["Spielhistorie 4P", "Blatt"])
def test_the_workbook_of_the_form_has_its_deals_and_a_sheet_of_settings(name: str) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)  # type: ignore[arg-type]
    settings, history = book.create_sheet("Konfiguration"), book.create_sheet(name)
    settings.append(["Spieler", "Tarif"])
    for name_and_price in (["Burgl", 10], ["Ferdl", 20], ["Kathi", 50], ["Wastl", ""]):
        settings.append(name_and_price)
    history.append(["Spiel", "Gewinner"])
    for row in FOUR:
        history.append([cell if cell != "" else None for cell in row])
    data = io.BytesIO()
    book.save(data)
    items = read(data.getvalue())
    assert len(deals(items)) == 6
    assert places_in(items) == []
    assert any("Konfiguration" in str(text) for head in heads(items) for text in head.inferred or ())


# --- schafkopf_zaehler ------------------------------------------------------------------------------------------------


def export(change: Callable[[dict[str, Any]], None] = lambda _: None) -> bytes:
    """The sample of the app with something changed at its table."""
    whole = json.loads(sample("schafkopf-zaehler.json"))
    change(whole["tische"][0])
    return json.dumps(whole, indent=2).encode()


def test_the_export_of_the_app_is_an_evening_with_its_tariff_who_plays_and_who_sits_out() -> None:
    items = read(sample("schafkopf-zaehler.json"))
    (head,) = heads(items)
    assert (head.date, head.unit, head.players) == ("2026-10-30", "ct", ("Gretl", "Sepp", "Vreni", "Max", "Rosa"))
    assert head.house == {
        "tariff": "10/20/50", "contracts": ["rufspiel", "wenz", "solo", "sie", "ramsch"], "ramsch": {"price": 50},
    }  # fmt: skip
    assert sides(items) == [("rufspiel", "Sepp", "Max"), ("wenz", "Rosa", None), ("ramsch", "Vreni", None)]
    assert [stated(each).payments for each in deals(items)] == [
        (-60, 60, -60, 60, 0), (0, 100, 100, 100, -300), (50, 0, -150, 50, 50),
    ]  # fmt: skip
    assert [each.sits_out for each in deals(items)] == [(4,), (0,), (1,)]
    assert [each.time for each in deals(items)][2] == "2026-10-31T00:07"
    assert places_in(items) == []
    assert verdicts(items) == ["agrees"] * 3


def test_a_deal_at_a_multiple_is_judged_at_that_multiple_of_the_tariff_whatever_it_was_for() -> None:
    first, second, _ = deals(read(sample("schafkopf-zaehler.json")))
    assert (first.knocks, first.doubles, first.house) == (0, 0, None)
    assert (second.knocks, second.doubles) == (None, None)
    assert second.house == {"tariff": "20/40/100", "ramsch": {"price": 100}}


@pytest.mark.parametrize(("schneider", "price"), [(True, 0.4), (False, 0.3)])
def test_schwarz_costs_what_the_app_makes_of_it_with_schneider_and_without(schneider: bool, price: float) -> None:
    def change(table: dict[str, Any]) -> None:
        paid = {"a1": -price, "c3": -price, "b2": price, "d4": price}
        also = {"anzahlLaufende": 0, "schneider": schneider, "schwarz": True}
        table["runden"][0] |= also | {"spielwert": price, "punkteProSpieler": paid}

    assert verdicts(read(export(change)))[0] == "agrees"


def test_a_price_that_the_app_did_not_make_differs() -> None:
    def change(table: dict[str, Any]) -> None:
        table["runden"][0]["spielwert"] = 0.5

    assert verdicts(read(export(change)))[0] == "differs"


def test_a_table_that_is_taken_up_again_on_another_day_is_another_evening() -> None:
    def change(table: dict[str, Any]) -> None:
        table["runden"][2]["zeitpunkt"] = "2026-11-06T20:00:00.000000"

    assert [head.date for head in heads(read(export(change)))] == ["2026-10-30", "2026-11-06"]


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("spielartName", "Zwirbeln", "bad-entry"),
        ("spielerParteiIds", ["b2"], "bad-entry"),
        ("spielerParteiIds", ["zz", "d4"], "unknown-player"),
        ("gegenParteiIds", ["a1", "b2"], "bad-entry"),
        ("zeitpunkt", "gestern", "bad-entry"),
        ("spielwert", "viel", "wrong-type"),
        ("spielwert", 0.123, "bad-entry"),
        ("punkteProSpieler", {"a1": True}, "wrong-type"),
        ("punkteProSpieler", {"a1": None, "b2": 0.2, "c3": -0.2, "d4": 0.2}, "bad-entry"),
        ("multiplikator", 0, "wrong-type"),
    ],
)
def test_a_round_that_cannot_be_read_is_named_by_its_line_and_the_others_are_kept(
    key: str, value: Any, rule: str
) -> None:
    def change(table: dict[str, Any]) -> None:
        table["runden"][0][key] = value

    data = export(change)
    items = read(data)
    assert places_in(items) == [(rule, data.decode().split("\n").index('          "id": "r1",'))]
    assert len(deals(items)) == 2


def test_a_player_who_is_no_longer_in_the_export_is_called_by_his_number() -> None:
    whole = json.loads(sample("schafkopf-zaehler.json"))
    del whole["allePlayerinnen"][0]
    assert heads(read(json.dumps(whole).encode()))[0].players[0] == "a1"


@pytest.mark.parametrize(
    "text", ['{"allePlayerinnen": []}', '{"allePlayerinnen": [], "tische": []}', '{"allePlayerinnen": [']
)
def test_an_export_without_deals_says_so(text: str) -> None:
    items = [*read_pasted("x", text.encode())]
    assert deals(items) == []
    assert places_in(items)


# --- schafkopf-tracker ------------------------------------------------------------------------------------------------


def tracker(change: Callable[[dict[str, Any]], None] = lambda _: None) -> bytes:
    """The sample of the application with something changed."""
    whole = json.loads(sample("schafkopf-tracker.json"))
    change(whole)
    return json.dumps(whole, indent=2).encode()


def test_a_session_of_the_tracker_is_priced_by_its_stake_as_the_application_does() -> None:
    items = read(sample("schafkopf-tracker.json"))
    (head,) = heads(items)
    assert head.house == {"tariff": "50/50/200", "each_pays_each": True, "knock": "anyone"}
    assert (head.date, head.players) == ("2026-11-06", ("Trudl", "Alois", "Babett", "Quirin"))
    assert "rows: 1 that the app has put aside are not read" in (head.inferred or ())
    assert sides(items) == [
        ("rufspiel", "Trudl", "Quirin"), ("solo", "Babett", None), ("wenz", "Alois", None),
        ("rufspiel", "Quirin", "Babett"),
    ]  # fmt: skip
    assert [stated(each).payments for each in deals(items)] == [
        (100, -100, -100, 100), (-400, -400, 1200, -400), (400, -1200, 400, 400), (400, 400, -400, -400),
    ]  # fmt: skip
    assert [each.knocks for each in deals(items)] == [(), (), (), (1,)]
    assert [each.game.words for each in deals(items) if each.game] == [(), (), ("tout",), ()]
    assert places_in(items) == []
    assert verdicts(items) == ["agrees"] * 4


def test_the_database_of_the_tracker_is_the_same_sessions() -> None:
    def change(whole: dict[str, Any]) -> None:
        whole |= {"id": "other", "game_type": "wizard"}

    items, wanted = read(database(tracker(), tracker(change))), read(tracker())
    assert deals(items)[0].source == Source("file", 1, None, "", 1)

    def without_source(each: Deal) -> Deal:
        return replace(each, source=None)

    assert [*map(without_source, deals(items))] == [*map(without_source, deals(wanted))]
    assert heads(items)[0].inferred == heads(wanted)[0].inferred
    assert places_in(items) == []


@pytest.mark.parametrize("cut", [600, 5000])
def test_a_damaged_database_says_so(cut: int) -> None:
    data = database(tracker())
    items = list(schafkopf_tracker.read(data[:cut] + b"\xff" * (len(data) - cut), Source("x")))
    assert deals(items) == []
    assert places_in(items)


def test_a_bock_of_the_tracker_is_a_special_round_and_any_other_factor_is_kept() -> None:
    def change(whole: dict[str, Any]) -> None:
        whole["history"][0] |= {"bock": 2}
        whole["history"][1] |= {"bock": 4}

    first, second, *_ = deals(read(tracker(change)))
    assert (first.round, first.x) == (("bock",), None)
    assert (second.round, second.x) == (None, {"bock": 4})


@pytest.mark.parametrize(("schneider", "price"), [(True, 2.0), (False, 1.5)])
def test_schwarz_costs_what_the_tracker_makes_of_it_with_schneider_and_without(schneider: bool, price: float) -> None:
    def change(whole: dict[str, Any]) -> None:
        paid = {"Trudl": 2 * price, "Alois": -2 * price, "Babett": -2 * price, "Quirin": 2 * price}
        whole["history"][0] |= {"schneider": schneider, "schwarz": True, "spielwert": price, "changes": paid}

    assert verdicts(read(tracker(change)))[0] == "agrees"


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("type", "Zwirbeln", "bad-entry"),
        ("type", "Ramsch", "bad-entry"),
        ("partner", None, "bad-entry"),
        ("player", "Vroni", "unknown-player"),
        ("klopfer", ["Vroni"], "unknown-player"),
        ("spielwert", None, "wrong-type"),
        ("created_at", "gestern", "bad-entry"),
        ("changes", {"Trudl": 1, "Alois": -1, "Babett": None, "Quirin": 1}, "bad-entry"),
    ],
)
def test_a_deal_of_the_tracker_that_cannot_be_read_costs_itself_alone(key: str, value: Any, rule: str) -> None:
    def change(whole: dict[str, Any]) -> None:
        whole["history"][0][key] = value

    items = read(tracker(change))
    assert [found for found, _ in places_in(items)] == [rule]
    assert len(deals(items)) == 3


def test_a_session_of_another_game_is_named() -> None:
    def change(whole: dict[str, Any]) -> None:
        whole["game_type"] = "doppelkopf"

    assert places_in(read(tracker(change))) == [("deal-unreadable", 1)]
