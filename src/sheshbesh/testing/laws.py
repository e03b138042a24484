"""The promises of the rules layer, each a law about one position or one throw in it.

A law raises `ContractError` and returns nothing. None of them depends on the rules of one game.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

from sheshbesh.errors import DiceError, IllegalPlayError
from sheshbesh.rules import RULES, Play, Position, Roll, Side, Step
from sheshbesh.rules.notation import BAR, HAND, OFF, format_steps
from sheshbesh.testing.positions import colours_swapped


class ContractError(AssertionError):
    """A promise that does not hold, with what is needed to see it again.

    Parameters
    ----------
    law : str
        Its name.
    position : Position
        The text id.
    dice : Roll or None
        The throw in question, or None.
    found : str
        What was seen instead.
    """

    def __init__(self, law: str, position: Position, dice: Roll | None, found: str) -> None:
        self.law, self.game = law, repr(position.variant)
        self.position, self.dice = position.id, dice
        throw = f", dice {dice}" if dice else ""
        super().__init__(f"{law}: {found} [{self.game}, position {self.position}{throw}]")


Demand = Callable[[bool, str], None]


@contextmanager
def _law(name: str, position: Position, dice: Roll | None = None) -> Iterator[Demand]:
    """A law under the name `name`: what is demanded must hold, and nothing may be raised."""

    def demand(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as a sentence: demand(x == y, "...")
        if not holds:
            raise ContractError(name, position, dice, otherwise)

    try:
        yield demand
    except ContractError:
        raise
    except Exception as error:
        raise ContractError(name, position, dice, f"raised {error!r}") from error


# --- one position ---------------------------------------------------------------------------------


def checkers_are_conserved(position: Position) -> None:
    """Each side has as many checkers as the game, wherever they are."""
    with _law("checkers are conserved", position) as demand:
        wanted = position.variant.axes["board"]["checkers"]
        for side in Side:
            counts = position.counts(side)
            demand(min(counts) >= 0, f"{side} has a negative count: {counts}")
            demand(sum(counts) == wanted, f"{side} has {sum(counts)} checkers, not {wanted}")
            lonely = all(counts[point] == 1 for point in position.pinned(side))
            demand(lonely, f"{side} has more or less than one checker where one is pinned")


def id_comes_back(position: Position) -> None:
    """The text id leads to an equal position and is the only id of it."""
    with _law("the id comes back", position) as demand:
        again = position.variant.position_from_id(position.id)
        demand(again == position, f"the id leads to another position: {again.id}")
        demand(again.id == position.id, f"a second id for the same position: {again.id}")


def board_comes_back(position: Position) -> None:
    """The board mapping leads to the same board."""
    with _law("the board comes back", position) as demand:
        again = position.variant.position(position.board(), turn=position.turn)
        demand(again.board() == position.board(), f"the mapping leads to another board: {again.board()}")
        for side in Side:
            demand(
                again.counts(side) == position.counts(side), f"{side} stands elsewhere: {again.counts(side)}"
            )


def is_a_value(position: Position) -> None:
    """Equal positions have equal hashes, and pickling yields an equal position."""
    with _law("a position is a value", position) as demand:
        again = position.variant.position_from_id(position.id)
        demand(hash(again) == hash(position), "an equal position has another hash")
        demand(again in {position}, "an equal position is not found in a set")
        demand(position != colours_swapped(position), "it equals the position with the colours exchanged")
        copy = pickle.loads(pickle.dumps(position))
        demand(copy == position, f"pickling leads to another position: {copy.id}")
        demand(copy.variant == position.variant, f"pickling leads to another game: {copy.variant!r}")
        demand(bool(str(position)) and bool(repr(position)), "it cannot be shown")


def colours_are_equal(position: Position) -> None:
    """With the colours exchanged the result, the pips and what is owed belong to the other colour."""
    with _law("the colours are equal", position) as demand:
        swapped = colours_swapped(position)
        demand(colours_swapped(swapped) == position, "exchanging the colours twice leads elsewhere")
        demand(swapped.turn is position.turn.other, "the other side is not on roll")
        for side in Side:
            demand(swapped.pips(side) == position.pips(side.other), f"{side}'s pips changed")
        ours, theirs = position.result, swapped.result
        demand((ours is None) == (theirs is None), f"the result changed: {ours} and {theirs}")
        if ours is not None and theirs is not None:
            same = (ours.points, ours.kind) == (theirs.points, theirs.kind)
            demand(same and ours.winner == (theirs.winner and theirs.winner.other), f"{ours} became {theirs}")


def end_is_an_end(position: Position) -> None:
    """A finished game has a readable result, and neither a play nor a step for any throw."""
    with _law("the end is an end", position) as demand:
        result = position.result
        if result is None:
            return
        demand(
            (result.winner is None) == (result.kind == "tie"),
            f"{result.kind} with the winner {result.winner}",
        )
        demand(
            (result.points > 0) == (result.winner is not None), f"{result.points} points for {result.winner}"
        )
        demand(bool(str(result)), "the result cannot be shown")
        for roll, _ in Roll.all():
            demand(len(position.legal_plays(roll)) == 0, f"a play of {roll} after the end")
            demand(position.legal_steps(roll) == (), f"a step of {roll} after the end")
            refusal = position.refusal("pass", roll)
            demand(refusal is not None and refusal.rule == "game.over", f"a pass is answered with {refusal}")


def what_is_owed_is_coherent(position: Position) -> None:
    """Check that what is owed is owed by the side on roll, and that only the numbers owed can be played."""
    with _law("what is owed is coherent", position) as demand:
        owed = position.pending
        if position.result is not None:
            demand(owed is None, f"{owed} is owed after the end")
            return
        if owed is None:
            demand(_raises_dice_error(position, None), "plays without dice though nothing is owed")
            return
        demand(owed.by is position.turn, f"{owed.by} owes while {position.turn} is on roll")
        demand(len(position.legal_plays()) > 0, "nothing can be answered to what is owed")
        if owed.choose is not None:
            demand(
                owed.choose == "double" and not owed.steps,
                f"a choice of {owed.choose} with steps {owed.steps}",
            )
            demand(_raises_dice_error(position, (6, 5)), "6-5 was taken for a double")
            return
        demand(1 <= len(owed.steps) <= 4, f"{len(owed.steps)} steps are owed")
        other = next(n for n in range(1, 7) if n not in owed.steps)
        demand(_raises_dice_error(position, (other, other)), f"{other}-{other} was taken for {owed.steps}")
        plays = position.legal_plays((owed.steps[0], owed.steps[-1]))
        demand(list(plays) == list(position.legal_plays()), "the owed numbers, thrown, lead to other plays")


def _raises_dice_error(position: Position, dice: tuple[int, int] | None) -> bool:
    try:
        position.legal_plays(dice)
    except DiceError:
        return True
    return False


POSITION_LAWS: tuple[Callable[[Position], None], ...] = (
    checkers_are_conserved,
    id_comes_back,
    board_comes_back,
    is_a_value,
    colours_are_equal,
    end_is_an_end,
    what_is_owed_is_coherent,
)


# --- one throw ------------------------------------------------------------------------------------


def plays_are_distinct(position: Position, dice: Roll, plays: Sequence[Play]) -> None:
    """There is a play, no two end alike, and a pass stands alone."""
    with _law("plays are distinct", position, dice) as demand:
        demand(len(plays) > 0, "no play, not even a pass, though the game goes on")
        demand(len({play.result for play in plays}) == len(plays), "two plays end in the same position")
        demand(len(plays) == 1 or not any(play.is_pass for play in plays), "a pass besides other plays")
        again = position.legal_plays(dice)
        demand([play.notation for play in again] == [play.notation for play in plays], "the order changed")


def colours_play_alike(position: Position, dice: Roll, plays: Sequence[Play]) -> None:
    """With the colours exchanged the same plays are found, in the same order and words."""
    with _law("the colours play alike", position, dice) as demand:
        others = colours_swapped(position).legal_plays(dice)
        words = [play.notation for play in plays], [play.notation for play in others]
        demand(words[0] == words[1], f"{position.turn} may play {words[0]}, the other colour {words[1]}")
        for play, other in zip(plays, others, strict=True):
            demand(colours_swapped(play.result) == other.result, f"{play} leads to different positions")


def play_moves_what_it_says(play: Play) -> None:
    """The steps, played on the counts, give the position after the play."""
    position, mover = play.position, play.position.turn
    with _law("a play moves what it says", position, play.dice) as demand:
        mine, theirs = list(position.counts(mover)), list(position.counts(mover.other))
        for step in play.steps:
            demand(mine[step.origin] > 0, f"{play}: no checker for the step {step}")
            mine[step.origin] -= 1
            mine[step.target] += 1
        demand(tuple(mine) == play.result.counts(mover), f"{play}: the steps lead to {tuple(mine)}")
        after = play.result.counts(mover.other)
        hits = after[BAR] - theirs[BAR]
        taken = sum(step.takes for step in play.steps)
        imprisons = position.variant._geometry.contact == "pin"
        demand(imprisons or hits == taken, f"{play}: {taken} taken, {hits} on the bar")
        demand(hits > 0 or list(after) == theirs, f"{play}: the enemy moved without being hit")
        demand(play.position is position and bool(repr(play)), f"{play}: it does not know where it came from")


def play_can_be_made_step_by_step(play: Play) -> None:
    """Each step is offered after those before it, and no beginning of the play is refused."""
    position, dice = play.position, play.dice
    with _law("a play can be made step by step", position, dice) as demand:
        for done in range(len(play.steps)):
            offered = position.legal_steps(dice, play.steps[:done])
            demand(
                play.steps[done] in offered,
                f"{play}: after {_words(play.steps[:done])} the step {play.steps[done]} is not offered",
            )
            demand(len(set(offered)) == len(offered), f"{play}: a step is offered twice")
            refusal = position.refusal(play.steps[: done + 1], dice)
            demand(
                refusal is None,
                f"{play}: its beginning {_words(play.steps[: done + 1])} is refused: {refusal}",
            )


def play_can_be_read_again(play: Play, plays: Sequence[Play]) -> None:
    """The notation and the final position both lead back to the play."""
    position, dice = play.position, play.dice
    with _law("a play can be read again", position, dice) as demand:
        again = position.parse_play(play.notation, dice)
        demand(again == play, f"{play} is read as {again}, ending in {again.result.id}")
        demand(hash(again) == hash(play), f"{play}: an equal play has another hash")
        refusal = position.refusal(play.notation, dice)
        demand(refusal is None, f"{play} is legal and refused: {refusal}")
        find = getattr(plays, "find", None)  # where a double is named there is one list for each
        demand(find is None or find(play.result) == play, f"{play} is not found by its final position")


def steps_lead_to_plays(position: Position, dice: Roll, plays: Sequence[Play], random: Random) -> None:
    """Taking any offered step until none is offered makes a legal play."""
    with _law("steps lead to plays", position, dice) as demand:
        done: list[Step] = []
        while offered := position.legal_steps(dice, done):
            done.append(random.choice(offered))
            demand(len(done) <= 4, f"more than four steps: {_words(done)}")
        final = position.parse_play(format_steps(done), dice).result
        demand(
            any(play.result == final for play in plays),
            f"{_words(done)} was offered and ends in no legal play",
        )


def referee_has_a_reason(position: Position, dice: Roll, random: Random) -> None:
    """Any text that names checkers and points is a legal play or refused by a rule of the list."""
    with _law("the referee has a reason", position, dice) as demand:
        text = _any_play(position, dice, random)
        refusal = position.refusal(text, dice)
        try:
            play = position.parse_play(text, dice)
        except IllegalPlayError as error:
            demand(refusal is not None, f"{text!r} is not refused and cannot be played: {error}")
            assert refusal is not None
            demand(refusal.rule == error.rule, f"{text!r} breaks {refusal.rule} or {error.rule}")
            demand(refusal.rule in RULES, f"{text!r} breaks {refusal.rule}, which is no rule of the list")
            sourced = RULES[refusal.rule].axis is not None
            demand(bool(refusal.source) == sourced, f"{refusal.rule} with the source {refusal.source!r}")
            demand(bool(refusal.text) and "{" not in refusal.text, f"{refusal.rule} reads {refusal.text!r}")
        else:
            demand(refusal is None, f"{text!r} can be played as {play} and is refused: {refusal}")


def _any_play(position: Position, dice: Roll, random: Random) -> str:
    """A text of a few steps with these dice, from where the mover stands, legal or not."""
    counts = position.counts(position.turn)
    origins = [point for point in range(1, 27) if counts[point]] + [random.randint(1, 24)]
    steps = []
    for die in random.sample([*dice, *(dice if dice.is_double else ())], k=random.randint(1, 2)):
        origin = random.choice(origins)
        steps.append(Step(origin, max(min(origin, HAND) - die, OFF), die))
    return format_steps(steps)


def _words(steps: Sequence[Step]) -> str:
    return " ".join(map(str, steps)) or "nothing"
