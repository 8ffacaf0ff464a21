"""Whether the files of this program are its own. `archive` and `importers` are also published names of other packages,
and if two packages share a name, pip lets the later one silently overwrite the earlier.

The wheel has this module at its top as `schafkopf_archive`, where the command `schafkopf` begins: it is there even if
our packages have been replaced. So it imports nothing of ours, and contains its own sentences.
"""

import gc
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec

DISTRIBUTION = "schafkopf-archive"
PACKAGES = ("archive", "importers")
MARK = b"# A package of schafkopf-archive"  # begins a line of each `__init__.py`
INTERRUPTED = 130  # the exit status after Ctrl-C
SHOWN = 3  # files named one by one
TEXTS = {
    "en": {
        "foreign": "The package {package} that Python finds is not that of schafkopf-archive: {path}",
        "missing": "The package {package} of schafkopf-archive is not there.",
        "changed": "Of the installed files of schafkopf-archive, {n} are changed or missing: {files}",
        "shared": "{others} has packages of the same names, and pip lets one write over the other.",
        "remedy": "Use an environment for schafkopf-archive alone, or install it anew in this one:",
        "path": "Take the folder of that package off the path of Python (PYTHONPATH).",
    },
    "de": {
        "foreign": "Das Paket {package}, das Python findet, ist nicht das von schafkopf-archive: {path}",
        "missing": "Das Paket {package} von schafkopf-archive ist nicht da.",
        "changed": "Von den installierten Dateien von schafkopf-archive sind {n} geändert oder fehlen: {files}",
        "shared": "{others} hat Pakete derselben Namen, und pip lässt eins das andere überschreiben.",
        "remedy": "Nimm eine Umgebung für schafkopf-archive allein, oder installiere es in dieser neu:",
        "path": "Nimm den Ordner dieses Pakets aus dem Pfad von Python (PYTHONPATH).",
    },
}


def main() -> None:
    """Run the command `schafkopf`. If another package has replaced ours, say so and exit with status 2; Ctrl-C ends it
    without a word, even while it starts."""
    gc.disable()  # until the command is imported: there is no garbage yet
    try:
        if any(foreign_packages()):
            sys.exit(print_report())
        import_module("archive.cli").main(prog_name="schafkopf")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception:
        if not (changed := changed_files()):
            raise
        sys.exit(print_report(changed))


def print_report(changed: list[str] | None = None) -> int:
    """Print the `report` in the language of the environment, and return the exit status for it."""
    settings = (os.environ.get(name) for name in ("SCHAFKOPF_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    print(report(next(filter(None, settings), "")[:2], changed), file=sys.stderr)
    return 2


def report(language: str = "en", changed: list[str] | None = None) -> str:
    """Return a text on what is wrong with the installed files, who changed them, and what to do; empty if all are as
    installed, and no other package has files among them. `changed`: the `changed_files`, if already known."""
    texts = TEXTS.get(language, TEXTS["en"])
    changed = changed_files() if changed is None else changed
    foreign, others = list(foreign_packages()), sharing()
    lines = [texts["foreign" if path else "missing"].format(package=name, path=path) for name, path in foreign]
    if changed:
        files = ", ".join(changed[:SHOWN]) + (" …" if len(changed) > SHOWN else "")
        lines.append(texts["changed"].format(n=len(changed), files=files))
    if others:
        lines.append(texts["shared"].format(others=", ".join(others)))
    if foreign and not changed and not others:
        lines.append(texts["path"])
    elif lines:
        away = [f"  pip uninstall {' '.join(each.split()[0] for each in others)}"] if others else []
        lines += [texts["remedy"], *away, f"  pip install --force-reinstall --no-deps {DISTRIBUTION}"]
    return "\n".join(lines)


def foreign_packages() -> Iterator[tuple[str, str | None]]:
    """Yield each of our packages for which Python finds another one, with its path, or None if it finds none."""
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            yield name, None
        elif not is_ours(spec.origin):
            yield name, spec.origin


def is_ours(path: str) -> bool:
    """Return whether the `__init__.py` of a package has our mark."""
    with open(path, "rb") as file:  # noqa: PTH123  # pathlib would be imported for it
        return MARK in file.read()


def changed_files() -> list[str]:
    """Return the files of the distribution that are missing or not as installed, by the hashes in its RECORD."""
    from importlib.metadata import PackageNotFoundError, files  # here and below: starting a command needs none of it

    try:
        ours = files(DISTRIBUTION) or ()
    except PackageNotFoundError:
        return []
    return [
        str(file) for file in ours if file.hash and digest_of(str(file.locate()), file.hash.mode) != file.hash.value
    ]


def digest_of(path: str, kind: str) -> str | None:
    """Return the hash of a file as a RECORD writes it; None if there is no such file."""
    from base64 import urlsafe_b64encode
    from hashlib import new
    from pathlib import Path

    file = Path(path)
    return urlsafe_b64encode(new(kind, file.read_bytes()).digest()).decode().rstrip("=") if file.is_file() else None


@cache
def sharing() -> list[str]:
    """Return the other distributions that have files in packages of our names, each with its version."""
    import re
    from importlib.metadata import distributions

    ours = re.compile(rf"^\"?(?:{'|'.join(PACKAGES)})/", re.MULTILINE)
    return sorted({
        f"{each.name} {each.version}"
        for each in distributions()
        if (
            ours.search(record)
            if (record := each.read_text("RECORD")) is not None
            else any(file.parts[0] in PACKAGES for file in each.files or ())
        )
        and each.name != DISTRIBUTION
    })  # fmt: skip
