"""Two files that say how a sheet is read: the sheet's own goes before that of its folder, and says so."""

from pathlib import Path

from archive.record import Session, Source
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
