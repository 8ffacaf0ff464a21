"""What does it cost to check a record against its hash when it is read, and an archive against its seal when it is
opened?

    python benchmarks/hashes.py                    20,000 deals; in benchmarks/results/hashes.md
    python benchmarks/hashes.py --deals 2000 --out -

Records are unpacked, unpacked and checked against their hashes, and read into the structs that every page and every
export begins with; processor time of one process. An archive is opened for reading with and without a look at its
pages.
"""

import time
from contextlib import closing

import measured
from check import write
from measured import Work, alternated, figure, ratio, schafkopf, span, table

from archive.store.compression import unpack_record
from archive.store.connection import connect_read, open_read
from archive.store.quick_check import refuse_damaged
from archive.store.record_lines import PackedRecord, checked_line
from archive.store.record_pass import RECORDS
from archive.store.records import OF_SESSION, load_deals
from archive.store.seal import seal_state


def main() -> int:
    given = measured.arguments(__doc__, "hashes", deals=20_000, rules="bavarian").parse_args()
    with measured.folder_for_files() as folder:
        path, db = folder / "deals.jsonl", folder / "archive.db"
        write(path, given.rules, given.deals)
        schafkopf("import", path, "--db", db)
        with closing(connect_read(db)) as conn:
            packed = [PackedRecord(*row[5:]) for row in conn.execute(RECORDS)]
            sessions = [row[0] for row in conn.execute("SELECT id FROM sessions")]
            size = db.stat().st_size

            def unpacked() -> None:
                for each in packed:
                    unpack_record(each.record, each.head)

            def checked() -> None:
                for each in packed:
                    checked_line(each, 0)

            def structs() -> None:
                for session in sessions:
                    for _ in load_deals(conn, OF_SESSION, session):
                        pass

            def opened() -> None:
                open_read(db, check_pages=False).close()

            def pages() -> None:
                refuse_damaged(conn, db)

            def seal() -> None:
                seal_state(conn)

            works = [
                Work("unpacked", len(packed), unpacked), Work("and held against the hash", len(packed), checked),
                Work("read into structs, hash and all", len(packed), structs),
            ]  # fmt: skip
            records = alternated(works, given.runs, clock=time.process_time)
            once = [Work("opened", 1, opened), Work("quick_check and seal", 1, pages), Work("the seal of it", 1, seal)]
            opening = alternated(once, given.runs, clock=time.process_time)
    cost = (records[1].seconds.p50 - records[0].seconds.p50) / records[2].seconds.p50
    lines = [
        *table(records, "records", records[0]),
        f"The hash is {100 * cost:.0f} % of what reading a record costs; with it, records are unpacked at "
        f"{figure(ratio(records[1], records[0]))} of the rate without.\n",
        f"An archive of {size / (1 << 20):.0f} MB, opened for reading: {span(opening[0].seconds.p50)}; its pages, "
        f"which a command looks at once, {span(opening[1].seconds.p50)} more, of which the seal is "
        f"{span(opening[2].seconds.p50)}.",
    ]
    measured.kept(given.out, "Records held against their hashes", __file__, ("msgspec",), lines)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
