"""What the project needs, as it is installed here: each package and what it is needed for."""

import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NAME, VERSION = PROJECT["name"], PROJECT["version"]
FOR_UPKEEP = ("test", "dev")  # extras for whoever changes the program


def needed_for() -> dict[str, str]:
    """Of each package what it is needed for: the program, an extra of it, or upkeep. The first of these that holds."""
    extras = sorted(PROJECT["optional-dependencies"], key=lambda extra: extra in FOR_UPKEEP)
    uses: dict[str, str] = dict.fromkeys(installed(PROJECT["dependencies"]), "the program")
    for extra in extras:
        use = "upkeep" if extra in FOR_UPKEEP else f"extra `{extra}`"
        for name in installed(PROJECT["optional-dependencies"][extra]):
            uses.setdefault(name, use)
    uses.pop(canonicalize_name(NAME), None)
    return uses


def installed(requirements: Iterable[str]) -> set[str]:
    """The packages here that these requirements ask for, and those that they ask for in turn. Raises SystemExit where
    one is not installed."""
    done: set[tuple[str, frozenset[str]]] = set()
    waiting = [each for each in map(Requirement, requirements) if holds(each)]
    while waiting:
        requirement = waiting.pop()
        asked = (canonicalize_name(requirement.name), frozenset(requirement.extras))
        if asked not in done:
            done.add(asked)
            waiting += of_package(*asked)
    return {name for name, _ in done}


def holds(requirement: Requirement, extras: Iterable[str] = ()) -> bool:
    """Whether a requirement is one on this machine, for a package with these extras."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def of_package(name: str, extras: frozenset[str]) -> list[Requirement]:
    """The requirements of a package that hold here, with those of its extras that are asked for."""
    try:
        texts = distribution(name).requires or ()
    except PackageNotFoundError:
        raise SystemExit(f"{name} is not installed: sh tests/run sets everything up") from None
    return [requirement for requirement in map(Requirement, texts) if holds(requirement, extras)]
