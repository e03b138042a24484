"""What requests carry is taken for what it is; what is wrong is said with the field, in all languages."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from sheshbesh.i18n import languages, translate
from sheshbesh.server.http import api
from sheshbesh.server.refusals import refuse
from tests.server.conftest import ORIGIN, running_app

pytestmark = pytest.mark.anyio

MATCH = {"card": "tavla.p1"}


@pytest.fixture(scope="module")
async def guest(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """One guest's browser for all: what is refused leaves nothing behind."""
    database = f"sqlite:///{tmp_path_factory.mktemp('bodies')}/site.db"
    async with (
        running_app(database=database, limits=False) as app,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url=ORIGIN, headers={"Origin": ORIGIN}
        ) as client,
    ):
        answer = await client.post("/api/v1/guest", json={})
        assert answer.status_code == 200, answer.text
        yield client


WRONG: list[tuple[str, object, str, str | None]] = [
    ("matches", {**MATCH, "tutor": "maybe"}, "field.flag", "tutor"),
    ("matches", {**MATCH, "rated": 1}, "field.flag", "rated"),
    ("matches", {**MATCH, "private": None}, "field.flag", "private"),
    ("matches", {**MATCH, "side": 3}, "field.text", "side"),
    ("matches", {**MATCH, "colour": "red"}, "field.unknown", "colour"),
    ("matches", {**MATCH, "opponent": "engine"}, "field.object", "opponent"),
    ("matches", {**MATCH, "opponent": {}}, "field.missing", "opponent.kind"),
    ("matches", {**MATCH, "opponent": {"kind": "engine", "level": 3}}, "field.text", "opponent.level"),
    ("matches", {**MATCH, "opponent": {"kind": "hotseat", "names": "ab"}}, "field.list", "opponent.names"),
    (
        "matches",
        {**MATCH, "opponent": {"kind": "hotseat", "names": [1, 2]}},
        "field.text",
        "opponent.names.0",
    ),
    ("matches", [], "body.object", None),
    ("matches", None, "body.object", None),
    ("seeks", {**MATCH, "rated": "yes"}, "field.flag", "rated"),
    ("seeks", {}, "field.missing", "card"),
    ("challenges", {**MATCH, "to": ["Nava"]}, "field.text", "to"),
    ("login", {"name": "x" * 401}, "field.long", "name"),
    ("login", {"passkey": {"state": "s", "credential": "c"}}, "field.object", "passkey.credential"),
    ("tokens", {"name": "", "scopes": []}, "field.short", "name"),
]


@pytest.mark.parametrize(("path", "body", "rule", "where"), WRONG)
async def test_what_is_no_such_thing_is_refused_with_the_field(
    guest: httpx.AsyncClient, path: str, body: object, rule: str, where: str | None
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await guest.post(f"/api/v1/{path}", content=json.dumps(body), headers=headers)
    error = answer.json()["error"]
    assert answer.status_code == 422, error
    assert (error["code"], error["rule"], error.get("where")) == ("bad_request", rule, where)
    assert error["text"].startswith(where or "") and "{" not in error["text"]


NO_MATCH: list[tuple[dict[str, Any], str]] = [
    ({}, "a card is a code"),
    ({"card": "tavla"}, "expected p7"),
    ({"card": "nothing.p1"}, "nothing"),
    ({"card": {"game": "tavla", "length": 200}}, "1 to 99"),
    ({"card": {"game": "tavla", "colour": "red"}}, "'colour'"),
    ({"card": {"game": "tavla", "clock": "quick"}}, "no clock"),
    ({"card": {"game": "tavla", "options": {"wings": True}}}, "wings"),
    ({"card": {"game": "tavla", "crawford": "yes"}}, "true or false"),
    ({"card": "tavla.p1", "opponent": {"kind": "ghost"}}, "kind"),
    ({"card": "tavla.p1", "opponent": {"kind": "engine", "level": "god"}}, "levels are"),
    ({"card": "tavla.p1", "side": "left"}, "white, black or random"),
    ({"card": "tavla.p1", "opponent": {"kind": "hotseat", "names": ["a"]}}, "two names"),
    ({"card": "tavla.p1", "opponent": {"kind": "hotseat", "names": ["a\u202eb", "c"]}}, "cannot contain"),
    ({"card": "tavla.p1.dice-typed", "opponent": {"kind": "friend"}, "rated": True}, "fair dice"),
    ({"card": "tavla.p1.dice-seeded", "opponent": {"kind": "friend"}}, "between people"),
]


@pytest.mark.parametrize(("body", "says"), NO_MATCH)
async def test_a_match_that_cannot_be_is_refused_with_what_is_wrong(
    guest: httpx.AsyncClient, body: dict[str, Any], says: str
) -> None:
    answer = await guest.post("/api/v1/matches", json=body)
    assert answer.status_code == 422
    assert says in answer.json()["error"]["text"]


@pytest.mark.parametrize("lang", [language.code for language in languages()])
async def test_it_is_said_in_the_language_of_the_browser(guest: httpx.AsyncClient, lang: str) -> None:
    headers = {"Accept-Language": lang, "Content-Type": "application/json"}
    answer = await guest.post("/api/v1/matches", json={**MATCH, "tutor": "maybe"}, headers=headers)
    said = translate(refuse("field.flag", field="tutor").text, lang)
    assert answer.json()["error"]["text"] == said
    broken = await guest.post("/api/v1/matches", content='{"card": tavla}', headers=headers)
    assert broken.json()["error"]["text"] == translate(refuse("body.json", place=10).text, lang)
    empty = await guest.post("/api/v1/matches", content=b"", headers=headers)
    assert empty.json()["error"]["rule"] == "body.missing"
    # What the site says before it looks at a body, and where there is nothing.
    form = await guest.post("/api/v1/matches", data={"a": "b"}, headers={"Accept-Language": lang})
    nowhere = await guest.get("/api/v1/nowhere", headers=headers)
    method = await guest.put("/api/v1/matches", json={}, headers=headers)
    for found, status, english in (
        (form, 415, "requests must have Content-Type: application/json"),
        (nowhere, 404, "there is nothing here"),
        (method, 405, "this cannot be done here"),
    ):
        assert found.status_code == status
        assert (found.json()["error"]["text"] == english) == (lang == "en")


@pytest.mark.parametrize(
    ("query", "rule", "where"),
    [
        ("limit=many", "field.number", "limit"),
        ("limit=1000", "field.most", "limit"),
        ("limit=0", "field.least", "limit"),
        (f"before={10**30}", "field.most", "before"),
        ("game=" + "x" * 200, "field.long", "game"),
    ],
)
async def test_a_query_is_refused_the_same_way(
    guest: httpx.AsyncClient, query: str, rule: str, where: str
) -> None:
    name = (await guest.get("/api/v1/me")).json()["user"]["name"]
    error = (await guest.get(f"/api/v1/users/{name}/matches?{query}")).json()["error"]
    assert (error["rule"], error["where"]) == (rule, where)


def bodies() -> dict[str, type[BaseModel]]:
    found = {}
    for each in pkgutil.iter_modules(api.__path__):
        module: Any = importlib.import_module(f"{api.__name__}.{each.name}")
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, BaseModel) and value is not BaseModel:
                found[f"{each.name}.{name}"] = value
    return found


@pytest.mark.parametrize("name", sorted(bodies()))
def test_no_body_takes_one_thing_for_another(name: str) -> None:
    config = bodies()[name].model_config
    assert config.get("strict") is True and config.get("extra") == "forbid"
