"""`/deals/<id>/dossier`: the dispute file of a deal."""

from flask import Flask, render_template

from archive.web.analysis.solvers import proofs_of
from archive.web.dossier.page import dossier
from archive.web.request import NUMBER, abort_without_deal, connection, request_texts


def setup(app: Flask) -> None:
    @app.get(f"/deals/{NUMBER}/dossier", endpoint="dossier")
    def dispute_file(number: int) -> str:
        file = dossier(connection(), number, request_texts(), proofs_of) or abort_without_deal(number, None)
        return render_template("dossier/dossier.html", file=file, style="")
