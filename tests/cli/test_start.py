"""What a command does not need it does not import, and the list of commands imports none of them. What a command does
import is named with its reason, so that it cannot grow unseen."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import click
import pytest
from support import running
from support.paths import ROOT

from archive.cli.groups import WORDS
from archive.cli.main import COMMANDS, main
from archive.resources import read_texts

SAMPLE = ROOT / "sample_games" / "valid" / "ramsch.toml"
HEAVY = (*("numpy", "pandas", "numba", "datasette", "flask", "dask", "distributed", "duckdb", "pyarrow"), "vl_convert")

# Runs commands one after another; prints of each its exit status and the names of HEAVY that it first asked for. These
# are answered with a module that cannot be imported, so that it does not matter which of them are installed.
RUNS = dedent("""
    import json, sys
    from importlib.machinery import ModuleSpec

    class Heavy:
        asked = []

        def find_spec(self, name, path=None, target=None):
            return ModuleSpec(name, self) if name in HEAVY else None

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            self.asked.append(module.__name__)
            raise ImportError(module.__name__)

    sys.meta_path.insert(0, Heavy())
    from click.testing import CliRunner
    from archive.cli import main
    found = []
    for words in COMMANDS:
        status = CliRunner().invoke(main, words).exit_code
        ours = [name for name in sys.modules if name.startswith("archive.")]
        found.append([words, status, Heavy.asked[:], len(ours)])
        Heavy.asked.clear()
    print(json.dumps(found))
""")


def run(commands: list[list[str]], folder: Path) -> list[tuple[list[str], int, list[str], int]]:
    """The commands in one new process: the words, the exit status, what was asked for, how many modules of ours."""
    program = f"HEAVY = {HEAVY!r}\nCOMMANDS = {commands!r}\n{RUNS}"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    return [tuple(each) for each in json.loads(done.stdout)]


def test_the_help_of_no_command_imports_what_is_heavy(tmp_path: Path) -> None:
    helps = [["--help"], *([name, "--help"] for name in COMMANDS)]
    found = run(helps, tmp_path)
    assert [(words, status, asked) for words, status, asked, _ in found] == [(words, 0, []) for words in helps]


def test_the_list_of_commands_imports_no_command(tmp_path: Path) -> None:
    ((_, _, _, ours),) = run([["--help"]], tmp_path)
    assert ours == 7  # archive.cli, the list, how it is printed, its language, settings, folders, plug-ins


def test_no_everyday_command_imports_what_is_heavy(tmp_path: Path) -> None:
    sample = str(SAMPLE)
    everyday = [
        ["check", sample], ["check", "--json", sample], ["import", sample], ["import", sample, "--dry-run"],
        ["show", "1"], ["audit"], ["audit", "compare"], ["audit", "explain", "1"],
        ["stats"], ["stats", "results_by_contract"], ["stats", "standings"], ["players"],
        ["export", "--output", "all.jsonl"], ["convert", sample, "out.csv"],
        ["rules"], ["rules", "pub"], ["schema"], ["generate", "9"],
    ]  # fmt: skip
    found = run(everyday, tmp_path)
    assert [(words, status, asked) for words, status, asked, _ in found] == [(words, 0, []) for words in everyday]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_tells_how_the_help_of_a_command_begins(name: str) -> None:
    context = click.Context(main)
    command = main.get_command(context, name)
    assert command.help
    assert " ".join(command.help.split()).startswith(COMMANDS[name][1])


@pytest.mark.parametrize(
    ("word", "command"),
    [("rangliste", "stats standings"), ("Kasse", "cash"), ("pruefen", "check"), ("einlesen", "import")],
)
def test_a_german_word_leads_to_its_command(word: str, command: str) -> None:
    assert f"Did you mean '{command}'?" in running.run(word).output


def test_every_word_for_a_command_names_one_that_there_is() -> None:
    named = read_texts(WORDS)["commands"]
    assert {each.split()[0] for each in named.values()} <= set(COMMANDS)


def test_the_package_is_the_command_too() -> None:
    for words in (["-m", "archive", "-V"], ["-m", "archive", "--version"]):
        assert subprocess.run([sys.executable, *words], capture_output=True, text=True).stdout.startswith(
            "schafkopf 1."
        )


# --- what a command loads ---------------------------------------------------------------------------------------------

# Rooms of ours, packages of others and modules of Python that cost more than a few milliseconds, each with the reason
# why a command loads it.
REASONS = {
    "archive.analysis": "what open cards would have come to, which an explanation names",
    "archive.bulk": "the integers that JSON lines are judged with",
    "archive.cards": "codes and faces of cards, in every sentence",
    "archive.cli": "the command itself",
    "archive.engine": "tricks and duties, which the replay has of it",
    "archive.explain": "the tariff of the record, and which other reading gives what is stated",
    "archive.judge": "the judgement of a deal",
    "archive.late_names": "the names of rooms that are imported when they are asked for",
    "archive.notation": "the record format",
    "archive.own_files": "where every command begins",
    "archive.play": "the replay of a deal",
    "archive.plugins": "importers and rulesets of other packages",
    "archive.record": "what was written down, and findings",
    "archive.resources": "where the files of the program lie",
    "archive.rules": "the ruleset of a deal",
    "archive.say": "sentences",
    "archive.settle": "who won what",
    "archive.stats": "facts and views of an archive, which is looked at before it is read",
    "archive.store": "the archive",
    "archive.text": "what is printed",
    "cachetools": "what open cards would have come to",
    "click": "the command line",
    "concurrent": "of processes",
    "csv": "tables: of score sheets, and of sqlite-utils",
    "dateutil": "of sqlite-utils",
    "email": "of importlib.metadata",
    "fractions": "of the statistics of a question",
    "html": "of tabulate",
    "importers": "the list of formats, each with the signs of its files",
    "importers.dates": "days of evenings",
    "importers.html": "score sheets: a page may be one",
    "importers.one_line": "a text may have lines of the notation",
    "importers.record_lines": "the record format",
    "importers.record_toml": "the record format",
    "importers.score_sheet": "score sheets, of which records need the name and the evenings alone",
    "importers.text": "encodings",
    "importlib.metadata": "of pluggy",
    "logging": "of concurrent",
    "msgspec": "structs, everywhere",
    "multiprocessing": "of processes",
    "pickle": "of processes, in which files are judged and facts are counted",
    "pluggy": "of sqlite-utils",
    "sqlite3": "the archive",
    "sqlite_fts4": "of sqlite-utils",
    "sqlite_utils": "an archive that is written",
    "subprocess": "of multiprocessing",
    "tabulate": "tables of text",
    "tomllib": "rulesets, and records as TOML",
    "typing_extensions": "of msgspec",
    "zipfile": "of importlib.metadata",
}
HELP = {"archive.cli", "archive.own_files", "archive.plugins", "archive.resources", "click"}
PRICE = HELP | {
    *("archive.cards", "archive.engine", "archive.judge", "archive.notation", "archive.play", "archive.record"),
    *("archive.rules", "archive.say", "archive.settle", "archive.text", "msgspec", "typing_extensions"),
    "archive.late_names",
}
CHECK = PRICE | {
    *("archive.explain", "importers", "importers.record_lines", "importers.record_toml"),
    *("importers.score_sheet", "importers.text", "tomllib"),
}
SHEET = (CHECK - {"tomllib"}) | {
    *("csv", "importers.dates", "importers.html", "importers.one_line"),
}
ARCHIVE = PRICE | {
    *("archive.stats", "archive.store", "sqlite3"),
}
WRITES = (ARCHIVE - {"archive.text"}) | {
    *("archive.bulk", "concurrent", "csv", "dateutil", "email", "importers", "importers.dates"),
    *("importers.record_lines", "importers.record_toml", "importers.score_sheet", "importers.text"),
    *("importlib.metadata", "logging", "multiprocessing", "pickle", "pluggy", "sqlite_fts4", "sqlite_utils"),
    *("subprocess", "tomllib", "zipfile"),
}
TABLES = {"html", "tabulate"}
LOADS = {
    "--help": HELP,
    "check --help": HELP,
    "audit explain --help": HELP,
    "price 'Herzsolo, won with 91'": PRICE | TABLES,
    "check games/valid/ramsch.toml": CHECK,
    "check games/valid/score-sheet.csv": SHEET,
    "audit": ARCHIVE,
    "show 1": ARCHIVE | TABLES,
    "stats results_by_contract": (ARCHIVE | TABLES | {"csv", "fractions"}) - {"archive.engine", "archive.notation"},
    "import games/valid/ramsch.toml": WRITES,
    "audit explain 1": ARCHIVE | {"archive.analysis", "archive.explain", "cachetools"},
}
COSTLY = """asyncio concurrent csv email fractions html http importlib.metadata logging multiprocessing pickle plistlib
    sqlite3 subprocess tomllib unittest xml zipfile""".split()
LOADED = dedent("""
    import sys
    from archive.own_files import main
    try:
        main()
    except SystemExit as end:
        status = end.code
    ours = {".".join(name.split(".")[:2]) for name in sys.modules if name.startswith(("archive.", "importers"))}
    others = {name.split(".")[0] for name in sys.modules}
    others = {name for name in others - sys.stdlib_module_names if not name.startswith(("_", "archive", "importers"))}
    print("LOADED", status, *sorted(ours | others - {"sitecustomize"} | {*COSTLY} & {*sys.modules}))
""")


@pytest.fixture(scope="module")
def folder_with_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loads")
    for words in ("samples games", "import games/valid/ramsch.toml"):
        subprocess.run([sys.executable, "-m", "archive", *words.split()], cwd=folder, check=True, capture_output=True,
                       env={"PYTHONPATH": str(ROOT)})  # fmt: skip
    return folder


@pytest.mark.one_in(2)
@pytest.mark.parametrize("words", LOADS)
def test_a_command_loads_what_it_has_a_reason_for(words: str, folder_with_games: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path += {sys.path!r}; COSTLY = {COSTLY!r}\n{LOADED}",
         *shlex.split(words)],
        cwd=folder_with_games, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
    )  # fmt: skip
    status, *loaded = ran.stdout.rpartition("LOADED")[2].split()
    assert (status, sorted({*loaded} - LOADS[words]), sorted(LOADS[words] - {*loaded})) == ("0", [], [])
    assert {*loaded} <= REASONS.keys()
