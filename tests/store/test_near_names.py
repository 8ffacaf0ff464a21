"""Names of one form are one player, in archives of before too; near-equal names are asked about, and never joined."""

import json
from pathlib import Path

import pytest
from support.running import run

from archive.record import names
from archive.store import merge_players, open_archive, open_read, players, split_player
from archive.store import near_names as near
from archive.store.near_names import near_names
from archive.store.people import player_row

DECOMPOSED = "Jo\u0308rg"


def evening(folder: Path, day: int, *who: str) -> str:
    """A file of an evening of four players."""
    path = folder / f"evening-{day}.toml"
    head = f'format = "schafkopf-record/1"\nrules = "pub"\ndate = "2026-01-{day:02}"\n'
    at_table = json.dumps(list(who), ensure_ascii=False)
    path.write_text(f'{head}players = {at_table}\n[[deal]]\ngame = "{who[0]}: Sauspiel Eichel"\nwith = "{who[1]}"\n')
    return str(path)


def imported(folder: Path, *evenings: tuple[str, ...]) -> Path:
    path = folder / "archive.db"
    for day, who in enumerate(evenings, 1):
        run("import", evening(folder, day, *who), "--db", str(path))
    return path


def pairs(path: Path) -> list[tuple[str, str]]:
    return [(each.name, each.like) for each in near_names(open_read(path))]


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive of before, with a name that came decomposed."""
    monkeypatch.setattr(names, "FORM", "NFD")
    path = imported(tmp_path, (DECOMPOSED, "Ben", "Cem", "Dora"))
    monkeypatch.setattr(names, "FORM", "NFC")
    assert DECOMPOSED in {each.name for each in players(open_read(path))}
    return path


def test_composed_and_decomposed_are_one_player_of_an_archive(tmp_path: Path) -> None:
    path = imported(tmp_path, ("Jörg", "Ben", "Cem", "Dora"), (DECOMPOSED, "Ben", "Cem", "Emil"))
    assert [(each.name, each.deals) for each in players(open_read(path)) if each.name[0] == "J"] == [("Jörg", 2)]
    assert pairs(path) == []


def test_an_archive_of_before_has_the_same_player_under_either_form(old: Path, tmp_path: Path) -> None:
    run("import", evening(tmp_path, 9, "Jörg", "Ben", "Cem", "Dora"), "--db", str(old))
    (player,) = (each for each in players(open_read(old)) if each.name[0] == "J")
    assert (player.name, player.deals) == (DECOMPOSED, 2)
    assert player_row(open_read(old), "Jörg") == (player.id, DECOMPOSED)
    assert "2 deals" in run("audit", "--player", "Jörg", "--db", str(old)).output
    assert "are not what" not in run("doctor", "--db", str(old)).output


def test_the_records_of_an_archive_of_before_stay_as_they_are(old: Path, tmp_path: Path) -> None:
    before = open_read(old).execute("SELECT record FROM records").fetchall()
    run("import", evening(tmp_path, 9, "Jörg", "Ben", "Cem", "Dora"), "--db", str(old))
    assert open_read(old).execute("SELECT record FROM records ORDER BY id").fetchall()[: len(before)] == before


def test_a_player_of_before_is_merged_by_either_form(old: Path) -> None:
    run("import", evening(old.parent, 9, "Schorsch", "Ben", "Cem", "Dora"), "--db", str(old))
    assert (
        run("players", "merge", "Schorsch", "--into", "Jörg", "--by", "A", "--why", "one", "--db", str(old)).exit_code
        == 0
    )
    assert [each.deals for each in players(open_read(old)) if each.name[0] == "J"] == [2]


def test_erasing_one_form_leaves_neither_in_the_file(old: Path, tmp_path: Path) -> None:
    run("import", evening(tmp_path, 9, "Jörg", "Ben", "Cem", "Dora"), "--db", str(old))
    assert run("players", "erase", "Jörg", "--by", "A", "--why", "asked", "--db", str(old)).exit_code == 0
    left = b"".join(each.read_bytes() for each in tmp_path.glob("archive.db*"))
    assert not [form for form in ("Jörg", DECOMPOSED) if form.encode() in left]
    assert "are not what" not in run("doctor", "--db", str(old)).output


def test_a_masked_copy_has_neither_form(old: Path, tmp_path: Path) -> None:
    out = tmp_path / "masked.jsonl"
    assert run("export", "--mask", "pseudonyms", "-o", str(out), "--db", str(old)).exit_code == 0, out
    assert not [form for form in ("Jörg", DECOMPOSED) if form in out.read_text()]


# --- near-equal names -------------------------------------------------------------------------------------------------


def test_an_import_asks_about_a_name_that_is_nearly_another_and_joins_nothing(tmp_path: Path) -> None:
    path = imported(tmp_path, ("Resi", "Ben", "Cem", "Dora"), ("Resi", "Ben", "Cem", "Dora"))
    answer = run("import", evening(tmp_path, 3, "resi", "Ben", "Cem", "Dora"), "--db", str(path), "--lang", "en")
    (line,) = (each for each in answer.output.splitlines() if "may be one person" in each)
    command = f"schafkopf players merge resi --into Resi --by … --why … --db {path}"
    assert line == f"“resi” (1 deal) and “Resi” (2 deals) may be one person. If so: {command}"
    assert answer.exit_code == 0
    assert {each.name for each in players(open_read(path))} >= {"resi", "Resi"}


def test_an_import_in_german_asks_in_german(tmp_path: Path) -> None:
    path = imported(tmp_path, ("Jörg", "Ben", "Cem", "Dora"))
    answer = run("import", evening(tmp_path, 3, "Joerg", "Ben", "Cem", "Dora"), "--db", str(path), "--lang", "de")
    assert "(1 Spiel) sind vielleicht eine Person. Wenn ja: schafkopf players merge" in answer.output


def test_the_json_of_an_import_has_the_pair_and_the_command(tmp_path: Path) -> None:
    path = imported(tmp_path, ("Dammerl", "Ben", "Cem", "Dora"))
    answer = run("import", evening(tmp_path, 3, "Damerl", "Ben", "Cem", "Dora"), "--db", str(path), "--json")
    (pair,) = json.loads(answer.stdout)["near_names"]
    assert (pair["name"], pair["deals"], pair["like"], pair["like_deals"]) == ("Damerl", 1, "Dammerl", 1)
    assert pair["command"].startswith("schafkopf players merge ")


def test_the_command_that_is_named_joins_the_two_and_then_nobody_is_asked(tmp_path: Path) -> None:
    path = imported(tmp_path, ("Resi", "Ben", "Cem", "Dora"), ("resi", "Ben", "Cem", "Dora"))
    (pair,) = near_names(open_read(path))
    merge_players(open_archive(path), [pair.name], pair.like, "Anna", "one person")
    assert pairs(path) == []
    assert "may be one person" not in run("players", "--db", str(path)).output


@pytest.mark.parametrize("both", [("Hans M.", "Hans S."), ("Sepp", "Sepp (2)"), ("Toni jun.", "Toni sen.")])
def test_names_that_people_tell_apart_are_never_asked_about(both: tuple[str, str], tmp_path: Path) -> None:
    path = imported(tmp_path, (both[0], "Ben", "Cem", "Dora"), (both[1], "Ben", "Cem", "Dora"))
    assert pairs(path) == []


def test_two_who_sat_at_one_table_are_not_asked_about(tmp_path: Path) -> None:
    assert pairs(imported(tmp_path, ("Resi", "resi", "Cem", "Dora"))) == []


def test_two_whom_somebody_told_apart_are_not_asked_about_again(tmp_path: Path) -> None:
    path = imported(tmp_path, ("Resi", "Ben", "Cem", "Dora"), ("resi", "Ben", "Cem", "Dora"))
    merge_players(db := open_archive(path), ["resi"], "Resi", "Anna", "one person")
    split_player(db, "resi", "Anna", "they are two")
    assert pairs(path) == []


def test_known_names_are_not_asked_about_after_each_import(tmp_path: Path) -> None:
    path = imported(tmp_path, ("Resi", "Ben", "Cem", "Dora"), ("resi", "Ben", "Cem", "Dora"))
    answer = run("import", evening(tmp_path, 3, "resi", "Ben", "Cem", "Dora"), "--db", str(path), "--lang", "en")
    assert "may be one person" not in answer.output
    assert "may be one person" in run("players", "--db", str(path)).output


def test_a_question_looks_at_each_name_a_few_times_whatever_their_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = imported(tmp_path, ("Resi", "Ben", "Cem", "Dora"))
    db = open_archive(path)
    rows = [(f"Gast {number}",) for number in range(20_000)] + [("resi",)]
    db.conn.executemany("INSERT INTO players (name) VALUES (?)", rows)
    last = db.conn.execute("SELECT max(id) FROM players").fetchone()[0]
    looked: list[str] = []

    def counted(name: str) -> frozenset[str]:
        looked.append(name)
        return names.near_keys(name)

    monkeypatch.setattr(near, "near_keys", counted)
    assert [(each.name, each.like) for each in near_names(db.conn, [last])] == [("resi", "Resi")]
    assert len(looked) < 50  # those that begin so, and are about as long
    looked.clear()
    near_names(db.conn)
    assert len(looked) < 3 * len(rows)
