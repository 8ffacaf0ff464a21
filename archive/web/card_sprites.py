"""The card faces, drawn by us from `templates/sprites/`: one SVG sprite a pack and look, a symbol for each card and
each suit. They have addresses as the static files have, and are drawn when somebody first asks for them."""

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from archive.cards import CODES
from archive.resources import resource_dir

PACKS = ("german", "french", "english")
LETTERED = "letters"  # the look in which letters stand in for pictures


@cache
def _drawing() -> Template:
    templates = Environment(
        loader=FileSystemLoader(resource_dir()), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    return templates.get_template("sprites/cards.svg")


@cache
def draw_sprite(pack: str, look: str = "") -> str:
    """Return the sprite of one of the `PACKS`, with pictures or in `letters`: symbols `E` (a sign), `EO` (a card) and
    `face`, an empty card."""
    return _drawing().render(pack=pack, lettered=look == LETTERED, codes=CODES)


def sprite_file(pack: str, look: str) -> str:
    """Return the name of a sprite among the static files; four colours are a matter of the page."""
    return f"cards-{pack}{f'-{LETTERED}' if look == LETTERED else ''}.svg"


SPRITES = {sprite_file(pack, look): (pack, look) for pack in PACKS for look in ("", LETTERED)}


def static_text(name: str) -> str:
    """Return a static file as text, or the sprite of that name."""
    if name in SPRITES:
        return draw_sprite(*SPRITES[name])
    return (resource_dir() / "static" / name).read_text("utf-8")
