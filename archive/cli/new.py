"""`schafkopf new`: a session file to fill in, or the next deal of one."""

import re
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from archive.cli.configuration import usual_rules
from archive.cli.known_names import FILE, RULESET
from archive.cli.language import LANG, cli_text, reader_language, wrong_use
from archive.cli.session_template import MOST_SITTERS, comment, deal_text, head_text
from archive.cli.verdicts import split_findings
from archive.judge import LedgerState
from archive.judge.judge_deal import rules_of
from archive.judge.judge_stream import judge_with_heads
from archive.judge.sentences import say_reason
from archive.notation import read_toml, write_toml
from archive.record import Carry, Deal, Finding, Session, Source, say_finding
from archive.record.days import tonight
from archive.record.names import split_names
from archive.rules import Ruleset
from archive.say import Fact, message, why_refused
from archive.settle.ledger import BOCK, empty_ledger

BARE = ("source", "no", "id", "rules", "house", "players", "inferred", "carry", "dealer", "sits_out")
CARDS = re.compile(r"""^cards\s*=\s*["'](\w+)["']""", re.MULTILINE)  # the letters of a session file


class SessionStatus(Struct, frozen=True):
    """A session after its last deal: the head in force, its rules, what lies on the table, how many deals there are."""

    session: Session
    ruleset: Ruleset
    table: LedgerState
    deals: int = 0


@click.command()
@click.argument("path", type=FILE, metavar="[FILE]", required=False)
@click.option("--rules", type=RULESET, help="The ruleset, see `schafkopf rules`.")
@click.option("--players", help='Who plays, in the direction of play: "Anna, Ben, Cem, Dora".')
@click.option("--event", help="What it is.")
@click.option("--date", help="The day, else today.")
@click.option("--place", help="Where.")
@click.option("--unit", help="What amounts count: ct, P, …")
@click.option("--dealer", help="Who deals first, or next.")
@click.option(
    "--after", type=FILE, metavar="FILE", help="The evening before: its players, rules, pot and next dealer go on."
)
@LANG
def new(
    path: str | None, rules: str | None, players: str | None, dealer: str | None, after: str | None, language: str,
    **about: str | None,
) -> None:  # fmt: skip
    """Begin a session file to fill in, or append the next deal to one.

    Where FILE is there, the next deal is appended, with who deals next. Else it is begun for a ruleset and its players;
    without FILE it is printed. What waits to be filled in stands behind a #.
    """
    if path is not None and Path(path).exists():
        if any((rules, players, after, *about.values())):
            raise wrong_use("next-deal-alone", path=path)
        append_deal(Path(path), dealer, language)
        return
    status = (
        next_evening(status_of(after, False, language), players, rules, language)
        if after
        else first_evening(rules, players, path)
    )
    given = {key: value for key, value in about.items() if value}
    status = replace(status, session=replace(status.session, **({"date": tonight().isoformat()} | given)))
    check_head(status.session, path)
    seat = len(status.session.players) - 1 if status.table.dealer is None else status.table.dealer
    seat = seat if dealer is None else seat_of(dealer, status.session.players)
    text = head_text(status.session, status.ruleset, path or cli_text("new-file", language), language)
    text += deal_text(status.session, status.ruleset, status.table, seat, status.ruleset.house.faces, language)
    if path is None:
        click.echo(text, nl=False)
        return
    write_text(Path(path), "xb", text)


def write_text(path: Path, mode: str, text: str) -> None:
    """Write a text to a file opened in this mode. Raises UsageError if it cannot be written."""
    try:
        with path.open(mode) as file:
            file.write(text.encode())
    except OSError as error:
        raise wrong_use("not-written", path=path, why=why_refused(error)) from None


# --- a new evening --------------------------------------------------------------------------------------------------


def first_evening(rules: str | None, players: str | None, path: str | None) -> SessionStatus:
    """Return a new evening, with an empty table."""
    rules = rules or usual_rules()
    if rules is None or players is None:
        raise wrong_use("new-what")
    names = split_names(players)
    session = Session(players=names, rules=rules, source=Source(path or ""))
    return SessionStatus(session, ruleset_of(session), empty_ledger(len(names)))


def ruleset_of(session: Session) -> Ruleset:
    """Return the rules of a head. Raises UsageError if so many cannot play by them."""
    ruleset, findings = rules_of(session)
    if ruleset is None:
        raise wrong_use("findings", findings=finding_texts(findings))
    seats, there = ruleset.house.seats, len(session.players)
    least = ruleset.house.least_seats or seats
    if not least <= there <= seats + MOST_SITTERS:
        count = seats if least == seats else message("use.some-to-some", least=least, most=seats)
        raise wrong_use("players-fit", n=there, players=session.players, seats=count, rules=ruleset.id)
    return ruleset


def finding_texts(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the texts of findings, in the language of the reader."""
    return tuple(say_finding(each, reader_language()) for each in findings)


def check_head(session: Session, path: str | None) -> None:
    """Refuse, by a UsageError, a head that could not be read again: a name that is a word of the format, a wrong
    date."""
    items = read_toml(write_toml(replace(session, carry=None), ()).encode(), Source(path or ""))
    if wrong := [item for item in items if isinstance(item, Finding)]:
        raise wrong_use("findings", findings=finding_texts(wrong))


def next_evening(last: SessionStatus, players: str | None, rules: str | None, language: str) -> SessionStatus:
    """Return a new evening after another: what is in the pot and what waits goes on, and so does the turn to deal."""
    then, table = last.session, last.table
    names = split_names(players) if players else then.players
    dealer = None if table.dealer is None else then.players[table.dealer]
    same = names == then.players
    bock = [left for name, left in table.rounds or () if name == BOCK]
    carry = Carry(
        stock=table.stock or None,
        hausbock=table.hausbock or None,
        stake=table.stake or None,
        bock=bock[0] if len(bock) == 1 else None,
        queue=table.queue or None,
    )
    if same and table.marks and any(table.marks):
        carry = replace(carry, marks=table.marks, chalk=table.chalk)
    if same and table.totals and any(table.totals) and None not in table.totals:
        carry = replace(carry, totals=table.totals)
    warn_of_rest(table, same, dealer in names, language)
    session = Session(
        players=names,
        rules=rules or then.rules,
        unit=then.unit,
        house=then.house if rules is None else None,
        carry=None if carry == Carry() else carry,
        source=then.source,
    )
    seat = names.index(dealer) if dealer in names else None
    return SessionStatus(session, ruleset_of(session), replace(table, dealer=seat))


def warn_of_rest(table: LedgerState, same: bool, dealer: bool, language: str) -> None:
    """Print on stderr what does not pass on to a new evening by itself."""
    hidden = [key for key in ("stock", "hausbock", "stake", "rounds", "queue") if getattr(table, key) is None]
    if hidden:
        note("carry-unknown", language, keys=", ".join(hidden))
    others = [
        comment("round-left", language, name=name, left=left) for name, left in table.rounds or () if name != BOCK
    ]
    if others or sum(name == BOCK for name, _ in table.rounds or ()) > 1:
        note("rounds-left", language, rounds=", ".join(others) or comment("several-bock", language))
    if not same and any(table.marks or ()):
        note("marks-left", language)
    if not dealer:
        note("first-dealer", language)


def note(key: str, language: str, /, **facts: Fact) -> None:
    """Print something on stderr that the user should know beside the file."""
    click.echo(comment(key, language, **facts), err=True)


# --- the next deal --------------------------------------------------------------------------------------------------


def append_deal(path: Path, dealer: str | None, language: str) -> None:
    """Append the next deal to a session file, in its letters and with its line ends."""
    if not path.is_file():
        raise wrong_use("no-file", path=path)
    status = status_of(str(path), True, language)
    seat = status.table.dealer if status.deals else len(status.session.players) - 1
    seat = seat if dealer is None else seat_of(dealer, status.session.players)
    if seat is None:
        note("next-dealer", language)
    there = path.read_bytes().decode("utf-8", "replace")
    cards = CARDS.search(there.partition("[[deal]]")[0])
    text = deal_text(status.session, status.ruleset, status.table, seat, cards[1] if cards else "german", language)
    text = ("" if there.endswith("\n") else "\n") + text
    write_text(path, "ab", text.replace("\n", "\r\n") if "\r\n" in there else text)


def status_of(path: str, typed: bool, language: str) -> SessionStatus:
    """Return a session after its last deal; `typed`: it is a session file that goes on. Notes for the user are printed
    in the language."""
    from archive.cli.inputs import files_with_progress  # here, since an evening begins without a file

    files = list(files_with_progress((path,), None))
    if typed and any(file.importer is None or file.importer.NAME != "record-toml" for file in files):
        raise wrong_use("no-session-file", path=path)
    return status_of_items(path, [item for file in files for item in file.items()], typed, language)


def status_of_items(path: str, items: list[Session | Deal | Finding], typed: bool, language: str) -> SessionStatus:
    """Return a session after the last of the deals read from it. Raises UsageError if it cannot go on."""
    deals, findings = split_findings(judge_with_heads(items))
    lone = [finding for finding in findings if finding.severity == "error"]
    judged = [judgement for _, judgement in deals]
    heads = [item for item in items if isinstance(item, Session)]
    if not heads:
        raise wrong_use(
            "not-continued",
            path=path,
            why=message("use.findings", findings=finding_texts(lone)) if lone else message("use.no-head"),
        )
    if not judged and not lone:
        return SessionStatus(heads[-1], ruleset_of(heads[-1]), empty_ledger(len(heads[-1].players)))
    if not judged:
        raise wrong_use("not-continued", path=path, why=finding_texts(lone[:1])[0])
    last = judged[-1]
    line = last.deal.source.line if last.deal.source else 0
    if typed and is_bare(last.deal):
        raise wrong_use("still-empty", path=path, line=line)
    if last.ruleset is None:
        raise wrong_use("not-continued", path=path, why=say_reason(last, language))
    table = last.after
    if any(each.source and each.source.line > line for each in lone):
        note("lost-after", language, file=path, line=line)
        table = LedgerState(
            stock=None, hausbock=None, stake=None, game_deals=None, rounds=None, queue=None, list_deals=None
        )
    return SessionStatus(last.session, last.ruleset, table, len(judged))


def is_bare(deal: Deal) -> bool:
    """Return whether nothing of a deal has been filled in."""
    return all(getattr(deal, key) is None for key in deal.__struct_fields__ if key not in BARE)


def seat_of(name: str, players: tuple[str, ...]) -> int:
    """Return the seat of a player. Raises UsageError if nobody has the name."""
    if name not in players:
        raise wrong_use("no-player", name=name, players=tuple(players))
    return players.index(name)
