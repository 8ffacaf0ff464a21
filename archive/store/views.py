"""The standard questions as views: plain SQL that SQLite and DuckDB both read."""

from archive.cards import NAMES
from archive.stats import QUESTIONS, view_sql
from archive.stats.definitions import COUNTS, SCORED, STANDS, is_partner, of_parties, side_won, unit_of


def part_name_sql(letter: str, part: int) -> str:
    """Return the name of a suit (0) or rank (1), by the faces of the ruleset `r`; a pip card keeps its digit."""
    french, german = (
        f"CASE {letter} " + " ".join(f"WHEN '{key}' THEN '{name}'" for key, name in NAMES[faces][part].items())
        for faces in ("french", "german")
    )
    return f"CASE WHEN r.faces = 'french' THEN {french} ELSE {letter} END ELSE {german} ELSE {letter} END END"


def card_name_sql(code: str) -> str:
    """Return the name of a card: `Kreuz-Bube`, `Eichel-Unter`."""
    return f"{part_name_sql(f'substr({code}, 1, 1)', 0)} || '-' || {part_name_sql(f'substr({code}, 2, 1)', 1)}"


def player_joins(of: str, name: str, join: str = "JOIN") -> str:
    """Return the joins that give `name`, the player of the seat `of`: for a merged name, the main name."""
    return f"""{join} players {name}_as ON {name}_as.id = {of}.player_id
    {join} players {name} ON {name}.id = coalesce({name}_as.alias_of, {name}_as.id)"""


# The ruling in force of what is paid for the deal `d`, as `ru`.
RULED = """LEFT JOIN rulings ru ON ru.id = (SELECT max(id) FROM rulings
        WHERE deal_id = d.id AND coalesce(kind, '') NOT IN ('penalty', 'total'))"""


# Who ruled: for a merged name, the main name.
RULED_BY = """coalesce((SELECT k.name FROM players a JOIN players k ON k.id = a.alias_of WHERE a.name = ru.author),
            ru.author)"""


def seat_entry_sql(payments: str) -> str:
    """Return the entry of the seat `s` in a JSON list."""
    return f"CAST(json_extract({payments}, '$[' || (s.seat - 1) || ']') AS INTEGER)"


# Whether the running total of the seat `s` after the deal `d` rests on a deal whose amounts nobody can compute: there
# is one that goes on by the amounts in force, and none that is computed.
TOTAL_OPEN = """CASE WHEN s.total IS NOT NULL THEN json_extract(d.state_after, '$.settled') IS NOT NULL
            AND json_extract(d.state_after, '$.totals[' || (s.seat - 1) || ']') IS NULL END"""

# The accounts of events, as `archive.stats.event_standings` adds them up from judgements. The page of a session asks
# for one event, which the view would look for among all sessions; `{event}` is NULL where all are added up.
STANDINGS = """SELECT
        event,
        unit,
        player,
        sum(deals) AS deals,
        sum(total) AS total,
        sum(won) AS won,
        sum(solos_won) AS solos_won,
        sum(touts_won) AS touts_won,
        max(best_deal) AS best_deal,
        sum(undecided) AS undecided,
        sum(lists) AS lists,
        sum(on_cards) AS on_cards,
        sum(on_facts) AS on_facts,
        sum(on_amounts) AS on_amounts
    FROM (
        SELECT
            {event} AS event,
            f.unit,
            CASE WHEN f.for_seat IS NULL THEN p.name
                ELSE coalesce((SELECT k.name FROM players a JOIN players k ON k.id = coalesce(a.alias_of, a.id)
                    WHERE a.name = json_extract(e.head, '$.players[' || (f.for_seat - 1) || ']')),
                    json_extract(e.head, '$.players[' || (f.for_seat - 1) || ']')) END AS player,
            f.deals,
            f.total,
            f.won,
            f.solos_won,
            f.touts_won,
            f.best_deal,
            f.undecided,
            f.lists,
            f.on_cards,
            f.on_facts,
            f.on_amounts
        FROM sessions e
        JOIN standing_facts f ON f.part = e.id
        JOIN players p_as ON p_as.id = f.player
        JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id)
        WHERE {wanted}
    )
    GROUP BY event, unit, player
    ORDER BY event, unit, total DESC, player"""

# The units of scores, which nobody owes; none in which payments are counted too.
OF_SCORES = f"SELECT {unit_of('NULL')} FROM rulesets r WHERE r.id IN {SCORED}"
SCORES = f"""({OF_SCORES} EXCEPT SELECT unit FROM rulesets WHERE id NOT IN {SCORED}
                EXCEPT SELECT e.unit FROM sessions e WHERE e.unit IN ({OF_SCORES}) AND EXISTS
                    (SELECT 1 FROM deals d WHERE d.session_id = e.id AND coalesce(d.ruleset_id, 0) NOT IN {SCORED}))"""
# Accounts with what was paid beside the deals: what the deals came to is taken from `standings`, so that both agree.
ENTRIES = """SELECT player_id, unit, kind, amount FROM cash_book
        UNION ALL SELECT to_id, unit, kind, -amount FROM cash_book WHERE to_id IS NOT NULL"""
OWED = f"""SELECT
        unit,
        player,
        sum(from_deals) AS from_deals,
        sum(carried) AS carried,
        sum(paid) AS paid,
        sum(from_deals + carried + paid) AS balance,
        sum(undecided) AS undecided
    FROM (
        SELECT unit, player, total AS from_deals, 0 AS carried, 0 AS paid, undecided FROM standings
            WHERE unit IS NULL OR unit NOT IN {SCORES}
        UNION ALL SELECT c.unit, p.name, 0, CASE WHEN c.kind = 'carried' THEN c.amount ELSE 0 END,
            CASE WHEN c.kind = 'paid' THEN c.amount ELSE 0 END, 0
        FROM ({ENTRIES}) c
        {player_joins("c", "p")}
    )
    GROUP BY unit, player
    ORDER BY unit, balance, player"""

EVENT = "coalesce(e.event, 'session ' || e.id)"  # a session without an event stands alone

# Further columns by which the deals `d` can be selected, with the house `r`.
MUSS = """CASE WHEN ' ' || d.words || ' ' LIKE '% muss %' THEN 1 WHEN d.contract IS NOT NULL THEN 0 END"""
HOCHZEIT = """CASE WHEN EXISTS (SELECT 1 FROM contracts k WHERE k.ruleset_id = d.ruleset_id AND k.contract = d.contract
        AND k.exchange = 'wedding') THEN 'played'
    WHEN EXISTS (SELECT 1 FROM calls c WHERE c.deal_id = d.id AND c.call = 'offer') THEN 'offered' END"""
HAS_DECLARER = "d.declarer IS NOT NULL AND d.contract IS NOT NULL AND d.ruleset_id IS NOT NULL"
SCORE = """CASE WHEN r.house LIKE '%"marks":{%' THEN 'marks' WHEN r.house LIKE '%"score":{%' THEN 'tallies'
    WHEN r.id IS NOT NULL THEN 'amounts' END"""

VIEWS = {
    "outcomes": f"""
    CREATE VIEW outcomes AS
    SELECT
        d.id AS deal,
        '/deals/' || d.id AS viewer,
        d.session_id AS session,
        d.number,
        s.date,
        s.event,
        s.place,
        r.name AS rules,
        d.contract,
        d.suit,
        d.called,
        coalesce(r.faces, 'german') AS faces,
        {part_name_sql("d.suit", 0)} AS suit_name,
        {card_name_sql("d.called")} AS called_name,
        d.tout,
        declarer.name AS declarer,
        partner.name AS partner,
        loser.name AS loser,
        {side_won("ds")} AS won,
        d.side_points,
        d.schneider,
        d.schwarz,
        d.runners,
        d.runners_paid,
        d.knocks,
        d.doubles,
        d.multiplier,
        d.price,
        {unit_of("s.unit")} AS unit,
        d.verdict,
        d.reason,
        d.marks,
        chalk.name AS chalk,
        d.basis,
        d.rounds,
        {MUSS} AS muss,
        d.bid,
        d.cut,
        {HOCHZEIT} AS hochzeit,
        {SCORE} AS score,
        d.runner_count,
        CASE WHEN {HAS_DECLARER} THEN {of_parties("alone")} END AS alone,
        CASE WHEN ps.seat IS NOT NULL THEN d.partner IS NULL END AS partner_inferred,
        CASE WHEN {STANDS} THEN 0 ELSE 1 END AS annulled
    FROM deals d
    JOIN sessions s ON s.id = d.session_id AND {COUNTS}
    LEFT JOIN rulesets r ON r.id = d.ruleset_id
    LEFT JOIN seats cs ON cs.deal_id = d.id AND cs.seat = d.chalk
    {player_joins("cs", "chalk", "LEFT JOIN")}
    LEFT JOIN seats ds ON ds.deal_id = d.id AND ds.seat = d.declarer
    {player_joins("ds", "declarer", "LEFT JOIN")}
    LEFT JOIN seats ps ON ps.deal_id = d.id AND {is_partner("ps")}
    {player_joins("ps", "partner", "LEFT JOIN")}
    LEFT JOIN seats ls ON ls.deal_id = d.id AND ls.seat = d.loser
    {player_joins("ls", "loser", "LEFT JOIN")}""",
    "plays": f"""
    CREATE VIEW plays AS
    WITH cards (card) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8))
    SELECT
        t.deal_id AS deal,
        t.trick,
        c.card,
        s.seat,
        p.name AS player,
        s.declaring,
        substr(t.cards, 3 * c.card - 2, 2) AS code,
        CASE WHEN c.card = 1 THEN 1 ELSE 0 END AS led,
        CASE WHEN s.seat = t.winner THEN 1 WHEN s.seat <> t.winner THEN 0 END AS won_trick,
        t.points AS trick_points,
        {card_name_sql("substr(t.cards, 3 * c.card - 2, 2)")} AS name,
        c.card AS position,
        s.place,
        CASE s.declaring WHEN 1 THEN 'declarer' WHEN 0 THEN 'defence'
            ELSE CASE WHEN k.parties = 'each' AND s.place IS NOT NULL THEN 'alone' END END AS side,
        CASE WHEN instr(k.trumps, substr(t.cards, 3 * c.card - 2, 2)) > 0 THEN 'trump'
            WHEN k.trumps IS NOT NULL THEN nullif(substr(t.cards, 3 * c.card - 2, 1), '?') END AS counts_as
    FROM tricks t
    JOIN deals d ON d.id = t.deal_id
    LEFT JOIN rulesets r ON r.id = d.ruleset_id
    LEFT JOIN contracts k ON k.ruleset_id = d.ruleset_id AND k.contract = d.contract AND k.suit = coalesce(d.suit, '')
    JOIN cards c ON 3 * c.card <= length(t.cards) + 1
    LEFT JOIN seats l ON l.deal_id = t.deal_id AND l.seat = t.leader
    LEFT JOIN seats s ON s.deal_id = t.deal_id AND s.place = (l.place + c.card - 2) % d.players + 1
    {player_joins("s", "p", "LEFT JOIN")}""",
    "ledger": f"""
    CREATE VIEW ledger AS
    SELECT
        d.session_id AS session,
        d.id AS deal,
        d.number,
        s.seat,
        p.name AS player,
        s.payment,
        s.total,
        {seat_entry_sql("st.payments")} AS stated_payment,
        {seat_entry_sql("st.totals")} AS stated_total,
        d.pot,
        {unit_of()} AS unit,
        d.rounds,
        CASE WHEN d.state_after IS NOT NULL AND json_type(d.state_after, '$.stock') IS NULL THEN 0
            ELSE CAST(json_extract(d.state_after, '$.stock') AS INTEGER) END AS stock_after,
        CASE WHEN d.state_after IS NOT NULL AND json_type(d.state_after, '$.hausbock') IS NULL THEN 0
            ELSE CAST(json_extract(d.state_after, '$.hausbock') AS INTEGER) END AS hausbock_after,
        s.marks,
        s.marks_total,
        d.chalk AS chalk_after,
        {seat_entry_sql("ru.payments")} AS ruled_payment,
        CASE WHEN coalesce(json_extract(r.house, '$.marks'), json_extract(r.house, '$.score')) IS NULL
            THEN s.amount END AS settled_payment,
        coalesce({seat_entry_sql("json_extract(d.state_after, '$.settled')")}, s.total) AS settled_total,
        s.amount,
        d.basis,
        {TOTAL_OPEN} AS total_open
    FROM deals d
    JOIN sessions e ON e.id = d.session_id AND {COUNTS}
    JOIN seats s ON s.deal_id = d.id
    {player_joins("s", "p")}
    LEFT JOIN rulesets r ON r.id = d.ruleset_id
    LEFT JOIN stated st ON st.deal_id = d.id
    {RULED}""",
    "player_results": """
    CREATE VIEW player_results AS
    SELECT
        p.name AS player,
        f.unit,
        sum(f.deals) AS deals,
        sum(f.settled) AS settled,
        sum(f.won) AS won,
        sum(f.balance) AS balance,
        round(1.0 * sum(f.paid_played) / nullif(sum(f.settled_played), 0), 2) + 0.0 AS per_deal,
        sum(f.declared) AS declared,
        sum(f.declared_won) AS declared_won,
        sum(f.partnered) AS partnered,
        sum(f.partnered_won) AS partnered_won,
        sum(f.on_cards) AS on_cards,
        sum(f.on_facts) AS on_facts,
        sum(f.on_amounts) AS on_amounts
    FROM result_facts f
    JOIN players p_as ON p_as.id = f.player
    JOIN players p ON p.id = coalesce(p_as.alias_of, p_as.id)
    GROUP BY p.id, p.name, f.unit""",
    "standings": f"""
    CREATE VIEW standings AS
    {STANDINGS.format(event=EVENT, wanted="1")}""",
    "cash_accounts": f"""
    CREATE VIEW cash_accounts AS
    {OWED}""",
    "runner_stats": """
    CREATE VIEW runner_stats AS
    SELECT
        contract,
        runners,
        runners_paid,
        sum(deals) AS deals,
        sum(won * deals) AS won,
        round(1.0 * sum(won * deals) / sum(CASE WHEN won IS NOT NULL THEN deals END), 3) AS won_rate
    FROM runner_facts
    WHERE runners IS NOT NULL
    GROUP BY contract, runners, runners_paid""",
    "disputes": f"""
    CREATE VIEW disputes AS
    SELECT
        d.id AS deal,
        '/deals/' || d.id AS viewer,
        s.date,
        s.event,
        d.contract,
        d.verdict,
        d.reason,
        st.price AS stated_price,
        d.price AS computed_price,
        st.payments AS stated_payments,
        (SELECT json_group_array(payment) FROM seats WHERE deal_id = d.id) AS computed_payments,
        ru.payments AS ruled_payments,
        {RULED_BY} AS ruled_by,
        ru.why AS ruled_why,
        ru.made_at AS ruled_at,
        ru.cite AS ruled_cite,
        (SELECT count(*) FROM rulings WHERE deal_id = d.id) AS rulings,
        (SELECT json_group_array(settled_payment) FROM (
            SELECT settled_payment FROM ledger WHERE deal = d.id ORDER BY seat)) AS settled_payments,
        d.session_id AS session,
        d.number
    FROM deals d
    JOIN sessions s ON s.id = d.session_id
    LEFT JOIN stated st ON st.deal_id = d.id
    {RULED}
    WHERE d.verdict = 'differs' OR EXISTS (SELECT 1 FROM rulings WHERE deal_id = d.id)""",
    "rulings_by_rule": f"""
    CREATE VIEW rulings_by_rule AS
    SELECT
        f.rule,
        f.message,
        ru.cite,
        ru.why,
        {RULED_BY} AS ruled_by,
        ru.made_at AS ruled_at,
        ru.payments AS ruled_payments,
        CASE ru.kind WHEN 'penalty' THEN NOT EXISTS (
                SELECT 1 FROM rulings WHERE deal_id = ru.deal_id AND kind = 'total' AND id > ru.id)
            WHEN 'total' THEN ru.id = (SELECT max(id) FROM rulings WHERE deal_id = ru.deal_id AND kind = 'total')
            ELSE ru.id = (SELECT max(id) FROM rulings WHERE deal_id = ru.deal_id
                AND coalesce(kind, '') NOT IN ('penalty', 'total')) END AS in_force,
        ru.id AS ruling,
        ru.deal_id AS deal,
        '/deals/' || ru.deal_id AS viewer,
        d.session_id AS session,
        d.number,
        s.date,
        s.event,
        d.contract,
        d.verdict,
        ru.kind
    FROM rulings ru
    LEFT JOIN deals d ON d.id = ru.deal_id
    LEFT JOIN sessions s ON s.id = d.session_id
    LEFT JOIN findings f ON f.deal_id = ru.deal_id AND f.severity <> 'note'""",
} | {name: view_sql(question) for name, question in QUESTIONS.items()}


def every_row(view: str) -> str:
    """Return the query of a view, with the deals that were taken back, for readers who see what was written."""
    return VIEWS[view].partition(" AS\n")[2].replace(f" AND {COUNTS}", "")
