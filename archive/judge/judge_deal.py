"""Judging: replay, settle, compare, one deal after another, with what passes from deal to deal."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct, structs

from archive.judge.checks import CHECKS, restatements_that_differ
from archive.judge.partial_record import contradictions_of_partial_record
from archive.judge.types import Case, Judgement, LedgerState, Verdict
from archive.notation import merge_settings
from archive.notation.corrections import apply_corrections
from archive.play.auction.ranks import wedding
from archive.play.replay import replay
from archive.play.types import NOT_PLAYED
from archive.record import Deal, Finding, Session, Source, finding, message_of
from archive.rules import Ruleset, load
from archive.say import Message, message
from archive.settle.ledger import UNKNOWN, apply_carry, empty_ledger, move_players, next_state, with_list
from archive.settle.rounds import game_fits_rounds, special_rounds
from archive.settle.settle import settle


class SessionState(Struct, frozen=True):
    """A session under way: what lies on the table, the number of the last deal, who sits there."""

    table: LedgerState
    number: int
    players: tuple[str, ...]


def initial_state(session: Session) -> SessionState:
    """A session before its first deal."""
    seats = len(session.players)
    return SessionState(
        with_list(apply_carry(empty_ledger(seats), session.carry, seats), session.list), 0, session.players
    )


def judge_session(session: Session, deals: Iterable[Deal]) -> Iterator[Judgement]:
    """Judges the deals of a session in their order, each with its corrections laid over it; a deal says all that holds
    for it beside the session. Where numbers show that deals are missing between two, nothing is carried over."""
    under = initial_state(session)
    for recorded in deals:
        found, under = judge_next(session, recorded, under)
        yield found


def judge_next(session: Session, recorded: Deal, under: SessionState) -> tuple[Judgement, SessionState]:
    """Judges the next deal of a session under way."""
    table, players = under.table, under.players
    deal, refused = apply_corrections(session, recorded)
    last, number = under.number, numbered(deal, under.number)
    if deal.source:  # findings name the deal by its number
        deal = structs.replace(deal, source=structs.replace(deal.source, deal=number))
        refused = tuple(structs.replace(each, source=deal.source) for each in refused)
    head = in_force(session, deal)
    if head.players != players:
        ruleset, _ = rules_of(head)
        table = move_players(table, players, head.players, ruleset is not None and ruleset.house.substitute == "seat")
        players = head.players
    gap = () if number <= last + 1 else (finding("deal-gap", deal.source, first=last + 1, last=number - 1),)
    if gap:
        away = tuple((name, None) for name, _ in table.away)
        table = structs.replace(UNKNOWN, list_name=table.list_name, away=away)
    found = judge(head, deal, number, table)
    otherwise = restatements_that_differ(players, table, deal) if last else ()  # the first brings in
    found = structs.replace(found, recorded=recorded, findings=(*refused, *gap, *otherwise, *found.findings))
    return found, SessionState(found.after, number, players)


def numbered(deal: Deal, last: int) -> int:
    """The number of a deal: on the score sheet, else its position in the file, else one after the last."""
    if deal.no is not None:
        return deal.no
    position = deal.source.deal if deal.source else None
    return position if position is not None else last + 1


def in_force(session: Session, deal: Deal) -> Session:
    """The head of the session as it holds from this deal on."""
    if deal.rules is None and deal.house is None and deal.players is None:
        return session
    house = merge_settings(session.house or {}, deal.house or {})
    return structs.replace(
        session, rules=deal.rules or session.rules, house=house or None, players=deal.players or session.players
    )


def judge(session: Session, deal: Deal, number: int, table: LedgerState) -> Judgement:
    """Judges one deal, as it stands in its corrections, in the state that the deals before it left."""
    seats = len(session.players)
    before = with_list(apply_carry(table, deal.carry, seats), deal.list)
    ruleset, findings = rules_of(session, deal.source)
    findings = findings if ruleset is None else unknown_to(ruleset, session, deal)
    found = Judgement(
        session=session,
        deal=deal,
        recorded=deal,
        number=number,
        before=before,
        after=next_state(before, deal, seats, deal.dealer, None, ruleset),
        ruleset=ruleset,
        replay=None,
        settlement=None,
        findings=findings,
        verdict="unplayable",
        reason=message_of(errors_in(findings)[0]) if errors_in(findings) else message("judge.agrees"),
        missing=(),
    )
    if ruleset is None or errors_in(findings):
        return on_faces(found)
    in_round = with_rounds(deal, ruleset, before)
    played = replay(in_round, session.players, ruleset, before.dealer)
    settled = settle(in_round, session.players, ruleset, played, before)
    case = Case(deal, session.players, ruleset, before, played, settled)
    differences = tuple(each for check in (*CHECKS, contradictions_of_partial_record) for each in check(case))
    missing = tuple(dict.fromkeys((*played.missing, *settled.missing)))
    verdict, reason = verdict_of(deal, played.findings, differences, missing)
    found = structs.replace(
        found,
        after=next_state(before, deal, seats, played.dealer, settled, ruleset, played),
        replay=played,
        settlement=settled,
        findings=(*findings, *played.findings, *differences),
        verdict=verdict,
        reason=reason,
        missing=missing,
    )
    return on_faces(found)


def on_faces(found: Judgement) -> Judgement:
    """The judgement, its findings said with cards as on the faces of the table's pack; facts keep their codes."""
    faces = found.ruleset.house.faces if found.ruleset else "german"
    if faces == "german":
        return found
    return structs.replace(found, findings=tuple(structs.replace(each, faces=faces) for each in found.findings))


def with_rounds(deal: Deal, ruleset: Ruleset, before: LedgerState) -> Deal:
    """The deal with the special rounds that the table has under way, where the record names none and its game is one
    that they play."""
    names = tuple(name for name, _ in before.rounds or () if name in ruleset.rounds)
    if deal.round is not None or not names or not game_fits_rounds(deal, ruleset, names):
        return deal
    return structs.replace(deal, round=names)


def rules_of(session: Session, source: Source | None = None) -> tuple[Ruleset | None, tuple[Finding, ...]]:
    """The ruleset of a session with its house settings, or why there is none."""
    source = source or session.source
    ruleset, findings = load(session.rules, session.house, Path(source.path).parent if source else None)
    deals, seats = (ruleset.house.list, ruleset.house.seats) if ruleset else (0, 1)
    if deals % max(1, len(session.players)) and deals % seats:
        why = message("judge.uneven-list", deals=deals, players=len(session.players))
        ruleset, findings = None, (finding("bad-setting", key="house.list", why=why),)
    return ruleset, tuple(structs.replace(each, source=source) for each in findings)


def unknown_to(ruleset: Ruleset, session: Session, deal: Deal) -> tuple[Finding, ...]:
    """Contracts and rounds that the ruleset does not have, and a contract that this table does not play, not even in a
    special round."""
    source = deal.source or session.source
    contract = deal.game.contract if deal.game else None
    found = []
    under = {*(deal.round or ()), *special_rounds(ruleset)} & ruleset.rounds.keys()
    of_rounds = [name for each in under for name in ruleset.rounds[each].contracts]
    offered = {row.id for row in (wedding(ruleset),) if row}
    if contract is not None and contract not in (*NOT_PLAYED, *ruleset.house.contracts, *of_rounds, *offered):
        known = contract in ruleset.contracts
        named = ", ".join(ruleset.house.contracts if known else ruleset.contracts)
        rule = "contract-not-played" if known else "contract-not-in-rules"
        found.append(finding(rule, source, contract=contract, ruleset=ruleset.id, contracts=named))
    rounds = ", ".join(ruleset.rounds)
    for name in deal.round or ():
        if name not in ruleset.rounds:
            found.append(finding("unknown-round", source, name=name, ruleset=ruleset.id, rounds=rounds))
    return tuple(found)


def errors_in(findings: tuple[Finding, ...]) -> list[Finding]:
    """The findings that are errors, in their order."""
    return [each for each in findings if each.severity == "error"]


def verdict_of(
    deal: Deal, broken: tuple[Finding, ...], differences: tuple[Finding, ...], missing: tuple[Message, ...]
) -> tuple[Verdict, Message]:
    """The verdict and its reason: the finding that decides it, what is missing, or one of two usual sentences."""
    if errors := errors_in(broken):
        return "unplayable", message_of(errors[0])
    if differs := errors_in(differences):
        return "differs", message_of(differs[0])
    if missing:
        return "undecidable", message("judge.lacks", missing=missing)
    if deal.stated is None:
        return "agrees", message("judge.no-result")
    return "agrees", message("judge.agrees")
