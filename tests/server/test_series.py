"""Series of tournaments: which are held in the evenings of a time zone, and which games lose theirs."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import case, update

from sheshbesh.i18n import translate
from sheshbesh.match.timing import DAY, SECOND
from sheshbesh.server.storage.tournament_tables import tournaments as rows
from sheshbesh.server.tournaments.series import (
    GAMES,
    PROGRAMMES,
    Kind,
    Past,
    SeriesKeeper,
    card,
    city,
    plan,
    quiet_games,
    title_of,
)
from sheshbesh.tournaments import check_settings, read_settings
from tests.server.test_tournaments import Hours
from tests.server.visitors import Visitors

pytestmark = pytest.mark.anyio

CITIES = ("Asia/Tehran", "Europe/Istanbul", "Europe/Moscow", "Europe/Berlin", "America/New_York")
NOW = int(datetime(2026, 10, 20, 12, tzinfo=UTC).timestamp()) * SECOND  # a Tuesday


def held(kind: Kind, game: str, *entrants: int) -> list[Past]:
    return [Past(kind, game, each) for each in entrants]


@pytest.mark.parametrize(
    ("past", "quiet"),
    [
        ([], []),
        (held("weekly", "tavla", 0, 0, 0), []),  # no four weeks yet
        (held("weekly", "tavla", 40, 8, 8, 8, 7), ["tavla"]),
        (held("weekly", "tavla", 1, 8, 8, 9, 7), []),
        (held("weekly", "tavla", 0, 0, 0, 0) + held("medley", "tavla", 7), ["tavla"]),
        # Eight in its turn, and it is judged anew after four weeks.
        (held("weekly", "tavla", 0, 0, 0, 0) + held("medley", "tavla", 8), []),
        (held("medley", "tavla", 8) + held("weekly", "tavla", 0, 0, 0), []),
        (held("medley", "tavla", 8) + held("weekly", "tavla", 0, 0, 0, 0), ["tavla"]),
        # First the one that was played longest ago.
        (
            held("medley", "takhte", 2) + held("medley", "portes", 3) + held("medley", "takhte", 4),
            ["portes", "takhte"],
        ),
        # A game that has no series any more.
        (held("medley", "tapa", 2), []),
    ],
)
def test_games_that_too_few_play_take_turns(past: list[Past], quiet: list[str]) -> None:
    assert quiet_games(past) == quiet


@pytest.mark.parametrize("zone", CITIES)
def test_each_city_has_a_set_at_the_hours_of_its_evening(zone: str) -> None:
    found = plan(zone, [], NOW)
    assert [(each.programme.kind, each.day.isoweekday(), each.game) for each in found[1:]] == [
        ("weekly", day, game) for day, game in enumerate(GAMES, 1)
    ]
    assert found[0].programme.kind == "daily"
    assert len({each.id for each in found}) == 1 + len(GAMES)
    for each in found:
        local = datetime.fromtimestamp(each.starts / SECOND, ZoneInfo(zone))
        assert (local.date(), local.hour, local.minute) == (each.day, each.programme.hour, 0)
        assert NOW < each.starts <= NOW + (DAY if each.programme.kind == "daily" else 8 * DAY)


def test_the_daily_arena_has_another_game_each_day_at_the_same_hour() -> None:
    at, found, hours = NOW, Counter[str](), set()
    for _ in range(10):
        daily = plan("Europe/Berlin", [], at)[0]
        found[daily.game] += 1
        hours.add(datetime.fromtimestamp(daily.starts / SECOND, ZoneInfo("Europe/Berlin")).hour)
        at = daily.starts
    assert found == dict.fromkeys(GAMES, 2) and hours == {21}  # the clocks were changed on the 25th


def test_a_quiet_game_is_played_on_saturday_instead() -> None:
    past = held("weekly", "portes", 3, 3, 3, 3) + held("medley", "takhte", 5)
    found = {each.programme.kind: each for each in plan("Asia/Tehran", past, NOW)}
    assert (found["medley"].game, found["medley"].day) == ("portes", date(2026, 10, 24))
    weekly = [each.game for each in plan("Asia/Tehran", past, NOW) if each.programme.kind == "weekly"]
    assert weekly == ["tavla", "long_nardy", "backgammon"]
    every = held("weekly", "tavla", 1, 1, 1, 1) + [each for game in GAMES for each in held("medley", game, 2)]
    assert [each.id for each in plan("Asia/Tehran", every, NOW)] == [
        "daily Asia/Tehran",
        "medley Asia/Tehran",
    ]


@pytest.mark.parametrize(
    ("entrants", "is_open", "announced"),
    [(8, True, {"weekly"}), (7, True, set()), (7, False, {"medley"}), (8, False, {"weekly"})],
)
def test_who_comes_late_counts(entrants: int, is_open: bool, announced: set[str]) -> None:  # noqa: FBT001
    past = [*held("weekly", "tavla", 8, 8, 8), Past("weekly", "tavla", entrants, is_open)]
    found = plan("Europe/Berlin", past, NOW)
    assert {each.programme.kind for each in found if each.game == "tavla"} - {"daily"} == announced


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", PROGRAMMES)
def test_every_tournament_of_a_series_can_be_played(kind: Kind, game: str) -> None:
    programme = PROGRAMMES[kind]
    given = {"title": programme.title, "card": card(game, programme.length), **programme.settings}
    check_settings(read_settings(given), NOW)


def test_a_city_by_its_time_zone() -> None:
    assert [city(zone) for zone in (*CITIES, "UTC")] == [
        *("Tehran", "Istanbul", "Moscow", "Berlin", "New York", "UTC")
    ]


def test_the_title_of_a_series_is_in_the_language_of_its_reader() -> None:
    named = [
        translate(title_of("Weekly tournament", series), lang)
        for series, lang in (
            ("weekly tavla Europe/Istanbul", "tr"),
            ("medley America/New_York", "ru"),
            ("daily UTC", "en"),
            (None, "tr"),
        )
    ]
    assert named == [
        "Haftalık turnuva · İstanbul",
        "Игры по очереди · Нью-Йорк",
        "Daily arena · UTC",
        "Weekly tournament",  # somebody called theirs so
    ]


async def test_a_keeper_announces_the_sets_of_its_zones(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing() -> int:
        return 0

    site, hours = visitors.site, Hours(visitors)
    monkeypatch.setattr(site.chores, "poll", nothing)  # it would begin what is said here to be over
    tuesday = datetime(2030, 1, 8, 12, tzinfo=UTC)
    hours.pass_(tuesday.timestamp() - site.tournaments.now() / SECOND)
    keepers = [SeriesKeeper(site.tournaments, CITIES[1:3]) for _ in range(2)]
    for keeper in keepers:
        await keeper.poll()
    async with visitors.guest() as guest:
        soon = (await guest.get("tournaments"))["soon"]
        assert Counter((each["series"], each["zone"]) for each in soon) == {
            (kind, zone): number for zone in CITIES[1:3] for kind, number in (("daily", 1), ("weekly", 5))
        }
        (tavla,) = (
            each
            for each in soon
            if (each["series"], each["zone"], each["game"]) == ("weekly", CITIES[1], "tavla")
        )
        assert tavla["title"] == "Weekly tournament, Istanbul"
        one = await guest.get(f"tournaments/{tavla['id']}")
        assert (one["series"], one["zone"]) == ("weekly", CITIES[1])
        # Three came, week after week, and enough for the other games.
        for _ in range(4):
            at = tavla["starts"]
            came = case((rows.c.id == tavla["id"], 3), (rows.c.game == "tavla", rows.c.entrants), else_=40)
            ended = case((rows.c.id == tavla["id"], "over"), else_=rows.c.status)
            await site.database.write(update(rows).values(entrants=came, status=ended))
            hours.pass_((at - site.tournaments.now()) / 1000 + 1)
            await keepers[0].poll()
            soon = (await guest.get("tournaments"))["soon"]
            found = [
                each
                for each in soon
                if (each["zone"], each["game"]) == (CITIES[1], "tavla")
                and each["series"] in ("weekly", "medley")
                and each["starts"] > at
            ]
            assert len(found) == 1
            tavla = found[0]
        assert tavla["series"] == "medley"
        local = datetime.fromtimestamp(tavla["starts"] / 1000, ZoneInfo(CITIES[1]))
        assert (local.isoweekday(), local.hour) == (6, 20)
