"""What is done at a talon, as rows: however it was imported, and in archives of before."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.paths import ROOT
from support.running import run

from archive import generate
from archive.notation import write_line, write_toml
from archive.store import open_archive, open_read

SAMPLE = ROOT / "sample_games" / "valid" / "sixty-six.toml"
# The worked deal: seat, act, trick, before which card, cards, card given, points, cards left in the talon.
WORKED = [
    (1, "marriage", 1, 1, "SK SO", None, 20, 10),
    (1, "draws", 1, None, "GU", None, None, 9),
    (2, "draws", 1, None, "GA", None, None, 8),
    (2, "draws", 2, None, "SZ", None, None, 7),
    (1, "draws", 2, None, "GO", None, None, 6),
    (2, "takes-trump", 3, 1, "HA", "HU", None, 6),
    (2, "closes", 3, 1, None, None, None, 6),
    (2, "calls", 7, 1, None, None, None, 6),
]
ROWS = "SELECT seat, act, trick, card, cards, given, points, talon_left FROM talon_acts WHERE deal_id = ? ORDER BY n"


def archive_of(path: Path, file: Path) -> Path:
    done = run("import", file, "--db", path)
    assert done.exit_code == 0, done.output
    return path


def all_rows(path: Path) -> list[tuple[object, ...]]:
    with closing(open_read(path)) as conn:
        return [tuple(row) for row in conn.execute("SELECT * FROM talon_acts ORDER BY deal_id, n")]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive_of(tmp_path_factory.mktemp("talon") / "archive.db", SAMPLE)


def test_what_is_done_at_a_talon_stands_in_its_order(sample: Path) -> None:
    with closing(open_read(sample)) as conn:
        assert [tuple(row) for row in conn.execute(ROWS, (1,))] == WORKED


def test_each_trick_of_an_open_talon_is_drawn_after_and_none_of_a_closed_one(sample: Path) -> None:
    drawn = """SELECT d.id, count(a.n), (SELECT count(*) FROM tricks t WHERE t.deal_id = d.id
            AND t.trick < coalesce((SELECT c.trick FROM talon_acts c WHERE c.deal_id = d.id AND c.act = 'closes'), 99))
        FROM deals d LEFT JOIN talon_acts a ON a.deal_id = d.id AND a.act = 'draws' GROUP BY d.id"""
    with closing(open_read(sample)) as conn:
        found = [tuple(row) for row in conn.execute(drawn)]
        assert [draws for _, draws, _ in found] == [min(10, 2 * tricks) for _, _, tricks in found]


def test_deal_by_deal_and_line_by_line_give_the_same_rows(tmp_path: Path) -> None:
    rng, evening = Random(66), generate.session("sixty-six")
    deals = list(generate.deals(rng, evening, 12, ("points", "marks")))
    (tmp_path / "all.jsonl").write_bytes(b"".join(write_line(evening, each) + b"\n" for each in deals))
    (tmp_path / "all.toml").write_text(write_toml(evening, deals), "utf-8")
    rows = all_rows(archive_of(tmp_path / "lines.db", tmp_path / "all.jsonl"))
    assert rows == all_rows(archive_of(tmp_path / "deals.db", tmp_path / "all.toml"))
    assert {row[3] for row in rows} >= {"draws", "marriage", "calls"}


def test_an_archive_of_before_gets_them_when_it_is_opened_for_writing(sample: Path, tmp_path: Path) -> None:
    path = archive_of(tmp_path / "old.db", SAMPLE)
    db = open_archive(path)
    for view in ("acts_pay", "closing_pays"):
        db.execute(f"DROP VIEW {view}")
    db.execute("DROP TABLE talon_acts")
    db.execute("DELETE FROM _sqlite_migrations WHERE name = 'm012_talon_acts'")
    db.execute("UPDATE _derived SET digest = '0001-x' WHERE name = 'tables'")
    db.conn.commit()
    db.close()
    open_archive(path).close()
    assert all_rows(path) == all_rows(sample)
    with closing(open_read(path)) as conn, closing(open_read(sample)) as new:
        for name in ("act_facts", "acts_pay", "closing_pays"):
            sql = f"SELECT * FROM {name} ORDER BY 1, 2, 3, 4, 5, 6, 7"
            assert list(map(tuple, conn.execute(sql))) == list(map(tuple, new.execute(sql)))
