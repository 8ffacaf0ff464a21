"""An evening whose players have names that are hard to replace, named everywhere; and the search for what is left."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from archive.store.compression import unpack_record, unpack_source

NAMES = ("Annegret", "Ann", "Bär von der Au", "S#4 (2)", "Dora.*", "Emil Ünal", "Jörg", "Schorsch", "Zenzi")

HARD = """
[[deal]]
id = "annegret-77"
url = "https://example.org/game?player=Ann%20Egret&x=Annegret"
dealer = "Dora.*"
cut = "S#4 (2) knocks, 2x4"
hands = [
    "Annegret: E8 H9 H8 G8 HU HK SA SU",
    "Seat2: EU G9 SO S9 EK GO GU EO",
    "Seat3: H7 E7 G7 GK GZ EA SK S8",
    "Dora.*: HO GA HA S7 EZ HZ SZ E9",
]
knocks = ["Bär von der Au"]
auction = ["Annegret pass", "Seat2 play", "Seat3 pass", "Dora.* pass"]
game = "Bär von der Au rufspiel G"
doubles = ["@1.2 S#4 (2) kontra"]
tricks = [
    "SU EO H7 HA",
    "S9 S8 S7 SA",
    "HU EU GZ HO",
    "SZ G8 GU SK",
    "EK EA E9 E8",
    "E7 EZ H8 GO",
    "SO G7 HZ H9",
    "G9 GK GA HK",
]
events = ["@3.1 S#4 (2) announces re, says dora.* by Annegret"]
carry = { pots = { "Pot of Schorsch" = 5 } }
stated.points = 75
stated.runners = 6
stated.price = 160
stated.steps = ["base 20: Annegret wird von Dora.* gerufen.", "runners 6 80: sechs für JÖRG"]
stated.payments = [-160, 160, -160, 160]
stated.result = "Bär von der Aus Spiel, s#4 (2) und ann verlieren"
note = '''Annegrets Vetter Schorsch hat's gesehen;
bär  von der au nicht. J\\u00f6rg und &#74;&ouml;rg auch. 'Ann' (Emil Ünal). '''
x = { Annegret = ["Zenzi", { von = "Ann" }] }

[[deal]]
dealer = "Annegret"
players = ["Annegret", "Jörg", "S#4 (2)", "Dora.*"]
inferred = ["dealer: Jörg sits after Annegret"]
game = "none"

[[deal]]
dealer = "Jörg"
game = "S#4 (2) wenz"
stated.won = true
stated.payments = [-50, -50, 150, -50]
[[deal.correction]]
by = "Schorsch"
when = "2026-11-15"
why = "Ann misread it, not Dora.*"
[deal.correction.set]
game = "S#4 (2) wenz tout"
note = "as Jörg said"
"stated.payments.Annegret" = -60
stated = { payments = { "Dora.*" = -60 } }
url = "https://example.org/Zenzi"
[[deal.correction]]
by = "Emil Ünal"
when = "2026-11-16"
why = "Zenzi sat there"
set = { "players.1" = "Zenzi", dealer = "Jörg" }
[[deal.correction]]
by = "Emil Ünal"
when = "2026-11-17"
why = "no, she did not"
set = { "players.1" = "Annegret" }
[[deal.ruling]]
by = "Emil Ünal"
when = "2026-11-17"
why = "agreed with ANNEGRET and Ann"
payments = { Annegret = -40, "Jörg" = -40, "S#4 (2)" = 120, "Dora.*" = -40 }
cite = "Schorsch's house book, 3"
"""

HEAD_OF_HARD = """\
format = "schafkopf-record/1"
event = "Annegrets Stammtisch"
date = 2026-11-14
place = "bei Jörg"
recorder = "Emil Ünal"
table = "Dora.*"
list = "Ann's"
url = "https://example.org/Annegret"
note = "_Ann_ fehlt"
unit = "ct"
rules = "pub"
licence = "CC BY, Annegret"
players = ["Annegret", "Bär von der Au", "S#4 (2)", "Dora.*"]
house = { tariff = "10/20/50", klopfen = true }
x = { seen = "Annegret" }
"""
HARD_EVENING = HEAD_OF_HARD + HARD


def texts(path: Path) -> Iterator[str]:
    """Yield everything that a file of the archive says: its bytes as text, every value, every blob unpacked."""
    data = path.read_bytes()
    yield data.decode("utf-8", "replace")
    yield data.decode("utf-16-le", "replace")
    conn = sqlite3.connect(path)
    for (table,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in conn.execute(f"SELECT * FROM {table}"):
            yield " ".join(str(value) for value in row if isinstance(value, str))
    for (raw,) in conn.execute("SELECT raw FROM sources"):
        yield unpack_source(raw).decode("utf-8", "replace")
    for packed, head in conn.execute("SELECT record, head FROM records JOIN sessions s ON s.id = session_id"):
        yield unpack_record(packed, head).decode()
    conn.close()


def left(names: list[str], told: str) -> list[str]:
    """Return the names that stand in a text, in any case, not as part of another word."""
    return [name for name in names if re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", told, re.IGNORECASE)]
