"""Compare legal plays with the peers on many positions: `python -m tests.peers.compare --help`."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import sheshbesh as sb
from tests.peers import gnubg, spiel
from tests.peers.boards import Board, board, our_results
from tests.peers.positions import Dice, sample

GAMES = ("backgammon", "hypergammon")
PEERS = {"gnubg-nn": "gnubg_nn", "open_spiel": "pyspiel"}
"""The peers and the modules they are imported as."""

_MOST_SHOWN = 5


@dataclass
class Comparison:
    """How much was compared, and everything that differed, as text."""

    positions: int = 0
    doubles: int = 0
    passes: int = 0
    entering: int = 0
    bearing_off: int = 0
    results: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, position: sb.Position, dice: Dice, theirs: Iterable[Board]) -> None:
        """Compare the final positions of one throw; each side must list each of its own once.

        Counts what kind of position it was: a comparison that never saw a bear-off proves little.
        """
        ours, theirs = our_results(position, dice), list(theirs)
        own = position.counts(position.turn)
        self.positions += 1
        self.doubles += dice[0] == dice[1]
        self.passes += ours == [board(position)]
        self.entering += own[26] > 0
        self.bearing_off += sum(own[7:]) == 0
        self.results += len(ours)
        if sorted(ours) != sorted(theirs):
            self.differences.append(
                f"{position.id} with {dice[0]}-{dice[1]}: {len(ours)} and {len(theirs)} final positions, "
                f"only ours {sorted(set(ours) - set(theirs))}, only theirs {sorted(set(theirs) - set(ours))}"
            )

    def __str__(self) -> str:
        return (
            f"{self.positions} positions ({self.doubles} doubles, {self.entering} entering, "
            f"{self.bearing_off} bearing off, {self.passes} passes), {self.results} final positions, "
            f"{len(self.differences)} differences"
        )


def compare(name: str, peer: Any, game: sb.Variant, positions: int, seed: int) -> Comparison:
    """Compare with the peer called `name`: gnubg-nn on our positions, open_spiel on its own."""
    done = Comparison()
    if name == "gnubg-nn":
        for position, dice in sample(game, positions, seed):
            done.add(position, dice, gnubg.results(peer, position, dice))
    else:
        for state in islice(spiel.throws(peer, game.name, seed), positions):
            done.add(spiel.carry_over(state, game), spiel.dice(state), spiel.results(state, game))
    return done


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison; the exit status is 1 if anything differed."""
    parser = argparse.ArgumentParser(description="Compare legal plays with programs by other people.")
    parser.add_argument("--positions", type=int, default=20_000, help="positions for each game and peer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--peers", nargs="+", default=list(PEERS), choices=PEERS)
    options = parser.parse_args(arguments)
    failed = False
    for name in options.peers:
        peer = importlib.import_module(PEERS[name])
        for game in options.games:
            found = compare(name, peer, sb.variant(game), options.positions, options.seed)
            print(f"{name}, {game}: {found}")
            for difference in found.differences[:_MOST_SHOWN]:
                print(f"  {difference}")
            failed = failed or bool(found.differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
