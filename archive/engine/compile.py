"""The integer functions compiled: the very same functions, by numba (extra `fast`), which only this module imports.

Machine code is kept between runs, in a folder named after the text of all compiled functions, so that old code is never
taken for a newer function. The text stands beside it: numba looks for the machine code of a function by the place of
its file, and finds there what was compiled by another installation of the same text.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from types import FunctionType, ModuleType
from typing import Any, cast

from archive.resources import cache_folder

Functions = dict[str, Callable[..., Any]]


@cache
def has_compiler() -> bool:
    """Return whether numba and numpy are installed."""
    return find_spec("numba") is not None and find_spec("numpy") is not None


def functions_of(modules: Sequence[ModuleType]) -> Functions:
    """Return the plain functions that some modules define, by name."""
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    }


def machine_code_folder(modules: Sequence[ModuleType]) -> Path:
    """Return the folder for the machine code of these modules in their present text."""
    digest = hashlib.sha256()
    for path in (__file__, *(module.__file__ or "" for module in modules)):
        digest.update(Path(path).read_bytes())
    return cache_folder() / f"core-{digest.hexdigest()[:16]}"


def is_kept(modules: Sequence[ModuleType], function: str = "*") -> bool:
    """Return whether machine code of these modules is kept from an earlier run: of the function of this name, or of
    any."""
    try:
        return any(machine_code_folder(modules).rglob(f"*.{function}-*.nbi"))
    except (OSError, RuntimeError):
        return False


@cache
def temporary_folder() -> TemporaryDirectory[str]:
    """Return a folder of our own, used if the usual one cannot be written to; it is removed when the process ends."""
    return TemporaryDirectory(prefix="schafkopf-archive-")


def keep_texts(modules: Sequence[ModuleType], folder: Path) -> dict[str, Path]:
    """Copy the text of some modules into a folder, where it is not yet, and return its file by the name of the module.
    Raises OSError."""
    texts = {module.__name__: folder / "text" / f"{module.__name__}.py" for module in modules}
    (folder / "text").mkdir(parents=True, exist_ok=True)
    for module in modules:
        if not texts[module.__name__].exists():
            with NamedTemporaryFile(dir=folder / "text", delete=False) as whole:
                whole.write(Path(module.__file__ or "").read_bytes())
            Path(whole.name).replace(texts[module.__name__])
    return texts


def compile_functions(modules: Sequence[ModuleType], counts: bool = True) -> Functions:
    """Return the functions of some modules compiled, by name, which is unique; a module comes after those it uses. If
    none of them creates an array or assigns a part of one, `counts` may be False: references to arrays are then not
    counted, an atomic step in every call, which halves the time of small functions.

    Nothing is compiled before it is called. If the folder for machine code cannot be written to, another is used, and
    the next run compiles again.
    """
    import numba
    from numba.core import config as settings

    config: Any = settings
    _know_bit_methods()

    try:
        folder = machine_code_folder(modules)
        texts = keep_texts(modules, folder)
    except (OSError, RuntimeError):
        folder = Path(temporary_folder().name)
        texts = keep_texts(modules, folder)
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    functions: Functions = {}
    options: Any = {"cache": True, "nogil": True, "_nrt": counts}  # the last is missing from the types
    try:
        for module in modules:
            scope = dict(vars(module))
            own = functions_of([module])
            for name, value in scope.items():  # functions compiled from earlier modules
                if (
                    getattr(value, "__module__", None) != module.__name__
                    and getattr(value, "__name__", "") in functions
                ):
                    scope[name] = functions[value.__name__]
            for name, plain in own.items():
                assert isinstance(plain, FunctionType)
                code = plain.__code__.replace(co_filename=str(texts[module.__name__]))
                same = FunctionType(code, scope, name, plain.__defaults__)
                same.__module__, same.__qualname__ = plain.__module__, plain.__qualname__
                scope[name] = functions[name] = numba.njit(**options)(same)
    finally:
        config.CACHE_DIR = before
    return functions


@cache
def _know_bit_methods() -> None:
    """Teach the compiler the two integer methods that the functions use, each a machine instruction."""
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

    ones, noughts = cast(Any, count_ones), cast(Any, leading_noughts)  # numba supplies their arguments
    overload_method(types.Integer, "bit_count")(lambda number: lambda number: ones(number))
    overload_method(types.Integer, "bit_length")(lambda number: lambda number: 64 - noughts(number))
