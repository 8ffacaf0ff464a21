"""Lines that name the players of a text with a deal a line, however somebody writes them: `Spieler: Hans, Toni, Sepp`,
the names below one another, or names alone above their deals; with a date before them or a tariff behind them."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from archive.notation.game_words import contract_words, ruleset_called, usual_words
from archive.notation.list_marks import without_mark, without_pictures
from archive.notation.spoken_line import (
    begins_like_deal,
    begins_with_name,
    known_words,
    names_player_and_game,
    words_of_line,
)
from archive.notation.spoken_people import surnames_of_results
from archive.notation.tariff import AMOUNT, is_tariff
from archive.record.names import is_like_name, is_name_of_line, one_form, split_names, without_end
from importers.chat_messages import TypedLine
from importers.dates import DATE, date_of, date_of_numbers

FEWEST, MOST = 3, 9  # players
PHRASE = re.compile(r"(?!(?:von|van|zu|dem?|der|die|da|unser\w*|mei\w*) )[a-zäöü]\w* [a-zäöü]\w* ")  # begins small
FEW = 4  # names of one word, of which a list without signs between them may have so many
LONGEST_HEAD = 200  # characters of a line of the head
AROUND = 3  # lines before and after names alone that may belong to the head
NEXT = 12  # lines after them, one of which tells a deal
RECENT = range(15, 40)  # years of two digits in which somebody may have written a day
HEAD = re.compile(r"(?P<key>[^\W\d_][^:=]{1,20}?)\s*[:=]\s*(?P<value>\S.*)")
WAYS_OF_DATES = re.compile(r"(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4})")
LISTED = re.compile(r", | [-–—·|+&] |[/|]| (?:und|and) ")
TARIFF_WORDS = r"(?:grund|spiel)?tarif|tariff|preise?|einsatz|stakes?"  # before a tariff
TARIFF = re.compile(rf"{AMOUNT}(?: ?/ ?{AMOUNT}){{1,3}}(?: ?(?:ct|cents?|€|euro?))?", re.IGNORECASE)
CELLS = re.compile(r";\S|\t|,\S")  # a row of a table
STAKES = re.compile(  # a line with a tariff, and what stands behind it
    rf"(?:{TARIFF_WORDS})(?:\s(?:wie|immer|üblich|heute?|ist|is|as|usual))*"
    r"\s*[:=]?\s*(?P<stakes>\d.*?)(?:, (?P<behind>\D.*))?",
    re.IGNORECASE,
)
DAY_ALONE = re.compile(
    r"(?:[^\W\d_]{2,10},? ?){0,2}(?:\d{1,4}(?:[./] ?\d{1,2}[./] ?|\. ?[^\W\d_]{3,9}\.? )\d{1,4}\.?|\d{4}-\d\d-\d\d)"
)
BEHIND = re.compile(  # the names: the tariff, the date
    rf"[\s,;.(|–-]*(?:\b(?:{TARIFF_WORDS})\s*[:=]?\s*(?P<keyed>{AMOUNT}(?:-{AMOUNT}){{1,2}})"
    rf"|(?:\b(?:{TARIFF_WORDS}|um)\s*[:=]?\s*)?(?P<tariff>{TARIFF.pattern})"
    r"|(?:\bam )?(?P<day>\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{2,4})(?:,? (?:im|beim|bei|in|at) [^\d,;:]{2,30})?)\)?[\s.]*$"
    r"|\s*\((?P<aside>(?=[^()]*(?:[\d,]|(?-i:\s[a-zäöüß])))[^()]{5,})\)$",
    re.IGNORECASE,
)
BARE_KEYS = r"(?:spieler|players|teilnehmer|es spielen|es spielten)(?=\s)"
LEADS = (  # to names alone
    re.compile(r"\b(?i:mit|with|sind|samma|san|are|waren|spielen|spuin|spielten)\s+|:\s+"),
    re.compile(rf"^\D{{0,20}}{WAYS_OF_DATES.pattern}\s+"),
    re.compile("^"),
    re.compile(r"[–—-]\s+|\("),
)
SMALL_LIST = re.compile(
    rf"(?i:{BARE_KEYS})\s+(?P<names>[^\W\d_]{{2,}}(?:[,\s]+[^\W\d_]{{2,}}){{2,8}})"
    r"|(?P<listed>[^\W\d_]{2,}(?:, [^\W\d_]{2,}){2,8}(?: und [^\W\d_]{2,})?)"
)  # `spieler hans toni sepp`, `hans, toni, sepp`
LISTED_SMALL = re.compile(r"[,\s]+(?:und\s+)?")
NUMBERED = re.compile(r"(?i:spieler|player|sitz|seat|platz|[sp])\s?(\d)\s*[:=.)-]\s*(?P<name>\S.*)")
ONE_AMOUNT = r"[+\-−–]?\d{1,6}(?:[.,]\d\d?)?"
AMOUNTS = rf"{ONE_AMOUNT}(?:[\s,;|/]+{ONE_AMOUNT}){{2,8}}"  # a row of them
CAPITALS = re.compile(r"\b[^\W\d_a-zäöüß]|(?:^|,\s*)[^\W\d_]")  # of names, or small ones with signs between them
SEATED = re.compile(  # before no ranking
    r"neu|sitz|tisch|jetzt|dritt|weiter|ohne|(?:heute?|today) (?:mit|with|spiel|play)|now|new|seat|table|three|without",
    re.IGNORECASE,
)
RANKED = re.compile(r"rang|pl[aä]tz|stand|ergebnis|sieg|gewinn|rank|result|winn", re.IGNORECASE)


class NameList(NamedTuple):
    """The players that a line names, with what stands before them, and the tariff, the day and words in brackets behind
    them; each is empty if there is none."""

    names: tuple[str, ...]
    before: str = ""
    tariff: str = ""
    day: str = ""
    aside: str = ""


def day_in(text: str) -> str | None:
    """Return the ISO date in a text, in numbers or with the name of the month, or None if it has none."""
    if match := WAYS_OF_DATES.search(text):
        return date_of_numbers(match[1], match[2], match[3], False)
    return date_of(match) if (match := DATE.search(text)) else None


def head_pair(text: str) -> tuple[str, str] | None:
    """Return the key and the value of a line of the head, with or without the mark of a list before it; None for any
    other line."""
    if len(text) > LONGEST_HEAD:
        return None
    if (stakes := STAKES.fullmatch(text)) and not stakes["behind"] and is_tariff(stakes["stakes"]):
        return "tariff", stakes["stakes"]
    word, _, rules = text.partition(" ")
    if usual_words()["head"].get(word.casefold()) == "rules" and (called := ruleset_called(rules)):
        return "rules", called  # `Regeln pub`
    match = HEAD.fullmatch(text)
    key = usual_words()["head"].get(match["key"].casefold()) if match else None
    if match is None or key is None:
        bare = without_mark(text)
        return None if bare == text else head_pair(bare)
    return None if key == "players" and not players_of(text) else (key, match["value"].strip())


def is_tariff_alone(text: str) -> bool:
    """Return whether a line is a tariff and nothing else, and rather no day: `10/20/50`, `Ruf 20, Solo 50, …`."""
    text = without_pictures(text)
    is_named = text[:1].isalpha() and is_tariff(text)
    return is_named or (TARIFF.fullmatch(text) is not None and not is_rather_day(text))


def players_of(text: str) -> tuple[str, ...]:
    """Return the players that a line `Spieler: …` names, or () if it is no such line."""
    match = HEAD.fullmatch(text) if len(text) <= LONGEST_HEAD and (":" in text or "=" in text) else None
    if match is None or usual_words()["head"].get(match["key"].casefold()) != "players":
        return ()
    return as_players(split_names(match["value"]))


def is_unread_list(text: str) -> bool:
    """Return whether a line begins like a list of players and is none that can be read, or has amounts behind names:
    `Spieler: Hans (+20), …`."""
    match = HEAD.fullmatch(text)
    is_list = match is not None and match["key"].casefold() in keys_of_players()
    return is_list and (not players_of(text) or len(re.findall(r"[(\s][+\-−–]\d", text)) > 1)


def as_players(names: Sequence[str]) -> tuple[str, ...]:
    """Return some names if they can be those of a table, else (): `gespielt bei Uli` and a number among names are
    none."""
    are_names = all(is_name_of_line(name) and "=" not in name and TARIFF.search(name) is None for name in names)
    are_names &= len({re.fullmatch(r"[\d.,]+", name) is None for name in names}) == 1
    are_names &= not any(map(PHRASE.match, names)) or names[0][:1].islower()
    return tuple(names) if FEWEST <= len(names) <= MOST and len(set(names)) == len(names) and are_names else ()


# --- lines that name them ---------------------------------------------------------------------------------------------


def marked_heads(lines: Sequence[TypedLine]) -> list[TypedLine]:
    """Return the lines with `Spieler: ` before each list of players that has a word for them, in the line or above it,
    and the date and the tariff beside the names on lines of their own."""
    every = list[TypedLine]()
    for line in joined_lists(lines):
        lists = keyed_names(line.text) if len(line.text) <= LONGEST_HEAD and not line.is_left_out else None
        every += (line,) if lists is None else head_lines(line, lists)
    return every


def joined_lists(lines: Sequence[TypedLine]) -> Iterator[TypedLine]:
    """Yield the lines, those of names below one another as one: below `Spieler:`, or `Spieler 1: Hans` and so on; not
    those of `Platz 1: Hans` below a line that names all of these, which say who came first."""
    place = 0
    while place < len(lines):
        line, names = lines[place], list[str]()
        if line.text[-1:] == ":" and line.text.strip("*_: ").casefold() in keys_of_players():
            below = (one_form(without_mark(each.text)) for each in lines[place + 1 : place + 1 + MOST])
            names = [*takewhile(is_like_name, below)]
            taken = 1 + len(names)
        elif NUMBERED.fullmatch(line.text):
            matches = (NUMBERED.fullmatch(each.text) for each in lines[place : place + MOST])
            in_order = takewhile(lambda each: each[1] and each[1][1] == str(each[0]), enumerate(matches, 1))
            names = [one_form(match["name"]) for _, match in in_order if match]
            taken = len(names)
        is_ranking = line.text.casefold().startswith("platz") and any(
            all(name in each.text for name in names) for each in lines[:place]
        )
        if as_players(names) and all(map(is_like_name, names)) and not is_ranking:
            yield line._replace(text=f"Spieler: {', '.join(names)}")
            place += taken
            continue
        yield line
        place += 1


@cache
def keys_of_players() -> tuple[str, ...]:
    """Return the words before a list of players, the longest first."""
    return tuple(sorted((key for key, of in usual_words()["head"].items() if of == "players"), key=len, reverse=True))


@cache
def keyed_list() -> re.Pattern[str]:
    """Return the pattern of a line with a list of players after one of these words."""
    keys = "|".join(map(re.escape, keys_of_players()))
    return re.compile(
        rf"(?P<before>|.*[\s,.;|(–-])[*_]*(?:\d )?(?:(?:{keys})[*_]*(?: ?\([^()]*\))?[*_]*(?P<sign>\s*[:=])|"
        rf"{BARE_KEYS})(?:\s+[-–])?[*_]*\s*(?P<names>[^\W\d_].*)",
        re.IGNORECASE,
    )


def head_lines(line: TypedLine, lists: NameList) -> Iterator[TypedLine]:
    """Yield the lines of the head that a line with names makes: players, day, tariff, what is in brackets."""
    before, day = lists.before.strip(" ,.;|(–-*_"), lists.day or day_in(lists.before)
    yield line._replace(text=f"Spieler: {', '.join(lists.names)}")
    if day:
        yield line._replace(text=f"Datum: {day}")
    elif before:
        yield line._replace(text=before)
    if lists.tariff:
        yield line._replace(text=f"Tarif: {lists.tariff}")
    if lists.aside:
        yield line._replace(text=lists.aside, is_left_out=is_of_deals(lists.aside))


def keyed_names(text: str) -> NameList | None:
    """Return the players that a line names after a word for them, or None if it names none."""
    small = text.casefold()
    if text[:1] == "|" or not any(key in small for key in keys_of_players()):
        return None
    match = keyed_list().fullmatch(text)
    if match is None:
        return None
    rest, ends = without_ends(match["names"])
    is_marked = bool(match["sign"]) and not match["before"]
    for names in ways_of_splitting(rest):
        if as_players(names) and (is_marked or all(map(is_like_name, names))):
            return NameList(as_players(names), match["before"], *ends)
    return None


def without_ends(text: str) -> tuple[str, tuple[str, str, str]]:
    """Return a list of names without the tariff, the date and the words in brackets behind it, with these."""
    tariff, day, aside = "", "", ""
    while (match := BEHIND.search(text)) and not (match["aside"] and is_list_alone(match["aside"])):
        tariff, day = match["keyed"] or match["tariff"] or tariff, match["day"] or day
        text, aside = f"{text[: match.start()]}{'.' if text[match.start()] == '.' else ''}", match["aside"] or aside
    return without_end(text), (tariff, (day and day_in(day)) or "", aside)


def is_list_alone(text: str) -> bool:
    """Return whether what stands in brackets is the list of players: `Der Abend (Hans, Toni, Sepp)`."""
    return all(map(is_like_name, split_names(text))) and bool(as_players(split_names(text)))


def ways_of_splitting(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the names of a list as each of the signs between them would part it."""
    yield split_names(text)
    yield tuple(filter(None, map(one_form, LISTED.split(text))))
    words = text.split()
    if FEWEST <= len(words) <= FEW and all(map(is_like_name, words)) and all(len(word) > 1 for word in words):
        yield tuple(words)


# --- names that nobody marked -----------------------------------------------------------------------------------------


def bare_heads(lines: Sequence[TypedLine]) -> list[TypedLine]:
    """Return the lines with `Spieler: ` before each list of names alone, of whom a line below tells a deal: the first,
    and each below another that seats other players."""
    every, now, is_marked = list[TypedLine](), tuple[str, ...](), any(players_of(line.text) for line in lines)
    for place, line in enumerate(lines):
        is_likely = not line.is_left_out and len(CAPITALS.findall(line.text)) >= FEWEST
        may_list = not players_of(line.text) and (is_likely or not (now or is_marked))
        near = lines[place + 1 : place + 1 + NEXT] if may_list else ()
        below = [*takewhile(lambda each: not players_of(each.text), near)]
        row = now and not line.is_chat and below and re.fullmatch(AMOUNTS, below[0].text)
        listed = bare_names(line.text, below, bool(row)) if may_list else None
        marked = [*head_lines(line, listed)] if listed and (not now or seats_others(listed, now)) else [line]
        every += marked
        now = players_of(marked[0].text) or now
    return every


def seats_others(listed: NameList, now: tuple[str, ...]) -> bool:
    """Return whether a list of names is another table than the one that sits there: said to be one, or with as many
    players, others or in another order, or again, alone or on a day of its own; no ranking, and nobody who is greeted:
    `Danke Lois, Toni, …`."""
    before, day = listed.before.strip(" :,.–-"), listed.day or day_in(listed.before)
    is_seated, is_day = SEATED.search(before) is not None, DAY_ALONE.fullmatch(before) is not None
    is_ranking = {*listed.names} == {*now} and before != "" and not (is_seated or (day and not RANKED.search(before)))
    greets = any(word in now for name in listed.names for word in name.split()[1:])
    is_other = bool(day) or listed.names != now or not before
    is_table = is_seated or is_day or len(listed.names) >= min(len(now), FEW)
    return is_other and is_table and not (is_ranking or greets)


def with_heads_together(lines: Sequence[TypedLine]) -> list[TypedLine]:
    """Return the lines of a text with those of a head above its players, a tariff beside them and a date above them,
    marked and behind the players."""
    every, last = list(lines), len(lines)
    lists = [place for place, line in enumerate(lines) if players_of(line.text) and not line.is_chat]
    for before, place in reversed([*pairwise((-1, *lists))]):  # from the end, so that places before it stay
        start = max(before + 1, place - AROUND)
        start = max([start, *(at + 1 for at in range(start, place) if before >= 0 and is_of_deals(every[at].text))])
        above = [one for each in every[start:place] for one in marked_alone(each, True)]
        heads = [each for each in above if head_pair(each.text) and not each.is_left_out]
        others = [each for each in above if each not in heads]
        end = min(place + 1 + AROUND, last)
        below = [one for each in every[place + 1 : end] for one in marked_alone(each, False)]
        every[start:end] = [*others, every[place], *heads, *below]
        last = start
    return every


def is_of_deals(text: str) -> bool:
    """Return whether a line beside a list of players would be read as a deal, or is amounts: none of its head."""
    return re.fullmatch(AMOUNTS, text) is not None or begins_like_deal(text, contract_words(), None)


def marked_alone(line: TypedLine, above: bool) -> list[TypedLine]:
    """Return a line beside the players, marked if it is a tariff, before whatever stands behind this, or a date: alone,
    or `above` them in a short line."""
    if line.is_left_out or head_pair(line.text):
        return [line]
    if (match := STAKES.fullmatch(line.text)) and is_tariff(match["stakes"]):
        behind = [line._replace(text=match["behind"])] if match["behind"] else []
        return [line._replace(text=f"Tarif: {match['stakes']}"), *behind]
    priced = TARIFF.search(line.text)
    if priced and not is_rather_day(priced[0]):
        stakes, _, rest = line.text.partition(", ")
        alone = [line._replace(text=each) for each in (f"Tarif: {stakes}", rest) if each]
        return alone if priced[0] == stakes else [line]
    is_short = len(line.text) < LONGEST_HEAD // 4 if above else DAY_ALONE.fullmatch(line.text) is not None
    return [line._replace(text=f"Datum: {day}") if is_short and (day := day_in(line.text)) else line]


def is_rather_day(text: str) -> bool:
    """Return whether three numbers that could be a tariff are rather a day of the last years: `12/11/26`, and not
    `5/10/20` or `4/8/20`."""
    match = WAYS_OF_DATES.fullmatch(text)
    parts = [*map(int, match.groups())] if match and day_in(text) else [0, 0, 0]
    return parts[2] in RECENT and any(part % 5 for part in parts) and parts[1] != 2 * parts[0]


def bare_names(text: str, below: Sequence[TypedLine], is_told: bool = False) -> NameList | None:
    """Return the players of a line that has nothing else but what leads to them (`Heute mit …`), a date, a tariff; None
    if one of them is a word of the game, or no line `below` tells a deal of these players, unless one `is_told`."""
    if len(text) > LONGEST_HEAD or CELLS.search(text):
        return None
    rest, ends = without_ends(without_pictures(text))
    rest = rest.rstrip("): ") if "(" in rest else rest
    known = known_words(contract_words())
    small = SMALL_LIST.fullmatch(rest)
    parts = LISTED_SMALL.split(small["names"] or small["listed"]) if small else ()
    names = as_players(tuple(filter(None, map(one_form, parts))))
    if names and known.isdisjoint(names) and (is_told or tells_of(names, below)):
        return NameList(names, "", *ends)
    for start in (match.end() for lead in LEADS for match in lead.finditer(rest)):
        for names in ways_of_splitting(rest[start:]):
            is_list = bool(as_players(names)) and all(map(is_like_name, names))
            words = [name for name in names if name.casefold() in known]
            are_surnames = len(words) + 1 < len(names) and surnames_of_results().issuperset(map(str.casefold, words))
            if is_list and are_surnames and (is_told or tells_of(names, below)):
                return NameList(names, rest[:start], *ends)
    return None


def pays_each(text: str, players: int) -> bool:
    """Return whether a line has nothing but an amount for each of some players, with strokes between them, which add up
    to zero: `20 / -20 / 20 / -20`."""
    cells = [cell.strip() for cell in without_mark(text).split("/")] if text.count("/") == players - 1 else []
    amounts = [re.fullmatch(r"([-−–]|\+?)(\d{1,6})(?:[.,](\d\d?))?", cell) for cell in cells]
    sizes = [100 * int(each[2]) + int((each[3] or "0").ljust(2, "0")) for each in amounts if each]
    paid = [-size if cell[0] in "-−–" else size for cell, size in zip(cells, sizes, strict=False)]
    return len(sizes) == players and any(paid) and not sum(paid)


def tells_of(names: tuple[str, ...], lines: Sequence[TypedLine]) -> bool:
    """Return whether one of some lines tells a deal of these players."""
    of = contract_words()
    return any(
        (begins_like_deal(line.text, of, names) or names_player_and_game(words, of, names))
        if begins_with_name(words, names)
        else pays_each(line.text, len(names))
        for line in lines
        if (words := words_of_line(line.text))
    )
