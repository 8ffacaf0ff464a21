"""The command line: every command, its exit status, its public JSON, and that no traceback reaches anybody."""

import json
import re
from pathlib import Path

import pytest
from support.running import run
from support.worked_examples import EXAMPLE_1, EXAMPLE_2

from archive.judge.report import KEYS

HEAD = 'format = "schafkopf-record/1"\nplayers = ["Anna", "Ben", "Cem", "Dora"]\nrules = "bavarian"\nevent = "Test"\n'
NEXT = {"Anna": "Ben", "Ben": "Cem", "Cem": "Dora", "Dora": "Anna"}
SECOND = re.sub("|".join(NEXT), lambda found: NEXT[found[0]], EXAMPLE_2)  # one seat on, as the deal passes on
UNDERSTOOD = """Understood: 2 deals by Anna, Ben, Cem, Dora, in ct.
Tariff: 10/50, as it is named; it fits all amounts (1).
To be asked: nothing.
"""
GOOD = HEAD + EXAMPLE_1 + "stated.price = 70\n" + SECOND


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = tmp_path / "evening.toml"
    path.write_text(GOOD, "utf-8")
    return path


@pytest.fixture
def archive(tmp_path: Path, evening: Path) -> str:
    path = str(tmp_path / "archive.db")
    assert run("import", str(evening), "--db", path).exit_code == 0
    return path


def test_help_of_a_command_is_its_help() -> None:
    assert run("help", "show").output == run("show", "--help").output


def test_check_says_how_many_agree_and_exits_0(evening: Path) -> None:
    result = run("check", str(evening))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"{UNDERSTOOD}2 deals: 2 agree\n")


def test_check_names_file_line_rule_and_remedy_and_exits_1(evening: Path) -> None:
    evening.write_text(GOOD.replace("stated.price = 70", "stated.price = 60"), "utf-8")
    result = run("check", str(evening))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        f"{evening}:6: stated-price price: the record states 60, the rules give 70 [deal 1]",
        "  stated-price: Compare the stated price with the settlement, line by line.",
    ]
    assert lines[3] == "Deal 1: Rufspiel Schellen: differs (by the cards)", "and then how it is reckoned"
    assert any("5 runners, with" in line and "001 Runners" in line for line in lines)


def test_check_json_is_one_object_a_deal_with_the_public_keys(evening: Path) -> None:
    objects = [json.loads(line) for line in run("check", "--json", str(evening)).stdout.splitlines()]
    assert [list(each) for each in objects] == [KEYS, KEYS]
    first = objects[0]
    assert (first["declarer"], first["partner"], first["contract"], first["called"]) == ("Ben", "Cem", "rufspiel", "SA")
    assert (first["payments"], first["runners"], first["schneider"]) == ([-70, 70, 70, -70], 5, True)
    assert first["sides"] == ["defence", "declarer", "declarer", "defence"]
    assert first["settlement"][2] | {"proof": None} == {
        "kind": "add", "part": "runners", "text": "5 runners, with", "amount": 50, "running": 70,
        "cite": "001 Runners", "who": [], "proof": None,
    }  # fmt: skip
    assert first["settlement"][2]["proof"] == ["t3.1", "t4.1", "t2.4", "t4.2", "t6.2"]
    assert first["stated"] == {"price": 70}


def test_check_json_tells_in_order_of_what_could_not_be_read(evening: Path) -> None:
    evening.write_text(HEAD + EXAMPLE_1 + '[[deal]]\ngame = "Ben\n' + SECOND, "utf-8")
    objects = [json.loads(line) for line in run("check", "--json", str(evening)).stdout.splitlines()]
    assert [(each["deal"], each["verdict"]) for each in objects] == [(1, "agrees"), (None, None), (3, "agrees")]
    assert [list(each) for each in objects] == [KEYS] * 3
    assert objects[1]["findings"][0]["rule"] == "syntax"


def test_the_public_keys_are_those_of_the_design() -> None:
    assert set(KEYS) >= {"path", "line", "deal", "contract", "payments", "settlement", "stated", "verdict", "engine"}
    assert len(KEYS) == len(set(KEYS)) == 44


def test_undecidable_alone_exits_0(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(HEAD + '[[deal]]\ngame = "Ben solo G"\nstated.payments = [-50, 150, -50, -50]\n', "utf-8")
    result = run("check", str(path))
    *_, counts, lacks = result.stderr.splitlines()
    assert (result.exit_code, counts) == (0, "1 deal: 1 incomplete (as written)")
    assert "the record does not say who won" in lacks


def test_rules_override_judges_by_another_house(evening: Path) -> None:
    evening.write_text(HEAD + '[[deal]]\ngame = "ramsch"\n', "utf-8")
    assert "contract-not-played" in run("check", str(evening)).stdout
    assert "contract-not-played" not in run("check", "--rules", "pub", str(evening)).stdout


def test_import_twice_changes_nothing(archive: str, evening: Path) -> None:
    before = Path(archive).read_bytes()
    result = run("import", str(evening), "--db", archive)
    assert (result.exit_code, "0 deals added, 2 known" in result.stderr) == (0, True)
    assert Path(archive).read_bytes() == before


def test_import_keeps_the_good_rest_of_a_broken_file(tmp_path: Path, evening: Path) -> None:
    evening.write_text(HEAD + EXAMPLE_1 + '[[deal]]\ngame = "Ben\n' + EXAMPLE_2, "utf-8")
    line = evening.read_text("utf-8").splitlines().index('game = "Ben') + 1
    result = run("import", str(evening), "--db", str(tmp_path / "a.db"))
    assert result.exit_code == 1
    assert f"{evening}:{line}: syntax" in result.stdout
    assert "2 deals added" in result.stderr


@pytest.mark.parametrize("name", ["1", "2"])
def test_show_prints_hands_tricks_settlement_and_verdict(archive: str, name: str) -> None:
    text = run("show", name, "--db", archive).output
    for word in ("Anna", "trick", "settlement", "pays:", "agrees"):
        assert word in text


def test_show_one_trick_and_one_seat(archive: str) -> None:
    text = run("show", "1", "--trick", "1", "--seat", "Ben", "--db", archive).output
    assert "S7" in text
    assert "SK" not in text
    assert run("show", "1", "--seat", "Nobody", "--db", archive).exit_code == 2
    assert run("show", "99", "--db", archive).exit_code == 2


def test_rules_lists_shows_and_compares() -> None:
    assert "bavarian" in run("rules").output
    assert "001 Scoring" in run("rules", "bavarian").output
    compared = run("rules", "compare", "bavarian", "pub").output
    assert "house.all_pass" in compared
    assert "house.tariff" not in compared


@pytest.mark.parametrize("words", [(), ("langendorf",), ("compare", "bavarian", "langendorf")])
def test_rules_are_no_wider_than_the_terminal(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run("rules", *words).output.splitlines())) <= 80


def test_schema_is_json() -> None:
    assert json.loads(run("schema").output)["$defs"]
