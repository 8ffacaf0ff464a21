"""The sheet of a session as plain text: for the terminal, and for a printer with letters only."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from archive.text.session_sheet import AmountCell, SessionSheet
from archive.text.wording import Texts, clip

NARROWEST = 10  # characters for the game; if there are fewer, the totals get a line of their own
ROOMY = 16  # characters for the game; if there are fewer, names are clipped
WHOLE, SHORT = 12, 4  # characters of a name
NUMBER, REST, SIGN = 5, 5, 2  # widths of the deal's number, of the sum and of the mark of the verdict
SIGNS = {"agrees": "", "differs": "≠", "undecidable": "?", "unplayable": "!"}


def sheet_lines(sheet: SessionSheet, t: Texts, width: int) -> Iterator[str]:
    """Yield the sheet line by line: a head, what was brought forward, each deal with its notes, the sums."""
    rest, seats = 0 if sheet.tallied else REST, len(sheet.names)
    for letters in range(WHOLE, SHORT - 1, -1):
        pays = column_width(sheet.names, letters, [*(entry.payments for entry in sheet.entries), sheet.sums])
        totals = column_width(sheet.names, letters, [*(entry.totals for entry in sheet.entries), sheet.totals])
        game = width - NUMBER - seats * (pays + totals) - rest - SIGN - 1
        if game >= ROOMY:
            break
    apart = game < NARROWEST
    if apart:
        game = max(NARROWEST, width - NUMBER - seats * pays - rest - SIGN - 1)

    def row(
        number: str, name: str, paid: Sequence[str], sums: str, stand: Sequence[str], sign: str = ""
    ) -> Iterator[str]:
        first = f"{number:>{NUMBER - 1}} {clip(name, game):{game}}" + "".join(f"{each:>{pays}}" for each in paid)
        first += "" if sheet.tallied else f"{sums:>{rest}}"
        second = "".join(f"{each:>{totals}}" for each in stand)
        if apart:
            yield f"{first} {sign}".rstrip()
            yield f"{second:>{max(len(second), NUMBER + game + seats * pays)}}".rstrip()
        else:
            yield f"{first}{second} {sign}".rstrip()

    blank = [""] * seats
    heads = (("marks" if sheet.tallied else "payment", pays), ("running_marks" if sheet.tallied else "total", totals))
    paid, stand = (f" {clip(t[key], size * seats - 1):<{size * seats - 1}}" for key, size in heads)
    yield from row("", "", [paid], "", [stand])
    short, shorter = ([clip(name, size - 1) for name in sheet.names] for size in (pays, totals))
    yield from row("", "", short, t["rest"], shorter)
    yield "─" * width
    if sheet.brought:
        yield from row("", t["brought"], blank, "", cell_texts(sheet.brought))
    for entry in sheet.entries:
        payments, after = cell_texts(entry.payments), cell_texts(entry.totals)
        yield from row(str(entry.deal.number), entry.deal.game, payments, entry.rest, after, SIGNS[entry.deal.verdict])
        yield from notes_of("payment", sheet.names, entry.payments, t, width)
        yield from notes_of("total", sheet.names, entry.totals, t, width)
        changed = [f"{title} {text}" for title, text in zip(sheet.columns, entry.left, strict=True) if "→" in text]
        if changed:
            yield from indent_lines(", ".join(changed), width)
        if entry.breaks and sheet.broken:
            where = t["deal"].format(number=entry.deal.number)
            yield from indent_lines(f"▲ {where} {t['first_break']}: {sheet.broken.message}", width)
    yield "─" * width
    part = len(sheet.entries) < sheet.count
    name = t["sum_part" if part else "sum"].format(
        first=sheet.first, last=sheet.first + len(sheet.entries) - 1, count=sheet.count
    )
    yield from wrap(name, width)
    yield from row("", "", cell_texts(sheet.sums), sheet.rest, cell_texts(sheet.totals) or blank)
    yield from notes_of("payment", sheet.names, sheet.sums, t, width)
    yield from notes_of("total", sheet.names, sheet.totals, t, width)
    if not sheet.tallied:
        yield ", ".join(filter(None, (t["zero"] if sheet.zero else t["not_zero"], sheet.pots)))


def column_width(names: Sequence[str], most: int, rows: Sequence[Sequence[AmountCell]]) -> int:
    """Return the width of a column of amounts, after a blank, with room for `most` characters of the names."""
    longest = max((len(text) for row in rows for text in cell_texts(row)), default=0)
    return 1 + max(longest, min(most, max(map(len, names), default=most)))


def cell_texts(cells: Sequence[AmountCell]) -> list[str]:
    """Return the amounts, in brackets if only stated."""
    return [f"({cell.text.strip('()')})" if cell.kind == "said" else cell.text for cell in cells]


def notes_of(key: str, names: Sequence[str], cells: Sequence[AmountCell], t: Texts, width: int) -> Iterator[str]:
    texts = [f"{name} {note}" for name, cell in zip(names, cells, strict=False) for note in cell.notes]
    if texts:
        yield from indent_lines(f"{t[key]}: {', '.join(texts)}", width)


def indent_lines(text: str, width: int) -> Iterator[str]:
    yield from wrap(text, width, initial_indent=" " * NUMBER, subsequent_indent=" " * (NUMBER + 2))
