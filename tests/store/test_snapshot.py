"""A snapshot: plain files, the terms of every source, a manifest that can be cited, the same bytes on any day."""

import csv
import hashlib
import json
import shutil
import subprocess
from contextlib import chdir
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from support.copied_folders import copy_filled
from support.hard_names import HARD_EVENING, NAMES, left
from support.running import run
from support.store_samples import EVENING, SAMPLE

from archive.judge.types import ENGINE
from archive.rules.load import BUNDLED
from archive.store import open_archive, open_read, sources

MODES = ("initials", "seats", "pseudonyms")


def fill(folder: Path) -> None:
    with chdir(folder):
        archive_in(Path("first"))


def archive_in(folder: Path) -> Path:
    """Three files, each under other terms, one of them taken back."""
    folder.mkdir(exist_ok=True)
    db = folder / "archive.db"
    for name, text, *terms in (
        ("hard.toml", HARD_EVENING, "--licence", "CC BY 4.0", "--origin", "a club", "--time-zone", "Europe/Berlin"),
        ("evening.toml", EVENING, "--licence", "not to be passed on"),
    ):
        Path(name).write_text(text, "utf-8")
        run("import", name, "--db", db, *terms)
    Path("log.txt").write_bytes(SAMPLE.read_bytes())
    run("import", "log.txt", "--db", db)
    run("import", "--undo", "2", "--by", "Anna", "--why", "wrong evening", "--db", db)
    return db


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    copy_filled(fill, tmp_path)
    return tmp_path / "first" / "archive.db"


def snapped(db: Path, name: str = "snapshot", *more: str) -> tuple[Path, dict[str, Any], str]:
    result = run("export", "--snapshot", name, "--db", db, *more)
    assert result.exit_code == 0, result.output
    return Path(name), json.loads(Path(name, "manifest.json").read_text("utf-8")), result.stdout


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


# --- what it holds ----------------------------------------------------------------------------------------------------


def test_the_files_hash_as_the_manifest_says_and_the_manifest_as_printed(archive: Path) -> None:
    folder, manifest, printed = snapped(archive)
    found = bytes_of(folder)
    assert set(manifest["files"]) == set(found) - {"manifest.json", "SHA256SUMS"}
    for name, told in manifest["files"].items():
        assert told == {"sha256": hashlib.sha256(found[name]).hexdigest(), "size": len(found[name])}
    assert printed == f"{hashlib.sha256(found['manifest.json']).hexdigest()}  snapshot/manifest.json\n"


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no sha256sum")
def test_a_snapshot_is_checked_without_this_program(archive: Path) -> None:
    folder, _, printed = snapped(archive)
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, check=True, capture_output=True)
    Path("cited").write_text(printed)
    subprocess.run(["sha256sum", "--check", "--strict", "cited"], check=True, capture_output=True)


def test_records_and_outcomes_are_those_of_the_other_exports(archive: Path) -> None:
    folder, _, _ = snapped(archive)
    assert (folder / "records.jsonl").read_bytes() == run("export", "--db", archive).stdout_bytes
    assert (folder / "outcomes.csv").read_bytes() == run("export", "--to", "csv", "--db", archive).stdout_bytes


def test_every_source_has_its_terms_also_one_that_was_taken_back(archive: Path) -> None:
    _, manifest, _ = snapped(archive)
    keys = ("path", "format", "licence", "origin", "time_zone", "withdrawn")
    assert [tuple(each[key] for key in keys) for each in manifest["sources"]] == [
        ("hard.toml", "record-toml", "CC BY 4.0", "a club", "Europe/Berlin", False),
        ("evening.toml", "record-toml", "not to be passed on", None, None, True),
        ("log.txt", "netschafkopf", None, None, None, False),
    ]
    for each in manifest["sources"]:
        raw = Path(each["path"]).read_bytes()
        assert (each["sha256"], each["size"]) == (hashlib.sha256(raw).hexdigest(), len(raw))


def test_the_manifest_counts_what_is_there_and_says_what_made_it(archive: Path) -> None:
    folder, manifest, _ = snapped(archive)
    deals = (folder / "records.jsonl").read_text("utf-8").count("\n")
    assert manifest["counts"] == {"deals": deals, "sessions": 2, "players": 9, "corrections": 3, "rulings": 1}
    assert sum(manifest["verdicts"].values()) == deals
    assert (manifest["format"], manifest["masked"]) == ("schafkopf-snapshot/1", None)
    assert manifest["made_by"]["engine"] == ENGINE
    assert manifest["formats"]["records"] == "schafkopf-record/1"


def test_the_frictionless_metadata_describe_the_files_and_name_the_terms_of_what_is_there(archive: Path) -> None:
    folder, manifest, _ = snapped(archive)
    package = json.loads((folder / "datapackage.json").read_text("utf-8"))
    stated = {each["path"]: (each["hash"], each["bytes"]) for each in package["resources"]}
    files = {name: (f"sha256:{each['sha256']}", each["size"]) for name, each in manifest["files"].items()}
    assert stated == {name: each for name, each in files.items() if name != "datapackage.json"}
    assert package["licenses"] == [  # of a file, and of a record; not of what was taken back
        {"name": "CC-BY-4.0", "title": "CC BY 4.0"},
        {"name": "CC-BY-Annegret", "title": "CC BY, Annegret"},
    ]
    assert {"title": "a club"} in package["sources"]
    fields = next(each["schema"]["fields"] for each in package["resources"] if each["path"] == "outcomes.csv")
    with (folder / "outcomes.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [field["name"] for field in fields] == list(rows[0])
    for field in fields:
        values = {row[field["name"]] for row in rows} - {""}
        if field["type"] == "boolean":
            assert values <= {*field["trueValues"], *field["falseValues"]}
        elif field["type"] == "integer":
            assert all(int(value) is not None for value in values)


def test_how_it_is_cited_is_said(archive: Path) -> None:
    result = run("export", "--snapshot", "cited", "--db", archive)
    assert (
        f"Cite it as: snapshot of an archive of Schafkopf games, schafkopf-archive {version('schafkopf-archive')}, "
        in (result.stderr)
    )
    assert f"SHA-256 {result.stdout.split()[0]}." in result.stderr


def test_the_rulesets_that_deals_were_judged_by_are_there_with_all_that_they_extend(archive: Path) -> None:
    folder, _, _ = snapped(archive)
    houses = json.loads((folder / "rulesets.json").read_text("utf-8"))
    used = "SELECT digest FROM rulesets WHERE id IN (SELECT ruleset_id FROM deals) ORDER BY digest"
    assert [each["digest"] for each in houses] == [row[0] for row in open_read(archive).execute(used)]
    assert any(each["overrides"] and each["overrides"].get("tariff") == "10/20/50" for each in houses)
    files = {each.stem: each.read_bytes() for each in (folder / "rulesets").iterdir()}
    assert {"pub", "bavarian"} <= files.keys()
    assert all((BUNDLED / f"{name}.toml").read_bytes() == text for name, text in files.items())


# --- the same bytes ---------------------------------------------------------------------------------------------------


@pytest.mark.one_in(4)
@pytest.mark.parametrize("mask", [(), *(("--mask", mode) for mode in MODES)])
def test_the_same_archive_gives_the_same_bytes_on_another_day(
    archive: Path, monkeypatch: pytest.MonkeyPatch, mask: tuple[str, ...]
) -> None:
    first, _, said = snapped(archive, "one", *mask)
    monkeypatch.setattr(sources, "utc_now", lambda: "2031-01-01T00:00:00+00:00")
    monkeypatch.setattr("archive.store.save.utc_now", lambda: "2031-01-01T00:00:00+00:00")
    again = archive_in(Path("second"))
    when = open_read(again).execute("SELECT imported_at FROM sources").fetchone()[0]
    assert when.startswith("2031")
    second, _, told = snapped(again, "two", *mask)
    assert bytes_of(first) == bytes_of(second)
    assert told == said.replace("one/", "two/")


def test_another_content_gives_another_hash(archive: Path) -> None:
    _, _, before = snapped(archive, "one")
    run("import", "--redo", "2", "--by", "Anna", "--why", "right after all", "--db", archive)
    _, _, after = snapped(archive, "two")
    assert before.split()[0] != after.split()[0]


# --- masked -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_masked_snapshot_names_nobody_and_no_file(archive: Path, mode: str) -> None:
    folder, manifest, _ = snapped(archive, "snapshot", "--mask", mode, "--also", "Ann")
    assert manifest["masked"] == mode
    names = [*NAMES, *(row[0] for row in open_read(archive).execute("SELECT name FROM players"))]
    for name, raw in bytes_of(folder).items():
        if not name.startswith("rulesets/"):
            assert left(names, raw.decode()) == [], name
    assert [each["path"] for each in manifest["sources"]] == ["masked-1.jsonl", "masked-2.jsonl"]
    assert [each["licence"] for each in manifest["sources"]] == ["CC BY 4.0", None]


# --- refused ----------------------------------------------------------------------------------------------------------


def test_a_folder_that_is_not_empty_is_left_alone(archive: Path) -> None:
    Path("mine").mkdir()
    Path("mine", "letter.txt").write_text("dear")
    result = run("export", "--snapshot", "mine", "--db", archive)
    assert result.exit_code == 2
    assert "mine is not empty; a snapshot needs a folder of its own" in result.output
    assert bytes_of(Path("mine")) == {"letter.txt": b"dear"}
    Path("empty").mkdir()
    assert run("export", "--snapshot", "empty", "--db", archive).exit_code == 0
    result = run("export", "--snapshot", "mine/letter.txt", "--db", archive)
    assert result.exit_code == 2
    assert "cannot be written" in result.output


@pytest.mark.parametrize("words", [("--to", "csv"), ("--session", "1"), ("--output", "x"), ("--as-of", "2026-11-14")])
def test_a_snapshot_is_of_the_whole_archive(archive: Path, words: tuple[str, str]) -> None:
    result = run("export", "--snapshot", "snapshot", *words, "--db", archive)
    assert result.exit_code == 2
    assert f"it has no {words[0]}" in result.output
    assert not Path("snapshot").exists()


# --- sources ----------------------------------------------------------------------------------------------------------


def test_the_terms_of_every_file_are_listed(archive: Path) -> None:
    told = run("stats", "sources", "--db", archive).output.splitlines()
    assert [line.split()[:3] for line in told[2:]] == [
        ["1", "hard.toml", "3"],
        ["2", "evening.toml", "4"],
        ["3", "log.txt", told[4].split()[2]],
    ]
    assert all(word in told[2] for word in ("CC BY 4.0", "a club", "Europe/Berlin"))
    assert "not said" in told[3]
    assert told[3].endswith("taken back")
    one = run("stats", "sources", "--event", "Stammtisch", "--db", archive).output.splitlines()
    assert [line.split()[1] for line in one[2:]] == ["evening.toml"]
    assert run("stats", "sources", "--event", "none", "--db", archive).exit_code == 2


def test_an_erased_person_is_not_in_the_snapshot_and_the_hash_of_the_text_says_so(archive: Path) -> None:
    run("players", "erase", "Annegret", "--by", "Emil", "--why", "asked for", "--db", archive)
    folder, manifest, _ = snapped(archive)
    assert left(["Annegret"], "\n".join(raw.decode() for raw in bytes_of(folder).values())) == []
    assert [each["redacted_sha256"] is not None for each in manifest["sources"]] == [True, False, False]
    db = open_archive(archive)
    assert (
        db.execute("SELECT lower(hex(redacted_sha256)) FROM sources").fetchone()[0]
        == manifest["sources"][0]["redacted_sha256"]
    )
    db.close()
