"""The cell of a result: what a number beside it counts is read where it is said, and asked for where it is not."""

from pathlib import Path

import pytest

from archive.notation.problem import Problem
from archive.record import Session, Source
from importers.score_sheet.cells import read_result
from importers.score_sheet.reading import read


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("gewonnen mit 3 Laufenden", {"won": True, "runners": 3}),
        ("mit 3 Laufende gewonnen", {"won": True, "runners": 3}),
        ("verloren mit 45", {"won": False, "points": 45}),
        ("gewonnen mit 62, 2 Laufende", {"won": True, "points": 62, "runners": 2}),
        ("verloren mit 8 Augen", {"won": False, "points": 8}),
        ("verloren 0", {"won": False, "points": 0}),
    ],
)
def test_a_number_counts_what_is_said(text: str, stated: dict[str, object]) -> None:
    assert read_result("Ergebnis", text) == stated


@pytest.mark.parametrize("text", ["gewonnen mit 4", "won 4", "verloren mit 5"])
def test_a_small_number_alone_may_be_runners_or_points_and_is_asked_for(text: str) -> None:
    with pytest.raises(Problem):
        read_result("Ergebnis", text)


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
