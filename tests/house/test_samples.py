"""The samples: a file is a test. What reading it must give lies beside it, in `<file>.expected`.

sample_games/valid holds what agrees (or is undecidable), with the lines of `check --json`; sample_games/broken holds
one sample for each finding, with the text of `check`. `pytest --update` writes all expectations and docs/findings.md
anew: look at the difference before you keep it.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy

import pytest
from click.testing import Result
from support import running
from support.paths import ROOT
from support.rulesets import load_rules
from support.samples import BROKEN, ROWS, VALID, imported, sample_of, samples, valid_deals
from support.thorough import examples

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Finding, Source, finding, remedy, say_finding, severities
from archive.rules import bundled
from importers import find

EXPECTATION = ".expected"
PAGE = ROOT / "docs" / "findings.md"
# Findings that no record causes: faults of the program and of what an archive keeps, which tests inject.
NO_RECORD = {
    "program-fault": {"what": "payments", "core": "130, -130", "words": "120, -120"},
    "stored-otherwise": {"what": "payments", "stored": "130, -130", "today": "120, -120"},
}
HEAD = """\
# Findings

What `schafkopf check` and `schafkopf import` can have to say. Each has a sample that causes it, but what is no record's
fault; the text is what that sample gives, in English and in German (`--lang de`). An error in a deal makes it
unplayable or different, one in a correction leaves the deal as it was without it; a warning is worth a look; either
makes the exit status 1. A note does not.

This page is written by `pytest --update` from `archive/record/findings.toml` and `sample_games/broken`.
"""


def expectation(sample: Path) -> Path:
    """The file beside a sample of the same name, whatever the sample's own ending is, or with that ending in it."""
    return sample.with_name((sample.name if sample.parent == VALID else sample.stem) + EXPECTATION)


def check(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str) -> Result:
    """`schafkopf check` inside a folder, so that no path of this machine is in the text."""
    monkeypatch.chdir(folder)
    return running.run("check", *words)


# --- every sample -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", [*samples(VALID), *samples(BROKEN), *samples(ROWS)], ids=lambda path: path.name)
def test_a_sample_gives_exactly_its_expectation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: Path, update: bool
) -> None:
    words = ("--json", sample.name) if sample.parent == VALID else (sample.name,)
    steps = sorted(sample.glob("[0-9]"))
    result = imported(monkeypatch, steps, tmp_path / "a.db") if steps else check(monkeypatch, sample.parent, *words)
    only_noted = sample.parent == BROKEN and sample.stem in severities() and severities()[sample.stem] == "note"
    assert result.exit_code == (sample.parent != VALID and not only_noted)
    if update:
        expectation(sample).write_text(result.stdout, "utf-8")
    assert result.stdout == expectation(sample).read_text("utf-8")


def test_no_expectation_is_without_its_sample() -> None:
    for folder in (VALID, BROKEN, ROWS):
        assert set(folder.glob(f"*{EXPECTATION}")) == set(map(expectation, samples(folder)))


@pytest.mark.parametrize(("folder", "status"), [(VALID, 0), (BROKEN, 1)], ids=["valid", "broken"])
def test_a_folder_is_checked_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, status: int
) -> None:
    """A folder of some samples of each format; that of all is imported at once (`all_samples`)."""
    alone = [sample for sample in samples(folder) if sample.is_file()]
    by_format = [[each for each in alone if each.suffix == kind] for kind in sorted({each.suffix for each in alone})]
    some = [each for group in by_format for each in group[:: examples(8, 1)]]
    for each in some:
        for beside in folder.glob(f"{each.stem}.*"):
            copy(beside, tmp_path)
    result = check(monkeypatch, tmp_path.parent, tmp_path.name)
    assert result.exit_code == status
    assert [each.name for each in some if status and each.name not in result.output] == []
    assert status or int(re.findall(r"^(\d+) deals: ", result.stderr, re.MULTILINE)[-1]) > len(some)


def test_all_valid_samples_are_imported_without_a_word(valid_samples: Path) -> None:
    """Its exit status is looked at where the archive is made."""
    assert valid_samples.with_suffix(".stdout").read_text("utf-8") == ""
    summary = valid_samples.with_suffix(".stderr").read_text("utf-8")
    assert " added" in summary
    assert " known" not in summary, "no two samples have one deal"


# --- broken: one for each finding -------------------------------------------------------------------------------------


def test_every_finding_has_a_broken_sample_of_its_name_that_causes_it() -> None:
    by_rule = {sample.stem: sample for sample in samples(BROKEN)}
    assert sorted(by_rule) == sorted({*severities()} - {*NO_RECORD})
    for rule, sample in by_rule.items():
        assert list(said_of(rule, expectation(sample).read_text("utf-8"))), rule


def said_of(rule: str, text: str) -> Iterator[str]:
    """The lines of an expectation that tell of a finding."""
    return (line for line in text.splitlines() if f": {rule} " in line and not line.startswith(" "))


def linked(text: str) -> str:
    """A remedy with links to the pages that it names."""
    return re.sub(r"docs/(\S+\.md)", r"[\g<0>](\1)", text)


def findings_page(monkeypatch: pytest.MonkeyPatch, folder: Path, every: bool) -> list[str]:
    """The parts of the page; in an ordinary run its head and those of one finding in four."""
    parts = [HEAD]
    for rule, severity in [*severities().items()][:: 1 if every else examples(4, 1)]:
        sample = sample_of(rule)
        if rule in NO_RECORD:
            english, german = (say_finding(finding(rule, **NO_RECORD[rule]), language) for language in ("en", "de"))
            texts = (f"```\n{english}\n```", remedy(rule), f"```\n{german}\n```", remedy(rule, "de"))
            parts.append(
                "\n\n".join((f"## {rule}", f"{severity.capitalize()}, which no record causes:", *texts)) + "\n"
            )
            continue
        assert sample, f"no sample causes {rule}"
        link = f"[{sample.name}](../sample_games/broken/{sample.name})"
        english = "\n".join(said_of(rule, expectation(sample).read_text("utf-8")))
        german = "\n".join(said_of(rule, german_of(monkeypatch, sample, folder / f"{rule}.db")))
        texts = (f"```\n{english}\n```", linked(remedy(rule)), f"```\n{german}\n```", linked(remedy(rule, "de")))
        parts.append("\n\n".join((f"## {rule}", f"{severity.capitalize()}, as in {link}:", *texts)) + "\n")
    return parts


def german_of(monkeypatch: pytest.MonkeyPatch, sample: Path, archive: Path) -> str:
    """What a German reader is shown of a sample."""
    steps = sorted(sample.glob("[0-9]"))
    if steps:
        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
        return imported(monkeypatch, steps, archive).stdout
    return check(monkeypatch, BROKEN, sample.name, "--lang", "de").stdout


def test_the_page_of_findings_is_current(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, update: bool) -> None:
    parts = findings_page(monkeypatch, tmp_path, update)
    if update:
        PAGE.write_text("\n".join(parts), "utf-8")
    page = PAGE.read_text("utf-8")
    assert re.findall("^## (.*)", page, re.MULTILINE) == [*severities()]
    assert [part for part in parts if part not in page] == []


# --- valid: what there is to show -------------------------------------------------------------------------------------


def test_every_contract_of_every_ruleset_agrees_somewhere_and_every_tout_won_and_lost() -> None:
    agreed = [each for each in valid_deals() if each.verdict == "agrees" and each.deal.game and each.settlement]
    played = {each.deal.game.contract for each in agreed if each.deal.game}
    touts = {
        (each.deal.game.contract, each.settlement.won)
        for each in agreed
        if each.deal.game and each.settlement and "tout" in each.deal.game.words
    }
    for name in bundled():
        ruleset = load_rules(name)
        assert set(ruleset.contracts) <= played
        with_tout = {row.id for row in ruleset.contracts.values() if row.tout_rank is not None}
        assert {(contract, won) for contract in with_tout for won in (True, False)} <= touts


def ran_away(found: Judgement) -> bool:
    """Whether the holder of the called card led another card of its suit."""
    game, replay = found.deal.game, found.replay
    if not game or not game.called or not replay:
        return False
    first = next((step for step in replay.steps if step.place == 1 and step.card[0] == game.suit), None)
    return bool(first and first.card != game.called and first.card[1] not in "OU" and game.called in (first.hand or ()))


def settled(found: Judgement, **wanted: object) -> bool:
    return bool(found.settlement) and all(getattr(found.settlement, key) == value for key, value in wanted.items())


def has_runners(found: Judgement, sign: int) -> bool:
    return bool(found.settlement and found.settlement.runners_paid and (found.settlement.runners or 0) * sign > 0)


# Beside the rows of the catalogue (test_rows.py).
SHOWN: dict[str, Callable[[Judgement], object]] = {
    "the called Ace runs away": ran_away,
    "Schneider for the declarer": lambda found: settled(found, schneider=True, schwarz=False, won=True),
    "Schneider against the declarer": lambda found: settled(found, schneider=True, schwarz=False, won=False),
    "Schwarz for the declarer": lambda found: settled(found, schwarz=True, won=True),
    "Schwarz against the declarer": lambda found: settled(found, schwarz=True, won=False),
    "runners with": lambda found: has_runners(found, 1),
    "runners without": lambda found: has_runners(found, -1),
    "a virgin": lambda found: found.settlement and found.settlement.virgins and not found.settlement.march,
    "a march": lambda found: settled(found, march=True),
    "a Bettel won": lambda found: found.deal.game and found.deal.game.contract == "bettel" and settled(found, won=True),
    "a Bettel lost": lambda found: (
        found.deal.game and found.deal.game.contract == "bettel" and settled(found, won=False)
    ),
    "thrown in": lambda found: found.deal.game and found.deal.game.contract == "none",
    "results without cards": lambda found: found.verdict == "undecidable" and not found.deal.hands,
    "one hand alone": lambda found: found.deal.hands and sum(hand is not None for hand in found.deal.hands) == 1,
}


@pytest.mark.parametrize("what", SHOWN)
def test_the_valid_samples_show(what: str) -> None:
    assert any(SHOWN[what](found) for found in valid_deals())


def test_a_valid_sample_states_nothing_that_differs() -> None:
    assert {each.verdict for each in valid_deals()} == {"agrees", "undecidable"}
    assert not [each.findings for each in valid_deals() if each.findings]


# --- no traceback -----------------------------------------------------------------------------------------------------


@pytest.mark.one_in(12)
@pytest.mark.parametrize("sample", [*samples(VALID), *samples(BROKEN)], ids=lambda path: path.name)
def test_a_sample_cut_anywhere_is_read_or_a_finding(sample: Path) -> None:
    """What was saved only half is judged as far as it goes, wherever it ends."""
    data = sample.read_bytes() if sample.is_file() else b""
    ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
    for end in ends[:: max(1, len(ends) // 12)]:
        half = data[: max(0, end - 7)]
        for importer in find(sample.name, half):
            for each in judge_stream(importer.read(half, Source(sample.name))):
                assert isinstance(each, Judgement | Finding)
