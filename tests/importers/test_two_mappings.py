"""Two files that say how a sheet is read: the sheet's own goes before that of its folder, and says so."""

from pathlib import Path

from archive.record import Deal, Session, Source
from importers.score_sheet.reading import read


def test_a_mapping_of_the_folder_that_is_not_read_is_named(tmp_path: Path) -> None:
    sheet = "Spiel;Wer;Anna;Ben;Cem;Dora\nWenz;Ben;-50;150;-50;-50\n"
    (tmp_path / "abend.csv").write_text(sheet, "utf-8")
    (tmp_path / "columns.toml").write_text('unit = "ct"\n', "utf-8")

    def noted() -> list[str]:
        items = read(sheet.encode(), Source(str(tmp_path / "abend.csv")))
        heads = [item for item in items if isinstance(item, Session)]
        return [each for head in heads for each in head.inferred or () if each.startswith("columns:")]

    assert noted() == []
    (tmp_path / "abend.columns.toml").write_text('[columns]\ndeclarer = "Wer"\n', "utf-8")
    (note,) = noted()
    assert note.startswith("columns: abend.columns.toml is of this sheet alone")


def test_remarks_that_hold_results_are_pointed_at(tmp_path: Path) -> None:
    """They stay remarks until somebody says that they are results."""
    head = "Spiel;Spieler;Anna;Ben;Cem;Dora;Bemerkung"
    rows = ["Wenz;Ben;-50;150;-50;-50;gewonnen mit 3 Laufenden", "Wenz;Cem;50;50;-150;50;verloren", "Wenz;Anna;;;;;?"]
    sheet = "\n".join([head, *rows]) + "\n"

    def items() -> list[object]:
        return list(read(sheet.encode(), Source(str(tmp_path / "abend.csv"))))

    def notes() -> list[str]:
        return [each for head in items() if isinstance(head, Session) for each in head.inferred or ()]

    assert any("2 of the remarks in Bemerkung look like results" in each for each in notes())
    (tmp_path / "columns.toml").write_text('[columns]\nresult = "Bemerkung"\n', "utf-8")
    assert not any("look like results" in each for each in notes())
    (first, *_) = [deal for deal in items() if isinstance(deal, Deal)]
    assert (first.stated.won, first.stated.runners) == (True, 3)
