"""Names: a stranger knows from the name alone what a function, a class or a module is."""

import ast
import re
from pathlib import Path

import pytest
from support.floors_examples import faults, nodes_of, tree_of
from support.paths import ROOT

# Participles and other words that say that something is done, or where it lies, but not what it is.
FILLERS = {"told", "said", "found", "shown", "listed", "kept", "made", "under", "beside"}


def is_filler(name: str) -> bool:
    return name.strip("_").lower() in FILLERS


def fillers_in(path: Path) -> list[str]:
    """The parts of a module's own name, its functions and its classes that are called by a filler word."""
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = [node for node in nodes_of(tree_of(path)) if isinstance(node, definitions)]
    parts = path.relative_to(ROOT).with_suffix("").parts
    return [*filter(is_filler, parts), *(f"{node.lineno}: {node.name}" for node in names if is_filler(node.name))]


def test_nothing_is_called_by_a_filler_word() -> None:
    assert faults(fillers_in) == {}


# Participles that are the names of what they give: of verbs that look like one, and of rulesets that come with us.
VERBS = {"read", "run", "put", "set", "cut", "split", "embed", "bundled"}
IRREGULAR = set(
    "begun bound bought brought built caught chosen done drawn dealt fallen felt forgotten given gone got grown "
    "had heard held hidden hung kept known laid led left lent lit lost made meant met overtaken paid said seen "
    "sent shown sold spoken spent spread stood stuck struck swept taken taught told thought thrown torn "
    "understood woken won worn wound written".split()
)


def bare_participles(tree: ast.Module) -> list[str]:
    """The functions that are called by a participle alone, which says that something is done, but not what is given."""
    functions = [node for node in nodes_of(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    names = [node.name.strip("_") for node in functions]
    own = [name for name in names if "_" not in name and (name.endswith("ed") or name in IRREGULAR)]
    return [name for name in own if name not in VERBS]


def test_no_function_is_called_by_a_participle_alone() -> None:
    assert faults(lambda path: bare_participles(tree_of(path))) == {}


def test_a_participle_alone_is_seen() -> None:
    code = "def settled(): ...\ndef _led(): ...\nclass A:\n    async def counted(self): ...\ndef read(): ...\n"
    assert bare_participles(ast.parse(code)) == ["settled", "led", "counted"]


# How a docstring begins that leans on what stands above it, or asks instead of saying.
LEANING = re.compile(r"(What|Whatever|The same|Those of)\b")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def leaning_docstrings(tree: ast.Module) -> list[str]:
    """The docstrings that do not stand by themselves."""
    texts = [ast.get_docstring(node) or "" for node in nodes_of(tree) if isinstance(node, DOCUMENTED)]
    return [text for text in texts if LEANING.match(text)]


def test_a_docstring_stands_by_itself() -> None:
    assert faults(lambda path: leaning_docstrings(tree_of(path))) == {}


def test_a_docstring_that_leans_is_seen() -> None:
    code = 'def f():\n    """The same from a file."""\nclass A:\n    """What a part comes to."""\n'
    assert len(leaning_docstrings(ast.parse(code))) == 2
    assert leaning_docstrings(ast.parse('"""The samewise. What it is stands below."""')) == []


@pytest.mark.parametrize("name", ["told", "Told", "_said", "__found__", "BESIDE"])
def test_a_filler_word_is_seen_however_it_is_written(name: str) -> None:
    assert is_filler(name)
    assert not is_filler(f"{name}_deal")
