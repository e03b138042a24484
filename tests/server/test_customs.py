"""The site tells of customs: what can be tried is a turn of that game, and its referee says why not."""

from __future__ import annotations

import httpx
import pytest

from sheshbesh import customs

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("way", customs.WAYS)
async def test_a_line_is_tried_in_its_game(client: httpx.AsyncClient, way: str) -> None:
    found = (await client.get(f"/api/v1/customs/differences/gammons/{way}")).json()
    assert found["game"] == customs.WAYS[way]
    assert {play["result"]["points"] for play in found["plays"]} == {2 if way == "traditional" else 3}
    assert found["choices"][0]["next"]


async def test_the_referee_names_the_rule_and_its_source_in_the_language_asked_for(
    client: httpx.AsyncClient,
) -> None:
    address = "/api/v1/customs/differences/hit_and_run"
    told = (await client.get(f"{address}/traditional/why?steps=6-3,3-1&lang=fa")).json()
    assert told["rule"] == "hit_and_run"
    assert "خلیلی" in told["source"]
    assert (await client.get(f"{address}/modern/why?steps=6-3,3-1")).json()["rule"] is None


async def test_what_is_not_there_and_steps_that_are_none_are_refused(client: httpx.AsyncClient) -> None:
    differences = "/api/v1/customs/differences"
    for address in ("waste/ancient", "surface/modern", "nothing/modern"):
        assert (await client.get(f"{differences}/{address}")).status_code == 404, address
    for steps in ("", "99-98,77-1", "6", "6-3;3-1", "a-b", "6-3," * 40):
        answer = await client.get(f"{differences}/waste/modern/why", params={"steps": steps})
        assert answer.status_code == 422, steps


async def test_topics_and_stories_are_told_in_the_language_asked_for(client: httpx.AsyncClient) -> None:
    topics = (await client.get("/api/v1/customs/conduct?lang=ru")).json()
    assert topics[0]["title"] == "Когда бросок засчитан"
    about = (await client.get("/api/v1/variants/long_nardy?lang=tr")).json()["about"]
    assert about["minutes"] == [10, 30]
    assert about["difficulty"] == "orta"
    assert about["picture"]["refused"]


async def test_a_dispute_is_led_through_in_the_language_asked_for(client: httpx.AsyncClient) -> None:
    guide = (await client.get("/api/v1/customs/disputes?lang=tr")).json()
    english = (await client.get("/api/v1/customs/disputes")).json()
    reached = guide["first"]
    for number in (1, 3):  # how the dice lie; one leans on something
        reached = guide["questions"][reached]["answers"][number if reached == "dice" else 0]["then"]
    ruling = guide["rulings"][reached]
    assert (reached, ruling["topic"]) == ("cocked", "cocked")
    assert english["rulings"][reached]["text"] == "Both dice are thrown again."
    assert ruling["text"] != english["rulings"][reached]["text"]
    assert ruling["sources"][-1] == "Khalili (004), s. 7"
