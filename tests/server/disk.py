"""Matches of random play in a process of their own, on a disk that is watched by `disk.cpp`.

    python -m tests.server.disk sqlite:///FILE

plays, prints `MATCH REF` of each action once it is acknowledged, and ends without closing anything.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from os import _exit
from pathlib import Path

from sheshbesh.match import Card
from sheshbesh.rules import Side
from sheshbesh.server.tables.begin import begin
from sheshbesh.server.tables.seats import MatchAgreement, Seat
from tests.server.conftest import running_app
from tests.server.fixtures import random_action
from tests.server.live import WITHOUT_ENGINES

CARDS = ("backgammon.p3.dice-seeded", "tavla.p3.dice-seeded", "gul_bara.p3.clock-d12-120.dice-seeded")
_ACTIONS = 60


@dataclass(frozen=True)
class Disk:
    """A folder whose files are kept as they were at their last sync, and which can fail."""

    folder: Path
    kept: Path
    library: Path

    @classmethod
    def below(cls, path: Path, library: Path) -> Disk:
        """Make the folders, which a `compiled` library watches."""
        disk = cls(path / "disk", path / "kept", library)
        disk.folder.mkdir()
        disk.kept.mkdir()
        return disk

    @property
    def environment(self) -> Mapping[str, str]:
        """That of a process whose writes are watched."""
        names = {"DISK_FOLDER": self.folder, "DISK_KEPT": self.kept, "LD_PRELOAD": self.library}
        return os.environ | WITHOUT_ENGINES | {name: str(path) for name, path in names.items()}

    def fail(self, how: str | None) -> None:
        """From now on syncs fail ("sync") or no file grows ("full"); None ends that."""
        fault = self.kept / "fault"
        if how is None:
            fault.unlink()
        else:
            fault.write_text(how)


def compiled(folder: Path) -> Path:
    """Compile what watches the folders of disks."""
    library = folder / "disk.so"
    compiler = [os.environ.get("CXX", "c++"), "-shared", "-fPIC", "-O1"]
    subprocess.run([*compiler, "-o", library, Path(__file__).with_suffix(".cpp"), "-ldl"], check=True)
    return library


async def _play(database: str) -> None:
    seat = Seat("guest", "Nava")
    async with running_app(database=database, limits=False) as app:
        registry = app.state.site.matches

        async def table(number: int) -> None:
            chance = random.Random(number)
            card = Card.from_code(CARDS[number % len(CARDS)])
            seats = {Side.WHITE: seat, Side.BLACK: seat}
            agreement = MatchAgreement(f"m{number}", card, seats, seed=str(number))
            await begin(app.state.site.database, agreement)
            room = await registry.get(agreement.id)
            for ref in range(_ACTIONS):
                side, action = random_action(room.session, chance)
                assert await room.act(side, action, ref=str(ref)) is None
                print(room.id, ref, flush=True)

        await asyncio.gather(*(table(number) for number in range(len(CARDS))))
        _exit(0)  # nothing is closed, and so nothing more is written


if __name__ == "__main__":
    asyncio.run(_play(sys.argv[1]))
