"""Options of the tests, and fixtures that several of them start from."""

import fcntl
import gc
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from zlib import crc32

import msgspec
import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from jinja2 import FileSystemBytecodeCache
from support.empty_archives import empty_archive_bytes, open_empty_archive
from support.store_samples import ROOT, store
from support.thorough import THOROUGH, examples
from werkzeug.routing import Rule

from archive.cli import main
from archive.explain import Explained, explain
from archive.judge import Judgement
from archive.stats import FACTS, recount
from archive.stats.database import file_of
from archive.store import Database, connection, open_archive, open_read, passwords
from archive.store.search import rebuild_notes
from archive.web import audiences, stored, vega
from archive.web import request as requests
from archive.web.analysis import solvers
from archive.web.check import page as check_pages

pytest_plugins = ("support.web_site",)
QUICK = ("cards", "rules", "record", "notation", "play", "settle", "say")

os.environ["XDG_CONFIG_HOME"] = "/nonexistent"  # the user may have settings of their own
os.environ["LC_ALL"] = "C.UTF-8"  # the language of findings is the reader's; expectations are in English
# How long an example takes says nothing on a busy machine.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=examples(10, 100))
settings.register_profile("patient", PATIENT)
settings.register_profile("ci", settings.get_profile("patient"), derandomize=True, database=None)
# In CI the same examples each time: a run judges the change, not its luck. Hypothesis would also try numbers and words
# of the modules loaded by then, which are others in each process, and which each process would have to parse.
settings.load_profile("ci" if os.environ.get("CI") else "patient")
if os.environ.get("CI"):
    pytest.MonkeyPatch().setattr(providers, "_get_local_constants", providers.Constants)


# Templates are compiled once for all sites and processes of a run, which takes a fifth of a second.
Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": FileSystemBytecodeCache()}
ADDRESSES: dict[tuple[str, str, bool], Callable[..., tuple[str, str]]] = {}
compile_address = Rule._compile_builder


def compile_once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
    """Return what Werkzeug compiles to write the addresses of a rule, once for all sites of a run: it is nine tenths of
    what the beginning of a site costs."""
    key = rule.rule, repr(rule.defaults), append_unknown
    if key not in ADDRESSES:
        ADDRESSES[key] = compile_address(rule, append_unknown)
    return ADDRESSES[key]


Rule._compile_builder = compile_once  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def _as_tests_need_it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the program do what a run of tests needs. Refuse a run in which a test writes an archive where the tests are
    run: the next one would find it."""
    folder = Path.cwd()
    before = {*folder.glob("*.db*")}
    with pytest.MonkeyPatch.context() as patch:
        give_time(patch)
        # The pages of every site search plainly: else each begins to compile beside its first page of a dispute.
        patch.setattr(solvers, "can_compile", lambda: False)
        # The least that argon2 does; tests/store/test_passwords.py looks at what it does elsewhere.
        patch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        copy_empty_archives(patch)
        draw_once(patch, shared_folder(tmp_path_factory) / "drawings")
        explain_once(patch)
        yield
    assert {*folder.glob("*.db*")} <= before


def give_time(patch: pytest.MonkeyPatch) -> None:
    """Give every page enough time: what it shows must not depend on how busy the machine is."""
    patch.setattr(requests, "DEADLINE", 600.0)
    patch.setattr(requests, "SLOW", 600.0)
    patch.setattr(check_pages, "MOST_SECONDS", 600.0)
    patch.setattr(audiences, "MOMENT", 600.0)


def copy_empty_archives(patch: pytest.MonkeyPatch) -> None:
    """Make the tables of an archive once for all that begin in this process: a new one begins as a copy, unless a test
    has replaced what makes them."""
    check, migrate = connection._check, connection.migrate

    def check_copy(conn: sqlite3.Connection, path: Path, new: bool = False, of_dump: bool = False) -> None:
        file = Path(file_of(conn))  # of one in memory none
        if new and connection.migrate is migrate and file_of(conn) and not (file.is_file() and file.stat().st_size):
            with pytest.MonkeyPatch.context() as plain:
                plain.setattr(connection, "_check", check)  # for the one that is copied
                copy = empty_archive_bytes()
            file.write_bytes(copy)
        check(conn, path, new, of_dump)

    patch.setattr(connection, "_check", check_copy)


def draw_once(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Draw a picture once for all processes of a run: many pages show the same, and each takes a tenth of a second."""
    draw = vega._drawing.__wrapped__
    folder.mkdir(exist_ok=True)

    @cache
    def drawing(spec: bytes, language: str) -> tuple[str, str]:
        path = folder / sha256(spec + language.encode()).hexdigest()
        if not path.exists():
            with NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as whole:
                json.dump(draw(spec, language), whole)
            Path(whole.name).rename(path)
        box, content = json.loads(path.read_text("utf-8"))
        return box, content

    patch.setattr(vega, "_drawing", drawing)


def explain_once(patch: pytest.MonkeyPatch) -> None:
    """Search once in this process for what explains a deal: many pages show the same, and it is a quarter of their
    time."""
    explained: dict[bytes, Explained] = {}

    def explain_kept(judgement: Judgement, beside: Sequence[Judgement] = ()) -> Explained:
        key = msgspec.json.encode((judgement, beside))
        if key not in explained:
            explained[key] = explain(judgement, beside)
        return explained[key]

    patch.setattr(stored, "explain", explain_kept)
    patch.setattr(check_pages, "explain", explain_kept)


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of a run share."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep half a million objects of modules and tests out of the search for cycles, which took a sixth of the
    processor time."""
    gc.set_threshold(0)  # not `gc.disable`: a package that is imported enables it again
    result = yield
    gc.freeze()
    gc.set_threshold(1_000_000, 20, 20)  # within a test few objects are in cycles
    return result


@pytest.hookimpl(trylast=True)
def pytest_runtest_logfinish() -> None:
    """Look for cycles between tests, when what a test has made is gone and there is little to look through."""
    if gc.get_count()[0] > 20_000:
        gc.collect(0)


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, object, object]:
    """Of a grid of cases marked `one_in(n)` an ordinary run tries one in n, on all axes, and of any grid in a browser
    one in four; a thorough one tries all."""
    result = yield
    marks = {mark.name: mark.args for mark in reversed([*metafunc.definition.iter_markers()])}  # the nearest counts
    n = marks.get("one_in", (4 if "browser" in marks else 1,))[0]
    every = THOROUGH or metafunc.config.getoption("--update")
    if not every and n > 1 and len(metafunc._calls) > 1:
        name = metafunc.definition.nodeid
        metafunc._calls.sort(key=lambda case: crc32(f"{name}[{case.id}]".encode()))
        del metafunc._calls[-(-len(metafunc._calls) // n) :]
    return result


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of the floors below the archive as quick: `pytest -m quick` is the loop for work on rules. Files with
    tests in a browser come first, and each begins with these: so it is opened once, and the last tests of a run are
    short."""
    in_browser = {item.path for item in items if item.get_closest_marker("browser")}
    places = {path: place for place, path in enumerate(dict.fromkeys(item.path for item in items))}
    for item in items:
        if item.path.parent.name in QUICK:
            item.add_marker("quick")
    items.sort(
        key=lambda each: (each.path not in in_browser, places[each.path], not each.get_closest_marker("browser"))
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the samples' expectations and docs/findings.md anew")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Return whether expectations are written anew instead of compared."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def db(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """Yield an empty archive; whatever a test does to it, a fresh count must give its facts and notes at the end. An
    ordinary run counts after one test in six."""
    (tmp_path / "archive.db").write_bytes(
        (evening_bytes if "evening" in request.fixturenames else empty_archive_bytes)()
    )
    db = open_archive(tmp_path / "archive.db")
    yield db
    db.close()
    if not THOROUGH and crc32(request.node.nodeid.encode()) % 6:
        return
    with closing(sqlite3.connect(tmp_path / "archive.db")) as conn, closing(sqlite3.connect(":memory:")) as copy:
        conn.backup(copy)
        kept = facts_of(copy)
        copy.execute("INSERT INTO notes_fts (notes_fts, rank) VALUES ('integrity-check', 1)")
        recount(copy, FACTS)
        rebuild_notes(copy)
        assert kept == facts_of(copy)


def facts_of(conn: sqlite3.Connection) -> dict[str, list[str]]:
    """Return every table of facts, and the notes, with their rows in an order of their own."""
    notes = sorted(map(repr, conn.execute("SELECT session_id, deal_id, kind, text, who FROM notes")))
    facts = {each.name: sorted(map(repr, conn.execute(f"SELECT * FROM {each.name}"))) for each in FACTS}
    return facts | {"notes": notes}


@cache
def evening_bytes() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "archive.db"
        with closing(open_empty_archive(path)) as db:
            store(db)
        return path.read_bytes()


@pytest.fixture
def evening(db: Database, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Yield the archive `db` with one evening, opened for reading."""
    conn = open_read(tmp_path / "archive.db")
    yield conn
    conn.close()


@pytest.fixture(scope="session")
def valid_samples(pytestconfig: pytest.Config) -> Path:
    """Return an archive of the valid samples, for reading: a test that changes it takes a copy."""
    return kept_archive(pytestconfig, "valid", lambda made: import_samples("valid", made))


@pytest.fixture(scope="session")
def analysed_samples(pytestconfig: pytest.Config, valid_samples: Path) -> Path:
    """Return the archive of the valid samples with an analysis of each deal, for reading."""
    return kept_archive(pytestconfig, "analysed", lambda made: analyse_all(valid_samples, made))


@pytest.fixture(scope="session")
def all_samples(pytestconfig: pytest.Config, analysed_samples: Path) -> Path:
    """Return an archive of all samples, also of those with something wrong, for reading: a test that changes it takes a
    copy."""

    def make(made: Path) -> None:
        shutil.copy(analysed_samples, made)
        import_samples("broken", made)

    return kept_archive(pytestconfig, "all", make)


def kept_archive(config: pytest.Config, name: str, make: Callable[[Path], None]) -> Path:
    """Return an archive in pytest's cache, made by the process that needs it first: a later run of the same code and
    samples finds it there. Archives of other code are removed."""
    folder = config.cache.mkdir("archives") / digest_of_code() / name  # type: ignore[union-attr]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "archive.db"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            for other in folder.parent.parent.iterdir():
                if other.name != folder.parent.name:
                    shutil.rmtree(other, ignore_errors=True)
            made, whole = path.with_suffix(".made"), path.with_suffix(".whole")
            made.unlink(missing_ok=True)
            make(made)
            with closing(sqlite3.connect(made)) as conn, closing(sqlite3.connect(whole)) as copy:
                conn.backup(copy)  # a command leaves its archive open, and what is open cannot be renamed
            whole.rename(path)
    return path


@cache
def digest_of_code() -> str:
    """Return a digest, in 16 digits, of everything that an archive of samples comes from: the code, the samples, the
    packages, this Python."""
    whole = sha256(sys.version.encode())
    for folder in ("archive", "importers", "sample_games"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.parent.name == "__pycache__" or not path.is_file():
                continue
            whole.update(str(path.relative_to(ROOT)).encode() + sha256(path.read_bytes()).digest())
    return sha256(whole.digest() + (ROOT / "requirements.lock").read_bytes()).hexdigest()[:16]


def import_samples(folder: str, made: Path) -> None:
    """Import a folder of samples; its output stays beside the archive."""
    answer = CliRunner().invoke(main, ["import", str(ROOT / "sample_games" / folder), "--db", str(made)])
    assert answer.exit_code == (folder == "broken"), answer.output
    made.with_suffix(".stdout").write_text(answer.stdout, "utf-8")
    made.with_suffix(".stderr").write_text(answer.stderr, "utf-8")


def analyse_all(samples: Path, made: Path) -> None:
    shutil.copy(samples, made)
    words = ["analyse", "--all", "--worlds", "2", "--workers", "1", "--db", str(made)]
    analysed = CliRunner().invoke(main, words)
    assert analysed.exit_code == 0, analysed.output
