"""Hook of MkDocs: the site has the pages of docs/, README.md, CHANGELOG.md and the measured results, each where it lies
in the project, so that a link is the same in a checkout and on the site; and every other file that a page links to."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CHANGELOG.md", "docs/**/*.md", "benchmarks/results/*.md")
LINK = re.compile(r"\]\(([^)#\s]+)|(?:src|href)=\"([^\"#]+)\"")


def pages() -> list[str]:
    """The pages, as paths below the project."""
    return sorted({path.relative_to(ROOT).as_posix() for pattern in PAGES for path in ROOT.glob(pattern)})


def links(page: str) -> Iterator[tuple[str, Path]]:
    """Each link of a page into the project, as written and as a path below the project."""
    for match in LINK.finditer((ROOT / page).read_text("utf-8")):
        target = match[1] or match[2]
        path = (ROOT / page).parent.joinpath(target).resolve()
        if not re.match(r"[a-z]+:", target) and path.is_relative_to(ROOT) and path.exists():
            yield target, path.relative_to(ROOT)


def linked_files(page: str) -> Iterator[Path]:
    """The files that are no pages and that a page links to; of a folder those that lie in it."""
    for _, path in links(page):
        inside = (ROOT / path).iterdir() if (ROOT / path).is_dir() else [ROOT / path]
        yield from (each.relative_to(ROOT) for each in inside if each.is_file() and each.suffix != ".md")


def linked_folders(page: str) -> Iterator[Path]:
    return (path for _, path in links(page) if (ROOT / path).is_dir())


def list_of(folder: Path) -> str:
    """A page that lists a folder."""
    names = sorted(each.name for each in (ROOT / folder).iterdir() if each.is_file())
    return f"# {folder.name}\n\n" + "".join(f"- [{name}]({name})\n" for name in names)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = [expanded(entry, named_in(config.nav)) for entry in config.nav or []]
    return config


def named_in(nav: Any) -> set[str]:
    """The pages that a navigation names."""
    if isinstance(nav, str):
        return {nav}
    return set().union(*map(named_in, nav.values() if isinstance(nav, dict) else nav or []))


def expanded(nav: Any, named: set[str]) -> Any:
    """A navigation with the pages in the place of each pattern."""
    if isinstance(nav, dict):
        return {title: expanded(below, named) for title, below in nav.items()}
    if isinstance(nav, list):
        return [expanded(below, named) for below in nav]
    found = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(nav)) if "*" in nav else []
    return [page for page in found if page not in named] or nav


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site; those that the theme brings stay."""
    theme = [file for file in files if file.src_dir != config.docs_dir]  # it may lie in an environment of the project's
    paths = dict.fromkeys([*pages(), *(path.as_posix() for page in pages() for path in linked_files(page))])
    folders = {path for page in pages() for path in linked_folders(page)}
    own = [File.generated(config, path, abs_src_path=str(ROOT / path)) for path in paths]
    lists = [
        File.generated(
            config, f"{path.as_posix()}/index.md", content=list_of(path), inclusion=InclusionLevel.NOT_IN_NAV
        )
        for path in sorted(folders)
    ]
    return Files([*theme, *own, *lists])


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The text of a page with links to the list of a folder where it links to the folder."""
    source = page.file.src_uri
    for target, path in set(links(source)) if (ROOT / source).is_file() else ():
        if (ROOT / path).is_dir():
            markdown = markdown.replace(f"]({target})", f"]({target.rstrip('/')}/index.md)")
    return markdown
