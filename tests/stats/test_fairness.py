"""The page about chance: its facts, what it says of fair and of unfair archives, its numbers in the terminal."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser
from support import oracle_fairness
from support.accessibility import faults
from support.running import run
from support.shuffled import evening, extra_lord, save, shuffled
from support.web_site import PHONE, WIDE, context_of, served

from archive.privacy.erase import erase_player
from archive.stats import BY_NAME, count_sql, fairness_counts
from archive.stats.fairness import LEAST, OF, run_trials
from archive.store import merge_players, open_archive, open_read, withdraw_source
from archive.web.app import create_app
from archive.web.texts import TEXTS

T, DE = TEXTS["en"], TEXTS["de"]
FACTS = tuple(oracle_fairness.FACTS)
LEAGUE = ("Emil", "Frieda", "Gustl", "Hannes")


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files that chance dealt, of 160 and 80 deals."""
    path = tmp_path_factory.mktemp("fair") / "fair.db"
    return save(path, {
        "a/stammtisch.toml": (evening("Stammtisch", "Anna"), shuffled(Random(1), 160)),
        "a/liga.toml": (evening("Liga", "nobody here", LEAGUE), shuffled(Random(2), 80)),
    })  # fmt: skip


@pytest.fixture(scope="module")
def bent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file in which Ben deals himself an extra lord each time, and one that chance dealt."""
    path = tmp_path_factory.mktemp("bent") / "bent.db"
    return save(path, {
        "bent.toml": (evening("Stammtisch", "Dora"), shuffled(Random(3), 400, extra_lord(1, 1))),
        "liga.toml": (evening("Liga", None, LEAGUE), shuffled(Random(2), 80)),
    })  # fmt: skip


def client(path: Path) -> FlaskClient:
    return create_app(path).test_client()


def kept(conn: sqlite3.Connection, name: str) -> list[tuple[int, ...]]:
    facts = BY_NAME[name]
    keys, sums = ", ".join(facts.keys), ", ".join(f"sum({each})" for each in facts.sums)
    return sorted(tuple(row) for row in conn.execute(f"SELECT {keys}, {sums} FROM {name} GROUP BY {keys}"))


def fresh(conn: sqlite3.Connection, name: str) -> list[tuple[int, ...]]:
    return sorted(tuple(row) for row in conn.execute(count_sql(BY_NAME[name])))


# --- facts ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def samples(valid_samples: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_read(valid_samples)) as conn:
        yield conn


@pytest.mark.parametrize("name", FACTS)
def test_facts_are_what_a_count_by_hand_gives(samples: sqlite3.Connection, name: str) -> None:
    expected = sorted(oracle_fairness.FACTS[name]())
    assert expected
    assert kept(samples, name) == expected


def test_facts_follow_what_is_added_merged_erased_and_taken_back(tmp_path: Path) -> None:
    path = save(tmp_path / "a.db", {"a.toml": (evening("A", "Anna"), shuffled(Random(1), 40))})
    save(path, {"b.toml": (evening("B", "Emil", LEAGUE), shuffled(Random(2), 40))})
    db = open_archive(path)

    def agree() -> None:
        for name in FACTS:
            assert kept(db.conn, name) == fresh(db.conn, name)

    agree()
    before = {name: kept(db.conn, name) for name in FACTS}
    assert all(before.values())
    merge_players(db, ["Emil"], "Anna", "Ben", "one and the same")
    agree()
    erase_player(db, "Anna", "Ben", "asked for it")
    agree()
    assert len(kept(db.conn, "recorder_card_facts")) == 2, "who wrote is found under the name that took its place"
    withdraw_source(db, 2, "Ben", "a copy")
    agree()
    assert len(kept(db.conn, "source_card_facts")) < len(before["source_card_facts"])
    db.conn.close()


def test_merged_names_are_tested_together(tmp_path: Path) -> None:
    path = save(tmp_path / "a.db", {
        "a.toml": (evening("A", "Anna"), shuffled(Random(1), 80)),
        "b.toml": (evening("B", "Emil", LEAGUE), shuffled(Random(2), 80)),
    })  # fmt: skip
    db = open_archive(path)
    merge_players(db, ["Emil"], "Anna", "Ben", "one and the same")
    groups = fairness_counts.load_groups(db.conn).tested
    key = db.conn.execute("SELECT id FROM players WHERE name = 'Anna'").fetchone()[0]
    assert {(each.kind, each.hands) for each in groups if each.key == key and not each.place} == {
        ("dealer", 40), ("recorder", 160),
    }  # fmt: skip
    db.conn.close()


def test_small_groups_are_counted_and_not_tested(tmp_path: Path) -> None:
    path = save(tmp_path / "a.db", {"a.toml": (evening("A", "Anna"), shuffled(Random(1), LEAST + 2))})
    with closing(open_read(path)) as conn:
        found = fairness_counts.load_groups(conn)
    assert {each.kind for each in found.tested} == {"source", "recorder"}
    assert (len(found.tested), found.few, found.more) == (5, 4, 0)


def test_of_many_groups_those_of_most_hands_are_tested(fair: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fairness_counts.MOST, "source", 4)
    with closing(open_read(fair)) as conn:
        found = fairness_counts.load_groups(conn)
    assert {each.hands for each in found.tested if each.kind == "source"} == {160}
    assert found.more == 4


# --- the page ---------------------------------------------------------------------------------------------------------


def test_of_a_fair_archive_nothing_is_said_to_stand_out(fair: Path) -> None:
    html = client(fair).get("/stats/fairness").text
    assert T["fn_fair"] in html
    assert T["fn_out"] not in html
    with closing(open_read(fair)) as conn:
        groups = fairness_counts.load_groups(conn).tested
    assert f"{5 * len(groups)} tests of {len(groups)} groups" in html
    assert html.count('data-of="All cards"') == len(groups) == 4 + 8 + 4 + 1
    assert '<td class="n out"' not in html


def test_what_stands_out_is_told_first_and_without_reproach(bent: Path) -> None:
    html = client(bent).get("/stats/fairness").text
    said = html[html.index(T["fn_out"]) : html.index(T["fn_first"])]
    assert said.index("Ben as dealer – Obers and Unters: ") < said.index("where chance gives 2.000, in 100 hands")
    assert "Emil" not in said
    assert '<td class="n out"' in html
    for word in ("cheat", "betr", "manipul", "suspect", "verdächt", "schummel", "guilty"):
        for text in (html, client(bent).get("/stats/fairness?lang=de").text):
            assert word not in text.lower()


def test_the_numbers_are_those_of_the_facts(bent: Path) -> None:
    with closing(open_read(bent)) as conn:
        key = conn.execute("SELECT id FROM players WHERE name = 'Ben'").fetchone()[0]
        found = run_trials(fairness_counts.load_groups(conn).tested)
    own = next(each for each in found.trials if (each.group.kind, each.group.key, each.of) == ("dealer", key, "lords"))
    assert own.expected == 200
    assert own.stands_out
    html = client(bent).get("/stats/fairness?lang=de").text
    assert f"<b>{own.observed / 100:.3f}</b>".replace(".", ",") in html
    assert "Zufall 2,000" in html
    assert DE["fn_out"] in html


def test_narrowed_to_a_file_all_that_could_be_picked_counts(bent: Path) -> None:
    page = client(bent)
    with closing(open_read(bent)) as conn:
        files = {path: key for key, path in fairness_counts.files_with_hands(conn).items()}
        whole, mine = fairness_counts.load_groups(conn), fairness_counts.load_groups(conn, files["liga.toml"])
    # 4 places of all files; of each file 4 places; 4 dealers and a recorder with hands enough in the one, none in the
    # other, each as a group of all files and as one of its own
    assert len(mine.tested) == 4
    assert mine.besides + len(mine.tested) == len(whole.tested) + 4 + 1
    html = page.get(f"/stats/fairness?source={files['liga.toml']}").text
    assert T["fn_fair"] in html
    assert T["fn_picked"] in html
    assert "Ben" not in html
    assert f"corrected for {5 * (mine.besides + 4)} tests" in html


@pytest.mark.parametrize("source", ["99", "-1", "x", "9" * 30, "²", "1;"])
def test_a_file_that_is_not_there_is_not_found(fair: Path, source: str) -> None:
    for address in ("/stats/fairness", "/stats/fairness/plot.json"):
        answer = client(fair).get(address, query_string={"source": source, "lang": "en"})
        assert answer.status_code == 404
        assert T["fn_no_file"] in answer.text


def test_an_archive_without_hands_enough_says_so(tmp_path: Path) -> None:
    open_archive(tmp_path / "empty.db").conn.close()
    for name in ("empty.db", "none.db"):
        page = client(tmp_path / name)
        answer = page.get("/stats/fairness")
        assert answer.status_code == 200
        assert T["fn_none"].format(least=LEAST) in answer.text
        assert T["fn_cannot_chosen"] in answer.text.replace("&#39;", "'")
        assert page.get("/stats/fairness/plot.json").status_code == 404


def test_the_picture_has_every_score_once(bent: Path) -> None:
    spec = json.loads(client(bent).get("/stats/fairness/plot.json").data)
    rows = spec["data"]["values"]
    with closing(open_read(bent)) as conn:
        found = run_trials(fairness_counts.load_groups(conn).tested)
    assert sum(row["count"] for row in rows) == len(found.trials)
    assert sum(row["count"] for row in rows if row["out"]) == len(found.standing_out) > 0
    assert list(dict.fromkeys(row["label"] for row in rows)) == [T[f"fn_{of}"] for of in OF]
    values = {each["name"]: each["value"] for each in spec["params"]}
    assert values["limit"] < values["reach"]
    assert all(abs(row["score"]) <= values["reach"] for row in rows)


def test_names_are_text_on_the_page(tmp_path: Path) -> None:
    names = ("<b>Anna</b>", "Ben", "Cem", "Dora")
    path = save(tmp_path / "a.db", {"<i>.toml": (evening("A", None, names), shuffled(Random(1), 160))})
    html = client(path).get("/stats/fairness").text
    assert "&lt;b&gt;Anna&lt;/b&gt;" in html
    assert "<b>Anna" not in html
    assert "<i>.toml" not in html


@pytest.mark.browser
@pytest.mark.parametrize("language", TEXTS)
def test_axe_finds_no_fault_and_nothing_is_wider_than_the_screen(bent: Path, browser: Browser, language: str) -> None:
    with served(bent) as address:
        context = context_of(browser, viewport=WIDE)
        page = context.new_page()
        page.goto(f"{address}/stats/fairness?lang={language}")
        page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true })")
        assert faults(page) == []
        for size in (WIDE, PHONE, {"width": 320, "height": 700}):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()


# --- the terminal -----------------------------------------------------------------------------------------------------


def test_the_terminal_tells_the_same(bent: Path, fair: Path, tmp_path: Path) -> None:
    def told(path: Path) -> str:
        done = run("stats", "fairness", "--db", path)
        assert done.exit_code == 0
        return done.output

    assert T["fn_fair"] in told(fair)
    found = told(bent)
    assert found.startswith(T["fn_out"])
    assert "* Ben as dealer – Obers and Unters" in found
    assert T["fn_cannot"] in found
    open_archive(tmp_path / "empty.db").conn.close()
    assert T["fn_none"].format(least=LEAST) in told(tmp_path / "empty.db")


def test_of_an_event_it_is_not_told(fair: Path) -> None:
    done = run("stats", "fairness", "--event", "Liga", "--db", fair)
    assert done.exit_code == 2
    assert "not of an event" in done.output
