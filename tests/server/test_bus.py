"""News within a process and between processes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import psycopg
import pytest

from sheshbesh.server.news.bus import GAP, Bus, PostgresBus
from tests.server.postgres import Postgres
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


async def until(heard: list[Any], count: int) -> None:
    await eventually(lambda: len(heard) >= count)


async def test_news_is_told_by_topic_until_one_hears_no_more() -> None:
    bus, heard = Bus(), list[Mapping[str, Any]]()
    unsubscribe = bus.subscribe("a", heard.append)
    bus.publish("a", n=1)
    bus.publish("b", n=2)
    unsubscribe()
    bus.publish("a", n=3)
    assert heard == [{"n": 1}]


async def test_a_listener_that_fails_costs_the_others_nothing() -> None:
    bus, heard = Bus(), list[Mapping[str, Any]]()

    def fail(_news: Mapping[str, Any]) -> None:
        raise ValueError

    bus.subscribe("a", fail)
    bus.subscribe("a", heard.append)
    bus.publish("a", n=1)
    assert heard == [{"n": 1}]


async def test_processes_hear_each_other_once_and_in_order(postgres: Postgres) -> None:
    url = postgres.url()
    here, there = PostgresBus(url, "here"), PostgresBus(url, "there")
    heard_here, heard_there = list[int](), list[int]()
    here.subscribe("a", lambda news: heard_here.append(news["n"]))
    there.subscribe("a", lambda news: heard_there.append(news["n"]))
    await asyncio.gather(here.open(), there.open())
    try:
        for n in range(200):
            here.publish("a", n=n)
        await until(heard_there, 200)
        there.publish("a", n=-1)
        await until(heard_here, 201)
    finally:
        await asyncio.gather(here.close(), there.close())
    assert heard_there == [*range(200), -1] and heard_here == [*range(200), -1]


async def test_news_that_comes_together_shares_notifications(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.url()
    here, there = PostgresBus(url, "here"), PostgresBus(url, "there")
    heard, notifications = list[str](), list[object]()
    there.subscribe("a", lambda news: heard.append(news["text"]))
    await asyncio.gather(here.open(), there.open())
    judge = PostgresBus(url, "judge")
    monkeypatch.setattr(judge, "_receive", notifications.append)
    await judge.open()
    texts = [f"{n} {'ä' * (n * 37 % 1500)}" for n in range(100)]
    try:
        for text in texts:
            here.publish("a", text=text)
        await until(heard, len(texts))
        await until(notifications, 1)
    finally:
        await judge.close()
        await asyncio.gather(here.close(), there.close())
    assert heard == texts
    assert len(notifications) < len(texts) / 2
    assert all(len(str(each).encode()) <= 7_900 for each in notifications)


async def test_a_broken_line_is_mended_and_the_gap_is_told(postgres: Postgres) -> None:
    url = postgres.url()
    here, there = PostgresBus(url, "here"), PostgresBus(url, "there")
    gaps, heard = list[Any](), list[int]()
    here.subscribe(GAP, gaps.append)
    here.subscribe("a", lambda news: heard.append(news["n"]))
    await asyncio.gather(here.open(), there.open())
    try:
        with psycopg.connect(url, autocommit=True) as judge:
            judge.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        await until(gaps, 1)
        there.publish("a", n=5)
        await until(heard, 1)
    finally:
        await asyncio.gather(here.close(), there.close())
    assert heard[-1] == 5


async def test_notifications_of_others_are_left_out_and_the_news_goes_on(postgres: Postgres) -> None:
    url = postgres.url()
    here, there = PostgresBus(url, "here"), PostgresBus(url, "there")
    heard = list[int]()
    there.subscribe("a", lambda news: heard.append(news["n"]))
    await asyncio.gather(here.open(), there.open())
    try:
        with psycopg.connect(url, autocommit=True) as other:
            for text in ("", "no JSON", '["other", 1]', '["other", ["a", 2]]'):
                other.execute("SELECT pg_notify('sheshbesh', %s)", [text])
        here.publish("a", n=5)
        await until(heard, 1)
    finally:
        await asyncio.gather(here.close(), there.close())
    assert heard == [5]


async def test_news_that_is_too_long_is_an_error_at_once(postgres: Postgres) -> None:
    bus = PostgresBus(postgres.url(), "here")
    with pytest.raises(ValueError, match="too long"):
        bus.publish("a", text="x" * 9000)
