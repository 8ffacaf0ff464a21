"""Whether a file is a workbook, and of which office program: by its first bytes, without what reads it."""

import re
from collections.abc import Iterator

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how an XLS begins, and other files of old office programs
SPREADSHEET = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"  # how an ODS begins, behind its zip header


def is_workbook(head: bytes) -> bool:
    """Return whether a file is a workbook of any office program, by its first bytes."""
    return head.startswith(COMPOUND) or any(
        known(head) for known in (is_open_document, is_flat_open_document, is_xlsx, is_gnumeric)
    )


def is_open_document(head: bytes) -> bool:
    """Return whether a file is an ODS, which says so in its first part."""
    return head.startswith(b"PK\x03\x04") and SPREADSHEET in head[:200]


def is_flat_open_document(head: bytes) -> bool:
    """Return whether a file is a .fods, which is a single XML document."""
    return b"office:document " in head[:4096] and b"opendocument.spreadsheet" in head[:8192]


def is_gnumeric(head: bytes) -> bool:
    """Return whether a file is Gnumeric's; one that is packed is unpacked before an importer sees it."""
    return b"<gnm:Workbook" in head[:1024]


def is_xlsx(head: bytes) -> bool:
    """Return whether a file is an XLSX, by the names of the parts that it begins with: the list of them is at its end,
    and a zip that merely holds a workbook begins with another name."""
    names = [name for name in part_names(head) if name] if head.startswith(b"PK\x03\x04") else []
    usual = ("[Content_Types].xml", "_rels/", "docProps/", "xl/")
    if not names or not names[0].startswith(usual):
        return False
    others = ("word/", "ppt/", "visio/")
    return any(name.startswith("xl/") for name in names) or not any(name.startswith(others) for name in names)


def part_names(head: bytes) -> Iterator[str]:
    """Return the names of the files that a ZIP begins with, by its first bytes."""
    for match in re.finditer(rb"PK\x03\x04.{22}(..)..", head, re.DOTALL):
        length = int.from_bytes(match[1], "little")
        yield head[match.end() : match.end() + min(length, 200)].decode("utf-8", "replace")
