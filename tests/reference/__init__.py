"""The oracle: the rule sheets once more, slow and plain, written to disagree with the core.

Nothing here is shared with the core or with `sheshbesh.rules`; the only common ground is the
meaning of the axes. Where both agree on a million positions, one reading of the sheets was
understood twice.

    rules      the axes as one typed value
    position   sides, positions, what is pending
    boards     positions from and to the boards of the vectors
    steps      one checker, one die: what the step rules allow
    banned     hit and run: which checker hit, followed through every assignment of identities
    plays      whole plays: all sequences, then the duties
    turns      what a play leads to: next side, chains, bonus throws, handed-over dice
    results    who has won, read from the position
    opening    who starts and with what

`vectors` checks any implementation against the test vectors through a small adapter, that of the
oracle is `oracle`. `soak` compares core and oracle on positions of `games`; `core` is the one
place that knows the core's public interface.
"""

from tests.reference.boards import from_board, to_board
from tests.reference.opening import Opening, opening
from tests.reference.plays import legal_plays, legal_prefixes
from tests.reference.position import Pending, Position, Side, start
from tests.reference.results import Result, result
from tests.reference.rules import Rules, read_axes

__all__ = [
    "Opening",
    "Pending",
    "Position",
    "Result",
    "Rules",
    "Side",
    "from_board",
    "legal_plays",
    "legal_prefixes",
    "opening",
    "read_axes",
    "result",
    "start",
    "to_board",
]
