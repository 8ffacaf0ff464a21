"""Web pages as phones save them: MHTML (Chrome on Android), and Safari's .webarchive; the page itself is taken out."""

import re

from importers import find

MHTML_HEAD = 4096  # bytes that are looked at
WEB_ARCHIVE = b"bplist00"
ONLY_TEXT = (  # a page made by a browser that shows a text or JSON, saved as a page; compiled for pages alone
    rb"(?i)\A\s*(?:<!doctype html[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head>(?:\s*<(?:meta|link)\b[^>]*>)*\s*"
    rb"(?:<title>[^<]*</title>\s*)?</head>\s*)?(?:<body[^>]*>\s*)?<pre[^>]*>([^<]*)</pre>"
    rb"(?:\s*<div class=\"json-formatter-container\"></div>)?\s*(?:</body>\s*)?(?:</html>\s*)?\Z"
)


def page_in(data: bytes) -> bytes | None:
    """Return the page that an MHTML file or a .webarchive holds, the text that is all of a page, and the page whose
    source one shows; None for any other file, and for one without."""
    if data.startswith(WEB_ARCHIVE) or b"<key>WebMainResource</key>" in data[:MHTML_HEAD]:
        return _page_of_web_archive(data)
    if data[:MHTML_HEAD].lstrip().startswith(b"<"):
        text = re.match(ONLY_TEXT, data)
        return _unescape(text[1]) if text else _page_of_source(data)
    head = data[:MHTML_HEAD].lower()
    is_mhtml = b"multipart/related" in head and b"mime-version:" in head
    return _page_of_mhtml(data) if is_mhtml else None


def _page_of_source(data: bytes) -> bytes | None:
    """Return the page whose source a browser showed, if that is what was saved: a table of lines in Chrome, a text in
    Firefox, both with their own signs in it; None for any other page."""
    rows = [row.partition(b"</td>")[0] for row in data.split(b'<td class="line-content">')[1:]]
    if not rows and b' id="viewsource"' in data[:MHTML_HEAD]:
        rows = [data.partition(b"<pre")[2].partition(b">")[2].rpartition(b"</pre>")[0]]
    return _unescape(re.sub(rb"<[^<>]*>", b"", b"\n".join(rows))) if rows else None


def _unescape(text: bytes) -> bytes:
    import html

    return html.unescape(text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _page_of_mhtml(data: bytes) -> bytes | None:
    """Return the known pages, one after another: the first of all may be that of an advertisement."""
    import email  # here, as below, since hardly any file is such a page
    import email.policy
    from email.message import EmailMessage

    pages = []
    for part in email.message_from_bytes(data, policy=email.policy.default).walk():
        if isinstance(part, EmailMessage) and part.get_content_type() in ("text/html", "application/xhtml+xml"):
            content = part.get_payload(decode=True)
            pages += [as_utf8(content, part.get_content_charset("utf-8"))] if isinstance(content, bytes) else []
    return b"\n".join([page for page in pages if find("", page)] or pages[:1]) or None


def _page_of_web_archive(data: bytes) -> bytes | None:
    import plistlib
    from xml.parsers.expat import ExpatError

    try:
        main = plistlib.loads(data)["WebMainResource"]
        content, charset = main["WebResourceData"], main.get("WebResourceTextEncodingName", "utf-8")
    except (ExpatError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return as_utf8(content, charset) if isinstance(content, bytes) and isinstance(charset, str) else None


def as_utf8(content: bytes, charset: str) -> bytes:
    """Return the bytes of a page as UTF-8; unchanged if their encoding is not known."""
    try:
        return content.decode(charset).encode()
    except (LookupError, UnicodeDecodeError):
        return content
