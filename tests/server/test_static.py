"""The page's files: index.html in the visitor's language, and all of one build."""

from __future__ import annotations

import asyncio
import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from sheshbesh.engines import registry
from sheshbesh.server.http import nets, static, static_copy
from sheshbesh.server.http.copied import address_of_copy, names
from sheshbesh.server.http.page_modules import PACKED, WITHOUT_SERVER, PackedPage, modules_of_view
from tests.server.conftest import NewClient

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _as_written(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The page as it is written, also in a checkout in which it was packed."""
    monkeypatch.setattr(static, "_packed", lambda: None)
    static.index_page.cache_clear()
    static.load.cache_clear()
    yield
    static.index_page.cache_clear()


@pytest.mark.parametrize(
    ("accepted", "element", "says"),
    [
        ("fa-IR,en;q=0.5", '<html lang="fa" dir="rtl">', "جاوااسکریپت"),
        ("de, ar;q=0.4", '<html lang="ar" dir="rtl">', "شيش بيش</title>"),
        ("ru", '<html lang="ru" dir="ltr">', "Для Шешбеша нужен JavaScript"),
        ("tr-TR", '<html lang="tr" dir="ltr">', "Şeşbeş"),
        ("", '<html lang="en" dir="ltr">', "Sheshbesh needs JavaScript"),
    ],
)
async def test_the_page_comes_in_the_language_that_is_asked_for(
    client: httpx.AsyncClient, accepted: str, element: str, says: str
) -> None:
    for path in ("/", "/rules/tapa"):
        page = await client.get(path, headers={"Accept-Language": accepted})
        assert element in page.text and says in page.text
        assert "Accept-Language" in page.headers["Vary"]
        assert '"/app/main.js"' in page.text


def test_what_the_page_says_itself_stands_in_it() -> None:
    page = (static.FOLDER / "index.html").read_text(encoding="utf-8")
    assert static._LANGUAGE.decode() in page
    for text in static._INDEX_TEXTS:
        assert f">{text}<" in page or f'content="{text}"' in page


async def test_the_service_worker_and_every_file_name_one_build(client: httpx.AsyncClient) -> None:
    worker = await client.get("/sw.js")
    build = worker.headers["Sheshbesh-Build"]
    assert len(build) == 20 and f'"{build}"' in worker.text
    assert static._FILES.decode() not in worker.text and "/styles/board.css " in worker.text
    for path in ("/", "/app/main.js", "/i18n/fa.json", "/fonts/inter-signs.woff2"):
        answer = await client.get(path)
        again = await client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert answer.headers["Sheshbesh-Build"] == again.headers["Sheshbesh-Build"] == build
        assert again.status_code == 304


_MATCH = {"card": "tavla.p1", "opponent": {"kind": "hotseat"}}
_ITS_CARD = 'href="/api/v1/variants/tavla?card=tavla.p1&amp;lang=fa"'
_KNOWN = '<meta name="visitor" content="known">'


async def _page_of(client: httpx.AsyncClient, match: str) -> httpx.Response:
    return await client.get(f"/m/{match}", headers={"Accept-Language": "fa"})


async def test_the_page_of_a_match_names_its_card_and_says_whether_its_visitor_is_known(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    made = (await guest.post("/api/v1/matches", json=_MATCH)).json()
    own, strangers = await _page_of(guest, made["id"]), await _page_of(new_client(), made["id"])
    assert _ITS_CARD in own.text and _KNOWN in own.text
    assert _ITS_CARD in strangers.text and _KNOWN not in strangers.text
    assert "Cookie" in own.headers["Vary"] and own.headers["ETag"] != strangers.headers["ETag"]
    nothing = await _page_of(guest, "nothing")
    assert nothing.status_code == 200 and "/api/v1/variants" not in nothing.text


async def test_the_card_of_a_private_match_is_named_to_its_players_alone(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    made = (await guest.post("/api/v1/matches", json=_MATCH | {"private": True})).json()
    assert _ITS_CARD in (await _page_of(guest, made["id"])).text
    assert "tavla.p1" not in (await _page_of(new_client(), made["id"])).text


async def test_the_page_of_a_match_comes_though_the_database_does_not_answer(
    app: FastAPI, guest: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_match: str) -> None:
        await asyncio.Event().wait()

    async def broken(_match: str) -> None:
        raise ConnectionError

    monkeypatch.setattr(static, "_PATIENCE", 0.01)
    for table in (never, broken):
        monkeypatch.setattr(app.state.site.matches.kind.store, "table", table)
        page = await _page_of(guest, "AAAAAAAAAAAA")
        assert page.status_code == 200 and '"/app/main.js"' in page.text


@pytest.mark.parametrize("coding", ["gzip, br", "identity"])
async def test_the_nets_are_sent_by_their_digests_to_the_bit(client: httpx.AsyncClient, coding: str) -> None:
    for net in registry.manifests(registry.shipped_folder)[: None if coding == "identity" else 2]:
        answer = await client.get(f"/engine/{net.sha256}.net", headers={"Accept-Encoding": coding})
        assert hashlib.sha256(answer.content).hexdigest() == net.sha256
        assert answer.headers.get("content-encoding", "identity") in coding.split(", ")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = {"If-None-Match": answer.headers["etag"]}
    assert (await client.get(f"/engine/{net.sha256}.net", headers=again)).status_code == 304
    for unknown in ("0" * 64, "backgammon", "..%2fnets%2fbackgammon"):
        assert (await client.get(f"/engine/{unknown}.net")).status_code == 404


async def test_a_net_that_was_packed_is_sent_as_it_was(client: httpx.AsyncClient, tmp_path: Path) -> None:
    net = registry.manifests(registry.shipped_folder)[0]
    nets.coded.cache_clear()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(static, "_PACKED_ENGINE", tmp_path)
            (tmp_path / f"{net.sha256}.net.br").write_bytes(b"packed")
            answer = client.stream("GET", f"/engine/{net.sha256}.net", headers={"Accept-Encoding": "br"})
            async with answer as found:
                assert (found.headers["content-encoding"], found.headers["content-length"]) == ("br", "6")
    finally:
        nets.coded.cache_clear()


def test_a_copy_of_a_packed_page_has_the_files_that_it_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    web, copy = tmp_path / "web", tmp_path / "copy"
    shutil.copytree(static.FOLDER, web, ignore=shutil.ignore_patterns(PACKED))
    names = [f"/{PACKED}/{name}" for name in ("main.js", "first.css", "further.css", "view.js")]
    (web / PACKED).mkdir()
    for name in names:
        (web / name[1:]).write_text("")
        (web / f"{name[1:]}.br").write_text("")
    main, style, further, module = names
    page = PackedPage(main, style, further, dict.fromkeys(WITHOUT_SERVER, (module,)))
    monkeypatch.setattr(static, "_packed", lambda: page)
    monkeypatch.setattr(static_copy, "FOLDER", web)
    monkeypatch.setattr(static_copy, "copy_of", lambda _name, _lang: b"{}")
    static_copy.write_copy(copy)
    named = set(re.findall(r'"(/packed/[^"]+)"', (copy / "index.html").read_text()))
    assert {main, style, module} <= named
    assert [name for name in named if not (copy / name[1:]).is_file()] == []
    assert not list(copy.rglob("*.br"))


async def test_all_that_an_installed_page_keeps_is_there(client: httpx.AsyncClient) -> None:
    kept = (await client.get("/copy/fa/installed.json")).json()
    assert {"/app/views/learn.js", "/engine/worker.js", "/copy/fa/puzzles/tapa.json"} <= set(kept["files"])
    assert len(kept["nets"]) == len(nets.nets())
    # One of ten: the others are made in the same way.
    for address in kept["files"][::10]:
        answer = await client.get(address)
        assert (answer.status_code, "Sheshbesh-Build" in answer.headers) == (200, True), address
    for address in ("/copy/de/learn.json", "/copy/fa/learn/nothing.json", "/copy/fa/../learn.json"):
        assert (await client.get(address)).status_code == 404


async def test_each_file_that_an_installed_page_keeps_is_made_once(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def copy_of(name: str, _lang: str) -> bytes:
        made.append(name)
        return b"{}"

    monkeypatch.setattr(static, "COPIES", {})
    monkeypatch.setattr(static, "copy_of", copy_of)
    for _ in range(2):
        addresses = [address_of_copy(name, "tr") for name in names()]
        answers = await asyncio.gather(*map(client.get, [*addresses, *addresses[:10]]))
        assert {answer.status_code for answer in answers} == {200}
    assert sorted(made) == sorted(names())


async def test_of_the_engine_a_view_that_begins_with_a_game_has_only_the_question_for_it() -> None:
    for view in ("home", "match", "table"):
        found = {name for name in modules_of_view(static.FOLDER, view) if name.startswith("/engine/")}
        assert found <= {"/engine/builds.js"}, view


async def test_the_module_of_the_engine_is_sent_as_one(client: httpx.AsyncClient) -> None:
    answer = await client.get("/engine/core-simd.wasm", headers={"Accept-Encoding": "gzip"})
    assert (answer.headers["content-type"], answer.headers["content-encoding"]) == (
        "application/wasm",
        "gzip",
    )
    assert answer.content == (static.FOLDER / "engine/core-simd.wasm").read_bytes()


@pytest.mark.parametrize("path", ["/rules", "/rules/", "/puzzles", "/puzzles/", "/puzzles/today"])
async def test_an_area_is_found_by_its_bare_address(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


@pytest.mark.parametrize("path", ["variants", "variants/backgammon"])
async def test_the_games_are_sent_compressed_to_those_who_understand_it(
    client: httpx.AsyncClient, path: str
) -> None:
    sizes = {}
    for coding in ("identity", "gzip"):
        async with client.stream("GET", f"/api/v1/{path}", headers={"Accept-Encoding": coding}) as answer:
            assert answer.headers["vary"] == "Accept-Encoding"
            assert answer.headers.get("content-encoding", "identity") == coding
            sizes[coding] = len(b"".join([part async for part in answer.aiter_raw()]))
    assert sizes["gzip"] < sizes["identity"] / 3
