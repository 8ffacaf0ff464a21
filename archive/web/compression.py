"""Compressed answers, and the encoding that a request gets."""

from brotli_asgi import BrotliMiddleware
from starlette.middleware.gzip import GZipMiddleware
from werkzeug.http import parse_accept_header

from archive.serve.proxy import App, Receive, Scope, Send, path_within

LEVEL = 6  # of gzip: the highest takes longer and saves a hundredth
QUALITY = 6  # of Brotli: an eighth less than gzip in half a millisecond more
HIGHEST = 11  # a tenth less again in twenty milliseconds, for files that are sent for good
ENCODINGS = ("br", "gzip")  # the smallest first
ACCEPTS = b"accept-encoding"
FILES = "/static/"


def negotiate_encoding(app: App) -> App:
    """Return an application that sees one encoding in a request: the first of `ENCODINGS` that the browser takes, else
    `identity`."""

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        accepted = b",".join(value for name, value in scope["headers"] if name.lower() == ACCEPTS).decode("latin-1")
        taken = parse_accept_header(accepted)
        fitting = (name for name in ENCODINGS if taken[name] > 0 and scope["method"] != "HEAD")
        headers = [(name, value) for name, value in scope["headers"] if name.lower() != ACCEPTS]
        chosen = (ACCEPTS, next(fitting, "identity").encode())
        await app({**scope, "headers": [*headers, chosen]}, receive, send)

    return choose


def compress_answers(app: App) -> App:
    """Return an application whose answers are sent in the encoding of the request, part by part if they come in parts.
    An answer without a body (HEAD, 304) is left as it is."""
    gzip = GZipMiddleware(app, compresslevel=LEVEL)
    page, file = (BrotliMiddleware(app, quality, gzip_fallback=False) for quality in (QUALITY, HIGHEST))

    async def compress(scope: Scope, receive: Receive, send: Send) -> None:
        if (ACCEPTS, b"br") not in scope.get("headers", ()):
            await gzip(scope, receive, send)
        else:
            await (file if path_within(scope).startswith(FILES) else page)(scope, receive, send)

    return compress
