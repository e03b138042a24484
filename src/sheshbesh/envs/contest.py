"""A game or a match as a sequence of decisions, for one process and one board at a time.

The core throws the dice and plays; here are the decisions about the cube, the score, and what each side sees.
"""

from __future__ import annotations

import io
import operator
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sheshbesh import _core
from sheshbesh.match import MatchState
from sheshbesh.pictures import scene_of, svg
from sheshbesh.pictures.raster import png
from sheshbesh.rules import Position, Roll, Side, Variant, variant
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.side import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

PLAY, DOUBLE, ANSWER = 0, 1, 2
"""The phases: a play (or a double to be named), to double or not, the answer to a double."""

DICE, PHASE, CUBE = 116, 119, 120
"""The places in an observation at which the dice, the phase and the score with its cube begin; see
`docs/guide/envs.md`."""

WIDTH = int(_core.OBSERVATION)
LONGEST = 2000
"""Decisions after which a game is given up: some rule sets can lock both sides."""

LONGEST_MATCH = 255
"""Points: an observation has one byte for what a side still needs."""


def _swap() -> NDArray[np.intp]:
    """The places of an observation as the other side numbers them."""
    places = np.arange(WIDTH)
    for mine, theirs, size in (
        (0, 27, 27),
        (54, 78, 24),
        (103, 104, 1),
        (105, 106, 1),
        (107, 108, 1),
        (122, 123, 1),
    ):
        places[mine : mine + size] = np.arange(theirs, theirs + size)
        places[theirs : theirs + size] = np.arange(mine, mine + size)
    return places


_SWAP = _swap()
_OWNER_SWAPPED = np.array([0, 2, 1], np.uint8)


def game_of(name: str | Variant, options: Mapping[str, object]) -> Variant:
    """The rule set of an environment; VariantError for an unknown game or option.

    ValueError for options beside a rule set, which has its own.
    """
    if isinstance(name, Variant):
        if options:
            raise ValueError(f"a rule set has its options already: leave {', '.join(options)} out")
        return name
    return variant(name, **options)


RENDER_MODES = ["human", "ansi", "rgb_array"]
"""Ways to show a board: printed after every decision, or returned by `render` as text or as a picture."""

PICTURE_WIDTH = 640
"""Pixels."""


def checked_mode(render_mode: str | None) -> str | None:
    """A render mode; ValueError for an unknown one."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"there is no render mode {render_mode!r}, only {', '.join(RENDER_MODES)}")
    return render_mode


def whole_number(value: object, *, least: int, most: int, what: str) -> int:
    """A number from Python or NumPy; ValueError for anything that is none or outside the bounds."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # TypeError is the answer
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise ValueError(f"{what} is a whole number, {least} to {most}, not {value!r}")
    return number


def seed_of(seed: object) -> int:
    """The seed that is meant, drawn for None; ValueError for one that is no whole number of 0 or more."""
    if seed is None:
        return secrets.randbits(63)
    try:
        number = operator.index(seed)  # type: ignore[arg-type]  # TypeError is the answer
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"a seed is a whole number, 0 or more, not {seed!r}")
    return number


def may_start_with_double(rules: Variant) -> bool:
    """Return True if the first throw of a game may be a double: not where the dice of the draw are played."""
    return rules.axes["opening"]["dice"] != "played"


class Contest:
    """A game for points, or a match of `match` points, between White and Black.

    `legal` is the number of legal actions of the side `actor`, `phase` what they mean: the plays of the
    throw in the order of `Position.legal_plays` (or the doubles 1-1 to 6-6 where one is to be named); 0
    to roll and 1 to double; 0 to drop and 1 to take. `rewards` are what the last action brought each
    side: points in money play, 1 and -1 at the end of a match. ValueError for a match of less than a
    point or of more than `LONGEST_MATCH`, and for a `cube` that is neither true nor false.
    """

    def __init__(
        self, rules: Variant, *, match: int | None = None, cube: bool = False, longest: int = LONGEST
    ) -> None:
        if match is not None:
            match = whole_number(match, least=1, most=LONGEST_MATCH, what="the length of a match")
        if not isinstance(cube, bool):
            raise ValueError(f"cube is true or false, not {cube!r}")
        self.rules = rules
        self.width = int(_core.most_actions(rules._core))
        self._match, self._has_cube, self._longest = match, cube, longest
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin anew, with dice that depend on the seed alone."""
        self._game = self._new_game(seed)
        self.score = MatchState(
            length=self._match,
            jacoby=self._has_cube and self._match is None,
            allow_dead_double=bool(self.rules.axes["table"]["allow_dead_double"]),
            cube_limit=number_of(self.rules.axes, "cube", "limit") or None,
        )
        self._crawford_played = False
        self.rewards = {Side.WHITE: 0.0, Side.BLACK: 0.0}
        self.is_over = self.is_truncated = False
        self._begin()

    def __getstate__(self) -> dict[str, object]:
        # The core's game does not travel, what it goes on from does.
        return {**vars(self), "_game": self._game.memory()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._game = self._new_game(0)
        self._game.recall(state["_game"])

    def _new_game(self, seed: int) -> _core.Game:
        return _core.Game(
            self.rules._core,
            seed & (2**64 - 1),
            first_double=may_start_with_double(self.rules),
            longest=self._longest,
        )

    def _begin(self) -> None:
        self.phase, self.legal = PLAY, self._game.actions
        self.actor = self._on_roll

    @property
    def _on_roll(self) -> Side:
        return SIDES[self._game.black_on_roll]

    @property
    def position(self) -> Position:
        """The position on the board, for the side on roll."""
        return Position(self.rules, self._game.state)

    @property
    def is_naming(self) -> bool:
        """True if the action names a double."""
        return self.phase == PLAY and self._game.dice[2] == 0

    @property
    def dice(self) -> tuple[int, int]:
        """The dice that are played, larger number first: the throw, or the element that is owed."""
        high, low, _ = self._game.dice
        return high, low

    def afterstates(self) -> NDArray[np.uint8]:
        """The positions after each legal action, as rows of `to_rows`; none in the phases of the cube."""
        rows = self._game.afterstates()
        return rows if self.phase == PLAY else rows[:0]

    # Decisions

    def step(self, action: int) -> None:
        """Make a decision; ValueError for one that is not legal."""
        if not 0 <= action < self.legal:
            raise ValueError(f"there are {self.legal} legal actions, and {action} is none of them")
        self.rewards = {Side.WHITE: 0.0, Side.BLACK: 0.0}
        if self.phase == PLAY:
            self._play(action)
        elif self.phase == DOUBLE:
            if action:
                self.phase, self.actor = ANSWER, self.actor.other
            else:
                self._begin()
        elif action:
            self._set_cube(2 * self.score.cube, self.actor)
            self._begin()
        else:
            self._end_game(self.actor.other, self.score.points("drop"))

    def _play(self, action: int) -> None:
        mover = self.actor
        game = self._game
        self.legal = game.step(action)
        if game.is_over:
            if game.truncated:
                self.is_truncated, self.legal = True, 0
                return
            result = self.position.result
            assert result is not None
            self._end_game(result.winner, 0 if result.winner is None else self.score.points(result))
            return
        self.actor = self._on_roll
        if self._has_cube and self.actor is not mover and not self.position.pending and self._may_double():
            self.phase, self.legal = DOUBLE, 2

    def _may_double(self) -> bool:
        return self.score.may_double(self.actor)

    def _set_cube(self, cube: int, owner: Side | None) -> None:
        self.score = replace(self.score, cube=cube, owner=owner)

    def _end_game(self, winner: Side | None, points: int) -> None:
        if self._match is None:
            self.is_over, self.legal = True, 0
            if winner is not None:
                self.rewards[winner], self.rewards[winner.other] = float(points), -float(points)
            return
        white = self.score.white + points * (winner is Side.WHITE)
        black = self.score.black + points * (winner is Side.BLACK)
        score = replace(self.score, white=white, black=black, cube=1, owner=None, crawford=False)
        if winner is not None and max(white, black) >= self._match:
            self.score = score
            self.is_over, self.legal = True, 0
            self.rewards[winner], self.rewards[winner.other] = 1.0, -1.0
            return
        is_crawford = self._has_cube and not self._crawford_played and self._match - 1 in (white, black)
        self._crawford_played |= is_crawford
        self.score = replace(score, crawford=is_crawford)
        self._game.reset()
        self._begin()

    # What is seen

    def render(self, render_mode: str | None) -> str | NDArray[np.uint8] | None:
        """Show the board, with its dice and its cube, in a render mode.

        Returns
        -------
        str, ndarray or None
            The text in the mode "ansi"; in "rgb_array" the picture, bytes of shape (height, 640, 3). None in
            "human", where the text is printed, and without a mode.

        Raises
        ------
        ImportError
            A package that makes pictures is missing, in the mode "rgb_array".
        """
        if render_mode == "human":
            print(self.position, flush=True)
        if render_mode == "rgb_array":
            return self._picture()
        return str(self.position) if render_mode == "ansi" else None

    def _picture(self) -> NDArray[np.uint8]:
        try:
            from PIL import Image
        except ImportError as error:
            raise ImportError(
                f"pictures need the extra `envs`: pip install 'sheshbesh[envs]' ({error})"
            ) from None
        shown = self.legal and self.phase == PLAY and not self.is_naming
        dice = Roll(*self.dice) if shown else None
        drawing = svg(scene_of(self.position, match=self.score, dice=dice))
        with Image.open(io.BytesIO(png(drawing, PICTURE_WIDTH))) as picture:
            return np.asarray(picture.convert("RGB"), np.uint8)

    def observe(self, side: Side) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Return what a side sees, its own side first, and which actions are legal: none if it does not
        decide."""
        seen = np.zeros(WIDTH, np.uint8)
        mask = np.zeros(self.width, np.int8)
        self._game.write(seen, mask)
        score, mover = self.score, self._on_roll
        if self.phase != PLAY:
            seen[DICE : DICE + 3] = 0
        seen[PHASE] = self.phase
        seen[CUBE] = score.cube.bit_length() - 1
        seen[CUBE + 1] = 0 if score.owner is None else 1 if score.owner is mover else 2
        seen[CUBE + 2] = score.away(mover) or 0
        seen[CUBE + 3] = score.away(mover.other) or 0
        seen[CUBE + 4] = score.crawford
        if side is not mover:
            seen = seen[_SWAP]
            seen[CUBE + 1] = _OWNER_SWAPPED[seen[CUBE + 1]]
        mask[:] = 0
        if side is self.actor:
            mask[: self.legal] = 1
        return seen, mask
