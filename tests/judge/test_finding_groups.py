"""One mistake is one entry of a list, what follows from it below it; no finding is lost."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.samples import BROKEN, ROWS, samples

from archive.cli.inputs import open_files
from archive.cli.verdicts import findings_of
from archive.judge.finding_groups import findings_with_depth, group_findings
from archive.judge.judge_stream import judge_stream
from archive.judge.sentences import say_quickly
from archive.record import Finding
from archive.say import message, say

FILES = [path for path in (*samples(BROKEN), *samples(ROWS)) if path.is_file()]


def findings_in(path: Path) -> list[Finding]:
    return findings_of(each for file in open_files(path, None) for each in judge_stream(file.records().read()))


def groups_in(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The groups with consequences, each finding as `rule at`."""
    for first, consequences in group_findings(findings_in(path)):
        if consequences:
            yield f"{first.rule} {first.at}", [f"{each.rule} {each.at}" for each in consequences]


@pytest.mark.parametrize(("sample", "trick"), [("a2", 7), ("a3", 5), ("f1", 7)])
def test_cards_of_a_trick_with_the_wrong_leader_follow_from_it(sample: str, trick: int) -> None:
    groups = dict(groups_in(ROWS / f"{sample}.toml"))
    assert groups[f"wrong-leader {trick}"] == [f"not-in-hand {trick}.{card}" for card in range(1, 5)]


def test_two_exchanged_cards_and_the_wrong_leader_after_them_are_one_mistake() -> None:
    assert list(groups_in(ROWS / "b20.toml")) == [("not-in-hand 2.2", ["not-in-hand 2.4", "wrong-leader 3"])]


@pytest.mark.parametrize(("sample", "places"), [("b3", ["6.1", "6.2", "6.3", "6.4"]), ("f3", ["8.4"])])
def test_a_card_that_lies_twice_is_not_in_the_hand_for_that(sample: str, places: list[str]) -> None:
    groups = dict(groups_in(ROWS / f"{sample}.toml"))
    assert [groups[f"card-twice {place}"] for place in places] == [[f"not-in-hand {place}"] for place in places]


def test_the_same_duty_broken_again_with_the_same_card_in_the_hand_is_one_mistake() -> None:
    """Another player's revoke stands for itself."""
    groups = group_findings(findings_in(BROKEN / "hands-derived.txt"))
    assert [(first.rule, first.at, [each.at for each in rest]) for first, rest in groups[:2]] == [
        ("must-follow", "3.4", ["5.4"]),
        ("must-follow", "7.4", []),
    ]


def test_every_finding_of_the_samples_is_in_one_group() -> None:
    for path in FILES:
        findings = findings_in(path)
        every = [each for each, _ in findings_with_depth(findings)]
        assert Counter(map(id, every)) == Counter(map(id, findings)), path.name
        heads = [first for first, _ in group_findings(findings)]
        assert [each for each, depth in findings_with_depth(findings) if not depth] == heads


def test_findings_of_different_deals_never_belong_together() -> None:
    for path in FILES:
        for first, consequences in group_findings(findings_in(path)):
            assert all(each.source == first.source for each in consequences), path.name


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_remembered_sentence_is_that_of_its_own_facts(language: str) -> None:
    """Sentences that many deals have are remembered, each with its own facts."""
    cards = [message("settle.knocks", n=each) for each in (1, True, "1", 2, 1, True)]
    named = [message("settle.knock", player=each) for each in ("Anna", "Ben", None, "Anna")]
    for each in (*cards, *named, message("judge.program-fault")):
        for faces in ("german", "french"):
            assert say_quickly(each, language, faces) == say(each, language, faces)
