"""`schafkopf correct`: what is wrong in a record is corrected beside it, and the session is settled again."""

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import click

from archive.cli.archive_file import DB, archive_to_write, deal_number
from archive.cli.known_names import DEAL
from archive.cli.language import reader_language, reader_text, say_to_reader, wrong_use
from archive.cli.options import JSON, before_after, print_object
from archive.cli.verdicts import VERDICTS
from archive.judge import Judgement
from archive.judge.report import report
from archive.judge.sentences import say_reason
from archive.record import Correction
from archive.say import message
from archive.store import CorrectionResult, open_read, parse_moment
from archive.store import correct as correct_deal
from archive.store.correcting import value_words
from archive.text.deal import amounts_text
from archive.text.numbers import without_plus

MOST = 20  # later deals that are listed one by one


@click.command()
@click.argument("deal", type=DEAL)
@click.option("--set", "entries", metavar="KEY=VALUE", multiple=True, required=True,
              help="Set a key of the record, such as stated.payments.Anna=-20; may be given again.")  # fmt: skip
@click.option("--by", required=True, metavar="NAME", help="Who corrects.")
@click.option("--why", required=True, metavar="TEXT", help="Why, in a sentence.")
@click.option("--when", metavar="DATE[TIME]", help="When it was corrected; now, where it is left out.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and store nothing.")
@JSON
@DB
def correct(
    deal: str, entries: tuple[str, ...], by: str, why: str, when: str | None, dry_run: bool, as_json: bool, db: str
) -> None:
    """Correct the record of a deal, and settle its session again.

    DEAL is the archive's number, the record's id, or the first characters of its hash. KEY is a key of the record
    format, dotted, with a number for the entry of a list (tricks.3) and a name for that of a player (hands.Ben).
    VALUE is TOML if it reads as such, else text; {} takes the key away. Nothing is ever overwritten: the correction
    stands beside the record, and is taken back by another. What the format refuses changes nothing (exit status 2).
    """
    row = Correction(by, read_moment(when), why, dict(read_entries(entries)))
    reading = open_read(db)
    number = deal_number(reading, db, deal)
    reading.close()
    with archive_to_write(db, dry_run) as archive:
        done = correct_deal(archive, number, row)
    if as_json:
        changes = [{"key": each.key, **before_after(each.before, each.after)} for each in done.changes]
        later = [key for key in done.after if key > done.id and key in done.before]
        moved = [key for key in later if any(differences(done.before[key], done.after[key], True))]
        both = {key: before_after(report(done.before[key]), report(done.after[key])) for key in (done.id, *moved)}
        fields = {"archive": done.id, "stored": not dry_run, "changes": changes}
        print_object({**fields, **both[done.id], "later": [{"archive": key, **both[key]} for key in moved]})
        return
    for line in correction_lines(done):
        click.echo(line)
    click.echo(say_to_reader(message("ruling.not-stored" if dry_run else "cli.correction-stored")), err=True)


# --- read -----------------------------------------------------------------------------------------------------------


def read_entries(entries: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the keys with their values. Raises UsageError."""
    seen = set()
    for entry in entries:
        key, _, text = entry.partition("=")
        key = key.strip()
        if not key or not text.strip():
            raise wrong_use("set-form", entry=entry)
        if key in seen:
            raise wrong_use("set-twice", key=key)
        seen.add(key)
        yield key, read_value(text)


def read_value(text: str) -> Any:
    """Return a value in TOML, or the text itself."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text.strip()
    return with_text_dates(table["value"]) if list(table) == ["value"] else text.strip()


def with_text_dates(value: Any) -> Any:
    """Return a value with dates and times as text, as in a session file."""
    if isinstance(value, dict):
        return {key: with_text_dates(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [with_text_dates(entry) for entry in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def read_moment(when: str | None) -> str:
    """Return the day or moment of `--when`, the present one if it is left out. Raises UsageError."""
    if when is None:
        return datetime.now(UTC).isoformat(timespec="seconds")
    moment = parse_moment(when)
    if moment is None:
        raise wrong_use("when-form", when=when)
    return moment


# --- printed --------------------------------------------------------------------------------------------------------


def correction_lines(done: CorrectionResult) -> Iterator[str]:
    """Yield old and new values, the verdict before and after, and what changes in the deals after it."""
    before, after = done.before[done.id], done.after[done.id]
    for change in done.changes:
        yield f"{change.key}: {say_to_reader(value_words(change.before))} -> {say_to_reader(value_words(change.after))}"
    yield f"{deal_title(done.id, after)}: {styled_verdict(before)} -> {styled_verdict(after)}"
    if after.verdict != "agrees":
        yield f"  {say_reason(after, reader_language())}"
    yield from (f"  {each}" for each in differences(before, after))
    later = [key for key in done.after if key > done.id and key in done.before]
    changed = [(key, texts) for key in later if (texts := [*differences(done.before[key], done.after[key], True)])]
    for key, texts in changed[:MOST]:
        yield f"{deal_title(key, done.after[key])}: {'; '.join(texts)}"
    if len(changed) > MOST:
        yield reader_text("correction-more", n=len(changed) - MOST)
    if not changed:
        yield reader_text("correction-alone")


def deal_title(key: int, judgement: Judgement) -> str:
    """Return a deal by its number in its session and in the archive."""
    return say_to_reader(message("ruling.deal", n=judgement.number, id=key))


def styled_verdict(judgement: Judgement) -> str:
    """Return the verdict in its colour."""
    return click.style(reader_text(judgement.verdict), fg=VERDICTS[judgement.verdict])


def differences(before: Judgement, after: Judgement, with_verdict: bool = False) -> Iterator[str]:
    """Yield the differences between two judgements of a deal: verdict, dealer, payments, totals."""
    one, other = report(before), report(after)
    pairs = {"dealer": (one["dealer"], other["dealer"])}
    pairs |= {key: (by_name(one, one[key]), by_name(other, other[key])) for key in ("payments", "marks")}
    totals = [by_name(each, each["state"]["after"]["totals"]) for each in (one, other)]
    pairs["totals"] = (totals[0], totals[1])
    if with_verdict:
        pairs = {"verdict": (styled_verdict(before), styled_verdict(after))} | pairs
    for key, (was, now) in pairs.items():
        if was != now:
            unknown = message("cli.not-known")
            yield reader_text(f"change-{key}", was=was or unknown, now=now or unknown)


def by_name(fields: dict[str, Any], amounts: Any) -> str | None:
    """Return amounts with the names of the players; None if they are not known."""
    return None if amounts is None else amounts_text(fields["seats"], amounts, without_plus)
