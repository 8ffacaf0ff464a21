"""Mails saved as files (.eml): what is attached to one, and the games in its text."""

import re

from archive.cli.saved_pages import as_utf8

HEAD = 16_384  # bytes in which the lines above a mail stand
FIRST = re.compile(rb"[A-Za-z][\w-]{1,60}:")
LINES = (rb"(?im)^mime-version:", rb"(?im)^(?:from|subject|message-id):")
PAGE = rb"(?im)^content-type:\s*multipart/related|^from: <saved by "  # a saved page, no mail
BODIES = {"text/plain": "text.txt", "text/html": "text.html"}


def is_mail(data: bytes) -> bool:
    """Return whether a file is a mail, by the lines above its first blank one."""
    if not FIRST.match(data):
        return False
    lines = re.split(rb"\r?\n\r?\n", data[:HEAD], maxsplit=1)[0]
    return all(re.search(each, lines) for each in LINES) and not re.search(PAGE, lines)


def parts_of_mail(data: bytes) -> list[tuple[str, bytes]]:
    """Return the files attached to a mail, by their names, and its own text if an importer knows it; of a text that is
    there as a page too, that page only if the text alone is known to none."""
    import email  # here, as below, since hardly any file is a mail
    import email.policy
    from email.message import EmailMessage

    from importers import find
    from importers.text import without_margin

    files: list[tuple[str, bytes]] = []
    bodies: dict[str, list[bytes]] = {kind: [] for kind in BODIES}
    for part in email.message_from_bytes(data, policy=email.policy.default).walk():
        kind = part.get_content_type()
        content = None if part.is_multipart() else part.get_payload(decode=True)
        if not isinstance(part, EmailMessage) or not isinstance(content, bytes):
            continue
        name = part.get_filename()
        if name:
            files.append((name.replace("\\", "/").rpartition("/")[2], content))
        elif kind in BODIES:
            bodies[kind].append(as_utf8(content, part.get_content_charset("utf-8")))
    known = {
        kind: [body for body in texts if find("", body) or find("", without_margin(body) or b"")]
        for kind, texts in bodies.items()
    }
    chosen = next((kind for kind, texts in known.items() if texts), "")
    return [*((BODIES[chosen], body) for body in known.get(chosen, ())), *files]
