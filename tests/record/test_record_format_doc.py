"""The page on the record format: its examples are read, and no key is missing from it."""

import re

import pytest
from msgspec import Struct, structs
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
