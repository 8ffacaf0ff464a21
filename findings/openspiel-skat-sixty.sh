#!/usr/bin/env bash
# OpenSpiel 2.0.2, game "skat": a declarer who takes 60 of the 120 card points, and has lost by the rules of Skat, is given
# 0, as the other two are. A return is (points - 60) / 120 of the declarer, half of it with the other sign for each of the
# two: neither the suit, nor grand, nor the jacks held in a row, nor Schneider and Schwarz count. So the sign of a return
# does not say who won, 61 points are worth a thirtieth of 90, and the 1.0 that max_utility() names is never reached: all
# 120 points are 0.5. A guess would be won or lost, or the value of the game. Null alone is won or lost, a quarter each way.
# Who trains or counts by these returns has to read the points out of the text of the last state. (Seen with Python 3.11.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/skat.py" <<'PY'
import random
import re
from importlib.metadata import version

import pyspiel

game = pyspiel.load_game("skat")
chance = random.Random(5)
returns = {}
for _ in range(4000):
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    text = str(state)
    declarer = re.search(r"Solo Player: (\d)", text)
    if declarer and "Game Type: null" not in text:
        points = int(re.search(r"Points \(Solo / Team\): \((\d+)", text)[1])
        contract = re.search(r"Game Type: (\w+)", text)[1]
        returns.setdefault(points, {})[contract] = round(state.returns()[int(declarer[1])], 4)
print("open_spiel", version("open_spiel"), "skat, max_utility", game.max_utility())
for points in (30, 60, 61, 90):
    print(points, "points of the declarer:", returns.get(points))
as_points = all(value == round((points - 60) / 120, 4) for points, by in returns.items() for value in by.values())
raise SystemExit(0 if as_points and set(returns[60].values()) == {0.0} and game.max_utility() == 1.0 else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check open_spiel==2.0.2
"$folder/venv/bin/python" "$folder/skat.py"
