"""From a file that was sent to its page: the `columns.toml` of a score sheet from the choices of a form
(`docs/formats/score-sheet.md` has its keys), columns, rows with verdicts, sums, findings, and the outcome of storing
it: which deals are new, differ from before, or are gone."""

import sqlite3
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from archive.judge import Judgement
from archive.judge.judge_deal import number_of_deal
from archive.judge.judge_stream import judge_with_heads
from archive.notation.toml import toml_key, toml_value
from archive.record import ColumnView, Finding, Session, evidence_text
from archive.rules import UNKNOWN
from archive.say import say
from archive.store import FileMeta, SaveResult, save_file
from archive.store._sqlite_utils import Database
from archive.store.near_names import near_names, players_of_source
from archive.store.privacy import Hidden
from archive.store.transaction import rehearsal_if
from archive.text.dates import format_day
from archive.text.deal import amounts_text
from archive.text.deal_preview import deal_preview, read_sums
from archive.text.understood import Understood, lines_of, understand
from archive.text.wording import Texts
from archive.web.check.page import unread_finding
from archive.web.deal.model import FindingView
from archive.web.deal.settlement import finding_view
from archive.web.doors.keys import Doors
from archive.web.queries import Facts
from archive.web.upload.queries import Place, places_of_copies, places_of_records

ROLES = (
    *("number", "date", "time", "event", "table", "list", "special", "dealer", "contract", "suit", "tout", "declarer"),
    *("partner", "result", "points", "points_against", "schneider", "schwarz", "runners", "knocks", "doubles", "re"),
    *("price", "stock", "check", "note"),
)
OF_PLAYERS = ("payments", "totals")
SKIP = "skip"
LISTS = ("players", "names", "totals", "skip")
HEAD = ("rules", "tariff", "unit")  # facts that a sheet seldom has
ANSWERS = ("deals", "not_deals")  # lists of lines
Table = dict[str, Any]


def table_of(text: str) -> Table | None:
    """Return the tables of a `columns.toml`; None if it is no TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # no TOML, too long a number
        return None


def mapping_of_choices(columns: Sequence[ColumnView], form: Mapping[str, str], before: Table) -> str:
    """Return the columns as the choices of a form name them, by `role.LETTER` and `name.LETTER`; keys that the form
    does not have stay as they were `before`."""
    heads = [each.head for each in columns]
    named = {each.letter: each.head if each.head and heads.count(each.head) == 1 else each.letter for each in columns}
    chosen = {each.letter: form.get(f"role.{each.letter}", "") for each in columns}
    players = [letter for letter, role in chosen.items() if role == OF_PLAYERS[0]]
    table: Table = {key: value for key, value in before.items() if key not in (*LISTS, "columns")}
    lists = {
        "players": [named[letter] for letter in players],
        "names": [form.get(f"name.{letter}", "").strip() or named[letter] for letter in players],
        "totals": [named[letter] for letter, role in chosen.items() if role == OF_PLAYERS[1]],
        "skip": [named[letter] for letter, role in chosen.items() if role == SKIP],
    }
    table |= {key: each for key, each in lists.items() if each}
    table["columns"] = {role: named[letter] for letter, role in chosen.items() if role in ROLES}
    for key in HEAD:
        if text := form.get(key, "").strip():
            table[key] = text
    return mapping_text(table)


def with_answer(before: Table, key: str, line: int) -> str:
    """Return the columns with the answer to a question: the row of that line is a deal, or is none."""
    left = {other: [each for each in before.get(other, []) if each != line] for other in ANSWERS}
    left[key] = sorted([*left[key], line])
    return mapping_text({**before, **{other: lines for other, lines in left.items() if lines}})


def mapping_text(table: Table) -> str:
    """Return tables as TOML: the keys first, then the tables under a name."""
    flat = {key: value for key, value in table.items() if not isinstance(value, dict)}
    lines = [f"{toml_key(key)} = {toml_value(value)}" for key, value in flat.items()]
    for name, inner in table.items():
        if isinstance(inner, dict):
            lines += [
                "",
                f"[{toml_key(name)}]",
                *(f"{toml_key(key)} = {toml_value(value)}" for key, value in inner.items()),
            ]
    return "\n".join(lines).strip() + "\n"


class Upload(Struct, frozen=True):
    """A file that was sent: its name, its bytes, the `columns.toml` of a score sheet."""

    name: str
    data: bytes
    mapping: str = ""


class ReadUpload(Struct, frozen=True):
    """A file as it was read: the name of the importer, None if nobody knows it; its deals, judged, each with its
    session; findings that belong to none."""

    format: str | None
    pairs: tuple[tuple[Session, Judgement], ...]
    lone: tuple[Finding, ...]


MOST_GONE = 60  # deals that are named
OF_GONE = ("deal-gone", "import-held")


class Outcome(Struct, frozen=True):
    """The outcome of storing a file, in a sentence; the findings on deals that differ from before; a word for each deal
    that is new or changed; the deals that would be `gone`, by their numbers in the archive with their findings, and how
    many `more` are not named; `held`: why the file is not stored before somebody decides what becomes of them; `near`:
    the pairs of near-equal names."""

    words: str = ""
    findings: tuple[Finding, ...] = ()
    changes: Mapping[Place, str] = {}
    gone: tuple[tuple[int, FindingView], ...] = ()
    more: int = 0
    held: FindingView | None = None
    near: tuple[tuple[str, str], ...] = ()


NOTHING = Outcome()


def rehearse(db: Database, upload: Upload, read: ReadUpload, t: Texts, hidden: Hidden) -> Outcome:
    """Return the outcome of storing a file, worked out in transactions that are undone. If the file is held, its deals
    are those that would be there without the ones that are gone. `hidden` is what the sender does not see."""
    assert read.format
    meta = FileMeta(upload.name, read.format)
    with rehearsal_if(db.conn, True):
        saved = first = save_file(db, meta, upload.data, read.pairs, read.lone, None, hidden)
        changes = changes_of(db.conn, saved, t)
        players = players_of_source(db.conn, saved.source) if saved.stored else []
        near = near_names(db.conn, players, hidden.sessions)
    if not first.stored:
        with rehearsal_if(db.conn, True):
            saved = save_file(db, meta, upload.data, read.pairs, read.lone, "withdraw", hidden)
            changes = changes_of(db.conn, saved, t)
    gone = [each for each in first.findings if each.rule == "deal-gone"]
    held = [finding_view(each, (), t) for each in first.findings if each.rule == "import-held"]
    counts = {
        "up_added": saved.added, "up_known": saved.known, "up_changed": len(saved.changed),
        "up_gone": len(saved.gone_deals),
    }  # fmt: skip
    return Outcome(
        words=", ".join(t[key].format(n=count) for key, count in counts.items() if count or key == "up_added") + ".",
        findings=tuple(each for each in saved.findings if each.rule not in OF_GONE),
        changes=changes,
        gone=tuple((int(each.facts["deal"]), finding_view(each, (), t)) for each in gone[:MOST_GONE]),
        more=max(0, len(gone) - MOST_GONE),
        held=held[0] if held else None,
        near=tuple((each.name, each.like) for each in near),
    )


def changes_of(conn: sqlite3.Connection, saved: SaveResult, t: Texts) -> dict[Place, str]:
    """Return a word for each deal of a stored file that is new in the archive, or differs from before; none if all are
    new."""
    if not saved.known and not saved.gone_deals:
        return {}
    new = places_of_records(conn, saved.source) if saved.added else []
    changed = [place for deal in saved.changed for place in places_of_copies(conn, saved.source, deal)]
    words = ((new, t["up_row_new"]), (changed, t["up_row_changed"]))
    return {place: word for places, word in words for place in places}


def place_of(judged: Judgement) -> Place:
    at = judged.recorded.source
    return at.line if at else None, number_of_deal(judged.recorded, judged.number - 1)


USUAL_UNIT = "ct"
MOST_ROWS = 300  # deals that are shown
MOST_FINDINGS = 60
MOST_REASONS = 2
SECONDS = 3  # of work to search a tariff
QUESTION = "row-unclear"  # the finding on a row that somebody has to decide on


def read_upload(upload: Upload, here: Doors, conn: sqlite3.Connection, language: str = "en") -> ReadUpload:
    """Read and judge a file. One that is to be stored is read in English, as an import of it would note what it works
    out."""
    assert here.receive is not None
    form, items = here.receive(upload.name, upload.data, conn, upload.mapping, language)
    judged = list(judge_with_heads(items))
    lone = tuple(each for each in judged if isinstance(each, Finding))
    return ReadUpload(form, tuple(each for each in judged if not isinstance(each, Finding)), lone)


def upload_view(upload: Upload, read: ReadUpload, here: Doors, outcome: Outcome, t: Texts) -> Facts:
    """Return the page of a file: the format, three lines on how it was understood, its deals by verdict, the facts that
    open deals lack most often (`open_since`), its evenings and how many `more` deals there are than are shown, its
    findings, each with its line if it asks whether that row is a deal, its columns. `outcome` is that of storing it."""
    sheets, mapping = here.columns(upload.name, upload.data, upload.mapping) if here.columns else ((), "")
    findings = [*read.lone, *outcome.findings, *(each for _, judged in read.pairs for each in judged.findings)]
    findings.sort(key=lambda each: ("error", "warning", "note").index(each.severity))
    what = understand([judged for _, judged in read.pairs], read.lone, outcome.near, SECONDS)
    in_one = mapping and len({tuple((each.letter, each.role) for each in sheet.columns) for sheet in sheets}) == 1
    columns = [(each, *each.role.partition(" ")[::2]) for each in sheets[0].columns] if in_one else []
    lacking = Counter(judged.missing for _, judged in read.pairs if judged.missing).most_common(MOST_REASONS)
    return {
        "name": upload.name,
        "format": read.format,
        "understood": [say(each, t["lang"]) for each in lines_of(what)] if read.format else [],
        "deals": len(read.pairs),
        "verdicts": Counter(judged.verdict for _, judged in read.pairs),
        "open_since": [f"{', '.join(say(each, t['lang']) for each in why)} ({n})" for why, n in lacking],
        "evenings": list(evenings_of(read.pairs[:MOST_ROWS], outcome.changes, t["lang"])),
        "more": max(0, len(read.pairs) - MOST_ROWS),
        "findings": [
            (
                unread_finding(each, t, t["up_unknown_do"]),
                each.source.line if each.rule == QUESTION and each.source else None,
            )
            for each in findings[:MOST_FINDINGS]
        ],
        "more_findings": max(0, len(findings) - MOST_FINDINGS),
        "sheets": sheets,
        "choices": [
            {"column": each, "role": role, "player": player if role in OF_PLAYERS else ""}
            for each, role, player in columns
        ],
        "head": head_question(table_of(mapping) or {}, next((each.rules for each, _ in read.pairs), ""), what, t),
        "mapping": mapping,
    }


def head_question(table: Table, rules: str, what: Understood, t: Texts) -> Facts:
    """Return the question that comes before all else: `rules`, `tariff` and `unit`, each as known or supposed, why the
    tariff is (`says`), and whether somebody has to fill in any of it (`missing`). The tariff that all amounts bear out
    is supposed, and the `rules` by which the file was read: those that an import takes where nobody says any. If these
    do not have its games, others are asked for."""
    fit = what.tariff
    unsaid = fit.tariff is not None and "tariff" not in table and fit.named in (None, UNKNOWN)
    whole = unsaid and fit.fits == fit.count
    lacking = what.lacking if "rules" not in table else None
    fits = t["up_fits"].format(tariff=fit.tariff, n=fit.count) if whole else t["up_fits_none"] if unsaid else ""
    says = t["up_lacking"].format(rules=lacking[0], games=", ".join(lacking[1])) if lacking else fits
    return {
        "rules": str(table.get("rules", rules if unsaid and not lacking else "")),
        "tariff": str(table.get("tariff", fit.tariff if whole else "")),
        "unit": str(table.get("unit", USUAL_UNIT if unsaid and not what.units else "")),
        "says": says,
        "missing": unsaid or lacking is not None,
    }


def evenings_of(
    pairs: Sequence[tuple[Session, Judgement]], changes: Mapping[Place, str], language: str
) -> Iterable[Facts]:
    """Return the sessions of a file: the content of its head, the facts that were worked out, its deals, each with its
    verdict and a word if it is new or differs from before, the sums of what was read and those of the file itself."""
    sessions: list[tuple[Session, list[Judgement]]] = []
    for session, judged in pairs:
        if not sessions or sessions[-1][0] is not session:
            sessions.append((session, []))
        sessions[-1][1].append(judged)
    for session, deals in sessions:
        sums = read_sums(session, [judged.recorded for judged in deals])
        day = format_day(session.date, {"lang": language})
        yield {
            "head": " · ".join(filter(None, (day, session.event, session.unit, ", ".join(session.players)))),
            "worked_out": [evidence_text(each, language) for each in session.inferred or ()],
            "rows": [
                (deal_preview(judged.recorded, session, language), judged.verdict, changes.get(place_of(judged), ""))
                for judged in deals
            ],
            "sums": amounts_text(sums, sums.values()),
            "own_sums": (session.x or {}).get("sums", ()),
        }
