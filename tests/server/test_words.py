"""The languages as the page gets them."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import httpx
import pytest

from sheshbesh.i18n import catalogue, languages, translate
from sheshbesh.rules import variant
from sheshbesh.server.http.page_modules import later_modules, modules_of, modules_of_view
from sheshbesh.server.http.static import FOLDER, PAGES
from sheshbesh.server.http.words import LOST

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from messages import js_texts

pytestmark = pytest.mark.anyio

_WITH_LATER = {"home", "differences", "match", "local", "replay"}
"""The views that load parts when they are wanted; each asks for `VIEW-later`, but for those that are made of
parts of a match, which ask for the match's."""


@pytest.mark.parametrize("lang", [language.code for language in languages()])
async def test_a_language_is_one_file(client: httpx.AsyncClient, lang: str) -> None:
    answer = await client.get(f"/i18n/{lang}.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/json")
    sent, said = answer.json(), catalogue(lang)
    assert {**sent, "messages": None} == {**said, "messages": None}
    assert sent["messages"].items() >= said["messages"].items()
    again = await client.get(f"/i18n/{lang}.json", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


async def test_matches_can_be_named_in_every_language(client: httpx.AsyncClient) -> None:
    sent = (await client.get("/i18n/fa.json")).json()["messages"]
    for name in ("takhte", "long_nardy", "gul_bara"):
        title = variant(name).title
        assert sent[title] == translate(title, "fa") != title


async def test_a_view_gets_every_text_that_it_says_and_few_others(client: httpx.AsyncClient) -> None:
    everything = catalogue("fa")["messages"]
    with_later = set()
    for view in sorted({*PAGES.values(), LOST}):
        sent = (await client.get(f"/i18n/fa/{view}.json")).json()["messages"]
        later = (await client.get(f"/i18n/fa/{view}-later.json")).json()["messages"]
        for modules, texts in (
            (modules_of_view(FOLDER, view), sent),
            (later_modules(FOLDER, view), sent | later),
        ):
            assert _said(modules) & everything.keys() <= texts.keys(), view
        assert len(sent) < len(everything) / 2, view
        # What answers where no server does, and notices of tournaments, may be wanted in every view, and ask
        # for their texts themselves.
        if later.keys() - _said(modules_of(FOLDER, "/app/without-server.js", "/app/tournament/words.js")):
            with_later.add(view)
    assert with_later == _WITH_LATER, "what loads a part later asks for its texts"


def _said(modules: tuple[str, ...]) -> set[str]:
    """The texts that stand in modules of the page."""
    return {text for module in modules if "/vendor/" not in module for text in _texts(module)}


@cache
def _texts(module: str) -> frozenset[str]:
    source = (FOLDER / module.lstrip("/")).read_text(encoding="utf-8")
    return frozenset(text for text, _ in js_texts(source, words=module.endswith("/words.js")))


async def test_there_are_no_texts_of_a_view_that_does_not_exist(client: httpx.AsyncClient) -> None:
    assert (await client.get("/i18n/fa/nothing.json")).status_code == 404
    assert (await client.get("/i18n/xx/home.json")).status_code == 404


@pytest.mark.parametrize("lang", ["xx", "..", "fa.po"])
async def test_no_other_language_is_there(client: httpx.AsyncClient, lang: str) -> None:
    assert (await client.get(f"/i18n/{lang}.json")).status_code == 404


async def test_the_loader_lies_beside_the_languages(client: httpx.AsyncClient) -> None:
    answer = await client.get("/i18n/i18n.js")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/javascript")


async def test_an_answer_that_says_no_says_it_in_the_language_of_the_browser(
    client: httpx.AsyncClient,
) -> None:
    answer = await client.get("/api/v1/me", headers={"Accept-Language": "ru-RU,ru;q=0.9"})
    assert answer.status_code == 401
    assert answer.json()["error"] == {"code": "unknown", "text": "здесь никто не вошёл"}


async def test_a_mistyped_address_is_answered_by_the_page(client: httpx.AsyncClient) -> None:
    answer = await client.get("/lobbby", headers={"Accept": "text/html"})
    assert answer.status_code == 404 and "<ssb-app>" in answer.text
    assert (await client.get("/app/none.js")).json()["error"]["code"] == "not_found"


async def test_a_game_that_does_not_exist_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/v1/variants/nogame", headers={"Accept-Language": "tr"})
    assert answer.status_code == 404 and answer.json()["error"]["text"] == translate(
        "there is no such game", "tr"
    )
