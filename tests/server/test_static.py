"""The page's files: index.html in the visitor's language, and all of one build."""

from __future__ import annotations

import httpx
import pytest

from sheshbesh.server.http import static

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page as it is written, also in a checkout in which it was packed."""
    monkeypatch.setattr(static, "_packed", lambda: None)
    static._index.cache_clear()
    static._load.cache_clear()


@pytest.mark.parametrize(
    ("accepted", "element", "says"),
    [
        ("fa-IR,en;q=0.5", '<html lang="fa" dir="rtl">', "جاوااسکریپت"),
        ("de, ar;q=0.4", '<html lang="ar" dir="rtl">', "<title>شيش بيش</title>"),
        ("ru", '<html lang="ru" dir="ltr">', "Вся семья нард"),
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
    for text in static._SAID:
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
