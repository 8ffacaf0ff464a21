"""The attacks that `benchmarks/attacks.py` sends: those of a list, and those that a fuzzer makes.

Each is a request that costs its sender nothing. The fuzzer combines paths, parameters and values at random; the same
seed gives the same requests.
"""

from collections.abc import Iterator
from random import Random
from urllib.parse import quote, urlencode

from msgspec import Struct

COUNT = "with recursive a(n) as (select 1 union all select n + 1 from a"
ROWS = f"{COUNT} where n < 1000)"


def long_text(times: int) -> str:
    """Return SQL of a text of 16 characters that was doubled so often."""
    return f"{'hex(' * times}'aaaaaaaaaaaaaaaa'{')' * times}"


STARS = f"select {long_text(20)} glob '*{'3' * 48}*{'3' * 48}b'"
# The most expensive queries for SQLite, by kind; the first four are sent as a page, as JSON and as CSV.
SQL = {
    "nested stars": STARS,
    "1,000 rows of 256 KB": f"{ROWS} select {long_text(14)} from a",
    "1,000 rows of 3.5 KB": f"{ROWS} select substr({long_text(8)}, 1, 3500) from a",
    "an endless query": f"{COUNT}) select count(*) from a",
    "six nested stars": " union all ".join([STARS] * 6),
    "a LIKE of a long text": f"select {long_text(20)} like '%{'3' * 90}x'",
    "a sort without end": f"{COUNT}) select n from a order by hex(n)",
    "a group without end": f"{COUNT}) select count(*) from a group by hex(n)",
    "DISTINCT without end": f"{COUNT}) select distinct hex(n) from a",
    "a window without end": f"{COUNT}) select sum(n) over (order by n desc) from a",
    "a text that grows": f"{COUNT}) select group_concat(n) from a",
    "a list that grows": f"{COUNT}) select json_group_array(hex(n)) from a",
    "an object that grows": f"{COUNT}) select json_group_object(n, n) from a",
    "deals with themselves": "select count(*) from deals a, deals b, deals c",
    "tricks with seats": "select count(*) from tricks a join seats b on a.cards like '%' || b.dealt",
    "every play": "select * from plays order by name desc",
    "plays with themselves": "select count(*) from plays a join plays b on a.name = b.name",
    "the ledger in order": "select * from ledger order by settled_total",
    "outcomes in order": "select * from outcomes order by reason",
    "replace": f"select replace({long_text(18)}, '3', '3333333333')",
    "replace of replace": f"select replace(replace({long_text(18)}, '3', '33'), '33', '3')",
    "instr": f"select instr({long_text(20)}, {long_text(18)} || 'x')",
    "trim": f"select trim({long_text(20)}, {long_text(10)})",
    "substr": f"select substr({long_text(20)}, -9999999)",
    "upper": f"select upper(lower(upper({long_text(20)})))",
    "quote": f"select quote(quote(quote({long_text(19)})))",
    "char": f"select char({','.join(['1114111'] * 900)})",
    "unicode": f"{COUNT} where n < 9999999) select unicode(char(n)) from a",
    "printf": "select printf('%0900000000d', 1)",
    "format": "select format('%0900000000d', 1)",
    "zeroblob": "select hex(zeroblob(900000000))",
    "randomblob": "select hex(randomblob(900000000))",
    "json": f"select json('{'[' * 900}1{']' * 900}')",
    "json_tree": "select count(*) from json_tree('[' || "
    f"substr(replace({long_text(17)}, '3', '1,'), 1, 999999) || '1]')",
    "json_each of json_each": "select count(*) from json_each('[1,1,1,1,1,1,1,1]') a, json_each('[1,1,1,1,1,1,1,1]') b,"
    " json_each('[1,1,1,1,1,1,1,1]') c, json_each('[1,1,1,1,1,1,1,1]') d, json_each('[1,1,1,1,1,1,1,1]') e, deals",
    "json_patch": f"select json_patch('{{}}', '{{}}'), {long_text(10)}",
    "load_extension": "select load_extension('/tmp/x')",
    "ATTACH": "attach '/etc/passwd' as x",
    "PRAGMA": "pragma cache_size = -900000000",
    "VACUUM": "vacuum into '/tmp/x'",
    "pragma_database_list": "select * from pragma_database_list",
    "sqlite_master": "select * from sqlite_master",
    "dbstat": "select * from dbstat",
    "full-text search": "select count(*) from notes_fts where notes_fts match 'a* OR b* OR c* OR d* OR e*'",
    "NEAR": "select count(*) from notes_fts where notes_fts match 'NEAR(a* b* c*, 99999)'",
    "highlight": "select highlight(notes_fts, 0, '<b>', '</b>') from notes_fts where notes_fts match 'i*'",
    "a deep expression": f"select {'(' * 900}1{')' * 900}",
    "many columns": f"select {', '.join(['1'] * 1900)}",
    "many ORs": f"select * from deals where {' or '.join(['price = 1'] * 900)}",
    "many unions": " union all ".join(["select 1"] * 450),
    "a long IN": f"select count(*) from seats where deal_id in ({','.join(map(str, range(9000)))})",
    "a cross of views": "select count(*) from standings a, standings b, standings c",
    "a question of questions": "select * from pairs a join pairs b on a.name = b.partner_name join pairs c",
    "a long name": f"select 1 as '{'x' * 9000}'",
    "a float": "select 1e308 * 1e308, -1e308 * 1e308, 0 / 0, 1 / 0",
    "an integer": "select -9223372036854775808 / -1, abs(-9223372036854775808)",
    "a NUL": "select 'a' || char(0) || 'b'",
    "two statements": "select 1; drop table deals",
    "a comment": f"select 1 /* {'x' * 9000}",
    "a write": "with a as (select 1) delete from deals",
}
FORMS = {"a page": "", "JSON": ".json", "CSV": ".csv"}
TABLES = {
    "every facet of plays": "plays?_facet=name&_facet=player&_facet=side&_facet=counts_as",
    "plays in another order": "plays?_sort_desc=name",
    "a filter with stars": "plays.json?name__glob=*a*b*c*d*e*f&_sort_desc=name",
    "a filter on every column": "outcomes.json?"
    + "&".join(f"{name}__contains=a" for name in ("event", "place", "reason")),
    "forty filters": "deals.json?" + "&".join(f"price__gt={n}" for n in range(40)),
    "a facet of an array": "deals?_facet_array=state_after",
    "a facet of dates": "sessions?_facet_date=date",
    "facets of every column": "seats?"
    + "&".join(f"_facet={name}" for name in ("player_id", "place", "dealt", "amount")),
    "1,000 rows as a page": "outcomes?_size=max",
    "100 rows as a page": "outcomes",
    "1,000 rows of records": "records.json?_size=max",
    "1,000 rows with labels": "seats.json?_size=max&_labels=on",
    "a whole table": "seats.csv?_stream=on&_size=max",
    "a whole view": "plays.csv?_stream=on",
    "a whole table by a column": "tricks.csv?_stream=on&_sort=cards",
    "a WHERE of one's own": "deals?_where=" + quote(f"id in ({COUNT}) select n from a)"),
    "a WHERE with stars": "tricks.json?_where=" + quote(f"cards glob '{'*S' * 40}'"),
    "a search": "notes?_search=" + quote("a* OR b* OR c*") + "&_searchmode=raw",
    "a broken search": "notes?_search=" + quote('"""') + "&_searchmode=raw",
    "a size of nothing": "deals?_size=0",
    "a size below nothing": "deals?_size=-1",
    "a size of a million": "deals?_size=1000000",
    "a next that is none": "deals?_next=zzzz",
    "a next far away": "deals.json?_next=999999999999999999999",
    "a sort by nothing": "deals?_sort=nothing",
    "a column that is none": "deals?nothing=1",
    "a through": "players.json?_through=" + quote('{"table":"seats","column":"amount","value":"1"}'),
    "a broken through": "players.json?_through={",
    "a shape that is none": "deals.json?_shape=round",
    "extras": "deals.json?_extra=facets,suggested_facets,count,query",
    "a trace": "deals.json?_trace=1",
    "a row far away": "deals/99999999999999999999.json",
    "a long name of a table": "x" * 4000,
    "a question with all its parameters": "ask_pairs?rules=%25&contract=%25",
    "a view of every account": "standings?_sort=player&_size=max",
    "disputes": "disputes?_facet=ruled_by",
}
VIEWER = {
    "a search that reads every deal": "/?runners=14&note=nothing",
    "words in every place": "/?event=" + quote("a e i o u n r s t") + "&note=zzz",
    "a search of every key": "/?contract=solo&suit=E&result=lost&level=schwarz&doubled=kontra&cut=zz&bid=9&basis=facts",
    "a search far back": "/?start=9223372036854775807",
    "every deal but few": "/?unit=zzz&cut=zz",
    "a list around a deal": "/deals/3?list=" + quote("runners=14&note=nothing"),
    "findings of nobody": "/findings?player=1&rule=zz",
    "a player and every month": "/players/1?since=1&until=9",
    "a search of players": "/players?q=" + "a" * 190,
    "the longest line": "/search?q=" + "a+" * 3000,
    "a question of a player": "/stats/lords_dealt?player=1",
    "a question of a basis": "/stats/called_ace?basis=cards",
    "the plot of a question": "/stats/pairs/plot.json?basis=cards",
    "every row of a question": "/stats/session_balance?rows=all",
    "a question in order": "/stats/session_balance?rows=all&sort=-name",
    "the ranking of everybody": "/ranking",
    "fairness": "/stats/fairness",
    "all records": "/api/v1/records",
    "a code of a deal": "/d/" + "A" * 9000,
    "the analysis of a deal": "/deals/3/analysis",
    "a picture": "/deals/3/preview.png",
    "an evening": "/sessions/1?basis=amounts",
    "a path upwards": "/static/../../../../etc/passwd",
    "a path upwards, in disguise": "/static/%2e%2e/%2e%2e/etc/passwd",
    "a NUL": "/players?q=%00",
    "half a letter": "/players?q=%ff%fe",
    "a number below nothing": "/deals/-1",
    "a number without end": "/deals/" + "9" * 400,
    "a language that is none": "/?lang=../../etc",
    "a hundred parameters": "/?" + "&".join(f"a{n}={n}" for n in range(1000)),
    "a path of slashes": "/" + "/" * 3000,
}
WORDS = (
    "a", "1", "-1", "0", "9" * 30, "%", "*", "' OR 1=1 --", "\0", "ä" * 60, "[" * 60, "solo", "max", "on", "", "id",
    "won", "1e308", "*a*b*c*d", "2010", "2010-13-99", "{}", '{"table":"seats"}', "a* OR b*", "x" * 500,
)  # fmt: skip
PATHS = (
    "/", "/sessions", "/players", "/players/1", "/players/2", "/findings", "/stats", "/stats/pairs",
    "/stats/called_ace", "/stats/longest_runs", "/stats/standings", "/deals/1", "/deals/2", "/sessions/1",
    "/search", "/rulesets/bavarian", "/data", "/data/deals", "/data/outcomes", "/data/plays", "/data/ledger",
    "/data/disputes", "/data/tricks", "/data/seats", "/data/notes", "/data/pairs", "/data/ask_pairs",
    "/data/deals/1", "/-/x",
)  # fmt: skip
KEYS = (
    "player", "session", "event", "rules", "contract", "basis", "since", "until", "note", "runners", "result",
    "role", "start", "sort", "rows", "q", "list", "as-of", "lang", "_sort", "_sort_desc", "_facet", "_facet_array",
    "_size", "_where", "_search", "_next", "_shape", "_labels", "_stream", "_col", "_nocol", "_through",
    "price__gt", "name__glob", "cards__contains", "event__like", "_trace", "_extra", "unit", "cut", "bid",
    "verdict",
)  # fmt: skip
COLUMNS = ("name", "cards", "player", "price", "event", "reason", "dealt", "amount", "side", "contract", "id", "deal")
ENDINGS = ("", "", ".json", ".csv")


class Attack(Struct, frozen=True):
    """A request: its kind, its address, and whether a fuzzer has made it."""

    name: str
    path: str
    fuzzed: bool = False


def thought_of() -> Iterator[Attack]:
    """Return the attacks of the list."""
    for n, (name, sql) in enumerate(SQL.items()):
        for form, ending in FORMS.items():
            if n < 4 or form == "JSON":
                yield Attack(f"{name}, as {form}", f"/data{ending}?sql={quote(sql)}")
    yield from (Attack(name, f"/data/{path}") for name, path in TABLES.items())
    yield from (Attack(name, path) for name, path in VIEWER.items())


def fuzzed(seed: int) -> Iterator[Attack]:
    """Yield requests put together at random, without end."""
    rng = Random(seed)
    number = 0
    while True:
        number += 1
        path, pairs = rng.choice(PATHS), []
        ending = rng.choice(ENDINGS) if path.startswith("/data/") else ""
        for _ in range(rng.randrange(5)):
            key = rng.choice(KEYS)
            own = COLUMNS if key in ("_sort", "_sort_desc", "_facet", "_facet_array", "_col", "_nocol") else WORDS
            pairs.append((key, rng.choice(own if rng.random() < 0.8 else WORDS)))
        query = urlencode(pairs)
        yield Attack(f"number {number} of the fuzzer", f"{path}{ending}?{query}" if query else path + ending, True)
