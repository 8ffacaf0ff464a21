"""`schafkopf import --preview`: columns, rows and sums of score sheets before anything is stored."""

import re
from pathlib import Path

import openpyxl
import pytest
from support.paths import ROOT
from support.running import run

from archive.cli.inputs import files_with_progress
from archive.record import Deal

SAMPLE = ROOT / "sample_games" / "valid" / "score-sheet.csv"


def deals_of(path: Path) -> list[object]:
    items = [item for file in files_with_progress((str(path),), None) for item in file.items()]
    return [(item.game, item.partner, item.stated) for item in items if isinstance(item, Deal)]


def test_a_preview_shows_columns_rows_and_sums_and_stores_nothing(tmp_path: Path) -> None:
    sheet = tmp_path / "evening.csv"
    sheet.write_bytes(SAMPLE.read_bytes())
    words = ["import", "--preview", "--db", str(tmp_path / "archive.db"), "--lang", "en", str(sheet)]
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "→ contract:" in result.stdout
    assert "→ payments Vroni:" in result.stdout
    assert "sums of what was read:" in result.stdout
    assert "the sheet's own:" in result.stdout
    assert not (tmp_path / "archive.db").exists()


def test_the_columns_are_written_once_and_read_as_the_sheet_was(tmp_path: Path) -> None:
    for sample in ("score-sheet.csv", "score-sheet-english.csv", "score-sheet.xlsx"):
        sheet = tmp_path / sample
        sheet.write_bytes(SAMPLE.with_name(sample).read_bytes())
        before = deals_of(sheet)
        words = ["import", "--preview", "--lang", "en", str(sheet)]
        assert run(*words).exit_code == 0
        written = sheet.with_name(f"{sheet.stem}.columns.toml")
        assert "[columns]" in written.read_text("utf-8")
        assert deals_of(sheet) == before
        written.write_text(written.read_text("utf-8") + "# mine\n", "utf-8")
        assert run(*words).exit_code == 0
        assert written.read_text("utf-8").endswith("# mine\n")
        written.unlink()


def test_a_question_is_shown_in_a_preview(tmp_path: Path) -> None:
    sheet = ROOT / "sample_games" / "broken" / "row-unclear.csv"
    (tmp_path / "a.csv").write_bytes(sheet.read_bytes())
    result = run("import", "--preview", "--lang", "en", tmp_path / "a.csv")
    assert result.exit_code == 1
    assert "row-unclear" in result.stdout


def test_what_is_plainly_no_record_in_a_folder_is_passed_over_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "evening.csv").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "page_files").mkdir()
    for name in ("Thumbs.db", "desktop.ini", "~$evening.xlsx", "archive.db", "archive.db-wal", "page_files/style.css"):
        (tmp_path / name).write_bytes(b"?")
    result = run("check", tmp_path, LC_ALL="C")
    assert (result.exit_code, result.stdout) == (0, "")
    names = "Thumbs.db, archive.db, archive.db-wal, desktop.ini, style.css, ~$evening.xlsx"
    assert f"6 files passed over, which are no records: {names}" in result.stderr


def test_pictures_and_databases_of_a_folder_are_passed_over_and_counted(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "evening.csv").write_bytes(SAMPLE.read_bytes())
    for number in range(20):
        (folder / f"IMG_{number:02}.JPG").write_bytes(b"?")
    for name in ("club.db", "club.db-wal", "archive.db.before", "sheet.png"):
        (folder / name).write_bytes(b"?")
    arguments = ["import", str(folder), "--db", str(tmp_path / "club.db")]
    result = run(*arguments, LC_ALL="C")
    assert (result.exit_code, result.stdout) == (0, "")
    line = next(line for line in result.stderr.splitlines() if "passed over" in line)
    assert line.startswith("24 files passed over, which are no records: IMG_00.JPG, ")
    assert line.endswith("IMG_11.JPG, …")


def preview_of(path: Path, language: str) -> str:
    result = run("import", "--preview", "--lang", language, path)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_preview_names_columns_facts_and_notes_in_german_and_the_keys_to_correct_them(tmp_path: Path) -> None:
    (tmp_path / "evening.csv").write_bytes(SAMPLE.read_bytes())
    text = preview_of(tmp_path / "evening.csv", "de")
    for line in (
        "C  Spiel → Spiel (contract): Sauspiel auf die Alte | Herz-Solo | zusammengeworfen",
        "K  Vroni → Zahlungen von Vroni: 0,50 | 1,00 | 0",
        "Rufspiel E; Vroni + Zenzi; gewonnen; mit 3; 74 Augen; Preis 50;",
        "Summen des Gelesenen: Vroni −650",
        "die der Liste: Summe -6,50",
        "unit: die Beträge haben Nachkommastellen",
    ):
        assert line in text
    assert not re.search(r"(?i)\b(the|columns|which|not)\b", text.replace("columns.toml", ""))


def test_a_preview_of_a_list_of_rounds_shows_its_columns_in_both_languages(tmp_path: Path) -> None:
    for name in ("tournament-rounds.csv", "tournament-rounds.columns.toml"):
        (tmp_path / name).write_bytes(SAMPLE.with_name(name).read_bytes())
    english, german = (preview_of(tmp_path / "tournament-rounds.csv", language) for language in ("en", "de"))
    assert "→ amount 1: 24 | " in english
    assert "in the order of the list" in english
    assert "→ Punkte der Runde 1 (amount): 24 | " in german
    assert "in der Reihenfolge der Liste" in german
    assert "in the order of the list" not in german


def test_a_preview_of_running_totals_shows_them(tmp_path: Path) -> None:
    rows = ["Spiel;Spieler;Summe A;Summe B;Summe C;Summe D", "Wenz;D;-5;-5;-5;15", "Solo;B;0;-20;0;20"]
    (tmp_path / "totals.csv").write_text("\n".join(rows), "utf-8")
    text = preview_of(tmp_path / "totals.csv", "en")
    assert "3 Solo; B; A +5, B −15, C +5, D +5" in text  # the differences
    assert "sums of what was read: A +0, B −20, C +0, D +20" in text


def test_the_sums_of_a_preview_are_of_who_sat_there(tmp_path: Path) -> None:
    text = preview_of(SAMPLE.with_name("substitute.toml"), "en")
    assert "sums of what was read: Anna +50, Ben −50, Cem +70, Dora −50, Emil −20" in text


def test_a_preview_opens_a_workbook_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    load = openpyxl.load_workbook

    def count(*given: object, **settings: object) -> object:
        opened.append(1)
        return load(*given, **settings)  # type: ignore[arg-type]

    (tmp_path / "evening.xlsx").write_bytes(SAMPLE.with_suffix(".xlsx").read_bytes())
    monkeypatch.setattr(openpyxl, "load_workbook", count)
    preview_of(tmp_path / "evening.xlsx", "en")
    values_and_formulas = 2
    assert len(opened) <= values_and_formulas
