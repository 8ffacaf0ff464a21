"""How the cards were dealt, for the page about chance: by file, by dealer, and by who wrote the deals down.

The hands are those of luck.py. For a dealer only the own hand counts, and also for a person who writes down, if that
name sits at the table. Cards are found in all hands of a row at once, as a text, which is ten times as fast as hand by
hand.
"""

from functools import partial

from archive.cards import CODES, RANKS
from archive.stats.questions.luck import CARDS, DEALT, HAD_CHAIN, OF_PACK
from archive.stats.sql import HOUSED, SEATS, flag, integer_keys
from archive.stats.types import Facts, Question

PLAIN = "EGS"  # the suits besides hearts, the usual trumps
LOW = "".join(rank for rank in RANKS if rank not in "OU")
LENGTH = "(sum(length(s.dealt) + 1) - 1)"  # of all hands as a text


# The suits of which the hand of the seat `s` has no plain card, and the number of hands with each card.
FREE = " + ".join(flag(f"s.dealt NOT GLOB '*{suit}[{LOW}]*'") for suit in PLAIN)
HANDS_WITH = ", ".join(
    f"({LENGTH} - length(replace(group_concat(s.dealt), '{code}', ''))) / 2 AS {code}" for code in CODES
)
SUMS = ("hands", "matadors", "free_suits", *CODES)
COUNTED = f"""h.pack AS pack, {CARDS.format("s")} AS cards, count(*) AS hands, sum({HAD_CHAIN}) AS matadors,
    sum({FREE}) AS free_suits, {HANDS_WITH}
    {HOUSED} {OF_PACK} {SEATS}"""

dealt = partial(Facts, sums=SUMS)

FACTS = (
    dealt(
        name="source_card_facts",
        says="Cards as they were dealt in each file, by the place from forehand on (1).",
        keys=integer_keys("source", "place", "pack", "cards"),
        sql=f"""SELECT e.source_id AS source, s.place AS place, {COUNTED}
            WHERE s.place IS NOT NULL AND {DEALT} AND {{where}}""",
    ),
    dealt(
        name="dealer_card_facts",
        says="Cards in the hands that dealers dealt themselves, under each of the names.",
        by="player",
        keys=integer_keys("player", "source", "pack", "cards"),
        sql=f"""SELECT s.player_id AS player, e.source_id AS source, {COUNTED} AND s.seat = d.dealer
            WHERE {DEALT} AND {{where}}""",
    ),
    dealt(
        name="recorder_card_facts",
        says="Cards in the own hands of those who wrote the deals down, under the name that they sat under.",
        by="player",
        keys=integer_keys("player", "source", "pack", "cards"),
        sql=f"""SELECT s.player_id AS player, e.source_id AS source, {COUNTED}
            JOIN players w ON w.id = s.player_id AND w.name = e.recorder
            WHERE {DEALT} AND {{where}}""",
    ),
)
QUESTIONS: tuple[Question, ...] = ()
