"""`schafkopf generate`: legal and agreeing, the same for a seed; with --disputes wrong where it says so, only there."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from support.paths import ROOT
from support.rulesets import load_rules
from support.running import run

from archive.cli.language import cli_text
from archive.engine.compile import has_compiler
from archive.generate import evenings as made_of
from archive.generate.bulk import bulk_deals
from archive.generate.contract_mix import RARE, contract_mix_of
from archive.generate.evenings import evenings
from archive.generate.mistakes import MISTAKES, with_mistakes
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_lines, write_line
from archive.record import Deal, Session, Source
from archive.rules import Ruleset, bundled

MORE = 130  # deals: evenings enough for one of those that are dealt slowly


def ruleset(rules: str) -> Ruleset:
    return load_rules(rules)


def deals_of(text: bytes) -> list[Judgement]:
    """The deals of a file, judged; no line of it is unreadable."""
    found = list(judge_stream(read_lines(text, Source("generated.jsonl"))))
    assert all(isinstance(each, Judgement) for each in found), found
    return [each for each in found if isinstance(each, Judgement)]


@pytest.mark.one_in(8)
@pytest.mark.parametrize("rules", bundled())
def test_what_is_generated_has_no_finding(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    assert run("generate", str(MORE), "--rules", rules, "--seed", "3", "-o", str(path)).exit_code == 0
    found = deals_of(path.read_bytes())
    assert len(found) == MORE
    assert [(each.verdict, each.findings, each.missing) for each in found] == [("agrees", (), ())] * MORE
    stated = [each.deal.stated for each in found]
    assert all(each and (each.totals or each.marks) for each in stated)
    played = [each for each in found if each.deal.game and each.deal.game.contract != "none"]
    assert all(each.deal.stated and (each.deal.stated.payments or each.deal.stated.marks) for each in played)
    assert run("check", str(path)).exit_code == 0


@pytest.mark.one_in(8)
@pytest.mark.parametrize("rules", bundled())
def test_whole_evenings_are_generated(rules: str) -> None:
    """Dealers in turn, players that stay, auctions that lead to the game; and every contract of the table turns up that
    a hand does not have to be made for."""
    made = list(evenings(ruleset(rules), 5, MORE))
    assert len(made) >= MORE // made_of.LONGEST
    assert len({(each.session.players, each.session.date) for each in made}) == len(made)
    played: Counter[str] = Counter()
    for each in made:
        found = deals_of(b"\n".join(each.lines))
        seats = len(each.session.players)
        assert [one.deal.dealer is None for one in found] == [seats == 1] * len(found)
        for before, now in pairwise(one.deal for one in found if seats > 1):
            turn = next(
                seat for n in range(1, seats + 1) if (seat := (before.dealer + n) % seats) not in (now.sits_out or ())
            )
            assert now.dealer == turn
        played.update(one.deal.game.contract for one in found if one.deal.game)
    rows = [ruleset(rules).contracts[name] for name in ruleset(rules).house.contracts]
    assert {row.id for row in rows if row.goal not in RARE} <= set(played)


@pytest.mark.parametrize("rules", ["pub", "asserufen", "bavarian-tournament", "bauernstoss"])
def test_the_same_seed_gives_the_same_bytes_and_a_longer_run_begins_with_a_shorter(rules: str) -> None:
    words = ("generate", "--rules", rules, "--seed")
    longer, shorter = run(*words, "9", "70").stdout_bytes, run(*words, "9", "40").stdout_bytes
    assert len(longer.splitlines()) == 70
    assert longer.startswith(shorter)
    assert run(*words, "9", "70").stdout_bytes == longer
    assert run(*words, "10", "70").stdout_bytes != longer


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rules", [name for name in bundled() if contract_mix_of(ruleset(name))])
def test_lines_that_are_made_in_bulk_are_canonical(rules: str) -> None:
    for made in evenings(ruleset(rules), 2, 90):
        head: Session | None = None
        for line in made.lines:
            for each in read_lines(line, Source("")):
                if isinstance(each, Session):
                    head = each
                else:
                    assert isinstance(each, Deal)
                    assert head
                    assert write_line(head, each) == line


@pytest.mark.one_in(2)
@pytest.mark.skipif(not has_compiler(), reason="numba is not installed")
@pytest.mark.parametrize("rules", ["pub", "langendorf", "three-hand", "bierkopf"])
def test_compiled_or_plain_the_lines_are_the_same(rules: str) -> None:
    found, menu = ruleset(rules), contract_mix_of(ruleset(rules))
    assert menu

    def dealt(fast: bool) -> list[Deal]:
        assert menu
        return bulk_deals(found, menu, list(made_of.evening_heads(found, 11, 120, one=False)), fast)

    assert dealt(fast=True) == dealt(fast=False)


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["pub", "three-hand", "bauernstoss"])
def test_mistakes_are_where_they_are_said_to_be_and_nowhere_else(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "disputes.jsonl"
    done = run("generate", "200", "--rules", rules, "--seed", "4", "--disputes", "-o", str(path))
    told = dict(re.findall(r"disputes\.jsonl:(\d+): (.*)", done.stderr))
    assert told
    assert set(told.values()) <= {cli_text(key) for key in MISTAKES}
    for number, found in enumerate(deals_of(path.read_bytes()), 1):
        if str(number) in told:
            assert found.verdict != "agrees"
        else:
            assert found.findings == ()
            assert found.verdict in ("agrees", "undecidable")  # what a deal before it left may be unknown
    assert f"{len(told)} with a mistake" in done.stderr
    shown = (ROOT / "docs" / "generating.md").read_text("utf-8").partition("```text\n")[2].partition("```")[0]
    assert rules != "pub" or set(shown.splitlines()) - {"…"} <= set(
        done.stderr.replace(str(path), path.name).splitlines()
    )


def test_every_kind_of_mistake_is_made_and_nothing_of_it_stands_in_the_record() -> None:
    tricks, turns = (next(evenings(ruleset(rules), 1, 48, one=True)) for rules in ("pub", "schnauz"))
    told: Counter[str] = Counter()
    for seed in range(28):
        made = tricks if seed < 25 else turns
        wrong, slips = with_mistakes(made, Random(seed))
        told.update(slip.what for slip in slips)
        changed = [n for n, pair in enumerate(zip(made.lines, wrong.lines, strict=True)) if pair[0] != pair[1]]
        assert changed == [slip.line for slip in slips]
        for at in changed:
            assert json.loads(wrong.lines[at]).keys() <= json.loads(made.lines[at]).keys()
    assert set(told) == set(MISTAKES)


# --- the command ------------------------------------------------------------------------------------------------------


def test_toml_is_one_evening(tmp_path: Path) -> None:
    path = tmp_path / "evening.toml"
    done = run("generate", "60", "--rules", "short", "-o", str(path))
    assert done.stderr == "60 deals, 1 evening, short, seed 1\n"
    assert path.read_text("utf-8").count("[[deal]]") == 60
    checked = run("check", str(path))
    last = checked.stderr.splitlines()[-1]
    assert (checked.exit_code, last) == (0, "60 deals: 60 agree (58 by the cards, 2 by the stated facts)")


def test_a_file_is_overwritten_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    path.write_text("mine", "utf-8")
    assert run("generate", "3", "-o", str(path)).exit_code == 2
    assert path.read_text("utf-8") == "mine"
    assert run("generate", "3", "-o", str(path), "--force").exit_code == 0
    assert len(path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("words", [("0",), ("some",), ("3", "--rules", "bridge"), ("3", "--seed", "x"), ()])
def test_what_cannot_be_generated_is_wrong_use(words: tuple[str, ...]) -> None:
    done = run("generate", *words)
    assert done.exit_code == 2
    assert "Error: " in done.stderr
    assert done.stdout == ""


def test_german_is_spoken(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    words = ("generate", "200", "--disputes", "--lang", "de", "-o", str(path))
    told = run(*words).stderr.splitlines()
    assert re.fullmatch(r"200 Spiele, \d Abende, \d+ mit einem Fehler, bavarian, Startwert 1", told[-1])
    of_ours = {re.sub(r".*:\d+: ", "", line) for line in told[:-1]}
    assert of_ours
    assert not of_ours & {cli_text(key) for key in MISTAKES}
