"""The table between deals, in words: the pot, stakes, a Hausbock, special rounds."""

from collections.abc import Sequence

from archive.judge.types import Judgement, LedgerState
from archive.rules import Ruleset
from archive.rules.tables import score_of
from archive.settle.marks_ledger import PLAYERS, begin_score
from archive.settle.rounds import in_force
from archive.text.chalk import initials
from archive.text.numbers import plain_money
from archive.text.wording import Texts


def round_title(name: str, rules: Ruleset | None = None) -> str:
    return rules.rounds[name].title if rules and name in rules.rounds else name.capitalize()


def table_chips(judgement: Judgement, t: Texts) -> tuple[str, ...]:
    """Return the circumstances of a deal: its place in a list, special rounds in force, what earlier deals left."""
    rules, before = judgement.ruleset, judgement.before
    of, number = rules.house.list if rules else 0, before.list_deals
    place = (t["l_list"].format(number=number + 1, of=of),) if of and number is not None else ()
    rounds = tuple(round_title(name, rules) for name in in_force(judgement.deal, before) or ())
    return (*place, *rounds, *marks_score(before, judgement.session.players, rules, t), *pot_amounts(before, t))


def pot_amounts(table: LedgerState, t: Texts, unit: str | None = None) -> tuple[str, ...]:
    """Return pot, Hausbock and stakes, as far as there are any; the pot as money of a `unit`, else as a number."""
    stock = plain_money(table.stock, unit, t) if table.stock and unit else table.stock
    there = (("l_hausbock", table.hausbock), ("l_stake", table.stake), ("l_stock", stock))
    return tuple(t[key].format(left=left) for key, left in there if left)


def marks_score(table: LedgerState, names: Sequence[str], rules: Ruleset | None, t: Texts) -> tuple[str, ...]:
    """Return the marks of both sides and who has the chalk, in a marks game of two pairs; else those of each player."""
    score = score_of(rules.house) if rules else None
    if score is None or (score.of == "pair" and len(names) not in (2, PLAYERS)):
        return ()
    table = begin_score(table, rules)
    short, marks, seat = initials(names), table.marks, table.chalk
    if score.of == "player" and len(names) > 2:
        return (", ".join(f"{short[at]} {'?' if marks is None else marks[at]}" for at in range(len(names))),)
    pairs = [
        " ".join(short[at] for at in seats) for seats in (((0, 2), (1, 3)) if len(names) == PLAYERS else ((0,), (1,)))
    ]
    first, second = ("?" if marks is None or marks[at] is None else str(marks[at]) for at in (0, 1))
    marks_text = t["l_marks"].format(above=pairs[0], below=pairs[1], first=first, second=second)
    return (marks_text, *((t["l_chalk"].format(names=pairs[seat % 2]),) if seat is not None else ()))


def table_contents(table: LedgerState, rules: Ruleset | None, t: Texts, unit: str | None = None) -> tuple[str, ...]:
    """Return everything on the table, with the deals left of each special round and the rounds to come; amounts in a
    `unit` if there is one."""
    rounds = (t["l_round"].format(title=round_title(name, rules), left=left) for name, left in table.rounds or ())
    queue = ", ".join(round_title(name, rules) for name in table.queue or ())
    return (*rounds, *((t["l_queue"].format(titles=queue),) if queue else ()), *pot_amounts(table, t, unit))
