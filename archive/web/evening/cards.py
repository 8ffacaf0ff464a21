"""The cards of a deal that is tapped: whose turn it is, which cards may be played, the tricks so far, any mistakes."""

from archive.cards import PACKS, SUITS, codes, spoken_name
from archive.judge import Judgement
from archive.judge.next_deal import contradictions
from archive.notation.tapped_deal import Taps
from archive.play.next_card import next_acts, next_card
from archive.play.other.sixty_six import ACTS
from archive.record import Event
from archive.rules import House, Ruleset, hand_size
from archive.store.live_evenings import LiveEvening
from archive.text.wording import Texts, event_words, texts_of
from archive.web.evening.page import judge_taps, words_of
from archive.web.queries import Facts


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
