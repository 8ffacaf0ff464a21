"""One deal in which something irregular happens, as a record."""

HANDS = """hands = [
    "Anna: HA SK G8 S9 GU G7 E7 SA",
    "Ben: HK G9 HO SU EO GZ S7 HU",
    "Cem: H7 S8 HZ EZ E8 E9 GO H8",
    "Dora: GA EA H9 GK SZ EK EU SO",
]"""

TRICKS = (
    "Anna: G7 G9 H7 GA", "Cem: HZ EU GU HK", "Dora: H9 HA SU GO", "Cem: EZ EA E7 GZ",
    "Dora: SO G8 HU H8", "Dora: EK SK HO E9", "Ben: EO S8 SZ S9", "Ben: S7 E8 GK SA",
)  # fmt: skip

# A revoke that changes no trick: Cem keeps the H8 back in trick 5.
REVOKED = (*TRICKS[:4], "Dora: SO G8 HU S8", TRICKS[5], "Ben: EO H8 SZ S9", TRICKS[7])


def deal(*events: str, tricks: tuple[str, ...] = TRICKS, more: str = "", hands: str = HANDS) -> str:
    game = "" if "game =" in more else 'game = "Ben rufspiel G"\n'
    said = "" if "misdeal" in more else f"tricks = {list(tricks)}\n"
    return f'[[deal]]\ndealer = "Dora"\n{hands}\n{game}{said}events = {list(events)}\n{more}\n'
