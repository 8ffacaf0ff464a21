"""Deals typed as lines of words, in a text file or in a chat, as `docs/formats/typed-lines.md` describes it.

A line `Spieler: Hans, Toni, Sepp, Maria` begins a session; each line after it that tells a deal is one. Of a chat that
WhatsApp exported, the lines are those of its messages. What is no deal is counted.
"""

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from archive.notation.game_words import NO_GAME, ContractWords, contract_words, usual_words, words_of_rules
from archive.notation.names import is_printed
from archive.notation.spoken_deal import SpokenDeal, read_spoken_deal
from archive.notation.spoken_line import begins_like_deal
from archive.notation.tariff import usual_tariff
from archive.record import Deal, Double, Finding, Session, Source, Stated, finding
from archive.say import message
from importers.dates import DATE, date_of, date_of_numbers, is_month_first
from importers.text import numbered_lines

NAME = "typed-lines"

RULES = "pub"  # where nobody names any
MONEY = re.compile(r"\d[.,]\d\d?(?!\d)|\d ?€|\d Euro?s?\b", re.IGNORECASE)
EUROS = ("€", "eur", "euro", "euros")
CENTS = "unit: amounts have decimals or a € sign, so that they are euros, and are kept in cents"
THREE = {"seats": 3, "deck": 24}  # the pack of a table of three
THREE_SEATS = "house.seats: three sit at the table, who play with 24 cards"
UNNAMED = f"rules: nobody names any; {RULES} is what most tables play"
COMMENT = "#"
FEWEST, MOST = 3, 9  # players
LONGEST_HEAD = 200  # characters of a line of the head
BLANK = r"[ \u00a0\u202f]"
CLOCK = rf"(?P<hour>\d{{1,2}})[:.]\d\d(?:[:.]\d\d)?(?:{BLANK}?(?P<half>[AaPp])\.?{BLANK}?[Mm]\.?)?"
MESSAGE = re.compile(
    rf"[\u200e\u200f]*\[?(?P<one>\d{{1,4}})[./-](?P<two>\d{{1,2}})[./-](?P<three>\d{{1,4}}),?{BLANK}{{1,2}}{CLOCK}"
    rf"(?:\]|{BLANK}[-–])[ \u200e]*(?:(?P<author>[^:]{{1,60}}):(?:{BLANK}|$))?(?P<text>.*)"
)
EDITED = re.compile(r"[\s\u200e]*<[^<>]{1,60}>$")  # behind a message that was changed after it was sent
DAWN = 6  # the hour until which an evening goes on
HEAD = re.compile(r"(?P<key>[^\W\d_][^:=]{1,20}?)\s*[:=]\s*(?P<value>\S.*)")
NAMES = re.compile(r"[,;]|\s(?:und|and|&)\s")
WAYS_OF_DATES = re.compile(r"(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4})")


class TypedLine(NamedTuple):
    """A line with its number; of a chat, the day and the hour of its message."""

    number: int
    text: str
    day: str | None = None
    is_chat: bool = False
    hour: int = 0


class Evening(Struct):
    """A session while its lines are read."""

    head: dict[str, str]
    line: int
    players: tuple[str, ...]
    words: ContractWords
    deals: int = 0
    night: datetime.date | None = None  # of the last deal, in a chat

    @property
    def whole_euros(self) -> bool:
        """Whether amounts without decimals are euros too."""
        return self.head.get("unit", "").casefold() in EUROS


def matches(name: str, head: bytes) -> bool:
    """Whether a line among the first bytes of a file names the players."""
    if b"\0" in head or head.lstrip()[:1] in (b"<", b"{", b"[[") or b"[[deal]]" in head:
        return False
    return any(players_of(line.text) for line in typed_lines(head))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """A session for each line that names the players, with the deals of the lines after it; a finding for a line that
    begins like a deal and is not understood, and one that counts all others."""
    evening: Evening | None = None
    passed: list[int] = []
    any_deal = False
    lines = list(typed_lines(data))
    folder = Path(source.path).parent
    for line in lines:
        if line.text.startswith(COMMENT):
            continue
        at = replace(source, line=line.number, end_line=line.number)
        if (pair := head_pair(line.text)) and (evening or pair[0] == "players"):
            evening = with_head(evening, pair, line, folder)
            if pair[0] == "date" and day_in(pair[1]) is None and line.is_chat:
                passed.append(line.number)
            elif pair[0] == "date" and day_in(pair[1]) is None:
                yield finding("bad-entry", at, key="date", entry=pair[1], expected=message("importers.date"))
            continue
        if evening is None or not may_tell_deal(line, evening):
            passed.append(line.number)
            continue
        if line.is_chat and is_of_another_evening(evening, line):
            head = evening.head | {"date": line.day or ""}
            evening = Evening(head, line.number, evening.players, evening.words)
        at = replace(at, deal=evening.deals + 1)
        spoken = read_spoken_deal(line.text, evening.words, evening.players, at)
        if not isinstance(spoken, Finding) and line.is_chat and not is_whole(spoken):
            passed.append(line.number)
            continue
        if evening.deals == 0:
            yield session_of(evening, source, has_euros(lines, evening))
        evening.deals, evening.night = evening.deals + 1, night_of(line)
        any_deal |= not isinstance(spoken, Finding)
        yield spoken if isinstance(spoken, Finding) else seated_deal(spoken, evening.players, evening.whole_euros, at)
    if not any_deal:
        yield finding("no-deals", source)
    if passed:
        at = replace(source, line=passed[0], end_line=passed[-1])
        yield finding("lines-without-deal", at, n=len(passed))


def typed_lines(data: bytes) -> Iterator[TypedLine]:
    """The lines of a text, without what a chat puts before and behind its messages."""
    lines = [(number, text, MESSAGE.match(text)) for number, text in numbered_lines(data)]
    dates = [sent for _, _, sent in lines if sent]
    pairs = ((int(sent["one"]), int(sent["two"])) for sent in dates if len(sent["one"]) < len("2026"))
    month_first = is_month_first(pairs, is_usual=any(sent["half"] for sent in dates))
    day, is_chat, hour = None, False, 0
    for number, text, sent in lines:
        if sent:
            day, is_chat = date_of_numbers(sent["one"], sent["two"], sent["three"], month_first), True
            hour = int(sent["hour"]) % 12 + 12 * (sent["half"] in "Pp") if sent["half"] else int(sent["hour"])
            text = EDITED.sub("", sent["text"]).strip("\u200e\u200f ") if sent["author"] else ""
        yield TypedLine(number, text, day, is_chat, hour)


def is_of_another_evening(evening: Evening, line: TypedLine) -> bool:
    """Whether a message was sent on another evening than that of the last deal."""
    return evening.deals > 0 and None not in (evening.night, night_of(line)) and evening.night != night_of(line)


def night_of(line: TypedLine) -> datetime.date | None:
    """The day on which the evening began that a message was sent in."""
    if line.day is None:
        return None
    return datetime.date.fromisoformat(line.day) - datetime.timedelta(days=line.hour < DAWN)


def day_in(text: str) -> str | None:
    """The ISO date that a text has, in numbers or with the name of the month; None where it has none."""
    if match := WAYS_OF_DATES.search(text):
        return date_of_numbers(match[1], match[2], match[3], False)
    return date_of(match) if (match := DATE.search(text)) else None


# --- the head ---------------------------------------------------------------------------------------------------------


def head_pair(text: str) -> tuple[str, str] | None:
    """The key and the value of a line of the head."""
    match = HEAD.fullmatch(text) if len(text) <= LONGEST_HEAD else None
    key = usual_words()["head"].get(match["key"].casefold()) if match else None
    if match is None or key is None or (key == "players" and not players_of(text)):
        return None
    return key, match["value"].strip()


def players_of(text: str) -> tuple[str, ...]:
    """The players that a line of the head names; none where it is no such line."""
    match = HEAD.fullmatch(text) if len(text) <= LONGEST_HEAD else None
    if match is None or usual_words()["head"].get(match["key"].casefold()) != "players":
        return ()
    names = tuple(name.strip() for name in NAMES.split(match["value"]))
    usable = all(name and is_printed(name) and not set(name) & set('"[]{}<>:|') for name in names)
    return names if usable and FEWEST <= len(names) <= MOST and len(set(names)) == len(names) else ()


def with_head(evening: Evening | None, pair: tuple[str, str], line: TypedLine, folder: Path) -> Evening:
    """The evening as a line of the head changes it; after deals it begins another."""
    key, value = pair
    head = dict(evening.head) if evening else {}
    if evening is None or evening.deals or key == "players":
        head.pop("date", None)
        head |= {"date": line.day} if line.day else {}
        players, words = (evening.players, evening.words) if evening else ((), contract_words())
        evening = Evening(head, line.number, players, words)
    if key == "players":
        evening.players = players_of(f"players: {value}")
    elif key == "date":
        evening.head |= {"date": day} if (day := day_in(value)) else {}
    else:
        evening.head[key] = usual_tariff(value) if key == "tariff" else value
        evening.words = words_of_rules(value, folder) if key == "rules" else evening.words
    return evening


def has_euros(lines: list[TypedLine], evening: Evening) -> bool:
    """Whether amounts of an evening are euros: its unit is, or one of its lines of deals has decimals or a € sign."""
    if evening.whole_euros:
        return True
    after = [line for line in lines if line.number >= evening.line]
    end = next((line.number for line in after[1:] if players_of(line.text)), after[-1].number + 1)
    return any(
        MONEY.search(line.text) and not head_pair(line.text) and may_tell_deal(line, evening)
        for line in after
        if line.number < end
    )


def session_of(evening: Evening, source: Source, euros: bool) -> Session:
    head = evening.head
    inferred = [] if "rules" in head else [UNNAMED]
    inferred += [CENTS] if euros and not evening.whole_euros else []
    of_three = "rules" not in head and len(evening.players) == THREE["seats"]
    inferred += [THREE_SEATS] if of_three else []
    return Session(
        source=replace(source, line=evening.line, end_line=evening.line),
        players=evening.players,
        rules=head.get("rules", RULES),
        house={"tariff": head.get("tariff", "unknown"), **(THREE if of_three else {})},
        date=head.get("date"),
        place=head.get("place"),
        event=head.get("event"),
        unit="ct" if euros else head.get("unit"),
        inferred=tuple(inferred) or None,
    )


# --- deals ------------------------------------------------------------------------------------------------------------


def may_tell_deal(line: TypedLine, evening: Evening) -> bool:
    """Whether a line is one that is read: it tells of a game, which in a chat it begins with, or nobody played."""
    text = " ".join(line.text.casefold().strip(" .!").split())
    nobody_played = text in usual_words()["no-game"] and not (line.is_chat and text == "weiter")
    return nobody_played or begins_like_deal(line.text, evening.words, evening.players if line.is_chat else None)


def is_whole(spoken: SpokenDeal) -> bool:
    """Whether a line of a chat says who played, so that it is no talk about a game."""
    return spoken.game.contract in NO_GAME or bool(spoken.declarer or "loser" in spoken.stated)


def seated_deal(spoken: SpokenDeal, players: tuple[str, ...], whole_euros: bool, source: Source | None) -> Deal:
    """The deal that a line tells, with seats for the names of the players, and cents for whole euros."""
    each = 100 if whole_euros and not spoken.in_cents else 1
    seats = {name: seat for seat, name in enumerate(players)}
    stated: dict[str, Any] = dict(spoken.stated)
    if "loser" in stated:
        stated["loser"] = seats[stated["loser"]]
    if isinstance(stated.get("virgins"), tuple):
        stated["virgins"] = tuple(seats[name] for name in stated["virgins"])
    if isinstance(spoken.payments, dict):
        paid = [spoken.payments.get(name) for name in players]
        stated["payments"] = tuple(None if amount is None else amount * each for amount in paid)
    elif spoken.payments:
        stated["payments"] = tuple(amount * each for amount in spoken.payments)
    doubles: tuple[Double, ...] | int | None = None
    if spoken.doubles is not None:
        named = tuple(Double(seats[name], word) for word, name in spoken.doubles if name is not None)
        doubles = named if len(named) == len(spoken.doubles) else len(spoken.doubles)
    knocks = spoken.knocks
    return Deal(
        source=source,
        dealer=None if spoken.dealer is None else seats[spoken.dealer],
        knocks=tuple(seats[name] for name in knocks) if isinstance(knocks, tuple) else knocks,
        game=replace(spoken.game, declarer=None if spoken.declarer is None else seats[spoken.declarer]),
        partner=None if spoken.partner is None else seats[spoken.partner],
        doubles=doubles,
        round=spoken.round,
        stated=Stated(**stated) if stated else None,
    )
