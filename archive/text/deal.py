"""A judged deal as plain text, part by part: for the terminal, for a printer, for copying from a page.

No part is wider than `width` if the names leave that much room. `loud` marks what a reader should see first; on paper
it marks nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from textwrap import fill
from typing import Any

from archive.cards import faces_in, in_faces
from archive.judge import Judgement
from archive.judge.compare_stated import SEATS, Comparison, comparisons
from archive.judge.finding_groups import findings_with_depth
from archive.judge.report import report
from archive.judge.sentences import PER_SEAT, faces_of, say_line
from archive.play.types import Cards, Replay, Step
from archive.record import Finding, evidence_text
from archive.settle.types import SettlementLine
from archive.text import wording
from archive.text.ledger_state import table_chips, table_contents
from archive.text.numbers import with_sign, without_plus
from archive.text.tables import tabulate
from archive.text.texts import TEXTS, page_text

Loud = Callable[[str], str]
NARROWEST = 8  # characters of a name in a heading


def deal_title(judgement: Judgement, language: str = "en") -> str:
    """Return the title of a deal: `Deal 3: Rufspiel Gras`."""
    return page_text("title", language, number=str(judgement.number), game=game_of_deal(judgement, language))


def game_of_deal(judgement: Judgement, language: str = "en") -> str:
    """Return the game of a deal with its card or suit, its words and its bid."""
    game, t, faces = judgement.deal.game, TEXTS[language], faces_in(faces_of(judgement), language)
    contract = judgement.ruleset.contracts.get(game.contract) if judgement.ruleset and game else None
    played = {"none": "thrown-in", "misdeal": "misdeal"}.get(game.contract if game else "", "no-game")
    name = (
        wording.contract_title(game.contract, judgement.ruleset, t)
        if contract and game
        else page_text(played, language)
    )
    if game is None:
        return name
    name = wording.with_suit(name, contract, game.suit, game.called, {**t, "faces": faces})
    bid = wording.bid_words(game, judgement.ruleset, t)
    return " ".join(part for part in (name, *(wording.word_of(word, t) for word in game.words), bid) if part)


def occasion(judgement: Judgement) -> str:
    """Return event, place and date, as far as they are recorded."""
    session = judgement.session
    return " · ".join(part for part in (session.event, session.place, session.date) if part)


def result_line(judgement: Judgement, language: str) -> str:
    """Return declarer and partner, points, runners and price in one line."""
    fields, settled = report(judgement), judgement.settlement
    parts = []
    if fields["declarer"] and fields["partner"]:
        parts.append(page_text("with-partner", language, declarer=fields["declarer"], partner=fields["partner"]))
    elif fields["declarer"]:
        parts.append(fields["declarer"])
    if settled and settled.won is not None:
        outcome, points = "won" if settled.won else "lost", fields["side_points"]
        key = outcome if points is None else f"{outcome}-points"
        parts.append(page_text(key, language, points=points))
    if settled and settled.undecided:
        parts.append(page_text("undecided-points", language, points=settled.side_points))
    if fields["runners_paid"] and (runners := fields["runners"] or fields["runner_count"]):
        way = ("with" if runners > 0 else "without") if fields["runners"] else "counted"
        parts.append(page_text(f"runners-{way}", language, n=abs(runners)))
    if fields["price"] is not None:
        parts.append(page_text("price", language, amount=str(fields["price"]), unit=fields["unit"]))
    return ", ".join(parts)


def with_label(key: str, text: str, language: str, room: int) -> str:
    """Return a text after its label, which takes at least `room` characters."""
    return f"{page_text(key, language) + ': ':{room}}{text}"


def rounds_line(judgement: Judgement, language: str) -> str:
    """Return the special rounds in force, and what earlier deals left on the table; empty if nothing."""
    texts = table_chips(judgement, TEXTS[language])
    return with_label("in-force", ", ".join(texts), language, 11) if texts else ""


def ledger_change(judgement: Judgement, language: str) -> str:
    """Return the pot, stakes and rounds that a deal leaves on the table; empty if it changes nothing."""
    tables = (judgement.before, judgement.after)
    before, after = (table_contents(table, judgement.ruleset, TEXTS[language]) for table in tables)
    nothing = page_text("nothing-left", language)
    return "" if before == after else with_label("left", ", ".join(after) or nothing, language, 8)


def before_play(judgement: Judgement, width: int, language: str, seat: int | None = None) -> str:
    """Return cut, knocks, auction, exchange, doublings and events, a line each; the piles, which no seat has seen, only
    without a `seat`."""
    deal, names, t = judgement.deal, judgement.session.players, wording.texts_of(judgement.ruleset, TEXTS[language])
    knocks = [names[seat] for seat in deal.knocks] if isinstance(deal.knocks, tuple) else [str(deal.knocks or "")]
    doubles = deal.doubles if isinstance(deal.doubles, tuple) else ()
    events, calls, played = deal.events or (), deal.auction or (), judgement.replay
    draws = [each for each in played.talon.draws if seat in (None, each.seat)] if played and played.talon else []
    drawn = [tuple(each.card for each in draws if each.seat == own) for own in range(len(names))]
    rows = {
        "draw": wording.draw_words(deal.draw, names, t) if deal.draw else "",
        "cut": wording.cut_words(deal, names, t)[1] if deal.cut else "",
        "packets": wording.packets_words(deal.packets, t) if deal.packets else "",
        "knocks": ", ".join(knocks),
        "auction": ", ".join(f"{names[c.seat]} {wording.call_words(c.call, judgement.ruleset, t)}" for c in calls),
        "on-table" if is_open(judgement) else "blind": _blind(judgement, language),
        "piles": _by_player(judgement, played.piles, language) if played and seat is None else "",
        "talon": _cards(judgement, deal.talon, language) if deal.talon and seat is None else "",
        "drawn": _by_player(judgement, drawn, language),
        "turns": _turns(judgement, t),
        "passed-on": " ".join(wording.exchange_words(each, names, t) for each in deal.exchange or ()),
        "doubled": ", ".join(f"{names[d.seat]} {d.word}{_before(d.trick, d.card, language)}" for d in doubles),
        "beside": ", ".join(
            f"{names[e.seat]} {wording.event_words(e, names, t)}{_moment(e.moment, language)}" for e in events
        ),
    }
    return "\n".join(
        fill(with_label(key, text, language, 11), width, subsequent_indent=" " * 11, break_on_hyphens=False)
        for key, text in rows.items()
        if text
    )


def is_open(judgement: Judgement) -> bool:
    """Return whether the cards on the table lie open."""
    return judgement.ruleset is not None and judgement.ruleset.house.open_cards is not None


def _blind(judgement: Judgement, language: str) -> str:
    """Return the cards on the table, with the declarer's name if they count though nobody takes them up."""
    cards, owner = _cards(judgement, judgement.deal.blind or (), language), wording.owner_of_blind(judgement)
    return f"{cards} ({TEXTS[language]['counts_for'].format(name=owner)})" if cards and owner else cards


def _by_player(judgement: Judgement, hands: Iterable[tuple[str, ...] | None], language: str) -> str:
    """Return the cards of each player, with the names."""
    owned = zip(judgement.session.players, hands, strict=False)
    return ", ".join(f"{name} {_cards(judgement, cards, language)}" for name, cards in owned if cards)


def _turns(judgement: Judgement, t: wording.Texts) -> str:
    """Return the turns of a game without tricks, in sentences."""
    turned = judgement.replay.turned if judgement.replay else None
    names, steps = judgement.session.players, turned.steps if turned else ()
    return " ".join(wording.turn_words(step, names, t) for step in steps)


def _before(trick: int | None, card: int | None, language: str) -> str:
    if trick is None:
        return ""
    if card is None:
        return f" ({page_text('in-trick', language, trick=trick)})"
    return _moment(f"{trick}.{card}", language)


def _moment(moment: str | None, language: str) -> str:
    if moment is None:
        return ""
    key = "before" if moment[0].isdigit() else f"moment-{moment}"
    return f" ({page_text(key, language, place=moment)})"


def dealt_hands(judgement: Judgement, seat: int | None = None, language: str = "en") -> str:
    """Return the hands as dealt, one line for each player; with a `seat`, all others stay hidden."""
    played, missing = judgement.replay, page_text("not-recorded", language)
    if played is None or (judgement.ruleset and judgement.ruleset.house.building):
        return ""
    away, rules = "" if played.active else missing, judgement.ruleset
    stacked = judgement.deal.hands if rules and rules.house.stacks else None  # as written: it shows how they lie
    rows = [
        (
            name,
            seat_roles(played, number, language),
            _cards(judgement, hand, language) if hand else missing if number in played.active else away,
        )
        for number, (name, hand) in enumerate(zip(judgement.session.players, stacked or played.dealt, strict=True))
        if seat in (None, number)
    ]
    return tabulate(rows, tablefmt="plain")


def seat_roles(played: Replay, seat: int, language: str) -> str:
    """Return whether a seat is dealer, forehand, declarer or the like, in words."""
    roles = [
        ("dealer", played.dealer == seat),
        ("forehand", len(played.active) > 1 and played.active[0] == seat),
        ("declarer", played.declarer == seat),
        ("partner", played.partner == seat),
        ("sits-out", bool(played.active) and seat not in played.active),
        ("laid-down", seat in played.active and seat not in played.playing),
    ]
    return ", ".join(page_text(role, language) for role, holds in roles if holds)


def trick_table(judgement: Judgement, width: int, loud: Loud = str, language: str = "en") -> str:
    """Return one row for each trick: > marks the lead, * the card that took it, ! a card against the rules. Names that
    leave no room are wrapped."""
    played, names = judgement.replay, judgement.session.players
    if played is None or not played.steps:
        return ""
    rows = []
    for number, (winner, points) in enumerate(zip(played.winners, played.trick_points, strict=True), 1):
        cards = {step.seat: step for step in played.steps if step.trick == number}
        cells = (_trick_cell(judgement, cards.get(seat), winner, loud, language) for seat in played.active)
        taker = "?" if winner is None else names[winner]
        rows.append((number, *cells, "?" if points is None else points, taker))
    first, points_of, taker_of = headings(("trick", "points", "taken-by"), language)
    head = [first, *(names[seat] for seat in played.active), points_of, taker_of]
    room = max(NARROWEST, (width - 15) // (len(played.active) + 1) - 2)
    most = [width, *(room for _ in played.active), width, room]
    return tabulate(rows, head, tablefmt="simple", maxheadercolwidths=most, maxcolwidths=most)


def _trick_cell(judgement: Judgement, step: Step | None, winner: int | None, loud: Loud, language: str) -> str:
    if step is None:
        return ""
    lead = "> " if step.place == 1 else "  "
    card, taker = _cards(judgement, (step.card,), language), " *" if step.seat == winner else ""
    text = f"{lead}{card}{taker}{' !' if step.broken else ''}"
    return loud(text) if step.broken else text


def headings(keys: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the headings of columns."""
    return tuple(page_text(key, language) for key in keys)


def trick_detail(judgement: Judgement, number: int, seat: int | None, language: str) -> str:
    """Return one trick card by card, with the hand each card came from and the cards allowed."""
    played, names = judgement.replay, judgement.session.players
    steps = [step for step in (played.steps if played else ()) if step.trick == number]
    rows = [
        (
            step.place,
            names[step.seat],
            _cards(judgement, (step.card,), language),
            _cards(judgement, step.allowed_cards, language),
            _cards(judgement, step.hand, language),
            step.broken or "",
        )
        for step in steps
        if seat in (None, step.seat)
    ]
    head = headings(("card", "player", "played", "allowed", "hand-before", "finding"), language)
    return tabulate(rows, head, tablefmt="simple")


def _cards(judgement: Judgement, cards: Cards | None, language: str) -> str:
    return "?" if cards is None else in_faces(" ".join(cards), faces_in(faces_of(judgement), language))


def settlement_rows(judgement: Judgement, language: str) -> list[tuple[str, str, int | str, str]]:
    """Return the lines that add up as cells: the line in words, its signed amount, the running sum, the source."""
    return [
        (
            f"{say_line(judgement, line, language)}{proof_text(judgement, line, language)}",
            signed_amount(line, language),
            "" if line.running is None else line.running,
            wording.cite_words(line.cite, TEXTS[language]),
        )
        for line in (judgement.settlement.lines if judgement.settlement else ())
    ]


def signed_amount(line: SettlementLine, language: str) -> str:
    """Return the amount of a line with the sign of its operation: `+10`, `×2`, `pot 40`, `≤50`."""
    sign = {"times": "×", "pot": f"{page_text('pot', language)} ", "at-most": "≤"}
    return with_sign(line.amount) if line.kind in ("add", "per-player") else f"{sign.get(line.kind, '')}{line.amount}"


def settlement_table(judgement: Judgement, width: int, language: str = "en") -> str:
    """Return the lines that add up, with the source of each."""
    rows = settlement_rows(judgement, language)
    if not rows:
        return ""
    first = max(24, width - 46)  # the least that the other columns leave
    others = (
        min(first, max(len(row[0]) for row in rows)) + max(8, *(len(row[1]) for row in rows)) + 15
    )  # as tabulate pads them
    rest = max(20, width - others)
    head = headings(("settlement", "amount", "running", "source"), language)
    return tabulate(rows, head, "simple", colalign=("left", "right"), maxcolwidths=[first, None, None, rest])


def proof_text(judgement: Judgement, line: SettlementLine, language: str) -> str:
    """Return the cards that prove a line, with trick and place: ` (6.4 GA)`; spoken words are in the line itself."""
    steps = judgement.replay.steps if judgement.replay else ()
    at = {f"t{step.trick}.{step.place}": step for step in steps}
    cards = (
        f"{step.trick}.{step.place} {_cards(judgement, (step.card,), language)}"
        for to in line.proof
        if (step := at.get(to))
    )
    return f" ({text})" if (text := ", ".join(cards)) else ""


def payment_lines(judgement: Judgement, width: int, language: str) -> str:
    """Return the payments of all players, with a plus for those who are paid, and the totals after them."""
    settled = judgement.settlement
    if settled is None or settled.payments is None:
        return ""
    amounts = (("pays", settled.payments), ("totals", judgement.after.totals))
    lines = (amount_line(judgement, key, values, width, language) for key, values in amounts if values is not None)
    return "\n".join(lines)


def incomplete_note(judgement: Judgement, width: int, language: str) -> str:
    """Return a note on what the documents of the ruleset do not say; empty if they are complete."""
    rules = judgement.ruleset
    if rules is None or not rules.incomplete:
        return ""
    return fill(wording.incomplete_sentence(rules, language), width)


def amount_line(judgement: Judgement, key: str, values: tuple[int | None, ...], width: int, language: str) -> str:
    """Return an amount for every player after a label."""
    text = with_label(key, amounts_text(judgement.session.players, values), language, 8)
    return fill(text, width, subsequent_indent=" " * 8, break_on_hyphens=False)


def amounts_text(names: Iterable[str], amounts: Iterable[int | None], form: Callable[..., str] = with_sign) -> str:
    """Return an amount for each player in a form: with a plus if paid, a question mark if unknown."""
    return ", ".join(f"{name} {form(amount)}" for name, amount in zip(names, amounts, strict=False))


def comparison_table(judgement: Judgement, width: int, language: str) -> str:
    """Return stated values beside computed and ruled ones, as a table."""
    names, pairs = judgement.session.players, comparisons(judgement)
    kinds = ("stated", "computed", *(("ruled",) if any(pair.ruled for pair in pairs) else ()))

    def cell(pair: Comparison, kind: str) -> str:
        value = getattr(pair, kind)
        return "" if value is None and kind != "computed" else value_text(names, pair.key, value, language)

    rows = [(page_text(f"key-{pair.key}", language), *(cell(pair, kind) for kind in kinds)) for pair in pairs]
    room = max(NARROWEST, (width - 18) // len(kinds))  # beside the longest key
    most = [None, *(room for _ in kinds)]
    return tabulate(rows, ("", *headings(kinds, language)), "simple", maxcolwidths=most) if rows else ""


def value_text(players: Sequence[str], key: str, value: Any, language: str = "en", in_list: bool = False) -> str:
    """Return a stated or computed value in words, with names for seats."""
    if value is None or isinstance(value, bool):
        return page_text({None: "unknown", True: "yes", False: "no"}[value], language)
    if isinstance(value, tuple) and key in PER_SEAT and len(value) == len(players):
        entries = (value_text(players, key, each, language, in_list=True) for each in value)
        return ", ".join(f"{name} {text}" for name, text in zip(players, entries, strict=True))
    if isinstance(value, tuple):
        entries = (value_text(players, key, each, language, in_list=True) for each in value)
        return ", ".join(entries) or page_text("nobody", language)
    if isinstance(value, str):  # undecided, nobody
        return page_text(value, language)
    if key in SEATS and (in_list or key != "virgins"):  # for virgins, a source may state only the number
        return str(players[value])
    return without_plus(value) if isinstance(value, int) else str(value)


def inferred_lines(judgement: Judgement, language: str) -> str:
    """Return the house settings that the record does not state, with the evidence."""
    entries = judgement.session.inferred or ()
    return "\n".join(f"{page_text('inferred', language)}: {evidence_text(entry, language)}" for entry in entries)


def finding_text(finding: Finding, language: str = "en") -> str:
    """Return the message of a finding, in `language`, with its trick and card unless it contains them."""
    message, (trick, _, card) = wording.finding_words(finding, language), (finding.at or "").partition(".")
    if not trick.isdigit() or "trick" in finding.facts:
        return message
    return f"{TEXTS[language]['place_card' if card else 'place_trick'].format(trick=trick, card=card)}: {message}"


def finding_lines(judgement: Judgement, language: str) -> str:
    """Return every finding of the deal, one on a line, with its consequences indented below it."""
    every = findings_with_depth(judgement.findings)
    return "\n".join(f"{'  ' * depth}{each.rule}: {wording.finding_words(each, language)}" for each, depth in every)
