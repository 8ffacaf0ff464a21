"""`--json` of every command that shows something, and nothing beside an archive after a command that reads."""

import json
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result
from support import running
from support.commands import EVERY
from support.paths import ROOT
from support.thorough import examples

from archive.cli import main
from archive.cli.archive_file import remove_at_end
from archive.judge.report import KEYS

SAMPLE = ROOT / "sample_games" / "valid" / "knocks.toml"
BROKEN = ROOT / "sample_games" / "broken" / "stated-points.toml"
ACTS = "says in a sentence what it has done"
WITHOUT = {  # commands without --json, and why
    "new": "writes a session file to fill in",
    "convert": "writes a file that programs read",
    "export": "writes a file that programs read",
    "generate": "writes records that programs read",
    "schema": "is JSON",
    "serve": "a server: its JSON is /api/v1",
    "docs": "a server of pages",
    "samples": "writes a folder",
    "audit dossier": "writes a page, or a ZIP with a manifest in JSON",
    "plugins new": "writes a folder",
    "scale": "does nothing by itself",
    "users": "does nothing by itself",
    "visibility": "does nothing by itself",
    "scale slice": "makes an archive",
    **dict.fromkeys(("players merge", "players split", "players erase", "visibility set"), ACTS),
    **{f"case {kind}": ACTS for kind in ("open", "statement", "witness", "appeal", "close", "reopen")},
    **{f"cash {act}": ACTS for act in ("paid", "received", "carried", "undo")},
    **{f"users {act}": ACTS for act in ("add", "remove", "password", "role", "revoke", "token")},
}
DEAL = {*KEYS, "archive", "session"}
RULING = ["--by", "Emil", "--why", "so", "--cite", "house rule 4"]
# Of each command with --json one call, and the keys of a line that it prints.
CALLS: dict[str, tuple[list[str], set[str]]] = {
    "check": (["check", str(SAMPLE)], {*KEYS}),
    "price": (["price", "Sepp Wenz gewonnen"], {*KEYS}),
    "show": (["show", "1"], DEAL),
    "audit": (["audit"], DEAL),
    "audit compare": (["audit", "compare"], set()),
    "audit explain": (["audit", "explain", "5"], {"state", "explanations", "stated", "computed", "sets_right"}),
    "audit ledger": (["audit", "ledger", "1"], {"deal", "session", "verdict", "breaks", "seats"}),
    "audit repair": (["audit", "repair", "1"], {"verdict", "proposal"}),
    "audit rulings": (["audit", "rulings"], {"ruling", "deal", "by", "why", "cite", "ruled"}),
    "audit slips": (["audit", "slips"], {"deals", "differ", "explained", "kinds", "players", "slips"}),
    "analyse": (["analyse", "1"], {"deal"}),
    "add": (["add", "--players", "Anni, Beppo, Centa, Dammerl", "Anni Wenz gewonnen"], {*KEYS, "evening", "appended"}),
    "correct": (
        ["correct", "1", "--set", "note=so", "--by", "Anni", "--why", "so", "--dry-run"],
        {"archive", "stored", "changes", "before", "after", "later"},
    ),
    "rule": (
        ["rule", "1", "--annul", *RULING, "--dry-run"],
        {"archive", "stored", "before", "after", "settled_totals"},
    ),
    "case": (["case"], {"id", "deal", "claimant", "entries", "state", "lacks_statement"}),
    "case show": (["case", "show", "1"], {"id", "deal", "claimant", "entries", "state"}),
    "import": (
        ["import", "--dry-run", str(SAMPLE)],
        {
            "path", "sha256", "format", "deals", "verdicts", "added", "known", "changed", "refused", "restored",
            "findings",
        },
    ),
    "stats": (["stats"], {"question", "subject", "title"}),
    "season": (["season"], {"of", "title", "heads", "rows"}),
    "players": (["players"], {"player", "deals", "other_names"}),
    "cash": (["cash"], {"unit", "player", "from_deals", "carried", "paid", "balance", "undecided"}),
    "cash entries": (["cash", "entries"], {"id", "kind", "player", "to", "amount", "unit", "day", "undone_by"}),
    "rules": (["rules"], {"ruleset", "title", "incomplete", "contracts"}),
    "plugins": (["plugins"], set()),
    "users list": (["users", "list"], {"name", "role", "player"}),
    "visibility list": (["visibility", "list"], {"what", "number", "for", "by", "since"}),
    "backup": (["backup", "copy.db"], {"file", "deals", "bytes", "whole"}),
    "restore": (["restore", "copy.db", "--db", "other.db"], {"archive", "deals", "copy"}),
    "doctor": (["doctor"], {"archive", "whole", "damage"}),
    "upgrade": (["upgrade"], {"archive", "upgraded", "copy"}),
}  # fmt: skip
SHARDS = {"scale check", "scale query"}  # tests/scale


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive that has something of everything."""
    folder = tmp_path_factory.mktemp("json")
    for words in (
        ["import", str(SAMPLE), str(BROKEN)],
        ["rule", "2", "--annul", *RULING],
        ["case", "open", "1", "--claimant", "Anni", "--text", "No.", "--by", "Emil"],
        ["cash", "paid", "Anni", "1 €", "--by", "Emil"],
        ["visibility", "set", "session", "1", "players", "--by", "Anni"],
        ["users", "add", "Resi", "--role", "writer"],
    ):
        run(folder, words, given="a password of some length\n")
    remove_at_end(folder / "archive.db")
    return folder


def run(folder: Path, words: list[str], given: str | None = None) -> Result:
    result = CliRunner(env={"SCHAFKOPF_DB": str(folder / "archive.db")}).invoke(main, words, input=given)
    assert result.exit_code in (0, 1), result.output
    return result


def test_every_command_that_shows_something_has_json() -> None:
    has = {path for path, command in EVERY.items() if any("--json" in each.opts for each in command.params)}
    assert has == {*CALLS, *SHARDS}
    assert EVERY.keys() - has == WITHOUT.keys()


def test_it_is_an_object_a_line_and_nothing_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for path, (words, keys) in CALLS.items():
        at = len(path.split())
        lines = run(folder, [*words[:at], "--json", *words[at:]]).stdout.splitlines()
        objects = [json.loads(line) for line in lines]
        assert bool(objects) == bool(keys), path
        assert all(isinstance(each, dict) and keys <= each.keys() for each in objects), (path, objects[0].keys())


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["stats", "results_by_contract"], {"rules", "contract", "deals"}),
        (["stats", "standings"], {"player", "rank", "total"}),
        (["stats", "sources"], {"source", "file", "withdrawn"}),
        (["rules", "pub"], {"ruleset", "key", "value", "source"}),
        (["rules", "compare", "pub", "bavarian"], {"key", "values"}),
        (["audit", "explain", "--session", "1"], {"words", "differ", "readings"}),
    ],
)
def test_the_other_shapes_of_a_command(folder: Path, words: list[str], keys: set[str]) -> None:
    objects = [json.loads(line) for line in run(folder, [*words, "--json"]).stdout.splitlines()]
    assert objects
    assert all(keys <= each.keys() for each in objects), objects[0].keys()


def test_the_environment_changes_no_text_for_programs(folder: Path) -> None:
    here = {"SCHAFKOPF_DB": str(folder / "archive.db")}
    for words in ("audit --json", "show 5 --json", "stats --json", "stats standings --to json", "doctor --json"):
        plain = CliRunner(env=here).invoke(main, words).stdout_bytes
        elsewhere = CliRunner("utf-16-le", here | {"SCHAFKOPF_LANG": "de"}).invoke(main, words)
        assert elsewhere.stdout_bytes == plain != b"", words


def test_output_that_takes_no_bytes_as_in_a_notebook_has_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["schafkopf", "price", "Wenz gewonnen", "--json"])
    with redirect_stdout(StringIO()) as out, pytest.raises(SystemExit):
        main()
    assert {*KEYS} <= json.loads(out.getvalue()).keys()


# --- nothing beside an archive ----------------------------------------------------------------------------------------

READS = [
    *(
        words
        for path, (words, _) in CALLS.items()
        if path not in ("check", "price", "add", "rules", "plugins", "restore")
    ),
    ["stats", "results_by_contract"],
    ["stats", "standings"],
    ["stats", "sources"],
    ["stats", "fairness"],
    ["export"],
    ["export", "--to", "protocol"],
    ["export", "--mask", "initials"],
    ["audit", "dossier", "1", "--output", "-"],
    ["import", "--preview", str(SAMPLE)],
    ["players", "erase", "Anni", "--by", "Emil", "--why", "so", "--dry-run"],
    ["show", "99"],
    ["audit", "ledger", "99"],
]
# Each command in a process of its own, which ends as a process does.
PROGRAM = dedent("""
    import json, os, sys
    from pathlib import Path
    from archive.cli import main
    import archive.cli.audit, archive.cli.stats, archive.cli.import_
    folder, left = Path(sys.argv[1]), {}
    before = sorted(path.name for path in folder.iterdir())
    for words in json.loads(sys.argv[2]):
        if not os.fork():
            sys.stdout = sys.stderr = open(os.devnull, "w")
            main(words)
        os.wait()
        left[" ".join(words)] = sorted({path.name for path in folder.iterdir()} - {*before})
    print(json.dumps(left))
""")


def test_nothing_is_left_beside_an_archive_that_was_read(folder: Path, tmp_path: Path) -> None:
    reads = READS[:: examples(9, 1)]
    env = {"PYTHONPATH": str(ROOT), "SCHAFKOPF_DB": str(folder / "archive.db")}
    words = [sys.executable, "-c", PROGRAM, str(folder), json.dumps(reads)]
    ran = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    left = json.loads(ran.stdout.splitlines()[-1])
    assert len(left) == len(reads)
    assert {words: names for words, names in left.items() if names} == {}


def test_to_list_no_accounts_makes_no_file_for_them(tmp_path: Path) -> None:
    archive = str(tmp_path / "archive.db")
    run(tmp_path, ["import", str(SAMPLE)])
    remove_at_end(Path(archive))
    assert "There are no accounts." in run(tmp_path, ["users", "list"]).stdout
    assert [path.name for path in tmp_path.iterdir()] == ["archive.db"]
    assert running.run("users", "list", "--db", tmp_path / "none.db").exit_code == 2


def test_every_command_that_reads_an_archive_is_among_them() -> None:
    reading = {
        " ".join(words[: len(path.split())])
        for path in EVERY
        for words in READS
        if words[: len(path.split())] == path.split()
    }
    with_archive = {path for path, command in EVERY.items() if any("--db" in option.opts for option in command.params)}
    writes = {"add", "restore", "serve", "scale slice", *(path for path, why in WITHOUT.items() if why == ACTS)}
    assert with_archive - reading - writes == set()
