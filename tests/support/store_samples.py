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
EVENING = (ROOT / "tests" / "support" / "store_samples.toml").read_text("utf-8")
HEAD, *DEALS = re.split(r"(?=\n\[\[deal\]\])", EVENING)


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
