"""Stored judgements as pages show them, and what explains them: nothing here judges a deal. If what is stored differs
from what the deal comes to today, the page says so."""

import sqlite3
from collections.abc import Iterator

from msgspec.structs import replace

from archive.explain import Explained, explain
from archive.judge import Judgement
from archive.judge.compare_answers import plain_text
from archive.record import Finding, finding, remedy, severities
from archive.say import Message
from archive.store import load_beside
from archive.store.stored_messages import stored_verdict
from archive.text.wording import Texts
from archive.web.queries import stored_payments


def with_stored_facts(
    conn: sqlite3.Connection, deal: int, judgement: Judgement
) -> tuple[Judgement, tuple[Message, ...] | None]:
    """Return a judgement with the verdict, reason and findings that are stored of its deal, if these have facts; the
    replay and the settlement stay. A finding says so if the deal comes to another verdict or other payments today.
    With it go the facts that would each decide an undecidable deal, None if an earlier version has stored none."""
    stored = stored_verdict(conn, deal)
    if stored is None:
        return judgement, None
    otherwise = tuple(stored_otherwise(conn, deal, stored.verdict, judgement))
    texts = (stored.reason, *stored.missing, *(finding.text or None for finding in stored.findings))
    if str in map(type, texts):  # which no other language has
        return replace(judgement, findings=(*otherwise, *judgement.findings)), None
    reason, findings = stored.reason, (*otherwise, *stored.findings)
    reason = reason if isinstance(reason, Message) else judgement.reason
    shown = replace(judgement, verdict=stored.verdict, reason=reason, missing=stored.missing, findings=findings)
    return shown, stored.deciding


def stored_otherwise(conn: sqlite3.Connection, deal: int, verdict: str, judgement: Judgement) -> Iterator[Finding]:
    """Return a finding for the verdict, and one for the payments by seat, if the archive has others than the deal comes
    to today."""
    before_today = stored_payments(conn, deal)
    payments = judgement.settlement.payments if judgement.settlement else None
    now = [*(payments or [None] * len(before_today))]
    for what, before, today in (("verdict", verdict, judgement.verdict), ("payments", before_today, now)):
        if before != today:
            facts = {"what": what, "stored": plain_text(before), "today": plain_text(today)}
            yield finding("stored-otherwise", judgement.recorded.source, **facts)


def explain_stored(conn: sqlite3.Connection, deal: int, judgement: Judgement) -> Explained:
    """Return the explanation of a deal, with the deals before and after it in the archive at hand."""
    return explain(judgement, load_beside(conn, deal, judgement))


def remedy_of(rule: str, t: Texts) -> str:
    """Return the remedy of a stored finding; empty if this version has no such rule."""
    return remedy(rule, t["lang"]) if rule in severities() else ""
