"""The ways to run the site that are measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Setup:
    """Servers on a database; where the players are `apart`, each game's two are at different ones.

    `engine` has one person play against the computer in each game. With `workers` the servers have no engine
    processes of their own: that many workers with two each take the questions from them.
    """

    title: str
    postgres: bool = False
    processes: int = 1
    apart: bool = False
    deflate: bool = False
    engine: bool = False
    workers: int = 0


SETUPS: Mapping[str, Setup] = MappingProxyType(
    {
        "sqlite": Setup("SQLite, one process"),
        "sqlite-deflate": Setup("SQLite, one process, messages compressed as for browsers", deflate=True),
        "postgres": Setup("PostgreSQL, one process", postgres=True),
        "postgres-2": Setup("PostgreSQL, two processes, a game's players at one", postgres=True, processes=2),
        "postgres-2-apart": Setup(
            "PostgreSQL, two processes, a game's players at different ones",
            postgres=True,
            processes=2,
            apart=True,
        ),
        "engine": Setup("PostgreSQL, one process, games against the computer", postgres=True, engine=True),
        "engine-2": Setup(
            "PostgreSQL, two processes, games against the computer", postgres=True, processes=2, engine=True
        ),
        "engine-workers": Setup(
            "PostgreSQL, one process, games against the computer, one worker",
            postgres=True,
            engine=True,
            workers=1,
        ),
        "engine-2-workers-2": Setup(
            "PostgreSQL, two processes, games against the computer, two workers",
            postgres=True,
            processes=2,
            engine=True,
            workers=2,
        ),
    }
)
