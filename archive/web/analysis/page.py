"""From an analysis to its page: the curve, a position with the value of each card, all cards as a table."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from archive.analysis import Analysis, Decision, Expected
from archive.analysis.lines import Line
from archive.analysis.solver import Cut, is_in_points
from archive.judge import Judgement
from archive.judge.types import unit_of_deal
from archive.say import say
from archive.text.analysis import result_message
from archive.text.numbers import format_money
from archive.text.wording import Texts, card_name
from archive.web.queries import Facts
from archive.web.sentences import Sentence

END = "end"
JOINED = "\u2060"  # between two signs: no line ends here
Address = Callable[..., str]  # of this page, with other parameters


class CardView(Struct, frozen=True):
    """A card that may be played: what it pays its player, and as which result; where it leads."""

    code: str
    name: str
    amount: str
    result: str
    is_best: bool
    was_played: bool
    to: str


class LaidCard(Struct, frozen=True):
    code: str
    name: str
    player: str
    to: str = ""


def place_text(decision: Decision) -> str:
    """Return the place of a card, as an address has it."""
    return f"{decision.trick}.{decision.place}"


def unbroken(sentence: Sentence) -> Sentence:
    """Return the sentence with the sign of an amount on the line of its euros."""
    parts = (replace(part, text=re.sub("([+−])€", f"\\1{JOINED}€", part.text)) for part in sentence.parts)
    return replace(sentence, parts=tuple(parts))


def curve_of(judgement: Judgement, analysis: Analysis, now: int | None, t: Texts, address: Address) -> Facts:
    """Return the levels before each card and after the last one, as steps, the best on top: their `path`, the `lines`
    between results and the `marks` of cards that cost something (from 1 to 3 in `weight`), the beginnings of `tricks`,
    and where the position that is shown lies (`now`), all in percent."""
    decisions, names, unit = analysis.decisions, judgement.session.players, unit_of_deal(judgement)
    count, steps = len(analysis.levels.levels), [*(each.best for each in decisions), analysis.end]
    width = len(steps)

    def down(level: float) -> float:
        return 100 * (count - level - 0.5) / count

    corners = (f"H{place + 1}" + (f"V{down(after):.4g}" if after != level else "")
               for place, (level, after) in enumerate(pairwise([*steps, steps[-1]])))  # fmt: skip
    path = f"M0 {down(steps[0]):.4g}{''.join(corners)}"
    marks = [
        {
            "across": 100 * (place + 1) / width,
            "down": down((each.best + each.value) / 2),
            "weight": min(3, abs(each.best - each.value)),
            "is_decisive": each is analysis.decisive,
            "text": f"{names[each.seat]}: {card_name(each.card, t)}, {format_money(each.loss, unit, t).lstrip('+')}",
            "to": address(at=place_text(each)),
        }
        for place, each in enumerate(decisions)
        if each.loss
    ]
    cuts = enumerate(analysis.levels.cuts, 1)
    lines = [(cut_text(cut, analysis.deal.tricks, t), 100 * (count - number) / count) for number, cut in cuts]
    tricks = [100 * place / width for place, each in enumerate(decisions) if each.place == 1]
    at = None if now is None else 100 * (now + 0.5) / width
    return {"path": path, "width": width, "lines": lines, "tricks": tricks, "marks": marks, "now": at}


def cut_text(cut: Cut, tricks: int, t: Texts) -> str:
    """Return from how many card points or tricks on a result is reached, in words."""
    need = cut[1]
    if is_in_points(cut):
        return t["an_line_points"].format(points=need)
    return t["an_line_every" if need == tricks > 1 else "an_line_tricks"].format(n=need)


def card_views(
    judgement: Judgement,
    analysis: Analysis,
    seat: int,
    values: dict[str, int],
    played: str | None,
    t: Texts,
    to: Callable[[str], str],
) -> tuple[CardView, ...]:
    """Return cards with what they pay a player, the best first."""
    paid = {card: analysis.level(level).payments[seat] for card, level in values.items()}
    ours = judgement.replay is not None and judgement.replay.sides[seat] == "declarer"  # else as that of the others
    words = "{result}" if ours else t["an_theirs"]
    best = max(paid.values(), default=0)
    return tuple(
        CardView(
            code=card,
            name=card_name(card, t),
            amount=format_money(paid[card], unit_of_deal(judgement), t),
            result=words.format(result=say(result_message(analysis.level(values[card])), t["lang"])),
            is_best=paid[card] == best,
            was_played=card == played,
            to=to(card),
        )
        for card in sorted(values, key=lambda card: -paid[card])
    )


def position_view(
    judgement: Judgement,
    analysis: Analysis,
    line: Line,
    branch: int,
    played: str | None,
    t: Texts,
    to: Callable[[Sequence[str]], str],
) -> Facts:
    """Return the position after a line of cards, of which the first `branch` are those of the play; `to` has the
    address of the cards after these."""
    names, moment = judgement.session.players, line.moment
    own = [card for _, card in line.played[branch:]]
    seat, player = moment.seat, names[moment.seat] if moment.seat is not None else ""
    level = moment.level
    return {
        "title": t["an_at"].format(trick=moment.trick, player=player) if seat is not None else t["an_at_end"],
        "seat": seat,
        "player": player,
        "lying": [LaidCard(card, card_name(card, t), names[who]) for who, card in moment.lying],
        "hands": [
            (names[who], who == seat, [LaidCard(card, card_name(card, t), "") for card in reversed(hand)])
            for who, hand in moment.hands.items()
        ],
        "cards": card_views(judgement, analysis, seat, moment.values, played, t, lambda card: to([*own, card]))
        if seat is not None
        else (),
        "line": [
            LaidCard(card, card_name(card, t), names[who], to(own[: place + 1]))
            for place, (who, card) in enumerate(line.played[branch:])
        ],
        "result": say(result_message(analysis.level(level)), t["lang"]),
        "amounts": [
            f"{name} {format_money(amount, unit_of_deal(judgement), t)}"
            for name, amount in zip(names, analysis.level(level).payments, strict=True)
        ],
        "points": t["an_points_end" if seat is None else "an_points_now"].format(points=moment.points)
        if analysis.levels.counts_points
        else "",
    }


def turned_text(judgement: Judgement, analysis: Analysis, t: Texts) -> str:
    """Return the effect of the decisive card in a sentence; empty if no card had one."""
    decisive, replay = analysis.decisive, judgement.replay
    if decisive is None or replay is None:
        return ""
    before, after = (analysis.level(level).settlement.won for level in (decisive.best, decisive.value))
    own = replay.sides[decisive.seat] == "declarer"
    return t["an_turned_height" if before == after else "an_turned_lost" if own else "an_turned_won"]


def known_view(judgement: Judgement, decision: Decision, expected: Expected, t: Texts) -> tuple[str, list[CardView]]:
    """Return a decision as seen with what its player could know: in words, and its cards by that."""
    unit, name = unit_of_deal(judgement), judgement.session.players[decision.seat]

    def money(value: float) -> str:
        return format_money(round(value), unit, t)

    text = t["an_known_clear" if expected.is_clear else "an_known_unclear"].format(
        n=expected.worlds,
        player=name,
        best=card_name(expected.best, t),
        loss=money(expected.loss).lstrip("+"),
        error=money(expected.error).lstrip("+"),
    )
    return text, [
        CardView(
            code=card,
            name=card_name(card, t),
            amount=money(value),
            result=t["an_known_mean"],
            is_best=card in expected.equal and len(expected.equal) < len(expected.values),
            was_played=card == decision.card,
            to="",
        )
        for card, value in sorted(expected.values.items(), key=lambda each: -each[1])
    ]


def table_rows(judgement: Judgement, analysis: Analysis, t: Texts, address: Address) -> Iterator[Facts]:
    """Yield every decision with a choice."""
    names, unit = judgement.session.players, unit_of_deal(judgement)
    for each in analysis.decisions:
        if len(each.values) > 1:
            at = place_text(each)
            yield {
                "at": at,
                "player": names[each.seat],
                "played": LaidCard(each.card, card_name(each.card, t), names[each.seat], address(at=at)),
                "cards": card_views(judgement, analysis, each.seat, each.values, each.card, t, lambda _: ""),
                "cost": format_money(each.loss, unit, t).lstrip("+") if each.loss else "",
                "is_decisive": each is analysis.decisive,
            }
