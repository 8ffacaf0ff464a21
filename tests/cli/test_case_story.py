"""The sample of a dispute: from the complaint to the appeal, the ruling and the standings, in both languages."""

import shlex
from pathlib import Path

import pytest
from support.paths import ROOT
from support.running import run

CASE = ROOT / "sample_games" / "case"


def commands() -> list[list[str]]:
    lines = (CASE / "commands.txt").read_text("utf-8").splitlines()
    return [shlex.split(line) for line in lines if not line.startswith("#")]


def output(words: list[str], db: Path, language: str) -> str:
    done = run(*words, "--lang", language, "--db", db, columns=80)
    assert done.exit_code in (0, 1), done.output
    return f"$ schafkopf {shlex.join(words)}\n{done.output}\n"


def is_in_german(words: list[str]) -> bool:
    """Whether a command is printed in German too: it changes nothing, and is about rulings, cases or the books."""
    return words[:2] in (["case", "show"], ["audit", "rulings"], ["audit", "ledger"], ["show", "1"], ["rule", "4"])


def test_the_story_of_a_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update: bool) -> None:
    monkeypatch.chdir(CASE)
    db = tmp_path / "archive.db"
    english = "".join(output(words, db, "en") for words in commands())
    german = "".join(output(words, db, "de") for words in commands() if is_in_german(words))
    german = german.replace(str(db), "archive.db")
    for name, told in (("story.en.txt", english.replace(str(db), "archive.db")), ("story.de.txt", german)):
        if update:
            (CASE / name).write_text(told, "utf-8")
        assert (CASE / name).read_text("utf-8") == told


def test_what_the_story_comes_to() -> None:
    """The case is closed by the second ruling; the penalty is in the standings, and moves nobody else's money."""
    told = (CASE / "story.en.txt").read_text("utf-8")
    assert "Case 1: deal 1 of session 1 (1 in the archive): closed" in told
    assert "6 → 7    Girgl" in told, "a dry run shows how the standings would change"
    assert "5       Xaver              -100" in told
    assert (CASE / "story.de.txt").read_text("utf-8").count("Einspruch von Resi") == 1
