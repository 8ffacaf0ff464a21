"""Deals typed as lines of words, in a text file or in a chat, as `docs/formats/typed-lines.md` describes it.

A line `Spieler: Hans, Toni, Sepp, Maria` begins a session; each line after it that tells a deal is one. In a chat the
lines are those of its messages. Other lines are counted."""

import datetime
import re
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import takewhile
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from archive.notation.game_words import contract_words, other_game, usual_words
from archive.notation.list_marks import without_mark, without_pictures
from archive.notation.seated_deal import seated_deal
from archive.notation.spoken_line import begins_like_deal
from archive.notation.tariff import is_paid
from archive.record import Deal, Finding, Session, Source, finding
from archive.record.names import name_key
from archive.say import Message, message
from importers.chat_messages import TypedLine, json_lines, may_be_chat, strings_of, typed_lines
from importers.dates import DATE, DAY, MONTH_NAMES, NAMED_MONTHS, WEEKDAY, WEEKDAYS, date_of, iso_day
from importers.keyed_deals import deals_in_words, with_words_for_abbreviations
from importers.marked_text import tells_deal_of_somebody
from importers.player_lines import (
    deals_of_player_lines,
    parted_totals,
    totals_below,
    why_no_deals,
    with_totals,
)
from importers.player_lists import (
    bare_heads,
    day_in,
    head_pair,
    is_tariff_alone,
    is_unread_list,
    marked_heads,
    players_of,
    with_heads_together,
)
from importers.text import COPIED_PAGE, as_utf8
from importers.typed_deals import (
    MONEY,
    added_deal,
    deal_of_line,
    is_sum,
    may_tell_deal,
    sums_below,
    with_line_below,
)
from importers.typed_heads import (
    BY_AMOUNTS,
    GIVEN,
    SIGNED,
    WORDS,
    Evening,
    day_before,
    may_tell_deals,
    names_by_amounts,
    paid_names,
    session_of,
    with_head,
)
from importers.typed_questions import ask_what_counts, question_about

NAME = "typed-lines"

COMMENT = "#"
DAWN = 6  # the hour until which an evening goes on
FIRST = 3  # lines of a text without a head, each of which tells a deal
SEPARATED = re.compile(r"[;\t]|,\S")  # the cells of a table
OF_EVENINGS = "schafkopf|schafkopfabend|kartenabend|spielabend|spieltag|abend|runde|evening|am|vom|den|on"
DAY_LINE = re.compile(  # a day that begins an evening, with the place or the hour behind it
    rf"[#*_=\s–-]*(?:\d\d?\.\s(?=\D))?(?:(?:{WEEKDAYS}|{OF_EVENINGS})\b(?:\s\d\d?\b)?[.,:]*(?:\s+[–-])?\s+){{0,3}}"
    rf"(?P<date>{DATE.pattern}|(?P<short>\d\d?\.\s?"
    rf"(?:\d\d?\.|(?:{NAMED_MONTHS})\b\.?)))[*_=:,;.\s–-]*(?P<behind>|[(\[].*|(?:bei|beim|im|in|am|auf|ab|at|in)\s.*"
    r"|\d\d?[:.]\d\d(?:\s?Uhr)?.*|\d\d?\s?Uhr.*)",
    re.IGNORECASE,
)
BEGINNINGS = (("mo",), ("di", "tu"), ("mi", "we"), ("do", "th"), ("fr",), ("sa",), ("so", "su"))  # of weekdays


def matches(name: str, head: bytes) -> bool:
    """Return whether a line among the first bytes of a file names the players, or a message of a chat tells a deal."""
    head = as_utf8(head)
    if b"\0" in head or head.lstrip()[:1] == b"<" or b"[[deal]]" in head:
        return False
    if may_be_chat(head):
        texts = strings_of(head) if isinstance(lines := json_lines(head), Message) else (line.text for line in lines)
        return any(players_of(text) or tells_deal_of_somebody(text) for text in texts)
    if head.lstrip()[:1] == b"{":
        return False
    lines = marked_heads(typed_lines(head))
    if any(players_of(line.text) for line in lines):
        return True
    if any(line.is_chat for line in lines):
        lines = deals_of_player_lines(lines)
        likely = may_tell_deals(lines)
        return likely and (any(tells_deal_of_somebody(line.text) for line in lines) or bool(names_by_amounts(lines)))
    if re.search(COPIED_PAGE, head):
        return False
    first = lines[:FIRST]
    if first and all(tells_deal_of_somebody(line.text) or paid_names(line.text) for line in first):
        return not any(SEPARATED.search(line.text) for line in first)
    if any(players_of(line.text) for line in bare_heads(lines)):
        return True
    lines = deals_of_player_lines(lines)
    return bool(SIGNED.search("\n".join(line.text for line in lines)) and names_by_amounts(lines))


def read(data: bytes, source: Source, players: tuple[str, ...] = ()) -> Iterator[Session | Deal | Finding]:
    """Yield a session for each line that names the players, with the deals of the lines after it; a finding for a line
    that begins like a deal and is not understood, and one that counts all others. `players` are those of a text that
    names none."""
    lines = lines_of(data)
    if isinstance(lines, Message):
        yield finding("syntax", source, why=lines)
        return
    if other := line_of_other_game(lines):
        (line, game), key = other, "game"
        expected = message("importers.lines-of-other-game", game=game)
        yield finding("bad-entry", lines_at(source, [line.number]), key=key, entry=line.text, expected=expected)
        return
    lines, evening = mark_head(deals_of_player_lines(lines), players)
    unread = Unread([], [])
    items = [*read_lines(lines, evening, source, unread)]
    known = {name_key(name) for item in items if isinstance(item, Session) for name in item.players}
    if not unread.any_deal and (why := why_no_deals(lines, known)):
        yield finding("sheet-unreadable", source, why=why)
        return
    yield from items
    if unread.headless:
        yield finding("no-players", lines_at(source, unread.headless), n=len(unread.headless))
    elif not unread.any_deal:
        yield finding("no-deals", source)
    if unread.passed:
        yield finding("lines-without-deal", lines_at(source, unread.passed), n=len(unread.passed))


class Unread(Struct):
    """The numbers of lines that were passed over, and of those that tell deals of nobody knows whom; and whether any
    deal was read."""

    passed: list[int]
    headless: list[int]
    any_deal: bool = False


def lines_at(source: Source, lines: Sequence[int]) -> Source:
    """Return the place of some lines of a file."""
    return replace(source, line=lines[0], end_line=lines[-1])


def read_lines(
    lines: Sequence[TypedLine], evening: Evening | None, source: Source, unread: Unread
) -> Iterator[Session | Deal | Finding]:
    """Yield the sessions, deals and findings of lines with a marked head; `unread` gets the rest."""
    waiting, folder = deque(lines), Path(source.path).parent
    while waiting:
        line = waiting.popleft()
        pair, at = head_of_line(line, evening), lines_at(source, [line.number])
        if pair is None and line.text.startswith(COMMENT) and without_mark(line.text) == line.text:
            continue
        if not line.is_chat and is_unread_list(line.text):
            yield finding("bad-entry", at, key="players", entry=line.text, expected=message("importers.player-list"))
            continue
        if pair:
            evening = with_head(evening, pair, line, folder)
            if pair[0] == "date" and day_in(pair[1]) is None and line.is_chat:
                unread.passed.append(line.number)
            elif pair[0] == "date" and day_in(pair[1]) is None:
                yield finding("bad-entry", at, key="date", entry=pair[1], expected=message("importers.date"))
            continue
        if evening is None:
            is_deal = tells_deal_of_somebody(line.text) and not line.is_left_out
            (unread.headless if is_deal else unread.passed).append(line.number)
            continue
        while waiting and (whole := with_line_below(line, waiting[0], evening)):
            line, at = whole, replace(at, end_line=waiting.popleft().number)
        if below := sums_below(line, waiting, evening):
            unread.passed += [line.number, *(waiting.popleft().number for _ in range(below))]
            continue
        if parted := parted_totals(line, evening):
            line = line._replace(text=parted[0], is_left_out=not parted[0])
        spoken = ask_what_counts(deal_of_line(line, evening, at), line, lines, evening)
        if (spoken is None or isinstance(spoken, Finding)) and (why := question_about(line, evening, waiting)):
            at = replace(at, deal=evening.deals or None)
            yield finding("bad-entry", at, key="deal", entry=line.text, expected=why)
            continue
        if spoken is None or is_sum(spoken, evening):
            unread.passed.append(line.number)
            continue
        if line.is_chat and is_of_another_evening(evening, line):
            head = evening.head | {"date": line.day or ""}
            evening = Evening(head, line.number, evening.players, evening.words, notes=evening.notes)
        if evening.deals == 0:
            if line.is_chat and line.day:
                evening.head.setdefault("date", line.day)
            yield session_of(evening, source, has_euros(lines, evening))
        evening.deals, evening.night = evening.deals + 1, night_of(line)
        at = replace(at, deal=evening.deals)
        evening.last = "" if isinstance(spoken, Finding) else line.text
        if isinstance(spoken, Finding):
            yield replace(spoken, source=at)
            continue
        deal = seated_deal(spoken, evening.players, evening.whole_euros, at)
        paid = [amount for amount in (deal.stated and deal.stated.payments) or () if amount]
        if deal.game is None and paid and not is_paid(paid):
            expected = message("importers.amounts-of-a-deal")
            yield finding("bad-entry", at, key="deal", entry=line.text, expected=expected)
            continue
        unread.any_deal = True
        yield added_deal(with_totals(deal, parted[1] if parted else totals_below(waiting, evening)), evening)


def head_of_line(line: TypedLine, evening: Evening | None) -> tuple[str, str] | None:
    """Return the key and the value of a line of the head, also of one with nothing but a tariff, before the first deal,
    or the day of another evening; None for any other line."""
    pair = None if line.is_left_out or line.text.startswith(COMMENT) else head_pair(line.text)
    if pair or evening is None or line.is_left_out:
        return pair if evening or (pair and pair[0] == "players") else None
    if evening.deals == 0 and "tariff" not in evening.head and is_tariff_alone(bare := without_mark(line.text)):
        return "tariff", without_pictures(bare)
    day = (
        None
        if line.is_chat or is_tariff_alone(line.text)
        else day_of_line(without_pictures(line.text), evening.head.get("date"))
    )
    if day is None or day == evening.head.get("date") or begins_like_deal(line.text, evening.words, None):
        return None
    return "date", day or line.text


def lines_of(data: bytes) -> list[TypedLine] | Message:
    """Return the lines of a text or of a chat, or why a file of JSON has none."""
    return json_lines(data) if may_be_chat(data) else with_words_for_abbreviations(deals_in_words(typed_lines(data)))


def mark_head(lines: list[TypedLine], players: tuple[str, ...]) -> tuple[list[TypedLine], Evening | None]:
    """Return the lines with their head marked, and the evening that they belong to from the first on, or None unless
    the players are given or told by the amounts."""
    lines, first = marked_heads(lines), lines[0].number if lines else 1
    if players and not any(players_of(line.text) for line in lines):
        return lines, Evening({}, first, players, contract_words(), notes=(GIVEN,))
    marked = bare_heads(lines)
    if any(players_of(line.text) for line in marked):
        return with_heads_together(marked), None
    names = names_by_amounts(lines)
    return lines, Evening(day_before(lines), first, names, contract_words(), notes=(BY_AMOUNTS,)) if names else None


def is_of_another_evening(evening: Evening, line: TypedLine) -> bool:
    """Return whether a message was sent on another evening than that of the last deal."""
    return evening.deals > 0 and None not in (evening.night, night_of(line)) and evening.night != night_of(line)


def night_of(line: TypedLine) -> datetime.date | None:
    """Return the day on which the evening of a message began, or None if the message has no day."""
    if line.day is None:
        return None
    return datetime.date.fromisoformat(line.day) - datetime.timedelta(days=line.hour < DAWN)


def line_of_other_game(lines: Sequence[TypedLine]) -> tuple[TypedLine, str] | None:
    """Return the line above all amounts that names another card game, or has a word of it alone, and that game; None
    if a line names ours."""
    above = takewhile(lambda line: not paid_names(line.text), lines)
    games = ((line, other_game([line.text], WORDS.findall(line.text))) for line in above)
    named = next(((line, game) for line, game in games if game), None)
    words = {word for line in lines if named for word in WORDS.findall(line.text.casefold())}
    return named if words.isdisjoint(usual_words()["other-games"]["ours"]) else None


def has_euros(lines: Sequence[TypedLine], evening: Evening) -> bool:
    """Return whether amounts of an evening are euros: by its unit, or by decimals or a € sign in a line of a deal."""
    if evening.whole_euros:
        return True
    after = [line for line in lines if line.number >= evening.line]
    end = next((line.number for line in after[1:] if players_of(line.text)), after[-1].number + 1)
    return any(
        MONEY.search(without_mark(line.text))
        and not head_pair(line.text)
        and may_tell_deal(line, evening)
        and (begins_like_deal(line.text, evening.words, None) or paid_names(line.text))
        for line in after
        if line.number < end
    )


def day_of_line(text: str, before: str | None) -> str | None:
    """Return the ISO date of a line that tells a day alone, or with the place or the hour behind it: without a year the
    next such day from the ISO date `before` on, "" if that is unknown or another weekday; None for any other line."""
    match = DAY_LINE.fullmatch(text)
    if match is None:
        return None
    if not match["short"]:
        return date_of(match) or ""
    day = re.fullmatch(DAY, match["short"])
    if before is None or day is None:
        return ""
    number = MONTH_NAMES[day["name"].casefold()] if day["name"] else int(day["month"])
    first = int(before[:4])
    days = [each for year in (first, first + 1) if (each := iso_day(year, number, int(day["day"]))) and each >= before]
    named = re.match(WEEKDAY, text)
    fits = days and (named is None or named[0][:2].casefold() in BEGINNINGS[date.fromisoformat(days[0]).weekday()])
    return days[0] if fits else ""
