"""A game: its compiled rules, its start, and the door to its positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Unpack

from sheshbesh import _core
from sheshbesh.rules import ids, loader, setup
from sheshbesh.rules.axes import AXES, TABLE_ONLY, Axis, setup_of
from sheshbesh.rules.history import History, HistoryFields, give_history
from sheshbesh.rules.notation import OFF
from sheshbesh.rules.position import Position
from sheshbesh.rules.refusal import RULES, Refusal, word
from sheshbesh.rules.roll import Opening, OpeningRule
from sheshbesh.rules.setup import Geometry
from sheshbesh.rules.side import Side

_DEEPEST_PERFT = 20
"""Far beyond what can be counted; a larger depth is a typing error and would overflow the core."""


def _compiled_number(axis: Axis, value: object) -> int:
    return axis.words.index(str(value)) if axis.kind == "str" else int(value)  # type: ignore[call-overload]


def compiled(axes: loader.Axes) -> tuple[dict[str, int], dict[int, int]]:
    """Translate answers for the core: a number for each of its axes, and the checkers at the start."""
    numbers = {
        f"{table}.{key}": _compiled_number(axis, axes[table][key])
        for table, keys in AXES.items()
        if table not in TABLE_ONLY
        for key, axis in keys.items()
        if axis.kind != "setup"
    }
    return numbers, dict(setup_of(axes))


class Variant:
    """A rule set of the family, frozen: a shipped game with options, or one of a user's own.

    Equal when the fingerprints are, whatever the names. `has_chains` says whether something may be owed
    before a throw. Modules of this package may read `_core`, the rule set in the core, `_geometry`, what a
    board must satisfy, and `_data`, the game as its file gives it.

    Parameters
    ----------
    data : loader.VariantData
        The game as its file gives it.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.variant("nardegammon") == sb.variant("long_nardy")
    True
    """

    def __init__(self, data: loader.VariantData) -> None:
        self._data = data
        self._core = _core.Ruleset(*compiled(data.axes))
        self._geometry = Geometry.of(data.axes)
        throw = data.axes["throw"]
        self.has_chains = bool(
            throw["progression_from"] or throw["forfeit_simple"] or throw["one_two_bonus"] != "off"
        )

    @property
    def name(self) -> str:
        """The name by which `variant` finds the game."""
        return self._data.name

    @property
    def title(self) -> str:
        """The name for people."""
        return self._data.title

    @property
    def description(self) -> str:
        """The game in a sentence or two."""
        return self._data.description

    @property
    def region(self) -> str:
        """The region where the game is played."""
        return self._data.region

    @property
    def native(self) -> Mapping[str, str]:
        """Its names in the languages of those who play it: language -> name."""
        return self._data.native

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names by which `variant` finds the game."""
        return self._data.aliases

    @property
    def axes(self) -> loader.Axes:
        """The answers on every axis; see sheshbesh.rules.axes."""
        return self._data.axes

    @property
    def options(self) -> Mapping[str, object]:
        """The options chosen, by keyword."""
        return self._data.chosen

    @property
    def fingerprint(self) -> str:
        """A stable hash of the rules: the key of nets, databases and caches."""
        return self._data.fingerprint

    # Positions

    def start(self, turn: Side | str = Side.WHITE) -> Position:
        """Return the starting position.

        Parameters
        ----------
        turn : Side or str
            The side on roll.

        Returns
        -------
        Position
            The position.
        """
        return Position(self, _core.start(self._core, Side.of(turn) is Side.BLACK))

    def position(
        self,
        board: setup.Board,
        turn: Side | str = Side.WHITE,
        history: History | None = None,
        *,
        white_hand: int | None = None,
        black_hand: int | None = None,
        **fields: Unpack[HistoryFields],
    ) -> Position:
        """Make a position from a mapping of checkers and its history.

        Parameters
        ----------
        board : setup.Board
            Checkers in White's numbers; see `Position.board`.
        turn : Side or str
            The side on roll.
        history : History, optional
            The history as a value.
        white_hand, black_hand : int, optional
            The checkers in hand, which may stand in the mapping too.
        **fields
            The history by the keywords of `History`, which go before the value.

        Returns
        -------
        Position
            The position.

        Raises
        ------
        PositionError
            The position is impossible; `problems` has every reason.
        """
        if isinstance(board, Mapping):
            hands = {"white_hand": white_hand, "black_hand": black_hand}
            board = {**board, **{key: value for key, value in hands.items() if value is not None}}
        both, problems = setup.read_board(board, self._geometry)
        setup.refuse_if(problems, board)
        side = Side.of(turn)
        found = setup.description(both, side)
        setup.refuse_if(setup.problem_texts(found.checker_problems(self._core)), board)
        give_history(self, found, side, replace(history or History(), **fields))
        setup.refuse_if(setup.problem_texts(found.history_problems(self._core)), board)
        return Position(self, found.state(self._core))

    def position_from_id(self, text: str) -> Position:
        """Read a position from its id.

        Parameters
        ----------
        text : str
            The id, as in `Position.id`.

        Returns
        -------
        Position
            The position.

        Raises
        ------
        NotationError
            The text cannot be read.
        PositionError
            The position is impossible.
        """
        return Position(self, ids.read_id(text, self._core))

    # Rules

    def opening(
        self,
        white_die: int | None = None,
        black_die: int | None = None,
        game_no: int = 1,
        previous_winner: Side | str | None = None,
        previous_starter: Side | str | None = None,
    ) -> Opening:
        """Say who starts a game and with which dice.

        Parameters
        ----------
        white_die, black_die : int, optional
            The dice of the draw; they may be left out where none is needed.
        game_no : int
            The number of the game in its match.
        previous_winner : Side or str, optional
            Who won the game before.
        previous_starter : Side or str, optional
            Who started the game before.

        Returns
        -------
        Opening
            The starter and their dice.

        Raises
        ------
        DiceError
            A die is missing or is none.
        """
        table = self.axes["opening"]
        rule = OpeningRule(str(table["dice"]), str(table["starter"]), str(table["later"]))
        return rule.decide(
            white_die,
            black_die,
            game_no=game_no,
            previous_winner=Side.of(previous_winner) if previous_winner is not None else None,
            previous_starter=Side.of(previous_starter) if previous_starter is not None else None,
        )

    def refusal(self, rule: str) -> Refusal:
        """Return the refusal for a rule of the closed list, worded and sourced for this game.

        Parameters
        ----------
        rule : str
            The id of the rule.

        Returns
        -------
        Refusal
            The refusal.
        """
        axis = RULES[rule].axis
        source = str(self._data.source_of(*axis).source) if axis else None
        return Refusal(rule, source, word(rule, self.axes))

    def resignations(self, position: Position, loser: Side | str) -> dict[str, int]:
        """List the classes of result at which a side can give up, with their points before any cube.

        Where the points are those of the checkers left, that is the only one; a class that is out of reach
        because they have borne off is left out.

        Parameters
        ----------
        position : Position
            The position on the board.
        loser : Side or str
            The side that gives up.

        Returns
        -------
        dict[str, int]
            The points of each class.
        """
        classes = self.losses(position, loser)
        if self._given_up and position.counts(loser)[OFF]:
            return {"single": classes["single"]} if "single" in classes else {}
        return classes

    def losses(self, position: Position, loser: Side | str) -> dict[str, int]:
        """List the classes of result of this game that are given up, with their points before any cube.

        Parameters
        ----------
        position : Position
            The position on the board.
        loser : Side or str
            The side that gives up.

        Returns
        -------
        dict[str, int]
            The points of each class; those that are out of reach by now are among them.
        """
        if self._given_up:
            return dict(self._given_up)
        return {str(self.axes["score"]["left"]): self._geometry.checkers - position.counts(loser)[OFF]}

    @cached_property
    def _given_up(self) -> dict[str, int]:
        """The points of the classes that are given up; empty where those of the checkers left are paid."""
        score = self.axes["score"]
        if score["left"] != "off":
            return {}
        classes = {kind: score[kind] for kind in ("single", "gammon", "backgammon", "home_mars", "koks")}
        return {kind: points for kind, points in classes.items() if isinstance(points, int) and points}

    def perft(self, depth: int, position: Position | None = None) -> int:
        """Count the positions that follow a number of plays, over all throws.

        Parameters
        ----------
        depth : int
            The number of plays.
        position : Position, optional
            Where they begin; the start without it.

        Returns
        -------
        int
            The count.
        """
        if type(depth) is not int or not 0 <= depth <= _DEEPEST_PERFT:
            raise ValueError(f"a depth is 0 to {_DEEPEST_PERFT}, not {depth!r}")
        return _core.perft(self._core, (position or self.start())._core, depth)

    def play_at_random(self, decisions: int, seed: int = 0) -> tuple[int, int, int, int]:
        """Play random games in the core until a number of throws was played.

        Parameters
        ----------
        decisions : int
            The number of throws.
        seed : int
            The same seed gives the same numbers on every machine.

        Returns
        -------
        tuple[int, int, int, int]
            (games finished, decisions, final positions generated, checksum of the positions chosen).
        """
        return _core.play_at_random(self._core, decisions, seed)

    @cached_property
    def source(self) -> str:
        """The citation of the game as a whole."""
        return str(self._data.source_of("board", "setup").source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Variant, (self._data,)

    def __str__(self) -> str:
        return self.title

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in sorted(self.options.items()))
        return f'variant("{self.name}"{options})'
