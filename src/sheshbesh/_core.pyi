"""The C++ core of Sheshbesh: what is legal, for every axis."""

from collections.abc import Mapping, Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Ruleset:
    """A compiled rule set: one number per axis."""

    def __init__(self, axes: Mapping[str, int], setup: Mapping[int, int]) -> None: ...

    @staticmethod
    def axes() -> dict[str, tuple[int, int]]:
        """
        The axes of the core: how many values each has, and how many of them are inputs of the nets (0: none).
        """

    @property
    def turns_remembered(self) -> int: ...

class Pending:
    """What is owed before the next throw; see state.h."""

    def __init__(self, *, die: int = 0, second: int = 0, steps: int = 0, rest: bool = False, then_throw: bool = False, choose_double: bool = False, head: int = 0) -> None: ...

    @property
    def die(self) -> int: ...

    @property
    def second(self) -> int: ...

    @property
    def steps(self) -> int: ...

    @property
    def rest(self) -> bool: ...

    @property
    def then_throw(self) -> bool: ...

    @property
    def choose_double(self) -> bool: ...

    @property
    def head(self) -> int: ...

class State:
    """A position seen by the side on roll; boards are lists of 27 counts."""

    def __init__(self, *, mine: Sequence[int], theirs: Sequence[int], pinned_mine: Sequence[int], pinned_theirs: Sequence[int], black_on_roll: bool, turns: tuple[int, int], started: tuple[bool, bool], mother_lost: tuple[bool, bool], pending: Pending) -> None: ...

    @property
    def mine(self) -> list[int]: ...

    @property
    def theirs(self) -> list[int]: ...

    @property
    def pinned_mine(self) -> list[int]: ...

    @property
    def pinned_theirs(self) -> list[int]: ...

    @property
    def turns(self) -> tuple[int, int]: ...

    @property
    def started(self) -> tuple[bool, bool]: ...

    @property
    def mother_lost(self) -> tuple[bool, bool]: ...

    @property
    def black_on_roll(self) -> bool: ...

    @property
    def pending(self) -> Pending: ...

    def pips(self) -> tuple[int, int]:
        """
        Pips of the side on roll and of the other side; a checker on the bar or in hand counts 25.
        """

    def row(self) -> bytes:
        """The position as a row of bytes; see rows.h."""

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

class PlayList:
    """The legal plays of one throw, each final position once."""

    def __len__(self) -> int: ...

    @property
    def dice(self) -> tuple[int, int]: ...

    def steps(self, index: int) -> list[tuple[int, int, int, bool]]:
        """Steps of a play: (origin, landing, die, takes)."""

    def after(self, index: int) -> State:
        """The position after a play."""

    def index_of_steps(self, steps: Sequence[tuple[int, int]]) -> int | None:
        """
        The play that consists of these steps (origin, die), in some order; None if none does.
        """

    def index_of(self, position: State) -> int:
        """The play that ends there, or the length."""

def legal_plays(rules: Ruleset, state: State, first: int, second: int) -> PlayList:
    """
    The legal plays of the dice, or of the element that is owed; ValueError unless they are 1 to 6.
    """

def stages(rules: Ruleset, state: State, first: int, second: int) -> list[tuple[bool, list[tuple[tuple[int, int, int, bool], int]]]]:
    """
    Every stage of the turn: whether it is a legal play, and the steps onward with the stage each leads to.
    """

def next_steps(rules: Ruleset, state: State, first: int, second: int, done: Sequence[tuple[int, int]]) -> list[tuple[int, int, int, bool]]:
    """
    Steps (origin, landing, die, takes) that can still lead to a legal play after `done` (origin, die).
    """

def takes_along(rules: Ruleset, state: State, first: int, second: int, steps: Sequence[tuple[int, int]]) -> list[bool]:
    """
    Which of these steps (origin, die) would hit or imprison, played in this order.
    """

def has_contact(rules: Ruleset, state: State) -> bool:
    """Whether the two sides can still meet; see state.h."""

def element(rules: Ruleset, state: State, first: int, second: int) -> tuple[int, int, int]:
    """What is played: (high, low, number of steps)."""

class Verdict(enum.Enum):
    legal = 0

    broken_rule = 1

    game_over = 2

    not_thrown = 3

    no_checker = 4

class Rule(enum.Enum):
    enter_first = 0

    point_closed = 1

    captive = 2

    stack_cap = 3

    head = 4

    runner = 5

    prime = 6

    own_quarter = 7

    opponent_quarter = 8

    hit_and_run = 9

    bear_off_all_home = 10

    bear_off_pinned = 11

    bear_off_number = 12

    bear_off_no_inside = 13

    dice_tie = 14

    dice_all = 15

    bear_off_forced = 16

    must_open = 17

def explain(rules: Ruleset, state: State, first: int, second: int, readings: Sequence[Sequence[tuple[int, int]]], *, whole: bool) -> tuple[Verdict, Rule]:
    """
    The verdict on steps (origin, die) as a whole play or as the beginning of one, and the rule they break: of several readings on the one that comes closest to being legal.
    """

def judge(rules: Ruleset, state: State, first: int, second: int, steps: Sequence[tuple[int, int, int]], *, whole: bool) -> tuple[Verdict, Rule]:
    """
    The same for steps as they are shown: (origin, target, die), the die 0 where it is not said.
    """

LONGEST_ID: int = 200

class Description:
    """A position taken apart by colour, possible or not; see description.h."""

    def __init__(self, *, counts: tuple[Sequence[int], Sequence[int]], pinned: tuple[Sequence[int], Sequence[int]], black_on_roll: bool) -> None: ...

    @property
    def turns(self) -> tuple[int, int]: ...

    @turns.setter
    def turns(self, arg: tuple[int, int], /) -> None: ...

    @property
    def starter(self) -> bool | None: ...

    @starter.setter
    def starter(self, black: bool | None) -> None: ...

    @property
    def mother_lost(self) -> bool | None: ...

    @mother_lost.setter
    def mother_lost(self, black: bool | None) -> None: ...

    @property
    def pending(self) -> Pending: ...

    @pending.setter
    def pending(self, arg: Pending, /) -> None: ...

    def checker_problems(self, rules: Ruleset) -> list[tuple[str, bool | None, int, int, int, str]]:
        """
        All that makes the checkers impossible: (name, Black's, n, most, point, field); see description.h.
        """

    def history_problems(self, rules: Ruleset) -> list[tuple[str, bool | None, int, int, int, str]]:
        """
        The parts of the history that the rules never ask, as in `checker_problems`.
        """

    def suppose_turns(self, rules: Ruleset) -> None:
        """Count the finished turns of each side as its checkers let suppose."""

    def state(self, rules: Ruleset) -> State:
        """The position of a description without problems."""

def read_id(rules: Ruleset, text: str) -> tuple[State | None, list[tuple[str, bool | None, int, int, int, str]], bool]:
    """
    The position of an id, None with the problems of one that cannot be, and whether it is its text that cannot be read.
    """

def write_id(rules: Ruleset, state: State) -> str:
    """The id of a position."""

def start(rules: Ruleset, black_starts: bool) -> State: ...

def result(rules: Ruleset, state: State) -> tuple[int, int, int]:
    """(kind, winner, points) as numbers; see state.h."""

def perft(rules: Ruleset, state: State, depth: int) -> int: ...

def play_at_random(rules: Ruleset, decisions: int, seed: int) -> tuple[int, int, int, int]:
    """Random games: (games, decisions, positions generated, checksum)."""

class Interrupted(Exception):
    pass

class Stop:
    """
    Ends computations: a thread enters it with `with`, and once it is set, from any thread, what the core computes there, then or later, raises Interrupted. One that is made in a thread that has entered others is set with them.
    """

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    def is_set(self) -> bool: ...

    def __enter__(self) -> Stop: ...

    def __exit__(self, *_: object) -> None: ...

POSITION_SLOTS: int = 152

RULE_SLOTS: int = 34

def fnv1a(data: bytes) -> int:
    """The checksum of net files."""

def rule_slots(rules: Ruleset) -> bytes:
    """The slots that hold the rules themselves."""

def unit_scale() -> list[int]:
    """The largest amount of each unit of the first layer."""

def slot_units() -> list[list[list[tuple[int, int]]]]:
    """For each slot and each of its values the units (index, times)."""

def self_play(rules: Ruleset, net: bytes, *, games: int, seed: int, decay: float, explore: float, near: float = 0.0, near_margin: float = 0.05000000074505806, random_plies: int, longest_game: int, keep: float, races: float = 1.0, known: float = 1.0, holding: float = 0.0, priming: float = 0.0, late: float = 0.0, running: float = 0.0, plies: int = 0, inner: float = 0.0, databases: Sequence[ExactValues] = []) -> tuple:
    """
    Games of a net (a file's bytes) with itself: (slots, targets, games, plays, results by class as White sees them). `decay` is lambda; with `plies` a target is a search of that depth over all throws, and with 1 the luck of later throws is taken out of it too. `races` and `known` are the shares of the positions without contact, and of those in `databases`, that are looked at; `holding`, `priming`, `late` and `running` the shares of the games that begin there; `inner` that of the replies on the way of two plies which are samples too. Values in the exact `databases` replace those of the net.
    """

def expand_slots(slots: Annotated[NDArray[numpy.uint8], dict(shape=(None, 152), order='C', device='cpu', writable=False)], rules: Annotated[NDArray[numpy.uint8], dict(shape=(None, 34), order='C', device='cpu', writable=False)], factors: Sequence[float]) -> Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C')]:
    """Units of positions, each times its factor, as the bits of bfloat16."""

def class_table(rules: Ruleset) -> tuple[list[tuple[int, int]], bool]:
    """
    The ways to win as (kind, points), and whether a tie is possible. The classes of every list of probabilities: the wins of the side on roll in this order, those of the other side, the tie.
    """

def class_height(kind: int, points: int, counted: bool) -> int:
    """
    How high a way to win stands: 1 plain, 2 a gammon, 3 the third class; all are plain where checkers left are counted.
    """

INPUT_SET: int = 2

DEEPEST: int = 3

class Net:
    """
    A trained net; the format is in net.h. ValueError names the fault of an invalid one.
    """

    def __init__(self, data: bytes) -> None: ...

    @property
    def classes(self) -> int: ...

    @property
    def widths(self) -> list[int]: ...

    @property
    def parameters(self) -> int: ...

class ExactValues:
    """Exact values of some positions of a game."""

class SearchStopped(Exception):
    pass

class Searcher:
    """
    Values positions and ranks plays with a net. Probabilities are lists over the classes of `class_table`; `utility` is the equity of each class to the side on roll.
    """

    def __init__(self, net: Net, rules: Ruleset, class_map: Sequence[int] | None = None, databases: Sequence[ExactValues] = [], *, cache_entries: int = 65536) -> None:
        """
        `class_map[i]`: the class of the rules that class i of the net counts for.
        """

    def evaluate(self, states: Sequence[State]) -> list[list[float]]:
        """
        The static value of each position for the side on roll before it throws.
        """

    def evaluate_rows(self, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 116), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C')]:
        """The same for rows as in rows.h."""

    def rank_rows(self, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 116), order='C', device='cpu', writable=False)], dice: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2), order='C', device='cpu', writable=False)], white_choosing: Sequence[float], black_choosing: Sequence[float], white: Sequence[float], black: Sequence[float]) -> tuple:
        """
        The plays of each position by static value, best first: (offsets of the positions, indices in the order of legal_plays, equities for the side on roll).
        """

    def rank(self, state: State, first: int, second: int, utility: Sequence[float], plies: int = 0, filters: Sequence[tuple[int, float]] = ...) -> list[tuple[int, int, float, list[float]]]:
        """
        The plays, best first: (index in the order of legal_plays, plies, equity, probabilities), for the player on roll. When stopped, what is complete so far.
        """

    def value(self, state: State, utility: Sequence[float], plies: int) -> list[float]:
        """
        The value for the side on roll before it throws, some plies ahead. When stopped, SearchStopped.
        """

    def reasons(self, black_plays: bool, mine: State, my_probabilities: Sequence[float], other: State, other_probabilities: Sequence[float], values: Sequence[float], weights: Sequence[float]) -> list[tuple[str, float, float, float, list[int], list[int]]]:
        """
        In what two plays differ, the heaviest first; see reasons.h. `mine` and `other` are the positions after them, probabilities and `values` those of the player, `weights` one for each of FEATURES. Rows are (name, number of mine, of other, weight, points only mine holds, points only other does).
        """

    @property
    def nodes(self) -> int:
        """Positions valued by finished searches."""

    @property
    def evaluations(self) -> int:
        """Positions the net was asked for by them."""

    def cancel(self) -> None:
        """
        Ends the running search and all later ones as soon as possible, until `resume`; from any thread.
        """

    def resume(self) -> None: ...

def hash_values(net: Net, rules: Ruleset, states: Sequence[State], batch: int, rounds: int = 1, class_map: Sequence[int] | None = None) -> tuple[int, int]:
    """
    Values all positions in batches, a number of times: (positions valued, hash of the first value of each batch). The hash is the same on every instruction set. `class_map` as in Searcher.
    """

def isas() -> list[str]:
    """
    The instruction sets that nets can run on here, slowest first; all give the same bits.
    """

def active_isa() -> str: ...

def force_isa(name: str) -> None:
    """
    What searchers made from now on run on; ValueError if this machine cannot.
    """

EVEN: float = 1e-09

class CubeOwner(enum.Enum):
    """
    Who may turn the cube, seen by the first side of a model or, in a rollout, by the side on roll in the position.
    """

    nobody = 0

    mine = 1

    theirs = 2

class CubeHeight:
    """The cube at one value, in values (points or MWC) for my side."""

    def __init__(self, win: float, lose: float, cash: float, drop: float, *, mine: bool = True, theirs: bool = True, mine_free: bool = False, theirs_free: bool = False) -> None: ...

    @property
    def win(self) -> float: ...

    @property
    def lose(self) -> float: ...

    @property
    def cash(self) -> float: ...

    @property
    def drop(self) -> float: ...

    @property
    def mine(self) -> bool: ...

    @property
    def theirs(self) -> bool: ...

    @property
    def mine_free(self) -> bool: ...

    @property
    def theirs_free(self) -> bool: ...

class CubeModel:
    """
    The cube from its present value up, each height the double of the one before; nobody turns it from the last. ValueError without heights or with too many.
    """

    def __init__(self, heights: Sequence[CubeHeight], efficiency: float) -> None: ...

    @property
    def heights(self) -> list[CubeHeight]: ...

    @property
    def take_points(self) -> list[float]:
        """
        My chance of winning from which I take a double from each height, with a live cube afterwards.
        """

    @property
    def cash_points(self) -> list[float]:
        """The chance above which they drop my double from each height."""

    def dead(self, chance: float, height: int = 0) -> float:
        """The value if nobody turns the cube again."""

    def live(self, chance: float, owner: CubeOwner, height: int = 0) -> float:
        """The value with a fully live cube."""

    def value(self, chance: float, owner: CubeOwner, height: int = 0) -> float:
        """The value with this cube, between dead and live."""

HIGHEST_CUBE: int = 1073741824

def is_cube_value(value: int) -> bool:
    """
    Whether a cube can stand at a value: a power of two that the program counts to.
    """

def allows_cube(limit: int, value: int) -> bool:
    """
    Whether the cube may be turned to a value; `limit` is the highest one agreed on, 0 for none.
    """

class CubeLaw(enum.Enum):
    """The laws that a double may break."""

    none = 0

    match_over = 1

    after_roll = 2

    crawford = 3

    owner = 4

    limit = 5

    dead = 6

class Score:
    """
    Score and cube at one moment; a `length` of 0 is money play, a limit of 0 none.
    """

    def __init__(self, *, length: int, white: int, black: int, cube: int, black_owns: bool | None, crawford: bool, jacoby: bool, allow_dead_double: bool, automatic_doubles: int, cube_limit: int, crawford_rule: bool) -> None: ...

    def faults_alone(self) -> list[str]:
        """The names of what is wrong with the values themselves."""

    def faults_together(self) -> list[str]:
        """The names of what does not go together, each value being possible."""

    def winner(self) -> bool | None:
        """Whether Black has won the match; None where nobody has."""

    def away(self, black: bool) -> int:
        """Points that a side still needs in a match."""

    def cube_law(self, black: bool, rolled: bool) -> CubeLaw:
        """The law that a double by a side, whose turn it is, would break."""

    def paid(self, kind: int, points: int) -> int:
        """
        What a result pays that is worth `points` at a cube of 1; kinds as in state.h.
        """

class Luck(enum.Enum):
    """How the luck of the dice is measured; see rollout.h."""

    none = 0

    full = 1

    filtered = 2

class Roller:
    """
    Plays trials of a rollout. What a trial gives depends on nothing but these arguments, the position and its number.
    """

    def __init__(self, net: Net, rules: Ruleset, utility: Sequence[float], class_map: Sequence[int] | None = None, databases: Sequence[ExactValues] = [], *, cube: Sequence[tuple[Sequence[float], float, float, bool, bool, bool, bool, bool]] | None = None, cube_efficiency: float = 0.0, seed: int = 0, plies: int = 0, truncate: int = 0, luck: Luck = Luck.full, filter_to: int = 2, first_double: bool = False, preference: Sequence[float] | None = None) -> None:
        """
        `utility`: equity of each class to the side on roll. `cube`: its heights from the present value up, as (equity of each class, cash, drop, mine, theirs, mine_free, theirs_free, tabled); see cubeful_utility.h. The rest as in rollout.h.
        """

    def run(self, start: State, height: int, owner: CubeOwner, first: int, count: int) -> list[list[float]]:
        """
        The rows of trials first, first + 1, ...: each class and, with a cube, the equity, for the side on roll in `start`.
        """

def trial_dice(seed: int, trial: int, number: int) -> tuple[int, int]:
    """The throw of a trial; `number` counts its throws from 0."""

class Sides(enum.Enum):
    """
    Which bear-off database: of one side's turns, or of both sides' values.
    """

    one = 1

    two = 2

BEAROFF_VERSION: int = 2

TWO_SIDED_CHECKERS: int = 6

def bearoff_obstacle(rules: Ruleset, sides: Sides) -> str:
    """Why the rules have no such database; empty if they have."""

def bearoff_key(rules: Ruleset, sides: Sides) -> str:
    """Sixteen hexadecimal digits, equal where the databases are."""

def generate_bearoff(rules: Ruleset, sides: Sides, progress: object | None = None) -> bytes:
    """
    The database as a file; `progress` is called with the share done. ValueError where there is an obstacle.
    """

class OneSided:
    """How many turns one side needs, for every home position."""

    @staticmethod
    def parse(file: bytes, rules: Ruleset) -> OneSided:
        """ValueError for what is not this database."""

class TwoSided:
    """The value of every pair of home positions of few checkers."""

    @staticmethod
    def parse(file: bytes, rules: Ruleset) -> TwoSided:
        """ValueError for what is not this database."""

class BearoffDatabase(ExactValues):
    """The bear-off of a game, exact where few checkers are left."""

    def __init__(self, rules: Ruleset, one: OneSided | None, two: TwoSided | None) -> None: ...

    def lookup(self, state: State) -> list[float] | None:
        """
        The probability of each class for the side on roll; None if not covered.
        """

    def is_exact(self, state: State) -> bool:
        """
        Whether its value is that of the two-sided database, and not the product of two one-sided ones.
        """

    def cubeful(self, state: State) -> tuple[float, float, float] | None:
        """
        Money equities of the side on roll if it does not double now, cube at 1: with the cube in the middle, its own, the other side's; None if not covered.
        """

    def cube_values(self, rules: Ruleset, state: State, heights: Sequence[tuple[Sequence[float], float, float, bool, bool, bool, bool, bool]], places: Sequence[tuple[int, CubeOwner]]) -> list[float] | None:
        """
        The value to the side on roll of not turning the cube before this throw, for each of the `places`, a number among the `heights` (as `Roller` takes them) and an owner; None if not covered.
        """

    def average_turns(self, state: State) -> list[float] | None:
        """
        Turns needed on average, on roll first, when both play for the fewest; None if not covered.
        """

WRITTEN_FEATURES: tuple = ...

class WrittenEvaluation:
    """
    A hand-written valuation: a weight, in pips, for each of WRITTEN_FEATURES.
    """

    def __init__(self, rules: Ruleset, weights: Sequence[float]) -> None: ...

    def value(self, state: State) -> float:
        """
        The equity of a position to the side on roll, in pips; a finished game counts more than any board.
        """

class DuelResult:
    """Sums over pairs of mirrored games; see duel.h."""

    @property
    def pairs(self) -> int: ...

    @property
    def points(self) -> float: ...

    @property
    def squares(self) -> float: ...

    @property
    def staked(self) -> float: ...

    @property
    def staked_squares(self) -> float: ...

    @property
    def products(self) -> float: ...

    @property
    def wins(self) -> int: ...

    @property
    def ties(self) -> int: ...

class Player:
    """A player: chooses plays in games of one rule set, for money."""

    @staticmethod
    def net(net: Net, rules: Ruleset, class_map: Sequence[int] | None = None, databases: Sequence[ExactValues] = [], *, plies: int = 0) -> Player:
        """The best by the values of a net, searched `plies` deep."""

    @staticmethod
    def written(rules: Ruleset, weights: Sequence[float]) -> Player:
        """
        The best by a hand-written valuation: a weight for each of WRITTEN_FEATURES, in pips.
        """

    @staticmethod
    def random(rules: Ruleset) -> Player: ...

    def choose(self, asked: Sequence[tuple[State, int, int]], seed: int = 0) -> list[int]:
        """
        For each (position, die, die) the place of the play in the order of legal_plays. `seed` is for players that draw lots. ValueError where the game is over.
        """

    def duel(self, other: Player, *, pairs: int, seed: int, first_pair: int = 0, longest_game: int = 1000) -> DuelResult:
        """
        Pairs number first_pair, first_pair + 1, ... of mirrored games, seen by this player.
        """

FEATURES: tuple = ...

THROW_FEATURES: int = 5

def pick(rules: Ruleset, state: State, candidates: Sequence[tuple[int, int, int, Sequence[float]]], values: Sequence[float], weakness: Sequence[float], seed: int) -> int:
    """
    The place of the play that a player of a weakness makes among candidates, which stand best first as (die, die, index in the order of legal_plays, probabilities). `values` are the equities of the classes, `weakness` is (sight, gammons, mood, noise, reluctance); see weakness.h.
    """

def doubles(rules: Ruleset, state: State, gain: float, probabilities: Sequence[float], values: Sequence[float], weakness: Sequence[float], seed: int) -> bool:
    """Whether such a player turns the cube where that gains so much."""

def answer(rules: Ruleset, state: State, double_take: float, double_pass: float, beaver: bool, probabilities: Sequence[float], values: Sequence[float], weakness: Sequence[float], seed: int) -> str:
    """
    What such a player answers to a double of the side on roll: drop, take or beaver.
    """

def measure(rules: Ruleset, state: State, own: bool) -> list[tuple[str, float, list[int], float]]:
    """
    What counts for a side, as (name of FEATURES, number, points, worth); `own`: it is the side on roll.
    """

class BoardView:
    """A position as one side counts it; `own`: the side on roll."""

    def __init__(self, rules: Ruleset, state: State, own: bool) -> None: ...

    @property
    def closed(self) -> list[int]: ...

    @property
    def prime(self) -> tuple[int, int]:
        """
        The longest run of own closed points with enemies behind it, and how many those are.
        """

    @property
    def prime_against(self) -> tuple[int, int]: ...

    @property
    def lead(self) -> int: ...

    @property
    def has_contact(self) -> bool: ...

ROW: int = 116

OBSERVATION: int = 125

def most_actions(rules: Ruleset) -> int:
    """No decision of a game has more legal actions."""

def to_rows(states: Sequence[State]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]:
    """Positions as rows of bytes; see rows.h."""

def from_rows(rules: Ruleset, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 116), order='C', device='cpu', writable=False)]) -> list[State]:
    """
    The positions that rows stand for; ValueError names the first row that is none, and why.
    """

class Game:
    """A game played one decision at a time; see games.h."""

    def __init__(self, rules: Ruleset, seed: int, *, first_double: bool = True, longest: int = 2000) -> None: ...

    def reset(self) -> int:
        """Begins a new game: the number of legal actions."""

    def step(self, action: int) -> int:
        """
        Makes a decision: the number of legal actions that follow, 0 at the end. ValueError for an illegal one.
        """

    def memory(self) -> bytes:
        """What it goes on from, dice to come included, as bytes of this build."""

    def recall(self, memory: bytes) -> None:
        """
        Goes on from there; ValueError for what a game of this build does not remember.
        """

    @property
    def actions(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def truncated(self) -> bool: ...

    @property
    def reward(self) -> int:
        """Points won by the side that made the last decision."""

    @property
    def black_on_roll(self) -> bool: ...

    @property
    def state(self) -> State: ...

    @property
    def dice(self) -> tuple[int, int, int]:
        """(high, low, steps); steps is 0 where a double is to be named."""

    def write(self, observation: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], mask: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes the position with its dice, and which actions are legal."""

    def after(self, action: int) -> State:
        """The position after a legal action."""

    def afterstates(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C')]:
        """The positions after each legal action, as rows."""

class Games:
    """
    Many games of one rule set, in arrays that stay where they are; see games.h.
    """

    def __init__(self, rules: Ruleset, count: int, seed: int, *, first_double: bool = True, longest: int = 2000) -> None: ...

    def __len__(self) -> int: ...

    def reset(self) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def choose_at_random(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Fills the array with a legal action for each game, uniformly."""

    def memory(self) -> bytes:
        """What they go on from, dice to come included, as bytes of this build."""

    def recall(self, memory: bytes) -> None:
        """
        Go on from there; ValueError for what so many games of this build do not remember.
        """

    def afterstates(self) -> tuple:
        """(offsets of the games, rows): the positions after every legal action."""

    @property
    def observations(self) -> Annotated[NDArray[numpy.uint8], dict(order='C')]: ...

    @property
    def masks(self) -> Annotated[NDArray[numpy.int8], dict(order='C')]: ...

    @property
    def actions(self) -> Annotated[NDArray[numpy.int32], dict(order='C')]: ...

    @property
    def rewards(self) -> Annotated[NDArray[numpy.float32], dict(order='C')]: ...

    @property
    def ended(self) -> Annotated[NDArray[numpy.uint8], dict(order='C')]: ...

    @property
    def truncated(self) -> Annotated[NDArray[numpy.uint8], dict(order='C')]: ...

    @property
    def illegal(self) -> Annotated[NDArray[numpy.uint8], dict(order='C')]: ...
