"""From a judgement to its page: pure functions that word, sort and count what the engine computed."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from archive.analysis.positions import is_covered
from archive.analysis.proofs import deal_in_dispute, disputes
from archive.cards import SUITS, is_known, rank_name, suit_name
from archive.explain import Explained
from archive.judge.decisive_facts import decisive_facts
from archive.judge.finding_groups import findings_with_depth
from archive.judge.set_right import right_message, what_sets_right
from archive.judge.types import Judgement, case_of, declaring_seats, unit_of_deal
from archive.play.hands import OVER
from archive.play.tricks import trump_suit
from archive.rules import Tables, installed_rulesets
from archive.rules.tables import points_of
from archive.say import Message, isolate
from archive.settle.rulings import ruling_payments
from archive.text import wording
from archive.text.chalk import chalk_sheet
from archive.text.dates import format_moment
from archive.text.file_names import file_place
from archive.text.ledger_state import table_chips
from archive.text.numbers import format_signed
from archive.web.deal import model, timeline
from archive.web.deal import seats as seating
from archive.web.deal.moves import DealView, deal_moves, deal_tables
from archive.web.deal.settlement import comparison_rows, dispute_of, finding_view, seat_amounts, settlement_row
from archive.web.deal.talon import closing_move, talon_cards
from archive.web.sentences import to_sentence


def deal_view(stored: Judgement, texts: wording.Texts, people: dict[str, int] | None = None) -> DealView:
    """Return what the parts of the page of a judgement have in common."""
    judgement, t = with_isolated_names(stored), wording.texts_of(stored.ruleset, texts)
    title, table = wording.game_title(judgement.deal.game, judgement.ruleset, t), deal_tables(judgement)
    stacked = [seat for seat, hand in enumerate(judgement.deal.hands or ()) if hand and OVER in "".join(hand)]
    rules, game = judgement.ruleset, judgement.deal.game
    last = rules.contracts[game.contract].last_trick if table and rules and game else 0
    words, replay = {"declarer": "us", "defence": "them"}, judgement.replay
    return DealView(
        judgement=judgement,
        stored=stored,
        t=t,
        texts=texts,
        title=title,
        moves=deal_moves(judgement, title, t),
        table=table,
        sides={seat: words.get(replay.sides[seat] or "", "") for seat in replay.active} if replay else {},
        opened={seat: seating.open_moments(judgement, seat) for seat in stacked},
        groups=timeline.point_groups(judgement),
        total=points_of(table.points, table.pack) + last if table else 120,
        people=people or {},
    )


def deal_board(view: DealView, place: model.DealPosition, as_of: str | None = None) -> model.DealBoard:
    """Return the deal of a judgement to step through."""
    table = deal_table(view)
    steps = view.judgement.replay.steps if view.judgement.replay else ()
    broken = {f"t{step.trick}.{step.place}" for step in steps if step.broken}
    return model.DealBoard(
        heading=deal_heading(view, place, as_of),
        table=table,
        course=model.DealCourse(
            segments=timeline.bar_segments(view),
            rows=timeline.timeline_rows(view, broken),
            frames=timeline.frames(view, table, broken),
        ),
    )


def deal_heading(view: DealView, place: model.DealPosition, as_of: str | None = None) -> model.DealHeading:
    """Return what a deal is and how it ended, perhaps as it stood on a day."""
    judgement, t, order = view.judgement, view.t, view.moves
    deal, settled = judgement.deal, judgement.settlement
    names, people = judgement.session.players, view.people
    named: dict[int | None, str | None] = {None: None, **dict(enumerate(names))}
    declarer, partner = declaring_seats(judgement)
    score, ruled = timeline.score_of_sides(view), ruling_payments(deal, len(names)) is not None
    return model.DealHeading(
        place=place,
        session=wording.session_title(place.event, place.session, t),
        number=judgement.number,
        title=view.title,
        verdict=judgement.verdict,
        basis=judgement.basis,
        reason=to_sentence(judgement.reason, t, t["faces"], people, whole=True),
        declarer=named[declarer],
        partner=named[partner],
        loser=named[settled.loser] if settled else None,
        won=settled.won if settled else None,
        score=score,
        extras=_extras(judgement, t),
        rules=wording.rules_title(judgement.ruleset, t) if judgement.ruleset else judgement.session.rules,
        conditions=(*table_chips(judgement, t), *([t["ruled"]] if ruled else [])),
        result=_result(judgement, score, order[-1].factor, t),
        incomplete=judgement.ruleset.incomplete if judgement.ruleset else "",
        faces=t["faces"],
        day=as_of or "",
        as_of=format_moment(as_of or "", t),
    )


def deal_table(view: DealView) -> model.DealTable:
    """Return the players, the cards on the table, and the moves."""
    judgement, t, order = view.judgement, view.t, view.moves
    deal, rules, replay, groups = judgement.deal, judgement.ruleset, judgement.replay, view.groups
    seats = seating.seats_at_table(view)
    called, played = deal.game.called if deal.game else None, replay.talon if replay else None
    in_turns = replay is not None and replay.turned is not None
    has_blind = deal.blind or deal.exchange or in_turns
    blind = seating.hand_cards(view, None) if has_blind else ()
    building = rules.house.building if rules else None
    corners = (t["spot_corner"].format(corner=number) for number in range(1, building.corners + 1)) if building else ()
    heaps = (*(suit_name(suit, t["faces"]) for suit in SUITS), *corners, t["spot_talon"]) if building else ()
    secrets = ({"seat": seat.seat, "since": mark.since} for seat in seats for mark in seat.marks if mark.secret)
    secret = next(secrets, None)  # the partner whom only the own seat knows before the move `since`
    around, there = seating.places_at_table(judgement, len(seats)), [seat.seat for seat in seats]
    foot = replay.declarer if replay and replay.declarer in there else next(iter(there), 0)  # else forehand
    replayed = {
        "seat": foot,
        "seats": there,
        "around": around,
        "secret": secret,
        **({"kept": True} if in_turns else {}),
        "due": {seat.seat: t["n_turn"].format(name=seat.name) for seat in seats},
        "steps": order,
    }
    return model.DealTable(
        called=model.HandCard(called, wording.card_name(called, t), None, None)
        if called and is_known(called)
        else None,
        trumps_text=_trumps_text(judgement, view.table, t),
        around=around,
        blind=blind,
        blind_for=wording.owner_of_blind(judgement) if has_blind else "",
        talon=talon_cards(played, deal.talon or (), t) if played else (),
        closed=closing_move(played) if played else "",
        seats=seats,
        groups=groups,
        alone=timeline.lonely_points(judgement) if secret and groups else (),
        levels=timeline.levels_on_bar(view) if timeline.are_two_sides(groups) else (),
        total=view.total,
        trumps=timeline.trump_list(view),
        runners=_runners_of(judgement, view.sides, t),
        doubled=timeline.doublings(view),
        sits_out=tuple([name for seat, name in enumerate(judgement.session.players) if seat not in there]),
        heaps=heaps,
        in_turns=in_turns,
        amounts=seat_amounts(judgement),
        replay=msgspec.json.encode(replayed).decode().replace("<", "\\u003c"),  # it cannot end its script element
    )


def deal_settlement(view: DealView) -> model.DealSettlement:
    """Return the price of a deal line by line, and what is stated beside what is computed."""
    judgement, t, order = view.judgement, view.t, view.moves
    replay, settled, names, people = judgement.replay, judgement.settlement, judgement.session.players, view.people
    cited = judgement.ruleset if judgement.ruleset and judgement.ruleset.id in installed_rulesets() else None
    paid, own = (settled.payments if settled else None) or (), judgement.ruleset.sources if judgement.ruleset else {}
    sides = replay.sides if replay else ()
    return model.DealSettlement(
        lines=tuple(settlement_row(line, order, names, t, sides, own) for line in (settled.lines if settled else ())),
        unit=wording.unit_of(unit_of_deal(judgement) or "", t, True),
        price=settled.price if settled else None,
        payments=tuple((name, format_signed(paid)) for name, paid in zip(names, paid, strict=False)),
        pot=settled.pot if settled else 0,
        comparisons=comparison_rows(judgement, t),
        settling_payments=tuple(
            to_sentence(right_message(names, row), t, people=people) for row in what_sets_right(judgement)
        ),
        ruleset=cited.id if cited else "",
        documents=cited.sources if cited else {},
        chalk=chalk_sheet(view.stored, view.texts),
    )


def deal_evidence(
    view: DealView,
    history: tuple[model.HistoryEntry, ...] = (),
    decisive: tuple[Message, ...] | None = None,
    explained: Explained | None = None,
) -> model.DealEvidence:
    """Return what speaks for and against the record of a deal, what happened to it (`history`), and what explains its
    amounts (`explained`); the `decisive` facts are worked out if they are not given."""
    judgement, t, order = view.judgement, view.t, view.moves
    deal, people = judgement.deal, view.people
    decisive = decisive_facts(view.stored) if decisive is None else decisive
    case = case_of(judgement)
    kinds = dict.fromkeys(kind for kind, _, _ in disputes(case)) if case else {}
    rules, game = judgement.ruleset, judgement.deal.game
    row = rules.contracts.get(game.contract) if rules and game else None
    return model.DealEvidence(
        dispute=dispute_of(judgement, explained, seat_amounts(judgement), order, people, t) if explained else None,
        missing=tuple(to_sentence(fact, t, t["faces"], people) for fact in judgement.missing),
        deciding=tuple(to_sentence(fact, t, t["faces"], people) for fact in decisive),
        findings=tuple(
            finding_view(finding, order, t, people, follows=depth > 0)
            for finding, depth in (findings_with_depth(judgement.findings) if judgement.findings else ())
        ),
        note=deal.note,
        source=file_place(deal.source.path, deal.source.line) if deal.source else "",
        history=history,
        analysed=rules is None or row is None or is_covered(rules.house, row),
        provable=tuple(kinds) if case and kinds and deal_in_dispute(case) else (),
    )


def with_isolated_names(judgement: Judgement) -> Judgement:
    """Return a judgement whose names keep their direction to themselves, whatever stands beside them."""
    players = tuple(map(isolate, judgement.session.players))
    return replace(judgement, session=replace(judgement.session, players=players))


def _runners_of(judgement: Judgement, sides: Mapping[int, str], t: wording.Texts) -> str:
    """Return the runners that were paid, and the side that holds them; empty if there were none."""
    settled, names = judgement.settlement, judgement.session.players
    if settled is None or not settled.runners_paid or not settled.runners:
        return wording.runners_words(None, t, settled.runner_count) if settled and settled.runners_paid else ""
    side = "us" if settled.runners > 0 else "them"
    who = ", ".join(names[seat] for seat, own in sides.items() if own == side)
    count = wording.runners_words(settled.runners, t)
    return t["runners_of"].format(runners=count, names=who) if who else count


def _extras(judgement: Judgement, t: wording.Texts) -> tuple[str, ...]:
    settled = judgement.settlement
    if settled is None:
        return ()
    words = [t["tied"] if settled.undecided else ""]
    words.append(t["schwarz"] if settled.schwarz else t["schneider"] if settled.schneider else "")
    if settled.runners_paid:
        words.append(wording.runners_words(settled.runners, t, settled.runner_count))
    return tuple(word for word in words if word)


def _result(judgement: Judgement, score: str, factor: int, t: wording.Texts) -> str:
    """Return the deal in a sentence: who won or lost with whom, how high, for how much; empty if that is not known."""
    settled, replay, names = judgement.settlement, judgement.replay, judgement.session.players
    declarer, partner = declaring_seats(judgement)
    unit = unit_of_deal(judgement) or ""
    if settled is not None and replay is not None and settled.marks:  # in turns and with a talon each plays alone
        if replay.turned is not None:
            losers = [names[seat] for seat, own in enumerate(settled.marks) if own < 0]
            return t["end_pay"].format(names=", ".join(losers)) if losers else ""
        if replay.talon is not None:
            gains = ((seat, own) for seat, own in enumerate(settled.marks) if own > 0)
            return ", ".join(
                f"{names[seat]} {t['end_won']} {own} {wording.unit_after(own, unit, t)}" for seat, own in gains
            )
    if settled is None or (settled.loser is None and (settled.won is None or declarer is None)):
        return ""
    who = names[declarer or 0] if settled.loser is None else names[settled.loser]
    if settled.loser is None and partner is not None:
        who = f"{who} {t['with']} {names[partner]}"
    verb = t["end_won" if settled.loser is None and settled.won else "end_lost"]
    words = [
        " ".join(filter(None, (who, verb, score))),
        *_extras(judgement, t),
        *([f"× {factor}"] if factor > 1 else []),
    ]
    price = "" if settled.price is None else f": {settled.price} {wording.unit_after(settled.price, unit, t)}".rstrip()
    return ", ".join(filter(None, words)) + price


def _trumps_text(judgement: Judgement, table: Tables | None, t: wording.Texts) -> str:
    rules, game = judgement.ruleset, judgement.deal.game
    if table is None or rules is None or game is None or rules.house.play != "tricks":
        return ""
    contract = rules.contracts[game.contract]
    lords = [rank_name(rank, t["faces"]) for rank in contract.lords]
    suit = trump_suit(judgement.deal, contract)
    words = [*lords, suit_name(suit, t["faces"])]
    return t["trumps_are"].format(trumps=", ".join(filter(None, words))) if table.trumps else t["no_trumps"]
