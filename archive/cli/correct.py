"""`schafkopf correct`: what is wrong in a record is set right beside it, and the session is settled again."""

import tomllib
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from archive.cli.archive_file import DB, deal_number, spoken_errors
from archive.cli.check import VERDICTS

if TYPE_CHECKING:
    from archive.audit import Judgement
    from archive.store import Corrected

MOST = 20  # later deals that are told one by one


@click.command()
@click.argument("deal")
@click.option("--set", "entries", metavar="KEY=VALUE", multiple=True, required=True,
              help="Set a key of the record, such as stated.payments.Anna=-20; may be given again.")  # fmt: skip
@click.option("--by", required=True, metavar="NAME", help="Who corrects.")
@click.option("--why", required=True, metavar="TEXT", help="Why, in a sentence.")
@click.option("--when", metavar="DATE[TIME]", help="When it was corrected; now, where it is left out.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and store nothing.")
@DB
@spoken_errors
def correct(deal: str, entries: tuple[str, ...], by: str, why: str, when: str | None, dry_run: bool, db: str) -> None:
    """Correct the record of a deal, and settle its session again.

    DEAL is the archive's number, the record's id, or the first characters of its hash. KEY is a key of the record
    format, dotted, with a number for the entry of a list (tricks.3) and a name for that of a player (hands.Ben).
    VALUE is TOML if it reads as such, else text; {} takes the key away. Nothing is ever overwritten: the correction
    stands beside the record, and is taken back by another. What the format refuses changes nothing (exit status 2).
    """
    from archive.record import Correction
    from archive.store import correct as correct_deal
    from archive.store import open_archive, open_read, rehearsal

    row = Correction(told("--by", by), moment(when), told("--why", why), dict(read_entries(entries)))
    reading = open_read(db)
    number = deal_number(reading, db, deal)
    reading.close()
    with rehearsal(db) if dry_run else nullcontext(open_archive(db)) as archive:
        done = correct_deal(archive, number, row)
    for line in lines(done):
        click.echo(line)
    click.echo("Nothing was stored." if dry_run else "The correction is stored; the record is as it was.", err=True)


# --- read -----------------------------------------------------------------------------------------------------------


def read_entries(entries: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The keys with their values. Raises UsageError."""
    seen = set()
    for entry in entries:
        key, found, text = entry.partition("=")
        key = key.strip()
        if not found or not key:
            raise click.UsageError(f"--set {entry}: expected KEY=VALUE")
        if key in seen:
            raise click.UsageError(f"--set {key} stands there twice")
        seen.add(key)
        yield told("--set", key), value(told("--set", text))


def value(text: str) -> Any:
    """A value in TOML, or the text itself."""
    try:
        found = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text.strip()
    return plain(found["value"]) if list(found) == ["value"] else text.strip()


def plain(found: Any) -> Any:
    """Dates and times as text, as in a session file."""
    if isinstance(found, dict):
        return {key: plain(entry) for key, entry in found.items()}
    if isinstance(found, list):
        return [plain(entry) for entry in found]
    return found.isoformat() if hasattr(found, "isoformat") else found


def told(option: str, text: str) -> str:
    """A text that can be stored and says something."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise click.UsageError(f"{option} is no UTF-8 text") from None
    if not text.strip() and option != "--set":
        raise click.UsageError(f"{option} is empty")
    return text


def moment(when: str | None) -> str:
    from archive.store import is_day_or_moment

    if when is None:
        return datetime.now(UTC).isoformat(timespec="seconds")
    if not is_day_or_moment(when):
        raise click.UsageError(
            f"--when {when}: expected a day or a moment, such as 2026-11-20 or 2026-11-20T18:30+01:00"
        )
    return when


# --- told -----------------------------------------------------------------------------------------------------------


def lines(done: "Corrected") -> Iterator[str]:
    """Old and new values, the verdict before and after, and what it changes in the deals after it."""
    from archive.audit.sentences import say_reason
    from archive.store.correcting import said

    before, after = done.before[done.id], done.after[done.id]
    for each in done.changes:
        yield f"{each.key}: {said(each.before)} -> {said(each.after)}"
    yield f"{title(done.id, after)}: {verdict(before)} -> {verdict(after)}"
    if after.verdict != "agrees":
        yield f"  {say_reason(after)}"
    same_deal = [*differences(before, after)]
    yield from (f"  {each}" for each in same_deal)
    later = [key for key in done.after if key > done.id and key in done.before]
    changed = [(key, found) for key in later if (found := [*differences(done.before[key], done.after[key], True)])]
    for key, found in changed[:MOST]:
        yield f"{title(key, done.after[key])}: {'; '.join(found)}"
    if len(changed) > MOST:
        yield f"and {len(changed) - MOST} more deals"
    if not changed:
        yield "No later deal changes."


def title(key: int, found: "Judgement") -> str:
    return f"Deal {found.number} ({key} in the archive)"


def verdict(found: "Judgement") -> str:
    return click.style(found.verdict, fg=VERDICTS[found.verdict])


def differences(before: "Judgement", after: "Judgement", with_verdict: bool = False) -> Iterator[str]:
    """What the rules make of a deal otherwise: verdict, dealer, payments, totals."""
    from archive.audit.report import report

    one, other = report(before), report(after)
    pairs = {"dealer": (one["dealer"], other["dealer"])}
    pairs |= {key: (by_name(one, one[key]), by_name(other, other[key])) for key in ("payments", "marks")}
    totals = [by_name(each, each["state"]["after"]["totals"]) for each in (one, other)]
    pairs["totals"] = (totals[0], totals[1])
    if with_verdict:
        pairs = {"verdict": (verdict(before), verdict(after))} | pairs
    for key, (was, now) in pairs.items():
        if was != now:
            yield f"{key} {was or 'not known'} -> {now or 'not known'}"


def by_name(told: dict[str, Any], amounts: Any) -> str | None:
    """Amounts with the names of the players; None where they are not known."""
    if amounts is None:
        return None
    each = zip(told["seats"], amounts, strict=False)
    return ", ".join(f"{name} {'?' if amount is None else amount}" for name, amount in each)
