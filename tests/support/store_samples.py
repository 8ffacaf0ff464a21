"""An evening in an archive, for the tests of the store."""

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from archive.judge import Judgement, LedgerState, judge_session
from archive.judge.judge_stream import judge_with_heads
from archive.notation import read_toml
from archive.record import Deal, Finding, Session, Source
from archive.say import Message
from archive.stats import FACTS
from archive.store import Database, FileMeta, SaveResult, save_file
from support.paths import ROOT

SAMPLE = ROOT / "sample_games" / "valid" / "netschafkopf.txt"
HEAD = """\
format = "schafkopf-record/1"
event = "Stammtisch"
date = 2026-11-14
unit = "ct"
rules = "pub"
players = ["Anna", "Ben", "Cem", "Dora"]
house = { tariff = "10/20/50" }
"""
DEALS = (
    """
[[deal]]
id = "list-3/1"
dealer = "Dora"
hands = [
    "Anna: E8 H9 H8 G8 HU HK SA SU",
    "Ben: EU G9 SO S9 EK GO GU EO",
    "Cem: H7 E7 G7 GK GZ EA SK S8",
    "Dora: HO GA HA S7 EZ HZ SZ E9",
]
knocks = ["Ben"]
auction = ["Anna pass", "Ben play", "Cem pass", "Dora pass"]
game = "Ben rufspiel G"
doubles = ["@1.2 Cem kontra"]
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
events = ["@3.1 Cem announces re by Anna"]
stated.points = 75
stated.runners = 6
stated.price = 160
stated.steps = ["base 20: The call.", "runners 6 80"]
stated.payments = [-160, 160, -160, 160]
""",
    """
[[deal]]
dealer = "Anna"
game = "none"
""",
    """
[[deal]]
dealer = "Anna"
game = "none"
""",
    """
[[deal]]
dealer = "Ben"
game = "Cem wenz"
exchange = ["Anna > Cem: E7"]
stated.won = true
stated.payments = [-50, -50, 150, -50]
correction = [{ by = "Dora", when = "2026-11-15", why = "misread", set = { game = "Cem wenz" } }]
ruling = [{ by = "Anna", when = "2026-11-16", why = "agreed", payments = [-40, -40, 120, -40], cite = "house" }]
""",
)
EVENING = HEAD + "".join(DEALS)


def another(text: str = EVENING) -> str:
    """Return another evening with other deals: plain cards of acorns and bells are exchanged, and ids differ."""
    text = text.replace("list-3/", "list-4/").replace("2026-11-14", "2026-11-21")
    return re.sub(r"\b([ES])([AZK987])\b", lambda card: f"{'S' if card[1] == 'E' else 'E'}{card[2]}", text)


Pairs = list[tuple[Session, Judgement]]


def pairs_of(items: Any) -> tuple[Pairs, list[Finding]]:
    found = list(judge_with_heads(items))
    return [each for each in found if not isinstance(each, Finding)], [
        each for each in found if isinstance(each, Finding)
    ]


def read(text: str, path: str = "evening.toml") -> tuple[Pairs, list[Finding]]:
    raw = text.encode()
    return pairs_of(read_toml(raw, Source(path, sha256=hashlib.sha256(raw).hexdigest())))


def store(db: Database, text: str = EVENING, path: str = "evening.toml") -> SaveResult:
    return save_file(db, FileMeta(path, "record-toml"), text.encode(), *read(text, path))


def store_deals(db: Database, head: Session, deals: Iterable[Deal], path: str) -> None:
    """Add deals of a session to an archive, as if a file of that name told them."""
    save_file(db, FileMeta(path, "record"), path.encode(), [(head, each) for each in judge_session(head, deals)])


def unjudged(session: Session, deal: Deal, number: int) -> Judgement:
    """Return a judgement without a replay, as if the rules could not be read."""
    return Judgement(
        session=session, deal=deal, recorded=deal, number=number, before=LedgerState(), after=LedgerState(),
        ruleset=None,
        replay=None, settlement=None, findings=(), verdict="unplayable", reason=Message("findings.no-deals"),
        missing=(),
    )  # fmt: skip


def dump(db: Database) -> list[str]:
    """Return every row but those of facts and notes, which the fixture `db` counts again."""
    made = tuple(f'INSERT INTO "{name}' for name in (*(facts.name for facts in FACTS), "notes"))
    return [line for line in db.conn.iterdump() if not line.startswith(made)]
