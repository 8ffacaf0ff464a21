"""The set of disputes: generated evenings with mistakes whose causes are known, to measure an auditor by.

    python benchmarks/disputes.py make disputes-1                  the released set: seed 30, 400 disputes
    python benchmarks/disputes.py make disputes-1.zip              the same in one file
    python benchmarks/disputes.py explain disputes-1 > ours.csv    our own answers
    python disputes-1/score.py ours.csv                            how many causes they name

The mistakes are those of tests/support/mistakes, which has its own reading of prices and shares nothing with the search
of `audit explain`. docs/disputes.md says what the files hold. The same seed gives the same bytes.
"""

import argparse
import csv
import hashlib
import io
import json
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from measured import ROOT
from msgspec import Struct
from msgspec.structs import replace
from support import mistakes

import archive
from archive.explain.types import rows as explain_rows
from archive.judge import Judgement, judge_session
from archive.notation import write_line
from archive.record import Deal, Session
from archive.say.catalogue import rows as sentences
from archive.say.catalogue import split_text
from archive.store.snapshot import PACKAGE, package, resource

ABOUT = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
NAME, VERSION, LICENCE = ABOUT["name"], ABOUT["version"], ABOUT["licence"]
SEED, COUNT = 30, 400
DEALS, PAIRS = 6, 5  # deals of an evening; every fifth dispute has two mistakes
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a ZIP can name
SCORER = ROOT / "benchmarks" / "disputes_score.py"


class DisputedEvening(Struct, frozen=True):
    """An evening in which one deal, `number` from 1, states the result of a mistake; `kinds` and `answers` as in
    `support.mistakes.Dispute`."""

    session: Session
    deals: tuple[Deal, ...]
    number: int
    kinds: tuple[str, ...]
    answers: tuple[tuple[frozenset[str], ...], ...]


def disputed_evenings(seed: int, count: int) -> Iterator[DisputedEvening]:
    """Yield so many evenings, of every ruleset in turn."""
    rng, made = Random(seed), 0
    kinds = rng.sample(list(mistakes.ALL), len(mistakes.ALL))
    while True:
        for found in mistakes.evenings(rng, len(mistakes.bundled()) + len(mistakes.HOUSES) + 1, DEALS):
            evening = disputed_evening(rng, found, kinds, made)
            if evening is not None:
                made += 1
                head = replace(evening.session, event=f"Disputes {VERSION}, evening {made}", licence=LICENCE["name"],
                               origin=f"{NAME} {VERSION}, seed {seed}")  # fmt: skip
                yield replace(evening, session=head)
            if made == count:
                return


def disputed_evening(rng: Random, found: list[Judgement], kinds: list[str], n: int) -> DisputedEvening | None:
    """Return an evening with the dispute number `n`, proved: that deal differs, and all others agree; None if none can
    be made in it."""
    session, deals = found[0].session, [each.recorded for each in found]
    rights = list(mistakes.right_deals([found], rng))
    for right in rng.sample(rights, len(rights)):
        at, made = right.found.number - 1, dispute_of(rng, right, kinds, n)
        if made is None:
            continue
        disputed = (*deals[:at], made.found.recorded, *deals[at + 1 :])
        verdicts = [each.verdict for each in judge_session(session, list(disputed))]
        if verdicts.pop(at) == "differs" and set(verdicts) == {"agrees"}:
            return DisputedEvening(session, disputed, at + 1, made.kinds, (*made.answers, *other_pairs(made)))
    return None


def other_pairs(dispute: mistakes.Dispute) -> list[tuple[frozenset[str], ...]]:
    """Return the answers to two mistakes that any other two give, if these would have written the same; none for one
    mistake."""
    if len(dispute.kinds) == 1:
        return []
    answers: dict[tuple[frozenset[str], ...], None] = {}
    for right in dispute.rights:
        for one, (_, causes) in mistakes.ONCE.items():
            for sheet, reckoned, _ in mistakes.forms_of(right, one):
                for other, (_, others) in mistakes.ONCE.items():
                    both = (frozenset(causes), frozenset(others))
                    if other == one or mistakes.stage(one) > mistakes.stage(other) or both in answers:
                        continue
                    after = mistakes.forms_of(right, other, (sheet, reckoned))
                    if any(mistakes.stated_of(last[0]) == dispute.goal for last in after):
                        answers[both] = None
    return [each for each in answers if each not in dispute.answers]


def dispute_of(rng: Random, right: mistakes.Right, kinds: list[str], n: int) -> mistakes.Dispute | None:
    """Return a dispute about a deal: of the next kind that can happen in it, or of two; None if none can."""
    if n % PAIRS == PAIRS - 1:
        two = [kind for kind in kinds if kind not in mistakes.NOTED]
        return next(mistakes.pairs(rng, 1, [right], two), None)
    turn = n % len(kinds)
    following = (*kinds[turn:], *kinds[:turn])
    return next((made for kind in following for made in mistakes.disputes(rng, 1, [right], [kind])), None)


def outline(cause: str) -> str:
    """Return the sentence of a cause with … for each of its facts."""
    parts = split_text(sentences("en")[f"explain.{cause}"])
    return "".join(literal + ("…" if field else "") for literal, field, _ in parts)


def make(seed: int, count: int) -> dict[str, bytes]:
    """Return the files of the set."""
    lines, rows = list[bytes](), list[tuple[object, ...]]()
    for number, evening in enumerate(disputed_evenings(seed, count), 1):
        disputed = evening.deals[evening.number - 1]
        answers = json.dumps([[sorted(causes) for causes in answer] for answer in evening.answers])
        cards = "true" if disputed.hands or disputed.tricks else "false"
        line, rules = len(lines) + evening.number, evening.session.rules
        rows.append((number, evening.number, line, rules, cards, "+".join(evening.kinds), answers))
        lines += [write_line(evening.session, replace(deal, no=at)) + b"\n" for at, deal in enumerate(evening.deals, 1)]
    facts = {"version": VERSION, "seed": seed, "licence": LICENCE["path"]}
    readme = ABOUT["readme"].format(disputes=len(rows), deals=len(lines), **facts)
    causes = [(name, cause.kind, outline(name)) for name, cause in explain_rows().cause.items()]
    files = {
        "records.jsonl": b"".join(lines),
        "disputes.csv": csv_bytes("disputes.csv", rows),
        "causes.csv": csv_bytes("causes.csv", causes),
        "score.py": SCORER.read_bytes(),
        "README.md": readme.encode(),
    }
    files[PACKAGE] = metadata(files, seed)
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return files | {"SHA256SUMS": sums.encode()}


def write(files: dict[str, bytes], goal: Path) -> None:
    """Write the files into a folder, or a ZIP if it has that suffix, and print how to cite the set."""
    if goal.suffix == ".zip":
        with zipfile.ZipFile(goal, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for name, data in files.items():
                packed.writestr(zipfile.ZipInfo(f"{goal.stem}/{name}", EPOCH), data, zipfile.ZIP_DEFLATED)
    else:
        goal.mkdir(parents=True)
        for name, data in files.items():
            (goal / name).write_bytes(data)
    print(f"{hashlib.sha256(files[PACKAGE]).hexdigest()}  {PACKAGE}")


def csv_bytes(name: str, rows: list[tuple[object, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[field["name"] for field in ABOUT["fields"][name]], *rows])
    return text.getvalue().encode()


def metadata(files: dict[str, bytes], seed: int) -> bytes:
    """Return the Frictionless metadata of the files."""
    resources = [
        resource(name, title, len(files[name]), hashlib.sha256(files[name]).hexdigest(), ABOUT["fields"].get(name))
        for name, title in ABOUT["titles"].items()
    ]
    return package(
        NAME,
        "Schafkopf disputes",
        resources,
        description=ABOUT["description"],
        version=VERSION,
        licenses=[LICENCE],
        contributors=[{"title": "The authors of schafkopf-archive", "role": "author"}],
        sources=[{"title": f"schafkopf-archive, benchmarks/disputes.py, seed {seed}"}],
        keywords=ABOUT["keywords"],
    )


def explain(folder: Path) -> Iterator[tuple[object, ...]]:
    """Yield the answers of `audit explain`, by the interface of `import archive` alone."""
    judged = [
        each for each in archive.judge_records(archive.read_records(folder / "records.jsonl"))
        if isinstance(each, archive.Judgement)
    ]  # fmt: skip
    for at, each in enumerate(judged):
        if each.verdict == "agrees":
            continue
        around = judged[max(0, at - 1) : at + 2]
        near = [other for other in around if other is not each and other.session == each.session]
        evening = (each.session.event or "").rpartition(" ")[2]
        explanations = archive.explain_difference(each, near).explanations
        for rank, one in enumerate(explanations[:3], 1):
            yield evening, each.number, rank, "+".join(change.cause for change in one.changes)
        if not explanations:
            yield evening, each.number, 1, ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "explain"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--disputes", type=int, default=COUNT)
    given = parser.parse_args()
    if given.what == "make":
        write(make(given.seed, given.disputes), given.folder)
    else:
        head = ("evening", "deal", "rank", "causes")
        csv.writer(sys.stdout, lineterminator="\n").writerows([head, *explain(given.folder)])


if __name__ == "__main__":
    main()
