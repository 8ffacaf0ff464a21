"""The ranking of a tournament from a list of rounds, against a plain reckoning of its rows."""

import csv
import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support.running import run

from archive.store import event_standing_rows, event_tables, open_read
from archive.web.app import create_app

SAMPLES = Path(__file__).parents[2] / "sample_games"
LIST = SAMPLES / "valid" / "tournament-rounds.csv"
EVENT = "Herbstturnier im Löwen"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rounds") / "archive.db"
    for sample in (LIST, SAMPLES / "broken" / "list-sum.csv"):
        run("import", sample, "--db", path)
    return path


@pytest.fixture
def client(db: Path) -> FlaskClient:
    return create_app(db).test_client()


def reckoned() -> list[tuple[int, str, int]]:
    """Place, name and total by the rows of the list: the sums of the rounds, equal ones by Soli, then Touts."""
    rows = [row for row in csv.reader(LIST.read_text("utf-8").splitlines(), delimiter=";") if row[0].isdigit()]
    stands = {row[2]: (int(row[4]) + int(row[6]), int(row[8]), int(row[9])) for row in rows}
    return sorted((1 + sum(other > mine for other in stands.values()), name, mine[0]) for name, mine in stands.items())


def ranked(db: Path, *words: str) -> list[dict[str, object]]:
    result = run("stats", "standings", "--event", EVENT, "--db", db, "--form", "json", *words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_ranking_is_that_of_a_plain_reckoning(db: Path) -> None:
    assert [(row["rank"], row["player"], row["total"]) for row in ranked(db)] == reckoned()


def test_equal_totals_are_parted_by_stated_soli_and_touts_and_else_share_a_place(db: Path) -> None:
    places = {row["player"]: (row["rank"], row["shared"]) for row in ranked(db)}
    assert (places["Vroni Huber"], places["Resi Lang"]) == ((1, False), (2, False))
    assert (places["Sepp Bauer"], places["Zenzi Berger"]) == ((5, False), (6, False))
    assert places["Leni Fuchs"] == places["Xaver Auer"] == (8, True)


def test_standings_say_of_how_many_lists_and_on_which_basis(db: Path) -> None:
    assert {(row["lists"], row["on_cards"], row["on_facts"], row["on_amounts"]) for row in ranked(db)} == {(2, 0, 0, 2)}
    assert ranked(db, "--basis", "amounts") == ranked(db)
    result = run("stats", "standings", "--event", EVENT, "--db", db, "--basis", "cards")
    assert result.exit_code == 2
    assert "on the basis of cards" in result.output


def test_the_view_counts_as_the_judgements_do(db: Path) -> None:
    names = {"player": "player", "total": "total", "won": "wins", "solos_won": "solos", "touts_won": "touts",
             "deals": "deals", "lists": "lists", "on_amounts": "on_amounts", "undecided": "undecided"}  # fmt: skip
    for basis in (None, "amounts"):
        rows, by = event_standing_rows(open_read(str(db)), EVENT, basis)
        assert by == ["solos", "touts"]
        stored = [[row[column] for column in names] for row in rows]
        assert sorted(stored) == sorted([row[name] for name in names.values()] for row in ranked(db))
    assert event_standing_rows(open_read(str(db)), EVENT, "cards")[0] == []


def test_a_list_is_no_deal_that_was_won(db: Path) -> None:
    conn = open_read(str(db))
    assert conn.execute("SELECT count(*) FROM seats WHERE won IS NOT NULL").fetchone()[0] == 0


def test_a_table_that_does_not_add_up_is_named_with_its_round_and_difference(db: Path, client: FlaskClient) -> None:
    rests = [(row["table_name"], row["list"], row["rest"]) for row in event_tables(open_read(str(db)), "list-sum")]
    assert rests == [("1", "1", 2), ("1", "2", None)]
    page = client.get("/events/list-sum/ranking").get_data(as_text=True)
    assert "table 1, round 1</a>: +2 P is left over" in page
    assert "do not add up; what cannot be computed counts as written" in page


@pytest.mark.parametrize(
    ("lang", "title", "ties"), [("en", "Ranking", "Ties are decided by"), ("de", "Rangliste", "Bei gleicher")]
)
def test_the_page_of_a_ranking_has_the_places_in_both_languages(
    client: FlaskClient, lang: str, title: str, ties: str
) -> None:
    page = client.get(f"/events/{EVENT}/ranking?lang={lang}").get_data(as_text=True)
    names = [name for _, name, _ in reckoned()]
    assert sorted(names, key=page.index) == names
    assert title in page
    assert ties in page
    assert page.count(">8=<") == 2
    assert page.count('<td class="who"><a class="who" href="/players/') == len(names), "each name leads to its player"


def test_the_page_counts_one_basis_where_that_is_asked(client: FlaskClient) -> None:
    assert "Vroni" in client.get(f"/events/{EVENT}/ranking?basis=amounts").get_data(as_text=True)
    assert "No amount is based on that" in client.get(f"/events/{EVENT}/ranking?basis=facts").get_data(as_text=True)
    assert client.get(f"/events/{EVENT}/ranking?basis=dice").status_code == 400
    assert client.get("/events/nothing/ranking").status_code == 404


def test_session_and_list_of_sessions_lead_to_the_ranking(client: FlaskClient) -> None:
    for address in ("/sessions", "/sessions/1"):
        assert "/events/Herbstturnier" in client.get(address).get_data(as_text=True)
