"""The rules in words for players: for every axis the sentence that belongs to each answer.

An answer without a sentence says nothing that a player must know. `{value}` stands for a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

TOPIC_SETUP = "Setup"
TOPIC_OPTIONS = "Options"
"""The topics that a card begins and ends with; the topics between are those of `CARD`."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One axis on the rule card: its topic, and its sentences by answer.

    A sentence under "*" serves every answer that has none of its own. The answers are written as in
    a variant file: `true`, `3`, `reroll`.
    """

    topic: str
    axis: tuple[str, str]
    sentences: Mapping[str, str]


def _rule(topic: str, axis: str, /, **sentences: str) -> Rule:
    """A rule with its sentences by keyword: `_4` stands for the answer 4, `any_number` for "*"."""
    table, key = axis.split(".")
    named = {name.removeprefix("_").replace("any_number", "*"): text for name, text in sentences.items()}
    return Rule(topic, (table, key), MappingProxyType(named))


CARD: tuple[Rule, ...] = (
    _rule(
        "Direction",
        "board.movement",
        contrary="Your path runs from your point 24 down to 1; points 1 to 6 are your home. The sides move "
        "against each other: your point 1 is the opponent's 24.",
        parallel="Your path runs from your point 24 down to 1; points 1 to 6 are your home. Both sides go "
        "round the board the same way, half a round apart: your point 12 is the opponent's 24.",
    ),
    _rule(
        "Opening",
        "opening.starter",
        higher="Each side throws one die; the higher starts, equal dice are thrown again.",
        lower="Each side throws one die; the lower starts, equal dice are thrown again.",
    ),
    _rule(
        "Opening",
        "opening.dice",
        played="The starter plays the two numbers of this draw, so no game begins with a double.",
        reroll="The starter throws both dice anew and may begin with a double.",
    ),
    _rule(
        "Opening",
        "opening.later",
        roll="Every game of a match begins with such a draw.",
        winner="Later games of a match are started by the winner of the game before.",
        alternate="In a match the sides start in turn.",
    ),
    _rule(
        "Contact",
        "contact.kind",
        hit="One enemy checker alone on a point may be hit and goes to the bar; two or more close the point, "
        "also for touching down.",
        pin="Nothing is hit. Landing on one enemy checker alone imprisons it until your last checker "
        "leaves the point. Two enemy checkers, or one that imprisons one of yours, close a point, also for "
        "touching down.",
        block="Nothing is hit or imprisoned. A single enemy checker closes a point, also for touching down.",
    ),
    _rule(
        "Entering",
        "contact.kind",
        hit="Checkers on the bar enter with a die on your point 25 less the die, before anything else moves; "
        "if none can enter the turn is lost.",
    ),
    _rule(
        "Entering",
        "contact.kind",
        hit="While all six points of entry are closed no throw lets a checker in; at a board that side does "
        "not throw until one is open.",
    ),
    _rule(
        "Entering",
        "board.hand",
        _0="",
        any_number="The {value} checkers in hand enter in the same way, at any time, freely mixed with "
        "other moves.",
    ),
    _rule(
        "Stacks",
        "occupancy.stack_cap",
        _0="",
        any_number="At most {value} checkers of one side may stand on a point, entering and touching down "
        "included.",
    ),
    _rule(
        "Head",
        "head.limit",
        _0="",
        _1="Only one checker a turn may leave the head, your point 24.",
        any_number="At most {value} checkers a turn may leave the head, your point 24.",
    ),
    _rule(
        "Head",
        "head.exception",
        three_doubles="On your first turn one more may leave it with 3-3, 4-4 or 6-6.",
        any_double="On your first turn one more may leave it with any double.",
        any_blocked="On your first turn one more may leave it when otherwise not every die could be played.",
    ),
    _rule(
        "Runner",
        "runner.to",
        home="Until one of your checkers has reached your home, only the first that left 24 may move; dice "
        "left in the turn of its arrival are free.",
        past_opponent_start="Until one of your checkers has passed the opponent's start (your point 11 or "
        "lower), only the first that left 24 may move; dice left in the turn of its passing are free.",
    ),
    _rule(
        "Primes",
        "occupancy.own_quarter",
        _6="",
        any_number="You may not hold more than {value} of the six points of your start quarter, 24 to 19, "
        "even in passing.",
    ),
    _rule(
        "Primes",
        "occupancy.quarter_until",
        enemy_passed="This ends when an enemy checker has passed your start.",
        enemy_home="This ends when an enemy checker has reached its home.",
    ),
    _rule(
        "Primes",
        "occupancy.opponent_quarter",
        _6="",
        any_number="You may not hold more than {value} of the six points of the opponent's start quarter, "
        "even in passing.",
    ),
    _rule(
        "Primes",
        "prime.allowed",
        always="There is no rule against six and more points in a row as such.",
        ahead_of_block="Six points in a row on the opponent's path may be held only while one of their "
        "checkers stands ahead of them, past your block.",
        in_home="Six points in a row on the opponent's path may be held only while one of their checkers "
        "stands in their home.",
        may_move="Six points in a row on the opponent's path may be held only while at least one of their "
        "checkers could move with some number.",
    ),
    _rule(
        "Primes",
        "prime.transit",
        true="This holds after every single step, even in passing.",
        false="This is judged at the end of the turn.",
    ),
    _rule(
        "Dice",
        "duty.dice",
        all="As many dice as possible must be played, in whatever order allows the most.",
        voluntary="Any part of the throw may be left unplayed, but at least one die must be played if one "
        "can be.",
        blocking="A die must be played if it still can be after the others; which dice can be played may be "
        "decided by their order.",
    ),
    _rule(
        "Dice",
        "duty.tie",
        larger="If either die can be played but not both, the larger must be.",
        pips="Among equally many dice those plays must be chosen that use the most pips; a checker borne off "
        "counts the point it stood on.",
    ),
    _rule(
        "Dice",
        "duty.tie",
        larger="While bearing off the dice may be played in either order, even if that wastes pips, as long "
        "as both are played. The last checker may enter the home with the smaller die.",
        pips="The last checker may enter the home with the smaller die, if that wastes no pips.",
    ),
    _rule(
        "Dice",
        "duty.must_open",
        stack_behind="If all enemy checkers stand on one point and you hold the six before it, you must "
        "open one of them at the end of your turn when the dice allow.",
        any_lock="If no enemy checker could move whatever they threw, you must open a point at the end of "
        "your turn when the dice allow.",
    ),
    _rule(
        "Hit and run",
        "hit_run.ban",
        none="A checker that has hit may run on.",
        soft="A checker that hit in your own home may not end the same turn on other checkers of yours or be "
        "borne off; it may hit again, or go on to an empty point. With a double, checkers that hit "
        "together may go on.",
        hard="A checker that hit in your own home makes no further step in the same turn.",
    ),
    _rule(
        "Hit and run",
        "hit_run.priority",
        absolute="This comes before the duty to play the dice: a die that could only be played so is lost.",
        dice_first="The duty to play the dice comes before this.",
    ),
    _rule(
        "Doubles",
        "throw.double_steps",
        _1="A double is played once.",
        _2="A double is played as two steps, like any other throw.",
        _4="A double is played as four steps.",
        any_number="A double is played as {value} steps.",
    ),
    _rule(
        "Doubles",
        "throw.progression_from",
        _0="",
        _1="From the first turn on a double, once played completely, goes on with the next higher one, "
        "four steps each, up to 6-6.",
        any_number="From turn {value} on a double, once played completely, goes on with the next higher "
        "one, four steps each, up to 6-6.",
    ),
    _rule(
        "Doubles",
        "throw.progression_count",
        own="Each side counts its own turns.",
        game="The turns of both sides are counted together.",
    ),
    _rule(
        "Doubles",
        "throw.progression_in_bearoff",
        false="Once all your checkers are home a double no longer goes on.",
    ),
    _rule(
        "Doubles",
        "throw.unused_to_opponent",
        false="A double not played completely ends the turn; the rest is lost.",
        true="A double not played completely ends the turn. The opponent plays the rest in order, as far "
        "as they can complete it, before they throw; nothing comes back.",
    ),
    _rule(
        "Doubles",
        "throw.forfeit_simple",
        true="A die of an ordinary throw that cannot be played goes to the opponent too.",
    ),
    _rule(
        "Doubles",
        "throw.one_two_bonus",
        needs_all="After a 1-2 with both dice played, name any double and play it; if all four steps were "
        "played, throw again.",
        always="After a 1-2 with both dice played, name any double, play what you can of it and throw again.",
    ),
    _rule(
        "Bearing off",
        "bearoff.overshoot",
        from_highest="When all your checkers are home a die bears off from its own point; a larger one "
        "from your highest point, when nothing stands higher.",
        loose="When all your checkers are home a die bears off from its own point; when that point is "
        "empty it may bear off from any lower one.",
        exact="When all your checkers are home a die bears off from its own point and from no other.",
    ),
    _rule(
        "Bearing off",
        "bearoff.inside",
        true="Moves inside the home remain allowed.",
        false="Then nothing moves inside the home any more.",
    ),
    _rule(
        "Bearing off",
        "bearoff.forced",
        after_duty="A checker that can be borne off must be, as far as the duty to play the dice leaves "
        "the choice.",
        before_duty="A checker that can be borne off must be, before any other duty.",
    ),
    _rule(
        "Bearing off",
        "bearoff.pinned_blocks",
        false="While one of yours is imprisoned at home the others may be borne off.",
        true="While one of yours is imprisoned nothing is borne off.",
    ),
    _rule(
        "End",
        "ending.last_roll_tie",
        false="The player who first has borne off all their checkers wins.",
        true="The player who first has borne off all their checkers wins; but if that is the starter, the "
        "second player has a last turn, and if they finish too the game is a tie.",
    ),
    _rule(
        "End",
        "ending.mother",
        at_once="If your last checker on 24 is imprisoned by an enemy who has left their own 24, you lose at "
        "once; if both are imprisoned so, the game is a tie.",
        plays_on="If your last checker on 24 is imprisoned by an enemy who has left their own 24, you can no "
        "longer win unless you imprison theirs too; the game is played out.",
    ),
    _rule(
        "End",
        "ending.mother_points",
        _1="This counts 1 point.",
        any_number="This counts {value} points.",
    ),
    _rule(
        "End",
        "ending.closed_area_wins",
        true="A side that holds all six points of its start quarter at the end of a turn, before an enemy "
        "checker has reached its home, wins at once.",
        false="When a side holds all six points of its start quarter at the end of a turn, before an enemy "
        "checker has reached its home, the game ends without a winner.",
    ),
    _rule(
        "Score",
        "score.left",
        count="The winner scores one point for each checker the loser has not borne off.",
        difference="The winner scores the difference of the checkers borne off.",
    ),
    _rule("Score", "score.single", _1="A win counts 1.", any_number="A win counts {value}."),
    _rule(
        "Score",
        "score.gammon",
        _0="",
        any_number="It counts {value} if the loser has borne off none (gammon, mars).",
    ),
    _rule(
        "Score",
        "score.backgammon",
        _0="",
        any_number="It counts {value} if besides the loser has a checker on the bar or in the winner's home "
        "(backgammon).",
    ),
    _rule(
        "Score",
        "score.home_mars",
        _0="",
        any_number="It counts {value} if the loser has brought all home and borne off none (home mars).",
    ),
    _rule(
        "Score",
        "score.koks",
        _0="",
        any_number="It counts {value} if the loser has borne off none and still has a checker on their 24 "
        "(koks).",
    ),
    _rule(
        "Cube",
        "cube.use",
        true="Before throwing, a player may double the stake; who refuses loses the present value, who "
        "takes owns the cube and alone may redouble. Scores are multiplied by it.",
        false="There is no doubling cube.",
    ),
    _rule(
        "Cube",
        "cube.limit",
        _0="The stake may be doubled as often as both sides want.",
        any_number="The cube is turned up to {value}.",
    ),
    _rule(
        "Cube",
        "cube.use",
        true="In a match the game after a side has come within one point of winning is played without the "
        "cube, that one only (Crawford). In money play gammons count as single games until the cube has been "
        "turned (Jacoby).",
    ),
    _rule(
        "Cube",
        "table.allow_dead_double",
        false="Nobody doubles when the present value already wins them the match.",
        true="A player may double even when the present value already wins them the match.",
    ),
    _rule(
        "Table",
        "table.touch_move",
        true="A touched checker must be moved, and nothing is taken back.",
    ),
    _rule(
        "Table",
        "table.settle",
        per_checker="Money games are settled by one unit for each checker the loser still has on the board.",
        per_checker_home="Money games are settled by one unit for each checker that stands in the loser's "
        "home, at least one.",
    ),
    _rule(
        "Table",
        "table.agreements",
        true="With the consent of both, a game is called off or settled for points, or the match ends drawn.",
    ),
)
"""Every axis that has words, in the order in which a player learns a game; the setup comes before."""
