"""Where templates, static files and sample games lie (beside the package in a checkout, inside it in an installed
wheel), and where the documentation and one's own rulesets."""

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

PACKAGE = Path(__file__).parent
LANGUAGES = tuple(
    sorted((path.parent.name for path in PACKAGE.glob("say/*/language.toml")), key=lambda name: name != "en")
)
FOLDERS = "SCHAFKOPF_RULESETS"  # in the environment: folders of rulesets, separated as PATH is

PLAIN = r'"[^"\\\n]*(?:\\["\\][^"\\\n]*)*"'  # with no escape that JSON has not
TEXT = re.compile(rf"^([\w-]+(?:\.[\w-]+)*) = ({PLAIN}|\[{PLAIN}(?:, {PLAIN})*\])$", re.MULTILINE)  # a key and texts
TABLE = re.compile(r"^(?=\[)", re.MULTILINE)
HEAD = re.compile(r"\[([\w-]+(?:\.[\w-]+)*)\](?: *#.*)?")


def resource_dir() -> Path:
    """Return the folder of templates and static files."""
    return project_folder("templates")


def samples_dir() -> Path:
    """Return the folder of the sample games."""
    return project_folder("sample_games")


def project_folder(name: str) -> Path:
    """Return a folder of the project that the wheel holds inside the package."""
    checkout = PACKAGE.parent / name
    return checkout if (PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir() else PACKAGE / name


def cache_folder() -> Path:
    """Return the folder of what can be made again at any time. Raises RuntimeError if the user has none."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "schafkopf-archive"


def documents_dir() -> Path:
    """Return the folder that holds `docs/`, README.md and the measured results."""
    return project_folder("docs").parent


def expand_home(path: str) -> Path:
    """Return a path with the home of the user that its `~` names; as it is if there is no such user."""
    return Path(os.path.expanduser(path))  # noqa: PTH111  # raises nothing


# --- files of ours that are TOML --------------------------------------------------------------------------------------


PARSED = PACKAGE / "parsed_files.txt"  # by `pytest --update`: a line each, its path, checksum and tables as JSON


def read_tables(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file of ours. Those that every command needs are read as the JSON that was made of
    them, as long as they are the same: that takes a tenth of the time."""
    data = path.read_bytes()
    checksum, text = parsed_files().get(path, (b"", b""))
    if checksum == checksum_of(data).encode():
        tables: dict[str, Any] = json.loads(text)
        return tables
    import tomllib  # here, since few files need it

    return tomllib.loads(data.decode())


@cache
def parsed_files() -> dict[Path, tuple[bytes, bytes]]:
    """Return the checksum and the JSON of each file that `read_tables` need not parse."""
    rows = (line.split(b"\t") for line in PARSED.read_bytes().splitlines())
    return {PACKAGE.parent / name.decode(): (checksum, text) for name, checksum, text in rows}


def checksum_of(data: bytes) -> str:
    """Return what tells whether a file is the one that was parsed."""
    return f"{len(data)}-{crc32(data):08x}"


def read_texts(path: Path) -> dict[str, Any]:
    """Return a TOML file of ours. Plain keys and texts are read first, since commands read thousands before they print
    anything and `tomllib` is slow; it reads all other lines."""
    whole = path.read_bytes().decode().replace("\r\n", "\n")
    first, *tables = TABLE.split(whole)
    heads = [HEAD.fullmatch(table.partition("\n")[0]) for table in tables]
    is_plain = all(heads) and '"""' not in whole and "'''" not in whole
    texts = [TEXT.findall(table) for table in (first, *tables)] if is_plain else []
    read: dict[str, Any] = {}
    if not is_plain or sum(map(len, texts)) < sum(line[:1] not in ("", "#", "[") for line in whole.split("\n")):
        import tomllib  # here, since few files need it

        read = tomllib.loads(TEXT.sub("", whole) if is_plain else whole)
    for head, found in zip((None, *heads), texts, strict=is_plain):
        into = table_at(read, head[1]) if head else read
        for key, text in found:
            above, _, last = key.rpartition(".")
            is_plain_text = text[0] == '"' and "\\" not in text
            (table_at(into, above) if above else into)[last] = text[1:-1] if is_plain_text else json.loads(text)
    return read


def table_at(table: dict[str, Any], dotted: str) -> dict[str, Any]:
    """Return the table at a dotted key, making it if it is not there."""
    for key in dotted.split("."):
        table = table.setdefault(key, {})
    return table
