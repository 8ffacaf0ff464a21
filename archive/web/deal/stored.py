"""What the archive has stored of the judgement of a deal, as pages show it."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from archive.audit.deciding import deciding_in
from archive.store import ArchiveError, judged
from archive.text.wording import Texts


def decisive_facts(conn: sqlite3.Connection, row: Mapping[str, Any], t: Texts) -> tuple[str, ...]:
    """What would decide a deal, each alone, for its row of `outcomes`; nothing where its record cannot be read."""
    if row["verdict"] != "undecidable":
        return ()
    try:
        judgement = judged(conn, row["deal"])
    except ArchiveError:
        return ()
    return tuple(deciding_in(judgement, t["lang"])) if judgement else ()
