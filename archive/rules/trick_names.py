"""The names of tricks by their card points. 002 05 English Schafkopf Glossary."""

FAT, CHAMPION = 20, 40  # so many, or more


def trick_name(points: int | None) -> str:
    """`champion`, `fat`, or nothing."""
    if points is None or points < FAT:
        return ""
    return "champion" if points >= CHAMPION else "fat"
