"""The axes: every question a rule set answers, with the allowed answers.

A game is a point in this space and nothing else. A variant file names the answers that differ
from its base; `loader` merges them, checks them against the table below and hands the result to
the core. A new rule is one new value here, in the core and in the oracle of `tests/reference`.

References such as "A4" or "B 13" are to the rule sheets in `docs/rules/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

AxisValue = int | bool | str | Mapping[int, int]
"""A value of one axis; `board.setup` alone is a mapping (own point -> checkers)."""

Answers = Mapping[str, Mapping[str, AxisValue]]
"""Answers to some axes: table -> key -> value."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One question: its kind of answer, what is allowed, and what it means on the board."""

    doc: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    kind: str = "str"

    @property
    def allowed(self) -> str:
        """The allowed values in words, for error messages and the documentation."""
        if self.kind == "bool":
            return "true, false"
        if self.kind == "setup":
            return "a table of own points 1 to 24 with the checkers standing there"
        if self.kind == "int":
            return f"whole numbers {self.low} to {self.high}"
        return ", ".join(f'"{word}"' for word in self.words)

    def accepts(self, value: object) -> bool:
        """Return True if `value` is a legal answer."""
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "int":
            return type(value) is int and self.low <= value <= self.high
        if self.kind == "setup":
            return isinstance(value, Mapping) and all(
                _point(point) in range(1, 25) and type(count) is int and 1 <= count <= 15
                for point, count in value.items()
            )
        return isinstance(value, str) and value in self.words


def _point(key: object) -> int:
    """The point a key of a setup stands for, 0 for none: files can only write it as text."""
    text = str(key)
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 2 else 0


def _word(doc: str, *words: str) -> Axis:
    return Axis(doc, words=words)


def _number(doc: str, low: int, high: int) -> Axis:
    return Axis(doc, low=low, high=high, kind="int")


def _flag(doc: str) -> Axis:
    return Axis(doc, kind="bool")


AXES: Mapping[str, Mapping[str, Axis]] = MappingProxyType(
    {
        "board": {
            "checkers": _number("checkers of each side", 1, 15),
            "movement": _word(
                "contrary: the opponent's number of my point p is 25-p; parallel: both go round the "
                "same way, their number is p+12 for p <= 12 and p-12 above",
                "contrary",
                "parallel",
            ),
            "setup": Axis("own points and the checkers on them at the start", kind="setup"),
            "hand": _number("checkers that start off the board and enter on 25-die", 0, 15),
        },
        "contact": {
            "kind": _word(
                "hit: two enemies close a point, one is hit and goes to the bar, which must be empty "
                "before anything else moves; pin: two enemies, or one that pins a checker of mine, close "
                "a point, one alone is imprisoned while I stand on it; block: one enemy closes a point",
                "hit",
                "pin",
                "block",
            ),
        },
        "occupancy": {
            "stack_cap": _number(
                "most checkers of one side on a point, entering included; 0: no limit", 0, 15
            ),
            "own_quarter": _number(
                "after every step at most this number of own 24-19 may be held; 6: no limit", 1, 6
            ),
            "opponent_quarter": _number(
                "after every step at most this number of the opponent's 24-19 may be held; 6: no limit", 1, 6
            ),
            "quarter_until": _word(
                "own_quarter binds always; only until an enemy checker stands on its own 11 or lower or is "
                "off (enemy_passed); only until one stands on its own 6 or lower or is off (enemy_home)",
                "always",
                "enemy_passed",
                "enemy_home",
            ),
        },
        "prime": {
            "allowed": _word(
                "six or more points in a row on the enemy's path (their 24 to 1, no wrap): always; only if "
                "an enemy checker stands on a lower number of theirs than the whole run (ahead_of_block); "
                "only if one stands on its own 1-6 (in_home); only if the enemy could play some single "
                "number from 1 to 6, their own runs not looked at (may_move)",
                "always",
                "ahead_of_block",
                "in_home",
                "may_move",
            ),
            "transit": _flag("true: judged after every step; false: only on the final position"),
        },
        "head": {
            "limit": _number("most checkers that may leave own 24 in one turn; 0: no limit", 0, 15),
            "exception": _word(
                "when one more may leave on a player's own first turn: never; with 3-3, 4-4 or 6-6; with any "
                "double; when under the plain limit not every die can be played",
                "none",
                "three_doubles",
                "any_double",
                "any_blocked",
            ),
        },
        "runner": {
            "to": _word(
                "until a checker stands on own 1-6 (home) or own 1-11 (past_opponent_start), or is off, only "
                "a checker that has left 24 may move, or one from 24 if none has; judged after every step",
                "none",
                "home",
                "past_opponent_start",
            ),
        },
        "duty": {
            "dice": _word(
                "all: as many dice as possible; voluntary: any part of the throw, at least one "
                "die if one can "
                "be played; blocking: a die must be played if it still can be after the others",
                "all",
                "voluntary",
                "blocking",
            ),
            "tie": _word(
                "among plays of equally many dice: the larger die if only one of two can be played; the most "
                "pips actually played (a bear-off counts its point); no preference",
                "larger",
                "pips",
                "none",
            ),
            "must_open": _word(
                "among the plays that satisfy the duties those that leave no lock, if there are any. "
                "stack_behind: all enemy checkers on one point p > 6 of theirs and their p-1 ... p-6 held by "
                "me; any_lock: no enemy checker could move whatever they threw",
                "off",
                "stack_behind",
                "any_lock",
            ),
        },
        "hit_run": {
            "ban": _word(
                "none; soft: a checker that hit in own 1-6 may not end its turn off the board or "
                "on a landing "
                "upon own checkers (a second checker joining it on the point of the hit releases it); hard: "
                "the hitter in own 1-6 makes no further step this turn (another checker there may)",
                "none",
                "soft",
                "hard",
            ),
            "priority": _word(
                "absolute: a banned play does not exist; dice_first: the dice duties come first, then a play "
                "that obeys the ban is preferred if there is one",
                "absolute",
                "dice_first",
            ),
        },
        "bearoff": {
            "overshoot": _word(
                "a larger die bears off: from the highest point, when nothing of mine stands "
                "higher; from any "
                "lower point, when the die's own point is empty (loose); never (exact)",
                "from_highest",
                "loose",
                "exact",
            ),
            "inside": _flag("whether checkers may still move inside the home once all are home"),
            "forced": _word(
                "off; after_duty: step by step, if a bear-off continues a play that satisfies the dice duty, "
                "one must be chosen; before_duty: a possible bear-off comes before everything, the dice duty "
                "is judged among what remains",
                "off",
                "after_duty",
                "before_duty",
            ),
            "pinned_blocks": _flag("whether an imprisoned checker of mine forbids bearing off the others"),
        },
        "throw": {
            "double_steps": _number("steps of a double", 1, 4),
            "progression_from": _number(
                "from this turn on a double d goes on with d+1 ... 6, four steps each, element by "
                "element; 0: never",
                0,
                9,
            ),
            "progression_count": _word(
                "whose turns are counted: the player's own, or both sides'", "own", "game"
            ),
            "progression_in_bearoff": _flag(
                "false: no further element once all of the player's checkers are home"
            ),
            "unused_to_opponent": _flag(
                "an element not completed ends the turn; its missing steps and the elements after it go to "
                "the opponent, who plays them in order until their first incomplete one, then throws"
            ),
            "forfeit_simple": _flag("dice of a simple throw that cannot be played go to the opponent too"),
            "one_two_bonus": _word(
                "off; after 1-2 fully played the player names any double and plays it; then they throw again "
                "if all four steps were played (needs_all) or in any case (always)",
                "off",
                "needs_all",
                "always",
            ),
        },
        "opening": {
            "dice": _word(
                "the starter plays the two dice of the draw, or throws both anew", "played", "reroll"
            ),
            "starter": _word("which die of the draw starts", "higher", "lower"),
            "later": _word(
                "who starts later games: a new draw, the winner of the last game, each in turn",
                "roll",
                "winner",
                "alternate",
            ),
        },
        "ending": {
            "mother": _word(
                "the last checker on own 24 being imprisoned by an enemy who has left their own 24: means "
                "nothing; loses at once (both imprisoned: a tie); seals the loss but the game is played out",
                "off",
                "at_once",
                "plays_on",
            ),
            "mother_points": _number("points for the mother", 1, 3),
            "closed_area": _flag(
                "a side that holds all of its own 24-19 at the end of a turn, while no enemy stands in "
                "their own 1-6 or is off, ends the game"
            ),
            "closed_area_wins": _flag(
                "true: holding one's area in that way wins; false: it ends the game without a winner"
            ),
            "last_roll_tie": _flag(
                "the second player has a last turn after the starter is off; both off is a tie"
            ),
        },
        "score": {
            "single": _number("points of a plain win", 1, 3),
            "gammon": _number("points when the loser has borne off none; 0: no such class", 0, 3),
            "backgammon": _number(
                "points when besides a checker of theirs is on the bar or in the winner's home; 0: no "
                "such class",
                0,
                3,
            ),
            "home_mars": _number("points when the loser, none off, has all at home; 0: no such class", 0, 3),
            "koks": _number(
                "points when the loser, none off, has a checker on their 24; 0: no such class", 0, 3
            ),
            "left": _word(
                "off: by class; else one point for each checker the loser has not borne off, called count or "
                "difference",
                "off",
                "count",
                "difference",
            ),
        },
        "cube": {
            "use": _flag("whether the doubling cube belongs to the game"),
            "limit": _number("the highest value of the cube, a power of two; 0: no limit", 0, 4096),
        },
        "table": {
            "touch_move": _flag("a touched checker must be moved, nothing is taken back"),
            "allow_dead_double": _flag(
                "a player may double though the present value already wins them the match"
            ),
            "settle": _word(
                "how money games are settled: by points; one unit for each checker of the loser that is not "
                "borne off (per_checker), or for each in the loser's home alone, at least one unit "
                "(per_checker_home)",
                "points",
                "per_checker",
                "per_checker_home",
            ),
            "agreements": _flag(
                "two players may agree in a match, too, on the result of a game or to end the match drawn"
            ),
        },
    }
)

TABLE_ONLY = frozenset({"opening", "cube", "table"})
"""Axes that belong to the table, not to the rule set: they change no legal play and no result, so
the fingerprint leaves them out."""


LATER: Mapping[tuple[str, str], AxisValue] = MappingProxyType({("ending", "closed_area_wins"): True})
"""Axes that came after the first release, with the answer of all games before them. Beside it they do not
enter the fingerprint, so that the ratings of those games stay theirs."""


def number_of(answers: Answers, table: str, key: str) -> int:
    """The answer to an axis whose answers are numbers."""
    return cast(int, answers[table][key])


def setup_of(answers: Answers) -> Mapping[int, int]:
    """The answer to `board.setup`: own points and the checkers on them at the start."""
    return cast(Mapping[int, int], answers["board"]["setup"])
