"""The released set of disputes: it is what it says, the same seed gives the same bytes, and the scorer counts."""

import csv
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import disputes
import disputes_score
import pytest
from support.paths import ROOT

import archive
from archive.store.snapshot import PACKAGE

RELEASED = ROOT / "benchmarks" / "disputes-1.zip"
PAGE = ROOT / "docs" / "disputes.md"
SOME = 25  # evenings that are judged here
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def released() -> Files:
    with zipfile.ZipFile(RELEASED) as packed:
        return {name.partition("/")[2]: packed.read(name) for name in packed.namelist()}


def table(files: Files, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[name].decode())))


def resources(files: Files) -> list[dict[str, Any]]:
    return json.loads(files[PACKAGE])["resources"]


def test_every_file_has_the_hash_and_size_that_the_metadata_state(released: Files) -> None:
    assert {each["path"] for each in resources(released)} == released.keys() - {PACKAGE, "SHA256SUMS"}
    for each in resources(released):
        data = released[each["path"]]
        assert (each["bytes"], each["hash"]) == (len(data), f"sha256:{hashlib.sha256(data).hexdigest()}")
    sums = dict(reversed(line.split("  ")) for line in released["SHA256SUMS"].decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in released.items() if name != "SHA256SUMS"}
    assert sums[PACKAGE] in PAGE.read_text("utf-8"), "the page says by which hash the set is cited"


def test_tables_have_the_columns_and_types_that_the_metadata_state(released: Files) -> None:
    reads = {"integer": int, "string": str, "boolean": ["true", "false"].index, "array": json.loads}
    for each in resources(released):
        for field in each.get("schema", {"fields": ()})["fields"]:
            values = [row[field["name"]] for row in table(released, each["path"])]
            assert all(reads[field["type"]](value) is not None for value in values)
            assert not field.get("constraints", {}).get("unique") or len({*values}) == len(values)
    causes = {row["cause"] for row in table(released, "causes.csv")}
    assert len(table(released, "disputes.csv")) == disputes.COUNT
    assert all(json.loads(row["answers"]) for row in table(released, "disputes.csv"))
    assert len(causes) > 80


def test_the_deals_that_are_named_differ_and_no_other_does(released: Files, tmp_path: Path) -> None:
    rows = table(released, "disputes.csv")[:SOME]
    lines = released["records.jsonl"].splitlines(keepends=True)[: SOME * disputes.DEALS]
    (tmp_path / "records.jsonl").write_bytes(b"".join(lines))
    judged = [
        each for each in archive.judge_records(archive.read_records(tmp_path / "records.jsonl"))
        if isinstance(each, archive.Judgement)
    ]  # fmt: skip
    differ = {(each.session.event, each.number) for each in judged if each.verdict == "differs"}
    assert differ == {(f"Disputes 1, evening {row['evening']}", int(row["deal"])) for row in rows}
    assert {each.verdict for each in judged} == {"agrees", "differs"}
    assert {each.session.licence for each in judged} == {"CC0-1.0"}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    one, again, other = (disputes.make(seed, 5) for seed in (1, 1, 2))
    assert one == again
    assert one["records.jsonl"] != other["records.jsonl"]


def test_our_own_answers_name_most_causes(tmp_path: Path) -> None:
    for name, data in disputes.make(5, 6).items():
        (tmp_path / name).write_bytes(data)
    code = [sys.executable, "disputes.py", "explain", str(tmp_path)]
    ran = subprocess.run(code, cwd=ROOT / "benchmarks", env={"PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
    (tmp_path / "ours.csv").write_bytes(ran.stdout)
    score = subprocess.run([sys.executable, "score.py", "ours.csv"], cwd=tmp_path, capture_output=True, text=True)
    lines = score.stdout.splitlines()
    assert lines[0].startswith("all: noticed 6 of 6 (100.0 %)")
    assert int(lines[0].partition("first ")[2].split()[0]) >= 5
    assert lines[-1] == "right deals accused: 0"


TRUTH = [
    {"evening": "1", "deal": "3", "answers": '[[["a", "b"]], [["c"]]]', "mistakes": "x", "cards": "true"},
    {"evening": "2", "deal": "1", "answers": '[[["a"], ["b", "c"]]]', "mistakes": "x+y", "cards": "false"},
]


@pytest.mark.parametrize(
    ("answers", "places", "accused"),
    [
        ([("1", "3", 1, "b"), ("2", "1", 1, "c+a")], [1, 1], 0),
        ([("1", "3", 2, "c"), ("1", "3", 1, "z")], [2, None], 0),
        ([("1", "3", 1, "a+b"), ("2", "1", 1, "a")], [99, 99], 0),
        ([("1", "3", 1, "")], [99, None], 0),
        ([("1", "3", 4, "a"), *(("1", "3", rank, "z") for rank in (1, 2, 3))], [99, None], 0),
        ([("1", "4", 1, "a"), ("1", "4", 2, "b"), ("3", "1", 1, "")], [None, None], 2),
        ([("2", "1", 1, "a+b+c"), ("2", "1", 2, "b+a")], [None, 2], 0),
        ([], [None, None], 0),
    ],
)
def test_the_scorer_counts(answers: list[tuple[str, str, int, str]], places: list[int | None], accused: int) -> None:
    given = [dict(zip(("evening", "deal", "rank", "causes"), map(str, row), strict=True)) for row in answers]
    found, wrongly = disputes_score.score(TRUTH, given)
    assert ([*found.values()], len(wrongly)) == (places, accused)
