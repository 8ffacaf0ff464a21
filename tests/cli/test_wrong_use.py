"""Wrong use in German: what click says of it, and what the commands do; in a German run no English sentence is left.

The catalogue that click asks, click.mo, is written by `pytest --update` from click.po beside it.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from support.paths import ROOT
from support.running import run

from archive.library import import_files

FOLDER = ROOT / "archive" / "cli" / "locale" / "de" / "LC_MESSAGES"
OF_TYPES = {"file", "directory", "path"}  # their names in help, which stay as they are when a command is imported
OF_HELP = {"Options", "Commands", "Usage:", "env var: {var}", "default: {default}", "Show this message and exit."}
NEVER_SAID = {  # to a user of ours: mistakes of a programmer, editors, other shells, Windows' consoles, another version
    "{editor}: Editing failed", "{editor}: Editing failed: {e}", "Windows error: {error}", "deprecated",
    "Positional arguments", "DeprecationWarning: The command {name!r} is deprecated.{extra_message}",
    "DeprecationWarning: The {param_type} {name!r} is deprecated.{extra_message}",
    "Could not determine name for option with declarations {decls!r}",
    "No options defined but a name was passed ({name}). Did you mean to declare an argument instead? Did you mean to "
    "pass '--{name}'?",
    "Arguments take exactly one parameter declaration, got {length}: {decls}.", "Name '{name}' defined twice",
    "Boolean option {decl!r} cannot use the same flag for true/false.", "Confirm the action without prompting.",
    "%(prog)s, version %(version)s", "Show the version and exit.", "Choice({choices})",
    "Invalid start character for option ({option})", "Unknown color {colour!r}", "Unknown standard stream '{name}'",
    "Couldn't detect Bash version, shell completion is not supported.",
    "Shell completion is not supported for Bash versions older than 4.4.",
}  # fmt: skip


def sentences_of_click() -> Iterator[str]:
    """Every text that click asks gettext for, in the version that is installed."""
    for path in Path(click.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    yield str(first.value)


def texts_by_id(catalogue: Catalog) -> dict[str, list[str]]:
    """The texts of a catalogue, one or one for each number, by the English one, with a plural that of the singular."""
    rows = ((each.id if isinstance(each.id, str) else each.id[0], each.string or "") for each in catalogue if each.id)
    return {key: [text] if isinstance(text, str) else [*text] for key, text in rows}


def test_the_catalogue_is_made_of_its_source_and_has_every_sentence_that_click_can_say(update: bool) -> None:
    with (FOLDER / "click.po").open("rb") as file:
        source = read_po(file, locale="de")
    if update:
        with (FOLDER / "click.mo").open("wb") as made:
            write_mo(made, source)
    with (FOLDER / "click.mo").open("rb") as file:
        german = texts_by_id(read_mo(file))
    assert german == texts_by_id(source)
    assert german.keys() == {*sentences_of_click()} - OF_HELP - OF_TYPES - NEVER_SAID
    assert all(all(texts) for texts in german.values())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("chck", "Einen Befehl 'chck' gibt es nicht. Gemeint ist wohl 'check'."),
        ("CHECK x.toml", "Einen Befehl 'CHECK' gibt es nicht. Gemeint ist wohl 'check'."),
        ("xyzzy", "Einen Befehl 'xyzzy' gibt es nicht."),
        ("case 5", "Einen Befehl '5' gibt es nicht. Gemeint ist wohl 'case show 5'."),
        ("audit ledgr", "Einen Befehl 'ledgr' gibt es nicht. Gemeint ist wohl 'ledger'."),
        ("--nope", "Eine Option '--nope' gibt es nicht."),
        ("check --jsn", "Eine Option '--jsn' gibt es nicht. Gemeint ist wohl '--json'."),
        ("check", "Es fehlt 'PFAD…'."),
        ("show", "Es fehlt 'SPIEL'."),
        ("correct 1", "Es fehlt die Option '--set'."),
        ("show 1 2 3", "Einige Wörter sind zu viel (2 3)"),
        ("check x.toml --lang fr", "Falscher Wert für '--lang': 'fr' ist keines von 'en', 'de'."),
        ("serve --port x", "Falscher Wert für '--port': 'x' ist keine ganze Zahl."),
        ("serve --port 99999", "Falscher Wert für '--port': 99999 liegt nicht im Bereich 0<=x<=65535."),
        ("serve --port", "Zur Option '--port' gehört ein Wert."),
        ("check --json=1 x.toml", "Zur Option '--json' gehört kein Wert."),
        ("--rulesets x rules", "Falscher Wert für '--rulesets': 'x' gibt es nicht."),
        ("show 1 --db .", "Falscher Wert für '--db': '.' ist ein Ordner."),
    ],
)
def test_what_click_says_of_wrong_use_is_german(
    words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*words.split(), SCHAFKOPF_LANG="de")
    assert (ran.exit_code, ran.stdout) == (2, "")
    *usage, error = ran.stderr.splitlines()
    assert error.startswith(f"Fehler: {says}")
    if usage:
        assert usage[0].startswith("Aufruf: ")
        assert usage[1].startswith("Hilfe gibt '")


def test_wrong_use_is_told_in_the_language_that_the_command_names() -> None:
    for words in ("price --lang de", "price --lang=de", "players --lang de split Anni"):
        ran = run(*words.split(), SCHAFKOPF_LANG="en")
        assert ran.stderr.splitlines()[0].startswith("Aufruf: ")
    ran = run("price", SCHAFKOPF_LANG="en")
    assert ran.stderr.splitlines()[0].startswith("Usage: ")


FULL = "No space left on device: make room on the disk, or write the output elsewhere"
KNOCKS = ROOT / "sample_games" / "valid" / "knocks.toml"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("words", ["generate 3", "schema", f"check --json {KNOCKS}", "audit --db there.db"])
def test_a_full_disk_of_the_output_is_not_blamed_on_the_archive(words: str, folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([sys.executable, "-m", "archive", *words.split()], stdout=full, stderr=subprocess.PIPE,
                             cwd=folder, text=True, check=False)  # fmt: skip
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (2, f"Error: {FULL}")


def test_signs_that_an_encoding_lacks_have_plainer_ones_in_their_place() -> None:
    words = ["price", "Łukasz Herzsolo verloren"]
    ran = subprocess.run([sys.executable, "-m", "archive", *words], env={**os.environ, "PYTHONIOENCODING": "cp1252"},
                         capture_output=True, check=False)  # fmt: skip
    assert ran.stderr == b""
    assert "each: \\u0141ukasz -150," in ran.stdout.decode("cp1252")


OWN = [
    ("show 1", "Ein Archiv archive.db gibt es nicht; `schafkopf import` legt eines an."),
    ("check nothing.toml", "'nothing.toml' ist keine Datei und kein Ordner, und kein Muster, auf das etwas passt."),
    ("backup - --db there.db", "- ist keine Datei"),
    ("import --undo 1 --preview --by A --why b --db there.db", "--undo hat kein --preview"),
    ("import empty", "In 'empty' liegt keine Datei, die ein Aufschrieb sein könnte."),
    ("check empty", "In 'empty' liegt keine Datei, die ein Aufschrieb sein könnte."),
    ("new", "--rules und --players nennen; `schafkopf rules` zeigt die Regelwerke"),
    ("new --rules pub --players Anna,Ben", "es sind 2 Spieler genannt (Anna, Ben); pub spielen 4, und bis"),
    ("rules compare", "erwartet wird ein NAME, oder: compare A B"),
    ("rules there.db", "kein Regelwerk 'there.db': es ist keine Textdatei."),
    (f"convert {KNOCKS} no/such.toml", "no/such.toml ist nicht zu schreiben: Datei oder Verzeichnis nicht gefunden"),
    (f"import {KNOCKS} --db no/such.db", "no/such.db ist nicht anzulegen: Den Ordner gibt es nicht, oder"),
    ("rules bavaria", "kein Regelwerk 'bavaria'"),
    ("generate 1 --rules bavaria", "kein Regelwerk 'bavaria'; es gibt alter-schoofkopp, "),
    ("audit explain", "ein SPIEL nennen, oder mit --session einen Abend"),
    ("show 1 --as-of gestern", "Falscher Wert für '--as-of': 'gestern' ist kein Tag wie 2026-11-20"),
    ("show 999 --db there.db", "kein Spiel '999' in there.db; `schafkopf audit` nennt sie"),
    (
        "audit --player Anny --db there.db",
        "kein Spieler 'Anny' in there.db; `schafkopf players` nennt sie. Gemeint ist",
    ),
    ("audit --rule no-cards --db there.db", "keine Regel 'no-cards'; docs/findings.md hat sie alle."),
    ("stats runers_and_winning --db there.db", "Eine Frage runers_and_winning gibt es nicht; `schafkopf stats` nennt"),
    ("stats pairs --since gestern --db there.db", "since: 'gestern' ist kein Tag; ein Tag schreibt sich 31.10.2026"),
    ("stats sources --until 2026 --db there.db", "sources hat kein --until"),
    ("stats standings --event X --db there.db", "keine Spiele der Veranstaltung 'X'."),
    (
        "players merge Nobody --into Anni --by A --why b --db there.db",
        "Einen Spieler 'Nobody' gibt es nicht; `schafkopf players` nennt alle.",
    ),
    ("stats --event X --db there.db", "--event gehört zum NAMEN einer Frage"),
    ("stats pairs --event X --db there.db", "keine Spiele der Veranstaltung 'X'."),
    ("stats sources --event X --json --db there.db", "keine Dateien mit Spielen der Veranstaltung 'X'"),
    ("stats pairs --since 5.2026 --until 2025 --db there.db", "2025 liegt vor 2026-05: erst kommt der erste Tag"),
    ("season 2026 --event X --db there.db", "keine Spiele der Veranstaltung 'X'."),
    ("cash --db none.db entries", "Ein Archiv none.db gibt es nicht; `schafkopf import` legt eines an."),
    ("case --state open show 1 --db there.db", "case show hat kein --state"),
    ("rule 1 --penalty -50 --by A --why b --cite c --db there.db", "--penalty -50: erwartet "),
    ("audit --db text.db", "text.db ist kein Archiv mit Schafkopfspielen; eine andere Datei nennen, "),
    ("export --html 1 --as-of 1.2.2020 --db there.db", "kein Spiel '1' in there.db, wie es am 2020-02-01"),
    ("export -o evening.xlsx --db there.db", "--to xlsx "),
    ("export --also X --db there.db", "--also gehört zu --mask"),
    ("--db there.db show 1", "--db steht hinter dem Befehl: schafkopf show --db …"),
    ("audit --db=", "--db ist leer"),
    (f"import --undo= {KNOCKS} --db there.db", "--undo ist leer"),
    ("price Wenz --tariff=", "--tariff ist leer"),
    ("price Wenz --tariff J\udce4", "'J\\udce4' ist kein Text in UTF-8"),
    ("show J\udce4 --db there.db", "'J\\udce4' ist kein Text in UTF-8"),
    (f"check {KNOCKS} --rules {'a' * 300}", "kein Regelwerk 'aaa"),
    ("new --rules no/such.toml --players A,B,C,D", "kein Regelwerk 'such.toml': diese Datei gibt es nicht"),
    ("new --rules pub --players Anna", "es ist 1 Spieler genannt (Anna)"),
    ("restore there.db --db pipe", "pipe ist keine Datei"),
    ("backup pipe --force --db there.db", "pipe ist keine Datei"),
    (f"case show {2**63} --db there.db", "Falscher Wert für 'NUMMER': 9223372036854775808 liegt nicht im Bereich"),
    (
        f"cash undo {2**63} --by A --db there.db",
        "Falscher Wert für 'NUMMER': 9223372036854775808 liegt nicht im Bereich",
    ),
    ("players split Anni --by= --why b --db there.db", "--by ist leer"),
    ("visibility set session 1 accounts --by= --db there.db", "--by ist leer"),
    ("import --undo 1 --by A --why= --db there.db", "--why ist leer"),
    ("visibility set session X accounts --by A --db there.db", "kein Abend X in there.db; `schafkopf audit` nennt sie"),
    ("correct 1 --set x --by a --why b --db there.db", "--set x: erwartet wird SCHLÜSSEL=WERT"),
    ("correct 1 --set rules= --by a --why b --db there.db", "--set rules=: erwartet wird SCHLÜSSEL=WERT"),
    ("correct 1 --set rules=pubb --by a --why b --db there.db", "kein Regelwerk 'pubb'"),
    (
        "correct 1 --set house.tarif=1 --by a --why b --db there.db",
        "house.tarif: eine solche Einstellung",
    ),
    (
        "correct 1 --set date=x --by a --why b --db there.db",
        "unbekannter Schlüssel date; er steht im Kopf des Abends",
    ),
    ("case open 1 --claimant anni --text -x= --by a --db there.db", "kein Spieler 'anni' in there.db"),
    ("case open 1 --claimant Anni --against Bepo --text x --by a --db there.db", "kein Spieler 'Bepo' in there.db"),
    ("audit rulings --by anni --db there.db", "'anni' gibt es in there.db nicht. Gemeint ist"),
    ("stats pairs --json --to csv --db there.db", "--json und --to csv sind zwei Formen"),
    ("season --json -o a.html --db there.db", "--json und --output sind zwei Formen"),
    ("audit slips --json -o a.html --db there.db", "--json und --output sind zwei Formen"),
    ("audit dossier 1 -o a.txt --db there.db", "a.txt: einen Namen mit einer der Endungen .html, .htm, .zip wählen"),
    ("export 1 -o a.txt --db there.db", "ein SPIEL gehört zu --html"),
    ("export --html 1 -o a.pdf --db there.db", "a.pdf: einen Namen mit einer der Endungen .html, .htm wählen"),
    ("export -o deals.docx --db there.db", "deals.docx hat keine der Endungen"),
    (f"import {KNOCKS} --rules pubb --db there.db", "kein Regelwerk 'pubb'; `schafkopf rules` nennt sie. Gemeint ist"),
    (f"check {KNOCKS} --rules pub --rules pubb", "kein Regelwerk 'pubb'; `schafkopf rules` nennt sie. Gemeint ist"),
    ("convert there.db out.xyz", "out.xyz hat keine der Endungen"),
    (
        "players merge Anni --into Beppo --by A --why b --db there.db",
        "Anni und Beppo saßen in Spiel 1 und in 3 weiteren an einem Tisch: sie sind zwei Leute.",
    ),
    ("import --redo 1 --by A --why b --db there.db", f"{KNOCKS} (Quelle 1) ist schon da."),
    ("correct 1 --set stated.marks={} --by a --why b --db there.db", "stated.marks ist schon nicht aufgeschrieben"),
    ("scale query runners_and_winning .", "In . ist kein geprüfter Teil; `schafkopf scale check` macht sie."),
    (
        "scale check . ../out",
        "In {folder} ist kein Teil; Teile sind Dateien, die auf .jsonl, .jsonl.gz oder .parquet enden.",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive, there.db, a text that is none, a pipe, and a folder without files."""
    path = tmp_path_factory.mktemp("wrong_use")
    (path / "text.db").write_text("no archive")
    (path / "empty").mkdir()
    os.mkfifo(path / "pipe")
    import_files(path / "there.db", KNOCKS)
    return path


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("words", "says"), OWN)
def test_what_the_commands_say_of_wrong_use_is_german(
    words: str, says: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    german, english = (run(*words.split(), SCHAFKOPF_LANG=language) for language in ("de", "en"))
    assert (german.exit_code, english.exit_code) == (2, 2)
    error = german.stderr.splitlines()[-1]
    assert error.startswith(f"Fehler: {says.replace('{folder}', str(folder.resolve()))}")
    assert error != english.stderr.splitlines()[-1]
    assert not Path("archive.db").exists()


def test_no_command_says_a_sentence_of_wrong_use_that_stands_in_no_catalogue() -> None:
    """Of errors that are raised with a text of their own, none has a word in it."""
    texts = []
    for path in (ROOT / "archive" / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("UsageError", "BadParameter", "fail"):
                parts = [str(each.value) for each in ast.walk(node) if isinstance(each, ast.Constant)]
                texts += [part for part in parts if re.search(r"\w \w", part)]
    assert texts == []


@pytest.mark.parametrize("words", ["serve", "doctor", "stats", "audit", "show", "players", "export", "season"])
def test_whoever_names_an_archive_without_the_option_is_told_it(
    words: str, valid_samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, name = valid_samples.parent, valid_samples.name
    monkeypatch.chdir(folder)
    result = run(*([words, name, "--lang", "de"] if words == "stats" else [words, name]))
    assert result.exit_code in (1, 2)
    assert f"--db {name}." in " ".join(result.stderr.split())


def test_an_archive_among_files_to_read_is_named_as_what_it_is(valid_samples: Path) -> None:
    result = run("check", valid_samples)
    assert result.exit_code == 1
    assert "this is an archive of this program" in " ".join(result.stdout.split())
