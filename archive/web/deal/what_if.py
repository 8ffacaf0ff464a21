"""A deal by another ruleset beside its own: the lines, the verdict, what each player gets."""

from collections.abc import Sequence

from archive.judge import Judgement
from archive.judge.types import unit_of_deal
from archive.judge.what_if import is_alike
from archive.rules import installed_rulesets, load
from archive.text.numbers import format_signed
from archive.text.what_if import what_if_amounts, what_if_lines
from archive.text.wording import Texts, texts_of, unit_of
from archive.web.deal.page import with_isolated_names
from archive.web.queries import Facts
from archive.web.sentences import to_sentence


def what_if(recorded: Judgement, other: Judgement, t: Texts) -> Facts:
    """Return a deal by its own `rules` and by others: `lines` and `amounts` have a text and a value by each of them,
    amounts their difference too, empty if one of them gives none; `reason` is that of the verdict by the others."""
    both, words = (with_isolated_names(recorded), with_isolated_names(other)), texts_of(other.ruleset, t)
    rows = zip(what_if_amounts(both), _differences(both), strict=True)
    return {
        "rules": (recorded.session.rules, other.session.rules),
        "units": [unit_of(unit_of_deal(each) or "", t) for each in both],
        "verdicts": (recorded.verdict, other.verdict),
        "lines": [*what_if_lines(both, t["lang"])],
        "amounts": [(*row, difference) for row, difference in rows],
        "reason": to_sentence(other.reason, words, words["faces"], whole=True),
        "is_same": is_alike((recorded, other)),
    }


def rules_beside(judgement: Judgement) -> list[str]:
    """Return the other bundled rulesets that have the contract of a deal; if none has, those that play as its own."""
    houses = {name: ruleset.house for name in installed_rulesets() if (ruleset := load(name)[0])}
    own, game = houses.pop(judgement.session.rules, None), judgement.deal.game
    found = [name for name, house in houses.items() if game and game.contract in house.contracts]
    plays = own.play if own else "tricks"
    return found or [name for name, house in houses.items() if house.play == plays]


def _differences(both: Sequence[Judgement]) -> list[str]:
    """Return how much more each player gets by the second ruleset; marks and payments, or different units, are not
    compared."""
    of, by = ((each.settlement.payments, each.settlement.marks) if each.settlement else (None, None) for each in both)
    pairs = next(((old, new) for old, new in zip(of, by, strict=True) if old and new), None)
    if pairs is None or len({unit_of_deal(each) for each in both}) > 1:
        return [""] * len(both[0].session.players)
    return ["" if old is None or new is None else format_signed(new - old) for old, new in zip(*pairs, strict=True)]
