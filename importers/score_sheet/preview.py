"""A score sheet before it is stored: the role of each column, and all of them as a `columns.toml` to correct."""

import json
from pathlib import Path

from archive.record import NOWHERE, ColumnView, SheetView, Source
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.cells import is_blank
from importers.score_sheet.columns import (
    MAPPING_NAME,
    ColumnMapping,
    Layout,
    find_layout,
    head_twice,
    letter_of,
    read_mapping_file,
)
from importers.score_sheet.mappings import mapping_for
from importers.score_sheet.round_tables import RoundList, find_round_list
from importers.score_sheet.season_tables import evenings_as_columns
from importers.score_sheet.tables import Sheet
from importers.text import on_one_line

SAMPLES = 3  # cells of a column that are shown


def views_of_sheets(sheets: list[Sheet], own: ColumnMapping) -> tuple[list[SheetView], str | None]:
    """Return the sheets that have a head, and their columns as the text of a `columns.toml`; None if they have
    different columns or several tables, which no one file can name, or another shape than the file, or are recognised
    by their program or as lists of rounds, whose heads name all. `own` is the mapping that lies beside them."""
    views: list[SheetView] = []
    texts: list[str | None] = []
    for sheet in sheets:
        mapping = mapping_for(sheet.mapping, own)
        if rounds := find_round_list(sheet.rows, mapping):
            roles = {at: f"{role} {number or ''}".strip() for (role, number), at in rounds.columns.items()}
            views.append(_view(sheet, rounds, roles))
            texts.append(None)
        elif layout := find_layout(sheet.rows, mapping):
            roles = {at: role for role, at in layout.roles.items()} | dict.fromkeys(layout.skipped, "skip")
            for word, places in (("totals", layout.totals), ("payments", layout.payments)):
                both = zip(layout.players, places, strict=False)
                roles |= {at: f"{word} {name}" for name, at in both if at is not None}
            views.append(_view(sheet, layout, roles))
            is_plain = not (sheet.mapping or sheet.shaped or head_twice(layout) or evenings_as_columns(sheet.rows))
            texts.append(_mapping_text(layout) if is_plain else None)
    titles = {view.title for view in views}
    return views, texts[0] if len(set(texts)) == 1 and len(titles) == len(views) else None


def path_of_new_mapping(source: Source) -> Path | None:
    """Return where the `columns.toml` of a sheet goes, or None if it has one already, or lies in no folder."""
    path = Path(source.path)
    if path.parent == NOWHERE or not path.is_file() or read_mapping_file(source).table is not None:
        return None
    return path.with_name(f"{path.stem}.{MAPPING_NAME}")


def _view(sheet: Sheet, table: Layout | RoundList, roles: dict[int, str]) -> SheetView:
    columns = []
    for at in sorted({*roles, *table.others}):
        cells = [text for row in table.body if not is_blank(text := on_one_line(cell_text(row, at)))]
        samples = tuple(dict.fromkeys(cells))[:SAMPLES]
        columns.append(ColumnView(letter_of(at), on_one_line(cell_text(table.head, at)), roles.get(at, ""), samples))
    return SheetView(sheet.title, table.head.line, tuple(columns))


def _mapping_text(layout: Layout) -> str:
    """Return the columns as they were understood; unknown ones are to be filled in or skipped."""
    lines = ["# What each column was taken for. Correct it, and read the sheet again.", ""]
    if layout.payments:
        lines.append(f"players = [{_names(layout, layout.payments)}]")
        lines.append(f"names   = [{', '.join(json.dumps(name, ensure_ascii=False) for name in layout.players)}]")
    totals = tuple(at for at in layout.totals if at is not None)
    if len(totals) == len(layout.players) and not layout.running:
        lines.append(f"totals  = [{_names(layout, totals)}]")
    if layout.others:
        lines.append(f"# not known: skip = [{_names(layout, layout.others)}]")
    lines += ['# tariff = "10/20/50"', "", "[columns]"]
    lines += [f"{role} = {_names(layout, (at,))}" for role, at in layout.roles.items()]
    return "\n".join(lines) + "\n"


def _names(layout: Layout, places: tuple[int, ...]) -> str:
    """Return columns as `columns.toml` names them: by heads, or by letters if a head is empty or occurs twice."""
    heads = [on_one_line(text) for text in layout.head.cells]
    alone = {at for at, head in enumerate(heads) if head and heads.count(head) == 1}
    named = [heads[at] if at in alone else letter_of(at) for at in places]
    return ", ".join(json.dumps(name, ensure_ascii=False) for name in named)
