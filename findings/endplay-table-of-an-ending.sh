#!/usr/bin/env bash
# endplay 0.5.12 (double dummy of bridge): `calc_dd_table` of an ending counts the tricks that are already played as the
# declarer's. With five cards in each hand it says 12 tricks of 5, without an error; the table is right for whole deals
# alone, since it takes what the defenders win from 13. `solve_board` of the same ending says how many of the five. A
# guess would be that a table of an ending counts what is left, or is refused. Who looks for the card that lost a game
# has to ask `solve_board` for each seat. (Seen with Python 3.11.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ending.py" <<'PY'
from importlib.metadata import version

from endplay.dds import calc_dd_table, solve_board
from endplay.types import Deal, Denom, Player

ENDING = "N:AK.Q.J.T QJ.A.K.9 T9.K.A.8 87.J.Q.7"
SIZE = 5
deal = Deal(ENDING)
table = calc_dd_table(deal)
print("endplay", version("endplay"))
by_table, by_board = {}, {}
for seat in (Player.north, Player.east):
    by_table[seat.name] = table[Denom.nt, seat]
    deal.first, deal.trump = seat.lho, Denom.nt
    by_board[seat.name] = SIZE - max(tricks for _, tricks in solve_board(deal))
print(f"tricks of {SIZE} in no trumps by the declarer, as the table has it: {by_table}")
print(f"as solve_board has it, the next player leading: {by_board}")
raise SystemExit(0 if all(by_table[seat] == by_board[seat] + 13 - SIZE for seat in by_board) else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check endplay==0.5.12
"$folder/venv/bin/python" "$folder/ending.py"
