"""A whole archive judged again in bulk tells what judging session by session tells, of whatever is in it."""

import sqlite3
from pathlib import Path

import pytest
from support.paths import ROOT
from support.running import run

from archive.store import open_read, rejudge_in_bulk
from archive.store.verdict_diff import SessionComparison, compare_sessions

GENERATED = ("pub", "langendorf", "schierling", "palatinate")
SAMPLES = ("corrected", "list", "claims", "stock", "five-at-the-table", "substitute", "bauernstoss", "short-pack")


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with generated evenings, some with mistakes; a file that tells an evening again, one that tells a
    deal otherwise; samples of much that is rare; a correction and a ruling."""
    folder = tmp_path_factory.mktemp("everything")
    path = folder / "a.db"
    for rules in GENERATED:
        made = folder / f"{rules}.jsonl"
        run("generate", "40", "--rules", rules, "--disputes", "-o", str(made))
        run("import", str(made), "--db", str(path))
    lines = (folder / "pub.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "again.jsonl").write_text("".join(lines[:6]), "utf-8")
    (folder / "otherwise.jsonl").write_text(lines[20].replace('"auction":', '"packet":4,"auction":'), "utf-8")
    samples = (str(ROOT / "sample_games" / "valid" / f"{name}.toml") for name in SAMPLES)
    broken = (str(each) for each in sorted((ROOT / "sample_games" / "broken").glob("*.toml"))[::8])
    run("import", str(folder / "again.jsonl"), str(folder / "otherwise.jsonl"), *samples, *broken, "--db", str(path))
    conn = sqlite3.connect(path)
    of = dict(conn.execute("SELECT rules, min(d.id) FROM deals d JOIN sessions s ON s.id = session_id GROUP BY rules"))
    conn.close()
    assert run("correct", str(of["langendorf"]), "--set", "note=so", "--by", "Emil", "--why", "so", "--db",
               str(path)).exit_code == 0  # fmt: skip
    paid = "0, 0, 0, 0"
    run("rule", str(of["schierling"]), "--payments", paid, "--by", "Emil", "--why", "so", "--db", str(path))
    return path


@pytest.fixture
def copy(everything: Path, tmp_path: Path) -> Path:
    path = tmp_path / "copy.db"
    conn, other = sqlite3.connect(everything), sqlite3.connect(path)
    conn.backup(other)
    return path


def both(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[SessionComparison], list[SessionComparison]]:
    """What one session after another tells, and what is told in bulk."""
    with monkeypatch.context() as patched:
        patched.setattr(rejudge_in_bulk, "sessions", each_alone)
        one_by_one = list(compare_sessions(open_read(str(path))))
    return one_by_one, list(compare_sessions(open_read(str(path))))


def each_alone(conn: sqlite3.Connection, _known: object) -> list[int]:
    """Every session, as one that cannot be judged together with others."""
    return [row[0] for row in conn.execute("SELECT id FROM sessions ORDER BY id")]


def test_where_nothing_is_new_bulk_finds_nothing(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one_by_one, bulk = both(copy, monkeypatch)
    assert bulk == one_by_one
    assert not any(each.stale for each in bulk)
    plain = [each for each in rejudge_in_bulk.sessions(open_read(str(copy))) if not isinstance(each, int)]
    assert {each.session for each in plain} < {each.session for each in bulk}
    judged = [found for each in rejudge_in_bulk.judge_again(plain, 0) for found in each or ()]
    assert sum(each.replay is not None and not each.replay.steps for each in judged) > 60


CHANGES = (
    "UPDATE deals SET verdict = 'differs', reason = 'So it was.' WHERE id % 7 = 0",
    "UPDATE deals SET engine = '0' WHERE id % 11 = 0",
    "UPDATE seats SET payment = payment + 10 WHERE deal_id % 13 = 0 AND seat < 2",
    "UPDATE seats SET marks = 1 WHERE deal_id % 17 = 0",
    "UPDATE seats SET trumps = NULL WHERE deal_id % 19 = 0",
    "DELETE FROM findings WHERE id % 3 = 0",
    "UPDATE rulesets SET digest = 'other' || id WHERE id % 2 = 0",
    "INSERT INTO findings (source_id, deal_id, rule, severity, message) SELECT 1, id, 'wrong-leader', 'error', 'so' "
    "FROM deals WHERE id % 23 = 0",
    "DELETE FROM deals WHERE id % 29 = 0",
)


def changed(path: Path, which: int) -> None:
    """Half of the changes."""
    conn = sqlite3.connect(path)
    for change in CHANGES[which::2]:
        assert conn.execute(change).rowcount
    conn.commit()
    conn.close()


@pytest.mark.parametrize("which", [0, 1])
def test_what_has_changed_is_told_alike(copy: Path, monkeypatch: pytest.MonkeyPatch, which: int) -> None:
    changed(copy, which)
    one_by_one, bulk = both(copy, monkeypatch)
    assert bulk == one_by_one
    assert any(each.moved for each in bulk)


def test_what_was_taken_back_is_out_of_it(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("import", "--undo", "2", "--by", "Emil", "--why", "so", "--db", str(copy)).exit_code == 0
    one_by_one, bulk = both(copy, monkeypatch)
    assert bulk == one_by_one


def test_evenings_with_the_same_head_are_not_taken_for_one() -> None:
    alike = [rejudge_in_bulk.BulkSession(n, "{}", [n], [b"{}"], [""]) for n in (1, 2)]
    other = rejudge_in_bulk.BulkSession(3, '{"unit":"ct"}', [3], [b"{}"], [""])
    assert list(rejudge_in_bulk.group_sessions([alike[0], alike[1], other, 4])) == [[alike[0]], [alike[1], other], 4]


def test_the_command_says_the_same(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(copy, 0)
    told = []
    for sessions in (each_alone, rejudge_in_bulk.sessions):
        monkeypatch.setattr(rejudge_in_bulk, "sessions", sessions)
        for form in ((), ("--json",)):
            done = run("audit", "compare", "--db", str(copy), *form)
            told.append((done.exit_code, done.stdout, done.stderr))
    assert told[:2] == told[2:]
    assert told[0][0] == 1
