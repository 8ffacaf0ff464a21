"""What a command says is in the language of its reader, whether the environment or `--lang` names it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.paths import ROOT
from support.running import run

PAIR = ROOT / "sample_games/case/table-1.toml"
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
SAID = ("click.echo", "UsageError", "click.prompt", "click.style")
CALLS = [
    ("correct", "1", "--set", "stated.payments.Vroni=120", "--by", "Alois", "--why", "verlesen", "--dry-run"),
    ("correct", "1", "--set", "stated.payments.Vroni=120", "--by", "Alois", "--why", "verlesen"),
    ("audit", "compare"),
    ("audit", "compare", "--write"),
    ("upgrade",),
    ("players", "erase", "Vroni", "--by", "Alois", "--why", "will es", "--dry-run"),
    ("users", "add", "Resi", "--role", "writer"),
    ("users", "role", "Resi", "referee"),
    ("users", "password", "Resi"),
    ("users", "revoke", "Resi"),
    ("users", "remove", "Resi"),
    ("visibility", "set", "session", "1", "players", "--by", "Vroni"),
    ("visibility", "list"),
    ("plugins", "new", "importer", "mein-format"),
    ("export", "--to", "csv", "-o", "t.csv"),
    ("export", "--snapshot", "stand"),
    ("stats",),
    ("stats", "--rebuild"),
    ("import", "--undo", "1", "--by", "Alois", "--why", "doppelt", "--dry-run"),
    ("import", "--undo", "1", "--by", "Alois", "--why", "doppelt"),
    ("import", "--redo", "1", "--by", "Alois", "--why", "doch"),
]
ENGLISH = re.compile(r"\b(the|is|are|which|differs|nothing|would|every|deals?|brought|stored|by|for|and|has)\b", re.I)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive of one evening, which is only read."""
    folder = tmp_path_factory.mktemp("languages")
    run("import", PAIR, "--db", folder / "archive.db")
    return folder


def test_a_german_reader_is_answered_in_german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The calls follow each other on an archive of one evening."""
    monkeypatch.chdir(tmp_path)
    run("import", PAIR, "--db", "archive.db")
    for words in CALLS:
        done = run(*words, given="ein langes Passwort\n", SCHAFKOPF_LANG="de")
        assert done.exit_code in (0, 1), (words, done.output)
        said = re.sub(r"`[^`]*`|--\w+|[\w.-]+/[\w./-]+|\"[^\"]*\"|^  \w+:", "", done.output, flags=re.M)
        assert ENGLISH.findall(said) == [], (words, done.output)


def test_a_correction_says_in_german_what_it_changes(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive)
    words = ["correct", "5", "--set", "stated.payments=[10, 10, -30, 10]", "--by", "Alois", "--why", "x", "--dry-run"]
    done = run(*words, SCHAFKOPF_LANG="de")
    assert "Spiel 5 (5 im Archiv): stimmt -> weicht ab" in done.output.splitlines()
    assert done.output.splitlines()[-2:] == ["Kein späteres Spiel ändert sich.", "Gespeichert wurde nichts."]


def sentences_in(path: Path) -> Iterator[str]:
    """Yield the English of a module that is said as it stands, with its place."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(SAID):
            for part in (each for given in node.args for each in ast.walk(given)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and SENTENCE.search(part.value):
                    yield f"{path.name}:{part.lineno}: {part.value}"


def test_no_command_has_a_sentence_of_its_own() -> None:
    """Sentences stand in `archive/say`, once in each language."""
    assert [each for path in sorted((ROOT / "archive/cli").glob("*.py")) for each in sentences_in(path)] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--contract", "Wens"), "kein Spiel heißt 'Wens'; `schafkopf stats results_by_contract` hat die des Archivs."),
        (("--rules", "pubb"), "kein Regelwerk 'pubb'; `schafkopf rules` nennt sie. Gemeint ist wohl 'pub'."),
    ],
)
def test_a_question_about_what_nobody_knows_is_refused(
    words: tuple[str, ...], said: str, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive)
    done = run("stats", "results_by_contract", *words, "--lang", "de")
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_a_question_about_a_game_takes_any_of_its_names(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive)
    by_name = [
        run("stats", "results_by_contract", "--contract", name, "--to", "csv").stdout
        for name in ("farbwenz", "Farbwenz", "Suit Wenz")
    ]
    assert by_name[0].count("\n") == 2
    assert len(set(by_name)) == 1


def test_a_protocol_for_paper_is_in_the_language_that_is_named(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive)
    words = ["export", "--to", "protocol", "--session", "1"]
    german, english = (run(*words, "--lang", each).stdout for each in ("de", "en"))
    assert ("Spiel 1: Solo Gras" in german, "Deal 1: Solo Gras" in english) == (True, True)
    assert "Settlement" not in german


def test_a_month_is_no_year_and_cents_are_shown_as_euros(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive)
    said = run("season", "2026-07", "--lang", "de").stdout.splitlines()
    assert said[0].startswith("Juli 2026: 1 Abend, ")
    assert said[2] == "Beträge in €"


def test_a_filled_in_sheet_is_left_alone_and_no_option_is_named_that_is_not_there(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive)
    words = ["samples", "--sheet", "zettel", "--lang", "de"]
    assert run(*words).exit_code == 0
    again = run(*words)
    assert (again.exit_code, "einen anderen ORDNER nennen" in again.stderr) == (2, True)
    assert "--force" not in again.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "1", "--trick", "99"), "keinen Stich 99; von diesem Spiel sind 8 Stiche aufgeschrieben"),
        (
            ("stats", "results_by_contract", "--session", "99"),
            "kein Abend 99 in archive.db; `schafkopf audit` nennt sie",
        ),
        (("restore", "nix.db"), "Falscher Wert für 'DATEI': "),
        (("show",), "'SPIEL'"),
    ],
)
def test_what_is_not_there_is_said_in_the_words_of_the_usage(
    words: tuple[str, ...], said: str, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive)
    done = run(*words, "--lang", "de")
    assert (done.exit_code, said in done.stderr) == (2, True), done.output
