"""The columns of a sheet whose roles are known: from a `columns.toml` beside it, or from the program that wrote it."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class ColumnMapping(Struct, frozen=True, forbid_unknown_fields=True):
    """A `columns.toml`: the head of the column of each role, the words and the rules of the table."""

    columns: dict[str, str | int] = {}
    players: list[str] = []
    names: list[str] = []  # of the players, if the heads have something else
    totals: list[str] = []
    skip: list[str] = []
    skip_sheets: list[str] = []  # titles of worksheets that have no deals
    deals: list[int] = []  # lines that are deals, whatever they look like
    not_deals: list[int] = []  # lines that are none
    rules: str | None = None
    house: dict[str, Any] | None = None
    unit: str | None = None
    cards: str = "german"
    words: dict[str, str] = {}
    nicknames: dict[str, str] = {}  # names of players by their nicknames in cells
    tariff: str | None = None


def mapping_for(of_program: ColumnMapping | None, own: ColumnMapping) -> ColumnMapping:
    """Return the mapping of a sheet: if a program wrote it, the columns are the program's; what a file beside it says
    about the table, its rules, nicknames and rows, takes precedence."""
    if of_program is None:
        return own
    return replace(
        own,
        columns=of_program.columns,
        players=of_program.players,
        names=of_program.names,
        totals=of_program.totals,
        skip=of_program.skip,
        rules=own.rules or of_program.rules,
        house=(of_program.house or {}) | (own.house or {}) or None,
        unit=own.unit or of_program.unit,
        tariff=own.tariff or of_program.tariff,
    )
