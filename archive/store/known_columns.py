"""Facts of deals without cards, filled into an archive from the time when assumptions were stored too."""

from archive.judge.types import Judgement
from archive.stats.database import ArchiveError
from archive.store._sqlite_utils import Database
from archive.store.resettle import judge_session_again
from archive.store.rows import SETTLED, deal_row, seat_rows, sides_by_payment

WITHOUT_CARDS = """SELECT DISTINCT session_id FROM deals
    WHERE basis IN ('facts', 'amounts') OR (basis IS NULL AND declarer IS NOT NULL) ORDER BY 1"""
# If a record can no longer be judged as it was, what it states is all that is known.
STATED_ALONE = """UPDATE deals SET (schneider, schwarz, runners, runner_count, runners_paid, schneider_amount,
        schwarz_amount, runners_amount, multiplier) = (SELECT max(t.schneider), max(t.schwarz),
            max(nullif(t.runners, 0)), max(nullif(t.runner_count, 0)), NULL, NULL, NULL, NULL, NULL
        FROM stated t WHERE t.deal_id = deals.id)
    WHERE basis = 'facts' AND id = ?"""
DEAL = f"UPDATE deals SET {', '.join(f'{name} = ?' for name in SETTLED)} WHERE id = ?"
SEAT = "UPDATE seats SET declaring = ?, won = ? WHERE deal_id = ? AND seat = ?"
UNTOLD_SEAT = """UPDATE seats SET declaring = coalesce(declaring, ?), won = coalesce(won, amount > 0)
    WHERE deal_id = ? AND seat = ? AND amount <> 0"""


def keep_known_columns(db: Database) -> None:
    """Remove from deals without cards what was assumed for their price, and fill in the sides of their seats as an
    import does today."""
    for (session,) in db.execute(WITHOUT_CARDS).fetchall():
        sql = "SELECT id, verdict, basis FROM deals WHERE session_id = ?"
        stored = {deal: (verdict, basis) for deal, verdict, basis in db.execute(sql, (session,))}
        try:
            judged = {each.id: judgement for each, judgement in judge_session_again(db.conn, session)}
        except ArchiveError:  # a record that cannot be read
            judged = {}
        for deal, (verdict, basis) in stored.items():
            judgement = judged.get(deal)
            if judgement and (judgement.verdict, judgement.basis) == (verdict, basis):
                _keep_known(db, deal, judgement)
            else:
                db.execute(STATED_ALONE, (deal,))
                if judgement:
                    _fill_sides(db, deal, judgement)


def _keep_known(db: Database, deal: int, judgement: Judgement) -> None:
    row = deal_row(judgement, 0, None, ("", ""))
    db.execute(DEAL, (*(row[name] for name in SETTLED), deal))
    seats = seat_rows(judgement, [0] * len(judgement.session.players))
    db.conn.executemany(SEAT, [(row["declaring"], row["won"], deal, row["seat"]) for row in seats])


def _fill_sides(db: Database, deal: int, judgement: Judgement) -> None:
    """Fill in the side of each seat and whether it won, by its stored payment, for a deal that gets another verdict
    today, such as a called ace of three; nothing that is there is changed."""
    sql = "SELECT amount FROM seats WHERE deal_id = ? ORDER BY seat"
    sides = sides_by_payment(judgement, tuple(amount for (amount,) in db.execute(sql, (deal,))))
    db.conn.executemany(UNTOLD_SEAT, [(side, deal, seat) for seat, side in enumerate(sides, 1) if side is not None])
