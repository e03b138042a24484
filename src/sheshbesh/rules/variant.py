"""A game: its compiled rules, its start, and the door to its positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from os import PathLike

from sheshbesh import _core
from sheshbesh.errors import NotationError, PositionError
from sheshbesh.rules import ids, loader, setup
from sheshbesh.rules.axes import AXES, TABLE_ONLY, Axis, number_of, setup_of
from sheshbesh.rules.notation import HAND, OFF
from sheshbesh.rules.opening import Opening, OpeningRule
from sheshbesh.rules.pending import Pending
from sheshbesh.rules.position import Position
from sheshbesh.rules.refusal import RULES, Refusal, word
from sheshbesh.rules.setup import SIDES, Both, Geometry
from sheshbesh.rules.side import Side

_WHOLE_ELEMENT = 4
"""Steps of an element of a chain."""

_DEEPEST_PERFT = 20
"""Far beyond what can be counted; keeps a slip of the finger from overflowing the core."""


def _compiled_number(axis: Axis, value: object) -> int:
    return axis.words.index(str(value)) if axis.kind == "str" else int(value)  # type: ignore[call-overload]


def _compile(axes: loader.Axes) -> _core.Ruleset:
    numbers = {
        f"{table}.{key}": _compiled_number(axis, axes[table][key])
        for table, keys in AXES.items()
        if table not in TABLE_ONLY
        for key, axis in keys.items()
        if axis.kind != "setup"
    }
    return _core.Ruleset(numbers, setup_of(axes))


class Variant:
    """A rule set of the family, frozen: a shipped game with options, or a user's own.

    Equal when the fingerprints are, whatever the names. `core` is the rule set as the core knows it,
    `geometry` what a board must satisfy, `has_chains` whether something may be owed before a throw.
    """

    def __init__(self, data: loader.VariantData) -> None:
        self._data = data
        self.core = _compile(data.axes)
        self.geometry = Geometry(
            checkers=number_of(data.axes, "board", "checkers"),
            parallel=data.axes["board"]["movement"] == "parallel",
            contact=str(data.axes["contact"]["kind"]),
            hand=number_of(data.axes, "board", "hand"),
            stack_cap=number_of(data.axes, "occupancy", "stack_cap"),
        )
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
    def data(self) -> loader.VariantData:
        """The game as data: description, axes, sources, options."""
        return self._data

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
        """A stable hash of the rules: what nets, tables and caches are found by."""
        return self._data.fingerprint

    # Positions

    def start(self, turn: Side | str = Side.WHITE) -> Position:
        """The starting position with `turn` on roll."""
        return Position(self, _core.start(self.core, Side.of(turn) is Side.BLACK))

    def position(
        self,
        board: setup.Board,
        turn: Side | str = Side.WHITE,
        *,
        first_turn: bool | None = None,
        turns_played: Mapping[str, int] | None = None,
        white_hand: int | None = None,
        black_hand: int | None = None,
        starter: Side | str | None = None,
        mother_lost: Side | str | None = None,
        phase: str | None = None,
        steps: Sequence[int] | None = None,
        rest: Sequence[int] = (),
        then: str | None = None,
        element: int | None = None,
        head: int = 0,
    ) -> Position:
        """A position from a mapping in White's numbers (see `Position.board`) and its history.

        `first_turn` says whether the side on roll has not finished a turn (default: all its
        checkers stand where they start), `turns_played` counts finished turns by side. What is owed
        in a chain: `steps`, `rest` and `then`, or `phase="chosen_double"` for a double to be named;
        `element`, if given, must be the number of the steps; `head` counts the checkers that left the
        head earlier in this roll, where the game limits them. PositionError lists every problem.
        """
        if isinstance(board, Mapping):
            hands = {"white_hand": white_hand, "black_hand": black_hand}
            board = {**board, **{key: value for key, value in hands.items() if value is not None}}
        both, problems = setup.read_board(board, self.geometry)
        problems += [] if problems else setup.find_problems(both, self.geometry)
        setup.refuse_if(problems, board)
        side = Side.of(turn)
        turns = self._turns(both, side, first_turn=first_turn, turns_played=turns_played)
        pending = self._pending(side, turns, phase, steps, rest, then, element)
        if pending is not None and head:
            pending = replace(pending, head=head)
            pending.to_core()  # refuses what is no number of checkers
        description = ids.Description(
            side,
            both,
            turns,
            Side.of(starter) if starter is not None else None,
            Side.of(mother_lost) if mother_lost is not None else None,
            pending,
        )
        self._refuse_foreign(description, board)
        return self._build(description)

    def position_from_id(self, text: str) -> Position:
        """The position with this id; NotationError if it cannot be read, PositionError if impossible."""
        description = ids.parse_id(text, self.geometry)
        setup.refuse_if(setup.find_problems(description.checkers, self.geometry), text)
        limit = self.core.turns_remembered
        for side, count in description.turns.items():
            if count > limit:
                raise NotationError(
                    f"position id {text!r}: {side.value}'s turns are counted to {limit} in this game"
                )
        self._refuse_foreign(description, text)
        return self._build(description)

    def _refuse_foreign(self, description: ids.Description, source: object) -> None:
        """History that the game's rules never ask would make equal positions differ."""
        problems = []
        ending = self.axes["ending"]
        if description.starter is not None and not ending["last_roll_tie"]:
            problems.append("who started is not asked in this game")
        if description.mother_lost is not None and ending["mother"] != "plays_on":
            problems.append("no mother is played on in this game")
        if description.pending is not None:
            problems += self._foreign_debts(description.pending)
        setup.refuse_if(problems, source)

    def _foreign_debts(self, owed: Pending) -> list[str]:
        throw = self.axes["throw"]
        limit = number_of(self.axes, "head", "limit")
        most = limit and limit + (self.axes["head"]["exception"] != "none")
        problems = (
            [f"at most {most} checkers leave the head in a roll of this game"] if owed.head > most else []
        )
        if owed.choose is not None:
            return problems + ([] if throw["one_two_bonus"] != "off" else ["no double is named in this game"])
        if not throw["progression_from"] and not throw["forfeit_simple"]:
            return ["nothing can be owed in this game"]
        if owed.rest and not throw["progression_from"]:
            problems.append("no chain goes on in this game")
        if owed.then is not None and not throw["unused_to_opponent"]:
            problems.append("nothing is handed over in this game")
        if len(set(owed.steps)) > 1 and not throw["forfeit_simple"]:
            problems.append("no simple throw is handed over in this game")
        return problems

    def _turns(
        self, both: Both, turn: Side, *, first_turn: bool | None, turns_played: Mapping[str, int] | None
    ) -> dict[Side, int]:
        limit = self.core.turns_remembered
        turns = {side: 0 if self._stands_at_start(both[side]) else limit for side in SIDES}
        if not isinstance(turns_played or {}, Mapping):
            raise PositionError(f"finished turns are counted by side, not {turns_played!r}")
        for name, count in (turns_played or {}).items():
            if type(count) is not int or count < 0:
                raise PositionError(f"finished turns are counted from 0, not {count!r}")
            turns[Side.of(name)] = min(count, limit)
        if first_turn is not None:
            turns[turn] = 0 if first_turn else max(turns[turn], min(1, limit))
        return turns

    def _stands_at_start(self, own: setup.Checkers) -> bool:
        start = setup_of(self.axes)
        return own.counts[HAND] == self.geometry.hand and all(
            own.counts[point] == start.get(point, 0) for point in range(1, 25)
        )

    def _pending(
        self,
        side: Side,
        turns: Mapping[Side, int],
        phase: str | None,
        steps: Sequence[int] | None,
        rest: Sequence[int],
        then: str | None,
        element: int | None,
    ) -> Pending | None:
        if phase is not None:
            if phase != "chosen_double":
                raise PositionError(f'a phase is "chosen_double", not {phase!r}')
            return Pending(side, choose="double")
        if steps is None:
            return None
        if element is not None and element not in steps:
            raise PositionError(f"the element {element} is not made of the steps {tuple(steps)}")
        if not self.has_chains:
            raise PositionError("nothing can be owed in this game")
        part = len(set(steps)) == 1 and len(steps) < _WHOLE_ELEMENT
        if then is None and part and self.axes["throw"]["unused_to_opponent"]:
            then = "own_throw"  # a part of an element can only have been handed over
        owed = Pending(side, tuple(steps), tuple(rest), then)
        owed.to_core()  # refuses what no chain could owe
        # A plain throw is no debt: what follows is decided when it is played.
        plain = len(set(steps)) > 1 or not self._progresses(side, turns)
        return None if plain and not rest and then is None else owed

    def _progresses(self, side: Side, turns: Mapping[Side, int]) -> bool:
        """Whether a double thrown now by `side` would start a chain, as far as turns decide it."""
        throw = self.axes["throw"]
        finished = turns[side] + (turns[side.other] if throw["progression_count"] == "game" else 0)
        first = number_of(self.axes, "throw", "progression_from")
        return first != 0 and finished + 1 >= first

    def _build(self, description: ids.Description) -> Position:
        turn = description.turn
        mine, theirs = description.checkers[turn], description.checkers[turn.other]
        starter = description.starter
        if starter is None and self.axes["ending"]["last_roll_tie"]:
            starter = Side.WHITE
        state = _core.State(
            mine=mine.counts,
            theirs=theirs.counts,
            pinned_mine=sorted(mine.pinned),
            pinned_theirs=sorted(theirs.pinned),
            black_on_roll=turn is Side.BLACK,
            turns=(description.turns[turn], description.turns[turn.other]),
            started=(starter is turn, starter is turn.other),
            mother_lost=(description.mother_lost is turn, description.mother_lost is turn.other),
            pending=description.pending.to_core() if description.pending else _core.Pending(),
        )
        return Position(self, state)

    # Rules

    def opening(
        self,
        white_die: int | None = None,
        black_die: int | None = None,
        game_no: int = 1,
        previous_winner: Side | str | None = None,
        previous_starter: Side | str | None = None,
    ) -> Opening:
        """Who starts game `game_no` and with which dice; see `Opening`.

        The dice of the draw may be left out where none is needed. DiceError otherwise.
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
        """The refusal for a rule id of the closed list, worded and sourced for this game."""
        axis = RULES[rule].axis
        source = str(self._data.source_of(*axis).source) if axis else None
        return Refusal(rule, source, word(rule, self.axes))

    def resignations(self, position: Position, loser: Side | str) -> dict[str, int]:
        """The result classes at which `loser` can give up here, with their points before any cube.

        Where the points are those of the checkers left, that is the only one; a class that is out of
        reach because he has borne off is left out.
        """
        counted, off = self.axes["score"]["left"] != "off", position.counts(loser)[OFF]
        return {
            kind: points
            for kind, points in self.losses(position, loser).items()
            if counted or kind == "single" or off == 0
        }

    def losses(self, position: Position, loser: Side | str) -> dict[str, int]:
        """The result classes of this game that are given up, with their points before any cube.

        Those that are out of reach by now are among them.
        """
        score = self.axes["score"]
        if score["left"] != "off":
            return {str(score["left"]): self.geometry.checkers - position.counts(loser)[OFF]}
        classes = {kind: score[kind] for kind in ("single", "gammon", "backgammon", "home_mars", "koks")}
        return {kind: points for kind, points in classes.items() if isinstance(points, int) and points}

    def perft(self, depth: int, position: Position | None = None) -> int:
        """The number of positions `depth` plays after `position` (default: the start), over all throws."""
        if type(depth) is not int or not 0 <= depth <= _DEEPEST_PERFT:
            raise ValueError(f"a depth is 0 to {_DEEPEST_PERFT}, not {depth!r}")
        return _core.perft(self.core, (position or self.start()).core, depth)

    def play_at_random(self, decisions: int, seed: int = 0) -> tuple[int, int, int, int]:
        """Play random games in the core until `decisions` throws were played.

        Returns (games finished, decisions, final positions generated, checksum of the positions
        chosen). The same seed gives the same numbers on every machine.
        """
        return _core.play_at_random(self.core, decisions, seed)

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


def variants() -> tuple[str, ...]:
    """The names of all shipped games; "short_nardy" is accepted for backgammon."""
    return loader.names()


@cache
def _shipped(name: str, options: tuple[tuple[str, type, object], ...]) -> Variant:
    # The type is part of the key because 1 and True are equal but not the same option.
    data = loader.load(name)
    return Variant(data.with_options(**{key: value for key, _, value in options}) if options else data)


def variant(name: str, **options: object) -> Variant:
    """The game called `name`, with options; VariantError says what is unknown or not allowed."""
    try:
        return _shipped(name, tuple((key, type(value), value) for key, value in sorted(options.items())))
    except TypeError:  # an unhashable option value: let the loader refuse it
        return Variant(loader.load(name).with_options(**options))


def variant_from_file(path: str | PathLike[str], **options: object) -> Variant:
    """A user's own game from a TOML file; VariantError lists every problem."""
    data = loader.load_file(path)
    return Variant(data.with_options(**options) if options else data)
