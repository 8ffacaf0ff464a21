"""Standings over several tables and lists, with the tie-breaks that the tables agreed on."""

import csv
import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import asdict, replace
from support.evenings import evening, game
from support.event_deals import event_deals
from support.running import run

from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.notation import write_toml
from archive.record import Deal, Game, Session
from archive.stats.event_standings import Row, rank_accounts, standings
from archive.store import event_standing_rows, event_tables, merged_names, open_archive, open_read
from archive.store.people import merge_players
from archive.web.app import create_app

SOLO = game("solo", won=True, suit="E")
CALL = game("rufspiel", won=True)
LOST = game("rufspiel", won=False)
WEST, EAST = ("Anna", "Ben", "Cem", "Dora"), ("Emil", "Fritz", "Gabi", "Hans")


def table(
    players: tuple[str, ...], *made: object, seed: int = 1, **house: object
) -> tuple[Session, list[Deal], list[Judgement]]:
    head, deals = evening(*made, rules="bavarian-tournament", players=players, seed=seed, **house)  # type: ignore[arg-type]
    head = replace(head, event="Open", table=players[0], list="1")
    return head, deals, list(judge_session(head, deals))


def rows(*tables: tuple[Session, list[Deal], list[Judgement]]) -> dict[str, Row]:
    return {row.player: row for row in standings((head, found) for head, _, judged in tables for found in judged)}


def test_a_standing_adds_up_the_tables_and_lists_of_an_event() -> None:
    first, second = table(WEST, SOLO, CALL, LOST, CALL), table(EAST, CALL, CALL, SOLO, SOLO, seed=2)
    again = table((*EAST[:3], "Anna"), SOLO, CALL, seed=3)
    found = rows(first, second, again)
    assert set(found) == {*WEST, *EAST}
    assert sum(row.total for row in found.values()) == 0
    assert found["Anna"].deals == 6
    assert [found[name].total for name in EAST[:3]] == [
        (second[2][-1].after.totals or ())[seat] + (again[2][-1].after.totals or ())[seat]  # type: ignore[operator]
        for seat in range(3)
    ]
    order = [row.total for row in found.values()]
    assert order == sorted(order, reverse=True)
    assert next(iter(found.values())).rank == 1
    solos = sum(row.solos for row in found.values())
    assert solos == 4


def test_a_seat_has_one_account_where_the_tournament_says_so() -> None:
    head, deals, _ = table(WEST, CALL, CALL, substitute="seat")
    deals[1] = replace(deals[1], players=("Anna", "Ines", "Cem", "Dora"))
    found = rows((head, deals, list(judge_session(head, deals))))
    assert set(found) == set(WEST)
    own = replace(head, house={"substitute": "own"})
    assert set(rows((own, deals, list(judge_session(own, deals))))) == {*WEST, "Ines"}


def test_a_deal_that_nobody_can_settle_is_counted_apart() -> None:
    head, deals, _ = table(WEST, CALL)
    judged = list(judge_session(head, [*deals, Deal(game=Game("solo", 1, "E"))]))
    assert {row.undecided for row in rows((head, deals, judged)).values()} == {1}


def test_the_best_deal_is_one_that_was_played() -> None:
    head, deals, _ = table(WEST, LOST)
    judged = list(judge_session(head, [*deals, Deal(game=Game("misdeal")), Deal(game=Game("none"))]))
    assert {row.best for row in rows((head, deals, judged)).values()} == {-1, 1}


EQUAL = [
    Row("Anna", "P", total=10, wins=3, solos=1, best=5),
    Row("Ben", "P", total=10, wins=4, solos=0, best=6),
    Row("Cem", "P", total=10, wins=4, solos=0, best=6),
    Row("Dora", "P", total=12),
]


@pytest.mark.parametrize(
    ("by", "order"),
    [
        ((), [("Dora", 1, False), ("Anna", 2, True), ("Ben", 2, True), ("Cem", 2, True)]),
        (("wins",), [("Dora", 1, False), ("Ben", 2, True), ("Cem", 2, True), ("Anna", 4, False)]),
        (("solos", "wins"), [("Dora", 1, False), ("Anna", 2, False), ("Ben", 3, True), ("Cem", 3, True)]),
        (("best-deal",), [("Dora", 1, False), ("Ben", 2, True), ("Cem", 2, True), ("Anna", 4, False)]),
    ],
)
def test_equal_totals_are_parted_by_what_the_table_has_agreed_on_else_the_rank_is_shared(
    by: tuple[str, ...], order: list[tuple[str, int, bool]]
) -> None:
    assert [(row.player, row.rank, row.shared) for row in rank_accounts(EQUAL, by)] == order


def test_the_command_prints_the_standings_of_an_event(tmp_path: Path) -> None:
    db = str(tmp_path / "archive.db")
    for number, (head, deals, _) in enumerate((table(WEST, SOLO, CALL), table(EAST, CALL, LOST, seed=2))):
        path = tmp_path / f"{number}.toml"
        path.write_text(write_toml(head, deals), "utf-8")
        assert run("import", path, "--db", db).exit_code == 0
    result = run("stats", "standings", "--event", "Open", "--db", db)
    assert result.exit_code == 0
    told = result.output.splitlines()
    assert told[0].split() == ["rank", "player", "total", "in", "P", "deals", "won", "alone", "touts", "best", "?"]
    assert told.index("") == 2 + 8
    assert told[-1].startswith("Amounts of each player, by what they rest on: by the cards ")
    assert "standings: " in run("stats").output
    nothing = run("stats", "standings", "--event", "Closed", "--db", db)
    assert nothing.exit_code == 2
    assert "no deals of the event 'Closed'" in nothing.output


@pytest.mark.parametrize("substitute", ["own", "seat"])
def test_the_standings_of_all_events_are_those_of_all_deals_judged_again(tmp_path: Path, substitute: str) -> None:
    """The command adds up what is counted; it is held against every deal, judged again, with merged names and with
    somebody who sits in."""
    db = str(tmp_path / "archive.db")
    tables = (table(WEST, SOLO, CALL), table(EAST, CALL, LOST, seed=2, substitute=substitute))
    tables[1][1][1] = replace(tables[1][1][1], players=("Emil", "Ines", *EAST[2:]))
    alone = (replace(tables[0][0], event=None, players=("Anni", "Fritzi", *WEST[2:])), table(WEST, LOST, seed=3)[1])
    for number, (head, deals) in enumerate((*((head, deals) for head, deals, _ in tables), alone)):
        path = tmp_path / f"{number}.toml"
        path.write_text(write_toml(head, deals), "utf-8")
        run("import", path, "--db", db)
    archive = open_archive(db)
    for one, other in (("Anni", "Anna"), ("Fritz", "Fritzi")):  # of whom the second has a substitute
        merge_players(archive, [one], other, "Cem", "one person")
    assert run("rule", 1, "--annul", "--by", "Cem", "--why", "-", "--cite", "-", "--db", db).exit_code == 0
    judged = standings(event_deals(archive.conn, None), merged_names(archive.conn))
    archive.close()
    result = run("stats", "standings", "--form", "json", "--db", db)
    assert json.loads(result.stdout) == [asdict(row) for row in judged]
    assert len(judged) == (9 if substitute == "own" else 8)
    assert not any(row.solos for row in judged)  # of an annulled one nobody


# --- the ranking of a list of rounds, against a plain reckoning of its rows -------------------------------------------


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
