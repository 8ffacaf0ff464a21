"""An archive of a club that writes results and no card: two evenings tapped on a phone, the later of them open, and a
sheet between them, imported last, whose first deal is in dispute.

Deals 1 to 4 are those of the evening of 27 November, 5 and 6 those of 13 November, 7 and 8 those of the sheet.
"""

from pathlib import Path

from support.doors import enter, secret_of, writing_app
from support.running import run

PLAYERS = {f"player{seat}": name for seat, name in enumerate(("Kathi", "Sepp", "Vroni", "Xaver"))}
DEALS = (
    {"who": "0", "game": "rufspiel E", "with": "2", "outcome": "won-schneider", "runners": "3", "knocks": "1"},
    {"who": "1", "game": "solo H", "outcome": "lost", "runners": "0", "doubles": "1"},
    {"game": "misdeal"},
    {"who": "3", "game": "wenz", "outcome": "won", "runners": "2"},
)
EVENINGS = (("Stammtisch November", "2026-11-27", DEALS), ("Stammtisch Allerheiligen", "2026-11-13", DEALS[:2]))
SHEET = """format = "schafkopf-record/1"
event = "Preisschafkopf"
date = 2026-11-20
rules = "pub"
unit = "ct"
players = ["Kathi", "Sepp", "Vroni", "Xaver"]
house.tariff = "10/20/50"
house.knock = "anyone"

[[deal]]
no = 1
knocks = ["Sepp"]
game = "Kathi rufspiel E"
with = "Vroni"
stated.won = true
stated.schneider = false
stated.schwarz = false
stated.runners = 0
stated.payments = [20, -20, 20, -20]

[[deal]]
no = 2
game = "Xaver solo G"
stated.won = true
stated.schneider = false
stated.schwarz = false
stated.runners = 0
stated.payments = [-50, -50, -50, 150]
"""


def make_club(path: Path) -> Path:
    """Make the archive at a path."""
    with writing_app(path) as (app, doors):
        client = enter(app.test_client(), doors)
        secret = secret_of(client.get("/evenings/new").text)
        for event, day, deals in EVENINGS:
            begun = client.post("/evenings/new", data=PLAYERS | {"csrf": secret, "event": event, "date": day})
            for number, taps in enumerate(deals):
                data = taps | {"csrf": secret, "key": f"{day}-{number}"}
                answer = client.post(begun.location, data=data, headers={"Accept": "application/json"})
                assert answer.json["outcome"] == "stored", answer.text
        client.post("/evenings/2/acts", data={"csrf": secret, "act": "close", "sure": "1"})
    sheet = path.with_name("sheet.toml")
    sheet.write_text(SHEET, "utf-8")
    imported = run("import", sheet, "--db", path)
    assert imported.exit_code in (0, 1), imported.output
    return path
