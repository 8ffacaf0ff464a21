"""The readings in which the documents disagree, each with its setting, its source and what a small deal gives under it.

The deals are in test_disagreements; the function of a question there defines the meaning of `gives`.
"""

from typing import Any, NamedTuple


class Row(NamedTuple):
    """A reading of a question. `house` is the setting as a record writes it under [house], over those of `rules`."""

    question: str
    reading: str
    house: str
    source: str
    gives: Any
    rules: str = "bavarian"


ONE_SUM = ("Schwarz", "Run-away")  # the documents say the same in different words

LOST = (False, (-10, 10, 10, -10), 0)
NOTHING = (None, (0, 0, 0, 0), 0)
MUSS = """all_pass = "muss"
muss.card = "EO"
muss.contract = "rufspiel"
muss.stoss = false
muss.levels = { win = 60, schneider = 90, schneider_against = 91 }"""

DISPUTED = (
    Row(
        "Stoss until when",
        "before the second card of trick 1",
        'stoss = { until = "second-card" }',
        "001 Doubling",
        (True, False, False, False, False),
    ),
    Row(
        "Stoss until when",
        "before one's own first card, answered before one's own second",
        'stoss = { until = "own-card", limit = 2 }',
        "002 01.4 Scoring: Contra",
        (True, True, True, False, False),
    ),
    Row(
        "Stoss until when",
        "before one's own first card, and on and on while play waits",
        'stoss = { until = "own-card", limit = 0 }',
        "004 Rules of Play: kontra",
        (True, True, False, False, True),
    ),
    Row(
        "Stoss until when",
        "just before an own card, trick by trick through the play",
        'stoss = { until = "trick-by-trick", limit = 0 }',
        "001 Impure Schafkopf Examples: Langendorf",
        (False, True, True, True, False),
    ),
    Row(
        "Stoss until when",
        "until everybody has played seven cards",
        'stoss = { until = "cards", cards = 7, limit = 0 }',
        "other: public tables",
        (True, True, True, True, True),
    ),
    Row("Who answers a Stoss", "the declarer", 'stoss = { answer = "declarer" }', "001 Doubling", (True, False)),
    Row(
        "Who answers a Stoss",
        "the declarer or the partner",
        'stoss = { answer = "side" }',
        "002 01.4 Scoring: Contra; 001 Impure Schafkopf Examples: Langendorf",
        (True, True),
    ),
    Row(
        "Schneider",
        "91 for the declarer, 90 for the defence",
        "levels = { schneider = 91, schneider_against = 90 }",
        "001 Scoring; 002 01.4 Scoring: Winning Levels; 003 4.1 Outcome",
        (10, 20, 20),
    ),
    Row(
        "Schneider",
        "90 for the declarer",
        "levels = { schneider = 90 }",
        "001 Impure Schafkopf Examples: Langendorf",
        (20, 20, 20),
    ),
    Row(
        "Schneider",
        "91 for either side",
        "levels = { schneider = 91, schneider_against = 91 }",
        "001 Other Variants: Bierkopf; 004 Rules of Play: Schneider",
        (10, 20, 10),
    ),
    Row(
        "Schneider",
        "where one must play, 90 for the declarer and 91 for the defence",
        "levels = { win = 60, schneider = 90, schneider_against = 91 }",
        "001 Avoiding Passed Out Hands: Muss-Spiel",
        (20, 20, 10),
    ),
    Row("What Schneider pays", "is added, and twice for Schwarz", 'tariff = "10/20/50"', "001 Scoring", (20, 30, 40)),
    Row(
        "What Schneider pays",
        "doubles game and runners, Schwarz doubles them again",
        'tariff = "10/20/50"\nbonus_times = { schneider = 2, schwarz = 4 }',
        "other: a public program that counts prices",
        (20, 40, 80),
    ),
    Row("Who pays whom", "one loser one winner", "each_pays_each = false", "001 Scoring", ((20, -20), (150, -50))),
    Row(
        "Who pays whom",
        "each loser each winner",
        "each_pays_each = true",
        "other: public tables",
        ((40, -40), (150, -50)),
    ),
    Row("Solo in Herz", "is a Solo like the others", "rank = { solo = 90 }", "001 Contracts: Solo", (False, 50)),
    Row(
        "Solo in Herz",
        "goes before the others",
        'rank = { "solo H" = 95 }',
        "other: README of PanchoVarallo/Schafkopf-Application",
        (True, 50),
    ),
    Row(
        "Solo in Herz",
        "goes before the others, and is dearer",
        'rank = { "solo H" = 95 }\nprice = { "solo H" = 60 }',
        "other: expydoc.com/doc/9266339 (a tournament: 25 points to 20)",
        (True, 60),
    ),
    Row(
        "Solo in Herz", "is paid twice", 'price = { "solo H" = 100 }', "other: kartenspiele.net/schafkopf", (False, 100)
    ),
    Row(
        "Card back in a Hochzeit",
        "any other",
        'hochzeit = { back = "any" }',
        "001 Additional Contracts: Wedding (Hochzeit)",
        (True, True),
    ),
    Row(
        "Card back in a Hochzeit",
        "none that is a trump",
        'hochzeit = { back = "plain" }',
        "other: schafkopfhaie.de/anleitung.htm",
        (False, True),
    ),
    Row(
        "A hand of nothing",
        "is played",
        "blanks = 0",
        "other: README of PanchoVarallo/Schafkopf-Application (six such cards are played)",
        -10,
    ),
    Row("A hand of nothing", "may be thrown in, and costs nothing", "blanks = 8", "other: public tables", 0),
    Row("Solo suit", "the declarer must hold a card of it", "solo_needs_suit = true", "001 Contracts: Solo", False),
    Row(
        "Solo suit",
        "the declarer need not hold a card of it",
        "solo_needs_suit = false",
        "002 01.2 Choosing the Game; 003 1.4 Meaning and Rank of the Cards",
        True,
    ),
    Row(
        "Who cuts",
        "the player to the dealer's right",
        'cutter = "right"',
        "001 Deal; 003 2.1 Dealing the Cards",
        (True, False),
    ),
    Row(
        "Who cuts",
        "the player to the dealer's left",
        'cutter = "left"',
        "004 Asserufen (4 active players): Deal",
        (False, True),
    ),
    Row("How deep is cut", "at least three cards in each part", "least_cut = 3", "001 Deal", (False, False)),
    Row("How deep is cut", "one card or more", "least_cut = 1", "003 2.1 Dealing the Cards", (False, True)),
    Row("Packets", "two of four", 'packets = ["4 4"]', "001 Deal; 003 2.1 Dealing the Cards", (True, False)),
    Row("Packets", "two of four or four of two", 'packets = ["4 4", "2 2 2 2"]', "002 01.1 The Setup", (True, True)),
    Row("Tout", "the game twice, runners beside it", 'tout = "base"', "001 Scoring, Examples: 4", 240),
    Row(
        "Tout",
        "the game and its runners twice",
        'tout = "base+runners"',
        "002 01.4 Scoring: Tout; other: one platform",
        280,
    ),
    Row(
        "Tout",
        "Schneider, Schwarz and runners paid, and all of it twice",
        'tout = "all"',
        "001 Impure Schafkopf Examples: Schierling; 004 Schafkopf (3 active players): Scoring",
        360,
    ),
    Row("Schwarz", "twice Schneider in all", 'tariff = "10/50"', "001 Scoring", 30),
    Row(
        "Schwarz",
        "Schneider, and as much again",
        "price = { schneider = 10, schwarz = 20 }",
        "002 01.4 Scoring: Winning Levels",
        30,
    ),
    Row(
        "Virgin in a Ramsch",
        "has no trick; each doubles what the loser pays everyone",
        'ramsch = { virgin_is = "no-trick", virgin = "double-all" }',
        "001 Avoiding Passed Out Hands: Ramsch",
        ((20, 20, 20, -60), (40, 40, 40, -120)),
    ),
    Row(
        "Virgin in a Ramsch",
        "has no points; is paid twice as much",
        'ramsch = { virgin_is = "no-points", virgin = "double-own-once" }',
        "002 01.4 Scoring: Ramsch",
        ((10, 20, 20, -50), (10, 20, 20, -50)),
    ),
    Row(
        "Virgin in a Ramsch",
        "has no trick; is paid twice as much",
        'ramsch = { virgin_is = "no-trick", virgin = "double-own-once" }',
        "002 04 Ramsch",
        ((10, 20, 10, -40), (10, 20, 20, -50)),
    ),
    Row(
        "Virgin in a Ramsch",
        "has no trick; each doubles what the virgins are paid",
        'ramsch = { virgin_is = "no-trick", virgin = "double-own" }',
        "other: a real table",
        ((10, 20, 10, -40), (10, 40, 40, -90)),
    ),
    Row(
        "Run-away",
        "three others besides the Ace",
        "call = { run_away = 4 }",
        "001 Play; 003 3.2 Following Suit",
        (False, True),
    ),
    Row(
        "Run-away",
        "four cards of the suit, the Ace among them",
        "call = { run_away = 4 }",
        "002 01.2 Choosing the Game; 004 Asserufen (4 active players): Play of the Cards",
        (False, True),
    ),
    Row("All pass", "the cards are thrown in", 'all_pass = "thrown-in"', "001 Auction", (("none",), 0)),
    Row(
        "All pass",
        "a Ramsch is played",
        'all_pass = "ramsch"',
        "001 Avoiding Passed Out Hands: Ramsch",
        (("ramsch",), 0),
    ),
    Row(
        "All pass",
        "everyone pays into a pot",
        'all_pass = "thrown-in"\nstock = { amount = 10 }',
        "001 Avoiding Passed Out Hands: Stock",
        (("none",), -10),
    ),
    Row(
        "All pass",
        "who holds the Ober of Acorns must play",
        MUSS,
        "001 Avoiding Passed Out Hands: Muss-Spiel",
        (("Anna rufspiel E muss",), 0),
    ),
    Row(
        "Durchmarsch", "not played", 'ramsch = { march = "no" }', "001 Avoiding Passed Out Hands: Ramsch", (False,) * 4
    ),
    Row(
        "Durchmarsch",
        "all tricks, for a price agreed",
        'ramsch = { march = "tricks", march_price = "solo" }',
        "001 Avoiding Passed Out Hands: Ramsch",
        (True, False, False, False),
    ),
    Row(
        "Durchmarsch",
        "90 points, for the value of a solo",
        'ramsch = { march = 90, march_price = "solo" }',
        "002 01.6 Variants: Durchmarsch in Ramsch; 002 04 Ramsch: Durchmarsch",
        (True, True, True, True),
    ),
    Row(
        "Durchmarsch",
        "101 points, or 91 when announced by the third trick",
        "ramsch = { march = 101, announce = 91 }",
        "001 Impure Schafkopf Examples: Langendorf",
        (True, False, True, True),
    ),
    Row(
        "Tie in a Ramsch",
        "more tricks lose, then more trumps in them, then the highest trump in them",
        'ramsch = { tie = ["tricks", "taken-trumps", "taken-trump"] }',
        "001 Avoiding Passed Out Hands: Ramsch",
        ("Anna", "Anna"),
    ),
    Row(
        "Tie in a Ramsch",
        "the higher trump played from one's own hand loses",
        'ramsch = { tie = ["own-trump"] }',
        "other: a real table",
        ("Ben", "Ben"),
    ),
    Row(
        "Tie in a Ramsch",
        "the higher Ober played from one's own hand loses",
        'ramsch = { tie = ["own-ober"] }',
        "other: real tables",
        ("Ben", None),
    ),
    Row(
        "Tie in a Ramsch",
        "the higher Ober in the tricks loses",
        'ramsch = { tie = ["taken-ober"] }',
        "other: real tables",
        ("Cem", None),
    ),
    Row(
        "Tie in a Ramsch",
        "the highest Ace in the tricks loses, in the order of the suits (where nothing before it decides)",
        'ramsch = { tie = ["taken-ace"] }',
        "other: README of PanchoVarallo/Schafkopf-Application",
        ("Ben", "Anna"),
    ),
    Row(
        "Ranking",
        "Bettel is the lowest game of one player, Geier below Wenz",
        "rank = { bettel = 40, geier = 70, wenz = 80 }",
        "001 Additional Contracts",
        (True, False, True),
    ),
    Row(
        "Ranking",
        "Wenz and Geier are equal, Bettel is above them",
        "rank = { geier = 80, wenz = 80, bettel = 85 }",
        "001 Impure Schafkopf Examples: Langendorf",
        (False, True, True),
    ),
    Row(
        "Nothing to call",
        "no Rufspiel",
        'call = { void = "no", ten = "no", king = "no" }',
        "001 Contracts: Rufer",
        (False,) * 5,
    ),
    Row(
        "Nothing to call",
        "where one must play: a void suit announced, then a Ten, then a King",
        'call = { void = "muss", ten = "muss", king = "muss" }',
        "001 Avoiding Passed Out Hands: Muss-Spiel",
        (False, True, False, True, True),
    ),
    Row(
        "Nothing to call",
        "a void suit, which need not be announced, or a Ten with all three Aces",
        'call = { void = "always", ten = "always", king = "no", announced = false }',
        "004 Asserufen (4 active players): Calling an Ace",
        (True, True, True, True, False),
    ),
    Row("Taking a bid back", "either may say good", 'outbid = "may-pass"', "001 Auction", (True, True)),
    Row(
        "Taking a bid back",
        "who outbids may not pass any more",
        'outbid = "stays"',
        "002 01.3 How to Choose the Game: Bidding",
        (True, False),
    ),
    Row("What outbids", "need not be named", 'outbid = "may-pass"', "001 Auction", (True, True)),
    Row(
        "What outbids",
        "must be named",
        'outbid = "stays-named"',
        "002 01.3 How to Choose the Game: Bidding",
        (True, False),
    ),
    Row("60 : 60", "lost by the declarer's side", 'levels = { tie = "lost" }', "001 Scoring; 003 4.1 Outcome", LOST),
    Row(
        "60 : 60",
        "undecided",
        'levels = { tie = "undecided" }',
        "001 Other Variants: Bierkopf (the stake aside)",
        NOTHING,
    ),
    Row(
        "60 : 60",
        "undecided, the next winners have an extra stake",
        'levels = { tie = "stake" }',
        "001 Other Variants: Bierkopf",
        (*NOTHING[:2], 1),
    ),
    Row(
        "Who wins the pot",
        "the next Rufspiel, or it doubles it",
        'stock = { won_by = ["rufspiel"] }',
        "001 Avoiding Passed Out Hands: Stock",
        (0, 48),
    ),
    Row(
        "Who wins the pot",
        "the next Solo or Wenz, or it doubles it",
        'stock = { won_by = ["wenz", "solo"] }',
        "002 01.6 Variants: Stock",
        (48, 96),
    ),
    Row(
        "Who wins the pot",
        "whoever wins next",
        'stock = { won_by = ["rufspiel", "wenz", "solo"], lost = "to-winners" }',
        "002 06.3 Three-Player Schafkopf",
        (0, 0),
    ),
    Row("Sie", "four times a solo", 'sie = "base"', "other: Sie pays four times a solo", 200),
    Row("Sie", "four times a solo with its runners", 'sie = "base+runners"', "other: four times base and runners", 440),
    Row(
        "Sie",
        "as a Tout with all runners",
        'sie = "tout"\ntout = "all"',
        "001 Impure Schafkopf Examples: Schierling",
        260,
    ),
    Row(
        "Sie",
        "four times what a Tout doubles here",
        'sie = "tout-rule"\ntout = "all"',
        "other: tournaments pay a Tout twice, a Sie four times",
        520,
    ),
    Row(
        "Schneider in marks",
        "two marks from 91, three for every trick",
        "marks = { schneider = 91, scores = [1, 2, 3] }",
        "000 Scoring",
        (1, 2, 3),
        "bauernstoss",
    ),
    Row(
        "Schneider in marks",
        "two marks from 89, four for every trick",
        "marks = { schneider = 89, scores = [1, 2, 4] }",
        "000 Alter Schoofkopp",
        (2, 2, 4),
        "bauernstoss",
    ),
    Row(
        "First deal for marks",
        "who is dealt the Jack of clubs has the chalk, and needs 42",
        'marks = { first = 42, chalk_card = "EU" }',
        "000 Scoring",
        ((1, 0), (0, 1)),
        "bauernstoss",
    ),
    Row(
        "First deal for marks",
        "61 take the chalk; 60 : 60 is for the opponents of who made trumps",
        'marks = { first = 61, chalk_card = "" }',
        "000 Alter Schoofkopp",
        ((0, 1), (0, 1)),
        "bauernstoss",
    ),
)
