"""Datasette's pages in the viewer's frame: menu, language, theme, the first page, the editor, other addresses."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from markupsafe import escape
from support.asgi import request

from archive.cli.inputs import read_pasted
from archive.stats import QUESTIONS
from archive.stats.texts import all_texts
from archive.store.schema_page import all_descriptions
from archive.web import serve
from archive.web.datasette.framing import FIRST_QUERY, cookies, table_metadata, translations
from archive.web.texts import LANGUAGES, TEXTS


@pytest.fixture(scope="module")
def app(path: Path) -> Any:
    return serve.build_app(path, read=read_pasted)


def get(app: Any, path: str, **headers: str) -> httpx.Response:
    return request(app, path, headers=headers)


def links(html: str) -> list[tuple[str, str]]:
    """The address and the word of each page of the menu."""
    nav = html[html.index("<nav aria-label") : html.index("</nav>")]
    return [(to.partition("?")[0], word) for to, word in re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)</a>', nav)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_is_that_of_the_viewer(app: Any, language: str) -> None:
    pages = [get(app, f"/players?lang={language}").text, get(app, f"/data/deals?_lang={language}").text]
    menus = [links(page) for page in pages]
    assert menus[0] == menus[1]
    assert menus[0][-1] == ("/data", TEXTS[language]["data"])
    assert f'href="/data?_lang={language}"' in pages[0]
    assert f'href="/players?lang={language}"' in pages[1]


def test_the_language_is_that_of_the_address_then_of_the_cookie_then_of_the_browser(app: Any) -> None:
    def language(path: str, **headers: str) -> str:
        found = re.search('<html lang="(..)"', get(app, path, **headers).text)
        return found[1]

    assert language("/data") == "en"
    assert language("/data", **{"accept-language": "de, en;q=0.5"}) == "de"
    assert language("/data", cookie="lang=de") == "de"
    assert language("/data?_lang=en", cookie="lang=de") == "en"
    assert language("/data/nowhere", cookie="lang=de") == "de"
    assert language("/data", cookie="lang=xx") == "en"


def test_a_choice_is_kept_in_a_cookie_and_nothing_else_is(app: Any) -> None:
    assert get(app, "/data/deals").headers.get_list("set-cookie") == []
    given = get(app, "/data/deals?_lang=de&_theme=dark").headers.get_list("set-cookie")
    assert [each.partition(";")[0] for each in given] == ["lang=de", "theme=dark"]
    assert all("SameSite=Lax" in each and "HttpOnly" in each for each in given)
    assert list(cookies(b"_lang=xx&_theme=%0d%0aa", "/")) == []
    assert b"Max-Age=0" in dict(cookies(b"_theme=auto", "/"))[b"set-cookie"]
    assert 'data-theme="dark"' in get(app, "/data", cookie="theme=dark").text
    assert "Cookie" in get(app, "/data").headers["vary"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_leads_from_questions_to_tables_to_sql(app: Any, language: str) -> None:
    page, t = get(app, f"/data?_lang={language}").text, TEXTS[language]
    assert (
        page.index(f">{t['ds_questions']}</h2>") < page.index(f">{t['ds_tables']}</h2>") < page.index('id="sql-editor"')
    )
    for name in QUESTIONS:
        title = all_texts().questions[name].title.of(language)
        assert f'<a href="/data/ask_{name}">{escape(title)}</a>' in page
    assert page.index("<code>outcomes</code>") < page.index("<code>deals</code>")
    assert FIRST_QUERY.partition("\n")[0] in page
    assert '<label for="sql-editor">' in page


def test_the_first_query_answers(app: Any) -> None:
    answer = get(app, f"/data.json?{httpx.QueryParams({'sql': FIRST_QUERY, '_shape': 'objects'})}").json()
    assert {"contract", "unit", "runners", "decided", "won_rate", "mean_price"} == set(answer["columns"])
    assert answer["rows"]


def test_what_tables_hold_is_said_in_every_language() -> None:
    hidden = {name for name, how in table_metadata().items() if how.get("hidden")} | set(QUESTIONS)
    for language in LANGUAGES[1:]:
        assert set(translations()[language]) == set(all_descriptions()) - hidden


@pytest.mark.parametrize(
    "page", ["/data/deals", "/data/ask_balances", "/data?sql=select+1", "/data/deals/1", "/data/none"]
)
def test_no_word_of_another_language_is_in_the_frame(app: Any, page: str) -> None:
    html = get(app, page, cookie="lang=de").text
    for word in ("Custom SQL", "This data as", "Run SQL", "Apply", "Powered by", "rows where", "Links from", "#ff0000"):
        assert word not in html


@pytest.mark.parametrize(("language", "rules", "contract"), [("en", "Rules", "Contract"), ("de", "Regeln", "Spiel")])
def test_a_question_has_labels_of_the_reader_and_offers_values(
    app: Any, language: str, rules: str, contract: str
) -> None:
    page = get(app, f"/data/ask_results_by_contract?_lang={language}").text
    assert f'<label>{rules} <input name="rules" value="" list="values-rules">' in page
    assert f'<label>{contract} <input name="contract" value="" list="values-contract">' in page
    offered = page[page.index('id="values-contract"') :].partition("</datalist>")[0]
    answer = get(app, "/data/ask_results_by_contract.json?_shape=objects").json()["rows"]
    assert re.findall('<option value="([^"]+)">', offered) == sorted({row["contract"] for row in answer})


def test_numbers_of_an_answer_stand_as_those_of_a_table(app: Any) -> None:
    page = get(app, "/data?sql=select+contract,+count(*)+as+n,+null+as+gap+from+deals+group+by+1").text
    kinds = re.findall(r'<td class="col-(contract|n|gap)( type-float)?">', page)
    assert set(kinds) == {("contract", ""), ("n", " type-float"), ("gap", "")}


def test_links_to_data_say_what_they_hold(app: Any) -> None:
    page = get(app, "/data/deals").text
    for text in ("CSV: all 7 rows", "JSON: the 7 rows of this page, as a list of objects"):
        assert f">{text}</a>" in page
    (to,) = re.findall(r'href="([^"]+)">JSON: the 7 rows', page)
    assert len(get(app, to.replace("&amp;", "&")).json()) == 7


@pytest.mark.parametrize("rest", [
    "/deals.json?_size=2", "/deals.json?_shape=array", "/deals.csv", "/deals/1.json", "/ask_balances.json?_shape=array",
    ".json?sql=select+1", ".csv?sql=select+1", "?sql=select+1", "/outcomes",
])  # fmt: skip
def test_an_archive_answers_under_the_name_that_datasettes_users_give_it(app: Any, rest: str) -> None:
    own, other = get(app, f"/data{rest}"), get(app, f"/data/archive{rest}")
    assert own.status_code == other.status_code == 200
    assert own.headers["content-type"] == other.headers["content-type"]

    def without_times(text: str) -> str:
        return re.sub(r'"query_ms": [0-9.]+|[0-9]+ ms', "", text)

    assert without_times(own.text) == without_times(other.text)


def test_another_name_is_no_way_around_a_refusal(app: Any) -> None:
    assert get(app, "/data/-/versions.json").json() == get(app, "/-/versions.json").json()
    assert get(app, "/data/-/databases.json").status_code == 404
    assert get(app, "/data/archived.json").status_code == 404
    assert get(app, "/data/elsewhere/deals/1").status_code == 404  # also where the package rich is installed
    assert "<code>deals</code>" in get(app, "/data/archive").text


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/data/nix", 404, "Diese Tabelle gibt es hier nicht."),
        ("/data?sql=drop+table+deals", 400, "Hier werden nur Fragen beantwortet: SQL fängt mit SELECT an."),
    ],
)
def test_what_cannot_be_answered_is_said_in_the_language_of_the_reader(
    app: Any, address: str, status: int, said: str
) -> None:
    page = get(app, f"{address}{'&' if '?' in address else '?'}_lang=de")
    assert (page.status_code, said in page.text) == (status, True), page.text
