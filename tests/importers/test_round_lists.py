"""Lists of a tournament, a row a player: a session for each table of each round, and what the list says of itself."""

from pathlib import Path

import pytest
from support.items import places_in
from support.running import run

from archive.record import Deal, Finding, Session, Source
from archive.store import open_read
from importers import find, score_sheet

HEAD = "Platz;Name;Tisch;Runde 1;Runde 2;Summe;Soli"
ROWS = ("1;Anna;1;12;5;17;1", "2;Ben;1;3;-2;1;0", "3;Cem;1;-7;1;-6;0", "4;Dora;1;-8;-4;-12;0")


def read(*lines: str, folder: Path = Path("<pasted>")) -> list[Session | Deal | Finding]:
    return list(score_sheet.read("\n".join(lines).encode(), Source(str(folder / "list.csv"))))


def findings(*lines: str, folder: Path = Path("<pasted>")) -> list[tuple[str, int]]:
    return places_in(read(*lines, folder=folder))


def heads(items: list[Session | Deal | Finding]) -> list[Session]:
    return [item for item in items if isinstance(item, Session)]


def rules(items: list[Session | Deal | Finding]) -> list[str]:
    return [item.rule for item in items if isinstance(item, Finding)]


def entries(items: list[Session | Deal | Finding]) -> list[tuple[str | None, str | None, dict[str, int | None]]]:
    """Table, round and amounts by name of each session."""
    stated = [item.stated for item in items if isinstance(item, Deal) and item.stated]
    return [
        (head.table, head.list, dict(zip(head.players, each.payments or (), strict=True)))
        for head, each in zip(heads(items), stated, strict=True)
    ]


def test_a_list_is_a_session_for_each_table_of_each_round() -> None:
    items = read(HEAD, *ROWS)
    assert entries(items) == [
        ("1", "1", {"Anna": 12, "Ben": 3, "Cem": -7, "Dora": -8}),
        ("1", "2", {"Anna": 5, "Ben": -2, "Cem": 1, "Dora": -4}),
    ]
    deals = [item for item in items if isinstance(item, Deal)]
    assert [deal.stated.of_list for deal in deals if deal.stated] == [True, True]
    assert [deal.stated.solos for deal in deals if deal.stated] == [None, (1, 0, 0, 0)]
    assert rules(items) == []


@pytest.mark.parametrize(
    "head",
    [
        "Rang;Spieler;Tisch-Nr.;1. Runde;2. Runde;Gesamt;Soli",
        "Place;Player;Table;Round 1;Round 2;Total;Solos",
        "Pl.;Teilnehmer;Tisch;R1;R2;Summe;Soli",
        "Platz;Name;Tisch;Punkte 1;Punkte 2;Punkte;Soli",
        "Platz;Name;Tisch;Serie 1;Serie 2;Gesamtpunkte;Solo",
    ],
)
def test_the_columns_of_a_list_are_found_by_what_people_call_them(head: str) -> None:
    text = "\n".join((head, *ROWS)).encode()
    assert find("evening", text) == (score_sheet,)
    assert entries(read(head, *ROWS)) == entries(read(HEAD, *ROWS))


def test_a_list_may_call_its_column_that_of_the_names_of_players() -> None:
    rows = ("Anna;40;-20", "Ben;-40;20", "Cem;10;5", "Dora;-10;-5")
    assert len(entries(read("Player Name;Round 1;Round 2", *rows))) == 2


def test_tables_of_each_round_may_have_columns_of_their_own() -> None:
    head = "Name;Tisch R1;Punkte R1;Soli R1;Tisch R2;Punkte R2;Soli R2"
    rows = (
        "Anna;1;5;0;1;3;1", "Ben;1;-2;0;2;1;1", "Cem;1;-3;0;2;1;1",
        "Dora;2;4;0;1;-1;1", "Emil;2;-1;0;1;-2;1", "Fritz;2;-3;0;2;-2;1",
    )  # fmt: skip
    assert [(table, number, tuple(paid)) for table, number, paid in entries(read(head, *rows))] == [
        ("1", "1", ("Anna", "Ben", "Cem")),
        ("2", "1", ("Dora", "Emil", "Fritz")),
        ("1", "2", ("Anna", "Dora", "Emil")),
        ("2", "2", ("Ben", "Cem", "Fritz")),
    ]


def test_a_list_without_tables_is_a_session_a_round() -> None:
    rows = ("Anna;4", "Ben;3", "Cem;2", "Dora;1", "Emil;-1", "Fritz;-2", "Gabi;-3", "Hans;-4")
    (session,) = entries(read("Name;Runde 1", *rows))
    assert (session[:2], len(session[2])) == ((None, "1"), 8)


def test_a_total_that_is_not_the_sum_of_its_rounds_is_a_finding_at_its_row() -> None:
    assert findings(HEAD, ROWS[0], "2;Ben;1;3;-2;2;0", *ROWS[2:]) == [("list-total", 3)]


def test_a_place_that_the_totals_refute_is_a_finding_at_its_row() -> None:
    swapped = ("1;Anna;1;12;5;17;1", "3;Ben;1;3;-2;1;0", "2;Cem;1;-7;1;-6;0", ROWS[3])
    assert findings(HEAD, *swapped) == [("list-place", 3), ("list-place", 4)]


EQUAL = ("1;Anna;1;5;5;10;0", "2;Ben;1;5;5;10;1", "3;Cem;1;-5;-5;-10;0", "3;Dora;1;-5;-5;-10;0")


def test_equal_totals_may_stand_in_any_order_where_nothing_was_agreed_on() -> None:
    assert findings(HEAD, *EQUAL) == []


def test_places_of_equal_totals_are_held_against_what_the_tournament_agreed_on(tmp_path: Path) -> None:
    (tmp_path / "columns.toml").write_text('[house]\nstandings = ["solos"]\n')
    assert findings(HEAD, *EQUAL, folder=tmp_path) == [("list-place", 2), ("list-place", 3)]


def test_a_row_that_cannot_be_read_costs_its_tables_and_nothing_else() -> None:
    others = ("5;Emil;2;3;1;4;0", "6;Fritz;2;-1;0;-1;0", "7;Gabi;2;-2;-1;-3;0")
    items = read(HEAD, *ROWS[:3], "4;Dora;1;acht;-4;-12;0", *others)
    assert [table for table, _, _ in entries(items)] == ["2", "2"]
    assert rules(items) == ["bad-entry", "list-row", "list-row"]


def test_a_player_who_stands_twice_is_asked_about() -> None:
    assert ("bad-entry", 6) in findings(HEAD, *ROWS, "5;Anna;1;0;0;0;0")


def test_a_player_without_table_is_asked_about() -> None:
    assert findings(HEAD, *ROWS, "5;Emil;;-30;1;-29;0") == [("list-row", 6)]


def test_who_has_no_amount_in_a_round_was_not_there() -> None:
    assert [set(paid) for _, _, paid in entries(read(HEAD, *ROWS, "5;Emil;1;;0;0;0"))] == [
        {"Anna", "Ben", "Cem", "Dora"}, {"Anna", "Ben", "Cem", "Dora", "Emil"},
    ]  # fmt: skip


def test_rows_of_sums_are_no_players() -> None:
    assert entries(read(HEAD, *ROWS, ";Summe;;0;0;0;", ";;;0;0;0;")) == entries(read(HEAD, *ROWS))


def test_a_title_names_table_and_round_of_a_list_of_deals() -> None:
    items = read("Herbstturnier", "Tisch 3, Runde 2", "Nr;Spiel;Spieler;Anna;Ben;Cem;Dora", "1;Wenz;Dora;-5;-5;-5;15")
    (head,) = heads(items)
    assert (head.event, head.table, head.list) == ("Herbstturnier", "3", "2")


@pytest.mark.parametrize("digits", ["9" * 5000, "9" * 12])
def test_a_count_is_a_short_number(digits: str) -> None:
    assert findings(HEAD, ROWS[0][:-1] + digits, *ROWS[1:])[0] == ("bad-entry", 2)
    assert findings(HEAD.replace("Runde 2", "Runde " + digits), *ROWS)[0] == ("unknown-column", 1)


def test_each_entry_of_a_list_is_the_first_deal_of_its_session() -> None:
    places = [item.source.deal for item in read(HEAD, *ROWS) if isinstance(item, Deal) and item.source]
    assert places == [1, 1]


# --- who sat for whom -------------------------------------------------------------------------------------------------

ROUNDS = "Platz;Name;Tisch;Runde 1;Runde 2;Runde 3;Runde 4;Summe"
OTHERS = ("1;Anna;1;12;5;1;0;18", "3;Cem;1;-7;1;0;0;-6", "4;Dora;1;-8;-4;-3;0;-15")


def with_row(name: str) -> list[Session | Deal | Finding]:
    """A list of four rounds with a row of this name."""
    return read(ROUNDS, OTHERS[0], f"2;{name};1;3;-2;2;0;3", *OTHERS[1:])


def sat_in(name: str) -> list[str]:
    """Who sat in each round for the row of a name."""
    items = with_row(name)
    assert rules(items) == [], name
    deals = [item for item in items if isinstance(item, Deal)]
    assert {head.players[1] for head in heads(items)} == {"Hans"}
    return [(deal.players or head.players)[1] for head, deal in zip(heads(items), deals, strict=True)]


@pytest.mark.parametrize(
    "name",
    [
        "Hans, ab Runde 3 Ida", "Hans, from round 3 Ida", "Hans (ab Runde 3 Ida)", "Hans, ab Runde 3: Ida",
        "Hans / Ida ab Runde 3", "Hans, ab der 3. Runde Ida", "Hans, from the 3rd round Ida", "Hans, ab R3 Ida",
        "Hans ab Runde 3 Ida", "Ida für Hans ab Runde 3", "Ida for Hans from round 3", "Hans bis Runde 2, dann Ida",
        "Hans (bis Runde 2), Ida (ab Runde 3)", "Hans until round 2, then Ida", "Hans, seit der 3. Serie Ida",
    ],
)  # fmt: skip
def test_a_substitute_sits_from_her_round_on_and_the_account_stays_that_of_the_list(name: str) -> None:
    assert sat_in(name) == ["Hans", "Hans", "Ida", "Ida"]


def test_a_player_who_was_replaced_may_come_back_and_two_may_follow_each_other() -> None:
    assert sat_in("Hans, ab Runde 2 Ida, ab Runde 4 Hans") == ["Hans", "Ida", "Ida", "Hans"]
    assert sat_in("Hans, ab Runde 2 Ida, ab Runde 3 Jan") == ["Hans", "Ida", "Jan", "Jan"]


@pytest.mark.parametrize(
    "name",
    ["Hans ab Runde 3", "Hans, ab Runde 9 Ida", "Hans, ab Runde 3 Ida, ab Runde 2 Jan", "Hans, ab Runde 3 Hans"],
)
def test_a_change_that_the_list_does_not_tell_is_asked_about_and_costs_its_tables(name: str) -> None:
    items = with_row(name)
    assert (rules(items)[0], entries(items)) == ("bad-entry", [])


def test_nobody_sits_twice_in_a_round() -> None:
    assert "bad-entry" in rules(with_row("Hans, ab Runde 3 Cem"))


@pytest.mark.parametrize("name", ["Hans von der Runde", "Rainer R.", "Ida ab", "Bis Runde", "Vroni von Berg"])
def test_a_name_that_tells_no_round_is_that_of_one_player(name: str) -> None:
    assert {head.players[1] for head in heads(with_row(name))} == {name}


def test_the_account_of_a_substituted_player_is_one_row_of_the_standings_and_who_sat_are_two_people(
    tmp_path: Path,
) -> None:
    (sheet := tmp_path / "list.csv").write_text(
        "\n".join((ROUNDS, OTHERS[0], "2;Hans, ab Runde 3 Ida;1;3;-2;2;0;3", *OTHERS[1:]))
    )
    db = str(tmp_path / "archive.db")
    assert run("import", sheet, "--db", db).exit_code == 0
    ranking = run("stats", "standings", "--db", db, "--lang", "en").stdout
    assert [line.split()[1:3] for line in ranking.splitlines()[2:6]] == [
        ["Anna", "18"], ["Hans", "3"], ["Cem", "-6"], ["Dora", "-15"],
    ]  # fmt: skip
    assert "Hans, from round 3 Ida" in ranking
    conn = open_read(db)
    sat = "SELECT p.name, count(*) FROM seats s JOIN players p ON p.id = s.player_id GROUP BY p.name ORDER BY p.name"
    assert [tuple(row) for row in conn.execute(sat)] == [("Anna", 4), ("Cem", 4), ("Dora", 4), ("Hans", 2), ("Ida", 2)]
    assert conn.execute("SELECT count(*) FROM players WHERE alias_of IS NOT NULL").fetchone()[0] == 0
