"""What was understood of a file, in three lines before what was not: on the terminal, on the pages, from the API."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from support.doors import enter, secret_of, writing_app
from support.running import run
from support.web_archive import make_archive
from werkzeug.datastructures import FileStorage

from archive.cli.inputs import open_file, read_pasted
from archive.cli.unpack import Raw
from archive.explain.house_variants import values_elsewhere
from archive.explain.tariff_search import OF_RULESETS, USUAL, TariffFit, find_tariff
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.web.app import create_app

HEAD = "Nr;Spiel;Spieler;Partner;Ergebnis;Anna;Ben;Cem;Dora\n"
ROWS = (
    "1;Sauspiel Eichel;Anna;Ben;gewonnen;20;20;-20;-20\n"
    "2;Sauspiel Gras;Cem;Ben;verloren;30;-30;-30;30\n"
    "3;Wenz;Dora;;gewonnen;-50;-50;-50;150\n"
    "4;Herz Solo;Anna;;verloren;-180;60;60;60\n"
)
SHEET = HEAD + ROWS
ENGLISH = (
    "Understood: 4 deals by Anna, Ben, Cem, Dora, in ct.",
    "Tariff: not named; 10/20/50 fits all amounts (4).",
    "To be asked: whether the tariff is 10/20/50.",
)
GERMAN = (
    "Verstanden: 4 Spiele von Anna, Ben, Cem, Dora, in ct.",
    "Tarif: nicht genannt; zu 10/20/50 passen alle Beträge (4).",
    "Zu fragen: ob der Tarif 10/20/50 ist.",
)
NAMED = (
    '{"format":"schafkopf-record/1","rules":"pub","house":{"tariff":"10/20/50"},"players":["Anna","Ben","Cem","Dora"],'
)


def judged(text: str, name: str = "evening.csv") -> list[Judgement]:
    items = open_file(Raw(name, text.encode()), None).items()
    return [each for each in judge_stream(items) if isinstance(each, Judgement)]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "evening.csv"
    path.write_text(SHEET)
    return path


# --- the tariff -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "tariff"),
    [
        (ROWS, "10/20/50"),
        (ROWS.replace("20;20;-20;-20", "10;10;-10;-10").replace("30;-30;-30;30", "20;-20;-20;20"), "10/50"),
        ("1;Sauspiel Eichel;Anna;Ben;gewonnen;30;30;-30;-30\n2;Wenz;Dora;;gewonnen;-70;-70;-70;210\n", "15/30/70"),
        ("1;Sauspiel Eichel;Anna;Ben;gewonnen;50;50;-50;-50\n2;Wenz;Dora;;gewonnen;-100;-100;-100;300\n", "50/100"),
        ("1;Sauspiel Eichel;Anna;Ben;gewonnen;1;1;-1;-1\n2;Wenz;Dora;;gewonnen;-3;-3;-3;9\n", "1/1/3"),
    ],
)
def test_the_tariff_is_found_by_which_all_amounts_come_out(rows: str, tariff: str) -> None:
    count = rows.count("\n")
    assert find_tariff(judged(HEAD + rows)) == TariffFit(tariff, count, count, None)
    assert {*OF_RULESETS} == {*values_elsewhere("tariff")} - {*USUAL}


def test_where_no_tariff_gives_all_amounts_it_is_said_how_many_the_best_gives() -> None:
    fit = find_tariff(judged(HEAD + ROWS + "5;Sauspiel Gras;Cem;Ben;verloren;17;-17;-17;17\n"))
    assert (fit.tariff, fit.fits, fit.count) == ("10/20/50", 4, 5)


def test_where_no_deal_has_a_game_no_tariff_is_looked_for() -> None:
    amounts = "Nr;Anna;Ben;Cem;Dora\n1;20;20;-20;-20\n2;30;-30;-30;30\n"
    assert find_tariff(judged(amounts)) == TariffFit()


def line_with(payments: list[int], tariff: str = "10/20/50") -> str:
    stated = json.dumps({"won": True, "schneider": False, "schwarz": False, "runners": 1, "payments": payments})
    head = NAMED.replace("10/20/50", tariff)
    return f'{head}"knocks":[],"doubles":[],"game":"Anna rufspiel E","with":"Ben","stated":{stated}}}\n'


def test_a_tariff_that_the_record_names_is_taken_where_it_gives_all_amounts() -> None:
    text = line_with([20, 20, -20, -20])
    assert find_tariff(judged(text, "a.jsonl")) == TariffFit("10/20/50", 1, 1, "10/20/50")


def test_another_tariff_than_the_named_one_is_said_where_it_alone_gives_all_amounts() -> None:
    text = line_with([20, 20, -20, -20], "5/10/20") * 2
    assert find_tariff(judged(text, "a.jsonl")) == TariffFit("10/20/50", 2, 2, "5/10/20")


def test_a_named_tariff_is_named_where_no_other_gives_even_one_amount() -> None:
    text = line_with([17, 17, -17, -17]) + line_with([20, 20, -20, -20])
    assert find_tariff(judged(text, "a.jsonl")) == TariffFit("10/20/50", 1, 2, "10/20/50")


OWN_PRICES = """format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cara", "Dora"]
rules = "own.toml"
house = {HOUSE}

[[deal]]
game = "Anna wenz"
stated = { won = true, points = 70, runners = 0, price = 60 }
"""
WITHOUT = "not named, and not needed: all amounts (1) agree without one."


@pytest.mark.parametrize(
    ("tariff", "house", "told"),
    [
        ("10/50", "{ price = { solo = 60 } }", WITHOUT),
        ("unknown", "{ price = { solo = 60, schneider = 10, schwarz = 20, runner = 10 } }", WITHOUT),
        (
            "10/50",
            '{ tariff = "10/20/50", price = { solo = 60 } }',
            "10/20/50, as it is named; it fits all amounts (1).",
        ),
        ("10/60", "{ price = { solo = 60 } }", "10/60, as it is named; it fits all amounts (1)."),
    ],
    ids=["other prices", "rules without a tariff", "a tariff and other prices", "the prices of the rules"],
)
def test_no_tariff_is_named_by_a_head_with_other_prices(tariff: str, house: str, told: str, sheet: Path) -> None:
    """That of the rules was, which gives none of the amounts."""
    sheet.with_name("own.toml").write_text(f'extends = "bavarian"\n[house]\ntariff = "{tariff}"\n')
    sheet.write_text(OWN_PRICES.replace("{HOUSE}", house))
    output = run("check", sheet.rename(sheet.with_suffix(".toml")), "--lang", "en").output
    assert f"Tariff: {told}\n" in output


PALATINATE = (
    "No;Game;Declarer;Result;Kurt;Otto;Willi\n"
    "1;Simple Clubs;Kurt;won;2;-1;-1\n"
    "2;Simple Hearts;Otto;lost;2;-4;2\n"
    "3;Solo Spades;Willi;won with Schneider;-3;-3;6\n"
)


def test_a_table_of_three_has_the_pack_of_the_rules_that_are_named_for_it(sheet: Path) -> None:
    """A sheet says that three play and not with which pack: 24 cards were supposed, where Palatinate rules have 32."""
    sheet.write_text(PALATINATE)
    answer = run("check", sheet, "--rules", "palatinate", "--lang", "en")
    assert answer.output.splitlines() == [
        "Understood: 3 deals by Kurt, Otto, Willi, in game points.",
        "Tariff: not named, and not needed: all amounts (3) agree without one.",
        "To be asked: nothing.",
        "3 deals: 3 agree (by the stated facts)",
    ]
    db = sheet.with_name("archive.db")
    assert run("import", sheet, "--rules", "palatinate", "--db", db).exit_code == 0
    assert "none would change" in run("audit", "compare", "--db", db).output


def test_rules_that_were_only_supposed_are_asked_for_where_they_lack_a_game(sheet: Path) -> None:
    sheet.write_text(PALATINATE)
    asked = "To be asked: by which rules it was played (three-hand was supposed, and has no simple)."
    assert asked in run("check", sheet, "--lang", "en").output.splitlines()


def test_a_table_of_three_keeps_its_pack_under_rules_for_four(sheet: Path) -> None:
    sheet.write_text("No;Game;Declarer;Result;Kurt;Otto;Willi\n1;Wenz;Kurt;won;100;-50;-50\n")
    answer = run("check", sheet, "--rules", "pub", "--json")
    assert json.loads(answer.output)["rules"] == "pub"
    assert answer.exit_code == 0


def test_hearts_are_hearts_on_french_faces(sheet: Path) -> None:
    sheet.write_text(PALATINATE)
    answer = run("check", sheet, "--rules", "palatinate", "--explain", "--lang", "en").output
    assert "Hearts is trump" in answer
    assert "Herz" not in answer


# --- the terminal -----------------------------------------------------------------------------------------------------


def test_a_check_says_what_was_understood_before_what_was_not(sheet: Path) -> None:
    sheet.write_text(SHEET + "5;Unsinn;Emil;;;1;2;3;4\n")
    answer = run("check", sheet, "--lang", "en")
    lines = answer.output.splitlines()
    assert lines[:2] == list(ENGLISH[:2])
    assert lines[2].startswith("To be asked: whether the tariff is 10/20/50, what to do about ")
    assert answer.exit_code == 1


@pytest.mark.parametrize(("language", "lines"), [("en", ENGLISH), ("de", GERMAN)])
@pytest.mark.parametrize("words", [("check",), ("import", "--dry-run"), ("import", "--preview")])
def test_the_three_lines_are_those_of_every_command(
    words: tuple[str, ...], language: str, lines: tuple[str, ...], sheet: Path
) -> None:
    db = () if words[0] == "check" else ("--db", sheet.with_name("archive.db"))
    said = run(*words, sheet, *db, "--lang", language).output.splitlines()
    assert [each for each in said if each in lines] == list(lines)


def test_an_import_that_stores_says_no_such_lines(sheet: Path) -> None:
    assert "Understood" not in run("import", sheet, "--db", sheet.with_name("archive.db"), "--lang", "en").output


def test_a_dry_run_asks_about_near_equal_names_of_the_archive(sheet: Path) -> None:
    db = sheet.with_name("archive.db")
    run("import", sheet, "--db", db)
    other = sheet.with_name("other.csv")
    other.write_text(SHEET.replace("Anna", "anna").replace("20;20", "40;40").replace("-20;-20", "-40;-40"))
    said = run("import", other, "--dry-run", "--db", db, "--lang", "en").output
    assert "whether “anna” and “Anna” are one person" in said


def test_the_json_of_a_dry_run_has_what_was_understood(sheet: Path) -> None:
    words = ("import", sheet, "--dry-run", "--json", "--lang", "en", "--db", sheet.with_name("archive.db"))
    said = json.loads(run(*words).stdout)["understood"]
    assert said["lines"] == list(ENGLISH)
    assert {key: said[key] for key in ("deals", "players", "units", "tariff", "tariff_named", "amounts_that_fit")} == {
        "deals": 4, "players": ["Anna", "Ben", "Cem", "Dora"], "units": ["ct"], "tariff": "10/20/50",
        "tariff_named": None, "amounts_that_fit": 4,
    }  # fmt: skip


def test_a_check_of_a_sound_record_has_nothing_to_ask(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line_with([20, 20, -20, -20]))
    said = run("check", path, "--lang", "en").output.splitlines()
    assert said[1:3] == ["Tariff: 10/20/50, as it is named; it fits all amounts (1).", "To be asked: nothing."]


# --- the pages and the API --------------------------------------------------------------------------------------------


def sent(name: str = "evening.csv", text: str = SHEET) -> FileStorage:
    return FileStorage(BytesIO(text.encode()), name)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(make_archive(tmp_path / "archive.db"), read_pasted)


@pytest.mark.parametrize(("language", "lines"), [("en", ENGLISH), ("de", GERMAN)])
def test_the_page_that_checks_says_it_before_the_deals(language: str, lines: tuple[str, ...], app: Flask) -> None:
    page = app.test_client().post(f"/check?lang={language}", data={"file": sent()}).text
    places = [page.index(line) for line in lines]
    assert places == sorted(places)
    assert places[-1] < page.index('class="panel checked"')


def test_the_api_that_checks_says_it_too(app: Flask) -> None:
    answer = app.test_client().post("/api/v1/check?name=evening.csv&lang=en", data=SHEET.encode()).json
    assert answer["understood"]["lines"] == list(ENGLISH)
    assert answer["understood"]["questions"] == ["whether the tariff is 10/20/50"]


def test_the_page_that_imports_says_it_and_asks_about_names_afterwards(tmp_path: Path) -> None:
    with writing_app(tmp_path / "archive.db") as (app, doors):
        client = enter(app.test_client(), doors)
        secret = secret_of(client.get("/import").text)
        for name, text in (("a.csv", SHEET), ("b.csv", SHEET.replace("Anna", "anna").replace("50", "90"))):
            fields = {"csrf": secret, "file": sent(name, text)}
            page = client.post("/import?lang=en", data=fields, content_type="multipart/form-data").text
            assert "Understood: 4 deals by" in page
            import html
            import re

            brought = {
                key: html.unescape(each)
                for key, each in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
            }
            kept = client.post("/import?lang=en", data=brought | {"do": "keep"}, follow_redirects=True).text
        assert "whether “anna” and “Anna” are one person" in page
        assert "may be one person. If so: schafkopf players merge anna --into Anna" in html.unescape(kept)
