"""Chats of every messenger and layout, and texts as people type them: the same evening is the same deals."""

import json
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.running import run

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Finding, Session, Source
from importers import find, typed_lines
from importers.chat_messages import message_of, order_of_dates
from importers.chat_messages import typed_lines as lines_of_text

HEAD = "Spieler: Hans, Toni, Sepp, Maria\nTarif: 10/20/50\n"
SAID = (
    ("Girgl", "Spieler: Girgl, Vroni, Wast, Zenzi"),
    ("Girgl", "Tarif: 10/20/50"),
    ("Girgl", "Girgl Sauspiel auf die Alte mit Zenzi gewonnen 3 Laufende"),
    ("Vroni", "Vroni Herzsolo verloren"),
    ("Wast", "Wast Sauspiel auf die Blaue mit Vroni gewonnen Schneider"),
)
PAID = [(50, -50, -50, 50), (50, -150, 50, 50), (-30, 30, 30, -30)]
DATES = (
    "14.11.26", "14.11.2026", "14/11/26", "14/11/2026", "14-11-26", "14-11-2026", "26-11-14", "26/11/14", "2026-11-14",
    "2026/11/14", "2026.11.14", "14. 11. 2026",
)  # fmt: skip
HEADS = {
    "WhatsApp, Android": "{day}, 20:{n:02} - {who}: {text}",
    "WhatsApp, Android, um": "{day} um 20:{n:02} - {who}: {text}",
    "WhatsApp, no contact": "{day}, 20:{n:02} - +49 170 1234567: {text}",
    "WhatsApp, iPhone": "[{day}, 20:{n:02}:33] {who}: {text}",
    "WhatsApp, iPhone, marks": "\u200e[{day}, 20:{n:02}:33] {who}: \u200e{text}",
    "WhatsApp, copied": "[20:{n:02}, {day}] {who}: {text}",
    "WhatsApp, old iPhone": "{day} 20:{n:02}:33: {who}: {text}",
    "Threema": "[{day}, 20:{n:02}] {who}: {text}",
    "Threema, iPhone": ">>> {day}, 20:{n:02} - {who}: {text}",
    "Signal": "[{day} 20:{n:02}] {who}: {text}",
    "Signal, heads in lines": "From: {who} (+49)\nType: sms\nSent: Sat, 14 Nov 2026 20:{n:02}:33 +0100\n\n{text}\n",
    "Telegram, copied": "{who}, [{day} 20:{n:02}]\n{text}\n",
    "Telegram, copied, colon": "{who}, [{day} 20:{n:02}:15]:\n{text}\n",
    "Discord": "[{day} 20:{n:02}] {who}\n{text}\n",
}


def read(data: bytes) -> list[Session | Deal | Finding]:
    assert find("x", data) == (typed_lines,)
    return list(typed_lines.read(data, Source("x")))


def amounts(items: list[Session | Deal | Finding]) -> list[tuple[int, ...] | None]:
    judged = [each for each in judge_stream(iter(items)) if isinstance(each, Judgement)]
    assert not [one for each in judged for one in each.findings if one.severity == "error"]
    return [each.settlement.payments if each.settlement else None for each in judged]


def chat(head: str, said: Iterable[tuple[str, str]] = SAID, day: str = "") -> bytes:
    """The messages below heads of a messenger."""
    return "\n".join(head.format(day=day, n=n, who=who, text=text) for n, (who, text) in enumerate(said)).encode()


ANDROID = "14.11.26, 20:{n:02} - {who}: {text}"


def findings(items: list[Session | Deal | Finding]) -> list[str]:
    return [each.rule for each in items if isinstance(each, Finding)]


def dates(items: list[Session | Deal | Finding]) -> list[str | None]:
    return [each.date for each in items if isinstance(each, Session)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("head", "day"), list(product(HEADS, DATES)))
def test_an_evening_is_the_same_in_every_layout(head: str, day: str) -> None:
    items = read(chat(HEADS[head], day=day))
    assert (dates(items), amounts(items)) == (["2026-11-14"], PAID)
    assert findings(items) == (["lines-without-deal"] if head == "Discord" else [])  # names stand in lines of their own


@pytest.mark.parametrize(
    "head",
    [
        "[20:{n:02}] {who}: {text}",
        "20:{n:02} <{who}> {text}",
        "[20:{n:02}:15] <{who}> {text}",
        "20:{n:02} - {who} : {text}",
    ],
)
def test_a_log_may_have_no_day(head: str) -> None:
    others = ("Vroni: i <3 Bier", "Wast: Wenz gewonnen")
    said = [(who, text) for (_, text), who in zip(SAID, ("Wast", "Sepp") * 3, strict=False)]
    items = read(chat(head, [*said, ("Zenzi", "Prost, Zenzi")]))
    assert (dates(items), amounts(items), findings(items)) == ([None], PAID, ["lines-without-deal"])
    assert all(line.is_chat for line in lines_of_text(b"20:16 <Toni> Lois Solo verloren\n20:17 Toni: Bier"))
    notes = "\n".join(f"20:{n:02} {text}" for n, text in enumerate((*(text for _, text in SAID[:2]), *others)))
    assert [deal.game.declarer for deal in read(notes.encode()) if isinstance(deal, Deal) and deal.game] == [2]


JSON = {
    "Telegram": lambda n, who, text: {"id": n, "date": f"2026-11-14T20:{n:02}:00", "from": who, "text": text},
    "Telegram, parts": lambda n, who, text: {
        "date": f"2026-11-14T20:{n:02}:00", "from": who,
        "text": [text.split(" ", 1)[0] + " ", {"type": "bold", "text": text.split(" ", 1)[1]}],
    },
    "Signal": lambda n, who, text: {"date": f"2026-11-14T20:{n:02}:00", "sender": who, "body": text},
    "counted in seconds": lambda n, who, text: {"timestamp": 1794686400 + 60 * n, "sender": who, "body": text},
    "counted in milliseconds": lambda n, who, text: {"sent_at": 1794686400000 + n, "source": who, "body": text},
    "Discord": lambda n, who, text: {
        "timestamp": f"2026-11-14T20:{n:02}:00.1+00:00", "content": text, "author": {"name": who},
    },
}  # fmt: skip
WRAPPED = {
    "a chat": lambda every: json.dumps({"name": "Schafkopf", "messages": every}, indent=1, ensure_ascii=False),
    "all chats": lambda every: json.dumps(
        {"chats": {"about": "x", "list": [{"messages": every[:0]}, {"messages": every}]}}
    ),
    "a list": lambda every: json.dumps(every),
    "a line each": lambda every: "\n".join(map(json.dumps, every)),
}


@pytest.mark.parametrize(("kind", "wrap"), list(product(JSON, WRAPPED)))
def test_an_evening_in_json_is_the_same(kind: str, wrap: str) -> None:
    items = read(WRAPPED[wrap]([JSON[kind](n, who, text) for n, (who, text) in enumerate(SAID)]).encode())
    assert (dates(items), amounts(items), findings(items)) == (["2026-11-14"], PAID, [])


def test_a_deal_of_a_json_chat_has_the_line_of_its_message() -> None:
    data = WRAPPED["a chat"]([JSON["Telegram"](n, who, text) for n, (who, text) in enumerate(SAID)])
    lines = [each.source.line for each in read(data.encode()) if isinstance(each, Deal) and each.source]
    starts = [number for number, line in enumerate(data.splitlines(), 1) if line == "  {"]
    assert lines == starts[2:]


def test_json_that_is_cut_off_is_a_finding() -> None:
    data = WRAPPED["a chat"]([JSON["Telegram"](n, who, text) for n, (who, text) in enumerate(SAID)]).encode()
    assert findings(read(data[:-40])) == ["syntax"]


SYSTEM = (
    "Vroni: Diese Nachricht wurde gelöscht.",
    "Vroni: This message was deleted",
    "Vroni: <Medien ausgeschlossen>",
    "Vroni: \u200eBild weggelassen",
    "Vroni: haha schee 😂",
    "Vroni: UMFRAGE:\nWer spielt am Freitag?\nOPTION: ich (2 Stimmen)",
    "Vroni: > Girgl Wenz gewonnen\nja, schee",
    "Vroni: 🎤 Transkript:\nGirgl Wenz gewonnen",
    "Vroni: Sprachnachricht (0:12)\nGirgl Wenz verloren 3 Laufende",
    "Vroni: PTT-20261114-WA0007.opus (Datei angehängt)\nGirgl Wenz verloren",
    "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.",
    "Girgl hat Wast hinzugefügt.",
    "Vroni: Girgl, spielst nächste Woche wieder einen Wenz?",
)


@pytest.mark.parametrize("system", SYSTEM)
def test_what_no_player_typed_is_counted_and_is_no_deal(system: str) -> None:
    said = [*(f"{who}: {text}" for who, text in SAID), system]
    items = read("\n".join(f"14.11.26, 20:{n:02} - {text}" for n, text in enumerate(said)).encode())
    assert (amounts(items), findings(items)) == (PAID, ["lines-without-deal"])


@pytest.mark.parametrize(
    "behind",
    [
        " <Diese Nachricht wurde bearbeitet.>",
        "\u200e<This message was edited>",
        " (bearbeitet)",
        " [edited]",
        " 😂👍🏽",
        " ❤️",
    ],
)
def test_what_stands_behind_a_message_costs_no_deal(behind: str) -> None:
    said = [(who, f"{text}{behind if n > 1 else ''}") for n, (who, text) in enumerate(SAID)]
    assert amounts(read(chat(ANDROID, said))) == PAID


def test_bold_and_italic_words_are_words() -> None:
    said = [*SAID[:2], ("Girgl", "*Girgl* _Wenz_ gewonnen"), ("Girgl", "_Vroni Wenz verloren_")]
    assert amounts(read(chat(ANDROID, said))) == [(150, -50, -50, -50), (50, -150, 50, 50)]


@given(st.dates(date(2012, 1, 1), date(2060, 1, 1)), st.lists(st.integers(0, 40), min_size=2, max_size=8))
def test_years_of_two_digits_never_go_backwards(start: date, steps: list[int]) -> None:
    """The order that is chosen gives days that go on, where the true one does."""
    days = [start + timedelta(days=sum(steps[: n + 1])) for n in range(len(steps))]
    text = "\n".join(f"{day:%y-%m-%d}, 20:00 - Anna: x" for day in days)
    got = [line.day for line in lines_of_text(text.encode())]
    assert None not in got
    assert got == sorted(got, key=lambda day: day or "")


def test_seconds_before_a_line_are_no_part_of_who_wrote_it() -> None:
    told = [said + ": +50 -50 -50 +50" * (n == 2) for n, (_, said) in enumerate(SAID)]
    items = read("\n".join(f"2026-11-14 20:{n:02}:15 {said}" for n, said in enumerate(told)).encode())
    assert (dates(items), amounts(items), findings(items)) == (["2026-11-14"], PAID, [])


@pytest.mark.parametrize(
    "head",
    [
        "11/14/26, 8:{n:02}\u202fPM - {who}: {text}",
        "11/14/2026, 8:{n:02} PM - {who}: {text}",
        "\u200e[11/14/26, 8:{n:02}:33\u202fPM] {who}: {text}",
        "[8:{n:02} PM, 11/14/2026] {who}: {text}",
    ],
)
def test_an_american_date_has_its_month_first(head: str) -> None:
    items = read(chat(head))
    assert (dates(items), amounts(items)) == (["2026-11-14"], PAID)


# --- a chat that does not name its players ----------------------------------------------------------------------------


CHAT = chat(ANDROID, SAID[2:])


def test_a_chat_without_a_line_of_players_is_told_what_line_to_add() -> None:
    items = read(CHAT)
    assert findings(items) == ["no-players"]


def test_a_chat_is_given_its_players(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_bytes(CHAT)
    command = ["check", str(tmp_path / "chat.txt"), "--json", "--players", "Girgl, Vroni, Wast, Zenzi"]
    answer = run(*command)
    deals = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [deal["declarer"] for deal in deals] == ["Girgl", "Vroni", "Wast"]
    assert {deal["seats"][3] for deal in deals} == {"Zenzi"}
    assert run(*command[:-1], "Girgl, Vroni").exit_code == 2


def test_deals_before_the_line_of_players_are_not_lost_in_silence() -> None:
    text = "Girgl Wenz gewonnen\nSpieler: Girgl, Vroni, Wast, Zenzi\nVroni Herzsolo verloren\n"
    assert findings(read(text.encode())) == ["no-players"]


def test_amounts_alone_name_the_players_and_are_deals() -> None:
    said = ("Girgl +50 Vroni -50 Wast -50 Zenzi +50", "Girgl +50 Vroni -150 Wast +50 Zenzi +50")
    ends = ("Endstand: Girgl +1,00 Vroni -2,00 Wast 0 Zenzi +1,00", "Girgl +100 Vroni -200 Wast 0 Zenzi +100")
    for end in ends:
        items = read(chat(ANDROID, [("Girgl", line) for line in (*said, end)]))
        paid = [each.stated.payments for each in items if isinstance(each, Deal) and each.stated]
        assert paid == [(50, -50, -50, 50), (50, -150, 50, 50)]
        assert dates(items) == ["2026-11-14"]


@pytest.mark.parametrize(
    "text", ["Girgl Wenz gewonnen\nVroni Herzsolo verloren\n", "Girgl auf die Alte mit Zenzi gew.\n"]
)
def test_a_text_of_deals_without_a_head_is_told_what_line_to_add(text: str) -> None:
    assert findings(read(text.encode())) == ["no-players"]


def test_money_that_somebody_pays_for_beer_is_no_unit() -> None:
    items = read((HEAD + "Sepp Wenz gewonnen\nSepp zahlt 20 Euro\n").encode())
    assert [each.unit for each in items if isinstance(each, Session)] == [None]


# --- texts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "paid"),
    [
        ("Sepp Wenz 74:46", (-50, -50, 150, -50)),
        ("Sepp Wenz 46-74", (50, 50, -150, 50)),
        ("Hans Solo Gras 61 zu 59", (150, -50, -50, -50)),
        ("Maria Ramsch", (20, 20, 20, -60)),
        ("Ramsch Maria", (20, 20, 20, -60)),
        ("Ramsch, Maria", (20, 20, 20, -60)),
        ("Maria hod an Ramsch", (20, 20, 20, -60)),
        ("Sepp Wenz gew.", (-50, -50, 150, -50)),
        ("Sepp Wenz verl.", (50, 50, -150, 50)),
        ("Sepp Wenz verl. 2 Lauf.", (70, 70, -210, 70)),
        ("Da Sepp hod an Wenz gwunna", (-50, -50, 150, -50)),
        ("Sepp an Wenz vaspuit", (50, 50, -150, 50)),
        ("Sepp Sauspui auf de Oide mid Toni gwunga", (-20, 20, 20, -20)),
        ("Sepp Eichel mit Toni gew.", (-20, 20, 20, -20)),
        ("Sepp spielt Blaue mit Toni, verlorn Schneida", (30, -30, -30, 30)),
    ],
)
def test_a_line_that_names_a_player_and_a_game_is_a_deal(line: str, paid: tuple[int, ...]) -> None:
    items = read((HEAD + line + "\n").encode())
    assert (amounts(items), findings(items)) == ([paid], [])
    items = read(chat(ANDROID, [("Hans", each) for each in (HEAD + line).splitlines()]))
    assert (amounts(items), findings(items)) == ([paid], [])


@pytest.mark.parametrize(
    "line", ["Sepp Wenz dawischt", "gestern hat der Sepp einen Wenz hoffnungslos vergeigt", "Sepp Herzsolo 3 Bier"]
)
def test_a_line_that_names_a_player_and_a_game_is_else_a_finding(line: str) -> None:
    assert findings(read((HEAD + line + "\n").encode()))[0] == "bad-entry"


@given(
    st.sampled_from(["Hans", "Toni", "Sepp", "Maria", "da Sepp"]),
    st.sampled_from(["Wenz", "an Wenz", "Herzsolo", "Solo Gras", "Geier", "Ramsch"]),
    st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=30),
)
def test_no_line_with_a_player_and_a_game_is_lost(who: str, game: str, rest: str) -> None:
    line = f"{who} {game} {rest}"
    items = list(typed_lines.read((HEAD + line).encode(), Source("x")))
    is_comment_or_head = any(sign in rest for sign in ":=")
    assert is_comment_or_head or any(
        isinstance(each, Deal) or (isinstance(each, Finding) and each.severity == "error") for each in items
    )


def test_which_numbers_of_a_date_stand_first_is_told_by_all_of_them() -> None:
    heads = [message_of(f"{day}, 20:15 - Anna: x") for day in ("26-11-27", "26-12-04")]
    assert order_of_dates([head for head in heads if head]) == (False, True)


# --- what an import says of it ----------------------------------------------------------------------------------------


def test_refused_are_deals_and_no_heads(tmp_path: Path) -> None:
    text = f"{HEAD}Datum: neulich\nSepp Wenz dawischt\nSepp Wenz gewonnen\nHans Wenz dawischt\n"
    (tmp_path / "a.txt").write_text(text)
    command = ["import", str(tmp_path / "a.txt"), "--db", str(tmp_path / "a.db"), "--dry-run", "--json"]
    answer = json.loads(run(*command).stdout)
    assert (answer["added"], answer["refused"]) == (1, 2)


@pytest.mark.parametrize("command", ["check", "import"])
def test_what_is_incomplete_says_why_and_where_to_write_it(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.txt").write_text(f"{HEAD}Sepp Wenz\nHans Wenz\nHans auf die Alte gewonnen\n")
    db = ["--db", str(tmp_path / "a.db"), "--dry-run"] if command == "import" else []
    said = {language: run(command, tmp_path / "a.txt", *db, "--lang", language).stderr for language in ("en", "de")}
    assert "2 incomplete, the first at" in said["en"]
    assert "a.txt:3: the record does not say who won. Write won or lost in the line" in said["en"]
    assert "a.txt:5: the record does not say the partner. Write “with Toni”" in said["en"]
    assert "a.txt:3; im Aufschrieb fehlt: wer gewonnen hat. In die Zeile gewonnen oder verloren" in said["de"]


def in_a_chat(*messages: str) -> list[Session | Deal | Finding]:
    """What a chat says whose first message names the players."""
    lines = ("Spieler: Girgl, Wastl, Fanny, Burgi", *messages)
    return read("\n".join(f"14.11.26, 20:{n:02} - Burgi: {text}" for n, text in enumerate(lines)).encode())


@pytest.mark.parametrize(
    ("text", "contract", "suit"),
    [
        ("🔥 Solo Fanny gewonnen", "solo", None),
        ("🌰 Sau Fanny mit Burgi verloren", "rufspiel", None),
        ("❤️ Solo Fanny gewonnen", "solo", "H"),
        ("♥ Solo Fanny gewonnen", "solo", "H"),
        ("Fanny 🔔 Solo gewonnen", "solo", "S"),
        ("Fanny 🍀-Solo gewonnen", "solo", "G"),
        ("Fanny Sau auf 🌰 mit Burgi gewonnen", "rufspiel", "E"),
        ("Fanny Wenz gewonnen 🍀", "wenz", None),
        ("Fanny Solo gewonnen ❤️🎉", "solo", None),
    ],
)
def test_a_picture_before_a_game_drops_no_deal_and_is_a_suit_only_where_it_stands_for_one(
    text: str, contract: str, suit: str | None
) -> None:
    games = [each.game for each in in_a_chat(text) if isinstance(each, Deal)]
    assert [(game and game.contract, game and game.suit) for game in games] == [(contract, suit)]


def test_a_deal_after_a_picture_that_cannot_be_read_is_a_finding() -> None:
    found = in_a_chat("Fanny Wenz gewonnen", "❤️ Solo Fanny gewonnen: -50 -50 8 -50")
    assert [each.source and each.source.line for each in found if isinstance(each, Finding)] == [3]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("nein, war 2,40", True),
        ("sorry, der Wastl wars", True),
        ("Korrektur: -0,60 und +1,80", True),
        ("na, da Wastl wars", True),
        ("das vorherige Spiel war verloren", True),
        ("sorry, bin 10 Minuten zu spät", False),
        ("sorry, bin um 20:30 da", False),
        ("nein danke", False),
        ("nein, Girgl spielt nicht mit", False),
        ("war schee heit", False),
        ("nein, war der Wastl dabei?", False),
    ],
)
def test_a_message_that_corrects_a_deal_is_asked_about_and_other_talk_is_not(text: str, asked: bool) -> None:
    items = in_a_chat("Fanny Wenz gewonnen", text)
    found = [(each.rule, each.source and each.source.line) for each in items if isinstance(each, Finding)]
    assert found == [("bad-entry" if asked else "lines-without-deal", 3)]
    assert not [each for each in in_a_chat(text) if isinstance(each, Finding) and each.rule == "bad-entry"]
