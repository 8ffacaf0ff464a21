"""The Python interface: what its docstrings, its page and its notebook say is true."""

import doctest
import inspect
import shutil
import subprocess
import sys
from multiprocessing.spawn import get_preparation_data
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.paths import ROOT

import archive
from archive import library
from archive.stats.parallel_count import starting_apart

HEAD = library.Session(rules="pub", players=("Anni", "Beppo", "Centa", "Dammerl"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, valid_samples: Path) -> Path:
    """A folder as docs/library.md describes it."""
    path = tmp_path_factory.mktemp("library")
    (path / "sample_games").symlink_to(ROOT / "sample_games")
    shutil.copy(valid_samples, path / "archive.db")
    return path


def test_the_examples_of_the_docstrings_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = doctest.testmod(library)
    assert (result.failed, result.attempted > 20) == (0, True)


def test_every_public_function_says_what_it_does_with_an_example() -> None:
    functions = [each for name in library.__all__ if inspect.isfunction(each := getattr(library, name))]
    assert [each.__name__ for each in functions if ">>>" not in (each.__doc__ or "")] == []
    assert [name for name in library.__all__ if not getattr(library, name).__doc__] == []


def test_the_page_is_made_from_the_docstrings() -> None:
    page = subprocess.run(
        [sys.executable, ROOT / "docs" / "library_page.py"], capture_output=True, text=True, check=True
    )
    assert page.stdout == (ROOT / "docs" / "library.md").read_text("utf-8"), (
        "python docs/library_page.py > docs/library.md"
    )


def test_the_names_are_those_of_the_package_and_nothing_is_loaded_before_one_is_used() -> None:
    assert archive.judge_records is library.judge_records
    assert {*library.__all__} <= {*dir(archive)}
    assert archive.__all__ is library.__all__, "of `from archive import *`"
    with pytest.raises(AttributeError, match="nothing_of_it"):
        archive.nothing_of_it  # noqa: B018
    code = "import archive, sys; print('click' in sys.modules, archive.rulesets()[0], 'click' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout.split() == ["False", "alter-schoofkopp", "True"]


def test_a_room_can_be_imported_before_any_other() -> None:
    """A room is no name of the interface, which would be loaded, and need the room, where one room imports another."""
    code = "import archive.notation, sys; print('archive.library' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout.strip() == "False"


@pytest.mark.parametrize("name", ["one.toml", "many.jsonl"])
def test_records_are_written_without_loss(folder: Path, tmp_path: Path, name: str) -> None:
    given = "knocks.toml" if name == "one.toml" else "online.jsonl"
    records = list(library.read_records(folder / "sample_games" / "valid" / given))
    library.write_records(records, tmp_path / name)
    assert list(map(bare, library.read_records(tmp_path / name))) == list(map(bare, records))


def test_sessions_of_one_head_keep_the_numbers_of_their_deals(tmp_path: Path) -> None:
    deals = [library.Deal(game=library.Game("wenz", seat)) for seat in (0, 1, 2)]
    library.write_records([HEAD, *deals[:2], HEAD, deals[2]], tmp_path / "two.jsonl")
    judged = library.judge_records(library.read_records(tmp_path / "two.jsonl"))
    assert [each.number for each in judged if isinstance(each, library.Judgement)] == [1, 2, 1]


def test_an_evening_that_two_sheets_tell_is_imported_once(folder: Path, tmp_path: Path) -> None:
    sheet = (folder / "sample_games" / "valid" / "score-sheet.csv").read_bytes()
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_bytes(sheet if name == "one.csv" else sheet + b"\n")
    together = library.import_files(tmp_path / "a.db", tmp_path / "one.csv", tmp_path / "two.csv").verdicts
    assert together == library.import_files(tmp_path / "b.db", tmp_path / "one.csv").verdicts


def bare(record: Any) -> Any:
    return replace(record, source=None)


def test_wrong_use_is_an_error_with_a_sentence(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        library.import_files(tmp_path / "new.db", tmp_path / "nothing.toml")
    (tmp_path / "empty.toml").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "new.db")
    for archive_path in (tmp_path / "new.db", tmp_path / "link.db", ":memory:"):
        assert library.import_files(archive_path, tmp_path / "empty.toml").findings
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(FileNotFoundError, match="not a file or folder"):
        list(library.read_records(tmp_path / "nothing.toml"))
    with pytest.raises(ValueError, match="before the head"):
        library.write_records([library.Deal()], tmp_path / "one.jsonl")
    with pytest.raises(ValueError, match="before the head"):
        list(library.judge_records([library.Deal()]))
    with pytest.raises(TypeError, match="a Judgement is no record"):
        library.write_records(library.judge_records([HEAD, library.Deal()]), tmp_path / "one.jsonl")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="holds one session, and there are 2"):
        library.write_records([HEAD, HEAD], tmp_path / "two.toml")
    with pytest.raises(library.ArchiveError, match="There is no archive"):
        library.open_archive(tmp_path / "nothing.db")
    with pytest.raises(ValueError, match="no language 'fr': en, de"):
        library.price_deal("Sepp Sauspiel, lost", language="fr")
    with pytest.raises(TypeError, match="tariff: expected text such as '10/20/50' or None, got 10"):
        library.price_deal("Wenz, won", tariff=10)  # type: ignore[arg-type]
    for declarer in (9, -1, "Sepp"):
        with pytest.raises(TypeError, match="declarer: expected a seat from 0 to 8"):
            library.read_game("Wenz", declarer)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"house\.knock"):
        library.load_ruleset("pub", {"knock": "whenever"})
    archive_of_samples = library.open_archive(folder / "archive.db")
    for key in ("rules", "contract", "player", "event", "session", "basis"):
        with pytest.raises(library.ArchiveError, match="nix"):
            library.ask(archive_of_samples, "runners_and_winning", **{key: "nix"})
    for key in ("player", "session"):
        with pytest.raises(library.ArchiveError, match=f"no {key} '?{10**20}'?"):
            library.ask(archive_of_samples, "runners_and_winning", **{key: 10**20})
    with pytest.raises(TypeError, match="not list"):
        library.import_files("archive.db", [folder])  # type: ignore[arg-type]
    answer = library.ask(archive_of_samples, "runners_and_winning")
    with pytest.raises(ImportError, match="pandas or polars"):
        library.frame(answer, "excel")


def test_a_process_that_an_import_starts_does_not_run_the_script_of_its_caller_again() -> None:
    with starting_apart():
        given = get_preparation_data("judging")
    assert not {"init_main_from_name", "init_main_from_path"} & set(given)


def test_the_players_of_a_head_may_be_a_list() -> None:
    head = library.Session(players=["A", "B", "C", "D"], rules="pub")  # type: ignore[arg-type]
    assert [each.verdict for each in library.judge_records([head, library.Deal()])] == ["undecidable"]  # type: ignore[union-attr]


def test_a_question_is_narrowed_by_any_name_and_by_numbers_of_numpy(folder: Path) -> None:
    int64, conn = pytest.importorskip("numpy").int64, library.open_archive(folder / "archive.db")
    name, number = conn.execute("SELECT name, id FROM players WHERE alias_of IS NULL ORDER BY id").fetchone()
    for key, usual, *others in (
        ("player", number, name, str(number), int64(number)),
        ("session", 1, "1", int64(1)),
        ("contract", "rufspiel", "Sauspiel"),
    ):
        rows = library.ask(conn, "runners_and_winning", **{key: usual}).rows
        assert all(library.ask(conn, "runners_and_winning", **{key: other}).rows == rows for other in others)
    deal = library.read_deal({"stated": {"points": int64(70)}}, HEAD, library.Source("a", 1))
    assert getattr(deal, "stated", None) == library.Stated(points=70)


# What `import archive` has to offer, with the names that do it.
OFFERS = {
    "read any format": ("read_records",),
    "judge": ("judge_records",),
    "replay, step by step": ("replay_steps",),
    "settle, line by line": ("settlement_lines",),
    "price": ("price_deal",),
    "explain": ("explain_difference", "say_explanations"),
    "rulesets": ("rulesets", "load_ruleset"),
    "open an archive": ("open_archive",),
    "ask it, in rows and in frames": ("questions", "ask", "frame"),
    "write records": ("write_records",),
}


@pytest.mark.parametrize("offer", OFFERS)
def test_each_part_of_the_interface_is_typed_and_says_what_it_takes_and_gives(offer: str) -> None:
    for name in OFFERS[offer]:
        assert name in library.__all__
        signature = inspect.signature(getattr(library, name), eval_str=True)
        assert signature.return_annotation is not inspect.Signature.empty
        assert all(each.annotation is not inspect.Parameter.empty for each in signature.parameters.values())
        assert name in (ROOT / "docs" / "library.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_frame_has_the_columns_and_rows_of_an_answer(folder: Path, name: str) -> None:
    pytest.importorskip(name, reason="the extra `notebook`")
    conn = library.open_archive(folder / "archive.db")
    answers = [library.ask(conn, question) for question in ("runners_and_winning", "balances", "results_by_contract")]
    mixed = replace(answers[0], columns=("one", "two"), rows=[(1, None), (2.5, "x"), (None, "y")])
    for answer in (*answers, mixed):
        frame = library.frame(answer, name)
        assert [*frame.columns] == [*answer.columns]
        assert len(frame) == len(answer.rows) > 0
    assert [*library.frame(mixed, name)["one"]][:2] == [1, 2.5]


def test_the_notebook_runs_and_says_what_it_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient", reason="the extra `notebook`")
    nbformat = pytest.importorskip("nbformat")  # a second, which whoever only collects the tests need not wait for

    book = nbformat.read(ROOT / "docs" / "library.ipynb", 4)
    wanted = [texts_of(cell) for cell in book.cells]
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    nbclient.NotebookClient(book, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    assert [texts_of(cell) for cell in book.cells] == wanted
    drawn = [each["data"]["image/svg+xml"] for cell in book.cells for each in cell.get("outputs", ()) if "data" in each
             and "image/svg+xml" in each["data"]]  # fmt: skip
    assert len(drawn) == 1
    assert all(name in drawn[0] for name in ("rufspiel", "wenz", "solo", "won by the declarer"))


def texts_of(cell: Any) -> list[str]:
    outputs = cell.get("outputs", ())
    return [each.get("text") or each["data"]["text/plain"] for each in outputs]
