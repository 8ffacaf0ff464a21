"""The integer functions compiled: the very same functions, by numba (extra `fast`), which is imported here alone.

Machine code is kept from one run to the next, in a folder named after the text of all functions that are compiled, so
that no older code is ever taken for a newer function.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FunctionType, ModuleType
from typing import Any, cast

Functions = dict[str, Callable[..., Any]]


@cache
def has_compiler() -> bool:
    """Whether numba and numpy are installed."""
    return find_spec("numba") is not None and find_spec("numpy") is not None


def functions_of(modules: Sequence[ModuleType]) -> Functions:
    """The functions that some modules define, the plain ones, by name."""
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    }


def machine_code_folder(modules: Sequence[ModuleType]) -> Path:
    """The folder of the machine code of these modules as they are."""
    digest = hashlib.sha256()
    for path in (__file__, *(module.__file__ or "" for module in modules)):
        digest.update(Path(path).read_bytes())
    base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return base / "schafkopf-archive" / f"core-{digest.hexdigest()[:16]}"


@cache
def temporary_folder() -> TemporaryDirectory[str]:
    """A folder of our own, where the usual one cannot be written; it is gone with the process."""
    return TemporaryDirectory(prefix="schafkopf-archive-")


def compile_functions(modules: Sequence[ModuleType], counts: bool = True) -> Functions:
    """The functions of some modules compiled, by name, which is one of its kind; a module comes after those it uses.
    Where none of them makes an array or assigns a part of one, nobody need count who holds it, an atomic step in every
    call: `counts` may be False, which halves the time of small functions.

    Nothing is compiled before it is called. Where the folder for machine code cannot be written, another is taken, and
    it is compiled again in the next run.
    """
    import numba
    from numba.core import config as settings

    config: Any = settings
    _know_bit_methods()

    try:
        folder = str(machine_code_folder(modules))
        Path(folder).mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        folder = temporary_folder().name
    before, config.CACHE_DIR = config.CACHE_DIR, folder
    functions: Functions = {}
    options: Any = {"cache": True, "nogil": True, "_nrt": counts}  # the last one is known to no type
    try:
        for module in modules:
            scope = dict(vars(module))
            own = functions_of([module])
            for name, value in scope.items():  # what was compiled of the modules before it
                if (
                    getattr(value, "__module__", None) != module.__name__
                    and getattr(value, "__name__", "") in functions
                ):
                    scope[name] = functions[value.__name__]
            for name, plain in own.items():
                assert isinstance(plain, FunctionType)
                same = FunctionType(plain.__code__, scope, name, plain.__defaults__)
                same.__module__, same.__qualname__ = plain.__module__, plain.__qualname__
                scope[name] = functions[name] = numba.njit(**options)(same)
    finally:
        config.CACHE_DIR = before
    return functions


@cache
def _know_bit_methods() -> None:
    """Teaches the compiler the two methods of integers that the functions use, each an instruction of the machine."""
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba.core import types
    from numba.extending import intrinsic, overload_method

    @intrinsic
    def count_ones(_context: Any, number: Any) -> Any:
        return types.int64(types.int64), lambda _, builder, __, given: builder.ctpop(given[0])

    @intrinsic
    def leading_noughts(_context: Any, number: Any) -> Any:
        return types.int64(types.int64), lambda _, builder, __, given: builder.ctlz(
            given[0], ir.Constant(ir.IntType(1), 0)
        )

    ones, noughts = cast(Any, count_ones), cast(Any, leading_noughts)  # what they are called with is made by numba
    overload_method(types.Integer, "bit_count")(lambda number: lambda number: ones(number))
    overload_method(types.Integer, "bit_length")(lambda number: lambda number: 64 - noughts(number))
