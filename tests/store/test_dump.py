"""An archive that went through a dump of SQLite: known as what it is, and made whole again."""

import sqlite3
from contextlib import closing
from pathlib import Path

from support.running import run

HEAD = 'format = "schafkopf-record/1"\nrules = "pub"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'


def test_an_archive_read_back_from_a_dump_is_known_and_made_whole(tmp_path: Path) -> None:
    """A dump has the tables, and neither the mark of the file's header nor the seal behind its last page. The mark is
    taken away here as a dump takes it."""
    evening, db = tmp_path / "evening.toml", tmp_path / "archive.db"
    evening.write_text(f'{HEAD}[[deal]]\ngame = "Anna solo E"\nstated.won = true\n', "utf-8")
    assert run("import", evening, "--db", db).exit_code == 0
    with closing(sqlite3.connect(db)) as conn:
        conn.execute("PRAGMA application_id = 0")
    refused = run("show", 1, "--db", db)
    assert refused.exit_code == 2
    assert "doctor --rebuild" in refused.stderr
    assert "has no mark" in run("doctor", "--db", db).stderr
    assert "made anew: 1 deal" in run("doctor", "--rebuild", "--db", db).stderr
    assert run("show", 1, "--db", db).exit_code == 0
    assert "has no mark" not in run("doctor", "--db", db).stderr
