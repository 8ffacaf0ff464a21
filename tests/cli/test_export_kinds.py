"""`export` and `convert`: every kind holds what it says, says what it drops, and never destroys what was there."""

import csv
import io
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from support.copied_folders import copy_filled
from support.forty import forty
from support.paths import ROOT
from support.running import run

from archive.cli.formats import KINDS, SHEETS, say_dropped
from archive.cli.inputs import files_with_progress
from archive.judge.judge_stream import judge_with_heads
from archive.notation import identity, read_one_line, write_line, write_toml
from archive.record import Finding, remedy
from archive.store import ArchiveError, export_lines, open_archive, open_read, withdraw_source
from archive.store.compression import pack_record, unpack_record
from archive.store.load import load_deal
from archive.text.protocol import WIDTH, protocol

SAMPLES = ROOT / "sample_games"
STAMMTISCH = SAMPLES / "valid" / "stammtisch.toml"
LOSSY = [kind for kind in KINDS if KINDS[kind].drops]


def an_evening(folder: Path) -> None:
    """Forty deals, and an archive of them."""
    (folder / "forty.toml").write_text(write_toml(*forty()), "utf-8")
    assert "40 deals added" in run("import", folder / "forty.toml", "--db", folder / "archive.db").stderr


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    copy_filled(an_evening, tmp_path)
    return tmp_path / "forty.toml"


@pytest.fixture
def archive(evening: Path) -> Path:
    return evening.with_name("archive.db")


def identities(path: Path) -> list[str]:
    found = [each for file in files_with_progress((str(path),), None) for each in judge_with_heads(file.items())]
    assert not any(isinstance(each, Finding) for each in found)
    return [identity(each[0], each[1].deal, each[1].number) for each in found if not isinstance(each, Finding)]


# --- records ----------------------------------------------------------------------------------------------------------


def test_toml_and_lines_lose_nothing_in_either_direction(tmp_path: Path) -> None:
    lines, again, back = tmp_path / "a.jsonl", tmp_path / "a.toml", tmp_path / "b.jsonl"
    for one, other in ((STAMMTISCH, lines), (lines, again), (again, back)):
        assert run("convert", one, other).exit_code == 0
    assert lines.read_bytes() == back.read_bytes()
    assert identities(STAMMTISCH) == identities(lines) == identities(again) != []


def test_a_deal_that_could_not_be_read_leaves_the_numbers_of_the_others(tmp_path: Path, evening: Path) -> None:
    evening.write_text(evening.read_text("utf-8").replace("no = 2\n", "no = 2\nnonsense = 1\n").replace("no = ", "# "))
    result = run("convert", evening, tmp_path / "a.jsonl")
    assert result.exit_code == 1
    assert "unknown-key" in result.stderr
    assert result.stdout == ""
    head, deals = forty()
    del head
    assert len(identities(tmp_path / "a.jsonl")) == len(deals) - 1
    assert b'"no":3,' in (tmp_path / "a.jsonl").read_bytes().splitlines()[1]


def test_export_of_one_session_as_toml_is_what_was_imported(tmp_path: Path, archive: Path, evening: Path) -> None:
    out = tmp_path / "out.toml"
    assert run("export", "--session", "1", "--output", out, "--db", archive).exit_code == 0, "the ending tells the kind"
    assert out.read_text("utf-8") == evening.read_text("utf-8")
    assert run("export", "--session", "2", "--db", archive).exit_code == 2
    assert run("export", "--to", "toml", "--db", archive).exit_code == 2, "of which session?"


def test_several_sessions_are_no_toml_and_nothing_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("stammtisch.toml", "bock-queue.toml"):
        (folder / name).write_bytes((SAMPLES / "valid" / name).read_bytes())
    result = run("convert", folder, tmp_path / "out.toml")
    assert (result.exit_code, "2 sessions" in result.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    assert run("convert", folder, tmp_path / "out.jsonl").exit_code == 0
    assert len(identities(tmp_path / "out.jsonl")) == len(identities(folder))


# --- tables -----------------------------------------------------------------------------------------------------------


def test_parquet_has_the_columns_of_the_csv_with_types_and_no_number_is_a_float(tmp_path: Path, archive: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for kind in ("csv", "parquet"):
        assert run("export", "--to", kind, "--output", tmp_path / f"o.{kind}", "--db", archive).exit_code == 0
    head, *rows = csv.reader((tmp_path / "o.csv").open(encoding="utf-8", newline=""))
    table = parquet.read_table(tmp_path / "o.parquet")
    assert table.column_names == head
    kinds = {field.name: str(field.type) for field in table.schema}
    assert set(kinds.values()) == {"int64", "string", "bool"}
    assert (kinds["price"], kinds["won"], kinds["date"], kinds["marks"]) == ("int64", "bool", "string", "int64")

    def text(value: object) -> str:
        return "" if value is None else str(int(value)) if isinstance(value, bool) else str(value)

    assert [[text(row[name]) for name in head] for row in table.to_pylist()] == rows
    assert None in table["loser"].to_pylist(), "some are not there, and the numbers are whole all the same"
    assert None in table["side_points"].to_pylist() or None in table["runners"].to_pylist()


def test_a_table_is_the_same_with_an_archive_and_without(tmp_path: Path, archive: Path, evening: Path) -> None:
    out = tmp_path / "out.csv"
    run("convert", evening, out)
    assert out.read_text("utf-8") == run("export", "--to", "csv", "--db", archive).stdout.replace("\r\n", "\n")


def test_a_table_of_lines_in_bulk_is_that_of_the_deals_one_by_one(
    tmp_path: Path, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = tmp_path / "evening.jsonl"
    run("convert", evening, lines)
    outcomes = []
    for bulk in (0, 1 << 20):
        monkeypatch.setattr("archive.store.bulk.import_file.BULK", bulk)
        result = run("convert", lines, tmp_path / f"{bulk}.csv")
        outcomes.append((result.exit_code, result.stderr, (tmp_path / f"{bulk}.csv").read_bytes()))
    assert outcomes[0] == outcomes[1]


def test_the_lines_of_untouched_sessions_are_given_as_they_are_kept(
    all_samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are the bytes that reading and writing each record gives."""
    read, count = set[int](), "SELECT count(*) FROM records"
    monkeypatch.setattr("archive.store.export.load_deal", lambda *a: (read.add(a[1]), load_deal(*a))[1])
    with closing(open_read(all_samples)) as conn:
        kept = list(export_lines(conn))
        assert len(read) < conn.execute(count).fetchone()[0] / 2
        monkeypatch.setattr("archive.store.export.kept_line", lambda *_: None)
        assert list(export_lines(conn)) == kept
        assert len(read) == conn.execute(count).fetchone()[0]


def test_a_line_that_an_older_version_kept_in_other_letters_is_written_as_today(archive: Path) -> None:
    with closing(open_archive(archive)) as db:
        before = list(export_lines(db.conn))
        ((packed, head),) = db.execute("SELECT record, head FROM records r, sessions WHERE r.id = 1")
        other = pack_record(unpack_record(packed, head)[:-1] + b" }", head)
        db.execute("UPDATE records SET record = ? WHERE id = 1", (other,))
        assert list(export_lines(db.conn)) == before


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ("DELETE FROM sources", "The file of deal 1 "),
        ("DELETE FROM sessions", "The record of deal 1 "),
        ("DELETE FROM deals WHERE id = 3", "Deal 3 "),
        ("UPDATE records SET record = x'00ff' WHERE id = 5", "deal 5 "),
        ("DELETE FROM records WHERE id = 7", "deal 7 "),
    ],
)
def test_no_line_is_given_of_a_deal_of_which_something_is_lost(lost: str, told: str, archive: Path) -> None:
    with closing(sqlite3.connect(archive)) as conn:
        conn.execute(lost)
        with pytest.raises(ArchiveError, match=told):
            list(export_lines(conn))


def test_no_line_is_given_of_a_deal_that_does_not_count_or_did_not_then(archive: Path, tmp_path: Path) -> None:
    two, db = tmp_path / "two.jsonl", tmp_path / "two.db"
    run("import", STAMMTISCH, "--db", archive)
    with closing(open_read(archive)) as conn:
        every, first = b"".join(export_lines(conn)), b"".join(export_lines(conn, 1))
    for lines in (every, first):
        two.write_bytes(lines)
        run("import", two, "--gone", "withdraw", "--db", db)
        with closing(open_read(db)) as conn:
            assert b"".join(export_lines(conn)) == lines
            assert not list(export_lines(conn, as_of="2020-01-01"))
    run("import", "--undo", 2, "--by", "Anna", "--why", "w", "--db", archive)
    with closing(open_read(archive)) as conn:
        assert b"".join(export_lines(conn)) == first


def test_lines_are_those_of_one_moment_whatever_is_written_meanwhile(archive: Path) -> None:
    run("import", STAMMTISCH, "--db", archive)
    run("correct", "41", "--set", 'note="n"', "--by", "Anna", "--why", "w", "--db", archive)
    with closing(open_archive(archive)) as db, closing(open_read(archive)) as conn:
        before, lines = list(export_lines(conn)), export_lines(conn)
        first = next(lines)
        withdraw_source(db, 2, "Anna", "twice")
        assert [first, *lines] == before
        assert list(export_lines(conn)) == before[:40]


def test_parquet_is_written_in_batches(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("archive.store.export.BATCH", 7)
    assert run("export", "--to", "parquet", "--output", tmp_path / "o.parquet", "--db", archive).exit_code == 0
    file = parquet.ParquetFile(tmp_path / "o.parquet")
    assert (file.metadata.num_row_groups, file.metadata.num_rows) == (6, 40)


def test_without_pyarrow_a_sentence_says_how_to_get_it(
    tmp_path: Path, archive: Path, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    out = tmp_path / "o.parquet"
    for words in (("export", "--to", "parquet", "--output", out, "--db", archive), ("convert", evening, out)):
        result = run(*words)
        assert result.exit_code == 2
        assert "pip install pyarrow" in result.stderr
        assert not out.exists()


# --- lines and protocols ----------------------------------------------------------------------------------------------


def test_what_the_one_line_notation_cannot_tell_is_counted_and_named() -> None:
    result = run("convert", STAMMTISCH, "-", "--to", "one-line")
    lines = result.stdout.splitlines()
    left = [line for line in result.stderr.splitlines() if "left out" in line]
    deals = len(identities(STAMMTISCH))
    assert all(not isinstance(read_one_line(line), Finding) for line in lines)
    assert 0 < len(lines) < deals
    assert sum(int(line.split()[0]) for line in left) == deals - len(lines)
    assert any(line.endswith(": 16") or ": " in line for line in left)


def test_the_one_line_notation_tells_every_deal_of_the_forty_that_is_played_to_its_end(archive: Path) -> None:
    _, deals = forty()
    result = run("export", "--to", "one-line", "--db", archive)
    whole = [deal for deal in deals if len(deal.tricks or ()) == 8]
    read = [read_one_line(line) for line in result.stdout.splitlines()]
    assert [
        each.tricks and [trick.cards for trick in each.tricks] for each in read if not isinstance(each, Finding)
    ] == [[trick.cards for trick in deal.tricks or ()] for deal in whole]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("path", sorted((SAMPLES / "valid").glob("*.toml")), ids=lambda path: path.stem)
def test_a_protocol_fits_the_page_and_names_every_card_and_player(path: Path) -> None:
    found = [each for file in files_with_progress((str(path),), None) for each in judge_with_heads(file.items())]
    pairs = [each for each in found if not isinstance(each, Finding)]
    text = "".join(protocol(pairs))
    assert max(map(len, text.splitlines()), default=0) <= WIDTH
    assert "\x1b" not in text
    for _, judgement in pairs:
        assert all(name in text for name in judgement.session.players)
        assert f"Deal {judgement.number}: " in text
        assert all(each.rule in text for each in judgement.findings)
    assert all(line == line.rstrip() for line in text.splitlines())


def test_a_protocol_has_head_hands_tricks_settlement_totals_and_what_is_stated(evening: Path) -> None:
    text = run("convert", evening, "-", "--to", "protocol").stdout
    told = (
        "Players    Resi, Ex-Sauspieler #11557, vroni_7, Der Xaver (in the direction of play)",
        "E Eichel, G Gras", "A Sau", "Hands as dealt", "Tricks: > led", "Settlement, amounts in", "001 Scoring",
        "pays:", "totals:", "Stated by the record, and computed by the rules", "Running totals",
        "Verdict: agrees (by the cards).",
    )  # fmt: skip
    assert all(" ".join(part.split()) in " ".join(text.split()) for part in told)
    assert text.count("Verdict: ") == 40


def test_a_protocol_tells_each_finding_with_its_place_and_remedy() -> None:
    path = SAMPLES / "broken" / "must-follow.toml"
    text = " ".join(run("convert", path, "-", "--to", "protocol").stdout.split())
    assert re.search(r"- Error must-follow: Trick \d card \d: ", text)
    assert remedy("must-follow") in text


def test_names_of_any_length_stay_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    text = write_toml(*forty())
    for name in ("Resi", "vroni_7", "Der Xaver"):
        text = text.replace(name, f"{name} von und zu Hinterdupfing an der Knatter")
    path.write_text(text, "utf-8")
    told = run("convert", path, "-", "--to", "protocol").stdout
    assert max(map(len, told.splitlines())) <= WIDTH


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LOSSY)
def test_what_a_kind_drops_is_said_on_stderr_in_the_help_and_on_the_page(
    kind: str, evening: Path, tmp_path: Path
) -> None:
    drops = say_dropped(KINDS[kind], "en")
    out = tmp_path / "out"
    assert drops in run("convert", evening, out, "--to", kind).stderr
    for command in ("export", "convert"):
        assert drops in " ".join(run(command, "--help").output.split())
    page = (SAMPLES.parent / "docs" / "export.md").read_text("utf-8")
    assert f"`{kind}`" in page


@pytest.mark.parametrize("kind", SHEETS)
def test_what_a_sheet_drops_is_said_on_stderr_and_in_the_help(kind: str, archive: Path, tmp_path: Path) -> None:
    drops = say_dropped(SHEETS[kind], "en")
    exported = run("export", "--to", kind, "--session", 1, "--db", archive, "-o", tmp_path / "out")
    assert drops in exported.stderr
    assert drops in " ".join(run("export", "--help").output.split())


def test_a_file_that_is_there_is_kept_unless_forced(tmp_path: Path, evening: Path, archive: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine", "utf-8")
    for words in (("convert", evening, out), ("export", "--output", out, "--db", archive)):
        assert run(*words).exit_code == 2
        assert out.read_text("utf-8") == "mine"
        assert run(*words, "--force").exit_code in (0, 1)
        assert out.read_text("utf-8") != "mine"
        out.write_text("mine", "utf-8")
    assert run("export", "--output", tmp_path / "a.ndjson", "--db", archive).exit_code == 0
    assert not list(tmp_path.glob(".*"))


def test_a_file_is_whole_or_what_it_was(tmp_path: Path, evening: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(*_: object) -> None:
        raise OSError(28, "No space left on device")

    out = tmp_path / "out.jsonl"
    out.write_text("mine", "utf-8")
    monkeypatch.setattr("archive.store.export.write_line", half)
    result = run("convert", evening, out, "--force")
    assert (result.exit_code, "No space left" in result.stderr) == (2, True)
    assert out.read_text("utf-8") == "mine"
    assert not list(tmp_path.glob(".*"))


def test_what_cannot_be_written_is_a_sentence(tmp_path: Path, evening: Path) -> None:
    assert run("convert", evening, tmp_path / "no" / "folder.jsonl").exit_code == 2
    assert run("convert", evening, tmp_path, "--to", "csv").exit_code == 2
    assert run("convert", evening, tmp_path / "out.pdf").exit_code == 2


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_protocol_that_somebody_brings_back_is_named_and_not_read_as_typed_lines(
    tmp_path: Path, evening: Path, language: str
) -> None:
    run("convert", evening, tmp_path / "evening.txt", "--lang", language)
    told = run("check", tmp_path / "evening.txt", "--lang", language)
    assert [line.split()[1] for line in told.output.splitlines() if "evening.txt:" in line] == ["foreign-file"]


def test_a_protocol_and_what_is_said_of_it_are_german_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = SAMPLES / "broken" / "must-follow.toml"
    german = run("convert", bad, tmp_path / "a.txt", "--lang", "de")
    assert remedy("must-follow", "de") in german.stderr
    assert say_dropped(KINDS["protocol"], "de") in german.stderr
    assert "1 regelwidrig" in german.stderr
    assert remedy("must-follow", "de") in " ".join((tmp_path / "a.txt").read_text("utf-8").split())
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")  # of an environment stderr is German, a file is not
    assert run("convert", bad, tmp_path / "b.txt").stderr == german.stderr
    assert remedy("must-follow") in " ".join((tmp_path / "b.txt").read_text("utf-8").split())
    left_out = run("convert", bad, "-", "--to", "one-line", "--lang", "de").stderr
    assert re.search(r"^1 Spiel bleibt weg, denn .+: 1$", left_out, re.M)
    folder = tmp_path / "twice"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.toml").write_bytes(bad.read_bytes())
    assert "1 Spiel stand schon vorher da" in run("convert", folder, "-", "--to", "csv", "--lang", "de").stderr


def test_standard_input_and_output(evening: Path) -> None:
    result = run("convert", "-", "-", "--to", "jsonl", given=evening.read_bytes())
    head, deals = forty()
    assert result.stdout_bytes.splitlines() == [write_line(head, deal) for deal in deals]


def test_findings_are_said_and_what_could_be_read_is_written(tmp_path: Path) -> None:
    good = STAMMTISCH.read_text("utf-8")
    path = tmp_path / "half.toml"
    path.write_text(f"{good}\n[[deal]]\ngame = 7\n", "utf-8")
    result = run("convert", path, tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert f"{path}:{len(good.splitlines()) + 3}: wrong-type" in result.stderr
    assert identities(tmp_path / "out.jsonl") == identities(STAMMTISCH)
    path.write_text("nothing", "utf-8")
    assert run("convert", path, tmp_path / "none.jsonl").exit_code == 1
    assert not (tmp_path / "none.jsonl").exists()
    assert io.StringIO(run("convert", path, "-", "--to", "csv").stdout).read() == ""


def test_csv_for_excel_opens_in_a_german_excel(archive: Path) -> None:
    plain = run("export", "--to", "csv", "--db", archive).stdout
    excel = run("export", "--to", "csv", "--for", "excel", "--db", archive).stdout
    assert excel.startswith("\ufeffdeal;viewer;session")
    rows = [list(csv.reader(io.StringIO(text), delimiter=sign)) for text, sign in ((plain, ","), (excel[1:], ";"))]
    assert rows[0] == rows[1]
    assert run("export", "--to", "jsonl", "--for", "excel", "--db", archive).exit_code == 2


def test_a_game_that_was_thrown_in_is_no_missing_value_of_a_csv(tmp_path: Path) -> None:
    """csvkit takes `none` for an empty field."""
    evening = tmp_path / "evening.toml"
    head = 'format = "schafkopf-record/1"\nrules = "pub"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'
    evening.write_text(f'{head}[[deal]]\ngame = "none"\n', "utf-8")
    (row,) = csv.DictReader(io.StringIO(run("convert", evening, "-", "--to", "csv").stdout))
    assert row["contract"] == "thrown-in"


def test_a_masked_archive_is_one_file_without_a_log(tmp_path: Path, archive: Path) -> None:
    out = tmp_path / "masked.db"
    assert run("export", "--to", "archive", "--mask", "seats", "--db", archive, "--output", out).exit_code == 0
    assert out.read_bytes()[18:20] == b"\1\1"
