"""Hands for the Muss-Spiel: aces and tens, three aces, void in all suits but one."""

VOID_ALONE = "EO HU HA H7 GA G7 GZ SA"

THREE_ACES = "EO EA GA SA H7 H8 EZ SK"

ACES_AND_TENS = "EO EA EZ GA GZ SA SZ H7"
