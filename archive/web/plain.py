"""A judged deal as plain text, part by part: for the terminal, for a printer, for whoever copies it out of a page.

No part is wider than `width` where the names leave that much room. `loud` marks what a reader should see first; on
paper it marks nothing.
"""

from collections.abc import Callable
from textwrap import fill

from tabulate import tabulate

from archive.audit import Judgement, report
from archive.audit.sentences import say_line
from archive.audit.stated import compared, shown
from archive.cards import in_faces, spoken, suit_name
from archive.play.types import Cards, Step
from archive.record import Finding
from archive.record.german import german
from archive.settle.types import Line
from archive.web.left import chips, on_the_table
from archive.web.seats import blind_for
from archive.web.tally import GROUP, MOST, Side, sheet_of
from archive.web.texts import EN as TEXT
from archive.web.wording import bid_words, call_words, cut_words, event_words, exchange_words, texts_of

Loud = Callable[[str], str]
NARROWEST = 8  # characters of a name in a heading


def title(found: Judgement) -> str:
    """What was played: `Deal 3: Rufspiel auf Gras-Sau`."""
    game = found.deal.game
    contract = found.ruleset.contracts.get(game.contract) if found.ruleset and game else None
    name = (
        contract.title
        if contract
        else {"none": "thrown in", "misdeal": "dealt again"}.get(game.contract if game else "", "no game recorded")
    )
    faces = faces_of(found)
    told = (
        f" auf {spoken(game.called, faces)}"
        if game and game.called
        else f" {suit_name(game.suit, faces)}"
        if game and game.suit
        else ""
    )
    words = "".join(f" {word.capitalize()}" for word in game.words) if game else ""
    bid = f" {bid_words(game, found.ruleset, TEXT)}" if game and game.bid else ""
    return f"Deal {found.number}: {name}{told}{words}{bid}"


def occasion(found: Judgement) -> str:
    """Event, place and date, as far as they are recorded."""
    session = found.session
    return " · ".join(part for part in (session.event, session.place, session.date) if part)


def faces_of(found: Judgement) -> str:
    """The faces of the pack, as the ruleset says."""
    return found.ruleset.house.faces if found.ruleset else "german"


def facts(found: Judgement) -> str:
    """Declarer and partner, points, runners, price, in one line."""
    told = report(found)
    parts = []
    if told["declarer"]:
        parts.append(told["declarer"] + (f" with {told['partner']}" if told["partner"] else ""))
    settled = found.settlement
    if settled and settled.won is not None:
        points = f" with {told['side_points']} points" if told["side_points"] is not None else ""
        parts.append(("won" if settled.won else "lost") + points)
    if settled and settled.undecided:
        parts.append(f"undecided with {settled.side_points} points each")
    if told["runners"] and told["runners_paid"]:
        parts.append(f"{abs(told['runners'])} runners {'with' if told['runners'] > 0 else 'without'}")
    if told["price"] is not None:
        parts.append(f"price {told['price']} {told['unit']}")
    return ", ".join(parts)


def lying(found: Judgement) -> str:
    """Special rounds in force, and what earlier deals left on the table."""
    told = chips(found, TEXT)
    return f"{'in force:':11}{', '.join(told)}" if told else ""


def left(found: Judgement) -> str:
    """What the deal leaves on the table, where it is not what it found there."""
    before, after = (on_the_table(table, found.ruleset, TEXT) for table in (found.before, found.after))
    return "" if before == after else f"{'left:':8}{', '.join(after) or 'nothing'}"


def phases(found: Judgement, width: int) -> str:
    """What was said and passed on before play, and done beside it."""
    deal, names, t = found.deal, found.session.players, texts_of(found.ruleset, TEXT)
    knocks = [names[seat] for seat in deal.knocks] if isinstance(deal.knocks, tuple) else [str(deal.knocks or "")]
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    events = deal.events or ()
    rows = {
        "cut": cut_words(deal, names, t)[1] if deal.cut else "",
        "knocks": ", ".join(knocks),
        "auction": ", ".join(f"{names[c.seat]} {call_words(c.call, found.ruleset, t)}" for c in deal.auction or ()),
        "blind": _blind(found),
        "passed on": " ".join(exchange_words(each, names, t) for each in deal.exchange or ()),
        "doubled": ", ".join(f"{names[d.seat]} {d.word}{_before(d.trick, d.card)}" for d in doubles),
        "beside": ", ".join(f"{names[e.seat]} {event_words(e, names, t)}{_moment(e.moment)}" for e in events),
    }
    return "\n".join(
        fill(text, width, initial_indent=f"{label + ':':11}", subsequent_indent=" " * 11, break_on_hyphens=False)
        for label, text in rows.items()
        if text
    )


def _blind(found: Judgement) -> str:
    """The cards on the table, with the declarer's name where they count though nobody takes them up."""
    told, owner = _cards(found, found.deal.blind or ()), blind_for(found)
    return f"{told} ({TEXT['counts_for'].format(name=owner)})" if told and owner else told


def _before(trick: int | None, card: int | None) -> str:
    return "" if trick is None else f" (trick {trick})" if card is None else f" (before {trick}.{card})"


def _moment(moment: str | None) -> str:
    return "" if moment is None else f" (before {moment})" if moment[0].isdigit() else f" ({moment})"


def hands(found: Judgement, seat: int | None = None) -> str:
    """The hands as dealt, one line a player; others than `seat` stay hidden where one is given."""
    played = found.replay
    if played is None:
        return ""
    away = "" if played.active else "not recorded"
    rows = [
        (
            name,
            marks(found, number),
            _cards(found, hand) if hand else "not recorded" if number in played.active else away,
        )
        for number, (name, hand) in enumerate(zip(found.session.players, played.dealt, strict=True))
        if seat in (None, number)
    ]
    return tabulate(rows, tablefmt="plain")


def marks(found: Judgement, seat: int) -> str:
    """Dealer, forehand and role of a seat."""
    played = found.replay
    if played is None:
        return ""
    roles = [
        ("dealer", played.dealer == seat),
        ("forehand", bool(played.active) and played.active[0] == seat),
        ("declarer", played.declarer == seat),
        ("partner", played.partner == seat),
        ("sits out", bool(played.active) and seat not in played.active),
        ("laid down", seat in played.active and seat not in played.playing),
    ]
    return ", ".join(role for role, holds in roles if holds)


def tricks(found: Judgement, width: int, loud: Loud = str) -> str:
    """One row a trick: > marks the lead, * the card that took it, ! a card against the rules. Names that leave no room
    stand on several lines."""
    played, names = found.replay, found.session.players
    if played is None or not played.steps:
        return ""
    rows = []
    for number, (winner, points) in enumerate(zip(played.winners, played.trick_points, strict=True), 1):
        cards = {step.seat: step for step in played.steps if step.trick == number}
        row: list[object] = [number]
        for seat in played.active:
            row.append(_laid(found, cards.get(seat), winner, loud))
        rows.append([*row, "?" if points is None else points, names[winner] if winner is not None else "?"])
    head = ["trick", *(names[seat] for seat in played.active), "points", "taken by"]
    room = max(NARROWEST, (width - 15) // (len(played.active) + 1) - 2)
    most = [width, *(room for _ in played.active), width, room]
    return tabulate(rows, head, tablefmt="simple", maxheadercolwidths=most, maxcolwidths=most)


def _laid(found: Judgement, step: Step | None, winner: int | None, loud: Loud) -> str:
    if step is None:
        return ""
    lead = "> " if step.place == 1 else "  "
    text = f"{lead}{_cards(found, (step.card,))}{' *' if step.seat == winner else ''}{' !' if step.broken else ''}"
    return loud(text) if step.broken else text


def trick(found: Judgement, number: int, seat: int | None) -> str:
    """One trick card by card, with the hand each card came from and what was allowed."""
    played, names = found.replay, found.session.players
    steps = [step for step in (played.steps if played else ()) if step.trick == number]
    rows = [
        (
            step.place,
            names[step.seat],
            _cards(found, (step.card,)),
            _cards(found, step.allowed),
            _cards(found, step.hand),
            step.broken or "",
        )
        for step in steps
        if seat in (None, step.seat)
    ]
    return tabulate(rows, ("card", "player", "played", "allowed", "hand before", "finding"), tablefmt="simple")


def _cards(found: Judgement, cards: Cards | None) -> str:
    return "?" if cards is None else in_faces(" ".join(cards), faces_of(found))


def settlement(found: Judgement, width: int, language: str = "en") -> str:
    """The lines that add up, with the source of each."""
    settled = found.settlement
    if settled is None or not settled.lines:
        return ""
    sign = {"add": "+", "times": "×", "pot": "pot ", "at-most": "≤"}
    rows = [
        (
            f"{say_line(found, line, language)}{proved(found, line)}",
            f"{line.amount:+}" if line.kind == "per-player" else f"{sign.get(line.kind, '')}{line.amount}",
            "" if line.running is None else line.running,
            line.cite,
        )
        for line in settled.lines
    ]
    first = max(24, width - 46)  # what the other columns leave at least
    others = (
        min(first, max(len(row[0]) for row in rows)) + max(8, *(len(row[1]) for row in rows)) + 15
    )  # as tabulate pads them
    rest = max(20, width - others)
    head = ("settlement", "amount", "running", "source")
    return tabulate(rows, head, "simple", colalign=("left", "right"), maxcolwidths=[first, None, None, rest])


def proved(found: Judgement, line: Line) -> str:
    """The cards that prove a line, each with its trick and place: ` (6.4 GA)`. What was said is in its words."""
    steps = found.replay.steps if found.replay else ()
    at = {f"t{step.trick}.{step.place}": step for step in steps}
    told = (f"{step.trick}.{step.place} {_cards(found, (step.card,))}" for to in line.proof if (step := at.get(to)))
    return f" ({text})" if (text := ", ".join(told)) else ""


def payments(found: Judgement, width: int) -> str:
    """What each player is paid (+) or pays, and the totals after it."""
    settled = found.settlement
    if settled is None or settled.payments is None:
        return ""
    told = [amounts(found, "pays", settled.payments, width)]
    if found.after.totals is not None:
        told.append(amounts(found, "totals", found.after.totals, width))
    return "\n".join(told)


def score_sheet(found: Judgement, width: int, loud: Loud = str) -> str:
    """The score sheet of a marks game after the deal: a line, one side's strokes above it, the other's below; those of
    the deal are loud."""
    sheet = sheet_of(found, TEXT)
    if sheet is None:
        return ""
    size = max(len(side.initials) for side in sheet.sides)
    first, second = (_strokes(side, size, loud) for side in sheet.sides)
    rule = "─" * min(width, max(len(_strokes(side, size, str)) for side in sheet.sides))
    return "\n".join((sheet.title, first, rule, second, *fill(f"{sheet.text}.", width).splitlines()))


def _strokes(side: Side, size: int, loud: Loud) -> str:
    """A side's initials, its strokes in groups of five, and their sum."""
    have, drawn = side.marks or 0, min(side.marks or 0, MOST)
    every = ["|" if n < have - side.new else loud("|") for n in range(drawn)]
    groups = " ".join("".join(every[n : n + GROUP]) for n in range(0, drawn, GROUP))
    told = "?" if side.marks is None else f"{have}{f' (+{side.new})' if side.new else ''}"
    return f"{side.initials:{size}} {'chalk' if side.chalk else '     '}  {groups}  {told}"


def incomplete(found: Judgement, width: int) -> str:
    """What the documents of the ruleset do not tell."""
    rules = found.ruleset
    return fill(f"{rules.title} is incomplete: {rules.incomplete}", width) if rules and rules.incomplete else ""


def amounts(found: Judgement, word: str, each: tuple[int | None, ...], width: int) -> str:
    """An amount of every player after a word."""
    paid = zip(found.session.players, each, strict=True)
    told = ", ".join(f"{name} {'?' if amount is None else f'{amount:+}'}" for name, amount in paid)
    return fill(told, width, initial_indent=f"{word + ':':8}", subsequent_indent=" " * 8, break_on_hyphens=False)


def accounts(found: Judgement, width: int) -> str:
    """What the record states beside what the rules compute, and what was ruled."""
    names, pairs = found.session.players, compared(found)
    head = ("stated", "computed", *(("ruled",) if any(pair.ruled for pair in pairs) else ()))
    rows = []
    for pair in pairs:
        each = {kind: getattr(pair, kind) for kind in head}
        told = (
            "" if each[kind] is None and kind != "computed" else shown(names, pair.key, each[kind]) for kind in head
        )
        rows.append((pair.key.replace("_", " "), *told))
    room = max(NARROWEST, (width - 18) // len(head))  # beside the longest key
    return tabulate(rows, ("", *head), "simple", maxcolwidths=[None, *(room for _ in head)]) if rows else ""


def inferred(found: Judgement) -> str:
    """The house settings that the record does not state, with the evidence."""
    return "\n".join(f"inferred: {each}" for each in found.session.inferred or ())


def placed(each: Finding, language: str = "en") -> str:
    """The message of a finding, told in `language`, with its trick and card where it does not begin with them."""
    at = each.at if each.at and each.at[:1].isdigit() else ""
    own = not at or each.message.casefold().startswith(("trick ", "stich "))
    where = f"trick {at.replace('.', ' card ')}"
    return each.message if own else f"{german(where) if language == 'de' else where}: {each.message}"


def findings(found: Judgement) -> str:
    """Every finding of the deal, one a line."""
    return "\n".join(f"{each.rule}: {each.message}" for each in found.findings)
