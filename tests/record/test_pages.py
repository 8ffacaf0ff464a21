"""The pages on the record format and on typing at the table: their examples are read, no key is missing, their commands
run."""

import re
from pathlib import Path

import pytest
from msgspec import Struct, structs
from support import running
from support.paths import ROOT
from support.record_format_page import BLOCKS, PAGE

from archive.notation import game_words, key_table, read_lines, read_toml
from archive.notation.read_values import STEPS, VERBS
from archive.record import Finding, Source

KINDS = [getattr(key_table, kind) for kind in ("Head", "Deal", "Line", "Stated", "Carry", "Correction", "Ruling")]


@pytest.mark.parametrize(("language", "wrong", "text"), BLOCKS)
def test_every_example_reads_as_the_page_says(language: str, wrong: str, text: str) -> None:
    read = {"toml": read_toml, "json": read_lines}[language]
    things = list(read(text.encode(), Source("record-format.md")))
    findings = [thing.message for thing in things if isinstance(thing, Finding)]
    assert len(things) > len(findings)
    assert bool(findings) == bool(wrong), findings


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_on_the_page(kind: type[Struct]) -> None:
    assert not [field.encode_name for field in structs.fields(kind) if f"`{field.encode_name}`" not in PAGE]


def test_keys_of_the_head_alone_are_those_that_a_misplaced_key_is_held_against() -> None:
    assert {*key_table.OF_FILE} == {"format", "cards", *key_table.ABOUT}


def test_every_word_of_the_grammar_is_on_the_page() -> None:
    grammar = (*game_words.WORDS, *game_words.CALLS, *VERBS, *STEPS)
    assert not [word for word in grammar if not re.search(rf"\b{word}\b", PAGE)]


@pytest.mark.parametrize(("said", "meant"), re.findall(r'^game = "(.*)" +# (\w+ \w.*)$', PAGE, re.MULTILINE))
def test_every_game_on_the_page_is_written_as_it_says(said: str, meant: str) -> None:
    head = b'format = "schafkopf-record/1"\nrules = "bavarian"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\n'
    if said == "misdeal":
        return
    deals = [list(read_toml(head + f'[[deal]]\ngame = "{game}"'.encode(), Source("x")))[1] for game in (said, meant)]
    assert deals[0].game == deals[1].game


# --- docs/typing.md, and in German ------------------------------------------------------------------------------------


TYPING = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("typing", "typing.de")}


def run(*words: str) -> str:
    result = running.run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout + result.stderr


@pytest.mark.parametrize("name", TYPING)
def test_the_example_is_checked_as_the_page_says(name: str, tmp_path: Path) -> None:
    page, language = TYPING[name], "de" if name.endswith(".de") else "en"
    path = tmp_path / "evening.toml"
    path.write_text((re.search(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) or [""])[1], "utf-8")
    answer = re.search(r"`schafkopf check evening.toml` \w+ `(.*?)`", page)
    assert answer[1] in run("check", "--lang", language, str(path)).splitlines()


@pytest.mark.parametrize("name", TYPING)
def test_the_five_lines_are_five_and_their_commands_run(name: str, tmp_path: Path) -> None:
    steps = re.findall(r"^\d\. .*$", TYPING[name], re.MULTILINE)
    assert len(steps) == 5
    commands = [call for call in re.findall(r"`schafkopf ([^`]*)`", "\n".join(steps)) if "--watch" not in call]
    assert len(commands) == 3
    evening = tmp_path / "evening.toml"
    for call in commands:
        words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', call)]
        run(*[str(tmp_path / word) if word.endswith(".toml") else word for word in words])
        text = evening.read_text("utf-8")
        evening.write_text(text.replace('# game = "', 'game = "none"  # '), "utf-8")
    assert evening.read_text("utf-8").count("[[deal]]") == 2
    assert 'dealer = "Ben"' in (tmp_path / "next.toml").read_text("utf-8")
