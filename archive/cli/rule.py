"""`schafkopf rule`: what a person finally decided, beside what is stated and computed."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from textwrap import wrap
from typing import Any

import click

from archive.cli.archive_file import DB, archive_to_write, check_named, check_rule, deal_number, judge_in
from archive.cli.correct import read_moment
from archive.cli.known_names import CASE, DEAL, FINDING
from archive.cli.language import LANG, cli_text, wrong_use
from archive.cli.options import JSON, before_after, print_object
from archive.cli.terminal import width, with_pager
from archive.cli.verdicts import VERDICTS
from archive.judge import Judgement
from archive.judge.report import report
from archive.record import Ruling
from archive.record.names import seat_named
from archive.say import make_sayer
from archive.settle.rulings import BESIDE, payment_rulings, stated_payments, totals_with_rulings
from archive.store import open_read
from archive.store.ruling import RulingResult
from archive.store.ruling import list_rulings as past_rulings
from archive.store.ruling import rule_on_deal as rule_on
from archive.text.case import ruling_words
from archive.text.dates import format_moment
from archive.text.deal import amounts_text
from archive.text.numbers import with_sign
from archive.text.session_ledger import ranked_standings
from archive.text.tables import tabulate
from archive.text.texts import TEXTS

ruling_text = make_sayer("ruling.")
BARE = re.compile(r"\s*[+-]?\d+(?:\s+[+-]?\d+)+\s*")  # amounts alone, with nothing but blanks between them
AMOUNT = re.compile(r"(?:(.*[^\s:=])(?:\s*[:=]\s*|\s+))?([+-]?\d{1,15})", re.DOTALL)  # a name, perhaps, and an amount


@click.command()
@click.argument("deal", type=DEAL)
@click.option("--payments", metavar="TEXT",
              help='Who is paid what: "Anna 20, Ben -20, …", or amounts alone in the order of the seats.')  # fmt: skip
@click.option("--annul", is_flag=True, help="The deal does not count: nobody pays.")
@click.option("--again", is_flag=True, help="The deal is played again by the same dealer: of this one nobody pays.")
@click.option("--penalty", metavar="TEXT", help='Beside all payments, and summing to whatever it does: "Cem -50".')
@click.option("--totals", metavar="TEXT", help="The running totals after this deal, of every player.")
@click.option("--by", required=True, metavar="NAME", help="Who rules.")
@click.option("--why", required=True, metavar="TEXT", help="Why, in a sentence.")
@click.option("--cite", required=True, metavar="TEXT", help="The rule or agreement it rests on.")
@click.option("--when", metavar="DATE[TIME]", help="When it was ruled; now, where it is left out.")
@click.option("--case", type=CASE, help="The case that it decides, see `schafkopf case`.")
@click.option("--dry-run", is_flag=True, help="Show what would change, the standings too, and store nothing.")
@JSON
@LANG
@DB
def rule(
    deal: str, by: str, why: str, cite: str, when: str | None, case: int | None, dry_run: bool, as_json: bool,
    language: str, db: str, **decided: Any,
) -> None:  # fmt: skip
    """Rule on a deal: what the players pay each other in the end; or that it does not count, is played again, that
    somebody has a penalty, or what the totals are.

    DEAL is the archive's number, the record's id, or the first characters of its hash. Nothing is ever overwritten: a
    ruling stands beside what is stated and computed, a later ruling beside the earlier, and the last is in force. The
    settled totals of the session follow it, the computed ones do not. In a game for marks amounts are marks.
    """
    texts = by, read_moment(when), why, cite
    kind = kind_of(decided)
    with closing(open_read(db)) as reading:
        number, judgement = deal_number(reading, db, deal), judge_in(reading, db, deal, None)
    row = Ruling(*texts[:3], ruled_amounts(kind, decided, judgement), texts[3], KINDS[kind])
    with archive_to_write(db, dry_run) as archive:
        done = rule_on(archive, number, row, case)
    if as_json:
        totals = dict(zip(done.last.session.players, totals_with_rulings(done.last.after) or (), strict=False))
        both = before_after(report(done.before), report(done.after))
        fields = {"archive": done.id, "stored": not dry_run, **both}
        print_object({**fields, "settled_totals": totals or None, "rest": done.rest})
        return
    for line in ruling_lines(done, language):
        click.echo(line)
    if done.rest:
        click.echo(ruling_text("pot", language, rest=with_sign(done.rest)), err=True)
    click.echo(ruling_text("not-stored" if dry_run else "stored", language), err=True)


# --- read -----------------------------------------------------------------------------------------------------------

# For each option the kind of ruling it makes.
KINDS = {"payments": None, "annul": "annul", "again": "again", "penalty": "penalty", "totals": "total"}


def kind_of(decided: dict[str, Any]) -> str:
    """Return the one option that holds the decision. Raises UsageError if there is none, or several."""
    given = [name for name in KINDS if decided[name]]
    if len(given) != 1:
        raise wrong_use("decide-one", options=tuple(f"--{name}" for name in KINDS))
    return given[0]


def ruled_amounts(kind: str, decided: dict[str, Any], judgement: Judgement) -> tuple[int | None, ...]:
    """Return the amounts of a ruling: none if the deal does not count; for penalties, None for players without one.
    Of payments by name, who sits out need not be named."""
    players = judgement.session.players
    if kind in ("annul", "again"):
        return (0,) * len(players)
    out, playing = judgement.deal.sits_out or (), judgement.replay.active if judgement.replay else ()
    if playing:
        out = tuple(seat for seat in range(len(players)) if seat not in playing)
    return read_amounts(
        decided[kind], players, f"--{kind}", 0 if kind == "penalty" else None, out if kind == "payments" else ()
    )


def read_amounts(
    text: str, players: tuple[str, ...], option: str, others: int | None, out: tuple[int, ...]
) -> tuple[int | None, ...]:
    """Return the amount of each seat: by name, or in the order of the seats; `others` is that of players who are not
    named, for which all amounts have names or all seats an amount, and nothing that of the seats that sit `out`.
    Raises UsageError."""
    names: dict[int, int] = {}
    text = text.replace("\N{MINUS SIGN}", "-")
    parts = [part.strip() for part in re.split(r"\s+" if BARE.fullmatch(text) else r"[,;]", text) if part.strip()]
    bare = sum(part[0] in "+-0123456789" for part in parts)
    mixed = others is not None and 0 < bare < max(len(parts), len(players))
    for place, part in enumerate(parts):
        match = AMOUNT.fullmatch(part)
        if not match or (mixed and match[1] is None):
            raise wrong_use("name-and-number", option=option, part=part)
        seat = place if match[1] is None else seat_of(match[1], players, option)
        if seat in names or seat >= len(players):
            raise wrong_use("each-once", option=option, part=part, n=len(players))
        names[seat] = int(match[2])
    if not bare:
        names = {**dict.fromkeys(out, 0), **names} if names else names
    lacking = [name for seat, name in enumerate(players) if seat not in names]
    if lacking and (others is None or not names):
        raise wrong_use("nothing-of", option=option, players=tuple(lacking))
    return tuple(names.get(seat, others) for seat in range(len(players)))


def seat_of(name: str, players: tuple[str, ...], option: str = "--payments") -> int:
    """Return the seat of a player, however the name is written, if only one has it. Raises UsageError."""
    seat = seat_named(name, players)
    if seat is None:
        raise wrong_use("option-no-player", option=option, name=name, players=tuple(players))
    return seat


# --- printed --------------------------------------------------------------------------------------------------------


def ruling_lines(done: RulingResult, language: str) -> Iterator[str]:
    """Yield the decision; stated, computed and ruled side by side, the earlier rulings, the totals that follow, and how
    the standings change."""
    judgement, rulings = done.after, done.after.deal.ruling or ()
    verdict = click.style(cli_text(judgement.verdict, language), fg=VERDICTS[judgement.verdict])
    yield f"{ruling_text('deal', language, n=judgement.number, id=done.id)}: {verdict}"
    if rulings[-1].kind is not None:
        what = ruling_words(rulings[-1], judgement.session.players, language)
        yield ruling_text("decided", language, name=rulings[-1].by, what=what)
    yield payments_table(judgement, language)
    alike = [each for each in rulings if (each.kind in BESIDE) == (rulings[-1].kind in BESIDE)]
    earlier = len(alike) - 1 if rulings[-1].kind != "penalty" else 0
    if earlier:
        yield ruling_text("earlier", language, n=earlier)
    last = done.last
    totals, settled = last.after.totals, totals_with_rulings(last.after)
    if settled is not None and totals != settled:
        rows = zip(last.session.players, totals or (None,) * len(settled), settled, strict=True)
        yield ruling_text("after", language, n=last.number)
        yield tabulate(
            [(name, *map(with_sign, each)) for name, *each in rows],
            tuple(ruling_text(key, language) for key in ("total-column", "computed", "settled")),
            colalign=("left", "right", "right"),
            disable_numparse=True,
        )
    yield from standing_lines(done, language)


def standing_lines(done: RulingResult, language: str) -> Iterator[str]:
    """Yield the place and total of each player before the ruling and by it, in the order that it makes."""
    before = {each.player: each for each in ranked_standings(*done.standings_before)}
    after = ranked_standings(*done.standings_after)
    if not after:
        return
    if [(each.place, each.player, each.total) for each in after] == [
        (each.place, each.player, each.total) for each in before.values()
    ]:
        yield ruling_text("standings-same", language)
        return
    event = done.last.session.event
    yield ruling_text("standings", language, event=event) if event else ruling_text("standings-session", language)
    rows = [(change(was.place, now.place), now.player, change(was.total, now.total))
            for now in after if (was := before.get(now.player, now))]  # fmt: skip
    head = tuple(ruling_text(key, language) for key in ("place", "player", "total-column"))
    yield tabulate(rows, head, colalign=("left", "left", "right"), disable_numparse=True)


def change(before: object, after: object) -> str:
    return str(after) if before == after else f"{before} → {after}"


def payments_table(judgement: Judgement, language: str) -> str:
    """Return a table with a row for each player, and a column each for what is stated, perhaps by the totals before and
    after, what is computed, and each of the last three rulings on payments."""
    names = judgement.session.players
    blank: tuple[int | None, ...] = (None,) * len(names)
    settled = judgement.settlement
    computed = (settled.payments or settled.marks) if settled else None
    had = judgement.before.stated_totals or judgement.before.totals
    columns = [stated_payments(judgement.deal, had) or blank, computed or blank]
    rulings = payment_rulings(judgement.deal, len(names))[-3:]
    columns += [each.payments for each in rulings]
    last = len(rulings) - 1
    keys = ["ruled-by" if place == last else "before-by" for place in range(len(rulings))]
    head = [ruling_text(key, language, name=each.by) for key, each in zip(keys, rulings, strict=True)]
    rows = [(name, *map(with_sign, each)) for name, *each in zip(names, *columns, strict=False)]
    return tabulate(
        rows,
        ("", ruling_text("stated", language), ruling_text("computed", language), *head),
        colalign=("left", *("right" for _ in columns)),
        maxheadercolwidths=[20, 14, 9, *(16 for _ in rulings)],
        disable_numparse=True,
    )


AUTHORS = " UNION ".join(f"SELECT author FROM {table}" for table in ("rulings", "corrections", "case_entries"))


@click.command()
@click.option("--cite", metavar="TEXT", help="Only those that rest on this, or say it in why.")
@click.option("--rule", type=FINDING, help="Only those of deals with a finding of this rule.")
@click.option("--by", metavar="NAME", help="Only those of this person.")
@click.option("--json", "as_json", is_flag=True, help="Print one object a ruling.")
@LANG
@DB
@with_pager
def rulings(cite: str | None, rule: str | None, by: str | None, as_json: bool, language: str, db: str) -> None:
    """List what was ruled, the last first: how was it decided when the same rule was at stake?"""
    check_rule(rule)
    conn = open_read(db)
    rows = past_rulings(conn, cite, rule, by)
    if by is not None and not rows:
        check_named(by, db, [name for (name,) in conn.execute(f"{AUTHORS} UNION SELECT name FROM players")])
    for row in rows:
        texts = {key: json.loads(row[key]) if row[key] else None for key in ("seats", "stated", "computed", "ruled")}
        row |= {"rules": json.loads(row["rules"]), "in_force": bool(row["in_force"])} | texts
        click.echo(
            json.dumps(row, ensure_ascii=False) if as_json else "\n".join(past_ruling_lines(row, width(), language))
        )
    if not as_json:
        click.echo(
            cli_text("rulings", language, n=len(rows)) if rows else ruling_text("none-found", language), err=True
        )


def past_ruling_lines(row: dict[str, Any], room: int, language: str) -> Iterator[str]:
    """Yield a ruling: whose and when, on which deal; what it rests on, why, what it was about, and the amounts."""
    facts = {"deal": row["deal"], "session": row["session"], "number": row["number"]}
    deal = ruling_text("of-session", language, **facts) if row["session"] else str(row["deal"])
    key = "head" if row["in_force"] else "head-old"
    when = format_moment(row["when"], TEXTS[language])
    head = ruling_text(key, language, ruling=row["ruling"], by=row["by"], when=when, deal=deal)
    yield from (click.style(line, bold=True) for line in wrap(head, room, subsequent_indent="  "))
    texts = {"rests-on": row["cite"], "why": row["why"], "about": ", ".join(row["rules"])}
    amounts = {key: row[key] or () for key in ("stated", "computed")}
    texts |= {key: amounts_text(row["seats"] or (), own) for key, own in amounts.items() if {*own} - {None}}
    ruling = Ruling(row["by"], row["when"], row["why"], tuple(row["ruled"] or ()), row["cite"], row["kind"])
    texts["ruled"] = ruling_words(ruling, tuple(row["seats"] or ()), language)
    labels = {key: f"{ruling_text(key, language)}:" for key in texts}
    wide = max(map(len, labels.values()))
    for key, text in texts.items():
        if text:
            yield from wrap(
                f"{labels[key]:{wide}} {text}", room, initial_indent="  ", subsequent_indent=" " * (wide + 3)
            )
