"""Repair: the one change that makes an unplayable record legal as a whole, if there is exactly one.

The change is only proposed. A proposal is the `set` of a correction, which somebody may make in their own name or not.
"""

import json
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.game_edits import Change
from archive.explain.record_edits import CHANGES
from archive.judge.compare_stated import comparisons, rule_of_stated
from archive.judge.judge_deal import errors_in, judge, with_rounds
from archive.judge.sentences import faces_of
from archive.judge.types import Case, Judgement, LedgerState, Verdict, case_of
from archive.notation.corrections import entries_between
from archive.play.auction.lengths import LONG
from archive.play.replay import at_the_table, with_cards, with_play
from archive.record import Deal, Session
from archive.say import Message, message, say

SPEAKING = ("dealer-order", "contract-not-played")  # notes that speak against a record as a warning does


class Proposal(Struct, frozen=True):
    """One change after which the play is legal. `set` are the entries of a correction, by dotted key; `supports` are
    the stated facts that agree only with the change, `against` those that still do not agree with it."""

    kind: str  # the kind of change: misread, swapped, rotated, leader, game, …
    message: Message  # the change
    set: dict[str, Any]
    verdict: Verdict
    reason: Message
    supports: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries as KEY=VALUE, the value in TOML."""
        return tuple(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in self.set.items())


class Repair(Struct, frozen=True):
    """The proposals that fit, the shortest first; `proposal` is the only one, None if none or several fit."""

    fits: tuple[Proposal, ...]
    message: Message  # how many there are, as a sentence
    tried: int = 0  # records tried that differ by one change

    @property
    def proposal(self) -> Proposal | None:
        return self.fits[0] if len(self.fits) == 1 else None


def repair(session: Session, deal: Deal, number: int, before: LedgerState) -> Repair:
    """Return the changes that make all of a deal's play legal; none of them is applied.

    A changed record is legal if it has no error of the play, no new warning, and nothing stated that agreed before and
    differs now. A deal that was played to its end stays so. If some of the legal changes make everything stated agree,
    only these count. Changes that make the same record are one. Nothing is searched if the play is legal as it is, or
    the house rules cannot be read.
    """
    judgement = judge(session, deal, number, before)
    case = case_of(judgement)
    if case is None or not errors_in(case.replay.findings):
        return Repair((), message("repair.nothing-to-repair"))
    changes = [change for kind in CHANGES for change in kind(case)]
    judged = [(change, judge(session, change.deal, number, before)) for change in changes if may_be_legal(case, change)]
    legal = [
        (change, after)
        for change, after in judged
        if after.replay is not None
        and not errors_in(after.replay.findings)
        and not contradicts(judgement, after)
        and not leaves_unfinished(judgement, after)
    ]
    agreeing = [each for each in legal if not contradicting_keys(each[1])]
    distinct: dict[object, tuple[Change, Judgement]] = {}  # every resulting record, by the first change that makes it
    for each in agreeing or legal:
        distinct.setdefault(play_key(each[1]), each)
    found = [(proposal(judgement, *each), is_other_contract(deal, each[1])) for each in distinct.values()]
    found.sort(key=lambda each: (len(each[0].set), each[1], sum(map(len, each[0].entries))))
    return Repair(tuple(fits for fits, _ in found), how_many(len(found)), len(changes))


def is_other_contract(deal: Deal, after: Judgement) -> bool:
    """Return whether a change makes another contract or suit of a game, and not just another declarer."""
    games = [each.game and (each.game.contract, each.game.suit, each.game.called) for each in (deal, after.deal)]
    return games[0] != games[1]


def how_many(count: int) -> Message:
    """Return a message on how many changes fit, and what that means."""
    few = ("repair.none", "repair.one", "repair.two", "repair.three")
    return Message(few[count]) if count < len(few) else message("repair.several", n=count)


# --- what fits --------------------------------------------------------------------------------------------------------


def may_be_legal(case: Case, change: Change) -> bool:
    """Return whether cards, duties and parties are in order: checked before all the rest, which takes twice as long. A
    record that admits an irregularity is replayed as a whole."""
    if change.deal.events:
        return True
    deal = with_rounds(change.deal, case.ruleset, case.before)
    scene = with_cards(at_the_table(deal, case.players, case.ruleset, case.before.dealer))
    return not errors_in(scene.findings) and not errors_in(with_play(scene).findings)


def leaves_unfinished(before: Judgement, after: Judgement) -> bool:
    """Return whether a deal that was played to its end no longer is, or a trick was removed from one that then is
    not."""
    if after.replay is None or after.replay.complete:
        return False
    fewer = len(after.deal.tricks or ()) < len(before.deal.tricks or ())
    return fewer or (before.replay is not None and before.replay.complete)


def contradicts(before: Judgement, after: Judgement) -> bool:
    """Return whether the change brings up something that speaks against it, stated or noted."""
    return bool(set(contradicting_keys(after)) - set(contradicting_keys(before)))


def contradicting_keys(judgement: Judgement) -> tuple[str, ...]:
    """Return the parts of a record that do not agree with it besides the play: rules of findings, and keys that are
    stated."""
    play = errors_in(judgement.replay.findings) if judgement.replay else []
    keys = [pair.key for pair in comparisons(judgement) if pair.differs]
    known = {rule_of_stated(key) for key in keys}
    return (
        *keys,
        *dict.fromkeys(
            each.rule
            for each in judgement.findings
            if (each.severity != "note" or each.rule in SPEAKING) and each not in play and each.rule not in known
        ),
    )


def play_key(judgement: Judgement) -> tuple[Any, ...]:
    """Return the cards and the game of a record, however it is written: hands in any order, leaders named or not, the
    number bid with the game or in the auction alone."""
    deal, replayed, game = judgement.deal, judgement.replay, judgement.deal.game
    assert replayed
    numbers = [int(each.call) for each in deal.auction or () if each.call.isdecimal() and len(each.call) < LONG]
    if game and game.bid is None and numbers:
        game = replace(game, bid=max(numbers))
    hands = tuple(None if hand is None else tuple(sorted(hand)) for hand in (*replayed.dealt, *replayed.held))
    passed = tuple((each.giver, each.taker, tuple(sorted(each.cards))) for each in deal.exchange or ())
    cards = tuple(trick.cards for trick in deal.tricks or ())
    blind = None if deal.blind is None else tuple(sorted(deal.blind))
    who = (replayed.leaders, replayed.dealer, replayed.partner, deal.sits_out, deal.doubles, deal.knocks)
    return hands, blind, passed, cards, *who, game


def proposal(judgement: Judgement, change: Change, after: Judgement) -> Proposal:
    """Return a change that fits, as a correction."""
    agreed = {pair.key for pair in comparisons(judgement) if pair.computed is not None and not pair.differs}
    agrees = [pair.key for pair in comparisons(after) if pair.computed is not None and not pair.differs]
    return Proposal(
        kind=change.kind,
        message=change.message,
        set=entries_between(judgement.session, judgement.deal, change.deal),
        verdict=after.verdict,
        reason=after.reason,
        supports=tuple(key for key in agrees if key not in agreed),
        against=contradicting_keys(after),
    )


# --- public JSON ------------------------------------------------------------------------------------------------------


def repair_report(judgement: Judgement, result: Repair, language: str = "en") -> dict[str, Any]:
    """Return a repair as public JSON: `verdict` and `reason` of the record as it is, how many records were `tried`, the
    changes that `fit`, and which of them is the `proposal`, null if none or several fit. Each has its `kind`, `text`
    (and `text_de` in another language), the entries that a correction would `set`, the `verdict` and `reason` that it
    leads to, and the keys of stated facts that speak for it (`supports`) and still do not agree (`against`)."""
    faces = faces_of(judgement)

    def texts(name: str, said: Message) -> dict[str, str]:
        own = {name: say(said, "en", faces)}
        return own if language == "en" else own | {f"{name}_{language}": say(said, language, faces)}

    fits = [
        {"kind": each.kind, **texts("text", each.message), "set": each.set, "verdict": each.verdict}
        | texts("reason", each.reason)
        | {"supports": list(each.supports), "against": list(each.against)}
        for each in result.fits
    ]
    return (
        {"verdict": judgement.verdict, **texts("reason", judgement.reason), "tried": result.tried}
        | texts("text", result.message)
        | {"fit": fits, "proposal": fits[0] if result.proposal else None}
    )
