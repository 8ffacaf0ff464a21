"""From an evening to what its pages show: the table, the last deals, the price of a deal while it is tapped, and its
cards: whose turn it is, which may be played, the tricks so far, any mistakes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from archive.cards import PACKS, SUITS, codes, spoken_name
from archive.judge import Judgement
from archive.judge.next_deal import contradictions, turn_to_deal, undecided_facts
from archive.judge.sentences import say_reason
from archive.notation.problem import Problem, finding_of
from archive.notation.tapped_deal import BY_CARDS, NO_ROUND, Taps, tapped_entries
from archive.play.next_card import next_acts, next_card
from archive.play.other.sixty_six import ACTS
from archive.play.seating import usual_sitters
from archive.record import Deal, Event, Finding
from archive.rules import House, Ruleset, hand_size
from archive.rules.tables import score_of, unit_of_amounts
from archive.say import say
from archive.settle.marks_ledger import begin_score
from archive.settle.rulings import totals_with_rulings
from archive.store.live_evenings import Addition, Draft, LiveEvening, held_by_other, judge_as_next, read_entries
from archive.text.deal_row import DealRow, deal_row
from archive.text.ledger_state import table_contents
from archive.text.numbers import format_money, format_number, format_signed
from archive.text.wording import Texts, event_words, finding_words, game_title, line_words, rules_title, texts_of
from archive.web.evening.offers import offers_of
from archive.web.queries import Facts
from archive.web.sentences import citation_words

CENTS = "ct"
MOST_SAID = 3  # findings of a deal that are shown


class SeatView(Struct, frozen=True):
    """A seat: who sits there, the total as a number and in words, in brackets if it rests on a deal that is open;
    whether they sit out and whether they deal."""

    seat: int
    name: str
    amount: int | None
    total: str
    sits_out: bool
    deals: bool


class TableView(Struct, frozen=True):
    """The table before the next deal: its number, the seats, who deals (None: not known), what lies on it, the rules;
    `turns`: for each dealer who sits out."""

    number: int
    seats: tuple[SeatView, ...]
    dealer: int | None
    contents: tuple[str, ...]
    rules: str
    turns: tuple[tuple[int, ...], ...]
    unit: str | None


class LastDeal(Struct, frozen=True):
    """A deal of the evening in a line: its row, the price in words, whether it was taken back or changed."""

    row: DealRow
    price: str
    taken_back: bool
    changed: bool


class Priced(Struct, frozen=True):
    """A deal while it is tapped: the lines of its price, these as a sum, the amount by outcome, what speaks against it;
    `outcome`: the one that the lines are for, empty if there are none. `wrong`: the archive would not store it as it
    is."""

    title: str = ""
    lines: tuple[Facts, ...] = ()
    sum: str = ""
    amounts: dict[str, str] = {}
    problems: tuple[str, ...] = ()
    outcome: str = ""
    wrong: bool = False


def unit_in_force(evening: LiveEvening) -> str | None:
    return unit_of_amounts(evening.head.unit, evening.ruleset.house)


def table_view(evening: LiveEvening, t: Texts) -> TableView:
    """Return the table before the next deal."""
    names, house = evening.state.players, evening.ruleset.house
    table = begin_score(evening.state.table, evening.ruleset)
    dealer = turn_to_deal(len(names), table, evening.deals)
    turns = tuple(usual_sitters(len(names), house, seat) for seat in range(len(names)))
    out = () if dealer is None else turns[dealer]
    nothing = (None,) * len(names)
    totals = (table.marks if score_of(house) else totals_with_rulings(table)) or nothing
    sure = totals if score_of(house) else table.totals or nothing
    unit = None if score_of(house) else unit_in_force(evening)
    return TableView(
        number=evening.next,
        seats=tuple(
            SeatView(seat, name, total, amount_words(total, unit, t, own is None), seat in out, seat == dealer)
            for (seat, name), total, own in zip(enumerate(names), totals, sure, strict=True)
        ),
        dealer=dealer,
        contents=table_contents(table, evening.ruleset, t, unit),
        rules=rules_title(evening.ruleset, t),
        turns=turns,
        unit=unit,
    )


def amount_words(amount: int | None, unit: str | None, t: Texts, open: bool = False) -> str:
    """Return a total or an amount with its sign, in brackets if it is `open`; a dash if it is not known."""
    if amount is None:
        return "–"
    words = format_money(amount, unit, t) if unit else format_signed(amount)
    return f"({words})" if open else words


def propose_dealer(before: LiveEvening, evening: LiveEvening) -> LiveEvening:
    """Return an evening whose players come and go, with the dealer of the evening `before`, or the next of its order
    who is still there, if the record leaves it open."""
    was, now = before.state, evening.state
    turn = turn_to_deal(len(was.players), was.table, before.deals)
    if now.table.dealer is not None or turn is None:
        return evening
    still = (now.players.index(name) for name in (*was.players[turn:], *was.players[:turn]) if name in now.players)
    return replace(evening, state=replace(now, table=replace(now.table, dealer=next(still, None))))


def last_deals(rows: Iterable[Facts], corrected: Mapping[int, bool], unit: str | None, t: Texts) -> list[LastDeal]:
    """Return deals in lines; `corrected` are those with a correction."""
    lines = []
    for facts in rows:
        row = deal_row(facts, t)
        price = "" if row.price is None else amount_words(abs(row.price), unit, t).removeprefix("+")
        changed = row.id in corrected
        lines.append(LastDeal(row, price, changed and facts["contract"] == "misdeal", changed))
    return lines


# --- a deal while it is tapped ----------------------------------------------------------------------------------------


def price_of_taps(evening: LiveEvening, taps: Taps, t: Texts) -> Priced:
    """Return the price of a deal as far as it is tapped: by how it can end, and in lines for the first of these."""
    rules, unit = evening.ruleset, unit_in_force(evening)
    known = {game.value: game for game in offers_of(rules, evening.state.table, t).games}
    offer = known.get(taps.get("game", ""))
    if offer is None:
        return Priced()
    by_cards = (BY_CARDS,) if taps.get("tricks") else ()
    judged = {}
    for outcome in (*by_cards, *offer.outcomes):
        found = judge_taps(evening, {**taps, "outcome": outcome})
        if not isinstance(found, Judgement):
            return Priced(offer.title, problems=words_of(found, t), wrong=True)
        judged[outcome] = found
    amounts = {outcome: price for outcome, each in judged.items() if (price := price_words(each, unit, t))}
    outcome = BY_CARDS if BY_CARDS in amounts or not offer.outcomes else offer.outcomes[0]
    if outcome not in judged:
        return Priced(offer.title)
    first = judged[outcome]
    return Priced(
        title=game_title(first.deal.game, rules, texts_of(rules, t)),
        lines=price_lines(first, unit, t),
        sum=price_sum(first, t) if unit == CENTS else "",
        amounts=amounts,
        problems=problems_of(first, t),
        outcome=outcome,
        wrong=bool(contradictions(first)),
    )


def entries_of_taps(evening: LiveEvening, taps: Taps) -> dict[str, Any]:
    """Return the entries of the record that taps make. If it is not known whether a special round is under way, it is
    the usual one, as the form has it before somebody taps another. Raises Problem for a choice that is none."""
    rounds = evening.usual_rounds
    usual = {} if rounds is None else {"round": " ".join(rounds) or NO_ROUND}
    return tapped_entries({**usual, **taps}, evening.ruleset, len(evening.state.players))


def judge_taps(evening: LiveEvening, taps: Taps) -> Judgement | tuple[Finding, ...]:
    """Return a deal that is tapped, judged as the next deal of the evening."""
    try:
        entries = entries_of_taps(evening, taps)
    except Problem as problem:
        return (finding_of(problem, None),)
    deal = read_entries(evening, entries)
    return deal if isinstance(deal, tuple) else judge_as_next(evening, deal)


def price_words(judged: Judgement, unit: str | None, t: Texts) -> str:
    """Return the price of a deal: what a loser pays a winner, else the most that somebody pays; empty if it has
    none."""
    settled = judged.settlement
    if settled is None:
        return ""
    if settled.marks is not None:
        return str(max(settled.marks))
    if settled.price is None and settled.payments is None:
        return ""
    paid = [each or 0 for each in settled.payments or ()]
    return amount_words(abs(settled.price if settled.price is not None else min(paid)), unit, t).removeprefix("+")


def price_lines(judged: Judgement, unit: str | None, t: Texts) -> tuple[Facts, ...]:
    """Return the lines of a price, each as `text` with the `running` amount and its rule (`cite`)."""
    rules = judged.ruleset
    own = texts_of(rules, t)
    lines = judged.settlement.lines if judged.settlement else ()
    return tuple(
        {
            "text": line_words(each, own),
            "running": "" if each.running is None else amount_words(each.running, unit, t).removeprefix("+"),
            "cite": citation_words(each.cite, rules.sources if rules else {}, t),
        }
        for each in lines
    )


def price_sum(judged: Judgement, t: Texts) -> str:
    """Return the lines of a price as a sum without the result: `(0,20 + 0,30) × 2`; empty if there are none, or only
    one."""
    lines = [each for each in (judged.settlement.lines if judged.settlement else ()) if each.kind != "pot"]
    if any(each.kind not in ("add", "times") for each in lines):
        return ""
    said, parts = "", 0
    for each in lines:
        if each.kind == "add" and each.amount:
            said, parts = f"{said} + {format_number(each.amount / 100, t, 2)}".removeprefix(" + "), parts + 1
        elif each.kind == "times":
            said, parts = f"{f'({said})' if parts > 1 else said} × {each.amount}", 1
    return said if len(lines) > 1 else ""


def problems_of(judged: Judgement, t: Texts) -> tuple[str, ...]:
    """Return sentences that say why a deal is impossible, or which facts it lacks for a price."""
    language = t["lang"]
    wrong = words_of(contradictions(judged), t)
    if not wrong and judged.verdict == "unplayable":
        return (say_reason(judged, language),)
    missing = undecided_facts(judged) or (() if price_words(judged, None, t) else judged.missing)
    lacks = t["ev_lacks"].format(facts=", ".join(say(each, language) for each in missing))
    return (*wrong, *((lacks,) if missing and not wrong else ()))


def words_of(wrong: Sequence[Finding], t: Texts) -> tuple[str, ...]:
    """Return the first findings as sentences, and how many more there are."""
    sentences = tuple(finding_words(each, t["lang"]) for each in wrong[:MOST_SAID])
    more = len(wrong) - len(sentences)
    return (*sentences, t["ev_more_wrong"].format(n=more)) if more else sentences


def addition_words(added: Addition, evening: LiveEvening, t: Texts) -> str:
    """Return a sentence that says what became of a deal that was sent."""
    if added.outcome in ("stored", "known"):
        return t[f"ev_{added.outcome}"].format(number=evening.next - 1)
    judged = problems_of(added.judged, t) if added.judged else ()
    why = " ".join(judged or words_of(added.findings, t))
    if added.outcome == "held" and not held_by_other(evening, ""):
        said = t["ev_overtaken"]
    else:
        said = t["ev_unreadable"] if added.deal else t[f"ev_{added.outcome}"]  # a change becomes no draft
    return said.format(why=why, who=evening.pen_by or "?").strip()


# --- drafts -----------------------------------------------------------------------------------------------------------


def draft_facts(evening: LiveEvening, draft: Draft, t: Texts) -> Facts:
    """Return a draft in words: its content, its author, why it is none of the deals."""
    read = read_entries(evening, draft.entries)
    deal = Deal() if isinstance(read, tuple) else read
    names, game, stated = deal.players or evening.state.players, deal.game, deal.stated
    seats = (game.declarer if game else None, deal.partner, stated.loser if stated else None)
    who = " + ".join(names[seat] for seat in seats if seat is not None)
    title = game_title(game, evening.ruleset, texts_of(evening.ruleset, t))
    return {"id": draft.id, "title": title, "who": who, "author": draft.author, "why": t[f"ev_why_{draft.why}"]}


def taps_of(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the choices of a form that was sent; those with the same name joined by blanks."""
    return {key: text for key in form if (text := " ".join(form.getlist(key)).strip())}


def card_table(house: House, faces: str) -> Facts:
    """Return the pack of a house as it is laid out to be tapped, each card by its code with its name in words; the
    number of cards of a hand, of a trick, and of the talon without the one that lies face up; `has_hands`: all cards
    lie there, so that hands can be tapped too."""
    pack, size = codes(PACKS[house.deck]), hand_size(house)
    left = house.deck - size * house.seats
    return {
        "cards": {code: spoken_name(code, faces) for code in pack},
        "columns": len(pack) // len(SUITS),
        "hand": size,
        "trick": house.seats,
        "has_hands": (left == 0 or house.talon is not None) and not house.stacks,
        "talon": left - 1 if house.talon else 0,
    }


def cards_state(evening: LiveEvening, taps: Taps, t: Texts) -> Facts:
    """Return the play of a deal as far as it is tapped: whose `turn` it is and which cards are `playable` (None: not
    known), the `size` of a trick, the tricks, mistakes as `said` in sentences; `whole`: the cards give the result; the
    acts at turns so far are `done`, `acts` are possible at this one."""
    judged = judge_taps(evening, {**taps, "outcome": "cards"})
    if not isinstance(judged, Judgement):
        nothing = {"turn": None, "playable": None, "whole": False, **dict.fromkeys(("tricks", "done", "acts"), ())}
        return nothing | {"size": evening.ruleset.house.seats, "said": words_of(judged, t)}
    played, settled = judged.replay, judged.settlement
    deal, names, rules = judged.deal, judged.session.players, evening.ruleset
    dealer = judged.before.dealer
    following = next_card(deal, names, rules, dealer)
    offered = next_acts(deal, names, rules, dealer, following) if following else ()
    done = tuple(each for each in deal.events or () if each.verb in ACTS)
    return {
        "turn": following.seat if following else None,
        "playable": following.playable if following else None,
        "size": len(played.playing) if played and played.playing else evening.ruleset.house.seats,
        "tricks": tricks_of(judged),
        "said": words_of(contradictions(judged), t),
        "whole": bool(played and played.complete and (contradictions(judged) or (settled and settled.lines))),
        "done": [act_view(each, names, rules, t) for each in done],
        "acts": [act_view(each, names, rules, t) for each in offered],
    }


def act_view(event: Event, names: tuple[str, ...], rules: Ruleset, t: Texts) -> Facts:
    """Return an act of a player at a turn: as a line of the form, in words, and in which trick."""
    line = " ".join(filter(None, (f"@{event.moment}", f"Seat{event.seat + 1}", event.verb, event.arg)))
    trick = (event.moment or "").partition(".")[0]
    words = f"{names[event.seat]} {event_words(event, names, texts_of(rules, t))}"
    return {"line": line, "words": words, "trick": int(trick) if trick.isdecimal() else 0}


def tricks_of(judged: Judgement) -> tuple[Facts, ...]:
    """Return the tricks of a play: number, cards with their players, taker and points, None if not known yet."""
    played, names = judged.replay, judged.session.players
    if played is None:
        return ()
    tricks = []
    for at, (winner, points) in enumerate(zip(played.winners, played.trick_points, strict=True), 1):
        cards = tuple((step.card, names[step.seat]) for step in played.steps if step.trick == at)
        taker = None if winner is None else names[winner]
        tricks.append({"number": at, "cards": cards, "winner": taker, "points": points})
    return tuple(tricks)
