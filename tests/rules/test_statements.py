"""The rule statements of the documents, and what holds each: a test, a setting, or why no record can tell it.

The statements are in support/statements, a file a document, from which `pytest --update` writes the page.
"""

import ast
import re
import tomllib
from functools import cache

import pytest
from support.documents import SOURCES, lines_of_documents, plain
from support.paths import ROOT

from archive.rules import bundled, load

PAGE = ROOT / "docs" / "rules" / "statements.md"
FILES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in
         sorted((ROOT / "tests" / "support" / "statements").glob("*.toml"))}  # fmt: skip
# document, heading, statement, what holds it
ROWS = [
    (document, heading, statement, [held] if isinstance(held, str) else held)
    for document, file in FILES.items()
    for heading, says in file.items()
    if heading != "title"
    for statement, held in says.items()
]
NOT_RECORDED, OPEN = "not recorded: ", "open: "


@cache
def names_in(name: str) -> set[str]:
    """The names of the tests of a file, and of the rows of a table of its tests."""
    path = ROOT / "tests" / name
    body = ast.parse(path.read_text("utf-8")).body if path.is_file() else []
    rows = [each.value.keys for each in body if isinstance(each, ast.Assign) and isinstance(each.value, ast.Dict)]
    tests = {each.name for each in body if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")}
    return tests | {str(key.value) for keys in rows for key in keys if isinstance(key, ast.Constant)}


@cache
def settings() -> set[str]:
    """Every setting of a bundled ruleset that has a source, and the groups they are in."""
    keys = {key for name in bundled() for ruleset in [load(name)[0]] if ruleset for key in ruleset.cites}
    return {".".join(parts[:count]) for key in keys for parts in [key.split(".")] for count in range(2, len(parts) + 1)}


def is_held(by: str) -> bool:
    file, _, test = by.partition("::")
    return test in names_in(file) if test else by in settings()


@pytest.mark.parametrize("document", FILES)
def test_each_statement_is_held_by_a_test_or_a_setting_or_has_a_reason(document: str) -> None:
    for each, heading, statement, held in ROWS:
        reasons = [by for by in held if by.startswith((NOT_RECORDED, OPEN))]
        if each == document and reasons:
            assert len(held) == 1, (heading, statement)
            assert len(reasons[0].split()) > 3, (heading, statement)
    nowhere = [by for each, _, _, held in ROWS if each == document for by in held
               if not by.startswith((NOT_RECORDED, OPEN)) and not is_held(by)]  # fmt: skip
    assert nowhere == []
    assert all(held for *_, held in ROWS)


@pytest.mark.skipif(not SOURCES.is_dir(), reason=f"no documents in {SOURCES}")
@pytest.mark.parametrize("document", FILES)
def test_each_heading_is_one_of_its_document_and_each_sentence_is_ours(document: str) -> None:
    lines = lines_of_documents()[document]
    whole = re.sub(r"\s+", " ", " ".join(lines))
    rows = [(heading, statement) for each, heading, statement, _ in ROWS if each == document]
    headings = {heading for heading, _ in rows}
    assert [each for each in headings if not any(line.startswith(plain(each.split(": ")[-1])) for line in lines)] == []
    assert [
        text for _, text in rows if not text.endswith(".") or (len(text.split()) > 4 and plain(text[:-1]) in whole)
    ] == []


def page() -> str:
    counts = {kind: sum(held[0].startswith(kind) for *_, held in ROWS) for kind in (NOT_RECORDED, OPEN)}
    parts = [
        "# What the documents say\n\n"
        f"The rule statements of the documents {', '.join(FILES)} in our words, by heading,\n"
        "with the test or setting that holds it, or why no record can tell it. Tests are in `tests/`, settings are\n"
        "those of a ruleset's file, each with its source there.\n\n"
        f"{len(ROWS)} statements: {len(ROWS) - sum(counts.values())} held, {counts[NOT_RECORDED]} cannot be recorded, "
        f"{counts[OPEN]} open.\n\n"
        "This page is written by `pytest --update` from `tests/support/statements/`; `tests/rules/test_statements.py`\n"
        "demands that each test and each setting exists.\n"
    ]
    heading = ""
    for document, file in FILES.items():
        parts.append(f"\n## {document} {file['title']}\n")
        for each, title, statement, held in ROWS:
            if each == document:
                if title != heading:
                    parts.append(f"\n### {document} {title}\n\n| statement | held by |\n|---|---|\n")
                    heading = title
                told = (by if by.startswith((NOT_RECORDED, OPEN)) else f"`{by}`" for by in held)
                parts.append(f"| {statement} | {'<br>'.join(told)} |\n")
    return "".join(parts)


def test_the_page_of_statements_is_current(update: bool) -> None:
    if update:
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page()
