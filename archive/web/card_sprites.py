"""The card faces, drawn by us: one SVG sprite a pack and look, a symbol for each card and each suit.

Written to `templates/static/` by `python -m archive.web.card_sprites`; a test proves the files are what this draws.
Strokes stand in for letters, so a face looks the same on every machine and needs no font. The inks are variables of the
page, `--e --g --h --s` by suit, so that four colours need no other file.
"""

from collections.abc import Iterator

from archive.cards import CODES
from archive.resources import resource_dir

WIDTH, HEIGHT = 60, 94
LETTERED = "letters"  # the look in which letters stand in for pictures

HEART = (
    '<path fill="var(--h,#c4212b)" d="M16 29.5C7 21.5 3 16.5 3 10.5 3 3 13 1.5 16 9c3-7.5 13-6 13 1.5 0 6-4 11-13 '
    '19z"/>'
)

# The sign of each suit in a box of 32, and the ink of its cards.
SIGNS = {
    "german": {
        "E": '<path fill="#a4661f" d="M8 16h16c0 7-5 12-8 14.5-3-2.5-8-7.5-8-14.5z"/>'
        '<path fill="#3b7a3a" d="M5.5 16.5C5 10 10 6 16 6s11 4 10.5 10.5c-5 2-16 2-21 0z"/>'
        '<path stroke="#3b7a3a" stroke-width="3" stroke-linecap="round" d="M16 7 17 2.5"/>',
        "G": '<path fill="#1e7f33" d="M16 1.5c6 6 12 9.5 12 16 0 5.5-6.5 7-10.5 3.5l1 9.5h-5l1-9.5C10.5 24.5 4 23 '
        '4 17.5 4 11 10 7.5 16 1.5z"/><path stroke="#a8d49a" stroke-width="1.3" fill="none" stroke-linecap="round"'
        ' d="M16 8v13m0-3 5-4m-5 4-5-4"/>',
        "H": HEART,
        "S": '<circle cx="16" cy="17" r="12.5" fill="#efb412"/><path fill="#c4212b" d="M3.8 14.5h24.4v5H3.8z"/>'
        '<path fill="none" stroke="#5b3a00" stroke-width="1.8" stroke-linecap="round" d="M16 4.5V2m0 22v5M3.8 14.5h24.4'
        'm0 5H3.8"/><circle cx="16" cy="17" r="12.5" fill="none" stroke="#5b3a00" stroke-width="1.5"/>'
        '<circle cx="16" cy="23.5" r="2.2" fill="#5b3a00"/>',
    },
    "french": {
        "E": '<path fill="var(--e,#1b1b1b)" d="M16 2a6.7 6.7 0 0 1 5.6 10.4A6.7 6.7 0 1 1 18 22c.3 3.5 1.5 6 3.5 8'
        'h-11c2-2 3.2-4.5 3.5-8a6.7 6.7 0 1 1-3.6-9.6A6.7 6.7 0 0 1 16 2z"/>',
        "G": '<path fill="var(--g,#1b1b1b)" d="M16 1.5c6 6 12 9.5 12 16 0 5.5-6.5 7-10.5 3.5.5 4.5 1.5 7 4 9h-11'
        'c2.5-2 3.5-4.5 4-9C10.5 24.5 4 23 4 17.5 4 11 10 7.5 16 1.5z"/>',
        "H": HEART,
        "S": '<path fill="var(--s,#c4212b)" d="M16 1.5c3 5.5 6.5 10.5 10.5 14.5C22.5 20 19 25 16 30.5 13 25 '
        '9.5 20 5.5 16 9.5 12 13 7 16 1.5z"/>',
    },
}
INKS = {
    "german": {"E": "var(--e,#1b1b1b)", "G": "var(--g,#1b1b1b)", "H": "var(--h,#a3141d)", "S": "var(--s,#1b1b1b)"},
    "french": {"E": "var(--e,#1b1b1b)", "G": "var(--g,#1b1b1b)", "H": "var(--h,#a3141d)", "S": "var(--s,#a3141d)"},
}
COATS = {"E": "#8a5a2b", "G": "#1e7f33", "H": "#b3232c", "S": "#c98f0a"}

# The index letters, strokes in a box of 10 by 14.
LETTERS = {
    "A": "M1 13 5 1l4 12M2.5 9h5",
    "Z": "M.5 3.5 2.5 1.5V13M7.5 1c3.3 0 3.3 12 0 12s-3.3-12 0-12z",
    "K": "M2 1v12M8.5 1 2 8.5M4.5 6 9 13",
    "O": "M5 1c5.3 0 5.3 12 0 12S-.3 1 5 1z",
    "U": "M1.5 1v7.5c0 6 7 6 7 0V1",
    "D": "M2 1v12h1.5c7 0 7-12 0-12z",
    "B": "M2 7h3.5c4.5 0 4.5 6 0 6H2V1h3c4 0 4 6 0 6",
    "9": "M8.5 4.7a3.5 3.7 0 1 1-7 0a3.5 3.7 0 1 1 7 0c0 4-1.5 6.5-4.5 8.3",
    "8": "M5 6.7a2.8 2.8 0 1 1 .01 0zM5 13a3.4 3.1 0 1 1 .01 0z",
    "7": "M1.5 1h7L4 13",
    "6": "M1.5 9.3a3.5 3.7 0 1 1 7 0a3.5 3.7 0 1 1-7 0C1.5 5.5 3 3 6 1",
    "E": "M8.5 1H2v12h6.5M2 7h5.5",
    "G": "M8.6 3.6C7.6-.4 1.2-.2 1.2 7s6.4 7.8 7.4 3.2V7.6H5.4",
    "H": "M1.5 1v12M8.5 1v12M1.5 7h7",
    "S": "M8.4 3.4C7.6.2 1.6.2 1.6 4c0 3.8 7 2.2 7 6 0 3.8-6.4 3.9-7.3.4",
}
FRENCH_RANKS = {"O": "D", "U": "B"}

# Where the pips of a plain card stand: those that a half turn of the card shows again, and those that stand once.
_TOP, _WAIST, _HIGH = ((22, 24), (38, 24)), ((22, 47), (38, 47)), ((30, 35.5),)
_FOUR = ((22, 20.5), (38, 20.5), (22, 38), (38, 38))
PIPS = {
    "A": (((30, 29),), ()),
    "Z": ((*_FOUR, (30, 29.2)), ()),
    "9": (_FOUR, ((30, 47),)),
    "8": (_TOP + _HIGH, _WAIST),
    "7": (_TOP, _WAIST + _HIGH),
    "6": (_TOP, _WAIST),
}

# A half figure around its head at (0, 0), in the coat's colour where no fill is named.
BODY = (
    '<path d="M-16 42C-16 22-12 12-4 10H4c8 2 12 12 12 32z"/>'
    '<path fill="#fff" fill-opacity=".28" d="M-1.5 13h3v29h-3z"/>'
    '<path fill="#fff6e0" d="m-6 9.5 6 7 6-7-6-3z"/>'
    '<circle fill="#f3cfa6" r="8.5"/>'
    '<path fill="none" stroke="#5a3a1c" stroke-width="1.1" stroke-linecap="round" '
    'd="M-3.2-1v.6M3.2-1v.6M-2 4q2 1.3 4 0"/>'
)
HEADGEAR = {
    "K": '<path fill="#efb412" stroke="#6b4a00" stroke-width=".8" stroke-linejoin="round" '
    'd="M-9-4.5V-15l4.7 4.5L0-17l4.3 6.5L9-15v10.5c-5-1.5-13-1.5-18 0z"/>'
    '<path fill="#6b4a1e" d="M-8.5.5C-8 13 8 13 8.5.5 6 5 5 4 0 4S-6 5-8.5.5z"/>',
    "O": '<path d="M-13-3.5c2-2 4-2.5 5-3 0-11 16-11 16 0 1 .5 3 1 5 3-7-1.5-19-1.5-26 0z"/>'
    '<path fill="none" stroke="#fff6e0" stroke-width="1.6" d="M-8-7q8-2 16 0"/>'
    '<path fill="none" stroke="#c4212b" stroke-width="2.4" stroke-linecap="round" d="M7-9c1-4 4-6 8-6"/>',
    "U": '<path d="M-9-2c-1-9 3-12 9-12s10 3 9 12c-3-3-4-4-9-4s-6 1-9 4z"/><circle cy="-14" r="2"/>',
}


def _sign(suit: str, x: float, y: float, size: float) -> str:
    """A sign centred on a point."""
    return f'<use href="#{suit}" x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"/>'


def _court(suit: str, rank: str) -> str:
    """A court card's picture. The Ober has its sign at the top, the Unter at the bottom, as on real packs."""
    head, x, y, size = {"K": (28, 30, 66, 22), "O": (46, 33, 17, 22), "U": (22, 27, 77, 22)}[rank]
    figure = f'<g transform="translate(30 {head})" fill="{COATS[suit]}"><use href="#body"/>{HEADGEAR[rank]}</g>'
    shield = f'<circle cx="{x}" cy="{y}" r="13.5" fill="var(--face,#fffdf6)"/>' if rank == "K" else ""
    return figure + shield + _sign(suit, x, y, size)


def _letter(letter: str, ink: str, x: float, y: float, scale: float = 1) -> str:
    """A letter, its upper left corner at a point."""
    larger = f" scale({scale:g})" if scale != 1 else ""
    return (
        f'<path transform="translate({x:g} {y:g}){larger}" fill="none" stroke="{ink}" stroke-width="2.2"'
        f' stroke-linecap="round" stroke-linejoin="round" d="{LETTERS[letter]}"/>'
    )


def _rank(rank: str, pack: str) -> str:
    return FRENCH_RANKS.get(rank, rank) if pack == "french" else rank


def _index(suit: str, rank: str, pack: str) -> str:
    """The corner: the letter over a small sign."""
    return _letter(_rank(rank, pack), INKS[pack][suit], 4, 5) + _sign(suit, 9, 26, 10)


def _symbol(code: str, inside: str) -> str:
    return f'<symbol id="{code}" viewBox="0 0 {WIDTH} {HEIGHT}"><use href="#face"/>{inside}</symbol>'


def _face(suit: str, rank: str, pack: str) -> str:
    """The symbol of a card; what stands in its half `h…` is shown again upside down."""
    code, size = suit + rank, 28 if rank == "A" else 14
    twice, once = PIPS.get(rank, ((), ()))
    half = _index(suit, rank, pack)
    half += "".join(_sign(suit, x, y, size) for x, y in twice)
    rest = _court(suit, rank) if rank in HEADGEAR else "".join(_sign(suit, x, y, size) for x, y in once)
    turned = f'<use href="#h{code}" transform="rotate(180 30 47)"/>'
    return _symbol(code, f'{rest}<g id="h{code}">{half}</g>{turned}')


def _large(suit: str, rank: str, pack: str) -> str:
    """The symbol of a card in letters: rank over suit, as large as half a card is wide, which is what a fan shows."""
    below = _letter(suit, INKS[pack][suit], 4, 52, 2.5) if pack == "german" else _sign(suit, 16.5, 69, 25)
    picture = f'<use href="#p{suit}" x="34" y="36" width="22" height="22"/>'
    return _symbol(suit + rank, _letter(_rank(rank, pack), INKS[pack][suit], 4, 8, 2.5) + below + picture)


def _suit(suit: str, pack: str) -> str:
    """A suit in letters, in the box of a sign: the letter itself, or the sign where the pack has none of its own."""
    return _letter(suit, INKS[pack][suit], 5, 1, 2.14) if pack == "german" else SIGNS[pack][suit]


def _signs(pack: str, look: str) -> Iterator[str]:
    """The symbols of the suits."""
    for suit, sign in SIGNS[pack].items():
        yield f'<symbol id="{suit}" viewBox="0 0 32 32">{_suit(suit, pack) if look else sign}</symbol>'
        if look:  # the sign as the pack has it
            yield f'<symbol id="p{suit}" viewBox="0 0 32 32">{sign}</symbol>'


def draw_sprite(pack: str, look: str = "") -> str:
    """The sprite of a pack, `german` or `french`, with pictures or in `letters`: symbols `E` (a sign), `EO` (a card)
    and `face` (an empty card)."""
    drawn = _large if look else _face
    return "\n".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg">',
            *_signs(pack, look),
            *((f'<defs><g id="body">{BODY}</g></defs>',) if not look else ()),
            f'<symbol id="face" viewBox="0 0 {WIDTH} {HEIGHT}"><rect x=".5" y=".5" width="59" height="93" rx="5.5"'
            ' fill="var(--face,#fffdf6)" stroke="var(--edge,#b9b4a2)"/></symbol>',
            *(drawn(code[0], code[1], pack) for code in CODES),
            "</svg>\n",
        )
    )


def sprite_file(pack: str, look: str = "") -> str:
    """The sprite's file beside the other static ones; four colours are a matter of the page."""
    return f"cards-{pack}{f'-{LETTERED}' if look == LETTERED else ''}.svg"


def main() -> None:
    """Write the sprites beside the other static files."""
    for pack in SIGNS:
        for look in ("", LETTERED):
            (resource_dir() / "static" / sprite_file(pack, look)).write_text(draw_sprite(pack, look), "utf-8")


if __name__ == "__main__":
    main()
