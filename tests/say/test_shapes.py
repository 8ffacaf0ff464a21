"""Shapes that no sentence of a dispute may have, in any language: over the samples, over disputes that are made apart
from the search, over whole sessions, and in what the commands print."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from support import mistakes
from support.paths import ROOT
from support.running import run
from support.samples import BROKEN, ROWS, VALID, samples
from support.thorough import examples

from archive import generate
from archive.cli.check import working
from archive.cli.explain import explanation_lines, session_lines
from archive.cli.inputs import open_files
from archive.explain import Explained, explain, explain_session
from archive.judge import Judgement, judge_session
from archive.judge.judge_stream import judge_stream, with_neighbours
from archive.judge.sentences import say_line, say_missing, say_reason
from archive.judge.set_right import say_set_right
from archive.record import Finding, say_finding, severities
from archive.rules import bundled, load
from archive.say import LANGUAGES
from archive.say.catalogue import rows

ROOM = 10_000  # characters of a line: nothing is wrapped
NUMBER = r"[+−-]?\d+"


@cache
def ids() -> str:
    """Ids of contracts and findings that are no words of any language, as a pattern."""
    rulesets = [ruleset for name in bundled() for ruleset in load(name) if ruleset and hasattr(ruleset, "contracts")]
    contracts = {name for ruleset in rulesets for name in ruleset.contracts}
    return "|".join(sorted(map(re.escape, {each for each in (*contracts, *severities()) if "-" in each})))


SHAPES = {
    "amounts without names": rf"(?<![\w.]){NUMBER}(?:, {NUMBER}){{3}}",
    "the text of a line as what was left out": r"left out: |ausgelassen wurde: |at most was|höchstens w",
    "a denied nothing": r"\bnot no\b|nicht keine|nothing is not|\bnot any amount",
    "won by nothing": r"won by (nothing|nobody)\b|mit nichts|by no one",
    "a value of Python": r"\bNone\b|\bTrue\b|\bFalse\b|\bdict\b|<[a-z]+\.",
    "a field that is not filled": r"[{}]",
    "a key of a record": r"\b(house|stated|carry)\.[a-z_]+",
    "a minus that is a hyphen": r"(?<=[ (:])-\d",
    "a capital within a clause": r"\bif (A|An|The|What|Who|Each|Nobody) \w|\bwenn (D(er|ie|as)|Eine?|W(as|er)|Nach) \w",
    "two of a word": r"\b(the|der|die|das|dem|den|if|wenn|not|nicht) \1\b",
    "an article that stands alone": r"\b(the|a|an|der|ein|eine) [.,;:]",
}  # fmt: skip


def faults(text: str) -> list[str]:
    """The names of the shapes that a text has."""
    found = [name for name, shape in SHAPES.items() if re.search(shape, text)]
    return found + (["an id for a name"] if re.search(rf"(?<![\w-])({ids()})(?![\w-])", text) else [])


def sentences(judgement: Judgement, language: str) -> Iterator[str]:
    """All that is said of a deal but the search for an explanation."""
    yield from (say_finding(each, language) for each in judgement.findings)
    yield say_reason(judgement, language)
    yield from say_missing(judgement, language)
    yield from say_set_right(judgement, language)
    lines = judgement.settlement.lines if judgement.settlement else ()
    yield from (say_line(judgement, line, language) for line in lines)


def assert_no_shape(texts: Iterator[str]) -> None:
    bad = {text: names for text in texts if (names := faults(text))}
    assert bad == {}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_known_when_it_comes(shape: str) -> None:
    """A pattern that meets nothing would forbid nothing."""
    seen = {
        "amounts without names": "payments: 10, −10, 10, −10",
        "the text of a line as what was left out": "It would fit if this was left out: at most.",
        "a denied nothing": "wenn dieser Tisch Laufende ab 3 zählt, nicht keine Laufenden",
        "won by nothing": "gewonnen wird er mit nichts",
        "a value of Python": "not None",
        "a field that is not filled": "{player} pays",
        "a key of a record": "(this table: house.runners_from.solo)",
        "a minus that is a hyphen": "0 in place of -10",
        "a capital within a clause": "It would fit if A runner costs 5",
        "two of a word": "wenn die die Laufenden",
        "an article that stands alone": "if the , was not counted",
    }  # fmt: skip
    assert faults(seen[shape]) == [shape]


# Findings that quote a record word by word, or name a setting that somebody has to write.
QUOTING = frozenset({
    "unknown-key", "wrong-type", "bad-entry", "bad-setting", "house-note", "unknown-rules",
    "bad-players", "line-not-read",
    "row-unclear", "unknown-player", "ambiguous-player", "unknown-card", "mixed-letters", "syntax", "deal-unreadable",
    "unknown-column", "two-importers", "no-importer", "sheet-unreadable", "unknown-contract", "cut-not-read",
    "correction-not-applied",
})  # fmt: skip


@cache
def judged(folder: Path) -> tuple[Judgement | Finding, ...]:
    parts = [part for sample in samples(folder) for part in (sorted(sample.glob("[0-9]")) or [sample])]
    files = [file for part in parts for file in open_files(part, None)]
    return tuple(each for file in files for each in judge_stream(file.items()))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", [BROKEN, ROWS, VALID], ids=lambda path: path.name)
def test_no_sentence_of_a_sample_has_such_a_shape(folder: Path, language: str) -> None:
    def texts() -> Iterator[str]:
        for each in judged(folder):
            if isinstance(each, Finding):
                yield from [say_finding(each, language)] if each.rule not in QUOTING else []
            elif not QUOTING & {finding.rule for finding in each.findings}:
                yield from sentences(each, language)

    assert_no_shape(texts())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_working_of_a_broken_sample_has_such_a_shape(language: str) -> None:
    """What `check` shows of each deal that differs, with the likeliest explanation."""

    def texts() -> Iterator[str]:
        for sample in samples(ROWS)[::6]:
            deals = [each for file in open_files(sample, None) for each in judge_stream(file.items())]
            for each, beside in with_neighbours([deal for deal in deals if isinstance(deal, Judgement)]):
                if each.verdict == "differs":
                    yield from working(each, beside, 160, language).splitlines()

    assert_no_shape(line for line in texts() if " house." not in line)  # the source of a line names a setting


@cache
def explained_disputes() -> list[tuple[Judgement, Explained]]:
    """A cut of all kinds; more of them under `SCHAFKOPF_THOROUGH`."""
    rng = Random(2626)
    pool = list(mistakes.right_deals(mistakes.evenings(rng, 23, deals=2), rng))
    count = examples(46, 500)
    kinds = rng.sample(mistakes.ALL, len(mistakes.ALL))
    made = [*mistakes.disputes(rng, count, pool, kinds), *mistakes.pairs(rng, count // 8, pool)]
    return [(each.found, explain(each.found, each.beside)) for each in made]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_explanation_of_a_dispute_has_such_a_shape(language: str) -> None:
    def texts() -> Iterator[str]:
        for judgement, explained in explained_disputes():
            yield from explanation_lines(judgement, explained, ROOM, language)
            yield from sentences(judgement, language)

    assert_no_shape(texts())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_row_of_an_explanation_can_leave_a_field_open(language: str) -> None:
    """Braces within the forms of a word would stay as they are."""
    of_disputes = re.compile("(explain|settings|settle|findings|right|judge|play|repair|record)[.]")
    texts = {key: text for key, text in rows(language).items() if of_disputes.match(key)}
    assert [key for key, text in texts.items() if re.search(r"\{[^{}]*\{|\}[^{}]*\}", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_on_a_session_has_such_a_shape(language: str) -> None:
    rng = Random(7)
    head = generate.session("pub", {"tariff": "10/50"})
    played = list(generate.deals(rng, generate.session("pub", {"tariff": "20/50"}), 6, ("payments",)))
    explained = explain_session(list(judge_session(head, played)))
    assert explained.readings
    assert_no_shape(session_lines(explained, ROOM, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_output_of_the_audit_has_such_a_shape(tmp_path: Path, language: str) -> None:
    """Explanation, books and dispute file of a session that was kept wrongly, as they are printed."""
    archive = tmp_path / "a.db"
    run("import", ROOT / "sample_games" / "broken" / "rows" / "b9.toml", "--db", archive)
    for words in (("explain", "1"), ("explain", "--session", "1"), ("ledger", "1"), ("dossier", "1", "--output", "-")):
        done = run("audit", *words, "--lang", language, "--db", archive)
        assert done.exit_code in (0, 1), done.output
        plain = re.sub(r"(?s)<style.*?</style>|<pre.*?</pre>|<code.*?</code>|<svg.*?</svg>|<[^>]+>", "\n", done.stdout)
        source = re.compile(r"\b(house|carry)\.")  # a setting that a line is cited from, or that somebody is to write
        assert_no_shape(line.strip() for line in plain.splitlines() if not source.search(line))
