"""`schafkopf audit`: the stored verdicts by session, player, verdict and rule."""

import json
import sqlite3
from contextlib import chdir
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from msgspec.structs import replace
from support import running
from support.copied_folders import copy_filled

from archive import generate
from archive.judge import judge
from archive.judge.report import KEYS
from archive.notation import write_toml
from archive.record import Stated


def run(*words: str, columns: int = 80) -> Result:
    return running.run(*words, columns=columns, LC_ALL="C")


def session(path: Path, name: str, seed: int, wrong: bool = False, **head: object) -> None:
    """An evening of four deals; with `wrong` the second states another price."""
    evening = generate.session("bavarian", **head)  # type: ignore[arg-type]
    deals = [generate.deal(Random(seed * 10 + n), evening, "rufspiel", dealer=n, state=("price",)) for n in range(4)]
    if wrong:
        deals[1] = replace(deals[1], stated=Stated(price=1))
    (path / f"{name}.toml").write_text(write_toml(evening, deals), "utf-8")


def two_evenings(folder: Path) -> None:
    """Two evenings: at the first all agree, at the second a price differs and one deal is a result alone."""
    session(folder, "a", 1)
    session(folder, "b", 2, wrong=True, players=("Anna", "Emil", "Franz", "Gerda"), event="Open")
    bare = 'format = "schafkopf-record/1"\nrules = "bavarian"\nplayers = ["Alma", "Bert", "Carl", "Dirk"]\n[[deal]]\n'
    (folder / "c.toml").write_text(bare + 'game = "Alma solo G"\n', "utf-8")
    with chdir(folder):  # which the archive does not name
        for name in "abc":
            run("import", f"{name}.toml", "--db", "archive.db")


@pytest.fixture
def db(tmp_path: Path) -> str:
    copy_filled(two_evenings, tmp_path)
    return str(tmp_path / "archive.db")


def listed(result: Result) -> list[int]:
    """The numbers of the deals that are listed."""
    lines = result.stdout.splitlines()
    return [int(line[:6]) for line in lines if line[:6].strip().isdecimal() and "deal" in line]


def test_all_deals_are_listed_session_by_session_with_counts_at_the_end(db: str) -> None:
    result = run("audit", "--db", db)
    assert (result.exit_code, listed(result)) == (1, list(range(1, 10)))
    assert [line for line in result.stdout.splitlines() if line.startswith("Session")][1].startswith("Session 2: Open")
    assert result.stderr == "9 deals: 7 agree, 1 differs, 1 incomplete\n"
    assert "Price: the record states 1, the rules give" in result.stdout
    assert result.stdout.endswith("The record does not say: who won.\n")


def test_the_exit_status_says_whether_any_listed_deal_differs_and_undecidable_alone_is_0(db: str) -> None:
    assert run("audit", "--session", "1", "--db", db).exit_code == 0
    assert run("audit", "--session", "2", "--db", db).exit_code == 1
    third = run("audit", "--session", "3", "--db", db)
    assert (third.exit_code, third.stderr) == (0, "1 deal: 1 incomplete\n")
    assert run("audit", "--verdict", "agrees", "--db", db).exit_code == 0


def test_deals_are_found_by_player_verdict_and_rule(db: str) -> None:
    assert listed(run("audit", "--player", "Emil", "--db", db)) == [5, 6, 7, 8]
    assert listed(run("audit", "--player", "Anna", "--db", db)) == list(range(1, 9))
    assert listed(run("audit", "--verdict", "differs", "--db", db)) == [6]
    assert listed(run("audit", "--rule", "stated-price", "--db", db)) == [6]
    assert listed(run("audit", "--rule", "stated-price", "--player", "Ben", "--db", db)) == []
    assert run("audit", "--rule", "stated-price", "--player", "Ben", "--db", db).stderr == "0 deals\n"


def test_a_player_is_found_under_any_name(db: str) -> None:
    run("players", "merge", "Gerda", "--into", "Dora", "--by", "x", "--why", "x", "--db", db)
    for name in ("Gerda", "Dora"):
        assert listed(run("audit", "--player", name, "--db", db)) == list(range(1, 9))


@pytest.mark.parametrize(
    "words", [("--session", "9"), ("--player", "Nobody"), ("--rule", "no-rule"), ("--verdict", "wrong"), ("nonsense",)]
)
def test_wrong_use_is_a_sentence(db: str, words: tuple[str, ...]) -> None:
    result = run("audit", "--db", db, *words)
    assert (result.exit_code, "Error: " in result.stderr, result.stdout) == (2, True, "")


def test_a_missing_or_damaged_archive_is_a_sentence(db: str, tmp_path: Path) -> None:
    conn = sqlite3.connect(db)
    conn.execute("PRAGMA writable_schema = 1")
    conn.execute("DROP VIEW rulings_by_rule")
    conn.execute("DROP TABLE findings")
    conn.commit()
    conn.close()
    for path in (db, str(tmp_path / "none.db")):
        result = run("audit", "--db", path)
        assert (result.exit_code, "Error: " in result.stderr) == (2, True)


def test_json_is_the_object_of_check_streamed_with_the_numbers_of_the_archive(db: str) -> None:
    result = run("audit", "--session", "2", "--json", "--db", db)
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [set(each) - set(KEYS) for each in objects] == [{"archive", "session"}] * 4
    assert [(each["archive"], each["session"], each["deal"], each["verdict"]) for each in objects] == [
        (5, 2, 1, "agrees"), (6, 2, 2, "differs"), (7, 2, 3, "agrees"), (8, 2, 4, "agrees"),
    ]  # fmt: skip
    assert objects[1]["findings"][0]["rule"] == "stated-price"
    with chdir(Path(db).parent):
        checked = run("check", "--json", "b.toml").stdout.splitlines()
    assert [json.loads(line) for line in checked] == [
        {key: each[key] for key in json.loads(checked[0])} for each in objects
    ]


def test_the_list_fits_eighty_columns(all_samples: Path) -> None:
    for words in ((), ("--verdict", "unplayable"), ("--rule", "stated-payments")):
        assert max(map(len, run("audit", *words, "--db", str(all_samples)).stdout.splitlines())) <= 80


def test_reasons_are_told_in_german_where_that_is_asked_for(db: str) -> None:
    told = run("audit", "--verdict", "differs", "--lang", "de", "--db", db).stdout
    assert "nach den Regeln" in told
    assert "the rules give" not in told


def test_nothing_is_judged_again_to_list(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setitem(judge.__globals__, "replay", refuse)
    assert len(listed(run("audit", "--db", db))) == 9


def test_explain_and_repair_are_asked_for_by_deal(db: str) -> None:
    explained = run("audit", "explain", "6", "--db", db)
    assert explained.exit_code == 1
    assert "1" in explained.stdout
    assert json.loads(run("audit", "explain", "6", "--json", "--db", db).stdout)["words"]["de"]
    assert run("audit", "explain", "1", "--db", db).exit_code == 0
    assert run("audit", "explain", "--session", "2", "--db", db).exit_code == 1
    repaired = run("audit", "repair", "1", "--db", db)
    assert (repaired.exit_code, "nothing to repair" in repaired.stdout) == (0, True)
    for words in (("explain", "99"), ("explain",), ("explain", "1", "--session", "1"), ("repair", "99")):
        assert run("audit", *words, "--db", db).exit_code == 2
