"""Limits of size: of a module, a function, its parameters and the fields of a struct."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.floors_examples import MODULES, faults, nodes_of, tree_of
from support.paths import ROOT

MODULE, FUNCTION, PARAMETERS, FIELDS = 400, 60, 7, 20  # lines, lines, each function, each struct
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
STRUCTS = {"Struct", "NamedTuple", "TypedDict"}
CORE = "numba compiles it, whose functions take arrays and integers alone: a struct of them cannot be handed over"
DEAL = "mirrors the record: one field a key that may be written of a deal"
RULES = "mirrors the rulesets: one field a setting that may be written"
PLAY = "made once for each of millions of deals and read at once: every part would be one more object a deal"
EXCEPTIONS = {
    "archive/engine/judge_rows.py": {"judge_run": CORE, "judge_deal": CORE, "write_play": CORE},
    "archive/engine/search_values.py": {"best_level": CORE, "value_play": CORE, "value_cards": CORE},
    "archive/engine/search_worlds.py": {"value_worlds": CORE},
    "archive/engine/settlement.py": {"level": CORE},
    "archive/engine/tricks.py": {"play_tricks": CORE},
    "archive/generate/chance.py": {"deal_run": CORE},
    "archive/explain/scene.py": {"Scene": "what all slips of a deal look at, each at a few of its fields"},
    "archive/notation/spoken_line.py": {"Line": "the state of a reader, which every word of a line may change"},
    "archive/play/types.py": {"Scene": PLAY, "Replay": PLAY},
    "archive/record/__init__.py": {"Deal": DEAL, "Stated": DEAL},
    "archive/rules/types.py": {"Contract": RULES, "House": RULES},
    "archive/settle/types.py": {"Settlement": PLAY},
}


def test_no_module_is_longer_than_a_newcomer_can_read() -> None:
    assert [path for path in MODULES if len(path.read_text("utf-8").splitlines()) > MODULE] == []


def long_functions(tree: ast.Module) -> Iterator[str]:
    """The functions that are too long."""
    for node in nodes_of(tree):
        if isinstance(node, FUNCTIONS) and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION:
            yield node.name


def test_no_function_is_longer_than_a_screen() -> None:
    assert faults(lambda path: long_functions(tree_of(path))) == {}


def is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a command of click, which gives each of its options as a parameter."""
    calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    return any(ast.unparse(each.func).endswith((".command", ".group")) for each in calls)


def too_wide(tree: ast.Module) -> Iterator[str]:
    """The functions with too many parameters, `self` and commands left out, and the structs with too many fields."""
    for node in nodes_of(tree):
        if isinstance(node, FUNCTIONS) and not is_command(node):
            some = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            if len([each for each in some if each and each.arg not in ("self", "cls")]) > PARAMETERS:
                yield node.name
        elif isinstance(node, ast.ClassDef):
            is_struct = STRUCTS & {ast.unparse(base).rpartition(".")[2] for base in node.bases} or any(
                "dataclass" in ast.unparse(each) for each in node.decorator_list
            )
            if is_struct and sum(isinstance(each, ast.AnnAssign) for each in node.body) > FIELDS:
                yield node.name


def test_no_function_takes_and_no_struct_has_too_much_but_those_named_here() -> None:
    assert faults(lambda path: too_wide(tree_of(path))) == {name: sorted(each) for name, each in EXCEPTIONS.items()}


def test_what_is_too_long_or_too_wide_is_seen() -> None:
    wide, fields = ", ".join("abcdefgh"), "".join(f"    f{n}: int\n" for n in range(FIELDS + 1))
    code = (
        f"def f({wide}): ...\nclass A:\n    async def g(self, *, {wide}): ...\n    def h(self, {wide[3:]}): ...\n"
        f"@click.command()\ndef i({wide}): ...\nclass B(Struct):\n{fields}class C(Text):\n{fields}"
        f"@dataclass\nclass D:\n{fields}"
    )
    assert [*too_wide(ast.parse(code))] == ["f", "B", "D", "g"]
    assert [*long_functions(ast.parse("def f():\n" + "    a\n" * FUNCTION))] == ["f"]
    assert [*long_functions(ast.parse("def f():\n" + "    a\n" * (FUNCTION - 1)))] == []


# --- lines of templates -----------------------------------------------------------------------------------------------


LONGEST = 160  # signs of a line, its indentation counted
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def long_lines(text: str) -> list[int]:
    """Return the numbers of the lines that are over `LONGEST` signs long."""
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > LONGEST]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_line_of_a_template_leaves_the_window(template: Path) -> None:
    assert long_lines(template.read_text("utf-8")) == []


def test_a_line_that_is_too_long_is_seen() -> None:
    assert long_lines(f"<p>\n{'-' * LONGEST}\n{'-' * (LONGEST + 1)}\n") == [3]
