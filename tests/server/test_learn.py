"""Lessons over HTTP: the list, a course in a language, answers and what is no answer."""

from __future__ import annotations

import httpx
import pytest

from sheshbesh.learn import courses

pytestmark = pytest.mark.anyio
API = "/api/v1/learn"


async def test_strangers_read_courses_in_their_language(client: httpx.AsyncClient) -> None:
    listed = (await client.get(f"{API}?lang=ru")).json()
    assert [each["name"] for each in listed] == list(courses())
    found = (await client.get(f"{API}/khalili?lang=fa")).json()
    lesson = found["lessons"][3]
    assert lesson["id"] == "14-1" and lesson["choices"] and found["layouts"]["takhte"]
    assert "\u20686/3*/1\u2069" in lesson["elsewhere"][0], "notation is isolated"
    assert lesson["refused"][0]["rule"] == "hit_and_run"


async def test_the_referee_answers_with_the_rule_and_its_source(client: httpx.AsyncClient) -> None:
    tried = {"steps": [[6, 3], [3, 1]], "whole": False}
    found = (await client.post(f"{API}/khalili/14-1", json=tried)).json()
    assert not found["right"]
    assert found["refusal"]["rule"] == "hit_and_run" and "004" in found["refusal"]["source"]
    right = (await client.post(f"{API}/khalili/14-1", json={"steps": [[6, 4], [4, 1]]})).json()
    assert right["right"] and right["refusal"] is None
    points = (await client.post(f"{API}/khalili/10-1", json={"option": 2})).json()
    assert points["right"]


async def test_every_game_in_the_list_names_its_first_steps(client: httpx.AsyncClient) -> None:
    listed = {each["name"]: each for each in (await client.get(API)).json()}
    assert listed["khalili"]["first"] is None
    first = listed["tapa"]["first"]
    found = (await client.get(f"{API}/{first['name']}?lang=tr")).json()
    assert [each["id"] for each in found["lessons"]] == first["lessons"]
    assert found["ends_with"] == {"card": "tapa.p1", "level": "beginner"}
    point = next(each for each in found["lessons"] if each["id"] == "point")
    assert point["dice"] == [3] and point["arrow"] and point["terms"] == ["hane"]


async def test_one_die_is_judged_as_one_step(client: httpx.AsyncClient) -> None:
    address = f"{API}/first-tapa/point"
    assert (await client.post(address, json={"steps": [[8, 5]]})).json()["right"]
    other = (await client.post(address, json={"steps": [[4, 1]]})).json()
    assert not other["right"] and other["refusal"] is None
    refused = (await client.post(address, json={"steps": [[8, 4]], "whole": False})).json()
    assert not refused["right"] and refused["refusal"]["text"]
    assert (await client.post(address, json={"steps": [[99, 3]]})).status_code == 422


async def test_what_does_not_exist_is_not_found(client: httpx.AsyncClient) -> None:
    for name in ("nothing", "shared", "first", "first-nothing"):
        assert (await client.get(f"{API}/{name}")).status_code == 404, name
        for address in (f"{name}/1", f"tapa/{name}"):
            assert (await client.post(f"{API}/{address}", json={"option": 0})).status_code == 404, address


async def test_what_is_no_answer_is_refused(client: httpx.AsyncClient) -> None:
    steps: list[object] = [[[99, 3]], [[6]], [[6, "3"]], [[6, 3]] * 40]
    options: list[object] = [99, 0, "0"]
    wrong: list[dict[str, object]] = [
        {},
        {"more": 1},
        *({"option": each} for each in options),
        *({"steps": each} for each in steps),
    ]
    for body in wrong:
        answer = await client.post(f"{API}/khalili/14-1", json=body)
        assert answer.status_code == 422 and answer.json()["error"]["text"], body
