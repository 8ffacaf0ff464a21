"""The house: imports go down only, and no floor below the rulesets knows a game by its name."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from support.floors_examples import FLOORS, MODULES, faults, imported, nodes_of, tree_of
from support.paths import ROOT

import archive.web
from archive.say import LANGUAGES
from archive.web.app import PAGES

OF_IMPORTERS = ("cards", "plugins", "resources", "say", "record", "notation")  # rooms that these may lean on


def floor_of(dotted: str) -> str | None:
    parts = dotted.split(".")
    return parts[1] if parts[0] == "archive" and len(parts) > 1 and parts[1] in FLOORS else None


def imports_upwards(path: Path) -> Iterator[str]:
    """The imports of a module that do not go down."""
    own = path.relative_to(ROOT).with_suffix("").parts
    for name in imported(path):
        below = floor_of(name)
        if own[0] == "importers":
            if name.startswith("archive.") and name.split(".")[1] not in OF_IMPORTERS:
                yield name
        elif len(own) > 1 and own[1] in FLOORS:
            door = {below, own[1]} == {"judge", "bulk"}  # the door opens on both ways of judging
            if below is not None and below != own[1] and FLOORS[below] >= FLOORS[own[1]] and not door:
                yield name
            if name.startswith("importers") and own[1] not in ("cli", "library"):
                yield name


def test_a_room_says_its_floor() -> None:
    rooms = [ROOT / "archive" / room for room in FLOORS if (ROOT / "archive" / room).is_dir()]
    assert len(rooms) > 15
    for room in rooms:
        assert (ast.get_docstring(tree_of(room / "__init__.py")) or "").startswith(f"Floor {FLOORS[room.name]}: "), room


def test_imports_go_down_only() -> None:
    assert faults(imports_upwards) == {}


# Through which modules of its room a deal comes to the games that are no Schafkopf.
DOORS = {
    "play": {"next_card.py", "replay.py", "second_pass.py"},
    "settle": {"settle.py"},
}


@pytest.mark.parametrize("room", DOORS)
def test_the_way_of_a_schafkopf_deal_does_not_pass_other_games(room: str) -> None:
    inside = ROOT / "archive" / room / "other"
    doors = {
        path.name
        for path in (ROOT / "archive" / room).rglob("*.py")
        if path.parent != inside and any(name.startswith(f"archive.{room}.other") for name in imported(path))
    }
    assert doors == DOORS[room]


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES}
    needs = {name: set(imported(path)) & names.keys() - {name} for name, path in names.items()}
    for each in needs.values():  # from a package that only holds the module that is wanted
        each -= {name for name in each if any(other.startswith(f"{name}.") for other in each)}
    TopologicalSorter(needs).prepare()


def test_nothing_below_the_rulesets_knows_a_contract_by_its_name() -> None:
    from archive.notation import key_table
    from archive.rules import bundled, load

    contracts = {name for each in bundled() for name in (load(each)[0] or pytest.fail(each)).contracts}
    contracts -= set(key_table.CARRY)  # the deals of Bock that are left are a key of the record
    for path in MODULES:
        floor = path.relative_to(ROOT).parts[1]
        if path.relative_to(ROOT).parts[0] == "archive" and floor in ("engine", "play", "settle"):
            strings = [
                node.value
                for node in nodes_of(tree_of(path))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            ]
            assert not contracts & set(strings), path


def test_every_named_function_of_the_rules_exists() -> None:
    """A name that a ruleset may use is refused unless it stands in the types; each has its function."""
    from typing import get_args

    from archive.engine.duties import BROKEN, DUTIES
    from archive.play.hand_requirements import HOLDS
    from archive.play.parties import PARTIES
    from archive.rules import types
    from archive.settle.ramsch import TIES, VIRGINS

    assert set(get_args(types.DutyName)) == set(DUTIES) == set(BROKEN)
    assert set(get_args(types.PartiesName)) == set(PARTIES)
    assert set(get_args(types.HoldsName)) == set(HOLDS)
    assert set(get_args(types.TieName)) == set(TIES)
    assert set(get_args(types.VirginName)) == set(VIRGINS)


SAYING = {"say", "say_finding", "say_reason", "say_missing", "say_line", "sentence"}
LOOKS = "startswith endswith split partition find index removeprefix removesuffix match search fullmatch sub"
SEARCHING = set(LOOKS.split())


def is_said(node: ast.AST) -> bool:
    """Whether an expression is the text of a message, or holds messages, reasons or missing facts as texts."""
    return any(
        (isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in SAYING)
        or (isinstance(part, ast.Attribute) and part.attr in ("message", "reason", "missing"))
        or (
            isinstance(part, ast.Attribute)
            and part.attr == "text"
            and ast.unparse(part.value).endswith(("line", "finding"))
        )
        for part in ast.walk(node)
    )


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""
    )


def texts_taken_apart(tree: ast.Module) -> Iterator[str]:
    """Comparisons of what is said with a text, and calls that look into it for one."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_said, sides)) and any(map(is_text, sides)):
                yield ast.unparse(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            inside = node.args[1:] if ast.unparse(node.func.value) == "re" else [node.func.value]
            if node.func.attr in SEARCHING and any(map(is_said, inside)):
                yield ast.unparse(node)


def test_nothing_compares_or_takes_apart_what_is_said() -> None:
    """A message is compared by its id and facts; its text is for readers."""
    archive = [path for path in MODULES if path.is_relative_to(ROOT / "archive")]
    assert faults(lambda path: texts_taken_apart(tree_of(path)), archive) == {}


def test_a_comparison_of_what_is_said_is_seen() -> None:
    for code in ('line.text.startswith("Schneider")', 'finding.message == "x"', '"the dealer" in settled.missing',
                 'say(fact).partition(":")', 're.match("a", say_reason(judgement))'):  # fmt: skip
        assert [*texts_taken_apart(ast.parse(code))]


# --- imports inside functions ----------------------------------------------------------------------------------------

# What comes with an extra, and is asked for where it is used, by the beginning of the name of its module.
EXTRAS = ("numba", "llvmlite", "numpy", "duckdb", "pyarrow", "dask", "distributed")
# What is installed always, but loaded only where it is needed, since a command must begin at once: by module, why.
START_UP = {
    "archive/cli/add.py": dict.fromkeys(
        ("archive.cli.archive_file", "archive.cli.import_each", "archive.cli.inputs", "archive.store"),
        "of an evening with an archive alone",
    ),
    "archive/cli/archive_file.py": {"archive.cli.unpack": "of a file of the archive alone"},
    "archive/cli/archive_sentences.py": {
        "archive.store.wholeness": "of a damaged archive alone: it loads the bulk judge"
    },
    "archive/cli/new.py": {"archive.cli.inputs": "of an evening that goes on alone"},
    "archive/cli/doctor.py": {"archive.store.rebuild": "of a damaged archive alone"},
    "archive/cli/check.py": {
        "archive.cli.watch": "of `check --watch` alone",
        "archive.cli.what_if": "of several rulesets alone",
        "archive.explain": "of deals that differ alone",
        "archive.text": "of deals that differ alone",
    },
    "archive/cli/export.py": {"archive.web.app": "of `export --html` alone"},
    "archive/text/printed_page.py": {"jinja2": "of a page to print alone"},
    "archive/cli/docs.py": dict.fromkeys(
        ("archive.web.manual.pages", "archive.web.manual.serve"), "Flask; the help of the command does without"
    ),
    "archive/cli/dossier.py": {"flask": "of HTML alone", "archive.web.app": "of HTML alone"},
    "archive/__init__.py": {"archive.own_files": "of the interface alone, by every command"},
    "archive/cli/import_.py": {
        "archive.cli.preview": "of `import --preview` alone",
        "archive.text.dates": "of a time zone that is given alone",
        "archive.text.understood": "of a rehearsal alone",
    },
    "archive/cli/verdicts.py": {"archive.text.understood": "of a check: it searches for a tariff"},
    "archive/bulk/split_file.py": dict.fromkeys(
        ("concurrent.futures", "concurrent.futures.process", "multiprocessing"),
        "of large files alone, by every command that judges",
    ),
    "archive/judge/door.py": dict.fromkeys(
        ("archive.bulk.clean_deals", "archive.bulk.clean_reports", "archive.bulk.judge", "archive.bulk.split_file"),
        "of JSON lines alone, by every command that judges",
    ),
    "archive/rules/complaints.py": {
        "msgspec": "of a ruleset with a mistake alone: 5 ms",
        "tomllib": "of a wrong value alone",
    },
    "archive/explain/tariff_search.py": {"archive.explain.house_variants": "of rules with prices of their own alone"},
    "archive/text/understood.py": {"archive.explain.tariff_search": "of records alone that name no tariff that fits"},
    "archive/cli/unpack.py": dict.fromkeys(
        ("archive.cli.foreign_files", "gzip", "lzma", "struct", "zipfile", "zlib"),
        "of packed files alone, by every command that reads one",
    )
    | dict.fromkeys(("contextlib", "sqlite3", "tempfile"), "of databases with a log beside them alone"),
    "archive/cli/mails.py": dict.fromkeys(
        ("email", "email.policy", "email.message", "importers", "importers.text"),
        "of mails alone, by every command that reads a file",
    ),
    "archive/text/tables.py": {
        "tabulate": "of tables alone, by every command that can print one",
        "wcwidth": "of wide signs alone: 35 ms",
    },
    "archive/store/_sqlite_utils.py": dict.fromkeys(
        ("sqlite_utils", "sqlite_utils.migrations"), "of an archive that is written: 90 ms, by those who read one"
    ),
    "archive/store/quick_check.py": {"shutil": "of a file that ends early alone, by whoever opens an archive"},
    "archive/cli/known_names.py": dict.fromkeys(
        (
            "click.shell_completion",
            "sqlite3",
            "archive.stats",
            "archive.stats.texts",
            "archive.store",
            "archive.store.connection",
        ),
        "of a completion alone, by commands without an archive",
    ),
    "archive/cli/configuration.py": {
        "archive.cli.language": "of a wrong setting alone, by every help",
        "archive.say": "of a file of settings that cannot be read alone",
        "tomllib": "of a file of settings alone, by every help",
    },
    "archive/cli/groups.py": {
        "archive.cli.archive_sentences": "of an error alone, by commands without an archive",
        "archive.cli.language": "of an archive named without --db alone, by every help",
        "archive.say": "of wrong words alone, by every help",
    },
    "archive/cli/help.py": {"tomllib": "of other languages than English alone"},
    "archive/plugins.py": {"importlib.metadata": "where a package has plug-ins alone: 50 ms"},
    "archive/cli/serve.py": {
        "archive.cli.samples": "of `serve --samples` alone",
        "archive.web.serve": "Datasette takes a second; the help of the command does without",
        "archive.web.doors.keys": "so does Flask",
    },
    "importers/html.py": {"selectolax.lexbor": "of pages alone, by every file that may be a sheet"},
    "archive/own_files.py": dict.fromkeys(
        ("base64", "hashlib", "importlib.metadata", "pathlib", "re"),
        "of files that are not ours alone, by every command",
    ),
    "archive/web/datasette/query_process.py": {"datasette.utils": "of a search in the full text alone"},
    "archive/stats/parallel_count.py": {
        "tempfile": "of a large first import alone, by every command that opens an archive",
        "multiprocessing": "of a large first import alone, by every command that opens an archive",
        "concurrent.futures": "of a large first import alone, by every command that opens an archive",
        "concurrent.futures.process": "of a large first import alone, by every command that opens an archive",
    },
    "archive/web/analysis/solvers.py": {"archive.generate": "of the first search of a server alone"},
    "archive/web/drawing_library.py": {"vl_convert": "of pictures alone: 100 MB of code, by every page"},
    "archive/text/workbooks.py": dict.fromkeys(
        ("openpyxl", "openpyxl.formatting.rule", "openpyxl.styles", "openpyxl.worksheet.datavalidation"),
        "of forms alone, by every command and page that offers one",
    ),
    "importers/record_lines.py": {"importers.json_text": "of records in a list or indented, which hardly any file is"},
    "importers/score_sheet/old_excel.py": {
        "python_calamine": "of XLSB alone, by every file that is looked at",
        "xlrd": "of XLS alone, by every file that is looked at",
    },
    "importers/score_sheet/reading.py": {
        "importers.score_sheet.workbooks": "of workbooks alone, by every file that is looked at"
    },
    "importers/score_sheet/tables.py": {"openpyxl.utils": "of workbooks alone, by every file that is looked at"},
    "importers/score_sheet/workbooks.py": {"openpyxl": "of workbooks alone, by every file that is looked at"},
    "archive/cli/foreign_files.py": dict.fromkeys(
        ("archive.store.schema", "filetype", "sqlite3"),
        "of files that no importer knows, by every command that reads one",
    ),
    "archive/cli/inputs.py": {
        "importers": "the importer of typed lines, of a text of lines alone",
        "archive.cli.foreign_files": "of files that no importer knows alone, by every command that reads one",
        "importers.player_lists": "of `--players` alone, by every command that reads a file",
    },
    "archive/cli/saved_pages.py": dict.fromkeys(
        ("email", "email.policy", "email.message", "html", "plistlib", "xml.parsers.expat"),
        "of pages that a phone saved alone, by every command that reads a file",
    ),
    "archive/resources.py": {"tomllib": "of files with other lines than texts alone"},
    "archive/notation/toml_blocks.py": {"tomllib": "of records as TOML alone"},
    "archive/rules/load.py": {"tomllib": "of rulesets that do not come with the archive alone"},
    "archive/say/message.py": {"difflib": "of a word that is nearly another alone"},
}


def imported_in_functions(tree: ast.Module) -> set[str]:
    """The modules that functions import."""
    functions = [node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inner = [part for function in functions for part in ast.walk(function)]
    whole = {each.name for part in inner if isinstance(part, ast.Import) for each in part.names}
    return whole | {part.module or "" for part in inner if isinstance(part, ast.ImportFrom)}


def late_imports(path: Path) -> Iterator[str]:
    """What the functions of a module import, extras left out."""
    return (name for name in imported_in_functions(tree_of(path)) if not name.startswith(EXTRAS))


def test_functions_import_extras_and_what_would_slow_a_start() -> None:
    assert faults(late_imports) == {name: sorted(late) for name, late in START_UP.items()}


def test_what_is_imported_in_functions_as_an_extra_is_one() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = " ".join(
        each for name in ("parquet", "fast", "scale") for each in project["optional-dependencies"][name]
    )
    assert [name for name in EXTRAS if name.replace("_", "-") not in optional] == [
        "llvmlite",
        "numpy",
    ]  # which come with numba
    assert not [name for name in EXTRAS if any(each.startswith(name) for each in project["dependencies"])]


def test_an_import_in_a_function_is_seen() -> None:
    code = "import a\ndef f():\n    import b.c\n    def g():\n        from d import e\n"
    assert imported_in_functions(ast.parse(code)) == {"b.c", "d"}


# Judging has one door: nobody above it chooses how deals are judged, or knows the integer core but the writer of an
# import, who takes its columns, and random deals, which are dealt over integers. The search over open cards is a loop
# over the integers; it judges nothing.
BEHIND = ("archive.play", "archive.settle", "archive.engine", "archive.bulk", "archive.judge.door", "archive.analysis")
CHOICES = {"worth_compiling", "judged_blocks", "judge_parts", "has_compiler"}


def test_nobody_above_the_door_of_judging_knows_the_core_or_chooses_how() -> None:
    dotted = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in MODULES}
    above = [path for path, name in dotted.items() if not name.startswith(BEHIND)]
    readers = [path for path in above if not dotted[path].startswith(("archive.store.bulk", "archive.generate"))]
    core = ("archive.engine", "archive.bulk")
    assert faults(lambda path: (name for name in imported(path) if name.startswith(core)), readers) == {}
    assert faults(lambda path: {name.rpartition(".")[2] for name in imported(path)} & CHOICES, above) == {}


# --- the viewer -------------------------------------------------------------------------------------------------------


WEB = Path(archive.web.__path__[0])
OF_WEB = sorted(WEB.rglob("*.py"))
SQL = re.compile(
    r"^\s*(SELECT|WITH|INSERT|UPDATE|DELETE|PRAGMA)\b|\b(FROM|JOIN)\s+[a-z_]+\b.*\b(WHERE|GROUP BY|ON)\b", re.DOTALL
)
RUNS = ("execute", "executemany", "executescript")


def lies_in_queries(path: Path) -> bool:
    return path.name == "queries.py" or "datasette" in path.relative_to(WEB).parts


def sql_in(path: Path) -> Iterator[str]:
    """The texts of a module that are SQL, and its calls that run one."""
    for node in nodes_of(tree_of(path)):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
        call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in RUNS
        if text or call:
            yield f"{node.lineno}: {ast.unparse(node)}"


def test_sql_stands_in_the_queries_alone() -> None:
    assert faults(sql_in, [path for path in OF_WEB if not lies_in_queries(path)]) == {}


def test_sql_would_be_seen() -> None:
    assert SQL.search("SELECT id FROM deals")
    assert SQL.search("d.id IN (SELECT id FROM seats WHERE seat = 1)")
    assert not SQL.search("To select from a list, press Enter")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_a_page_is_one_folder(page: object) -> None:
    """Its routes lie in a folder of its name, with its words in every language, where it has words of its own."""
    folder = Path(str(page.__file__)).parent  # type: ignore[attr-defined]
    assert folder.parent == WEB
    files = {path.name for path in folder.glob("words/*.toml")}
    assert files in ({f"{language}.toml" for language in LANGUAGES}, set())
