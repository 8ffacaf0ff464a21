"""The people in a line of words that tells a deal: their names, in the roles that the words around them give."""

from functools import cache

from archive.notation import game_words
from archive.notation.problem import refuse_entry
from archive.notation.spoken_facts import hint_of_game, is_declared, refuse_letters, refuse_unclear_word
from archive.notation.spoken_line import (
    ALL_POINTS,
    ARTICLES,
    KEY,
    LONGEST_INITIAL,
    Amount,
    Line,
    amount_at,
    is_game_word,
    is_name,
    kind_at,
    known_words,
    name_at,
    number_at,
)
from archive.record.names import is_whole_name, name_key
from archive.say import message

BLANK = frozenset('.,;:!?()/-–—+&=€|[]"„“”')
ACTS = (
    "won", "lost", "knocks", "dealer", "with", "without", "and", "partner", "calls", "against", "filler", "virgins",
)  # after a name  # fmt: skip
ALL = ("alle", "allen", "all", "olle", "everybody", "everyone", "jeder", "jeda", "each")
ON = ("auf", "on", "uff", "af", "aaf", "aff")
GIVES = frozenset("gibt gab gegeben sagt sagte gesagt gsagt gives gave given says said".split())  # Kontra, or cards
PAYS = ("zahlt", "zahlen", "pays")
BACK = ("zurück", "zruck")
ENDS = ("won", "lost", "schneider", "schwarz", "with")
PARTS = ("/", "+", "&")
STROKES = frozenset("-–—/|")
REST = ("rest", "andere", "anderen", "andern", "übrigen", "others")
SITTING_OUT = (
    ("hat", "ausgesetzt"), ("hat", "pause"), ("macht", "pause"), ("ist", "raus"), ("setzt", "aus"), ("sitzt", "aus"),
    ("setzte", "aus"), ("sits", "out"), ("sat", "out"), ("ist", "frei"), ("frei",), ("schaut", "zu"), ("pausiert",),
    ("pause",), ("raus",), ("draussen",), ("aus",),
)  # fmt: skip
MOST_AT_PLAY = 4  # of a table; the others sit out
SEVERAL = ("knocks", "virgins", "against")  # roles of more than one player


def read_person(line: Line) -> bool:
    """Read a player's name, in the role that the words around it give."""
    person = name_at(line, line.place) or initial_at(line, line.place)
    if person is None and is_name(line, line.place):
        refuse_unclear_word(line, line.place + 1)
        acts = kind_at(line, line.place + 1) in ACTS or doubling_at(line, line.place + 1)
        stands_alone = ends_at(line, line.place + 1) and not (line.stated or line.knocks or line.knock_count)
        is_first = "declarer" not in line.people and (not line.game or stands_alone or names_no_declarer(line))
        person = (line.tokens[line.place], 1) if line.role or is_first or acts else None
    if person is None:
        return False
    name, length = person
    if not line.role and line.people.get("declarer") == name and line.words[line.place] in line.of.words.suits:
        return False  # `Herz: Herz-Solo`
    after = line.place + length
    written = " ".join(line.tokens[line.place : after])
    if not is_whole_name(written, name):
        line.short[written] = name
    if not line.role and put_together(line):
        return True
    out = next((len(words) for words in SITTING_OUT if tuple(line.words[after : after + len(words)]) == words), 0)
    if out and len(line.names) > MOST_AT_PLAY and not line.role:
        line.out.append(name)
        line.place = after + out
        return True
    pays = line.words[after : after + 1] in ([word] for word in PAYS) and is_declared(line.words, line.of)
    if pays and line.people.get("declarer") != name:
        refuse_entry(KEY, line.text, message("notation.deal-word", word=line.tokens[after], hint=""))  # of either side
    if kind_at(line, after) == "filler":
        after += 1
    refuse_unclear_word(line, after)
    colon = line.words[after : after + 1] in ([":"], ["="])
    paid = amount_at(line, after + colon) or nothing_at(line, after)
    if paid and (paid[0].is_signed or not (line.role or colon)):
        line.by_name[name], line.place = paid
        return True
    if not line.role and (joins := joining_at(line, after)):
        line.role = "partner"
        put_person(line, name)
        line.place = joins
    elif not line.role and (said := doubling_said(line, after)):
        line.doubles.append((said[0], name))
        line.place = said[1]
    elif not line.role and doubling_at(line, after + 2) and line.words[after] in GIVES:  # `gibt kein Kontra`
        refuse_entry(KEY, line.text, message("notation.deal-word", word=line.tokens[after + 1], hint=""))
    elif not line.role and kind_at(line, after) in ("knocks", "dealer", "virgins"):
        line.role = kind_at(line, after)
        put_person(line, name)
        line.role, line.place = None, after + 1
    else:
        line.role = "partner" if is_behind_called_suit(line) else line.role
        line.place += length
        put_person(line, name)
    return True


def initial_at(line: Line, place: int) -> tuple[str, int] | None:
    """Return the only player whose name begins with the one to three letters at a place, where a name stands, and 1;
    None if there is none, or if they may be a word of the game, or a slip in a name with one letter more."""
    token, word, behind = line.tokens[place], line.words[place], (*line.words, "", "", "")[place + 1 :]
    if not (line.players and token[0].isupper() and token.isalpha() and len(token) <= LONGEST_INITIAL):
        return None
    after = place + 1 + (behind[0] in (".", "-"))
    doubles = game_words.usual_words()["doubles"]
    acts = kind_at(line, after) in ("knocks", "dealer", "partner") or behind[after - place - 1] in doubles
    before_game = after < len(line.words) and is_game_word(line, after)
    if word in line.of.words.suits or word in game_words.usual_words()["letters"]["games"]:
        stands = line.role in ("knocks", "dealer", "against") or (place == 0 and not before_game)
    else:
        stands = bool(line.role or place == 0 or acts) and word not in known_words(line.of) - {"c"}
    if not stands:
        return None
    parts = [(name, part) for name in line.names for part in name_key(name).split() if part.startswith(word)]
    is_slip = behind[0] != "." and any(len(part) == len(word) + 1 for _, part in parts)
    return (parts[0][0], 1) if len({name for name, _ in parts}) == 1 and not is_slip else None


def is_behind_called_suit(line: Line) -> bool:
    """Return whether the player reached stands right behind the game with a suit that the declarer calls, or behind a
    stroke there: `Ruf Eichel Beni`, `Ruf Alte – Beni`."""
    games = [line.of.phrases.get((word,), (word, None))[0] for word in line.game]
    is_called = any(line.of.words.takes.get(game) == "called" for game in games)
    is_open = not line.role and line.people.keys() & {"declarer", "partner"} == {"declarer"}
    before = line.words[line.place - 1 - (line.words[line.place - 1] in STROKES)]
    return is_open and is_called and bool(line.names) and before == line.game[-1].casefold()


def read_left_out(line: Line) -> bool:
    """Read who sits out of more than four players: `ohne Vroni`, `Aussetzer: Vroni`."""
    at = line.place + 1 + (line.words[line.place + 1 : line.place + 2] == [":"])
    is_out = kind_at(line, line.place) == "without" or line.words[line.place] in ("aussetzer", "pause")
    named = name_at(line, at) if is_out else None
    if named is None or len(line.names) <= MOST_AT_PLAY:
        return False
    line.out.append(named[0])
    line.place = at + named[1]
    return True


def read_points_of_each(line: Line) -> bool:
    """Read the card points of each player behind a game that nobody declares: `Ramsch: Toni 20, Lois 35, …`, 120 in
    all, so that who is not named has none; return whether they stand at the place."""
    if line.card_points or not names_no_declarer(line):
        return False
    points, at = dict[str, int](), line.place
    players = min(len(line.names) - len(line.out), MOST_AT_PLAY) if line.names else MOST_AT_PLAY
    while len(points) < players and (named := name_at(line, at) or name_by_shape(line, at)):
        at += named[1]
        at += at < len(line.words) and line.words[at] in (":", "=")
        number = number_at(line, at)
        if number is None or named[0] in points:
            return False
        points[named[0]], at = number, at + 1
        at += kind_at(line, at) == "points"
        at += at < len(line.words) and (line.words[at] in (",", ";", "/") or kind_at(line, at) == "and")
    others = [name for name in line.names if name not in (*points, *line.out) and len(points) < players]
    if len(points) < 2 or sum(points.values()) != ALL_POINTS or len(points) + len(others) > MOST_AT_PLAY:
        return False
    line.card_points, line.place = points | dict.fromkeys(others, 0), at
    return True


def read_rest(line: Line) -> bool:
    """Read what each player who is not named gets: `Rest -50`, `alle anderen: -0,50`."""
    at = line.place
    at += line.words[at] in (*ALL, "die", "the")
    at += line.words[at - 1 : at + 1] == ["alle", "die"]
    if at >= len(line.words) or line.words[at] not in REST or not line.names:
        return False
    at += 1
    at += at < len(line.words) and (line.words[at] == ":" or kind_at(line, at) == "filler")
    paid = amount_at(line, at)
    if paid is None or not paid[0].is_signed:
        return False
    line.rest, line.place = paid
    return True


def pay_the_rest(line: Line) -> None:
    """Give each player who is not named the amount of the rest. Raise Problem if all amounts do not add up to zero
    then."""
    if line.rest is None:
        return
    line.by_name |= {name: line.rest for name in line.names if name not in line.by_name and name not in line.out}
    if sum(amount.hundredths for amount in line.by_name.values()):
        refuse_entry(KEY, line.text, message("notation.amount-for-each", players=len(line.names)))


def nothing_at(line: Line, place: int) -> tuple[Amount, int] | None:
    """Return the amount 0, which has no sign, at a place after a name, and the place after it; None if there is none
    or it counts something else."""
    is_nought = place < len(line.words) and line.words[place] in ("0", "±0")
    counts = kind_at(line, place + 1) in ("runners", "points", "knocks", "virgins", "price", "filler")
    return (Amount(0, False, True), place + 1) if is_nought and not counts and not line.role else None


def names_no_declarer(line: Line) -> bool:
    """Return whether the game told so far is one that nobody declares, as a Ramsch: the name behind it is the
    loser's."""
    named = line.of.phrases.get(tuple(line.game))
    return named is not None and not line.of.words.declarer.get(named[0], True)


def ends_at(line: Line, place: int) -> bool:
    """Return whether nothing follows at a place, or a sign that parts."""
    return place >= len(line.words) or line.words[place] in BLANK


def joining_at(line: Line, place: int) -> int | None:
    """Return the place after words that make the player before them the partner (`Toni geht mit`), or None."""
    place += line.words[place : place + 1] in ([word] for word in ARTICLES)
    behind = place + 1 + (kind_at(line, place + 1) == "filler")
    goes = kind_at(line, place) in ("with", "partner")
    closed = ends_at(line, behind) or kind_at(line, behind) in ("won", "lost")
    return behind if goes and closed else None


@cache
def surnames_of_results() -> frozenset[str]:
    """Return the words of a result that are surnames too: Schneider and Schwarz."""
    return frozenset(word for word, kind in game_words.usual_words()["deal"].items() if kind in ENDS[2:4])


def means_fact(word: str, line: Line) -> bool:
    """Return whether a word that is somebody's name may say something of the deal too: Schneider, Stoss, Wenz."""
    return word in known_words(line.of) and game_words.usual_words()["deal"].get(word) not in ("filler", "defence")


def put_person(line: Line, name: str) -> None:
    role = line.role or "declarer"
    line.role = role if role in SEVERAL else None
    if role == "knocks":
        line.knocks.append(name)
    elif role == "against":
        line.against.append(name)
    elif role == "virgins":
        line.stated["virgins"] = (*line.stated.get("virgins", ()), name)
    elif role == "double":
        line.doubles[-1] = (line.doubles[-1][0], name)
    elif line.names and line.people.get(role) == name and means_fact(name.casefold(), line):
        refuse_entry(KEY, line.text, message("notation.name-or-result", word=name))
    elif line.people.setdefault(role, name) != name:
        if line.players is None and (hint := hint_of_game(line, [name])):
            refuse_entry(KEY, line.text, message("notation.deal-word", word=name, hint=hint))
        refuse_entry(KEY, line.text, message("notation.two-in-one-role", first=line.people[role], second=name))


def doubling_at(line: Line, place: int) -> str | None:
    """Return the doubling that the word at a place names, or None; a word that may name a knock too names none."""
    word = line.words[place] if place < len(line.words) else ""
    return None if word in game_words.usual_words()["unclear"] else game_words.read_doubling(word)


def doubling_said(line: Line, place: int) -> tuple[str, int] | None:
    """Return the doubling said at a place, and the place after it, or None: `Kontra`, `gibt Kontra`, `spritzt
    zurück`."""
    words = (*line.words, "", "")
    place += place < len(line.words) and words[place] in GIVES
    word = doubling_at(line, place)
    if word is None:
        return None
    back = word == "kontra" and words[place + 1] in BACK
    after = place + 1 + back
    return "re" if back else word, after + (words[after] in GIVES)


def refuse_second_doubler(line: Line) -> None:
    """Refuse a name behind the `und` or sign reached, right behind the name of who said Kontra or Re: `Kontra Hans und
    Toni`, of whom one may have said it and the other be the partner."""
    who = line.doubles[-1][1] if line.doubles and "declarer" in line.people else None
    called = [own for own, name in line.players or () if name == who]
    is_behind = any(tuple(line.words[max(0, line.place - len(own)) : line.place]) == own for own in called)
    named = name_at(line, line.place + 1) if is_behind else None
    if named and not another_fact_follows(line, line.place + 1):
        refuse_entry(KEY, line.text, message("notation.two-in-one-role", first=who, second=named[0]))


def refuse_unclear_people(line: Line, declares: bool, is_no_game: bool) -> None:
    """Refuse a line from which nobody can know who plays: `declares` is whether somebody declares the game."""
    declarer, partner = line.people.get("declarer"), line.people.get("partner")
    if declares and not declarer:
        refuse_letters(line, {word for word in (*line.game, *{"A"}.intersection(line.tokens[:1])) if len(word) == 1})
    if line.names and (line.knocks or "dealer" in line.people) and not declarer and declares:
        refuse_entry(KEY, line.text, message("notation.who-plays", game=" ".join(line.game)))
    if not declares and not is_no_game and partner and not declarer:  # `Ramsch mit Lois`
        refuse_entry(KEY, line.text, message("notation.name-behind", word=" ".join(line.game)))
    if not declares and not is_no_game and declarer and partner:
        refuse_entry(KEY, line.text, message("notation.two-in-one-role", first=declarer, second=partner))
    if declares and not declarer and 0 < len(line.by_name) < len(line.names) - len(line.out):
        refuse_entry(KEY, line.text, message("notation.amount-for-each", players=len(line.names)))


def another_fact_follows(line: Line, at: int) -> bool:
    """Return whether what stands at a place, behind an `und` or `/`, is no partner: `und hat gewonnen`, `und Toni
    klopft`, `/ Hans und Toni klopfen`, `+ 3 Laufende`."""
    if number_at(line, at) is not None:
        return True
    while kind_at(line, at) == "filler":
        at += 1
    if kind_at(line, at) in ENDS[:-1]:
        return True
    behind = at
    while named := name_at(line, behind) or name_by_shape(line, behind):
        behind += named[1]
        if not (kind_at(line, behind) == "and" or line.words[behind : behind + 1] == ["&"]):
            break
        behind += 1
    is_named = behind > at
    behind += kind_at(line, behind) == "filler"
    return is_named and bool(kind_at(line, behind) in ("knocks", "dealer") or doubling_said(line, behind))


def name_by_shape(line: Line, place: int) -> tuple[str, int] | None:
    """Return the word at a place if it can be a name at a table that is not known, and 1; or None."""
    return (line.tokens[place], 1) if place < len(line.words) and is_name(line, place) else None


def put_together(line: Line) -> bool:
    """Read several players who have knocked or are virgins: `Hans und Toni klopfen`; return whether they stand at the
    place."""
    names, at = list[str](), line.place
    while named := name_at(line, at) or (name_by_shape(line, at) if line.players is None else None):
        names, at = [*names, named[0]], at + named[1]
        is_and = kind_at(line, at) == "and"
        if not (is_and or (at < len(line.words) and line.words[at] in PARTS)):
            break
        at += 1 + (is_and and line.words[at + 1 : at + 2] == ["."])  # `u.`
    at += kind_at(line, at) == "filler"
    kind = kind_at(line, at)
    if len(names) < 2 or kind not in ("knocks", "virgins"):
        return False
    for name in names:
        line.role = kind
        put_person(line, name)
    line.role, line.place = None, at + 1
    return True


def read_against(line: Line) -> bool:
    """Read `gegen` with those who play against the declarer, `alle`, or `die Gegner` or `anderen`, which names none."""
    if kind_at(line, line.place) != "against":
        return False
    line.place += 1 + (line.words[line.place + 1 : line.place + 2] == ["."])  # `vs.`
    at = line.place + (line.words[line.place : line.place + 1] in (["die"], ["den"], ["the"]))
    everybody = line.place < len(line.words) and line.words[line.place] in ALL
    nobody = kind_at(line, at) == "defence" or line.words[at : at + 1] in ([word] for word in REST)
    line.is_alone |= everybody
    line.place = at + 1 if nobody else line.place + everybody
    line.role = None if everybody or nobody else "against"
    return True


def read_calling(line: Line) -> bool:
    """Read `ruft` before the partner or suit, `auf` before the suit: they imply a called game if none is named."""
    if kind_at(line, line.place) != "calls" and line.words[line.place] not in ON:
        return False
    line.calls = True
    line.role = "partner" if kind_at(line, line.place) == "calls" and "partner" not in line.people else None
    line.place += 1
    return True


def is_name_in_brackets(line: Line) -> bool:
    """Return whether nothing but a player's name stands behind an opening bracket: `Sau auf Eichel (Vroni)`."""
    named = name_at(line, line.place + 1)
    return named is not None and line.words[line.place + 1 + named[1] :][:1] == [")"]


def goes_on(line: Line) -> bool:
    """Return whether the comma reached stands between names of one kind, with another comma or `und` to follow."""
    place = line.place + 1
    if line.role not in SEVERAL or place >= len(line.words):
        return False
    person = name_at(line, place) or name_by_shape(line, place)
    after = place + person[1] if person else len(line.words)
    if after >= len(line.words):
        return person is not None and "declarer" in line.people
    return line.words[after] in (",", ")") or kind_at(line, after) == "and"


def partner_of(line: Line) -> str | None:
    """Return who plays with the declarer: the one named, else, if one is called, the only player of the table who is
    not said to play against the declarer; or None. Raise Problem if somebody is on both sides."""
    declarer, partner = line.people.get("declarer"), line.people.get("partner")
    named = [name for name in (declarer, partner, *line.against) if name]
    if len(set(named)) < len(named):
        refuse_entry(KEY, line.text, message("notation.each-player-once"))
    left = [name for name in line.names if name not in named]
    return left[0] if line.calls and partner is None and declarer and line.against and len(left) == 1 else partner
