"""Judging: replay, settle and compare one deal after another, with the state that passes from deal to deal."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, structs
from msgspec.structs import replace

from archive.judge.checks import restatements_that_differ
from archive.judge.from_facts import PartialResult, check_all, judge_from_facts
from archive.judge.known_facts import known_settlement
from archive.judge.partial_record import is_open, without_price_by_name
from archive.judge.types import Basis, Case, Judgement, LedgerState, Verdict
from archive.judge.who_plays import has_cards, with_any_trumps
from archive.notation import merge_settings
from archive.notation.corrections import apply_corrections
from archive.play.auction.ranks import wedding
from archive.play.replay import replay
from archive.play.seating import opposite
from archive.play.types import NOT_PLAYED, Replay
from archive.record import Deal, Finding, Session, Source, evidence_key, finding, message_of
from archive.rules import Ruleset, load
from archive.rules.complaints import line_of_setting
from archive.rules.tables import per_object, score_of
from archive.rules.titles import contract_title
from archive.say import Message, message
from archive.settle.facts import contract_of, side_points
from archive.settle.ledger import after_gap, apply_carry, empty_ledger, move_players, next_state
from archive.settle.marks_ledger import begin_score, seats_out
from archive.settle.rounds import game_fits_rounds, special_rounds
from archive.settle.settle import settle
from archive.settle.types import Settlement

TOML = ".toml"
DEAL = "[[deal]]"  # ends the head of a file


def place_of_setting(finding: Finding, source: Source | None) -> Source | None:
    """Return the line of the setting that a finding names if the file of the record is at hand and unchanged since
    reading, else the known place."""
    key = finding.facts.get("key")
    if source is None or not isinstance(key, str) or Path(source.path).suffix != TOML:
        return source
    line = line_of_key(source, key)
    return replace(source, line=line, end_line=None) if line else source


@lru_cache(256)
def line_of_key(source: Source, key: str) -> int | None:
    """Return the line of a dotted key in a block of a TOML file, else in the head of that file; None if in neither."""
    try:
        data = Path(source.path).read_bytes()
        lines = data.decode("utf-8").splitlines(keepends=True)
    except (OSError, ValueError):
        return None
    if sha256(data).hexdigest() != source.sha256:  # it has changed since it was read
        return None
    before = source.line - 1
    if line := line_of_setting("".join(lines[before : source.end_line]), key):
        return before + line
    head = next((n for n, line in enumerate(lines) if line.lstrip().startswith(DEAL)), len(lines))
    return line_of_setting("".join(lines[:head]), key)


Rules = tuple[Ruleset | None, tuple[Finding, ...]]  # with what is wrong or worth noting in its settings
HOUSE_NOTE = "house-note"


class SessionState(Struct, frozen=True):
    """A session under way: its ledger, the number of the last deal, and the players in their seats."""

    table: LedgerState
    number: int
    players: tuple[str, ...]


def initial_state(session: Session) -> SessionState:
    """Return the state of a session before its first deal."""
    seats = len(session.players)
    return SessionState(apply_carry(empty_ledger(seats), session.carry, seats, session.list), 0, session.players)


def judge_session(session: Session, deals: Iterable[Deal]) -> Iterator[Judgement]:
    """Yield a judgement for each deal of a session in order, with its corrections laid over it. A deal carries every
    setting that departs from its session. Nothing computed is carried over a gap in the numbers of the deals."""
    state = initial_state(session)
    for recorded in deals:
        judgement, state = judge_next(session, recorded, state)
        yield judgement


def judge_next(session: Session, recorded: Deal, state: SessionState) -> tuple[Judgement, SessionState]:
    """Return the judgement of the next deal of a session under way, and the state after it."""
    deal, refused = apply_corrections(session, recorded)
    last, number = state.number, number_of_deal(deal, state.number)
    if deal.source and deal.source.deal != number:  # findings name the deal by its number
        deal = structs.replace(deal, source=structs.replace(deal.source, deal=number))
        refused = tuple(structs.replace(each, source=deal.source) for each in refused)
    head = in_force(session, deal)
    state = seat_players(state, head)
    table, players = state.table, state.players
    gap = () if number <= last + 1 else (finding("deal-gap", deal.source, first=last + 1, last=number - 1),)
    if gap:
        table = after_gap(table)
    judgement = judge(head, deal, number, table)
    otherwise = tuple(restatements_that_differ(players, table, deal)) if last else ()  # the first deal brings them in
    if deal is not recorded or refused or gap or otherwise:
        judgement = structs.replace(
            judgement, recorded=recorded, findings=(*refused, *gap, *otherwise, *judgement.findings)
        )
    return judgement, SessionState(judgement.after, number, players)


def seat_players(state: SessionState, head: Session) -> SessionState:
    """Return the state of a session with the players of a head in their seats."""
    if head.players == state.players:
        return state
    ruleset, _ = rules_of(head)
    by_seat = ruleset is not None and ruleset.house.substitute == "seat"
    score = score_of(ruleset.house) if ruleset else None
    table = move_players(state.table, state.players, head.players, by_seat, score)
    return structs.replace(state, table=table, players=head.players)


def number_of_deal(deal: Deal, last: int) -> int:
    """Return the number of a deal: on the score sheet, else its position in the file, else one after the last."""
    if deal.no is not None:
        return deal.no
    position = deal.source.deal if deal.source else None
    return position if position is not None else last + 1


def in_force(session: Session, deal: Deal) -> Session:
    """Return the head of the session as it holds from this deal on."""
    if deal.rules is None and deal.house is None and deal.players is None:
        return session
    house = merge_settings(session.house or {}, deal.house or {})
    return structs.replace(
        session, rules=deal.rules or session.rules, house=house or None, players=deal.players or session.players
    )


def judge(session: Session, deal: Deal, number: int, table: LedgerState) -> Judgement:
    """Return the judgement of one deal, already corrected, in the state left by the deals before it."""
    seats = len(session.players)
    ruleset, findings = rules_of(session, deal.source)
    before = apply_carry(table, deal.carry, seats, deal.list)
    score = score_of(ruleset.house) if ruleset else None
    before = begin_score(before, ruleset) if score else before
    if ruleset is not None:  # notes on the head's own settings are given once, there
        findings = (*(findings if deal.house else ()), *unknown_to(ruleset, session, deal))
    errors = errors_in(findings)
    verdict: Verdict = "unplayable"
    missing: tuple[Message, ...] = ()
    facts = PartialResult(None, ())
    if ruleset is None or errors:
        played = settled = known = None
        reason = message_of(errors[0]) if errors else message("judge.agrees")
        if ruleset is None:  # nobody knows which rules to judge the play by
            verdict, missing = "undecidable", (message("missing.rules"),)
    else:
        case, facts = compare_by(ruleset, session, deal, before)
        played, settled = case.replay, facts.settlement or case.settlement
        known = known_settlement(case, facts.settlement, facts.left) if facts.settlement else settled
        missing = missing_facts(deal, played, settled, facts)
        verdict, reason = verdict_of(deal, played.findings, facts.differences, missing)
        if verdict == "agrees" and facts.settlement is not None:
            reason = message("judge.from-facts")
        findings = (*findings, *played.findings, *facts.differences)
    if ruleset and ruleset.house.faces != "german":  # of the cards; their facts keep the codes
        findings = tuple([structs.replace(each, faces=ruleset.house.faces) for each in findings])
    dealer = played.dealer if played else deal.dealer
    return Judgement(
        session=session,
        deal=deal,
        recorded=deal,
        number=number,
        before=before,
        after=next_state(before, deal, seats, dealer, settled, ruleset, played),
        ruleset=ruleset,
        replay=played,
        settlement=known,
        findings=findings,
        verdict=verdict,
        reason=reason,
        missing=missing,
        basis=basis_of(deal, settled, facts.settlement is not None),
        unwritten=facts.unwritten,
    )


def compare_by(
    ruleset: Ruleset, session: Session, deal: Deal, before: LedgerState, played: Replay | None = None
) -> tuple[Case, PartialResult]:
    """Return a deal as it is settled under the rules, and everything stated compared with that; it is replayed first,
    unless it has been `played` already under rules that have other prices alone."""
    players, score = session.players, score_of(ruleset.house)
    in_round = with_rounds(deal, ruleset, before) if before.rounds else deal
    if score and score.step < 0 and in_round.sits_out is None and (out := seats_out(before.marks, score)):
        in_round = structs.replace(in_round, sits_out=out)
    played = played or replay(in_round, players, ruleset, before.dealer)
    settled = settle(in_round, players, ruleset, played, before)
    found = played.findings
    if not errors_in(found) and is_declarer_decisive(in_round, players, ruleset, played, before):
        errors = [structs.replace(each, severity="error") if each.rule == AUCTION_RESULT else each for each in found]
        played = structs.replace(played, findings=tuple(errors))
    if errors_in(played.findings):  # nobody knows how it would have ended
        settled = Settlement(missing=settled.missing, runners=settled.runners)
    case = with_any_trumps(Case(at_table(session, deal), players, ruleset, before, played, settled))
    case = without_price_by_name(case)
    return case, judge_from_facts(case) if is_open(case) else PartialResult(None, check_all(case))


def is_declarer_decisive(
    deal: Deal, players: tuple[str, ...], ruleset: Ruleset, played: Replay, before: LedgerState
) -> bool:
    """Return whether the calls do not lead to the game and, at 60 : 60 between two seats opposite each other, only the
    declarer's identity decides who wins."""
    doubted = any(each.rule == AUCTION_RESULT for each in played.findings)
    row = ruleset.contracts.get(contract_of(deal)) if doubted else None
    level = doubted and side_points(played, "declarer") == side_points(played, "defence") is not None
    if row is None or not level or row.parties != "opposite" or played.declarer is None:
        return False
    turned = {"declarer": "defence", "defence": "declarer"}
    other = next(seat for seat in played.active if played.sides[seat] == "defence")
    otherwise = structs.replace(
        played,
        declarer=other,
        partner=opposite(other, played.active),
        sides=tuple(turned.get(side, side) if side else None for side in played.sides),
    )
    both = [settle(deal, players, ruleset, each, before) for each in (played, otherwise)]
    return both[0].marks != both[1].marks or both[0].payments != both[1].payments


AUCTION_RESULT = "auction-result"


def missing_facts(deal: Deal, played: Replay, settled: Settlement, facts: PartialResult) -> tuple[Message, ...]:
    """Return the facts that a record lacks: without cards, those that settle its price, else those of its play too."""
    if facts.settlement is not None:
        return ()
    if deal.game is None and deal.stated and deal.stated.of_list:
        return (message("missing.list-deals"),)
    if facts.missing and not has_cards(deal):
        return facts.missing
    return tuple(dict.fromkeys((*played.missing, *settled.missing)))


def at_table(session: Session, deal: Deal) -> Deal:
    """Return the deal; if it holds the sums of a list, with its session's table and list unless it names its own."""
    if not (deal.stated and deal.stated.of_list):
        return deal
    return structs.replace(deal, table=deal.table or session.table, list=deal.list or session.list)


def basis_of(deal: Deal, settled: Settlement | None, from_facts: bool) -> Basis | None:
    """Return what the amounts of a deal rest on: its cards, stated facts, or the payments as written if these are
    complete and sum to zero; else None."""
    if settled and (settled.payments is not None or settled.marks is not None):
        return "cards" if has_cards(deal) and not from_facts else "facts"
    payments = deal.stated.payments if deal.stated else None
    whole = payments is not None and None not in payments and sum(each or 0 for each in payments) == 0
    return "amounts" if whole else None


def with_rounds(deal: Deal, ruleset: Ruleset, before: LedgerState) -> Deal:
    """Return the deal with the special rounds under way at the table, if the record names none and they play its
    game."""
    names = tuple(name for name, _ in before.rounds or () if name in ruleset.rounds)
    if deal.round is not None or not names or not game_fits_rounds(deal, ruleset, names):
        return deal
    return structs.replace(deal, round=names)


@lru_cache(256)
def folder_of(path: str) -> Path:
    return Path(path).parent


def rules_of(session: Session, source: Source | None = None) -> Rules:
    """Return the ruleset that a session names, with its house settings, or None, and the findings about it."""
    source, known = source or session.source, rules_by_path(session)
    path = source.path if source else None
    if path not in known:
        ruleset, findings = load(session.rules, session.house, None if path is None else folder_of(path))
        deals, seats = (ruleset.house.list, ruleset.house.seats) if ruleset else (0, 1)
        if deals % max(1, len(session.players)) and deals % seats:
            why = message("judge.uneven-list", deals=deals, players=len(session.players))
            ruleset, findings = None, (finding("bad-setting", key="house.list", why=why),)
        known[path] = ruleset, findings
    ruleset, findings = known[path]
    return ruleset, tuple([structs.replace(each, source=place_of_setting(each, source)) for each in findings])


def under_rules(session: Session, rules: str | None) -> Session:
    """Return a session as it is judged by another ruleset (None: by its own). A pack of three that its reader took for
    granted, since three sit there, gives way to that of a ruleset for so many."""
    if rules is None:
        return session
    head, taken = structs.replace(session, rules=rules), {evidence_key(each) for each in session.inferred or ()}
    if "house.seats" not in taken or "seats" not in (session.house or {}):
        return head
    house = {key: value for key, value in (session.house or {}).items() if key not in ("seats", "deck")}
    own = structs.replace(head, house=house or None)
    ruleset, _ = rules_of(own)
    return own if ruleset and ruleset.house.seats == len(session.players) else head


@per_object
def rules_by_path(_session: Session) -> dict[str | None, Rules]:
    """Return the rules of a session that are known, by the path of the file that names them."""
    return {}


def unknown_to(ruleset: Ruleset, session: Session, deal: Deal) -> tuple[Finding, ...]:
    """Return a finding for each contract or round that the ruleset lacks, and for a contract that this table does not
    play even in a special round."""
    source, contract, findings = deal.source or session.source, contract_of(deal), []
    rounds = [ruleset.rounds[name] for name in deal.round if name in ruleset.rounds] if deal.round else []
    if deal.game and contract not in playable(ruleset) and not any(contract in special.contracts for special in rounds):
        known = contract in ruleset.contracts
        names = ruleset.house.contracts if known else tuple(ruleset.contracts)
        titles = tuple(contract_title(ruleset.contracts[name]) for name in names)
        own = contract_title(ruleset.contracts[contract]) if known else contract
        rule = "contract-not-played" if known else "contract-not-in-rules"
        findings.append(finding(rule, source, contract=own, ruleset=ruleset.id, contracts=titles))
    for name in deal.round or ():
        if name not in ruleset.rounds:
            rounds_here = ", ".join(ruleset.rounds)
            findings.append(finding("unknown-round", source, name=name, ruleset=ruleset.id, rounds=rounds_here))
    return tuple(findings)


@per_object
def playable(ruleset: Ruleset) -> frozenset[str]:
    """Return the contracts that a table plays, including those of its special rounds, and the words for no game."""
    of_rounds = [name for special in special_rounds(ruleset) for name in ruleset.rounds[special].contracts]
    offered = wedding(ruleset)
    return frozenset((*NOT_PLAYED, *ruleset.house.contracts, *of_rounds, *([offered.id] if offered else [])))


def errors_in(findings: tuple[Finding, ...]) -> list[Finding]:
    return [each for each in findings if each.severity == "error"] if findings else []


def verdict_of(
    deal: Deal, broken: tuple[Finding, ...], differences: tuple[Finding, ...], missing: tuple[Message, ...]
) -> tuple[Verdict, Message]:
    """Return the verdict and its reason: the finding that decides it, what is missing, or one of two standard
    sentences."""
    if errors := errors_in(broken):
        return "unplayable", message_of(errors[0])
    if differs := errors_in(differences):
        return "differs", message_of(differs[0])
    if missing:
        return "undecidable", message("judge.lacks", missing=missing)
    if deal.stated is None:
        return "agrees", message("judge.no-result")
    return "agrees", message("judge.agrees")
