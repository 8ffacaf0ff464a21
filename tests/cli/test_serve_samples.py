"""`serve --samples`: the archive of the sample games is the same wherever it is asked for."""

from contextlib import closing
from pathlib import Path

import pytest

from archive.cli.samples import import_samples
from archive.store import open_read


def test_samples_find_the_names_of_their_columns_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    import_samples("samples.db", "en")
    with closing(open_read(tmp_path / "samples.db")) as conn:
        sql = "SELECT path, deals FROM sources WHERE path LIKE '%own-columns%'"
        assert [tuple(row) for row in conn.execute(sql)] == [("sample_games/valid/score-sheet-own-columns.csv", 4)]
        assert conn.execute("SELECT count(*) FROM findings WHERE rule = 'unknown-column'").fetchone()[0] == 0
