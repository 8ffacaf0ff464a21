"""Names of a room that are imported from its modules when somebody first asks for them, so that a command loads only
what it needs."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late_names(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package. `modules` has its modules, each with those of their names, separated by
    blanks, that are taken from the package. What is returned raises AttributeError for any other name."""
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def import_name(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return import_name
