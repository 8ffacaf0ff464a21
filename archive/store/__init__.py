"""Floor 7: schema, migrations, save, load, views, export. Described in docs/schema.md. A module is imported when one of
its names is asked for, so that whoever only reads a deal loads nothing that writes."""

from typing import TYPE_CHECKING

from archive.late_names import late_names

from archive.store._sqlite_utils import Database  # isort: skip  # before all that imports sqlite-utils

if TYPE_CHECKING:
    from archive.stats.database import ArchiveError
    from archive.store.connection import open_archive, open_read, rehearsal
    from archive.store.correcting import CorrectionResult, correct
    from archive.store.export import export_lines, export_outcomes, export_toml
    from archive.store.load import (
        deal_authors,
        deal_sources,
        event_standing_rows,
        event_substitutes,
        event_tables,
        find_deal,
        first_break,
        load_beside,
        load_deal,
        load_judgement,
        load_with_judgement,
        neighbours,
        session_bases,
        session_row,
        session_rows,
        session_verdicts,
        source_rows,
        standing_rows,
    )
    from archive.store.people import merge_players, merged_names, player_row, players, split_player
    from archive.store.readers import DataVersion, Readers, read_once
    from archive.store.records import parse_moment
    from archive.store.save import save_file
    from archive.store.saved_files import FileMeta, SaveResult
    from archive.store.source_texts import source_text
    from archive.store.sources import find_source, restore_source, withdraw_source
    from archive.store.transaction import remove_log, several_transactions
    from archive.store.unfinished import recount_archive

MODULES = {  # by module, the names of it that are taken from here, and import it
    "connection": "open_archive open_read rehearsal",
    "correcting": "CorrectionResult correct",
    "export": "export_lines export_outcomes export_toml",
    "load": """deal_authors deal_sources event_standing_rows event_substitutes event_tables find_deal
        first_break load_beside load_deal load_judgement load_with_judgement neighbours session_bases session_row
        session_rows session_verdicts source_rows standing_rows""",
    "people": "merge_players merged_names player_row players split_player",
    "readers": "DataVersion Readers read_once",
    "records": "parse_moment",
    "save": "save_file",
    "saved_files": "FileMeta SaveResult",
    "source_texts": "source_text",
    "sources": "find_source restore_source withdraw_source",
    "transaction": "ArchiveError remove_log several_transactions",
    "unfinished": "recount_archive",
}

__getattr__ = late_names(__name__, MODULES)


__all__ = [
    "ArchiveError", "CorrectionResult", "DataVersion", "Database", "FileMeta", "Readers", "SaveResult", "correct",
    "deal_authors", "deal_sources", "event_standing_rows", "event_substitutes", "event_tables",
    "export_lines", "export_outcomes", "export_toml", "find_deal", "find_source", "first_break", "load_beside",
    "load_deal", "load_judgement", "load_with_judgement", "merge_players", "merged_names", "neighbours",
    "open_archive", "open_read", "parse_moment", "player_row", "players", "read_once", "recount_archive", "rehearsal",
    "remove_log", "restore_source", "save_file", "session_bases", "session_row", "session_rows", "session_verdicts",
    "several_transactions", "source_rows", "source_text", "split_player", "standing_rows", "withdraw_source",
]  # fmt: skip
