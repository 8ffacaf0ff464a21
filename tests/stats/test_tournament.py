"""Standings over several tables and lists, with the tie-breaks that the tables agreed on."""

import json
from pathlib import Path

import pytest
from msgspec.structs import asdict, replace
from support.evenings import evening, game
from support.event_deals import event_deals
from support.running import run

from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.notation import write_toml
from archive.record import Deal, Game, Session
from archive.stats.event_standings import Row, rank_accounts, standings
from archive.store import merged_names, open_archive
from archive.store.people import merge_players

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


def test_the_standings_of_all_events_are_those_of_all_deals_judged_again(tmp_path: Path) -> None:
    """The command adds up what is counted; it is held against every deal, judged again."""
    db = str(tmp_path / "archive.db")
    tables = (table(WEST, SOLO, CALL), table(EAST, CALL, LOST, seed=2, substitute="seat"))
    alone = (replace(tables[0][0], event=None, players=("Anni", *WEST[1:])), table(WEST, LOST, seed=3)[1])
    for number, (head, deals) in enumerate((*((head, deals) for head, deals, _ in tables), alone)):
        path = tmp_path / f"{number}.toml"
        path.write_text(write_toml(head, deals), "utf-8")
        run("import", path, "--db", db)
    archive = open_archive(db)
    merge_players(archive, ["Anni"], "Anna", "Cem", "one person")
    assert run("rule", 1, "--annul", "--by", "Cem", "--why", "-", "--cite", "-", "--db", db).exit_code == 0
    judged = standings(event_deals(archive.conn, None), merged_names(archive.conn))
    archive.close()
    result = run("stats", "standings", "--form", "json", "--db", db)
    assert json.loads(result.stdout) == [asdict(row) for row in judged]
    assert len(judged) == 8
    assert not any(row.solos for row in judged)  # of an annulled one nobody
