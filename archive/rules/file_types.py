"""A ruleset file as it is written: the values that each place of the sources gives, and what a setting changes."""

from typing import Any

from msgspec import Struct, field

Raw = dict[str, Any]


class Reading(Struct, frozen=True, forbid_unknown_fields=True):
    """The change that a house setting makes to the rows if it has the value `is_`."""

    setting: str
    is_: Any = field(name="is")
    cite: str
    house: Raw = {}
    contract: Raw = {}
    round: Raw = {}


class Paragraph(Struct, frozen=True, forbid_unknown_fields=True):
    """The values that one place of the sources gives."""

    cite: str
    house: Raw = {}
    contract: Raw = {}
    round: Raw = {}


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruleset file. `id` and `title` are the name of the file if it does not say them; `house` are settings without a
    source, which come after those of all paragraphs and are cited by the title."""

    id: str = ""
    title: str = ""
    extends: str | None = None
    incomplete: str = ""
    sources: dict[str, str] = {}
    house: Raw = {}
    rule: tuple[Paragraph, ...] = ()
    reading: tuple[Reading, ...] = ()
