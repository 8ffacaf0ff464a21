"""The reference of the Python interface, written by `python docs/library_page.py > docs/library.md`."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from inspect import formatannotation
from textwrap import dedent
from typing import get_type_hints

import archive.library as library

INTRODUCTION = """# From Python

```sh
pip install .
```

```python
import archive

for each in archive.judge_records(archive.read_records("evening.toml")):
    if isinstance(each, archive.Judgement) and each.verdict == "differs":
        print(each.number, *archive.say_explanations(archive.explain_difference(each))[1:], sep="\\n  ")
```

These names are the interface, and are only added to within a major version; whatever else the package holds is private
and may change with any. Types are complete (`py.typed`). Values are immutable structs. What is wrong with a record is a
finding among the values and no exception; exceptions are named below. The examples are run by the tests, in a folder
with `sample_games` and an `archive.db` that holds `sample_games/valid`.

[A notebook](library.ipynb) asks an archive, draws a picture, and judges by a house rule and a format of its own.

This page is made from the docstrings by `python docs/library_page.py > docs/library.md`.
"""


def parts() -> Iterator[str]:
    """Yield the page, part by part: the functions in the order of their file, then the types."""
    named = [(name, getattr(library, name)) for name in library.__all__]
    functions = [pair for pair in named if inspect.isfunction(pair[1])]
    yield INTRODUCTION
    yield "## Functions\n"
    for name, function in sorted(functions, key=lambda pair: pair[1].__code__.co_firstlineno):
        yield f"### {name}\n\n```python\n{name}{signature_of(function)}\n```\n\n{text_of(function)}"
    yield "## Types\n"
    for name, kind in named:
        if not inspect.isfunction(kind):
            yield f"### {name}\n\n{text_of(kind)}{fields_of(kind)}"


def signature_of(function: Callable[..., object]) -> str:
    """Return the signature with the types by their own names."""
    return short(str(inspect.signature(function)))


def short(types: str) -> str:
    """Return types by their own names; what may be None as every version of Python writes it."""
    return re.sub(r"^Optional\[(.*)\]$", r"\1 | None", re.sub(r"\b(?:\w+\.)+(?=[A-Z])", "", types))


def text_of(thing: object) -> str:
    """Return a docstring as Markdown: its examples are code."""
    words, _, examples = (inspect.getdoc(thing) or "").partition("\n>>> ")
    return words.strip() + "\n" + (f"\n```python\n>>> {dedent(examples)}\n```\n" if examples else "")


def fields_of(kind: type) -> str:
    """Return the fields of a struct with their types, a line a field."""
    names = getattr(kind, "__struct_fields__", getattr(kind, "_fields", ()))
    types = get_type_hints(kind)
    lines = [f"{name}: {short(formatannotation(types[name]))}" for name in names]
    return "\n```text\n" + "\n".join(lines) + "\n```\n" if names else ""


if __name__ == "__main__":
    sys.stdout.write("\n".join(parts()))
