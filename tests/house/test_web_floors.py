"""The house of the viewer: SQL stands in its queries, and a page is one folder."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.floors_examples import faults, tree_of

import archive.web
from archive.say import LANGUAGES
from archive.web.app import PAGES

WEB = Path(archive.web.__path__[0])
MODULES = sorted(WEB.rglob("*.py"))
SQL = re.compile(
    r"^\s*(SELECT|WITH|INSERT|UPDATE|DELETE|PRAGMA)\b|\b(FROM|JOIN)\s+[a-z_]+\b.*\b(WHERE|GROUP BY|ON)\b", re.DOTALL
)
RUNS = ("execute", "executemany", "executescript")


def lies_in_queries(path: Path) -> bool:
    return path.name == "queries.py" or "datasette" in path.relative_to(WEB).parts


def sql_in(path: Path) -> Iterator[str]:
    """The texts of a module that are SQL, and its calls that run one."""
    for node in ast.walk(tree_of(path)):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
        call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in RUNS
        if text or call:
            yield f"{node.lineno}: {ast.unparse(node)}"


def test_sql_stands_in_the_queries_alone() -> None:
    assert faults(sql_in, [path for path in MODULES if not lies_in_queries(path)]) == {}


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
