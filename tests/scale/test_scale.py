"""Shards under Dask: what is written, how often, and what becomes of a run that is disturbed."""

import gzip
import json
import os
import signal
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from support import running
from support.scale_shards import BROKEN, VALID, sample_lines
from support.store_samples import EVENING, another, read

from archive.judge import door
from archive.notation import write_line
from archive.say import message, say
from archive.scale import check as checking
from archive.scale.check import Job, Manifest, check_shard, manifest_of, place
from archive.scale.parquet import TABLES
from archive.scale.shards import book_of, folder_of

LACKS = [name for name in ("distributed", "pyarrow") if find_spec(name) is None]  # which take a second to import
pytestmark = pytest.mark.skipif(bool(LACKS), reason=f"without {LACKS}")


def lines(text: str = EVENING) -> bytes:
    pairs, _ = read(text)
    return b"".join(write_line(head, found.recorded) + b"\n" for head, found in pairs)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers, for all tests of the module."""
    from archive.scale.cluster import cluster

    with cluster(workers=2) as found:
        yield found


def run_jobs(*given: Any) -> Any:
    from archive.scale.cluster import run

    return run(*given)


def write_table(path: Path, **columns: list[Any]) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), path)


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """Three small shards, one in each form."""
    folder = tmp_path / "in"
    (folder / "2026").mkdir(parents=True)
    (folder / "2026" / "b.jsonl").write_bytes(lines())
    (folder / "c.jsonl.gz").write_bytes(gzip.compress(lines(another())))
    record = [each.decode() for each in sample_lines(BROKEN, "must-beat-lord.toml")]
    write_table(folder / "d.parquet", record=record)
    return folder


def scale(client: Any, *words: object) -> Result:
    """A command of `scale` at the scheduler of the module."""
    given = ["--scheduler", client.scheduler.address] if words[0] == "check" else []
    return running.run("scale", *words, *given)


def files(out: Path) -> dict[str, str]:
    """Every table of every shard by its hash."""
    found = sorted(out.glob("shard=*/*.parquet"))
    return {path.relative_to(out).as_posix(): sha256(path.read_bytes()).hexdigest() for path in found}


def rows(out: Path, table: str, number: int) -> list[dict[str, Any]]:
    from pyarrow import parquet

    return parquet.read_table(out / folder_of(number) / f"{table}.parquet", partitioning=None).to_pylist()


# --- what is written --------------------------------------------------------------------------------------------------


def test_a_shard_in_is_a_shard_out(client: Any, shards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (shards / "notes.txt").write_text("no shard")
    result = scale(client, "check", shards, out)
    assert result.exit_code == 1  # of must-beat-lord
    assert "1 other file in" in result.stderr
    assert f"must-beat-lord: 1, first in {shards}/" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("3 shards; 9 deals: ")
    book = book_of(out)
    assert book.numbers == {"2026/b.jsonl": 1, "c.jsonl.gz": 2, "d.parquet": 3}
    for name, number in book.numbers.items():
        told = manifest_of(out, number)
        assert (told.name, told.sha256) == (name, sha256((shards / name).read_bytes()).hexdigest())
        assert told.deals == len(rows(out, "deals", number)) == sum(told.verdicts.values())
        for table, written in told.tables.items():
            assert len(rows(out, table, number)) == written.rows
            for row in rows(out, table, number):
                own = [row[key] for key in ("deal_id", "session_id", "source_id") if row.get(key) is not None]
                assert all(key >> 32 == number for key in own)
    assert [row["path"] for row in rows(out, "sources", 1)] == ["2026/b.jsonl"]
    assert [row["record"].encode() for row in rows(out, "records", 1)] == lines().splitlines()
    assert {row["id"] for row in rows(out, "players", 1)} == {row["id"] for row in rows(out, "players", 2)}
    assert not (out / ".aside").exists()


def test_workers_analyse_deals_where_that_is_asked_for(client: Any, tmp_path: Path) -> None:
    """A shard that was checked without is done again; then it is left alone."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(lines())
    scale(client, "check", folder, out)
    assert rows(out, "analyses", 1) == []
    assert "known" not in scale(client, "check", folder, out, "--analyse").stderr
    found = rows(out, "analyses", 1)
    assert [each["deal_id"] for each in found] == [each["id"] for each in rows(out, "deals", 1)]
    valued = {each["deal_id"] for each in found if each["missing"] is None}
    assert valued
    assert {each["deal_id"] for each in rows(out, "decisions", 1)} <= valued
    assert "1 of them known" in scale(client, "check", folder, out, "--analyse").stderr


def test_parquet_in_is_what_lines_are(tmp_path: Path) -> None:
    """A line break within a record, and a row without one, change nothing but the number of a line."""
    first, *others = lines().decode().splitlines()
    write_table(tmp_path / "a.parquet", n=[1] * 5, line=[None, first.replace(":", ":\n", 1), *others])
    (tmp_path / "a.jsonl").write_bytes(b"\n" + lines())
    made = {}
    for name in ("a.parquet", "a.jsonl"):
        check_shard(Job(name, str(tmp_path / name), 1, str(tmp_path / name[2:])))
        made[name] = files(tmp_path / name[2:])
    different = {path for path, digest in made["a.jsonl"].items() if made["a.parquet"][path] != digest}
    assert different == {"shard=000001/sources.parquet"}


def test_in_bulk_a_shard_is_what_it_is_deal_by_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A known deal and a line that is none among them. How a state is written is left to the writer."""
    whole = list(sample_lines(VALID, "netschafkopf.txt"))
    (tmp_path / "a.jsonl").write_bytes(
        b"\n".join([*whole, b"none", whole[0], *sample_lines(BROKEN, "must-*.toml"), b""])
    )
    (tmp_path / "b.jsonl").write_bytes(b"\n".join([*whole, b""]))
    for name in ("a.jsonl", "b.jsonl"):
        found = []
        for steps in (door.STEPS, b""):  # which all lines have
            monkeypatch.setattr(door, "STEPS", steps)
            out = tmp_path / f"out{len(steps)}{name}"
            told = check_shard(Job(name, str(tmp_path / name), 1, str(out)))
            found.append({table: rows(out, table, 1) for table in told.tables})
        for row in (*found[0]["deals"], *found[1]["deals"]):
            del row["state"], row["state_after"]
        assert len(found[0]["deals"]) >= len(whole)
        assert {table: len(each) for table, each in found[0].items()} == {
            table: len(each) for table, each in found[1].items()
        }
        assert found[0] == found[1]
        monkeypatch.undo()


@pytest.mark.parametrize(("name", "data", "said"), [
    ("a.jsonl.gz", gzip.compress(lines())[:-9], "not-unpacked"),
    ("a.jsonl.gz", b"no gzip", "not-unpacked"),
    ("a.parquet", b"PAR1 no parquet PAR1", "not-unpacked"),
    ("a.jsonl", b"", "no-deals"),
    ("a.jsonl", b'{"\xff"}', "not-utf8"),
    ("a.jsonl", b'{"format":\n' + lines(), "syntax"),
])  # fmt: skip
def test_what_cannot_be_read_is_a_finding(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    told = check_shard(Job(name, str(tmp_path / name), 7, str(tmp_path / "out")))
    found = rows(tmp_path / "out", "findings", 7)
    assert [row["rule"] for row in found if row["deal_id"] is None] == [said]
    assert found[0]["id"] >> 32 == 7
    assert sum(sum(each.values()) for each in told.findings.values()) == len(found)
    assert told.is_bad
    assert (told.lost is not None) == (said == "not-unpacked")
    assert told.deals == (4 if said == "syntax" else 0)


def test_a_parquet_file_of_something_else_is_a_finding(tmp_path: Path) -> None:
    write_table(tmp_path / "a.parquet", a=["x"], b=["y"])
    told = check_shard(Job("a.parquet", str(tmp_path / "a.parquet"), 1, str(tmp_path / "out")))
    assert told.lost == "the file cannot be read: it has no column record with a record line in each row"


def test_an_unreadable_shard_is_named_and_the_others_are_done(client: Any, shards: Path, tmp_path: Path) -> None:
    (shards / "c.jsonl.gz").write_bytes(b"no gzip")
    result = scale(client, "check", shards, tmp_path / "out")
    assert result.exit_code == 1
    assert result.stdout == f"{shards}/c.jsonl.gz: the file cannot be unpacked: it is damaged\n"
    assert "3 shards; 5 deals" in result.stderr


# --- again ------------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_where_another_stopped(client: Any, shards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    scale(client, "check", shards, out)
    before, moments = files(out), {path: path.stat().st_mtime_ns for path in out.glob("shard=*/*")}
    assert "3 shards, 3 of them known; 9 deals" in scale(client, "check", shards, out).stderr
    assert {path: path.stat().st_mtime_ns for path in out.glob("shard=*/*")} == moments

    (shards / "2026" / "a.jsonl").write_bytes(lines(EVENING.replace("2026-11-14", "2026-11-15")))
    (shards / "c.jsonl.gz").write_bytes(gzip.compress(b"".join(lines(another()).splitlines(keepends=True)[:2])))
    (out / folder_of(3) / "tricks.parquet").unlink()  # a folder that is no longer whole is done again too
    assert "4 shards, 1 of them known; 11 deals" in scale(client, "check", shards, out).stderr
    after, book = files(out), book_of(out)
    assert book.numbers["2026/a.jsonl"] == 4  # the others keep theirs
    assert {path: digest for path, digest in after.items() if path.startswith((folder_of(1), folder_of(3)))} == {
        path: digest for path, digest in before.items() if path.startswith((folder_of(1), folder_of(3)))
    }
    assert len(rows(out, "deals", 2)) == 2

    (shards / "d.parquet").unlink()
    result = scale(client, "check", shards, out)
    assert "1 shard of earlier runs no longer in" in result.stderr
    assert len(rows(out, "deals", 3)) == 1


def test_another_engine_and_the_option_do_all_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines())
    job = Job("a.jsonl", str(tmp_path / "a.jsonl"), 1, str(tmp_path / "out"))
    assert not check_shard(job).known
    assert check_shard(job).known
    assert not check_shard(Job(job.name, job.path, 1, job.out, again=True)).known
    monkeypatch.setattr(checking, "ENGINE", "0")
    assert not check_shard(job).known
    assert check_shard(job).known


# --- disturbed --------------------------------------------------------------------------------------------------------


def killed(job: Job) -> Manifest:
    """The first worker that has written all tables of the second shard is killed before it can move them."""
    marker = Path(job.out, "killed")
    if job.number != 2 or marker.exists():
        return check_shard(job)

    def kill(folder: Path, at: Path) -> None:
        assert len(list(folder.iterdir())) > 18
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)

    checking.place = kill
    return check_shard(job)


def lost_once(job: Job) -> Manifest:
    """A disk that is full once."""
    marker = Path(job.out, "full")
    if not marker.exists():
        marker.touch()
        raise OSError(28, "No space left on device", job.out)
    return check_shard(job)


def never(job: Job) -> Manifest:
    raise OSError(28, "No space left on device", "/some/out")


def jobs(shards: Path, out: Path) -> list[Job]:
    out.mkdir()
    names = sorted(path.relative_to(shards).as_posix() for path in shards.rglob("*.*"))
    return [Job(name, str(shards / name), n, str(out)) for n, name in enumerate(names, 1)]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_worker_changes_nothing(client: Any, shards: Path, tmp_path: Path) -> None:
    for job in jobs(shards, tmp_path / "calm"):
        check_shard(job)
    told = dict(run_jobs(client, jobs(shards, tmp_path / "out"), killed))
    assert (tmp_path / "out" / "killed").exists()
    assert all(isinstance(each, Manifest) for each in told.values())
    assert files(tmp_path / "out") == files(tmp_path / "calm")
    assert len(files(tmp_path / "out")) == 3 * len(TABLES)


def test_a_shard_that_fails_is_tried_again(client: Any, shards: Path, tmp_path: Path) -> None:
    told = dict(run_jobs(client, jobs(shards, tmp_path / "out")[:1], lost_once))
    assert [each.deals for each in told.values() if isinstance(each, Manifest)] == [4]


def test_why_a_shard_was_given_up_is_said_in_the_language_of_its_reader() -> None:
    from distributed import KilledWorker

    from archive.scale.cluster import why

    given_up = message("cli.shard-given-up", path="a", why=why(KilledWorker("a", None, 3)))  # type: ignore[no-untyped-call]
    ended = "4 Arbeiter endeten mitten darin, vielleicht weil ihr Speicher voll war"
    assert say(given_up, "de") == f"a: aufgegeben: {ended}"


def test_a_shard_that_always_fails_is_told(
    client: Any, shards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from archive.scale.cluster import run

    monkeypatch.setattr("archive.scale.cluster.run", lambda client, jobs: run(client, jobs, never))
    result = scale(client, "check", shards, tmp_path / "out")
    assert result.exit_code == 2
    assert f"{shards}/c.jsonl.gz: given up: out: No space left on device" in result.stderr
    assert "3 shards could not be checked" in result.stderr
    assert "Traceback" not in capfd.readouterr().err


def test_a_shard_takes_its_place_whoever_is_there(tmp_path: Path) -> None:
    at = tmp_path / "shard=000001"
    for text in ("old", "new"):
        (tmp_path / "aside").mkdir()
        (tmp_path / "aside" / "x").write_text(text)
        place(tmp_path / "aside", at)
    assert (at / "x").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["shard=000001"]
    with pytest.raises(OSError, match="nowhere"):
        place(tmp_path / "nowhere", tmp_path / "shard=000002")


# --- wrong use --------------------------------------------------------------------------------------------------------


def test_wrong_use_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    in_dir, out = str(tmp_path / "in"), str(tmp_path / "out")

    def said(*words: str) -> str:
        result = running.run("scale", *words)
        assert result.exit_code == 2, result.output
        return result.stderr.splitlines()[-1]

    assert "holds no shard" in said("check", in_dir, out)
    assert "lies in the folder of the shards" in said("check", in_dir, in_dir + "/out")
    assert "does not exist" in said("check", out, out)
    assert "has workers of its own" in said("check", in_dir, out, "--workers", "2", "--scheduler", "tcp://x:1")
    assert "holds no shard that was checked" in said("query", "thrown_in", out)
    assert "say which shards" in said("query", "thrown_in")
    assert "say which part" in said("slice", out, "--db", str(tmp_path / "a.db"))
    assert "holds no shard that was checked" in said("slice", out, "true", "--db", str(tmp_path / "a.db"))
    assert not (tmp_path / "a.db").exists()
    Path(out).mkdir()
    Path(out, "shards.json").write_text("{")
    assert "shards.json cannot be read" in said("query", "thrown_in", out)

    monkeypatch.setattr("archive.cli.scale.find_spec", lambda name: None if name == "dask" else object())
    for words in (("check", in_dir, out), ("query",), ("slice", out, "true", "--db", "a.db")):
        assert said(*words) == "Error: scale needs its extra: pip install '.[scale]' in the folder of the project"


def test_a_manifest_says_what_a_shard_is_made_of(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines())
    check_shard(Job("a.jsonl", str(tmp_path / "a.jsonl"), 1, str(tmp_path / "out")))
    told = json.loads((tmp_path / "out" / folder_of(1) / "manifest.json").read_text())
    assert told["format"] == "schafkopf-scale/1"
    assert told["tables"]["seats"]["rows"] == 16
    assert told["tables"]["seats"]["bytes"] == (tmp_path / "out" / folder_of(1) / "seats.parquet").stat().st_size
