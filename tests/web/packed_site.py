"""The site of browser tests: python -m tests.web.packed_site WEB LOTS serve, as `sheshbesh serve`.

WEB is the folder of the page. LOTS is a folder with a file `seed`: what is thrown or drawn by lot in a match
follows from what stands there when the match begins, and from how many have begun with it. Its file `engines`
says how questions to them fare: "well", "gone" (nobody answers) or "crowded" (no player's is taken).
"""

from __future__ import annotations

import hashlib
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sheshbesh.cli.main import main
from sheshbesh.fairdice import dice_from_links, dice_from_seed, table

_LENGTH = 16
"""Characters of the id of a match with seeded dice; others have fewer."""


class Lots:
    """What the site draws by lot; without a seed as it does for its users."""

    def __init__(self, folder: Path, new_id: Callable[[], str]) -> None:
        self._folder, self._new_id = folder, new_id

    def _draw(self, kind: str) -> str:
        """Sixteen letters and digits, which no other draw of this folder has had."""
        seed = (self._folder / "seed").read_text()
        before = self._folder / hashlib.sha256(f"{seed}/{kind}".encode()).hexdigest()
        # In a file, since the site may be killed and started again.
        number = int(before.read_text()) if before.exists() else 0
        before.write_text(str(number + 1))
        return "t" + hashlib.sha256(f"{seed}/{kind}/{number}".encode()).hexdigest()[: _LENGTH - 1]

    @property
    def is_open(self) -> bool:
        """True if nothing is decided beforehand."""
        return not (self._folder / "seed").read_text()

    def match(self) -> str:
        """The id of a match, from which its dice and the errors of weak engines follow."""
        return self._new_id() if self.is_open else self._draw("match")

    def choice(self, options: Sequence[Any]) -> Any:
        """One of these."""
        return options[self.randbelow(len(options))]

    def randbelow(self, end: int) -> int:
        """A number from 0 to one below `end`."""
        return secrets.randbelow(end) if self.is_open else int(self._draw("number")[1:], 16) % end

    def token_hex(self, size: int) -> str:
        """Bytes as text."""
        return secrets.token_hex(size) if self.is_open else self._draw("token")


def dice(*, game: str, number: int, server: bytes, white: bytes, black: bytes) -> tuple[int, int]:
    """The dice of a throw: of a match with a seed whatever the links are, one of which may come too late."""
    if len(game.partition("/")[0]) < _LENGTH:
        return dice_from_links(game=game, number=number, server=server, white=white, black=black)
    return dice_from_seed(b"tests", game=game, number=number)


def serve(web: str, folder: str) -> None:
    """Run the command of the rest of the arguments."""
    # Not above: the engines of the site have no use for all this.
    from argon2 import PasswordHasher

    from sheshbesh.server.engine import workers
    from sheshbesh.server.engine.queue import NOT_STARTED, EngineBusyError, EngineError, FairQueue, Urgency
    from sheshbesh.server.http import static
    from sheshbesh.server.http.api import chouettes, tables
    from sheshbesh.server.ids import new_id
    from sheshbesh.server.lobby import seeks
    from sheshbesh.server.people import passwords
    from sheshbesh.server.tables import begin, gathering

    lots: Any = Lots(Path(folder), new_id)
    for module in (begin, seeks, chouettes, tables):
        vars(module)["new_id"] = lots.match
    for module in (begin, gathering):
        vars(module)["secrets"] = lots
    static.FOLDER = Path(web)
    static._VENDOR = static.FOLDER / "vendor"
    # They replay matches, too.
    workers.COMMAND = ("-m", "tests.web.packed_site", "engine")
    put = FairQueue.put

    def put_if(queue: FairQueue, job: Any) -> None:
        engines = (Path(folder) / "engines").read_text()
        if engines == "gone":
            raise EngineError(f"no process runs that could answer {job.kind}", NOT_STARTED)
        if engines == "crowded" and job.urgency in (Urgency.ADVICE, Urgency.ANALYSIS):
            raise EngineBusyError("0 questions wait already")
        put(queue, job)

    vars_of: Any = FairQueue
    vars_of.put = put_if
    # What a guess costs is the matter of no test with a browser.
    passwords.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    main()


if __name__ == "__main__":
    vars(table)["dice_from_links"] = dice
    if "serve" in sys.argv:
        given, sys.argv[1:] = sys.argv[1:3], sys.argv[3:]
        serve(*given)
    else:
        main()
