"""Lines of lists, rows with words added: deals that need attention, and findings."""

from collections.abc import Mapping

from archive.record import message_of
from archive.store.stored_messages import StoredVerdict, finding_from_row
from archive.text.deal_row import row_game_title
from archive.text.file_names import file_place
from archive.text.numbers import with_amounts
from archive.text.wording import Texts, session_title
from archive.web.queries import Facts
from archive.web.sentences import Sentence, to_sentence, worded_finding
from archive.web.stored import remedy_of


def doubtful_deal(row: Facts, people: Mapping[str, int], t: Texts) -> Facts:
    """Return a row of `outcomes` and what is `stored` of its verdict as a line: its `event`, `game` and `reason` in
    words, what would decide it (`deciding`), and the `moment` it is about, or none. `people` are the numbers of its
    players by their names."""
    stored: StoredVerdict = row["stored"]
    reason, moment = reason_and_moment(stored, row["unit"], row["faces"], people, t)
    return row | {
        "event": session_title(row["event"], row["session"], t),
        "game": row_game_title(row, t),
        "reason": reason,
        "deciding": [to_sentence(fact, t, row["faces"], people) for fact in stored.deciding],
        "moment": moment,
    }


def reason_and_moment(
    stored: StoredVerdict, unit: str | None, faces: str, people: Mapping[str, int] | None, t: Texts
) -> tuple[Sentence, str]:
    """Return the reason of a verdict in words, and the move that it is about, as `move_anchor`."""
    at_moment = [finding for finding in stored.findings if finding.at]
    first = next((finding for finding in at_moment if message_of(finding) == stored.reason), None)
    first = first or next((finding for finding in at_moment if finding.severity == "error"), None)
    reason = to_sentence(with_amounts(stored.reason or "", unit, t), t, faces, people, whole=True)
    return reason, move_anchor(first.at if first else None)


def finding_line(row: Facts, people: Mapping[str, int], t: Texts) -> Facts:
    """Return a row of `findings` with its deal, if any, and its file as a line: its `message`, what to `do`, its
    `event` and `place` in words; `number` is that of a deal, also of one that is gone. `people` are the numbers of its
    players by their names."""
    return row | {
        "message": worded_finding(finding_from_row(row), t, people, row["unit"]),
        "do": remedy_of(row["rule"], t),
        "number": row["number"] or row["deal_number"],
        "event": session_title(row["event"], row["session"], t) if row["session"] else "",
        "moment": move_anchor(row["moment"]),
        "place": file_place(row["path"], row["line"]),
    }


def move_anchor(moment: str | None) -> str:
    """Return the id of a moment on the page of its deal; empty if it is no moment of the play."""
    if not moment or not moment[0].isdigit():
        return ""
    return f"t{moment}" if "." in moment else f"t{moment}.1"
