"""The report of the slips in many deals, in words: for the terminal and for paper."""

from collections.abc import Sequence

from msgspec import Struct

from archive.explain.slips import DealSlip, excess_by_player, slip_kinds
from archive.say import Message, make_sayer, message, say
from archive.text.numbers import with_sign
from archive.text.texts import TEXTS
from archive.text.wording import unit_after

slips_text = make_sayer("slips.")


class SlipsPaper(Struct, frozen=True):
    """The report, worded: `kinds` have their number, an example and the deals; `players` name, amount and number of
    deals; `deals` the deal and what went wrong in it."""

    title: str
    of: str
    sum: str
    kinds: tuple[tuple[str, str, str], ...]
    players: tuple[tuple[str, str, str], ...]
    deals: tuple[tuple[str, str], ...]


def slips_paper(slips: Sequence[DealSlip], deals: int, of: Message, language: str) -> SlipsPaper:
    """Return the report of those of `deals` deals that differ; `of` names its subject."""
    explained = sum(1 for slip in slips if slip.changes)
    kinds = (
        (
            slips_text("times", language, n=len(kind.deals)),
            say(
                kind.example if kind.is_of_all else message("slips.such-as", example=kind.example),
                language,
                kind.deals[0].faces,
            ),
            slips_text("in", language, n=len(kind.deals), deals=tuple(str(slip.archive) for slip in kind.deals)),
        )
        for kind in slip_kinds(slips)
    )
    excess = excess_by_player(slips).items()
    paragraphs = []  # of each the likeliest cause, how many others fit, and who had how much too much
    for slip in slips:
        too_much = ", ".join(f"{name} {with_sign(amount)}" for name, amount in slip.excess.items())
        others = slips_text("others", language, n=slip.others) if slip.others else ""
        place = slips_text("deal", language, number=slip.number, session=slip.session, archive=slip.archive)
        paragraphs.append(
            (place, " ".join(filter(None, (say(slip.says, language, slip.faces), others, too_much and f"{too_much}."))))
        )
    return SlipsPaper(
        title=slips_text("title", language),
        of=say(of, language),
        sum=slips_text("sum", language, deals=deals, differ=len(slips), explained=explained),
        kinds=tuple(kinds),
        players=tuple(
            (name, f"{with_sign(amount)} {unit_after(amount, unit, TEXTS[language])}".strip(), str(count))
            for (name, unit), (amount, count) in excess
        ),
        deals=tuple(paragraphs),
    )
