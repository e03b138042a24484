"""What a chouette's bots and views use of its room, and a room of the process around it."""

from __future__ import annotations

from typing import Protocol

from sheshbesh.server.chouettes.presence import ChouettePresence
from sheshbesh.server.chouettes.store import ChouetteStore
from sheshbesh.server.chouettes.table import ChouetteTable
from sheshbesh.server.matches.port import EnginePort, LiveRoom, Spawner
from sheshbesh.session import Action, Chouette


class BotPort(Spawner, Protocol):
    """What bots use of the process around their room."""

    @property
    def engines(self) -> EnginePort:
        """The engine that decides for bots."""

    @property
    def pace(self) -> float:
        """The factor by which the least time that bots take is multiplied."""


class ChouetteInPlay(LiveRoom, Protocol):
    """A chouette that has begun. `ChouetteRoom` is one."""

    table: ChouetteTable
    state: Chouette
    presence: ChouettePresence
    advice: dict[str, str]

    @property
    def port(self) -> BotPort:
        """The process around the room."""

    def here(self) -> frozenset[str]:
        """The names whose people are connected to this process."""

    async def act(self, actor: str, action: Action, *, key: str | None = None, guessed: bool = False) -> None:
        """Let a person act by name, or a bot, which is stored then; Refused if it is not accepted."""


class ChouettePort(BotPort, Protocol):
    """The process around a room. `ChouetteRooms` is one."""

    @property
    def store(self) -> ChouetteStore:
        """Where chouettes are stored."""

    def now(self, table: ChouetteTable) -> int:
        """The time of a chouette in ms."""

    def may_renew_chain(self, who: str) -> bool:
        """Count one more chain of dice that was lost; False where there were too many."""

    def announce(self, room: ChouetteInPlay) -> None:
        """Notify other processes that the chouette has new events."""

    def announce_people(self, room: ChouetteInPlay) -> None:
        """Notify other processes of who is connected here."""
