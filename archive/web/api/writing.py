"""Records, corrections and rulings from programs, by the same functions as `import`, `correct` and `rule`."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from flask import request
from msgspec.structs import replace

from archive.record import Correction, Ruling
from archive.stats.database import ArchiveError
from archive.store import FileMeta, correct, load_judgement, save_file
from archive.store.correcting import CorrectionError
from archive.store.near_names import near_names, players_of_source
from archive.store.one_writer import WriterBusyError
from archive.store.records import SENT_AS
from archive.store.ruling import rule_on_deal
from archive.store.transaction import rehearsal_if, utc_now
from archive.text.dates import is_zone
from archive.text.file_names import file_name
from archive.web.api import queries, types
from archive.web.api.answers import answers_of, finding_answer, public_report
from archive.web.api.problem import refuse
from archive.web.doors.guard import author, doors, hidden_from_visitor, writing_archive
from archive.web.request import connection, deal_or_404
from archive.web.upload.outcome import Upload
from archive.web.upload.page import read_upload

MOST_FINDINGS = 1_000  # of an answer
HELD = """nothing is stored, since something hangs on deals that the file no longer tells; \
send it again with gone=keep or gone=withdraw"""


def add_records(asked: types.Asked) -> types.RecordsAnswer:
    """Store a file of any format, as `import` does: whatever can be read is stored, findings say what cannot."""
    here, data = doors(), request.get_data()
    if here is None or here.receive is None:
        refuse(404, "this server takes no files")
    if not data.strip():
        refuse(400, "nothing was sent; the body is the file")
    name, language = file_name(asked.get("name", "")) or SENT_AS, asked.get("lang", "en")
    read = read_upload(Upload(name, data), here, connection())
    form, pairs, lone = read.format, read.pairs, read.lone
    if form is None or not pairs:
        refuse(422, "no deal could be read, and nothing is stored; the findings say why", answers_of(lone, language))
    terms = {key: asked.get(key) for key in ("licence", "origin", "time_zone")}
    if terms["time_zone"] is not None and not is_zone(terms["time_zone"]):
        refuse(400, f"time_zone: '{terms['time_zone'][:60]}' is no time zone; expected a name such as Europe/Berlin")
    with problems(), writing_archive() as db:
        hidden = hidden_from_visitor(db.conn)
        meta = FileMeta(name, form, author=author(), **terms)
        saved = save_file(db, meta, data, pairs, lone, asked.get("gone"), hidden)
        sessions = tuple(
            each for each in queries.sessions_of_source(db.conn, saved.source) if each not in hidden.sessions
        )
        players = players_of_source(db.conn, saved.source) if saved.stored else []
        near = near_names(db.conn, players, hidden.sessions) if sessions else []
    if not saved.stored:
        refuse(409, HELD, answers_of(saved.findings[-MOST_FINDINGS:], language))
    found = [*lone, *saved.findings, *(one for _, judgement in pairs for one in judgement.findings)]
    return types.RecordsAnswer(
        source=saved.source, format=form, added=saved.added, known=saved.known, changed=saved.changed,
        gone=saved.gone_deals, retained=saved.retained,
        sessions=sessions, verdicts=dict(Counter[str](each.verdict for _, each in pairs)),
        findings=answers_of(found[:MOST_FINDINGS], language), more=max(len(found) - MOST_FINDINGS, 0),
        near_names=tuple(types.NearNamesAnswer(**each.as_json()) for each in near),
    )  # fmt: skip


def add_correction(asked: types.Asked) -> types.CorrectionAnswer:
    """Correct a record, as `correct` does: a row beside the record, and the session is settled again."""
    deal, sent, language = asked["deal"], asked["sent"], asked.get("lang", "en")
    assert isinstance(sent, types.CorrectionSent)
    deal_or_404(deal)
    with problems(), writing_archive() as db, rehearsal_if(db.conn, sent.dry_run):
        done = correct(db, deal, Correction(author(), utc_now(), sent.why, dict(sent.set)))
    changes = tuple(types.ChangeAnswer(each.key, each.before, each.after) for each in done.changes)
    later = tuple(
        types.LaterDeal(key, done.before[key].verdict, each.verdict)
        for key, each in done.after.items()
        if key > deal and key in done.before and each.verdict != done.before[key].verdict
    )
    after = public_report(done.after[deal], language)
    return types.CorrectionAnswer(deal, not sent.dry_run, changes, done.before[deal].verdict, after, later)


def add_ruling(asked: types.Asked) -> types.RulingAnswer:
    """Rule on a deal, as `rule` does: what its players pay in the end."""
    deal, sent, language = asked["deal"], asked["sent"], asked.get("lang", "en")
    assert isinstance(sent, types.RulingSent)
    found = deal_or_404(deal)
    players = found.session.players
    if set(sent.payments) != set(players):
        refuse(422, f"payments are of each player by name: {', '.join(players)}")
    payments = tuple(sent.payments[name] for name in players)
    row = Ruling(author(), utc_now(), sent.why, payments, sent.cite)
    with problems(), writing_archive() as db, rehearsal_if(db.conn, sent.dry_run):
        now = load_judgement(db.conn, deal)  # the same request may have come at the same time
        if now and any(replace(each, when=row.when) == row for each in (now.deal.ruling or ())[-1:]):
            refuse(409, f"deal {deal} is ruled so already")
        done = rule_on_deal(db, deal, row)
    return types.RulingAnswer(deal, not sent.dry_run, done.rest, public_report(done.after, language))


@contextmanager
def problems() -> Iterator[None]:
    """Answer a refused act with a problem; a busy writer or a full disk stays an error of the server."""
    try:
        yield
    except WriterBusyError:
        raise
    except CorrectionError as error:
        refuse(422, str(error), (finding_answer(error.finding, request.args.get("lang", "en")),))
    except ArchiveError as error:
        if isinstance(error.__cause__, sqlite3.Error):
            raise error
        refuse(409, str(error))
