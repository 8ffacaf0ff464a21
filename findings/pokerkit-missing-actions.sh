#!/usr/bin/env bash
# PokerKit 0.7.7 replays a hand history (PHH) from which actions are missing: where the next one is not that player's turn,
# it lets those before him check or fold, deals hidden cards, and goes on, with neither an error nor a warning. A guess
# would be that an action out of turn is an error, as it is for one that no check or fold makes possible. Who keeps hands as
# evidence has to look, action by action, for what nobody wrote (`state_actions` gives None beside it).
# (Seen with Python 3.11: of nine actions that others follow, six can be left out, each by itself: the stacks stay the same.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/lost.py" <<'PY'
import warnings
from importlib.metadata import version

from pokerkit import HandHistory

HEAD = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [2, 4, 0]
min_bet = 4
starting_stacks = [100, 100, 100]
"""
ACTIONS = ["d dh p1 7h8h", "d dh p2 AsAd", "d dh p3 KcKd", "p3 f", "p1 cc", "p2 cc", "d db 2c7dTs", "p1 cc", "p2 cbr 10", "p1 f"]


def played(actions):
    """The stacks at the end."""
    *_, last = HandHistory.loads(f"{HEAD}actions = {actions}\n")
    return list(last.stacks)


print("pokerkit", version("pokerkit"))
warnings.simplefilter("error")
whole = played(ACTIONS)
print("whole:", whole)
silent = []
for place, action in enumerate(ACTIONS[:-1]):
    try:
        result = played(ACTIONS[:place] + ACTIONS[place + 1 :])
    except ValueError as error:
        result = str(error)
    print(f"without {action!r}:", result)
    if result == whole:
        silent.append(action)
print("left out without a word:", silent)
raise SystemExit(0 if silent == ["d dh p1 7h8h", "d dh p2 AsAd", "d dh p3 KcKd", "p3 f", "p2 cc", "p1 cc"] else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check pokerkit==0.7.7
"$folder/venv/bin/python" "$folder/lost.py"
