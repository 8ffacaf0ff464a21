"""Floor 5: schema, migrations, save, load, views, export. Described in docs/schema.md."""

import archive.store.light  # noqa: F401  # before all that imports sqlite-utils
from archive.store.correcting import Corrected, correct
from archive.store.export import export_lines, export_outcomes, export_toml
from archive.store.load import (
    counts,
    deal_sources,
    event_deals,
    find_deal,
    first_break,
    judged,
    load_deal,
    neighbours,
    newest,
    session_row,
    session_rows,
    session_verdicts,
    sessions,
    source_rows,
    standing_rows,
)
from archive.store.opening import ArchiveError, one_after_another, open_archive, open_read, rehearsal
from archive.store.people import known_as, merge_players, players, split_player
from archive.store.records import is_day_or_moment
from archive.store.save import FileMeta, Saved, save_file
from archive.store.source_text import source_text
from archive.store.taking_back import find_source, restore_source, withdraw_source

__all__ = [
    "ArchiveError",
    "Corrected",
    "FileMeta",
    "Saved",
    "correct",
    "counts",
    "deal_sources",
    "event_deals",
    "export_lines",
    "export_outcomes",
    "export_toml",
    "find_deal",
    "find_source",
    "first_break",
    "is_day_or_moment",
    "judged",
    "known_as",
    "load_deal",
    "merge_players",
    "neighbours",
    "newest",
    "one_after_another",
    "open_archive",
    "open_read",
    "players",
    "rehearsal",
    "restore_source",
    "save_file",
    "session_row",
    "session_rows",
    "session_verdicts",
    "sessions",
    "source_rows",
    "source_text",
    "split_player",
    "standing_rows",
    "withdraw_source",
]
