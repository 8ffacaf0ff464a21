"""The chat of the game client: bids and results are kept, chat is no finding, and no order of seats is guessed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.forty import forty
from support.items import Read, bare, by_kind
from support.paths import ROOT
from support.writers.sauspiel_chat import write

from archive.judge.judge_stream import judge_stream
from archive.record import Call, Deal, Double, Game, Session, Source
from importers.sauspiel import chat

SAMPLE = (ROOT / "sample_games" / "valid" / "sauspiel-chat.txt").read_bytes()
LINES = SAMPLE.decode().splitlines()
STARTS = [number for number, text in enumerate(LINES) if text.startswith("Spiel #")]


def read(data: bytes) -> Read:
    return by_kind(chat.read(data, Source("chat.txt", sha256="abc")))


def text(*lines: str) -> bytes:
    return "\n".join(lines).encode()


SESSIONS, DEALS, _ = read(SAMPLE)
FOUR = ("Spiel #7 beginnt.", "Vroni sagt weiter.", "Du sagst weiter.", "Wast dad gern.", "Zenzi sagt weiter.")
PLAYS = "Wast spielt auf die Blaue."
WINS = "Wast hat mit dir das Sauspiel gewonnen. Ihr habt 89 Augen. Du hast 20 P gewonnen."


def one(*lines: str) -> Deal:
    """The only deal of a log in which everything is understood."""
    _, (deal,), findings = read(text(*lines))
    assert findings == []
    return deal


# --- what is written is read ------------------------------------------------------------------------------------------


def test_nothing_that_our_forty_deals_say_of_themselves_is_held_against_them() -> None:
    (data,) = write(*forty())
    found = list(judge_stream(chat.read(data, Source("chat.txt"))))
    assert len(found) == 40
    for each in found:
        assert (each.verdict, each.findings) == ("undecidable", ())


# --- the sample -------------------------------------------------------------------------------------------------------


def test_the_sample_is_read_whole_and_chat_and_pauses_are_no_findings() -> None:
    assert read(SAMPLE)[2] == []
    assert [deal.id for deal in DEALS] == [f"120100000{n}" for n in range(1, 7)]
    assert [deal.game and deal.game.contract for deal in DEALS] == [
        "rufspiel", "solo", "ramsch", "rufspiel", "wenz", "rufspiel"
    ]  # fmt: skip
    assert all(deal.source and LINES[deal.source.line - 1].startswith("Spiel #") for deal in DEALS)


def test_another_player_at_the_table_begins_a_session_and_turns_of_the_deal_do_not() -> None:
    assert [session.players for session in SESSIONS] == [
        ("leni_w", "korbi99", "Du", "Ex-Sauspieler #20417"),
        ("Da Wast", "korbi99", "Du", "Ex-Sauspieler #20417"),
    ]
    assert [deal.dealer for deal in DEALS] == [3, 0, 1, 2, 3, 0]
    assert {session.origin for session in SESSIONS} == {"sauspiel.de"}


def test_the_owner_of_the_log_is_du_in_every_form() -> None:
    du = 2
    assert DEALS[1].auction
    assert Call(du, "play") in DEALS[1].auction  # Du dadst gern
    assert Call(du, "have-rufspiel") in DEALS[1].auction  # Du hättst a Sauspiel
    assert Call(du, "good") in DEALS[1].auction  # Du lässt den Vortritt
    assert DEALS[0].doubles == (Double(du, "kontra"), Double(1, "re"))  # Du hast gestoßen
    assert DEALS[3].game == Game("rufspiel", du, "S", "SA")  # Du spielst
    lost = DEALS[2].stated  # Du hast den Ramsch verloren
    assert (lost.loser, lost.points) == (du, (None, None, 51, None))
    assert DEALS[5].stated.partner == du  # mit dir


def test_only_the_owners_amount_is_stated() -> None:
    amounts = [deal.stated.payments[2] for deal in DEALS if deal.stated and deal.stated.payments]
    assert amounts == [-160, 50, -60, -80, -200, 30]
    for deal in DEALS:
        assert deal.stated.payments
        assert [amount is None for amount in deal.stated.payments] == [True, True, False, True]
        assert (deal.stated.price, deal.stated.runners, deal.stated.schneider) == (None, None, None)
        assert (deal.hands, deal.tricks) == (None, None)


def test_a_call_whose_time_was_over_is_a_timeout() -> None:
    assert DEALS[3].auction[0] == Call(3, "timeout")


# --- who sits where ---------------------------------------------------------------------------------------------------


def test_four_first_calls_tell_the_seats_and_who_deals() -> None:
    deal = one(*FOUR, PLAYS, WINS)
    sessions, _, _ = read(text(*FOUR, PLAYS, WINS))
    assert sessions[0].players == ("Vroni", "Du", "Wast", "Zenzi")
    assert (deal.dealer, deal.game) == (3, Game("rufspiel", 2, "G", "GA"))


def test_without_four_first_calls_no_seats_are_told() -> None:
    lines = (FOUR[0], *FOUR[3:], "Vroni hat geklopft!", PLAYS, WINS)
    sessions, (deal,), findings = read(text(*lines))
    assert findings == []
    assert sessions[0].players == ("Wast", "Zenzi", "Vroni", "Du")
    assert (sessions[0].inferred or ())[0] == chat.LISTED
    assert (deal.dealer, deal.inferred) == (None, None)


def test_a_game_without_an_order_of_its_own_is_seated_as_those_around() -> None:
    again = ("Spiel #8 beginnt.", "Wast dad gern.", PLAYS, "Zenzi hat geklopft!", "Vroni hat geklopft!", WINS)
    sessions, deals, _ = read(text(*FOUR, PLAYS, WINS, *again))
    assert len(sessions) == 1
    assert (deals[1].dealer, deals[1].inferred) == (None, (chat.AS_BEFORE,))
    assert deals[1].game == deals[0].game


def test_the_same_four_in_another_order_begin_a_session() -> None:
    other = ("Spiel #8 beginnt.", *FOUR[2:3], *FOUR[1:2], *FOUR[3:], PLAYS, WINS)
    sessions, deals, _ = read(text(*FOUR, PLAYS, WINS, *other))
    assert [session.players[0] for session in sessions] == ["Vroni", "Du"]
    assert [deal.source and deal.source.deal for deal in deals] == [1, 1]


def test_who_is_not_named_has_no_name_and_that_is_said() -> None:
    sessions, (deal,), findings = read(text("Spiel #7 beginnt.", PLAYS, WINS))
    assert sessions[0].players == ("Wast", "Du", "(not named 1)", "(not named 2)")
    assert deal.game == Game("rufspiel", 0, "G", "GA")
    assert deal.stated.partner == 1
    assert [each.message for each in findings] == ["the log lacks the names of 2 players"]


@pytest.mark.parametrize(
    ("amount", "unit", "value"), [("1,20 €", "ct", 120), ("3 TP", "TP", 3), ("1.400 P", "P", 1400)]
)
def test_amounts_of_every_kind_are_read(amount: str, unit: str, value: int) -> None:
    sessions, (deal,), _ = read(text(*FOUR, PLAYS, WINS.replace("20 P", amount)))
    assert sessions[0].unit == unit
    assert deal.stated.payments == (None, value, None, None)


def test_another_unit_begins_a_session() -> None:
    euro = WINS.replace("20 P", "0,20 €")
    sessions, _, _ = read(text(*FOUR, PLAYS, WINS, *FOUR, PLAYS, euro))
    assert [session.unit for session in sessions] == ["P", "ct"]


# --- what is played ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "game"),
    [
        (("Wast spielt auf die Alte.", WINS), Game("rufspiel", 2, "E", "EA")),
        (("Wast spielt auf die Hundsgfickte.", WINS), Game("rufspiel", 2, "S", "SA")),
        ((WINS,), Game("rufspiel", 2)),
        (("Wast spielt a Herz-Solo.", "Wast hat das Herz-Solo verloren."), Game("solo", 2, "H")),
        (("Wast hätt a Solo.", "Wast spielt Gras.", "Wast hat das Solo verloren."), Game("solo", 2, "G")),
        (("Wast hätt an Wenz.", "Wast hat den Wenz gewonnen."), Game("wenz", 2)),
        (("Wast spielt an Gras-Farbwenz.", "Wast hat den Farbwenz gewonnen."), Game("farbwenz", 2, "G")),
        (("Wast hat den Wenz-Tout gewonnen.",), Game("wenz", 2, words=("tout",))),
        (("Ihr spielt an Ramsch.", "Zenzi hat den Ramsch verloren."), Game("ramsch")),
        (("Zenzi hat den Ramsch verloren.",), Game("ramsch")),
        ((), None),
    ],
)
def test_the_game_is_what_was_announced_else_what_the_result_names(lines: tuple[str, ...], game: Game | None) -> None:
    _, (deal,), _ = read(text(*FOUR, *lines))
    assert deal.game == game


def test_four_who_pass_have_thrown_in_where_another_game_begins() -> None:
    passed = [line.replace("dad gern", "sagt weiter") for line in FOUR]
    _, deals, findings = read(text(*passed, *passed))
    assert [deal.game for deal in deals] == [Game("none"), None]
    assert chat.ALL_PASSED in (deals[0].inferred or ())
    assert [each.message for each in findings] == ["the log lacks the result"]


def test_knocks_and_doublings_are_none_only_where_the_game_is_told_to_its_end() -> None:
    assert (one(*FOUR, PLAYS, WINS).knocks, one(*FOUR, PLAYS, WINS).doubles) == ((), ())
    _, (deal,), _ = read(text(*FOUR, PLAYS))
    assert (deal.knocks, deal.doubles, deal.stated) == (None, None, None)


def test_points_of_the_defence_are_stated_as_theirs() -> None:
    deal = one(*FOUR, PLAYS, WINS.replace("Ihr habt 89", "Die Gegner haben 31"))
    assert (deal.stated.points, deal.stated.points_against) == (None, 31)


# --- chat and damage --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Wast: i hab an Wenz gewonnen, Du hast verloren",
        "Wast: Spiel #9 beginnt.",
        "Zenzi hat den Tisch verlassen.",
        "Zenzi hat die Verbindung verloren.",
        "Zenzi macht Pause.",
        "Wast spielt jetzt wieder mit.",
        "Zuschauer17 sagt servus",
        "",
        "hahaha",
        "Du bist jetzt 2 Stunden am Tisch.",
    ],
)
def test_chat_and_comings_and_goings_change_nothing(line: str) -> None:
    plain = [*FOUR, PLAYS, WINS]
    for place in range(len(FOUR), len(plain) + 1):
        assert bare([one(*plain[:place], line, *plain[place:])]) == bare([one(*plain)])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Spiel #7 beginnt.", "Spiel #x beginnt."),
        ("Vroni sagt weiter.", "Vroni sagt weida."),
        ("Wast dad gern.", "Wast dad geern."),
        ("auf die Blaue", "auf die Grüne Wiese"),
        ("das Sauspiel gewonnen", "das Saupsiel gewonnen"),
        ("89 Augen", "x Augen"),
        ("20 P gewonnen", "20 20 gewonnen"),
        ("20 P", "viel"),
        ("Ihr habt 89", "Wer hat 89"),
    ],
)
def test_a_line_that_begins_like_an_event_and_is_not_understood_costs_its_game(old: str, new: str) -> None:
    log = "\n".join([*FOUR, PLAYS, WINS])
    assert old in log
    following = [line.replace("#7", "#8") for line in (*FOUR, PLAYS, WINS)]
    _, deals, findings = read(text(log.replace(old, new), *following))
    assert [deal.id for deal in deals] == ["8"]
    line = next(number for number, each in enumerate(log.replace(old, new).splitlines(), 1) if new in each)
    assert ("line-not-read", line) in [(each.rule, each.source and each.source.line) for each in findings]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (FOUR[1:], "the line that begins it is not there"),
        (("Spiel #7 beginnt.",), "it names no player"),
        ((*FOUR, "Loni hat geklopft!", PLAYS, WINS), "it names 5 players"),
        ((*FOUR, "Wast spielt an Wenz.", WINS), "wenz was announced"),
        ((*FOUR, PLAYS, WINS.replace("Wast hat mit dir", "Zenzi hat mit Vroni")), "Wast plays"),
    ],
)
def test_what_cannot_be_a_record_is_a_finding_and_the_next_game_is_kept(lines: tuple[str, ...], why: str) -> None:
    following = [line.replace("#7", "#8") for line in (*FOUR, PLAYS, WINS)]
    _, deals, findings = read(text(*lines, *following))
    assert [deal.id for deal in deals] == ["8"]
    assert [each.rule for each in findings] == ["deal-unreadable"]
    assert why in findings[0].message
    assert (findings[0].source.line, findings[0].source.deal) == (1, 1)


def told(data: bytes) -> dict[str | None, tuple[Any, ...]]:
    """What of each game is stated, by its number, with the declarer by name."""
    found: dict[str | None, tuple[Any, ...]] = {}
    players: tuple[str, ...] = ()
    for item in chat.read(data, Source("chat.txt")):
        if isinstance(item, Session):
            players = item.players
        elif isinstance(item, Deal):
            game, stated = item.game, item.stated
            declarer = players[game.declarer] if game and game.declarer is not None else None
            found[item.id] = (game and game.contract, declarer, stated and stated.result, len(item.auction or ()))
    return found


@given(st.integers(0, len(LINES) - 1))
def test_a_missing_line_costs_its_own_game_at_most(number: int) -> None:
    data = text(*LINES[:number], *LINES[number + 1 :])
    found = told(data)
    own = [place for place, start in enumerate(STARTS) if start <= number][-1:]
    for place, (id, whole) in enumerate(told(SAMPLE).items()):
        assert place in own or found[id] == whole
    if number in STARTS:
        assert read(data)[2]


@given(st.integers(0, len(LINES) - 1), st.text(max_size=30))
def test_a_foreign_line_costs_one_game_at_most(number: int, foreign: str) -> None:
    _, deals, _ = read(text(*LINES[:number], foreign, *LINES[number:]))
    assert len({deal.id for deal in deals} & {deal.id for deal in DEALS}) >= len(DEALS) - 1


@pytest.mark.parametrize("data", [b"", b"Griass di\n", text("Wast: Spiel #7 beginnt."), text(*FOUR[1:])])
def test_a_file_in_which_no_game_begins_is_not_claimed_and_has_no_deals(data: bytes) -> None:
    assert not chat.matches("chat.txt", data)
    sessions, deals, findings = read(data)
    assert (sessions, deals) == ([], [])
    assert [each.rule for each in findings] == ["no-deals"]


def test_games_that_begin_and_say_nothing_are_one_finding_and_all_counted() -> None:
    empty = ("Spiel #5 beginnt.", "Spiel #6 beginnt.")
    _, deals, findings = read(text(*empty, *FOUR, PLAYS, WINS, *empty))
    places = [each.source and (each.source.line, each.source.end_line, each.source.deal) for each in findings]
    assert [deal.source and deal.source.deal for deal in deals] == [3]
    assert places == [(1, 2, 2), (10, 11, 5)]
    assert read(text(*empty))[:2] == ([], [])


@pytest.mark.parametrize("mate", ["dir", "Dir"])
@pytest.mark.parametrize("whose", ["Ihr habt", "ihr habt"])
@pytest.mark.parametrize("own", ["Du hast", "du hast"])
def test_a_pronoun_is_the_owner_in_both_ways_of_writing(mate: str, whose: str, own: str) -> None:
    deal = one(*FOUR, PLAYS, f"Wast hat mit {mate} das Sauspiel gewonnen. {whose} 89 Augen. {own} 20 P gewonnen.")
    assert (deal.partner or deal.stated.partner, deal.stated.points) == (1, 89)
    assert deal.stated.payments == (None, 20, None, None)


@pytest.mark.parametrize("you", ["Du", "du"])
@pytest.mark.parametrize("side", ["Du hast", "du hast", "Die Gegner haben", "die Gegner haben"])
def test_the_owner_plays_alone_in_both_ways_of_writing(you: str, side: str) -> None:
    calls = ("Vroni sagt weiter.", f"{you} dadst gern.", "Wast sagt weiter.", "Zenzi sagt weiter.")
    plays = (f"{you} hättest an Geier.", f"{you} spielst an Geier.")
    deal = one(FOUR[0], *calls, *plays, f"{you} hast den Geier gewonnen. {side} 72 Augen. {you} hast 210 P gewonnen.")
    assert (deal.game.contract, deal.game.declarer, deal.stated.won) == ("geier", 1, True)
    assert (deal.stated.points, deal.stated.points_against).count(72) == 1


@pytest.mark.parametrize("everyone", ["Ihr", "ihr"])
def test_a_ramsch_is_everybodys_in_both_ways_of_writing(everyone: str) -> None:
    calls = ("Vroni sagt weiter.", "Du sagst weiter.", "Wast sagt weiter.", "Zenzi sagt weiter.")
    end = "Wast hat den Ramsch verloren. Wast hat 66 Augen. Du hast 40 P gewonnen."
    deal = one(FOUR[0], *calls, f"{everyone} spielt an Ramsch.", end)
    assert (deal.game.contract, deal.stated.loser) == ("ramsch", 2)
