"""`check --rules A --rules B`: a deal settled by several rulesets, line beside line."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from support import running
from support.paths import ROOT

EVENING = str(ROOT / "sample_games" / "valid" / "stammtisch.toml")


def run(*words: str) -> Result:
    return running.run("check", *words)


def test_each_deal_is_settled_by_every_ruleset_line_beside_line() -> None:
    text = run("--rules", "pub", "--rules", "expats", EVENING).stdout
    first = text.partition("\n\n")[0].splitlines()
    assert first[0].endswith("stammtisch.toml:14: Deal 1: Rufspiel Gras")
    assert [line.split() for line in first[1:2]] == [["settlement", "pub", "expats"]]
    assert [" ".join(line.split()) for line in first[3:]] == [
        "Rufspiel, won 78 : 42 +10 +20",
        "Verdict agrees differs",
        "Vroni −10 −20",
        "Ludwig +10 +20",
        "Kathi −10 −20",
        "Toni +10 +20",
    ]
    assert "6 runners, with           +60" in text  # the club of 002 pays none


def test_deals_that_come_to_the_same_are_counted_and_shown_when_asked() -> None:
    same = run("--rules", "pub", "--rules", "bavarian", EVENING)
    assert same.stdout == ""
    assert "12 deals: 12 come to the same by all these rules, 0 do not" in same.stderr
    assert "Deal 1: Rufspiel Gras" in run("--rules", "pub", "--rules", "bavarian", "--explain", EVENING).stdout


def test_the_first_rulesets_object_holds_those_of_all() -> None:
    result = run("--rules", "pub", "--rules", "expats", "--json", EVENING)
    deals = [json.loads(line) for line in result.stdout.splitlines()]
    assert [deal["payments"] for deal in deals[:1]] == [[-10, 10, -10, 10]]
    assert deals[0]["by_rules"]["expats"]["payments"] == [-20, 20, -20, 20]
    alone = [json.loads(line) for line in run("--rules", "pub", "--json", EVENING).stdout.splitlines()]
    assert [{key: deal[key] for key in deal if key != "by_rules"} for deal in deals] == alone


def test_a_game_that_cannot_be_played_by_a_ruleset_says_why_in_a_line() -> None:
    result = run("--rules", "pub", "--rules", "palatinate", "--lang", "de", EVENING)
    assert "palatinate: hand-size Vroni hat 8 Karten statt 10 (+" in result.stdout
    assert result.exit_code == 1


def test_a_ruleset_is_a_name_or_a_file_and_one_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run("--rules", "pub", "--rules", "nosuch", EVENING)
    assert "no ruleset 'nosuch'" in result.stderr
    assert result.exit_code == 2
    (tmp_path / "ours").write_text('extends = "pub"\n')  # without an ending, and not beside the record
    monkeypatch.chdir(tmp_path)
    assert run("--rules", "ours", "--json", EVENING).stdout.count('"rules":"ours"') == 12
    both = json.loads(run("--rules", "ours", "--rules", "pub", "--json", EVENING).stdout.splitlines()[0])
    assert [*both["by_rules"]] == ["ours", "pub"]
    assert "judges by one ruleset" in run("--watch", "--rules", "pub", "--rules", "expats", EVENING).output
