"""The replay that explains, and the whole judgement of a deal, beside reading the same deals from JSON lines.

    python benchmarks/replay.py [--deals N] [--rules R] [--runs N] [--out FILE]

So many random legal deals of a ruleset are written as JSON lines and kept in memory. The compared works are reading
them into records, replaying them, replaying and settling them, and judging them one after another with the ledger from
deal to deal. A ratio is to reading, in the same rounds.
"""

from random import Random

import measured
from measured import Work

from archive.generate import deals, ruleset_of, session
from archive.judge.judge_deal import judge_session
from archive.notation import read_lines, write_line
from archive.play.replay import replay
from archive.record import Source
from archive.settle.settle import settle

DEALS = 2_000


def main() -> None:
    options = measured.arguments(__doc__, "replay")
    options.add_argument("--deals", type=int, default=DEALS, help=f"deals ({DEALS:,})")
    options.add_argument("--rules", default="bavarian", help="the ruleset (bavarian)")
    given = options.parse_args()
    head = session(given.rules)
    ruleset, players = ruleset_of(head), head.players
    records = list(deals(Random(1), head, given.deals))
    raw = b"".join(write_line(head, deal) + b"\n" for deal in records)

    def read() -> None:
        for _ in read_lines(raw, Source("replay.jsonl")):
            pass

    def replay_all() -> None:
        for deal in records:
            replay(deal, players, ruleset, None)

    def settle_all() -> None:
        for deal in records:
            settle(deal, players, ruleset, replay(deal, players, ruleset, None))

    def judge_all() -> None:
        for _ in judge_session(head, records):
            pass

    works = [
        Work("reading", given.deals, read),
        Work("replay", given.deals, replay_all),
        Work("replay and settlement", given.deals, settle_all),
        Work("judgement", given.deals, judge_all),
    ]
    timed = measured.alternated(works, given.runs)
    lines = measured.table(timed, "deals", timed[0])
    measured.kept(given.out, "The replay that explains", __file__, ["msgspec"], [*lines])


if __name__ == "__main__":
    main()
