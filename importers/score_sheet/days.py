"""The evenings of a sheet by the dates of its rows."""

import re
from datetime import date, timedelta
from functools import cache
from itertools import dropwhile

from archive.notation.game_words import usual_words
from archive.notation.problem import Problem
from archive.say import message
from importers.dates import DATE, DAY, NO_DATE, TIME, WEEKDAY, WEEKDAY_ALONE
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import is_blank, mentions, normalize, parse_amount, sheet_words
from importers.score_sheet.columns import Layout
from importers.score_sheet.dates import SheetDates, dates_in, match_day, read_date, with_dates
from importers.score_sheet.tables import Row
from importers.score_sheet.titles import date_above
from importers.score_sheet.unplayed_rows import is_sum

DAWN = "06:00"  # the time until which an evening goes on
SEVERAL = 2
CELLS, PLACE = 3, 2  # of a row with a date and a place; words of this without `im`, `bei`
UNREADABLE = "?~"  # before a date that cannot be read, which costs its row
Days = list[tuple[str | None, list[Row]]]


def split_by_date(rows: list[Row], layout: Layout, dates: SheetDates, titles: list[str], named: list[str]) -> Days:
    """Return the rows of each date, None if no row has one that can be read. A row without one has that of the row
    before; a date alone in a row is that of the rows below it, but the only one of a sheet, with words behind that may
    be a remark, or the one of the titles, else of the name of the file, once more, is that of all; a single row of
    another date is asked about."""
    dated = date_above(titles, dates) or date_above(named, dates)
    groups, above = list[tuple[str, list[Row]]](), dated[0] if dated else ""
    headings = [day_alone(row, layout, dates) for row in rows]
    several = len({*headings, above} - {""}) > 1
    is_week = normalize(layout.title("date")) in sheet_words()["weeks"]["heads"]  # separates evenings, tells no day
    for row, heading in zip(rows, headings, strict=True):
        moment, time = layout.cell(row, "date"), layout.cell(row, "time").removesuffix("Uhr").strip()
        if moment and ":" not in moment and re.fullmatch(TIME, f" {time}"):
            moment = f"{moment} {time}"
        week = f"?{moment}" if moment and is_week else ""
        day = heading or week or _day(moment, dates, groups[-1][0] if groups else "")
        if not day and any(map(str.isdigit, moment)) and not is_sum(row, layout):
            day = f"{UNREADABLE}{moment}"  # those below it are not of the date above it
        is_new = heading not in ("", above) and (several or day_alone(row, layout, dates, 0))
        if not groups or (is_new and day != groups[-1][0]) or (day and groups[-1][0] not in ("", day)):
            groups.append((day, []))
        elif day and not heading:
            groups[-1] = (day, groups[-1][1])
        groups[-1][1].append(row)
    if (
        len(groups) == SEVERAL
        and not groups[0][0]
        and len(last := groups[1][1]) == 1
        and day_alone(last[0], layout, dates)
    ):
        groups = [(groups[1][0], [*groups[0][1], *groups[1][1]])]  # a date at the foot
    return [(day if day[:1].isdigit() else None, rows) for day, rows in _with_strays(groups)] or [(None, [])]


def _with_strays(groups: list[tuple[str, list[Row]]]) -> list[tuple[str, list[Row]]]:
    """Return the groups, with a single row of another date put back, in doubt, between those of one date."""
    whole: list[tuple[str, list[Row]]] = []
    for place, (day, rows) in enumerate(groups):
        after = groups[place + 1][0] if place + 1 < len(groups) else ""
        if whole and whole[-1][0] == after and day != after and len(rows) == 1:
            question = message("importers.stray-date", date=day.lstrip("?"), other=after.lstrip("?"))
            doubt = None if day.startswith(UNREADABLE) else question
            whole[-1][1].append(rows[0]._replace(doubt=rows[0].doubt or doubt))
        elif whole and whole[-1][0] == day:
            whole[-1][1].extend(rows)
        else:
            whole.append((day, [*rows]))
    return whole


def is_english(layout: Layout, titles: list[str], is_text: bool) -> bool:
    """Return whether the head of the dates, or the word before one above, is an English one, where the month may stand
    first, or the amounts of a text are written as there: `0.50`, `€1.20`."""
    amounts = (cell_text(row, at) for row in layout.body for at in layout.payments)
    words = [layout.title("date"), *(text.partition(" ")[0] for text in titles)]
    head = any(normalize(word) in ("date", "day", "evening") for word in words)
    return head or (is_text and any(text[-3:-2] == "." and text[-2:].isdecimal() for text in amounts))


def day_alone(row: Row, layout: Layout, dates: SheetDates, most_words: int = PLACE) -> str:
    """Return the ISO date of a row that has nothing else, or only a place behind it, without `im` of `most_words`:
    `Freitag 13.11.2026 im Löwen`, `2. Abend (20.11.26)`; `?` and its text if that is a day of the week, of a year that
    nobody says, or the number of an evening; or ""."""
    texts = [text for text in row.cells if not is_blank(text)]
    most = 1 if "date" in layout.roles else CELLS
    if row.broken or not 0 < len(texts) <= most or (len(texts) > 1 and any(map(parse_amount, texts))):
        return ""
    whole, words = " ".join(texts), sheet_words()["days"]
    if mentions(whole, words["saved"]) or is_sum(row, layout):
        return ""
    bare = " ".join(dropwhile(lambda word: normalize(word) in words["around"], whole.split()))
    text = re.sub(WEEKDAY, "", bare, count=1)
    tells_evening, days = mentions(whole, words["evenings"]), [*dates_in(text)]
    if not days and (tells_evening or text != bare):
        days = [*re.finditer(DAY, text)]
    if len(days) == 1 and (tells_evening or not days[0].start()):
        place = [word for part in text[days[0].end() :].split() if (word := part.strip(",;:()[]–-").casefold())]
        is_place = len(place) <= (PLACE if tells_evening else most_words) or place[0] in words["places"]
        text = days[0][0] if is_place else text
    is_weekday = len(whole) > len("Mi.,") and re.fullmatch(WEEKDAY_ALONE, whole)
    is_day = not text[-1:].isdecimal() and match_day(text)
    is_number = re.match(_numbered_evening(), " ".join(re.findall(r"\w+", whole.casefold())))
    return _iso(text, dates) or (f"?{text}" if is_day else f"?{whole}" if is_weekday or is_number else "")


@cache
def _numbered_evening() -> str:
    """Return the pattern of an evening by its number, in small letters and without signs."""
    words = sheet_words()["days"]
    day, evening = "|".join(words["day"]), rf"\w*(?:{'|'.join(words['evenings'])})"
    before, behind = "|".join(words["nth"]), "|".join(usual_words()["numbers"])
    before = rf"(?:(?:der|the) )?(?:{before}|\d\d?(?:st|nd|rd|th)?|[ivx]+) (?:{evening}|(?:{day})$)"
    counted = "|".join((*words["counted"], *sheet_words()["totals"]["drinks"]))  # `Spielabend 2 Stunden`
    behind = rf"(?:{evening}|{day}) (?:n[ro] )?(?:{behind}|\d\d?|[ivx]+)"
    return rf"(?:{before}|{behind})(?! ?\w*\d| (?:{counted})\b)(?!\w)"


def _day(text: str, dates: SheetDates, before: str) -> str:
    """Return the ISO date of a cell, or the date before for a time of that night; a day of an unknown year, of the
    week, or only a number, has `?` before it, and anything but a date is ""."""
    iso = _iso(text, dates)
    if not iso:
        unknown = dates.in_doubt or (text and (match_day(text) or re.fullmatch(NO_DATE, text)))
        return f"?{text}" if unknown else ""
    time = read_date("", with_dates(text, dates))[1]
    is_night = bool(time) and time.partition("T")[2] < DAWN if time else False
    evening = (date.fromisoformat(iso) - timedelta(days=1)).isoformat()
    return evening if is_night and evening == before else iso


def _iso(text: str, dates: SheetDates) -> str:
    if dates.in_doubt and (match := DATE.search(text)) and match["slash"]:
        return ""
    try:
        return read_date("", with_dates(text, dates))[0] if text else ""
    except Problem:
        return ""
