"""How files come in: folders, patterns, archives, standard input; and what is no file, is damaged, or goes away."""

import gzip
import io
import json
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.running import run

from archive.cli import inputs, unpack
from archive.cli.inputs import File, open_files, paths
from archive.record import Deal, Finding, Session, Trick
from importers import IMPORTERS

HEAD = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "bavarian"\n'
EVENING = (HEAD + '[[deal]]\ngame = "none"\n').encode()
BROKEN = (HEAD + '[[deal]]\ngame = "none\n').encode()


def zipped(*members: tuple[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the commands run in, with a folder of games."""
    monkeypatch.chdir(tmp_path)
    for name in ("b.toml", "a.jsonl", "inner/c.txt", "inner/deep/d", ".hidden.toml", ".git/e.toml"):
        path = tmp_path / "games" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(EVENING)
    for name in ("b.expected", "columns.toml", "sheet.columns.toml"):
        (tmp_path / "games" / name).write_text("no record", "utf-8")
    return tmp_path


def opened(*given: str) -> list[str]:
    """The paths that are shown of the files that were found."""
    return [file.source.path for path in paths(given) for file in open_files(path, None)]


def found(path: Path) -> Iterator[tuple[str, str]]:
    """What there is in a file: the path of each part, and who reads it or what is wrong with it."""
    for file in open_files(path, None):
        yield file.source.path, file.importer.NAME if file.importer else file.findings[0].rule


# --- which there are --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("games", "a.jsonl b.toml inner/c.txt inner/deep/d"),
        ("games/inner", "inner/c.txt inner/deep/d"),
        ("games/b.toml", "b.toml"),
        ("games/.hidden.toml", ".hidden.toml"),
        ("games/columns.toml", "columns.toml"),
        ("games/*.toml", "b.toml"),
        ("games/[ab].*", "a.jsonl b.toml"),
        ("games/**/*.txt", "inner/c.txt"),
        ("gam?s/inner", "inner/c.txt inner/deep/d"),
        ("./games/*", "a.jsonl b.toml inner/c.txt inner/deep/d"),
    ],
)
def test_folders_patterns_and_files_give_their_files_in_order(folder: Path, given: str, expected: str) -> None:
    assert opened(given) == [f"games/{name}" for name in expected.split()]
    assert opened(str(folder / given)) == [str(folder / "games" / name) for name in expected.split()]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(folder: Path) -> None:
    (folder / "list [3].toml").write_bytes(EVENING)
    assert opened("list [3].toml") == ["list [3].toml"]


@pytest.mark.parametrize("given", ["no-such-file", "games/*.csv", "games/**x/*", "", "games/.hid*", "x\0y"])
def test_a_path_that_leads_nowhere_is_wrong_use_and_nothing_is_done(folder: Path, given: str) -> None:
    for words in (("check",), ("import", "--db", "archive.db")):
        result = run(*words, "games", given)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "not a file or folder, nor a pattern that fits one" in result.stderr
    assert not Path("archive.db").exists()


def test_a_format_that_is_not_there_is_wrong_use_that_lists_them(folder: Path) -> None:
    result = run("check", "--format", "word", "games")
    assert result.exit_code == 2
    assert all(repr(importer.NAME) in result.stderr for importer in IMPORTERS)


def test_a_format_that_is_given_is_not_questioned(folder: Path) -> None:
    assert run("check", "games/b.toml").exit_code == 0
    assert "record-lines" not in run("check", "--format", "record-lines", "games/b.toml").stdout
    assert ": syntax " in run("check", "--format", "record-lines", "games/b.toml").stdout


def test_standard_input_is_read_as_a_file_is(folder: Path) -> None:
    assert run("check", "-", given=BROKEN).stdout.startswith("<stdin>:5: syntax ")
    packed = zipped(("a.toml", EVENING), ("b.toml", BROKEN))
    result = run("check", "-", given=packed)
    assert result.stdout.startswith("<stdin>/b.toml:5: syntax ")
    assert result.stderr == "1 deal: 1 agrees (by the stated facts)\n"
    (folder / "-").write_bytes(EVENING)
    assert run("check", "./-", given=BROKEN).exit_code == 0
    assert [run("check", "-", given=text).exit_code for text in ("", "hello world")] == [1, 1]


# --- archives ---------------------------------------------------------------------------------------------------------


def test_the_files_of_an_archive_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    inner = zipped(("z.toml", EVENING), ("y.toml", gzip.compress(EVENING)[:-3]))
    path = tmp_path / "games"  # by its content, whatever its name
    path.write_bytes(
        zipped(
            ("inner/b.toml", EVENING),
            ("a.csv", b"no;record"),
            ("c.zip", inner),
            ("d.gz", gzip.compress(EVENING)),
            (".hidden", EVENING),
            ("__MACOSX/._a.csv", EVENING),
            ("inner/columns.toml", b""),
            ("inner/", b""),
        )
    )
    assert list(found(path)) == [
        (f"{path}/a.csv", "no-importer"),
        (f"{path}/c.zip/y.toml", "not-unpacked"),
        (f"{path}/c.zip/z.toml", "record-toml"),
        (f"{path}/d.gz", "record-toml"),
        (f"{path}/inner/b.toml", "record-toml"),
    ]


def test_the_hash_of_a_source_is_of_the_bytes_that_the_importer_reads(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for packed in (EVENING, gzip.compress(EVENING), zipped(("b", EVENING))):
        path.write_bytes(packed)
        (file,) = open_files(path, None)
        assert file.source.sha256 == sha256(EVENING).hexdigest()
        assert [item.source.sha256 for item in file.items() if item.source] == [file.source.sha256] * 2


def test_a_sheet_of_an_office_program_is_a_zip_and_is_not_unpacked(tmp_path: Path) -> None:
    for document in ("[Content_Types].xml", "mimetype"):
        data = zipped(("a.toml", EVENING), (document, b""))
        (tmp_path / "a").write_bytes(data)
        (raw,) = unpack.raw_files(tmp_path / "a")
        assert (raw.path, raw.data, raw.finding) == (str(tmp_path / "a"), data, None)


def encrypted() -> bytes:
    data = bytearray(zipped(("a.toml", EVENING)))
    for magic, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + flags] |= 1
    return bytes(data)


def tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        info = tarfile.TarInfo("a.toml")
        info.size = len(EVENING)
        archive.addfile(info, io.BytesIO(EVENING))
    return packed.getvalue()


def oldest_tar() -> bytes:
    """The same without the name of its kind in the head."""
    head = bytearray(tar())
    head[257:512] = bytes(255)
    head[148:156] = b"%06o\0 " % (sum(head[:148]) + sum(head[156:512]) + 8 * 32)
    return bytes(head)


def deep(levels: int) -> bytes:
    data = EVENING
    for _ in range(levels):
        data = zipped(("a", data))
    return data


NOT_UNPACKED: dict[str, tuple[Callable[[], bytes], str]] = {
    "encrypted": (encrypted, "it is encrypted"),
    "cut zip": (lambda: zipped(("a", EVENING))[:-9], "it is damaged"),
    "cut gzip": (lambda: gzip.compress(EVENING)[:-9], "it is damaged"),
    "tar": (tar, "it is packed with tar"),
    "tar.gz": (lambda: gzip.compress(tar()), "it is packed with tar"),
    "tar of the oldest kind": (oldest_tar, "it is packed with tar"),
    "7-Zip": (lambda: b"7z\xbc\xaf\x27\x1c\0\4", "it is packed with 7-Zip"),
    "archives in each other": (lambda: deep(2), "it is an archive in an archive, 3 deep"),
    "a bomb": (lambda: zipped(("a", bytes(2**26))), "times as large as it is"),
    "a bomb of gzip": (lambda: gzip.compress(bytes(2**26)), "times as large as it is"),
}


@pytest.mark.parametrize("kind", NOT_UNPACKED)
def test_what_cannot_be_unpacked_is_a_finding_that_says_why(tmp_path: Path, kind: str) -> None:
    make, why = NOT_UNPACKED[kind]
    path = tmp_path / "games"
    path.write_bytes(zipped(("a.toml", EVENING), ("b", make()), ("c.toml", EVENING)))
    result = run("check", str(path))
    assert result.exit_code == 1
    assert result.stderr == "2 deals: 2 agree (by the stated facts)\n"
    (line, do) = result.stdout.splitlines()
    assert line.startswith(f"{path}/b")
    assert line.split(": ")[1].startswith("not-unpacked ")
    assert why in line
    assert "Unpack it with another program" in do


def test_two_archives_in_each_other_are_read() -> None:
    assert [raw.data for raw in unpack.unpack_file("a", deep(2))] == [EVENING]


def test_an_archive_without_a_file_holds_no_deal(tmp_path: Path) -> None:
    for data in (zipped(), zipped((".hidden", EVENING), ("folder/", b""))):
        (tmp_path / "a.zip").write_bytes(data)
        assert list(found(tmp_path / "a.zip")) == [(str(tmp_path / "a.zip"), "no-deals")]


def test_an_archive_of_too_much_is_read_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(*((f"{number}.toml", EVENING) for number in range(5))))
    monkeypatch.setattr(unpack, "MEMBERS", 3)
    assert [rule for _, rule in found(path)] == ["record-toml"] * 3 + ["not-unpacked"]
    monkeypatch.setattr(unpack, "MEMBERS", 9)
    monkeypatch.setattr(unpack, "TOTAL", len(EVENING) * 4)
    assert [rule for _, rule in found(path)] == ["record-toml"] * 4 + ["not-unpacked"]


def test_a_damaged_archive_is_a_finding_wherever_it_is_damaged() -> None:
    rng = Random(5)
    whole = zipped(("a.toml", EVENING), ("b.gz", gzip.compress(EVENING)), ("c.zip", zipped(("d", EVENING))))
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 255, rng.randrange(256)))
        end = rng.choice((len(data), rng.randrange(len(data))))
        for raw in unpack.unpack_file("games", bytes(data[:end])):
            assert raw.path.startswith("games")
            assert raw.path == unpack.printable(raw.path)
            assert raw.finding is None or raw.finding.message


# --- what is no file, or goes away ------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a pipe has no name here")
def test_what_is_no_file_is_a_finding_and_nothing_is_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "games" / "pipe")
    (folder / "games" / "dangling").symlink_to("moved-away")
    (folder / "games" / "loop").symlink_to("loop")
    (folder / "games" / "null").symlink_to("/dev/null")
    result = run("check", "games")
    assert result.exit_code == 1
    assert result.stderr == "4 deals: 4 agree (by the stated facts)\n"
    assert [line.split(":")[0] for line in result.stdout.splitlines() if line.startswith("games/")] == [
        f"games/{name}" for name in ("dangling", "loop", "null", "pipe")
    ]
    assert "it is a pipe" in run("check", "games/pipe").stdout
    assert run("check", "games/dangling").exit_code == 1


def test_a_file_that_goes_away_before_it_is_read_is_a_finding(folder: Path) -> None:
    listed = list(paths(("games",)))
    Path("games/b.toml").unlink()
    assert [rule for path in listed for _, rule in found(path)].count("file-unreadable") == 1


@pytest.mark.parametrize("command", ["check", "import"])
def test_a_file_that_may_not_be_read_is_a_finding(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(path: Path, *given: Any, **options: Any) -> Any:
        if path.name == "b.toml":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *given, **options)

    real = Path.open
    monkeypatch.setattr(Path, "open", opened)  # by which a path reads its bytes, too
    answer = run(command, "games/b.toml", *(("--db", "archive.db") if command == "import" else ()))
    assert answer.exit_code == 1
    assert "file-unreadable" in answer.output


def test_a_folder_that_cannot_be_listed_is_a_finding(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def scandir(path: str) -> object:
        if Path(path).name == "inner":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    real = os.scandir
    monkeypatch.setattr(inputs.os, "scandir", scandir)
    assert [(path, rule) for each in paths(("games",)) for path, rule in found(each)] == [
        ("games/a.jsonl", "record-toml"), ("games/b.toml", "record-toml"), ("games/inner", "file-unreadable"),
    ]  # fmt: skip


def test_a_file_that_is_too_large_is_a_finding(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpack, "ONE", 20)
    assert list(found(Path("games/b.toml"))) == [("games/b.toml", "file-unreadable")]


@pytest.mark.skipif(os.name != "posix", reason="a name is text here")
def test_a_name_that_is_no_text_is_shown_as_text(folder: Path) -> None:
    Path(os.fsdecode(b"games/\xff\x1b[31m.toml")).write_bytes(BROKEN)
    for words in (("check",), ("check", "--json"), ("import", "--db", "archive.db")):
        assert "\\udcff\\x1b[31m.toml" in run(*words, "games").stdout.replace("\\\\", "\\")


# --- what the record format cannot hold -------------------------------------------------------------------------------


class Foreign:
    """An importer of whatever is given to it."""

    NAME = "foreign"

    def __init__(self, *items: Session | Deal) -> None:
        self.items = items

    def read(self, data: bytes, source: object) -> Iterator[Session | Deal]:
        return iter(self.items)


def kept(*items: Session | Deal) -> list[str]:
    file = File(unpack.Source("a"), b"", Foreign(*items), ())  # type: ignore[arg-type]
    return [getattr(item, "rule", type(item).__name__) for item in file.items()]


@pytest.mark.parametrize("name", ["ramsch", "Blind", "EO", "Ben", "", " Anna", "Seat1", "@anna", "a\nb", "\ud800"])
def test_a_name_that_the_record_format_refuses_is_a_finding_and_costs_its_session_alone(name: str) -> None:
    good = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="bavarian")
    bad = Session(players=("Anna", "Ben", "Cem", name), rules="bavarian")
    rule = "deal-unreadable" if name == "\ud800" else "bad-players"
    found = kept(good, Deal(), bad, Deal(), Deal(), good, Deal())
    assert found == ["Session", "Deal", rule, "deal-unreadable", "Session", "Deal"]


def test_a_deal_that_would_not_be_read_back_as_it_is_is_a_finding_and_costs_itself_alone() -> None:
    evening = Session(players=("Anna", "Ben", "Cem", "Dora"), rules="bavarian")
    bad: dict[str, Deal] = {
        "unknown-card": Deal(tricks=(Trick(("EA", "E1")),)),
        "deal-unreadable": Deal(x={"a": (1, 2)}),
        "wrong-type": Deal(x={"a": 2**60}),
    }
    worse = (Deal(x={"a": 2**70}), Deal(dealer=7), Deal(note="\ud800"), Deal(x={"a": float("nan")}))
    assert kept(evening, *bad.values(), Deal(no=1)) == ["Session", *bad, "Deal"]
    assert kept(evening, *worse, Deal(no=1)) == [
        "Session", "wrong-type", "deal-unreadable", "deal-unreadable", "deal-unreadable", "Deal",
    ]  # fmt: skip


def test_check_lists_the_findings_of_an_archive_under_their_own_paths(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    path.write_bytes(zipped(("1.toml", EVENING), ("2.toml", BROKEN), ("3.toml", EVENING)))
    objects = [json.loads(line) for line in run("check", "--json", str(path)).stdout.splitlines()]
    assert [each["path"] for each in objects] == [f"{path}/{number}.toml" for number in (1, 2, 3)]
    (told,) = objects[1]["findings"]
    assert (told["path"], told["line"], told["deal"]) == (f"{path}/2.toml", 5, 1)
    assert told["remedy"]
    assert stat.S_ISREG(path.stat().st_mode)


# --- what is looked at once ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "import"])
def test_an_archive_is_listed_no_more_often_the_more_files_it_has(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    listed: list[int] = []

    class Counted(zipfile.ZipFile):
        def infolist(self) -> list[zipfile.ZipInfo]:
            listed[-1] += 1
            return super().infolist()

    for number in (2, 20):
        Path("a.zip").write_bytes(zipped(*((f"{n}.txt", b"x") for n in range(number))))
        with monkeypatch.context() as patch:
            patch.setattr(zipfile, "ZipFile", Counted)
            listed.append(0)
            answer = run(command, "a.zip", *(("--db", f"{number}.db") if command == "import" else ()))
        assert f"{number - 1}.txt" in answer.output
    assert listed[0] == listed[1] > 0


def test_a_complaint_about_a_large_file_that_nobody_knows_counts_all_of_its_lines(tmp_path: Path) -> None:
    path, deals = tmp_path / "chat.txt", inputs.HEAD // 32
    path.write_text("Was that an evening!\n" * 5 + "Sepp Herzsolo gewonnen mit 74\nso it was\n" * deals, "utf-8")
    (file,) = open_files(path, None)
    assert [each.rule for each in file.findings] == ["no-importer", "no-players"]
    assert f"{deals} lines tell deals" in file.findings[1].message


@pytest.mark.parametrize("moment", ["14.11.2026, 20:10", "20:10, 14.11.2026"])
def test_a_chat_that_nobody_knows_is_like_lines_and_no_list_of_json(moment: str) -> None:
    unknown, *_ = inputs.read_pasted("chat.txt", f"[{moment}] Vroni: Servus, wer kommt?".encode())
    assert isinstance(unknown, Finding)
    assert (unknown.rule, unknown.facts["like"]) == ("no-importer", "typed-lines")


def test_a_very_large_text_in_no_format_is_not_read_for_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"Sepp Solo gewonnen\n" + b"words of nobody\n" * 100
    monkeypatch.setattr(inputs, "COMPLAINED", len(text))
    assert [each.rule for each in inputs.read_pasted("letter.txt", text)] == ["no-importer", "no-players"]
    assert [each.rule for each in inputs.read_pasted("letter.txt", text + b"more")] == ["no-importer"]


SAMPLE = Path(__file__).parents[2] / "sample_games" / "valid"
RECORDS = [json.loads(line) for line in (SAMPLE / "online.jsonl").read_text("utf-8").splitlines()]
OTHERWISE: dict[str, tuple[str, bytes]] = {  # the sample in another form
    "TOML in UTF-16": ("club.toml", (SAMPLE / "club.toml").read_text("utf-8").encode("utf-16")),
    "TOML in UTF-32": ("club.toml", (SAMPLE / "club.toml").read_text("utf-8").encode("utf-32")),
    "lines in UTF-16": ("online.jsonl", (SAMPLE / "online.jsonl").read_text("utf-8").encode("utf-16-be")),
    "a list": ("online.jsonl", json.dumps(RECORDS).encode()),
    "a list, indented": ("online.jsonl", json.dumps(RECORDS, indent=1).encode("utf-16")),
    "an object around it": ("online.jsonl", json.dumps({"deals": RECORDS}, indent=2).encode("utf-8-sig")),
    "indented, one after another": (
        "online.jsonl",
        "\r\n".join(json.dumps(each, indent=2) for each in RECORDS).encode(),
    ),
}


@pytest.mark.parametrize("kind", OTHERWISE)
def test_records_in_another_form_are_the_same_and_the_file_is_kept_as_it_is(tmp_path: Path, kind: str) -> None:
    name, data = OTHERWISE[kind]
    path, kept = tmp_path / "deals", str(tmp_path / "kept")
    path.write_bytes(data)
    plain, deals = ([*read_deals(each)] for each in (SAMPLE / name, path))
    assert [replace(deal, source=None) for deal in deals] == [replace(deal, source=None) for deal in plain]
    run("import", str(path), "--db", str(tmp_path / "a.db"))
    run("export", "--to", "original", "--session", "1", "--db", str(tmp_path / "a.db"), "--output", kept)
    assert Path(kept).read_bytes() == data


def read_deals(path: Path) -> Iterator[Deal]:
    return (item for file in open_files(path, None) for item in file.items() if isinstance(item, Deal))


@pytest.mark.parametrize(
    ("data", "line"),
    [(json.dumps(RECORDS, indent=1).encode()[:-3], 299), (json.dumps([*RECORDS, {"a": 1}], indent=1).encode(), 301)],
)
def test_a_list_of_records_that_is_cut_off_or_has_another_entry_says_where(
    tmp_path: Path, data: bytes, line: int
) -> None:
    (tmp_path / "deals").write_bytes(data)
    (file,) = open_files(tmp_path / "deals", None)
    assert [item.source.line for item in file.items() if isinstance(item, Finding) and item.source] == [line]
