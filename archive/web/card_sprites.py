"""The card faces, drawn by us: one SVG sprite a pack and look, a symbol for each card and each suit.

Drawn from `templates/sprites/` and written to `templates/static/` by `python -m archive.web.card_sprites`; a test
proves the files are what this draws.
"""

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from archive.cards import CODES
from archive.resources import resource_dir

PACKS = ("german", "french", "english")
LETTERED = "letters"  # the look in which letters stand in for pictures


def draw_sprite(pack: str, look: str = "") -> str:
    """Return the sprite of one of the `PACKS`, with pictures or in `letters`: symbols `E` (a sign), `EO` (a card) and
    `face`, an empty card."""
    templates = Environment(
        loader=FileSystemLoader(resource_dir()), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    return templates.get_template("sprites/cards.svg").render(pack=pack, lettered=look == LETTERED, codes=CODES)


def sprite_file(pack: str, look: str = "") -> str:
    """Return the file of a sprite among the static ones; four colours are a matter of the page."""
    return f"cards-{pack}{f'-{LETTERED}' if look == LETTERED else ''}.svg"


def main() -> None:
    """Write the sprites beside the other static files."""
    for pack in PACKS:
        for look in ("", LETTERED):
            (resource_dir() / "static" / sprite_file(pack, look)).write_text(draw_sprite(pack, look), "utf-8")


if __name__ == "__main__":
    main()
