"""Backgammon against gnubg: `python -m benchmarks.strength.gnubg --plies 0`, then `--plies 2`.

Our net against gnubg-nn's at the same number of plies, cubeless money. Each sequence of dice is played
twice with the seats exchanged; the first throw of a game is no double. Games are played side by side and
go on where a stopped run was: pairs are numbered and seeded by their number.

`--luck` takes the luck of the dice out: at every throw the value of the best play by our static net less
the mean of that over all 36 throws. The mean of this is zero whatever is played and evaluated, so
the score stays unbiased and its error shrinks to a third or so. Only the first throw, which is no double
but centred over all 36 as well, is off; it is the same in both games of a pair, ours once and gnubg's
once, so that it cancels in the pair (and not in a game alone). It costs about as much as a 1-ply
search at each decision.

Time is processor time of this process, only what the players spend on choosing, decisions with one
legal play left out on both sides.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from pathlib import Path
from typing import Any

import sheshbesh as sb
from benchmarks.strength import store
from benchmarks.strength.peer import Gnubg
from sheshbesh import _core
from sheshbesh.engines import Classes, bearoff_databases, registry
from sheshbesh.engines.utility import utility

OURS, THEIRS = 0, 1


@dataclass
class Sums:
    """What has been played so far; points are ours less theirs, squares are of whole pairs."""

    pairs: int = 0
    points: float = 0.0
    squares: float = 0.0
    adjusted: float = 0.0
    adjusted_squares: float = 0.0
    wins: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    decisions: list[int] = field(default_factory=lambda: [0, 0])

    def add_pair(self, points: float, luck: float) -> None:
        """Count a finished pair."""
        self.pairs += 1
        self.points += points
        self.squares += points**2
        self.adjusted += points - luck
        self.adjusted_squares += (points - luck) ** 2

    def per_game(self, *, adjusted: bool = False) -> tuple[float, float]:
        """Points a game, and their standard error from the spread of the pairs."""
        total, squares = (self.adjusted, self.adjusted_squares) if adjusted else (self.points, self.squares)
        if self.pairs < 2:
            return total / max(2 * self.pairs, 1), inf
        spread = max(squares - total**2 / self.pairs, 0.0)
        return total / (2 * self.pairs), sqrt(spread / (self.pairs - 1) / self.pairs) / 2


@dataclass
class Game:
    """One game of a pair; `luck` is ours less theirs."""

    pair: int
    ours_black: bool
    chance: random.Random
    state: _core.State
    throws: int = 0
    luck: float = 0.0
    points: int | None = None

    def throw(self) -> tuple[int, int]:
        """The next dice: both games of a pair see the same."""
        while True:
            dice = self.chance.randint(1, 6), self.chance.randint(1, 6)
            if self.throws or dice[0] != dice[1]:
                self.throws += 1
                return dice

    @property
    def player(self) -> int:
        """Who is on roll."""
        return OURS if self.state.black_on_roll == self.ours_black else THEIRS


class Match:
    """Pairs of games between our net and gnubg's."""

    def __init__(self, found: registry.Found, plies: int, seed: int, *, luck: bool, bearoff: bool) -> None:
        self.game = sb.variant("backgammon")
        self.plies, self.seed, self.luck, self.bearoff = plies, seed, luck, bearoff
        self.core = self.game._core
        net = found.load()
        exact = bearoff_databases.for_variant(self.game) if bearoff else ()
        self.ours = _core.Player.net(net, self.core, databases=exact, plies=plies)
        self.theirs = Gnubg()
        self._search = _core.Searcher(net, self.core)
        self._money = utility(Classes.of(self.game), None, sb.Side.WHITE, None)

    def play(self, first: int, count: int, sums: Sums) -> None:
        """Play pairs number first, first + 1, ... side by side and add them up."""
        games = [
            self._new(pair, ours_black=black)
            for pair in range(first, first + count)
            for black in (False, True)
        ]
        running = games
        while running:
            asked = [(game, *game.throw()) for game in running]
            if self.luck:
                for game, *dice in asked:
                    gained = luck(self._search, self._money, game.state, (dice[0], dice[1]))
                    game.luck += gained if game.player == OURS else -gained
            turns = [each[0].player for each in asked]
            self._our_turn([each for each, who in zip(asked, turns, strict=True) if who == OURS], sums)
            self._their_turn([each for each, who in zip(asked, turns, strict=True) if who == THEIRS], sums)
            running = [game for game in running if game.points is None]
        for one, two in zip(games[::2], games[1::2], strict=True):
            assert one.points is not None
            assert two.points is not None
            sums.wins += (one.points > 0) + (two.points > 0)
            sums.add_pair(one.points + two.points, one.luck + two.luck)

    def _new(self, pair: int, *, ours_black: bool) -> Game:
        chance = random.Random(f"gnubg {self.seed} {pair}")
        return Game(pair, ours_black, chance, _core.start(self.core, bool(pair % 2)))

    def _our_turn(self, asked: list[tuple[Game, int, int]], sums: Sums) -> None:
        if not asked:
            return
        plays = [_core.legal_plays(self.core, game.state, *dice) for game, *dice in asked]
        real = [i for i, each in enumerate(plays) if len(each) > 1]
        begun = time.process_time()
        found = self.ours.choose([(asked[i][0].state, asked[i][1], asked[i][2]) for i in real])
        sums.seconds[OURS] += time.process_time() - begun
        sums.decisions[OURS] += len(real)
        chosen = dict(zip(real, found, strict=True))
        for i, (game, *_) in enumerate(asked):
            self._move(game, plays[i].after(chosen.get(i, 0)))

    def _their_turn(self, asked: list[tuple[Game, int, int]], sums: Sums) -> None:
        for game, first, second in asked:
            begun = time.process_time()
            plays = len(_core.legal_plays(self.core, game.state, first, second))
            _, after = self.theirs.choose(game.state, first, second, self.plies)
            if plays > 1:
                sums.seconds[THEIRS] += time.process_time() - begun
                sums.decisions[THEIRS] += 1
            self._move(game, after)

    def _move(self, game: Game, after: _core.State) -> None:
        _, winner, points = _core.result(self.core, after)
        if winner:
            black_won = after.black_on_roll == (winner == 1)
            game.points = points if black_won == game.ours_black else -points
        game.state = after


def luck(search: _core.Searcher, money: Sequence[float], state: _core.State, dice: tuple[int, int]) -> float:
    """What a throw is worth to the side on roll, by the static net: the best play less the usual one."""
    best = search.rank(state, *dice, money, 0)[0][2]
    before = search.value(state, money, 1)
    return best - sum(p * worth for p, worth in zip(before, money, strict=True))


def result(sums: Sums, match: Match, found: registry.Found) -> dict[str, Any]:
    """What is entered."""
    per_game, error = sums.per_game()
    content = {
        **store.described(found.manifest),
        "peer": f"gnubg-nn {match.theirs.version}",
        "plies": match.plies,
        "bearoff": match.bearoff,
        "seed": match.seed,
        "games": 2 * sums.pairs,
        "wins": sums.wins,
        "per_game": round(per_game, 5),
        "error": round(error, 5),
        "ms_per_decision": [
            round(1000 * spent / max(count, 1), 4)
            for spent, count in zip(sums.seconds, sums.decisions, strict=True)
        ],
        "decisions": sums.decisions,
    }
    if match.luck:
        adjusted, adjusted_error = sums.per_game(adjusted=True)
        content |= {"adjusted": round(adjusted, 5), "adjusted_error": round(adjusted_error, 5)}
    return content


def main(arguments: Sequence[str] | None = None) -> int:
    """Play until there are enough games; print and enter the score after each part."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength.gnubg", description="Our net against gnubg's."
    )
    parser.add_argument("--plies", type=int, default=0, choices=(0, 1, 2), help="how deep both look (0)")
    parser.add_argument("--games", type=int, help="number of games in all (100,000 at 0 plies, else 2,000)")
    parser.add_argument("--minutes", type=float, default=inf, help="stop after this many minutes")
    parser.add_argument("--luck", action=argparse.BooleanOptionalAction, help="adjust (at 1 and 2 plies)")
    parser.add_argument(
        "--bearoff", action=argparse.BooleanOptionalAction, default=True, help="our bear-off databases (yes)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nets", nargs="+", default=(), type=Path, help="folders with nets of one's own")
    parser.add_argument("--state", type=Path, default=store.STATE, help="where a stopped run goes on from")
    parser.add_argument("--out", type=Path, default=store.RESULTS, help="the folder of results")
    options = parser.parse_args(arguments)
    plies: int = options.plies
    luck = plies > 0 if options.luck is None else options.luck
    pairs = (options.games or (100_000 if plies == 0 else 2_000)) // 2
    found = store.own_net(sb.variant("backgammon"), options.nets)
    if isinstance(found, str):
        print(f"backgammon: {found}")
        return 1
    match = Match(found, plies, options.seed, luck=luck, bearoff=options.bearoff)
    key = {
        "net": found.manifest.sha256,
        "plies": plies,
        "seed": options.seed,
        "luck": luck,
        "bearoff": options.bearoff,
    }
    state = store.State(options.state / "gnubg", f"{plies}-ply", {**key, "peer": match.theirs.version})
    sums = Sums(**state.done)
    begun = time.monotonic()
    chunk = 250 if plies == 0 else 4
    while sums.pairs < pairs and time.monotonic() - begun < 60 * options.minutes:
        match.play(sums.pairs, min(chunk, pairs - sums.pairs), sums)
        state.done = vars(sums)
        state.save()
        store.enter("gnubg", f"{plies}-ply", result(sums, match, found), options.out)
        said = "{:+.4f} ± {:.4f}".format(*sums.per_game())
        if luck:
            said += ", luck taken out {:+.4f} ± {:.4f}".format(*sums.per_game(adjusted=True))
        ours, theirs = result(sums, match, found)["ms_per_decision"]
        print(
            f"{2 * sums.pairs} games: {said} points a game; {ours:.3f} and {theirs:.3f} ms a decision",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
