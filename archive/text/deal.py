"""A judged deal as plain text, part by part: for the terminal, for a printer, for whoever copies it out of a page.

No part is wider than `width` where the names leave that much room. `loud` marks what a reader should see first; on
paper it marks nothing.
"""

from collections.abc import Callable, Sequence
from textwrap import fill

from tabulate import tabulate

from archive.cards import in_faces, spoken_name, suit_name
from archive.judge import Judgement, report
from archive.judge.compare_stated import Comparison, comparisons, format_value
from archive.judge.sentences import faces_of, say_line
from archive.play.types import Cards, Step
from archive.record import Finding
from archive.settle.types import SettlementLine
from archive.text.chalk import GROUP, MOST, SheetSide, chalk_sheet
from archive.text.ledger_state import table_chips, table_contents
from archive.text.texts import EN as TEXT
from archive.text.texts import TEXTS
from archive.text.wording import (
    bid_words,
    call_words,
    cut_words,
    event_words,
    exchange_words,
    finding_words,
    owner_of_blind,
    texts_of,
)

Loud = Callable[[str], str]
NARROWEST = 8  # characters of a name in a heading


def deal_title(judgement: Judgement) -> str:
    """The title of a deal: `Deal 3: Rufspiel auf Gras-Sau`."""
    game = judgement.deal.game
    contract = judgement.ruleset.contracts.get(game.contract) if judgement.ruleset and game else None
    name = (
        contract.title
        if contract
        else {"none": "thrown in", "misdeal": "dealt again"}.get(game.contract if game else "", "no game recorded")
    )
    faces = faces_of(judgement)
    suffix = (
        f" auf {spoken_name(game.called, faces)}"
        if game and game.called
        else f" {suit_name(game.suit, faces)}"
        if game and game.suit
        else ""
    )
    words = "".join(f" {word.capitalize()}" for word in game.words) if game else ""
    bid = f" {bid_words(game, judgement.ruleset, TEXT)}" if game and game.bid else ""
    return f"Deal {judgement.number}: {name}{suffix}{words}{bid}"


def occasion(judgement: Judgement) -> str:
    """Event, place and date, as far as they are recorded."""
    session = judgement.session
    return " · ".join(part for part in (session.event, session.place, session.date) if part)


def result_line(judgement: Judgement) -> str:
    """Declarer and partner, points, runners, price, in one line."""
    fields = report(judgement)
    parts = []
    if fields["declarer"]:
        parts.append(fields["declarer"] + (f" with {fields['partner']}" if fields["partner"] else ""))
    settled = judgement.settlement
    if settled and settled.won is not None:
        points = f" with {fields['side_points']} points" if fields["side_points"] is not None else ""
        parts.append(("won" if settled.won else "lost") + points)
    if settled and settled.undecided:
        parts.append(f"undecided with {settled.side_points} points each")
    if fields["runners"] and fields["runners_paid"]:
        parts.append(f"{abs(fields['runners'])} runners {'with' if fields['runners'] > 0 else 'without'}")
    if fields["price"] is not None:
        parts.append(f"price {fields['price']} {fields['unit']}")
    return ", ".join(parts)


def rounds_line(judgement: Judgement) -> str:
    """Special rounds in force, and what earlier deals left on the table."""
    texts = table_chips(judgement, TEXT)
    return f"{'in force:':11}{', '.join(texts)}" if texts else ""


def ledger_change(judgement: Judgement) -> str:
    """Pot, stakes and rounds that a deal leaves on the table; empty where it changes nothing."""
    before, after = (table_contents(table, judgement.ruleset, TEXT) for table in (judgement.before, judgement.after))
    return "" if before == after else f"{'left:':8}{', '.join(after) or 'nothing'}"


def before_play(judgement: Judgement, width: int) -> str:
    """Cut, knocks, auction, exchange, doublings and events, a line each."""
    deal, names, t = judgement.deal, judgement.session.players, texts_of(judgement.ruleset, TEXT)
    knocks = [names[seat] for seat in deal.knocks] if isinstance(deal.knocks, tuple) else [str(deal.knocks or "")]
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    events = deal.events or ()
    rows = {
        "cut": cut_words(deal, names, t)[1] if deal.cut else "",
        "knocks": ", ".join(knocks),
        "auction": ", ".join(f"{names[c.seat]} {call_words(c.call, judgement.ruleset, t)}" for c in deal.auction or ()),
        "blind": _blind(judgement),
        "passed on": " ".join(exchange_words(each, names, t) for each in deal.exchange or ()),
        "doubled": ", ".join(f"{names[d.seat]} {d.word}{_before(d.trick, d.card)}" for d in doubles),
        "beside": ", ".join(f"{names[e.seat]} {event_words(e, names, t)}{_moment(e.moment)}" for e in events),
    }
    return "\n".join(
        fill(text, width, initial_indent=f"{label + ':':11}", subsequent_indent=" " * 11, break_on_hyphens=False)
        for label, text in rows.items()
        if text
    )


def _blind(judgement: Judgement) -> str:
    """The cards on the table, with the declarer's name where they count though nobody takes them up."""
    cards, owner = _cards(judgement, judgement.deal.blind or ()), owner_of_blind(judgement)
    return f"{cards} ({TEXT['counts_for'].format(name=owner)})" if cards and owner else cards


def _before(trick: int | None, card: int | None) -> str:
    return "" if trick is None else f" (trick {trick})" if card is None else f" (before {trick}.{card})"


def _moment(moment: str | None) -> str:
    return "" if moment is None else f" (before {moment})" if moment[0].isdigit() else f" ({moment})"


def dealt_hands(judgement: Judgement, seat: int | None = None) -> str:
    """The hands as dealt, one line a player; others than `seat` stay hidden where one is given."""
    played = judgement.replay
    if played is None:
        return ""
    away = "" if played.active else "not recorded"
    rows = [
        (
            name,
            seat_roles(judgement, number),
            _cards(judgement, hand) if hand else "not recorded" if number in played.active else away,
        )
        for number, (name, hand) in enumerate(zip(judgement.session.players, played.dealt, strict=True))
        if seat in (None, number)
    ]
    return tabulate(rows, tablefmt="plain")


def seat_roles(judgement: Judgement, seat: int) -> str:
    """Dealer, forehand and role of a seat."""
    played = judgement.replay
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


def trick_table(judgement: Judgement, width: int, loud: Loud = str) -> str:
    """One row a trick: > marks the lead, * the card that took it, ! a card against the rules. Names that leave no room
    stand on several lines."""
    played, names = judgement.replay, judgement.session.players
    if played is None or not played.steps:
        return ""
    rows = []
    for number, (winner, points) in enumerate(zip(played.winners, played.trick_points, strict=True), 1):
        cards = {step.seat: step for step in played.steps if step.trick == number}
        cells = (_trick_cell(judgement, cards.get(seat), winner, loud) for seat in played.active)
        taker = "?" if winner is None else names[winner]
        rows.append((number, *cells, "?" if points is None else points, taker))
    head = ["trick", *(names[seat] for seat in played.active), "points", "taken by"]
    room = max(NARROWEST, (width - 15) // (len(played.active) + 1) - 2)
    most = [width, *(room for _ in played.active), width, room]
    return tabulate(rows, head, tablefmt="simple", maxheadercolwidths=most, maxcolwidths=most)


def _trick_cell(judgement: Judgement, step: Step | None, winner: int | None, loud: Loud) -> str:
    if step is None:
        return ""
    lead = "> " if step.place == 1 else "  "
    text = f"{lead}{_cards(judgement, (step.card,))}{' *' if step.seat == winner else ''}{' !' if step.broken else ''}"
    return loud(text) if step.broken else text


def trick_detail(judgement: Judgement, number: int, seat: int | None) -> str:
    """One trick card by card, with the hand each card came from and what was allowed."""
    played, names = judgement.replay, judgement.session.players
    steps = [step for step in (played.steps if played else ()) if step.trick == number]
    rows = [
        (
            step.place,
            names[step.seat],
            _cards(judgement, (step.card,)),
            _cards(judgement, step.allowed),
            _cards(judgement, step.hand),
            step.broken or "",
        )
        for step in steps
        if seat in (None, step.seat)
    ]
    return tabulate(rows, ("card", "player", "played", "allowed", "hand before", "finding"), tablefmt="simple")


def _cards(judgement: Judgement, cards: Cards | None) -> str:
    return "?" if cards is None else in_faces(" ".join(cards), faces_of(judgement))


def settlement_rows(judgement: Judgement, language: str = "en") -> list[tuple[str, str, int | str, str]]:
    """The lines that add up as cells: the line in words, its signed amount, the sum so far, the source."""
    sign = {"times": "×", "pot": "pot ", "at-most": "≤"}
    return [
        (
            f"{say_line(judgement, line, language)}{proof_text(judgement, line)}",
            f"{line.amount:+}" if line.kind in ("add", "per-player") else f"{sign.get(line.kind, '')}{line.amount}",
            "" if line.running is None else line.running,
            line.cite,
        )
        for line in (judgement.settlement.lines if judgement.settlement else ())
    ]


def settlement_table(judgement: Judgement, width: int, language: str = "en") -> str:
    """The lines that add up, with the source of each."""
    rows = settlement_rows(judgement, language)
    if not rows:
        return ""
    first = max(24, width - 46)  # what the other columns leave at least
    others = (
        min(first, max(len(row[0]) for row in rows)) + max(8, *(len(row[1]) for row in rows)) + 15
    )  # as tabulate pads them
    rest = max(20, width - others)
    head = ("settlement", "amount", "running", "source")
    return tabulate(rows, head, "simple", colalign=("left", "right"), maxcolwidths=[first, None, None, rest])


def proof_text(judgement: Judgement, line: SettlementLine) -> str:
    """The cards that prove a line, each with its trick and place: ` (6.4 GA)`. What was said is in its words."""
    steps = judgement.replay.steps if judgement.replay else ()
    at = {f"t{step.trick}.{step.place}": step for step in steps}
    cards = (
        f"{step.trick}.{step.place} {_cards(judgement, (step.card,))}" for to in line.proof if (step := at.get(to))
    )
    return f" ({text})" if (text := ", ".join(cards)) else ""


def payment_lines(judgement: Judgement, width: int) -> str:
    """The payments of all players, plus where one is paid, and the totals after them."""
    settled = judgement.settlement
    if settled is None or settled.payments is None:
        return ""
    amounts = (("pays", settled.payments), ("totals", judgement.after.totals))
    return "\n".join(amount_line(judgement, word, values, width) for word, values in amounts if values is not None)


def chalk_lines(judgement: Judgement, width: int, loud: Loud = str) -> str:
    """The score sheet of a marks game after the deal: a line, one side's strokes above it, the other's below; those of
    the deal are loud."""
    sheet = chalk_sheet(judgement, TEXT)
    if sheet is None:
        return ""
    size = max(len(side.initials) for side in sheet.sides)
    first, second = (_strokes(side, size, loud) for side in sheet.sides)
    rule = "─" * min(width, max(len(_strokes(side, size, str)) for side in sheet.sides))
    return "\n".join((sheet.title, first, rule, second, *fill(f"{sheet.text}.", width).splitlines()))


def _strokes(side: SheetSide, size: int, loud: Loud) -> str:
    """A side's initials, its strokes in groups of five, and their sum."""
    have, drawn = side.marks or 0, min(side.marks or 0, MOST)
    strokes = ["|" if n < have - side.new else loud("|") for n in range(drawn)]
    groups = " ".join("".join(strokes[n : n + GROUP]) for n in range(0, drawn, GROUP))
    total = "?" if side.marks is None else f"{have}{f' (+{side.new})' if side.new else ''}"
    return f"{side.initials:{size}} {'chalk' if side.chalk else '     '}  {groups}  {total}"


def incomplete_note(judgement: Judgement, width: int) -> str:
    """A note on what the documents of the ruleset do not say."""
    rules = judgement.ruleset
    return fill(f"{rules.title} is incomplete: {rules.incomplete}", width) if rules and rules.incomplete else ""


def amount_line(judgement: Judgement, word: str, values: tuple[int | None, ...], width: int) -> str:
    """An amount of every player after a word."""
    return fill(
        amounts_text(judgement.session.players, values),
        width,
        initial_indent=f"{word + ':':8}",
        subsequent_indent=" " * 8,
        break_on_hyphens=False,
    )


def amounts_text(names: Sequence[str], amounts: Sequence[int | None]) -> str:
    """An amount of each player, plus where one is paid; a question mark where it is not known."""
    pairs = zip(names, amounts, strict=False)
    return ", ".join(f"{name} {'?' if amount is None else f'{amount:+}'}" for name, amount in pairs)


def comparison_table(judgement: Judgement, width: int) -> str:
    """Stated values beside computed and ruled ones, as a table."""
    names, pairs = judgement.session.players, comparisons(judgement)
    head = ("stated", "computed", *(("ruled",) if any(pair.ruled for pair in pairs) else ()))

    def cell(pair: Comparison, kind: str) -> str:
        value = getattr(pair, kind)
        return "" if value is None and kind != "computed" else format_value(names, pair.key, value)

    rows = [(pair.key.replace("_", " "), *(cell(pair, kind) for kind in head)) for pair in pairs]
    room = max(NARROWEST, (width - 18) // len(head))  # beside the longest key
    return tabulate(rows, ("", *head), "simple", maxcolwidths=[None, *(room for _ in head)]) if rows else ""


def inferred_lines(judgement: Judgement) -> str:
    """The house settings that the record does not state, with the evidence."""
    return "\n".join(f"inferred: {each}" for each in judgement.session.inferred or ())


def finding_text(finding: Finding, language: str = "en") -> str:
    """The message of a finding, in `language`, with its trick and card where these are no part of it."""
    message, t = finding_words(finding, language), TEXTS[language]
    trick, _, card = (finding.at or "").partition(".")
    if not trick.isdigit() or "trick" in finding.facts:
        return message
    return f"{t['place_card' if card else 'place_trick'].format(trick=trick, card=card)}: {message}"


def finding_lines(judgement: Judgement, language: str = "en") -> str:
    """Every finding of the deal, one a line."""
    return "\n".join(f"{finding.rule}: {finding_words(finding, language)}" for finding in judgement.findings)
