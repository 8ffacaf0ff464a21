"""What other tests share with `test_floors`."""

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from support.paths import ROOT

FLOORS = {
    "cards": 0, "late_names": 0, "own_files": 0, "plugins": 0, "resources": 0, "say": 0.5, "record": 1, "rules": 1.5,
    "notation": 2, "engine": 2, "play": 3, "settle": 4, "judge": 5, "bulk": 5, "analysis": 6, "explain": 6, "stats": 6,
    "store": 7, "privacy": 8, "generate": 8, "text": 8, "serve": 8, "web": 9, "scale": 9, "cli": 10, "library": 11,
}  # fmt: skip

MODULES = sorted([*(ROOT / "archive").rglob("*.py"), *(ROOT / "importers").rglob("*.py")])


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a module, parsed once for all rules of a run."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return everything within a module, walked through once for all rules of a run."""
    return tuple(ast.walk(tree))


def faults(rule: Callable[[Path], Iterable[str]], modules: Iterable[Path] = MODULES) -> dict[str, list[str]]:
    """Return the objections of a rule, by module; modules without a fault are left out. One test covers all modules,
    since thousands of tests cost more than what they check."""
    by_module = {str(path.relative_to(ROOT)): sorted(rule(path)) for path in modules}
    return {name: each for name, each in by_module.items() if each}


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the dotted names that a module imports, wherever in it."""
    names: set[str] = set()
    for node in nodes_of(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)
