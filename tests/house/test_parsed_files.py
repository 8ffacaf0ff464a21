"""The JSON of TOML files that every command reads, `archive/parsed_files.txt`, is what they hold."""

import json
import tomllib
from pathlib import Path

from archive.resources import PACKAGE, PARSED, checksum_of, parsed_files, read_tables

FILES = sorted(
    [
        *(PACKAGE / "rules" / "rulesets").glob("*.toml"),
        *PACKAGE.glob("[nr]*/words.toml"),
        PACKAGE / "cli" / "examples.toml",
        PACKAGE / "explain" / "causes.toml",
        PACKAGE / "store" / "tables.toml",
        PACKAGE.parent / "importers" / "score_sheet" / "words.toml",
    ]
)


def test_the_parsed_files_are_those_that_are_there(update: bool) -> None:
    lines = []
    for path in FILES:
        data = path.read_bytes()
        text = json.dumps(tomllib.loads(data.decode()), ensure_ascii=False, separators=(",", ":"))
        lines.append(f"{path.relative_to(PACKAGE.parent).as_posix()}\t{checksum_of(data)}\t{text}\n")
    if update:
        PARSED.write_text("".join(lines), "utf-8")
        parsed_files.cache_clear()
    assert PARSED.read_text("utf-8").splitlines(keepends=True) == lines
    assert [read_tables(path) for path in FILES] == [tomllib.loads(path.read_text("utf-8")) for path in FILES]


def test_a_file_that_is_another_now_is_read_itself(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text("a = 1\n", "utf-8")
    parsed_files()[path] = (checksum_of(b"a = 2\n").encode(), b'{"a":2}')
    try:
        assert read_tables(path) == {"a": 1}
    finally:
        del parsed_files()[path]
