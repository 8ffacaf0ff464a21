"""The rulesets: every value has its source, every page is current, every system has its own values."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import to_builtins
from support.paths import ROOT
from support.ruleset_pages import page
from support.rulesets import load_rules
from support.running import run

from archive.rules import bundled, load, values
from archive.rules.load import bundled_files
from archive.rules.tables import OBJECTS, per_object
from archive.rules.vocabulary import WRITTEN, Vocabulary, of_bundled, with_words_of
from archive.say import message

PAGES = ROOT / "docs" / "rules"


@pytest.mark.parametrize("name", bundled())
def test_every_value_cites_a_document_and_a_heading(name: str) -> None:
    ruleset = load_rules(name)
    for key, cite in ruleset.cites.items():
        document, _, heading = cite.partition(" ")
        assert document.rstrip(":") in ruleset.sources, (key, cite)
        assert heading, (key, cite)
    assert set(ruleset.cites) <= set(values(ruleset))


@pytest.mark.parametrize("name", bundled())
def test_the_page_of_a_ruleset_is_current(name: str, update: bool) -> None:
    ruleset = load_rules(name)
    path = PAGES / f"{name}.md"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(page(ruleset), "utf-8")
    assert path.read_text("utf-8") == page(ruleset)


def test_there_is_no_page_without_its_ruleset() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == {*bundled(), "readings", "settings", "statements", "systems"}


def leaves(value: Any, key: str = "") -> dict[str, Any]:
    """Every value by its dotted key; what is absent or empty is left out."""
    if isinstance(value, dict):
        below = [leaves(each, f"{key}.{name}" if key else name) for name, each in value.items()]
        return {dotted: each for found in below for dotted, each in found.items()}
    return {} if value in (None, "") else {key: value}


@pytest.mark.one_in(20)
@pytest.mark.parametrize(("one", "other"), list(permutations(bundled(), 2)))
def test_comparing_two_rulesets_tells_what_differs_and_nothing_else(one: str, other: str) -> None:
    result = run("rules", "compare", one, other)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    table = lines[next(number for number, line in enumerate(lines) if line.startswith("---")) + 1 :]
    told = {line.split("  ")[0] for line in table if line[:1] not in ("", " ")}
    both = []
    for name in (one, other):
        ruleset = load_rules(name)
        both.append(leaves(to_builtins({key: getattr(ruleset, key) for key in ("house", "contracts", "rounds")})))
    left, right = both
    differ = {key for key in left | right if left.get(key) != right.get(key)}
    assert told == {re.sub("^(contract|round)s", r"\1", key) for key in differ}


@pytest.mark.parametrize(
    "deep",
    [
        "a = " + "[" * 3000 + "]" * 3000,
        'id = "deep"\ntitle = ""\n[[rule]]\ncite = ""\nhouse' + ".a" * 3000 + " = 1",
        'id = "deep"\ntitle = ""\n[[rule]]\ncite = ""\ncontract.wenz' + ".a" * 3000 + " = 1",
    ],
)
def test_a_ruleset_nested_too_deeply_is_a_finding(deep: str, tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text(deep)
    ruleset, findings = load("deep.toml", beside=tmp_path)
    assert ruleset is None
    assert [(each.rule, each.facts["why"]) for each in findings] == [
        ("unknown-rules", message("notation.nested-too-deeply"))
    ]


def test_things_that_are_remembered_are_asked_for_by_several_threads() -> None:
    recall = per_object(lambda owner: owner[0])
    owners = [(n,) for n in range(4 * OBJECTS)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            every = pool.map(lambda _: [recall(owner) for owner in owners * 200], range(4))
        assert all(answers == list(range(4 * OBJECTS)) * 200 for answers in every)
    finally:
        sys.setswitchinterval(before)


# --- the words of games are written down: no ruleset is read for them -------------------------------------------------

NO_WORDS = Vocabulary({}, {}, {}, {}, {}, {}, {}, {})


def test_the_written_words_are_those_of_the_rulesets(update: bool) -> None:
    words = with_words_of(NO_WORDS, bundled_files().values())
    if update:
        WRITTEN.write_bytes(msgspec.json.format(msgspec.json.encode(words), indent=1) + b"\n")
        of_bundled.cache_clear()
    assert [list(getattr(of_bundled(), field).items()) for field in Vocabulary.__struct_fields__] == [
        list(getattr(words, field).items()) for field in Vocabulary.__struct_fields__
    ]


def test_a_ruleset_adds_its_words_to_the_written_ones() -> None:
    """Taken one after another, rulesets give the same words as all at once, in the same order."""
    first, *others = bundled_files().values()
    together = with_words_of(NO_WORDS, [first, *others])
    one_by_one = with_words_of(NO_WORDS, [first])
    for path in others:
        one_by_one = with_words_of(one_by_one, [path])
    assert one_by_one == together
    assert list(one_by_one.names) == list(together.names)
