"""A report as one page of HTML to print or to send, complete in itself."""

from typing import Any

from archive.resources import resource_dir


def printed_page(template: str, language: str, **facts: Any) -> bytes:
    """Return a template of `templates/` filled with its facts, including the style of a dossier."""
    from jinja2 import Environment, FileSystemLoader  # here, since a report for the terminal needs no page

    templates = Environment(loader=FileSystemLoader(resource_dir()), autoescape=True)
    style = (resource_dir() / "static" / "dossier.css").read_text("utf-8")
    return templates.get_template(template).render(style=style, lang=language, **facts).encode()
