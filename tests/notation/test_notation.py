"""The record format: what every finding of its section in findings.toml looks like, and what one costs."""

import gc
import json
from collections.abc import Iterator

import pytest

from archive.notation import identity, json_schema, play_identity, read_lines, read_toml, write_line, write_toml
from archive.notation.convert import GUESSES
from archive.record import (
    Call,
    Deal,
    Double,
    Event,
    Exchange,
    Finding,
    Game,
    PriceStep,
    Session,
    Source,
    Trick,
    severities,
)
from importers import record_lines, record_toml

HERE = Source("evening.toml")
HEAD = """format = "schafkopf-record/1"
rules = "bavarian"
players = ["Anna", "Ben", "Cem", "Dora"]
"""
CLAN = HEAD.replace("Anna", "Ben Herz").replace("Cem", "Herz")


def read(text: str | bytes) -> list[Session | Deal | Finding]:
    return list(read_toml(text.encode() if isinstance(text, str) else text, HERE))


def only_deal(block: str, head: str = HEAD) -> Deal:
    session, deal = read(f"{head}[[deal]]\n{block}")
    assert isinstance(session, Session)
    assert isinstance(deal, Deal), deal
    return deal


def findings(text: str | bytes) -> list[Finding]:
    return [thing for thing in read(text) if isinstance(thing, Finding)]


# --- findings -------------------------------------------------------------------------------------------------------

# rule, line, a piece of the message, the file
BROKEN = [
    ("not-utf8", 5, "byte 108 ", HEAD.encode() + b'[[deal]]\nnote = "\xff"\n'),
    ("not-utf8", 1, "byte 1 ", b"\xff" + HEAD.encode()),
    ("syntax", 5, "a quote is missing", HEAD + '[[deal]]\ndealer = "Anna\nno = 1\n'),
    ("syntax", 6, "a key stands twice", HEAD + "[[deal]]\nno = 1\nno = 2\n"),
    ("syntax", 6, "a new deal has no line [[deal]]", HEAD + "[deal]\nno = 1\n[deal]\nno = 2\n"),
    ("syntax", 5, "an invisible sign", HEAD + '[[deal]]\n\xa0no = 1\nid = "a"\n'),
    ("syntax", 6, "an invisible sign", HEAD + '[[deal]]\nno = 1\n\u200bid = "a"\n'),
    ("syntax", 4, "a day is written year first", HEAD + "date = 14.11.2026\n"),
    ("syntax", 5, "true and false, in small letters", HEAD + "[[deal]]\nstated.won = ja\n"),
    ("syntax", 5, "no zero in front", HEAD + "[[deal]]\nstated.payments = [050, -50, 50, -50]\n"),
    ("syntax", 5, "a comma parts entries", HEAD + "[[deal]]\nstated.payments = [50 -50 50 -50]\n"),
    ("syntax", 5, "something stands behind the value", HEAD + "[[deal]]\nstated.points = 61 Augen\n"),
    ("syntax", 5, "text stands in quotes", HEAD + '[[deal]]\nknocks = ["Anna", Ben]\n'),
    ("syntax", 7, "a bracket is not closed, or a comma", HEAD + '[[deal]]\ntricks = [\n "A: EO"\n "B: GO"\n]\n'),
    ("syntax", 4, "a bracket is not closed", HEAD + "[house\n"),
    ("syntax", 5, "a line is a key, =, and its value", HEAD + '[[deal]]\ngame : "Anna wenz"\n'),
    ("syntax", 5, "braces stands on one line", HEAD + "[[deal]]\nstated = {\n won = true }\n"),
    ("syntax", 5, "a backslash is written twice", HEAD + '[[deal]]\nnote = "C:\\Users"\n'),
    ("wrong-type", 5, "0.20 euros as 20 (ct)", HEAD + "[[deal]]\nstated.payments = [0.20, -0.20, 0.20, -0.20]\n"),
    ("syntax", 6, "Unterminated", HEAD + '[[deal]]\nno = 1\nnote = """\nnever closed\n'),
    ("syntax", 4, "nested", HEAD + "[[deal]]\nx = " + "[" * 5000),
    ("syntax", 5, "a number here has thousands of digits", HEAD + "[[deal]]\nno = " + "1" * 5000),
    ("unknown-format", 1, "'schafkopf-record/9'", HEAD.replace("/1", "/9")),
    ("unknown-format", 1, "not given", HEAD.split("\n", 1)[1]),
    ("unknown-key", 5, "delaer; did you mean dealer?", HEAD + '[[deal]]\ndelaer = "Anna"\n'),
    ("unknown-key", 6, "stated.pints; did you mean points?", HEAD + "[[deal]]\nno = 1\nstated.pints = 3\n"),
    ("unknown-key", 6, "stated.pints", HEAD + "[[deal]]\n[deal.stated]\npints = 3\n"),
    ("unknown-key", 5, "payments; did you mean stated.payments?", HEAD + "[[deal]]\npayments = [1, 2]\n"),
    ("unknown-key", 5, "declarer; did you mean game?", HEAD + '[[deal]]\ndeclarer = "Ben"\n'),
    ("unknown-key", 5, "partner; did you mean with?", HEAD + '[[deal]]\npartner = "Ben"\n'),
    ("unknown-key", 4, "evnt; did you mean event?", HEAD + 'evnt = "x"\n'),
    ("unknown-key", 4, "deal; did you mean [[deal]]?", HEAD + "[deal]\nno = 1\n"),
    ("unknown-key", 5, "the head stands before", HEAD + "[[deal]]\n[house]\n"),
    ("wrong-type", 5, "no: expected a whole number, got text in quotes", HEAD + '[[deal]]\nno = "1"\n'),
    ("wrong-type", 6, "stated.won: expected true or false", HEAD + "[[deal]]\nno = 1\nstated.won = 1\n"),
    ("wrong-type", 5, "one entry for each of 4 players, got 3", HEAD + "[[deal]]\nstated.payments = [1, 2, 3]\n"),
    ("wrong-type", 5, "a hand for each of 4 players, got 1", HEAD + '[[deal]]\nhands = ["EO"]\n'),
    ("wrong-type", 6, "another word for blind", HEAD + '[[deal]]\nblind = "E7"\nskat = "E7"\n'),
    ("wrong-type", 1, "rules: expected at the head", HEAD.replace('rules = "bavarian"', "")),
    ("wrong-type", 4, "month must be in 1..12", HEAD + 'date = "2026-13-01"\n'),
    ("wrong-type", 4, "german, french or english", HEAD + 'cards = "swiss"\n'),
    ("wrong-type", 5, "finite", HEAD + "[[deal]]\nx = { a = inf }\n"),
    ("wrong-type", 5, "2**53", HEAD + "[[deal]]\nx = { a = 99999999999999999999 }\n"),
    ("wrong-type", 5, "why is missing", HEAD + '[[deal]]\nruling = [{ by = "A", when = "", payments = [] }]\n'),
    ("bad-entry", 7, "'pss'", HEAD + '[[deal]]\nauction = [\n    "Anna pass",\n    "Ben pss",\n]\n'),
    ("bad-entry", 6, "FROM > TO: CARDS", HEAD + '[[deal]]\nexchange = ["Ben > Anna: EO",\n"Anna Ben: EO"]\n'),
    ("bad-entry", 5, "kontra, re or double", HEAD + '[[deal]]\ndoubles = ["Ben bock"]\n'),
    ("bad-entry", 5, "a moment", HEAD + '[[deal]]\ndoubles = ["@0.1 Ben re"]\n'),
    ("bad-entry", 5, "VERB", HEAD + '[[deal]]\nevents = ["@1.1 Ben sleeps"]\n'),
    ("bad-entry", 5, "shows all", HEAD + '[[deal]]\nevents = ["Ben shows some"]\n'),
    ("bad-entry", 5, "KIND", HEAD + '[[deal]]\nstated.steps = ["price 5"]\n'),
    ("bad-entry", 6, "one hand for each", HEAD + '[[deal]]\nhands = ["Ben: EO",\n"Seat2: GO"]\n'),
    ("bad-entry", 6, "one hand for each", HEAD + '[[deal]]\nhands = ["Ben: EO",\n"Ben: EO"]\n'),
    ("bad-entry", 6, "a name before every hand", HEAD + '[[deal]]\nhands = ["Ben: EO",\n"GO"]\n'),
    ("bad-entry", 5, "no declarer", HEAD + '[[deal]]\ngame = "Ben ramsch"\n'),
    ("bad-entry", 5, "neither suit nor card", HEAD + '[[deal]]\ngame = "Ben bettel H"\n'),
    ("bad-entry", 5, "calls no card", HEAD + '[[deal]]\ngame = "Ben solo HA"\n'),
    ("bad-entry", 5, "where later is none of it", HEAD + '[[deal]]\ngame = "Ben solo later"\n'),
    ("unknown-player", 5, "'Bruno' does not begin with the name of a player", HEAD + '[[deal]]\ndealer = "Bruno"\n'),
    ("unknown-player", 5, "'Seat5'", HEAD + '[[deal]]\nwith = "Seat5"\n'),
    ("unknown-player", 7, "Bruno", HEAD + '[[deal]]\ntricks = [\n"Anna: EO",\n"Bruno: GO"]\n'),
    ("ambiguous-player", 5, "'Ben Herz' or with 'Ben'", CLAN + '[[deal]]\ngame = "Ben Herz solo"\n'),
    ("ambiguous-player", 5, "'Herz' or with 'no player'", CLAN + '[[deal]]\ngame = "Herz wenz"\n'),
    ("bad-players", 3, "two players have it", HEAD.replace("Ben", "Anna")),
    ("bad-players", 3, "a word of the record format", HEAD.replace("Ben", "Ramsch")),
    ("bad-players", 3, "a word of the record format", HEAD.replace("Ben", "blind")),
    ("bad-players", 3, "can be seen", HEAD.replace('"Ben"', '" "')),
    ("bad-players", 3, "reads as a card", HEAD.replace("Ben", "Ho")),
    ("bad-players", 3, "reads as a card", HEAD.replace("Ben", "GO") + 'cards = "french"\n'),
    ("bad-players", 3, "are the seats", HEAD.replace("Ben", "Seat4")),
    ("bad-players", 3, "begins with @", HEAD.replace("Ben", "@ben")),
    ("bad-players", 3, "nobody is named", HEAD.replace('"Anna", "Ben", "Cem", "Dora"', "")),
    ("bad-players", 5, "two players have it", HEAD + '[[deal]]\nplayers = ["Anna", "Anna"]\n'),
    ("unknown-card", 6, "'E1' is not a card of the german", HEAD + '[[deal]]\nhands = ["Anna: EO",\n "Ben: GO E1"]\n'),
    ("mixed-letters", 6, "'SQ' is written in english letters", HEAD + '[[deal]]\ntricks = ["S8 S9",\n"SA SQ"]\n'),
    ("mixed-letters", 5, "'c'", HEAD + '[[deal]]\ngame = "Ben solo C"\n'),
    ("mixed-letters", 5, "'c'", HEAD + '[[deal]]\nauction = ["Ben solo C"]\n'),
    ("bad-entry", 5, "each player once", HEAD + "[[deal]]\nstated.payments = { Ben = 1, Seat2 = 1 }\n"),
    ("unknown-contract", 5, "'schieber'", HEAD + '[[deal]]\ngame = "Ben schieber"\n'),
    ("deal-unreadable", 5, "the head of the file", HEAD.replace("/1", "/2") + "\n[[deal]]\n[[deal]]\n"),
]


@pytest.mark.parametrize(("rule", "line", "piece", "text"), BROKEN)
def test_a_finding_names_its_line_and_what_was_expected(rule: str, line: int, piece: str, text: str | bytes) -> None:
    found = [(one.rule, one.source.line if one.source else 0, one.message) for one in findings(text)]
    assert any((rule, line) == one[:2] and piece in one[2] for one in found), found


def test_every_finding_of_records_has_a_row_above() -> None:
    ids = list(severities())
    ours = ids[ids.index("not-utf8") : ids.index("unknown-contract") + 1]
    assert set(ours) <= {rule for rule, *_ in BROKEN}


def test_lines_have_the_same_findings_at_their_line() -> None:
    good = {"format": "schafkopf-record/1", "rules": "bavarian", "players": ["Anna", "Ben", "Cem", "Dora"]}
    lines = [
        json.dumps(good).encode(),
        json.dumps(good | {"delaer": "Anna", "no": "x"}).encode(),
        b"",
        json.dumps(good)[:-1].encode(),
        json.dumps(good)[:-1].encode() + b', "no": 1, "no": 2}',
        b'{"note": "\xff"}',
        json.dumps(good | {"game": "Ben ramsch", "dealer": "Bruno", "stated": 7}).encode(),
        json.dumps(good | {"players": ["Anna", "Anna"]}).encode(),
        json.dumps(good | {"x": {"a": [None]}}).encode(),
        b"7",
        b"[" * 9999,
        json.dumps(good | {"blind": ["EO", "SQ"]}).encode(),
        json.dumps(good | {"no": 9}).encode(),
    ]
    session, first, *found, last = read_lines(b"\n".join(lines), HERE)
    assert isinstance(session, Session)
    assert isinstance(first, Deal)
    assert last.no == 9
    assert last.source == Source("evening.toml", 13, 13, deal=12)
    assert [(one.source.line, one.rule) for one in found if isinstance(one, Finding) and one.source] == [
        (2, "unknown-key"),
        (2, "wrong-type"),
        (4, "syntax"),
        (5, "wrong-type"),
        (6, "not-utf8"),
        (7, "wrong-type"),
        (8, "bad-players"),
        (9, "wrong-type"),
        (10, "syntax"),  # and line 11, no object either
        (12, "mixed-letters"),
    ]


def test_a_key_that_is_null_is_not_there() -> None:
    """DuckDB, polars and pandas write null for every key that another line has."""
    players = ["Anna", "Ben", "Cem", "Dora"]
    bare = {"format": "schafkopf-record/1", "rules": "pub", "players": players, "game": "Ben solo E"}
    line = bare | {"stated": {"payments": [10, None, -10, None]}}
    wide = line | dict.fromkeys(("doubles", "knocks", "tricks", "round", "head", "sits_out", "x"))
    wide |= {"stated": line["stated"] | {"won": None, "points": None, "loser": None}}
    narrow, filled = (list(read_lines(json.dumps(each).encode(), HERE)) for each in (line, wide))
    assert narrow == filled
    assert [type(each) for each in filled] == [Session, Deal]


# --- what one finding costs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken",
    [
        'note = "never closed', 'note = """never closed', "note = '''never closed", "tricks = [", "= 3",
        "no = 1\nno = 1", 'dealer = "Bruno"', "colour = 1", "[deal]", "[house]",
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", [0, 7, 19])
def test_one_broken_block_costs_one_deal(broken: str, place: int) -> None:
    blocks = [f"[[deal]]  # number\nno = {number}\nnote = " + '"""a note\nof two lines"""\n' for number in range(20)]
    blocks[place] = f"[[deal]]\n{broken}\n"
    things = read(HEAD + "".join(blocks))
    assert [thing.no for thing in things if isinstance(thing, Deal)] == [n for n in range(20) if n != place]
    assert len([thing for thing in things if isinstance(thing, Finding)]) == 1
    kept = [thing for thing in things if isinstance(thing, Deal)]
    assert [deal.source.deal for deal in kept if deal.source] == [n + 1 for n in range(20) if n != place]


def test_a_cut_inside_a_text_is_text() -> None:
    _, first, second = read(HEAD + '[[deal]]\nnote = """\n[[deal]]\nno = 3\n"""\n[[deal]]\nno = 2\n')
    assert isinstance(first, Deal)
    assert (first.note, second.no) == ("[[deal]]\nno = 3\n", 2)
    assert second.source == Source("evening.toml", 9, 10, deal=2)


def test_a_broken_head_is_said_once_and_gives_no_deals() -> None:
    things = read(HEAD.replace('rules = "bavarian"', "rules = bavarian") + "[[deal]]\n" * 9)
    assert [(one.rule, one.source.line) for one in things if isinstance(one, Finding) and one.source] == [
        ("syntax", 2),
        ("deal-unreadable", 4),
    ]
    assert len(things) == 2


def test_deals_after_a_lost_change_of_players_are_refused_until_they_are_named_again() -> None:
    new = 'players = ["Anna", "Ben", "Cem", "Emil"]\n'
    blocks = ["no = 1\n", new + 'note = "\n', "no = 3\n", "no = 4\n" + new, "no = 5\n"]
    things = read(HEAD + "".join("[[deal]]\n" + block for block in blocks))
    assert [thing.no for thing in things if isinstance(thing, Deal)] == [1, 4, 5]
    assert [one.rule for one in things if isinstance(one, Finding)] == ["syntax", "deal-unreadable"]


# --- reading --------------------------------------------------------------------------------------------------------


def test_absent_none_and_a_count_are_three_things() -> None:
    assert [only_deal(block).knocks for block in ("", "knocks = []", "knocks = 2")] == [None, (), 2]


def test_what_a_deal_sets_anew_holds_from_there_on() -> None:
    blocks = (
        "",
        'rules = "pub"\nhouse = { price = { solo = 60 } }\nplayers = ["Cem", "Dora", "Emil"]\ndealer = "Emil"',
        'dealer = "Emil"\nhouse.price.wenz = 40',
        'rules = "bavarian"\nhouse = { head = true, deck = 24 }',
        'players = ["Anna", "Ben", "Cem", "Dora"]\nhouse.head = true',
    )
    _, *deals = read(HEAD + "".join(f"[[deal]]\n{block}\n" for block in blocks))
    three = ("Cem", "Dora", "Emil")
    assert [(deal.rules, deal.house, deal.players) for deal in deals if isinstance(deal, Deal)] == [
        (None, None, None),
        ("pub", {"price": {"solo": 60}}, three),
        ("pub", {"price": {"solo": 60, "wenz": 40}}, three),
        (None, {"deck": 24}, three),
        (None, None, None),
    ]
    assert deals[2].dealer == 2


@pytest.mark.parametrize(
    ("said", "game"),
    [
        ("Ben rufspiel E", Game("rufspiel", 1, "E", "EA")),
        ("Ben: Sauspiel auf die Alte", Game("rufspiel", 1, "E", "EA")),
        ("Ben Hundsgfickte", Game("rufspiel", 1, "S", "SA")),
        ("Ben mit der Kugel", Game("rufspiel", 1, "S", "SA")),
        ("Ben rufspiel EZ", Game("rufspiel", 1, "E", "EZ")),
        ("Seat2 Ruf", Game("rufspiel", 1)),
        ("solo", Game("solo")),
        ("Ben Herz Solo TOUT du", Game("solo", 1, "H", None, ("tout", "du"))),
        ("Ben gras-solo 61", Game("solo", 1, "G", None, (), 61)),
        ("Dora suit wenz bells", Game("farbwenz", 3, "S")),
        ("Dora jacks solo", Game("wenz", 3)),
        ("Dora geier ♠", None),
        ("Dora geier grün", Game("farbgeier", 3, "G")),
        ("Ramsch", Game("ramsch")),
        ("None", Game("none")),
        ("Anna none", None),
        ("Ben solo H G", None),
        ("Ben solo tout tout", None),
        ("Ben wenz solo", None),
        ("Ben 61 solo", None),
        ("", None),
    ],
)
def test_games_are_read_by_every_usual_name(said: str, game: Game | None) -> None:
    deals = [thing for thing in read(f'{HEAD}[[deal]]\ngame = "{said}"\n') if isinstance(thing, Deal)]
    assert [deal.game for deal in deals] == ([game] if game else [])


def test_suits_and_cards_are_in_the_letters_of_the_record() -> None:
    english = only_deal('game = "Ben solo S"\nblind = "SQ dj h10"', HEAD + 'cards = "english"\n')
    french = only_deal('game = "Ben rufspiel P"\nblind = "PD cb ♥️Z"', HEAD + 'cards = "french"\n')
    assert (english.game, english.blind) == (Game("solo", 1, "G"), ("GO", "SU", "HZ"))
    assert (french.game, french.blind) == (Game("rufspiel", 1, "G", "GA"), ("GO", "SU", "HZ"))


def test_strings_of_a_deal_are_read() -> None:
    deal = only_deal(
        """
auction = ["Anna: pass", "Ben have-tout", "Cem Solo Herz", "Dora lowest 10", "Seat1 61"]
exchange = ["blind > Anna: E7 G9", "Anna > Skat: S8, S7", "Ben > Cem: EO"]
doubles = ["@1.2 Dora Kontra", "@3 Ben re", "Cem double"]
tricks = ["Anna: S8 S9", "HK ?A", ["GO", "S9"], "Ben GU", "Ben:"]
events = ["@deal Anna shows none", "@3.1 Ben revoke by Cem", "@end Dora exposes s7, S8", "Ben claims the rest"]
stated.steps = ["base 20", "runners -3 50: Ohne drei: teuer", "knocks 1 100"]
stated.points = { Ben = 71 }
"""
    )
    assert deal.auction == (
        Call(0, "pass"),
        Call(1, "have-tout"),
        Call(2, "solo H"),
        Call(3, "lowest Z"),
        Call(0, "61"),
    )
    assert deal.exchange == (Exchange(None, 0, ("E7", "G9")), Exchange(0, None, ("S8", "S7")), Exchange(1, 2, ("EO",)))
    assert deal.doubles == (Double(3, "kontra", 1, 2), Double(1, "re", 3), Double(2, "double"))
    assert deal.tricks == (
        Trick(("S8", "S9"), 0),
        Trick(("HK", "?A")),
        Trick(("GO", "S9")),
        Trick(("GU",), 1),
        Trick((), 1),
    )
    assert deal.events == (
        Event(0, "shows", "deal", "none"),
        Event(1, "revoke", "3.1", None, 2),
        Event(3, "exposes", "end", "S7 S8"),
        Event(1, "claims", None, "the rest"),
    )
    assert deal.stated.steps == (
        PriceStep("base", 20),
        PriceStep("runners", 50, -3, "Ohne drei: teuer"),
        PriceStep("knocks", 100, 1),
    )
    assert deal.stated.points == (None, 71, None, None)


def test_the_longest_name_that_fits_is_the_player() -> None:
    head = HEAD.replace("Cem", "Anna Maria")
    deal = only_deal('auction = ["Anna Maria pass", "Anna pass"]\nhands = ["Anna Maria EO", "Anna: GO"]', head)
    assert deal.auction == (Call(2, "pass"), Call(0, "pass"))
    assert deal.hands == (("GO",), None, ("EO",), None)


def test_a_file_of_another_editor_reads_the_same() -> None:
    text = HEAD + '[[deal]]\ndealer = "Anna"\n'
    dos = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert read(dos) == read(text)
    one = write_line(*line(game="none"))
    assert list(read_lines(b"\xef\xbb\xbf" + one + b"\r\n", HERE)) == list(read_lines(one, HERE))


# --- identity -------------------------------------------------------------------------------------------------------

HANDS = [["EO", "GU"], ["GO", "HO"], ["SO", "EU"], ["HU", "HA"]]


def line(**keys: object) -> tuple[Session, Deal]:
    whole = {"format": "schafkopf-record/1", "rules": "bavarian", "players": ["Anna", "Ben", "Cem", "Dora"], **keys}
    session, deal = read_lines(json.dumps(whole).encode(), HERE)
    assert isinstance(session, Session)
    assert isinstance(deal, Deal), deal
    return session, deal


def test_two_equal_thrown_in_deals_stay_two() -> None:
    session, deal = line(game="none")
    assert identity(session, deal, 1) != identity(session, deal, 2)
    assert identity(session, deal, 1) == identity(*line(game="none", no=1), 1)


def test_the_same_play_is_known_from_another_source() -> None:
    tricks = ["EO GO SO HU", "GU HO EU HA"]
    turned = HANDS[1:] + HANDS[:1]
    here = play_identity(*line(hands=HANDS, dealer="Dora", tricks=tricks))
    others = [
        line(hands=turned, players=["Xaver", "Yannis", "Zenzi", "Toni"], tricks=tricks),
        line(hands=[hand[::-1] for hand in HANDS], tricks=["Anna: " + tricks[0], tricks[1]], dealer="Ben"),
        line(tricks=tricks, note="no hands"),
        line(hands=[*HANDS, []], players=["Anna", "Ben", "Cem", "Dora", "Emil"], sits_out=["Emil"], tricks=tricks),
    ]
    assert {play_identity(*other) for other in others} == {here}
    assert play_identity(*line(tricks=tricks[::-1])) != here


def test_hands_alone_count_from_forehand() -> None:
    here = play_identity(*line(hands=HANDS, dealer="Dora"))
    assert play_identity(*line(hands=HANDS[1:] + HANDS[:1], dealer="Cem")) == here
    assert play_identity(*line(hands=HANDS, dealer="Cem")) != here
    assert play_identity(*line(game="Ben solo H")) is None


# --- writing --------------------------------------------------------------------------------------------------------


def test_what_is_written_reads_well() -> None:
    session, deal = line(
        date="2026-11-14",
        house={"price": {"solo": 50}, "two words": "yes"},
        hands=HANDS,
        game="Ben Sauspiel auf die Blaue",
        tricks=["Anna: EO GO"],
        stated={"payments": [50, 50, -50, None], "won": True},
    )
    assert (
        write_toml(session, [deal])
        == """format = "schafkopf-record/1"
date = 2026-11-14
rules = "bavarian"
players = ["Anna", "Ben", "Cem", "Dora"]

[house]
price = { solo = 50 }
"two words" = "yes"

[[deal]]
hands = [
    "Anna: EO GU",
    "Ben: GO HO",
    "Cem: SO EU",
    "Dora: HU HA",
]
game = "Ben rufspiel G"
tricks = [
    "Anna: EO GO",
]
stated.won = true
stated.payments = { Anna = 50, Ben = 50, Cem = -50 }
"""
    )
    assert json.loads(write_line(session, deal))["stated"]["payments"] == [50, 50, -50, None]


def test_names_that_could_mislead_are_written_by_seat() -> None:
    session = Session(players=("Anna", "Anna Maria", "Herz", "Dora"), rules="bavarian")
    deal = Deal(auction=tuple(Call(seat, "pass") for seat in range(4)), dealer=0)
    told = json.loads(write_line(session, deal))
    assert told["auction"] == ["Seat1 pass", "Seat2 pass", "Seat3 pass", "Dora pass"]
    assert told["dealer"] == "Anna"


@pytest.mark.parametrize("players", [("-", "B", "C", "D"), (",", "B", "C", "D"), ("Anna,", "Anna", "C", "D")])
def test_names_of_signs_alone_and_with_a_comma_at_the_end_are_read_back(players: tuple[str, ...]) -> None:
    session = Session(players=players, rules="bavarian")
    for seat, contract in ((0, "wenz"), (1, "solo")):
        deal = Deal(game=Game(contract, seat, "E" if contract == "solo" else None), knocks=(seat,))
        (_, back) = read(write_toml(session, [deal]))
        assert (back.game, back.knocks) == (deal.game, deal.knocks)


def test_the_schema_is_whole() -> None:
    text = json.dumps(json_schema())
    parts = json_schema()["$defs"]
    assert {"SessionFile", "Deal", "Line", "Stated"} <= set(parts)
    assert all(f'"{name}"' in text for name in parts)
    assert "stated" in parts["Deal"]["properties"]
    assert parts["Deal"]["additionalProperties"] is False


@pytest.mark.parametrize("depth", [60, 600, 60_000])
def test_deep_nesting_is_a_finding(depth: int) -> None:
    tables = HEAD + "[[deal]]\nx = { a = " + "[" * depth + "]" * depth + " }\n"
    start = '{"format": "schafkopf-record/1", "rules": "bavarian", "players": ["Anna"], "x": '
    line_of_it = start + '{"a":' * depth + "1" + "}" * depth + "}"
    assert [one.rule for one in findings(tables)] in (["wrong-type"], ["syntax"])
    assert isinstance(list(read_lines(line_of_it.encode(), HERE))[-1], Finding)


# --- as importers see it --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["Anna rufspiel G", "Anna rufspeil G"])
def test_a_reading_that_is_given_up_keeps_nothing_in_memory(game: str) -> None:
    block = f'[[deal]]\ngame = "{game}"\nauction = ["Anna play", "Ben pass", "Cem pass", "Dora pass"]'
    read(f"{HEAD}\n{block}")
    gc.disable()
    try:
        gc.collect(0)  # what is there before is old from here on, and only what is new is looked through
        read(f"{HEAD}\n{block}")
        assert gc.collect(0) == 0
    finally:
        gc.enable()


def test_lines_are_read_one_at_a_time() -> None:
    session, deal = line(game="none")
    asked = []

    def source() -> Iterator[bytes]:
        for number in range(3):
            asked.append(number)
            yield write_line(session, deal) + b"\n"

    things = read_lines(source(), HERE)
    assert [type(next(things)), type(next(things)), asked] == [Session, Deal, [0]]


def test_a_session_is_told_again_where_the_head_changes() -> None:
    (one, deal), (other, _) = line(), line(event="another")
    lines = [write_line(session, deal) for session in (one, one, other, one)]
    assert [type(thing) for thing in read_lines(b"\n".join(lines), HERE)] == [
        *(Session, Deal, Deal),
        *(Session, Deal),
        *(Session, Deal),
    ]


def test_files_are_known_by_what_only_they_hold_and_not_by_their_name() -> None:
    session, deal = line(game="none")
    page, one = write_toml(session, [deal]).encode(), write_line(session, deal)
    files = [
        ("evening.txt", page),
        ("evening.txt", page.decode().encode("utf-16")),
        ("evening.txt", b"[[deal]]"),  # to be told that its format is not given
        ("deals", one),
        ("deals", b"\n{\n\xef\xbb\xbf" + one),  # a first line that is broken
        ("deals", b'{"players": [], "rules": ""}'),
        ("evening.toml", b"[columns]"),
        ("deals.jsonl", b'{"players": []}'),
        ("log.txt", b"Spiel 1"),
    ]
    assert [record_toml.matches(*file) for file in files] == [True] * 3 + [False] * 6
    assert [record_lines.matches(*file) for file in files] == [False] * 3 + [True] * 3 + [False] * 3
    assert len(list(record_toml.read(page, HERE))) == len(list(record_lines.read(one, HERE))) == 2


def test_lines_that_follow_each_other_with_the_same_wrong_head_are_told_once() -> None:
    good = b'{"format": "schafkopf-record/1", "rules": "bavarian", "players": ["Anna", "Ben"]}\n'
    bad = good.replace(b"Anna", b"Ramsch")
    data = bad + b"\n" + bad + b"{\n}\n]\n" + bad + good
    found = [(one.rule, one.source) for one in read_lines(data, HERE) if isinstance(one, Finding)]
    assert [(rule, where.line, where.end_line, where.deal) for rule, where in found if where] == [
        ("bad-players", 1, 3, 1), ("syntax", 4, 4, 3), ("syntax", 5, 6, 4), ("bad-players", 7, 7, 6),
    ]  # fmt: skip


def test_a_key_of_very_many_parts_is_refused_and_not_waited_for() -> None:
    (found,) = findings("a." * 100_000)
    assert (found.rule, found.message) == ("syntax", "the values are nested too deeply")


@pytest.mark.parametrize("part", ["[t{0}]\n", "k{0} = 1\n", "# {0}\n", "x{0:05}={0}, "])
def test_a_head_longer_than_any_is_refused_and_not_taken_apart(part: str) -> None:
    (found,) = findings("".join(map(part.format, range(60_000))))
    why = "the head or deal has more than 5000 lines or 262144 bytes"
    assert (found.rule, found.message, found.source and found.source.line) == ("syntax", why, 1)


def test_of_many_unknown_keys_each_is_named_and_what_few_may_mean_is_guessed() -> None:
    line = {"format": "schafkopf-record/1", "players": ["Anna", "Ben", "Cem", "Dora"]}
    raw = json.dumps(line | {f"delaer{n}": 1 for n in range(300)}).encode()
    told = [one.message for one in read_lines(raw, HERE) if isinstance(one, Finding)]
    assert len(told) == 300
    assert sum("dealer" in message for message in told) == GUESSES
