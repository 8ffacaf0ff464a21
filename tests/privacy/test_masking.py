"""Masked exports: no name is left anywhere, and every deal has the verdict, the payments and the settlement it had."""

import csv
import io
import json
import re
import zlib
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from support.copied_folders import copy_filled
from support.hard_names import HARD_EVENING, NAMES, left, texts
from support.running import run
from support.store_samples import DEALS, HEAD, SAMPLE, another

from archive.judge import Judgement
from archive.notation import read_lines, write_line
from archive.privacy.find_names import Renaming, make_renaming, replace_names
from archive.privacy.mask import initials
from archive.privacy.rename import rename_deal, rename_head
from archive.record import Carry, Deal, Event, Finding, PriceStep, Session, Source, Stated, Trick
from archive.store import load_judgement, merge_players, open_archive, open_read

MODES = ("initials", "seats", "pseudonyms")


def fill(folder: Path) -> None:
    (folder / "Annegret").mkdir()
    first_file, other = folder / "Annegret" / "Ann.toml", folder / "Annegret" / "Schorsch.toml"
    first_file.write_text(HARD_EVENING, "utf-8")
    other.write_text(another(HEAD + "".join(DEALS)).replace("Anna", "Ann").replace("Ben", "Schorsch"))
    (folder / "log.txt").write_bytes(SAMPLE.read_bytes())
    db = folder / "archive.db"
    first = run("import", first_file, "--db", db, "--licence", "by Zenzi", "--origin", "Jörgs Hof")
    assert "3 deals added" in first.stderr, first.output
    run("import", other, folder / "log.txt", "--db", db)
    assert open_read(db).execute("SELECT count(*) FROM deals").fetchone()[0] > 10


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Hard names everywhere; an evening with other players, a log, and a file that names people in its path."""
    copy_filled(fill, tmp_path)
    return tmp_path / "archive.db"


def all_names(db: Path) -> list[str]:
    found = {row[0] for row in open_read(db).execute("SELECT name FROM players")} | set(NAMES)
    return sorted(found)


def masked(db: Path, mode: str, *more: str) -> Path:
    path = db.with_name(f"masked-{mode}.db")
    result = run("export", "--to", "archive", "--mask", mode, "--output", path, "--db", db, *more)
    assert result.exit_code == 0, result.output
    return path


def account(db: Path) -> list[tuple[Any, ...]]:
    """What became of every deal, without anybody's name."""
    conn = open_read(db)
    sql = """SELECT id, session_id, number, contract, dealer, declarer, partner, loser, won, price, pot, verdict,
        (SELECT group_concat(coalesce(payment, '?') || '/' || coalesce(total, '?') || '/' || coalesce(points, '?'))
        FROM (SELECT * FROM seats WHERE deal_id = d.id ORDER BY seat)),
        (SELECT group_concat(rule) FROM (SELECT rule FROM findings WHERE deal_id = d.id AND rule <> 'deal-repeated'
        ORDER BY id)), (SELECT count(*) FROM corrections WHERE deal_id = d.id),
        (SELECT group_concat(payments) FROM rulings WHERE deal_id = d.id)
        FROM deals d ORDER BY id"""
    return [tuple(row) for row in conn.execute(sql)]


# --- a masked archive -------------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mode", MODES)
def test_no_name_is_anywhere_in_a_masked_archive(archive: Path, mode: str) -> None:
    names = all_names(archive)
    assert set(left(names, "\n".join(texts(archive)))) == set(names)  # the search finds what is there
    path = masked(archive, mode)
    for told in texts(path):
        assert left(names, told) == [], told[:2000]
    assert not re.search("annegret|schorsch|zenzi|ünal|example.org", "\n".join(texts(path)), re.IGNORECASE)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mode", MODES)
def test_verdict_payments_and_settlement_stay_deal_by_deal(archive: Path, mode: str) -> None:
    path = masked(archive, mode)
    assert account(path) == account(archive)
    before, after = open_read(archive), open_read(path)
    for (deal,) in before.execute("SELECT id FROM deals").fetchall():
        was, now = load_judgement(before, deal), load_judgement(after, deal)
        assert (was.verdict, was.replay and was.replay.points) == (now.verdict, now.replay and now.replay.points)
        assert lines_of(was) == lines_of(now)


def lines_of(found: Judgement) -> list[tuple[Any, ...]] | None:
    settled = found.settlement
    return [(line.kind, line.amount, line.running, line.who) for line in settled.lines] if settled else None


def test_what_is_masked_can_be_imported_again_as_it_is(archive: Path, tmp_path: Path) -> None:
    path = masked(archive, "pseudonyms")
    lines = tmp_path / "masked.jsonl"
    run("export", "--mask", "pseudonyms", "--output", lines, "--db", archive)
    assert lines.read_text() == run("export", "--db", path).stdout
    again = tmp_path / "again.db"
    assert "refused" not in run("import", lines, "--db", again).stderr
    told = [row[2:] for row in account(again)]
    assert [row[1:] for row in told] == [row[3:] for row in account(path)]


def test_the_copy_has_only_masked_texts_as_sources_under_the_terms_of_each(archive: Path) -> None:
    conn = open_read(masked(archive, "initials"))
    found = [tuple(row) for row in conn.execute("SELECT path, licence, origin, deals FROM sources")]
    assert found[0] == ("masked-1.jsonl", "by Z.", "J.s Hof", 3)
    assert [row[0] for row in found] == ["masked-1.jsonl", "masked-2.jsonl"]
    (raw,) = conn.execute("SELECT raw FROM sources LIMIT 1").fetchone()
    items = list(read_lines(zlib.decompress(raw), Source("masked-1.jsonl")))
    assert not any(isinstance(each, Finding) for each in items)


def test_keys_that_lead_back_to_the_names_are_dropped(archive: Path) -> None:
    for line in run("export", "--mask", "seats", "--db", archive).stdout.splitlines():
        told = json.loads(line)
        assert re.fullmatch(r"deal-\d+", told["id"])
        assert not {"url", "x"} & (told.keys() | told.get("head", {}).keys())
        assert not any("url" in row["set"] for row in told.get("correction", ()))


# --- every kind -------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["jsonl", "toml", "csv", "parquet", "one-line", "protocol"])
def test_no_name_is_in_any_masked_export(archive: Path, mode: str, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    file = archive.with_name("out")
    result = run("export", "--to", kind, "--session", "1", "--mask", mode, "--output", file, "--db", archive)
    assert result.exit_code == 0, result.output
    assert file.stat().st_size
    for told in (file.read_bytes().decode("utf-8", "replace"), result.stderr):
        assert left(all_names(archive), told) == []


def test_a_masked_table_has_the_numbers_of_the_archive(archive: Path) -> None:
    told = (run("export", "--to", "csv", "--session", "2", *how, "--db", archive) for how in (("--mask", "seats"), ()))
    rows, plain = (list(csv.DictReader(io.StringIO(each.stdout))) for each in told)
    keep = ("deal", "session", "number", "contract", "price", "verdict")
    assert [[row[key] for key in keep] for row in rows] == [[row[key] for key in keep] for row in plain]
    assert {row["declarer"] for row in rows} == {"Player 2", "Player 3", ""}


def test_an_archive_is_exported_masked_and_into_a_file_or_not_at_all(archive: Path) -> None:
    for words in (("--mask", "seats"), ("--output", "x.db")):
        result = run("export", "--to", "archive", *words, "--db", archive)
        assert result.exit_code == 2
        assert "a masked copy needs --mask and --output FILE" in result.output


# --- who is called what -----------------------------------------------------------------------------------------------


def players_of(path: Path) -> dict[int, tuple[str, ...]]:
    sql = "SELECT deal_id, p.name FROM seats JOIN players p ON p.id = player_id ORDER BY deal_id, seat"
    found: dict[int, tuple[str, ...]] = {}
    for deal, name in open_read(path).execute(sql):
        found[deal] = (*found.get(deal, ()), name)
    return found


def test_a_pseudonym_is_the_number_of_the_player_in_every_export(archive: Path) -> None:
    ids = {row[1]: row[0] for row in open_read(archive).execute("SELECT id, name FROM players")}
    plain = players_of(archive)
    for more in ((), ("--session", "2")):
        for deal, names in players_of(masked(archive, "pseudonyms", *more, "--force")).items():
            assert names == tuple(f"Player {ids[name]}" for name in plain[deal])


def test_merged_names_have_one_pseudonym(archive: Path) -> None:
    db = open_archive(archive)
    merge_players(db, ["Ann"], "Annegret", "Emil", "one person")
    merge_players(db, ["Schorsch"], "Jörg", "Emil", "one person")
    db.close()
    found = players_of(masked(archive, "pseudonyms"))
    assert found[1][0] == found[4][0] == "Player 1"
    assert found[2][1] == found[4][1]
    assert account(masked(archive, "initials")) == account(archive)


def test_who_sits_under_two_names_in_one_evening_stays_two_accounts_of_one_player(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    text = (
        HEAD
        + DEALS[0]
        + DEALS[1]
        .replace("[[deal]]\n", '[[deal]]\nplayers = ["Anni", "Ben", "Cem", "Dora"]\n')
        .replace('"Anna"', '"Anni"')
    )
    (tmp_path / "evening.toml").write_text(text)
    run("import", tmp_path / "evening.toml", "--db", db)
    archive = open_archive(db)
    merge_players(archive, ["Anni"], "Anna", "Emil", "one person")
    archive.close()
    path = masked(db, "pseudonyms")
    assert account(path) == account(db)
    assert players_of(path)[2][0] == "Player 1 (2)"
    totals = "SELECT player, total, deals FROM standings ORDER BY player"
    shown = {row[0] for row in open_read(path).execute(totals)}
    assert shown == {"Player 1", "Player 2", "Player 3", "Player 4"}


def test_seats_count_anew_in_every_session_and_others_are_somebody(archive: Path) -> None:
    path = masked(archive, "seats")
    found = players_of(path)
    assert found[1] == ("Player 1", "Player 2", "Player 3", "Player 4")
    assert found[2] == ("Player 1", "Player 5", "Player 3", "Player 4")
    assert found[4] == ("Player 1", "Player 2", "Player 3", "Player 4")
    row = open_read(path).execute("SELECT recorder, event FROM sessions").fetchone()
    assert tuple(row) == ("Somebody", "Player 1s Stammtisch")


def test_initials_have_numbers_where_two_people_have_the_same(archive: Path) -> None:
    found = players_of(masked(archive, "initials"))
    assert found[1] == ("A. 1", "B. V. D. A.", "S. 1", "D. 1")
    assert found[4][0] == "A. 2"
    assert initials("4 # 7", "Player 9") == "Player 9"
    assert initials("ärmel-los 3", "") == "Ä. L."


# --- the record -------------------------------------------------------------------------------------------------------

BY = make_renaming({"Anna": "P1", "Ann": "P2", "Ben": "Ben", "P": "P4", "note": "P5", "pub": "P6"})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Anna", "P1"),
        ("Annas Ann's ANN", "P1s P2's P2"),
        ("Annabella Johanna Ann2", "Annabella Johanna Ann2"),
        ("Ben Bens", "Ben Bens"),
        ("„Anna“ (Ann) _Anna_ Anna-Ann", "„P1“ (P2) _P1_ P1-P2"),
        (r"\nAnna \u0041nn %41nn &#65;nn &#x41;nna", r"\nP1 P2 P2 P2 P1"),
    ],
)
def test_a_name_is_found_where_it_stands_for_itself(text: str, told: str) -> None:
    assert replace_names(BY, text) == told


@pytest.mark.parametrize(
    "spelled", ["Jörg", "JÖRG", "Jo\u0308rg", "J\\u00f6rg", "J&ouml;rg", "J&#246;rg", "J%C3%B6rg", "J%f6rg"]
)
def test_a_name_is_found_in_every_spelling(spelled: str) -> None:
    assert replace_names(make_renaming({"Jörg": "P1"}), f"({spelled})") == "(P1)"


def test_line_breaks_within_a_name_stay() -> None:
    assert replace_names(make_renaming({"Bär von der Au": "P1"}), "Bär von\nder Au.\n") == "P1\n.\n"


def test_words_of_the_format_stay_whatever_a_player_is_called() -> None:
    head = Session(players=("P", "note", "pub"), rules="pub", unit="P", house={"tariff": "10/20", "x": "Anna"})
    told = rename_head(BY, head)
    assert (told.players, told.rules, told.unit) == (("P4", "P5", "P6"), "pub", "P")
    assert told.house == {"tariff": "10/20", "x": "P1"}


def test_a_record_that_names_nobody_else_is_untouched() -> None:
    by = Renaming({}, {})
    deal = Deal(
        id="7", dealer=0, tricks=(Trick(("EO",), 0),), carry=Carry(pots={"a": 1}), note="Anna",
        events=(Event(0, "claims", "end", "all"),), x={"a": [1, {"b": None}]},
        stated=Stated(steps=(PriceStep("base", 20, text="Anna"),), result="Anna"),
    )  # fmt: skip
    assert rename_deal(by, deal) == deal


def test_two_spellings_of_one_name_as_keys_stay_two_entries() -> None:
    head = rename_head(BY, Session(players=("Ben",), rules="pub", x={"Anna": 1, "ANNA": 2}))
    assert head.x == {"P1": 1, "P1 (2)": 2}


def test_a_masked_line_is_read_back_as_it_is() -> None:
    head = rename_head(BY, Session(players=("Anna", "Ann", "Ben"), rules="pub"))
    deal = rename_deal(BY, Deal(dealer=1, auction=()))
    back = list(read_lines(write_line(head, deal), Source("")))
    assert [type(each) for each in back] == [Session, Deal]


def test_a_ruleset_of_ones_own_is_masked_and_the_deals_keep_their_verdicts(tmp_path: Path) -> None:
    (tmp_path / "Annegret.toml").write_text('id = "Annegret"\ntitle = "Annegrets Regeln"\nextends = "pub"\n')
    text = HEAD.replace('"pub"', '"Annegret.toml"') + "".join(DEALS)
    (tmp_path / "evening.toml").write_text(text.replace("Anna", "Annegret"))
    db = tmp_path / "archive.db"
    run("import", tmp_path / "evening.toml", "--db", db)
    assert open_read(db).execute("SELECT title FROM rulesets").fetchone()[0] == "Annegrets Regeln"
    path = masked(db, "pseudonyms")
    assert account(path) == account(db)
    assert not re.search("annegret", "\n".join(texts(path)), re.IGNORECASE)


def test_who_is_only_mentioned_is_masked_when_told(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    (tmp_path / "evening.toml").write_text(HEAD + DEALS[1] + 'note = "Xaver came late"\n')
    run("import", tmp_path / "evening.toml", "--db", db)
    assert json.loads(run("export", "--mask", "seats", "--db", db).stdout)["note"] == "Xaver came late"
    told = json.loads(run("export", "--mask", "seats", "--also", "Xaver", "--db", db).stdout)
    assert told["note"] == "Somebody came late"
    assert run("export", "--also", "Xaver", "--db", db).exit_code == 2


def test_every_sample_of_every_format_is_judged_the_same_under_a_mask(tmp_path: Path, analysed_samples: Path) -> None:
    db = Path(copy(analysed_samples, tmp_path / "archive.db"))
    several = {"sources-differ", "record-changed"}  # in the copy every deal has one source

    def told(path: Path) -> list[tuple[Any, ...]]:
        return [(*row[:13], set((row[13] or "").split(",")) - several - {""}, *row[14:]) for row in account(path)]

    before = told(db)
    assert len(before) > 300
    assert told(masked(db, "pseudonyms")) == before
