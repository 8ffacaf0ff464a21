"""Who may write through the server, and how a page asks for it.

A page that writes has a decorator; any other request that does not read is refused before it (405):

    from archive.web.doors.guard import demands, visitor, writing_archive

    @app.route("/evenings/new", methods=["GET", "POST"])
    @demands("writer")                      # or reader, referee, keeper: each may do what the ones before it may
    def new_evening() -> str:
        who = visitor()                     # a Visitor with name and role; None for whoever only reads
        with writing_archive() as db:       # the one connection that writes, for one thread at a time
            correct(db, deal, Correction(who.name, utc_now(), why, entries))

Whoever is not let in gets a sentence: 403 if nothing can be written here, 401 or the page to sign in for a stranger,
403 for a role that is not enough, and for a form without its secret. Under `/api/` these are problem details.

Every form that is sent needs the secret of its visit, else it is refused as one from another site:

    <form method="post">{{ csrf_field() }} ...

A script sends it as the header `X-CSRF-Token`, and a page gives it to the script as `data-csrf="{{ csrf_token() }}"`.
It stays the same for as long as the visit lasts (also over a restart if there are accounts), so that a page may be kept
and its queue sent later. A program that sends `Authorization: Bearer TOKEN` needs none.

In templates: `csrf_field()`, `csrf_token()`, `may("writer")`, `visitor()`; `may` is for what a page shows, `demands`
for what it does. `archive.store.transaction` has `changing` and `writing` for several acts of one transaction. An
ArchiveError of an act is a sentence to show; one that a page lets through is answered with 503.

A test gets a server that writes by `build_app(path, doors=open_doors(path))`, and is let in by
`doors.new_link_token()` at `/enter?token=...`; `tests/support/doors.py` does that.
"""
