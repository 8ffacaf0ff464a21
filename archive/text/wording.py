"""Words for what is said and done at the table."""

from collections.abc import Iterable, Mapping, Sequence

from archive.cards import faces_in, in_faces, is_known, spoken_name, suit_name
from archive.judge.types import Judgement
from archive.play.cut import cut_of
from archive.play.types import TurnStep
from archive.record import Deal, Double, Draw, Event, Exchange, Finding, Game, say_finding
from archive.rules import HERE, Contract, Ruleset
from archive.say import Message, say, title_in
from archive.say.catalogue import rows
from archive.settle.types import SettlementLine

Texts = Mapping[str, str]
# Events in which `by` noticed; in others `by` answered.
NOTICED = ("out-of-turn", "revoke", "miscount", "exposes", "remarks", "looks", "no-claim")
WITH_CARDS = ("exposes", "prevented", "takes-trump")
UNITS = {
    "marks": ("marks", "in_marks", "count_marks"),
    "game points": ("unit_points", "in_points", "count_points"),
    "units": ("unit_units", "in_units", "count_units"),
    "lives": ("unit_lives", "in_lives", "count_lives"),
    "tallies": ("unit_tallies", "in_tallies", "count_tallies"),
    "match points": ("unit_match_points", "in_match_points", "count_match_points"),
}


def sentence(text: str) -> str:
    """Return a message with a capital, as it stands alone."""
    return f"{text[:1].upper()}{text[1:]}"


def clip(text: str, width: int) -> str:
    """Return a text cut to a width, with … if it is longer."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def texts_of(rules: Ruleset | None, t: Texts) -> Texts:
    """Return the texts as spoken at a table, with the card names of its pack, or of the one the reader chose."""
    return {**t, "faces": shown_faces(rules.house.faces if rules else t["faces"], t)}


def shown_faces(faces: str, t: Texts) -> str:
    """Return the faces that a reader sees: the chosen ones, else the table's, as the reader's language knows them."""
    return faces_in(t["chosen"] or faces, t["lang"])


def card_name(code: str, t: Texts) -> str:
    return spoken_name(code, t["faces"]) if is_known(code) else t["unknown_card"]


def contract_title(contract: str, rules: Ruleset | None, t: Texts) -> str:
    """Return the title of a contract in the reader's language."""
    row = rules.contracts.get(contract) if rules else None
    return title_in("contract", contract, row.title, t["lang"]) if row else contract.capitalize()


def ruleset_title(rules: Ruleset, language: str) -> str:
    return title_in("rules", rules.id, rules.title, language)


def rules_title(rules: Ruleset, t: Texts) -> str:
    """Return the title of a ruleset in the reader's language."""
    return ruleset_title(rules, t["lang"])


def incomplete_sentence(rules: Ruleset, language: str) -> str:
    """Return the sentence on what the documents of a ruleset do not say: "… is incomplete: …"."""
    why = incomplete_words(rules.incomplete, language)
    return say(Message("page.incomplete", {"title": ruleset_title(rules, language), "why": why}), language)


def incomplete_words(why: str, language: str) -> str:
    """Return what the documents of a ruleset do not say, in a language; a table's own words are unchanged."""
    titles = rows("en").room("titles").items()
    known = next((key for key, text in titles if text == why and key.startswith("incomplete-")), None)
    return rows(language).room("titles")[known] if known else why


def rules_named(name: str | None, t: Texts) -> str:
    """Return the title of the ruleset `name` in the reader's language; the name itself if it is not a bundled one."""
    return rows(t["lang"]).get(f"titles.rules-{name}", name or "")


def game_title(game: Game | None, rules: Ruleset | None, t: Texts) -> str:
    """Return the game in words: `Rufspiel Gras`, in German `Rufspiel auf die Blaue`; `Solo Herz`, `thrown in`."""
    if game is None:
        return t["no_game"]
    fixed = {"none": t["thrown_in"], "misdeal": t["misdeal"]}
    if game.contract in fixed:
        return fixed[game.contract]
    row = rules.contracts.get(game.contract) if rules else None
    title = with_suit(contract_title(game.contract, rules, t), row, game.suit, game.called, t)
    bid = bid_words(game, rules, t)
    return " ".join(word for word in (title, *(word_of(word, t) for word in game.words), bid) if word)


def with_suit(title: str, row: Contract | None, suit: str | None, called: str | None, t: Texts) -> str:
    """Return the title of a contract with its suit, or with the German-card nickname of the called Ace; any other
    called card follows it."""
    if called and called != f"{suit}A":
        return f"{title} {card_name(called, t)}"
    is_nicknamed = row is not None and suit in row.nicknames.values() and t["faces"] == "german"
    return " ".join(filter(None, (title, t.get(f"on_ace_{suit}") if is_nicknamed else suit_name(suit, t["faces"]))))


def word_of(word: str, t: Texts) -> str:
    """Return a word beside a contract, as in a title: `Tout`, `Open`."""
    return t.get(f"word_{word}", word.capitalize())


def unit_of(unit: str, t: Texts, within: bool = False) -> str:
    """Return the name of a unit: in the reader's language if it is one of our rulesets', else as recorded; `within` a
    text it follows `in`."""
    own = UNITS.get(unit)
    return t[own[within]] if own else unit


def unit_after(amount: int, unit: str, t: Texts) -> str:
    """Return the name of a unit as it follows an amount: `1 mark`, `−2 marks`."""
    own = UNITS.get(unit)
    return t[own[2]].format(n=abs(amount)) if own else unit


def bid_words(game: Game, rules: Ruleset | None, t: Texts) -> str:
    """Return the number bid: card points, or trumps if the longest suit is trump."""
    key = "for_trumps" if rules and rules.house.lengths else "for_points"
    return t[key].format(points=game.bid) if game.bid else ""


def call_words(call: str, rules: Ruleset | None, t: Texts) -> str:
    """Return a call, as it follows the caller's name: `passes`, `bids 65`, `has a better game: Solo`."""
    head, _, tail = call.partition("-")
    if f"c_{call}" in t:
        return t[f"c_{call}"]
    if call.isdigit():
        return t["c_number"].format(what=call)
    if own := {"have": "c_have", "not": "c_not"}.get(head):
        return t[own].format(what=contract_title(tail, rules, t))
    contract, *more = call.split()
    if contract == "lowest":
        return in_faces(t["c_lowest"].format(what=" ".join(more)), t["faces"])
    named = (
        suit_name(word, t["faces"]) or (card_name(word, t) if is_known(word) else word_of(word, t)) for word in more
    )
    return t["c_game"].format(what=" ".join((contract_title(contract, rules, t), *named)))


def event_words(event: Event, names: Sequence[str], t: Texts) -> str:
    """Return an act outside play, as it follows the name."""
    arg = event.arg or ""
    if event.verb in WITH_CARDS:
        arg = ", ".join(card_name(card, t) for card in arg.split())
    if event.verb == "marriage" and arg:
        arg = suit_name(arg, t["faces"])
    if event.verb == "shows":
        arg = {"all": t["shows_all"], "none": t["shows_none"]}.get(arg, arg)
    if event.verb == "claims" and arg == "runners":
        arg = t["claimed_runners"]
    key = "v_exposes_cut" if (event.verb, event.moment) == ("exposes", "cut") else f"v_{event.verb}"
    text = t[f"{key}_arg" if arg and f"{key}_arg" in t else key].format(arg=arg)
    if event.by is not None:
        by = "v_prevented_by" if event.verb == "prevented" else "v_noticed" if event.verb in NOTICED else "v_answered"
        text += t[by].format(name=names[event.by])
    return text


def draw_words(draw: Sequence[Draw], names: Sequence[str], t: Texts) -> str:
    """Return the cards that were dealt face up, and to whom, as a sentence."""
    return t["s_draw"].format(cards=", ".join(f"{names[each.seat]} {card_name(each.card, t)}" for each in draw))


# Texts for a cut, by whether the number of cards is known, and whether somebody was absent.
CUTS = {
    (False, False): "s_cut_by", (False, True): "s_cut_by_for",
    (True, False): "s_cut_by_off", (True, True): "s_cut_by_off_for",
}  # fmt: skip


def cut_words(deal: Deal, names: tuple[str, ...], t: Texts) -> tuple[int | None, str]:
    """Return the seat that knocked when cutting, or None, and the cut in a sentence; as written if unreadable."""
    cut = cut_of(deal, names)
    if cut is None:
        return None, t["s_cut"].format(cut=deal.cut)
    if cut.knocks:
        packets = ", ".join(t["packets"].format(count=count, size=size) for count, size in cut.packets)
        key = "s_cut_knock" if packets else "s_cut_knock_only"
        return cut.seat, t[key].format(name=names[cut.seat], packets=packets)
    absent = None if cut.absent is None else names[cut.absent]
    return None, t[CUTS[cut.off is not None, absent is not None]].format(name=names[cut.seat], n=cut.off, absent=absent)


def packets_words(packets: str, t: Texts) -> str:
    """Return the packets in which the cards were dealt, such as `3 b2 4 3`."""
    return ", ".join(t["packet_blind"].format(n=part[1:]) if part[0] == "b" else part for part in packets.split())


def exchange_words(passed: Exchange, names: Sequence[str], t: Texts, with_names: bool = True) -> str:
    """Return cards taken up from the blind, laid away, or passed on; only their number without `with_names`."""
    giver, taker = (t["blind"] if seat is None else names[seat] for seat in (passed.giver, passed.taker))
    key = "s_takes_up" if passed.giver is None else "s_lays_away" if passed.taker is None else "s_exchange"
    cards = ", ".join(card_name(card, t) for card in passed.cards)
    if passed.cards and not with_names:
        cards = t["some_cards"].format(count=len(passed.cards))
    return t[key].format(giver=giver, taker=taker, cards=cards or t["no_card"])


def turn_words(step: TurnStep, names: Sequence[str], t: Texts) -> str:
    """Return a turn of a game without tricks as a sentence; in its own letters if this game does not know it."""
    turn, name = step.turn, "" if step.seat is None else names[step.seat]
    if turn.target and (len(turn.target) == 1 or len(turn.source) == 1):
        key = "corner" if turn.target.isdigit() else "from" if len(turn.source) == 1 else "suit"
        other = turn.target if turn.target.isdigit() else suit_name(turn.target, t["faces"])
        own = card_name(step.card, t) if step.card else turn.source
        return t[f"s_turn_{key}"].format(own=own, other=other, source=turn.source)
    own, other = (card_list(text.split(), t) for text in (turn.source, turn.target))
    key = "s_turn_moves" if turn.target else f"s_turn_{turn.source}"
    return t.get(key, "{name}: {own}").format(name=name, own=own, other=other, cards=card_list(turn.cards, t))


def turn_word(step: TurnStep, t: Texts) -> str | None:
    """Return a turn in a word, or None if there is none for it."""
    turn = step.turn
    if len(turn.target) == 1:
        return t["c_turn_corner" if turn.target.isdigit() else "c_turn_suit"].format(other=turn.target)
    return t.get("c_turn_moves" if turn.target else f"c_turn_{turn.source}")


def card_list(cards: Iterable[str], t: Texts) -> str:
    """Return the names of cards, separated by commas."""
    return ", ".join(card_name(card, t) if len(card) > 1 else card for card in cards)


def knock_word(rules: Ruleset | None, t: Texts) -> str:
    """Return the verb for a knock, as it follows the name; with a Hausbock it is to lay, a word of its own in
    German."""
    return t["lays"] if rules and rules.house.hausbock else t["knocks"]


def place_words(place: int, t: Texts) -> str:
    """Return a place in the order of play, 1 for forehand: `second to play`."""
    return t["forehand"] if place == 1 else t.get(f"place_{place}", "") or t["place_any"].format(place=place)


def cards_seen(count: int | None, t: Texts) -> str:
    """Return the moment after this many cards; empty if it is unknown."""
    return t["w_after"].format(count=count) if count else ""


def doubled_when(double: Double, t: Texts) -> str:
    """Return the moment of a doubling, as far as it is known: `after 1 card`, `before card 2 of trick 3`."""
    trick, card = double.trick, double.card
    if trick is None:
        return ""
    if card is None:
        return t["w_in_trick"].format(trick=trick)
    if trick > 1:
        return t["w_before"].format(trick=trick, card=card)
    return cards_seen(card - 1, t) or t["w_before_all"]


def cite_words(cite: str, t: Texts) -> str:
    """Return where a rule stands: in a document, or in the settings of this table."""
    return f"{t['rules_this_table']}{cite.removeprefix(HERE)}" if cite.startswith(HERE) else cite


def line_words(line: SettlementLine, t: Texts) -> str:
    """Return a line of the settlement."""
    return say(line.message, t["lang"], t["faces"])


def finding_words(finding: Finding, language: str) -> str:
    """Return the message of a finding; in English if an archive of an earlier version has it as a text only."""
    return finding.text or say_finding(finding, language)


def session_title(event: str | None, number: int, t: Texts) -> str:
    return event or t["session"].format(number=number)


def runners_words(signed: int | None, t: Texts, count: int | None = None) -> str:
    """Return the paid runners, with or without; their number if that is unknown; empty if neither is known."""
    if signed:
        return t["with_runners" if signed > 0 else "without_runners"].format(count=abs(signed))
    return t["counted_runners"].format(count=count) if count else ""


def owner_of_blind(judgement: Judgement) -> str:
    """Return the player for whom the cards on the table count though nobody takes them up; empty if for nobody."""
    replay, game, rules = judgement.replay, judgement.deal.game, judgement.ruleset
    row = rules.contracts.get(game.contract) if rules and game else None
    if replay is None or replay.declarer is None or row is None or not row.blind:
        return ""
    return judgement.session.players[replay.declarer]
