"""Styles, scripts and sprites of the viewer as texts that stand within one file, and the policy that allows nothing
else."""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256

from archive.web.card_sprites import static_text

IMPORT = re.compile(r"^import (\{[^}]*\}) from '\./(\w+)\.js';$", re.MULTILINE)
EXPORT = re.compile(r"^export (const|function|async function) (\w+)", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
LINE_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
WORD = re.compile(r"[\w-]+")
BRACE = re.compile(r"[{}]")
CHOICE = re.compile(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)")
NAMED = re.compile(r"[.#]([A-Za-z_][\w-]*)")
SELECTOR = re.compile(r"(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+")  # one of several, separated by commas
SYMBOL = re.compile(r'<symbol id="(\w+)".*?</symbol>\s*', re.DOTALL)
BLANK = re.compile(r'("[^"]*")|([:;,{}])[ \n]+')  # after signs, but not within a text
INDENT = re.compile(r"\n\s+")


@cache
def _rules(*names: str) -> str:
    """Return style sheets, by name, as one, without comments and needless blanks."""
    text = COMMENT.sub("", "\n".join(static_text(f"{name}.css") for name in names))
    return BLANK.sub(lambda found: found[1] or found[2], INDENT.sub("\n", text)).strip()


def styles(names: Sequence[str], within: str) -> str:
    """Return the rules of some style sheets that a page and its scripts, `within`, use."""
    return _rules_in_use(_rules(*names), frozenset(WORD.findall(within)))


def _rules_in_use(rules: str, words: frozenset[str]) -> str:
    """Return the rules with a selector that names only classes and ids of the page."""
    kept, start = [], 0
    while (opened := rules.find("{", start)) >= 0:
        head, end = rules[start:opened].strip(), _end_of_block(rules, opened)
        block = rules[opened + 1 : end - 1]
        start = end
        if head.startswith(("@media", "@supports")):
            block = _rules_in_use(block, words)
        elif not head.startswith("@"):
            head = ",".join(
                each for each in SELECTOR.findall(head) if words.issuperset(NAMED.findall(CHOICE.sub("", each)))
            )
        if head and block.strip():
            kept.append(f"{head}{{{block}}}")
    return "\n".join(kept)


def _end_of_block(text: str, opened: int) -> int:
    depth = 0
    for found in BRACE.finditer(text, opened):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.end()
    return len(text)


@cache
def scripts(*names: str) -> str:
    """Return modules, by name, as one script, each after those that it imports. The exports of a module are the value
    of a function of its own, so that names of two modules do not meet."""
    return "\n".join(_module(name) for name in names)


def _module(name: str) -> str:
    text = INDENT.sub("\n", LINE_COMMENT.sub("", static_text(f"{name}.js")))
    exports = [found[1] for found in EXPORT.findall(text)]
    body = EXPORT.sub(r"\1 \2", IMPORT.sub(r"const \1 = module_\2;", text))
    return f"const module_{name.replace('-', '_')} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();"


@cache
def sprite(file: str) -> str:
    """Return the symbols of a pack, to stand within a page."""
    return static_text(file).strip().replace("<svg ", '<svg class="sprite" aria-hidden="true" ', 1)


def symbols_in(symbols: str, main: str) -> str:
    """Return the symbols of a pack that a page without a script draws."""
    return SYMBOL.sub(lambda found: found[0] if f'href="#{found[1]}"' in main else "", symbols)


def policy(styles_of: Iterable[str], scripts_of: Sequence[str]) -> str:
    """Return the Content-Security-Policy of a file that holds just these styles and scripts, and loads nothing."""
    return (
        f"default-src 'none'; style-src {' '.join(map(_hash, styles_of))}; "
        f"script-src {' '.join(map(_hash, scripts_of))}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
