"""Who used the processor: seconds of it by process, and by all that ran beside what is measured."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_IDLE, _WAITING = 3, 4
"""Columns of /proc/stat in which nobody works."""


def cpu_seconds(pid: int) -> float:
    """Processor time of one process with all its threads; 0.0 once it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def children(pid: int) -> list[int]:
    """The processes that this one has started, from whichever thread."""
    found = (task.read_text().split() for task in Path(f"/proc/{pid}/task").glob("*/children"))
    return [int(child) for each in found for child in each]


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE


def _machine() -> float:
    """Seconds in which a core of this machine has worked for anybody."""
    columns = [int(value) for value in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(columns) - columns[_IDLE] - columns[_WAITING]) / _TICKS


@dataclass(frozen=True)
class Work:
    """Seconds of a core since some moment: of servers, database, engines, clients, everybody."""

    servers: float
    database: float
    engines: float
    clients: float
    everybody: float

    @classmethod
    def now(
        cls,
        *,
        servers: Iterable[int],
        database: Iterable[int],
        engines: Iterable[int],
        clients: Iterable[int],
    ) -> Work:
        """What these processes have used so far."""
        return cls(
            servers=sum(map(cpu_seconds, servers)),
            database=sum(map(cpu_seconds, database)),
            engines=sum(map(cpu_seconds, engines)),
            clients=sum(map(cpu_seconds, clients)),
            everybody=_machine(),
        )

    def since(self, before: Work) -> Work:
        """What was used between two moments."""
        return Work(
            self.servers - before.servers,
            self.database - before.database,
            self.engines - before.engines,
            self.clients - before.clients,
            self.everybody - before.everybody,
        )

    @property
    def strangers(self) -> float:
        """What others on this machine used, the kernel's work for nobody in particular included."""
        ours = self.servers + self.database + self.engines + self.clients
        return max(self.everybody - ours, 0.0)
