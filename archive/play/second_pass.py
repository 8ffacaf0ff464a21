"""The second pass of a replay: every card held against its hand and the duties of the contract; what becomes of a talon
on the way."""

from archive.cards import CODES, SUIT_NAMES, show
from archive.engine.duties import BROKEN, DUTIES, Duty, Terms, terms_of
from archive.play.hands import Cover, cover_of, hand_masks, open_cards, take_card, turn_cards, why_covered
from archive.play.other.sixty_six import begin_drawing, end_drawing, end_trick, is_late, take_turn
from archive.play.types import Scene, Step, TalonPlay
from archive.record import Finding, finding
from archive.rules import Tables
from archive.say import Fact, Message, message

NamedDuties = list[tuple[str, Duty]]


def explain_cards(
    scene: Scene, compiled: Tables, names: tuple[str, ...]
) -> tuple[tuple[Step, ...], list[Finding], TalonPlay | None]:
    """Return a step for every card, held against its hand and the duties; the findings; and the play with the talon, or
    None."""
    left, terms = hand_masks(scene.held), terms_of(compiled)
    duties: NamedDuties = [(name, DUTIES[name]) for name in names]
    points, beats, called_suit = compiled.points, compiled.beats, terms.called_suit
    covers = covers_of(scene, left) if scene.ruleset.house.stacks else []
    drawing = begin_drawing(scene, scene.contract, compiled, left) if scene.ruleset.house.talon else None
    late: NamedDuties = [(name, DUTIES[name]) for name in scene.contract.late] if scene.contract else []
    exchanged = drawing.exchanged if drawing else 0
    steps: list[Step] = []
    findings: list[Finding] = []
    unsure: set[int] = set()  # seats that have played a card that nobody knows
    searched = n = 0
    for number, trick in enumerate(scene.walked.tricks, 1):
        led = over = lying = 0
        cards = zip(trick.seats, trick.cards, trick.codes, trick.holders, strict=True)
        for place, (seat, card, code, holder) in enumerate(cards, 1):
            n += 1
            if drawing is not None:
                take_turn(drawing, (number, place), seat, card)
                duties = late if late and is_late(drawing) else duties
            whole, bit = left[seat], 1 << card if card >= 0 else 0
            hand = whole if whole is None or not covers else open_cards(covers[seat], whole)
            known = None if (place > 1 and not led) or (unsure and seat in unsure) else hand
            own, covered = hand or 0, None
            allowed, bound, broken = allowed_by(duties, terms, own, (led, over, searched), bit)
            if whole is not None and bit & ~whole & ~exchanged:
                broken = "not-in-hand"
            elif covers and bit and whole is not None and (covered := why_covered(covers[seat], whole, card)):
                broken = "card-covered"
            elif known is None:
                broken = None
            lying += points[card] if bit else 0
            may, by = (None, None) if known is None else (allowed, bound)
            steps.append(step := Step(n, number, place, seat, code, known, may, by, broken, holder, lying))
            if broken:
                findings.append(breach(scene, compiled, step, led, allowed, own, covered))
            if bit:
                if place == 1:
                    led, over = compiled.groups[compiled.group[card]], beats[card]
                elif over & bit:
                    over = beats[card]
            else:
                unsure.add(seat)
                over = 0
            if whole is not None:
                left[seat] = whole & ~bit
            if covers and card >= 0:
                take_card(covers[seat], card)
        if led in (0, called_suit):
            searched = 1
        for cover in covers:
            turn_cards(cover)
        if drawing is not None:
            end_trick(drawing, number)
    talon = None if drawing is None else end_drawing(drawing)
    return tuple(steps), [*findings, *(drawing.findings if drawing else ())], talon


def covers_of(scene: Scene, held: list[int | None]) -> list[Cover]:
    """Return the covered cards of every seat, at a table where cards lie on others."""
    written = (*(scene.deal.hands or ()), *[None] * len(scene.players))
    return [cover_of(hand, own or 0) for hand, own in zip(written, held, strict=False)]


def allowed_by(
    duties: NamedDuties, terms: Terms, hand: int, lying: tuple[int, int, int], card: int
) -> tuple[int, str | None, str | None]:
    """Return the cards of a hand that the duties allow, the last duty that narrowed them, and the rule that `card`
    breaks; the latter may be None. `lying` is what a duty looks at besides the hand: the cards of the suit led, those
    that beat the trick, and 1 if the called suit has been searched. Hands and cards are masks."""
    led, over, searched = lying
    allowed, bound, broken = hand, None, None
    for name, duty in duties:
        narrower = duty(terms, hand, led, over, searched, allowed)
        if narrower != allowed:
            bound = name
            if allowed & card and not narrower & card and broken is None:
                broken = BROKEN[name][0 if not led else 1 if led == terms.called_suit else 2]
            allowed = narrower
    return allowed, bound, broken


def breach(
    scene: Scene, compiled: Tables, step: Step, led: int, allowed: int, hand: int, over: Message | str | None
) -> Finding:
    """Return the finding for a card not in the hand, under another (`over`), or against a duty. The cards of the group
    `led`, `allowed` and the `hand` are masks."""
    facts = {"trick": step.trick, "card": step.place, "player": scene.players[step.seat], "played": step.card}
    more: dict[str, Fact]
    if over is not None:
        more = {"over": over}
    elif step.broken == "not-in-hand":
        more = {"hand": show(hand) or message("play.no-card")}
    else:
        more = {"suit": group_name(led, compiled), "allowed": show(allowed), "hand": show(hand)}
    return finding(step.broken or "", scene.deal.source, f"{step.trick}.{step.place}", **facts, **more)


def group_name(led: int, compiled: Tables) -> Message | str:
    """Return what a table calls the group that was led."""
    if led == compiled.groups[-1]:
        return message("play.trump")
    names = (SUIT_NAMES[CODES[n][0]] for n, group in enumerate(compiled.group) if compiled.groups[group] == led)
    return next(names, message("play.suit"))
