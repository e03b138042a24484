"""Core against oracle on one position and one throw."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from tests.reference.boards import to_board
from tests.reference.core import Core
from tests.reference.plays import Sequence, legal_plays, rule_abiding
from tests.reference.position import Position
from tests.reference.results import result
from tests.reference.turns import element_of


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where core and oracle differ, with all that is needed to see it again."""

    game: str
    options: Mapping[str, object]
    position: str
    """The text id."""
    board: Mapping[str, object]
    turn: str
    dice: tuple[int, int]
    what: str
    only_core: Collection[object] = field(default=())
    only_oracle: Collection[object] = field(default=())

    def __str__(self) -> str:
        lines = [
            f"{self.game} {dict(self.options)}: {self.what} differ",
            f"  id     {self.position}",
            f"  board  {dict(self.board)}",
            f"  turn   {self.turn}, dice {self.dice}",
        ]
        lines += [f"  core only:   {entry}" for entry in self.only_core]
        lines += [f"  oracle only: {entry}" for entry in self.only_oracle]
        return "\n".join(lines)


class Comparison:
    """A game with options, asked of both sides."""

    def __init__(self, game: str, options: Mapping[str, object]) -> None:
        self.game = game
        self.options = options
        self.core = Core(game, options)
        self.rules = self.core.rules

    def compare(
        self, pos: Position, dice: tuple[int, int], rng: random.Random, *, depth: float
    ) -> tuple[Disagreement | None, list[Position]]:
        """Return the first difference, if any, and the oracle's final positions.

        The result before the throw and all final positions are always compared, and the history of
        one of these (of all, if it may differ from play to play). The results after the throw and
        the prefixes are compared with probability `depth`.
        """
        here = self.core.position(pos)
        plays = legal_plays(self.rules, pos, dice)
        finals = list(plays)
        found = self._differ(pos, dice, "ids", [here.id], [self.core.id_of(pos)])
        found = found or self._differ(
            pos, dice, "results", [self.core.result(here)], [result(self.rules, pos)]
        )
        found = found or self._differ_finals(pos, dice, plays, rng)
        if not found and finals and rng.random() < depth:
            found = self._differ_results(pos, dice, finals) or self._differ_steps(pos, dice, rng)
        return found, finals

    def _differ_finals(
        self,
        pos: Position,
        dice: tuple[int, int],
        plays: Mapping[Position, list[Sequence]],
        rng: random.Random,
    ) -> Disagreement | None:
        theirs = self.core.finals(self.core.position(pos), dice)
        ours = list(plays)
        keys = {self.core.key(final): final for final in theirs}
        same = keys.keys() == {self.core.key_of(final) for final in ours}
        if same and len(keys) == len(theirs) and ours and self.rules.mother != "plays_on":
            one = rng.choice(ours)
            theirs, ours = [keys[self.core.key_of(one)]], [one]
        ids = [final.id for final in theirs]
        if len(ids) != len(set(ids)):
            twice = {key for key in ids if ids.count(key) > 1}
            return self._disagreement(pos, dice, "final positions listed twice", twice, ())
        found = self._differ(pos, dice, "final positions", ids, [self.core.id_of(final) for final in ours])
        if not found:
            return None
        examples = {self.core.id_of(final): sequences[0] for final, sequences in plays.items()}
        named = [(key, examples[key]) for key in found.only_oracle if isinstance(key, str)]
        return self._disagreement(pos, dice, found.what, found.only_core, named)

    def _differ_results(
        self, pos: Position, dice: tuple[int, int], finals: Collection[Position]
    ) -> Disagreement | None:
        reached = self.core.finals(self.core.position(pos), dice)
        theirs = [(final.id, self.core.result(final)) for final in reached]
        ours = [(self.core.id_of(final), result(self.rules, final)) for final in finals]
        return self._differ(pos, dice, "results after plays", theirs, ours)

    def _differ_steps(self, pos: Position, dice: tuple[int, int], rng: random.Random) -> Disagreement | None:
        """Compare what may follow at every state of the play, each reached by one random way."""
        graph, _ = rule_abiding(self.rules, pos, element_of(self.rules, pos, dice))
        here = self.core.position(pos)
        ways: dict[object, list[Sequence]] = {graph.root: [()]}
        for node, edges in graph.edges.items():
            way = rng.choice(ways[node])
            ours = {(step.source, step.target, step.die) for step, _ in edges}
            theirs = self.core.next_steps(here, dice, way)
            found = self._differ(pos, dice, f"steps after {way}", list(theirs), list(ours))
            if found:
                return found
            for step, child in edges:
                ways.setdefault(child, []).append((*way, step))
        return None

    def _differ(
        self,
        pos: Position,
        dice: tuple[int, int],
        what: str,
        core: Collection[object],
        oracle: Collection[object],
    ) -> Disagreement | None:
        if set(core) == set(oracle):
            return None
        only_core = [entry for entry in core if entry not in oracle]
        only_oracle = [entry for entry in oracle if entry not in core]
        return self._disagreement(pos, dice, what, only_core, only_oracle)

    def _disagreement(
        self,
        pos: Position,
        dice: tuple[int, int],
        what: str,
        only_core: Collection[object],
        only_oracle: Collection[object],
    ) -> Disagreement:
        board, key = to_board(self.rules, pos), self.core.id_of(pos)
        return Disagreement(self.game, self.options, key, board, pos.turn, dice, what, only_core, only_oracle)
