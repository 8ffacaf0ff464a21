"""The columns of a sheet where it is known which is which: by a `columns.toml` beside it, or by its program."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class ColumnMapping(Struct, frozen=True, forbid_unknown_fields=True):
    """A `columns.toml`: the head of the column of each role, the words and the rules of the table."""

    columns: dict[str, str | int] = {}
    players: list[str] = []
    names: list[str] = []  # of the players, where the heads have something else
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
    nicknames: dict[str, str] = {}  # what a player is called in cells, and his name
    tariff: str | None = None


def mapping_for(of_program: ColumnMapping | None, own: ColumnMapping) -> ColumnMapping:
    """The mapping of a sheet: of one that a program wrote the columns are those of the program; what a file beside it
    says of the table, its rules, nicknames and rows, counts before."""
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
