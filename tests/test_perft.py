"""Perft: the number of positions some plays away, for every game and many options.

The counts in data/perft come from the core; those of small depth are counted again by the oracle.
On a failure the divide says which throw to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import sheshbesh as sb
from tests import reference
from tests.make_goldens import PERFT, game_with
from tests.sizes import sampled

ORACLE_CALLS = 12
"""The oracle is slow: it counts to depth 2 where depth 1 has no more positions than this."""


class Line(NamedTuple):
    """One line of a perft file."""

    game: str
    option: str
    value: str
    name: str
    position: str
    depth: int
    positions: int


def lines_of(path: Path) -> Iterator[Line]:
    game, _, choice = path.name.removesuffix(".perft").partition("+")
    option, _, value = choice.partition("=")
    for text in path.read_text("utf-8").splitlines():
        if text and not text.startswith("#"):
            name, position, depth, count = (part.strip() for part in text.split(";"))
            yield Line(game, option, value, name, position, int(depth), int(count))


LINES = [line for path in sorted(PERFT.glob("*.perft")) for line in lines_of(path)]


FILES: dict[str, list[Line]] = {}
"""The lines by the game and the option that they are about."""
for _line in LINES:
    FILES.setdefault(f"{_line.game}{_line.option and '+'}{_line.option}{_line.value}", []).append(_line)


def position_of(line: Line) -> sb.Position:
    game = game_with(line.game, line.option, line.value)
    return game.start() if line.position == "start" else game.position_from_id(line.position)


def throws_in(position: sb.Position) -> list[sb.Roll | None]:
    """The throws perft sums over; None plays what is owed."""
    if position.pending is not None:
        return [None]
    return [roll for roll, _ in sb.Roll.all()]


def divide(position: sb.Position, depth: int) -> dict[str, int]:
    """The count for each throw on its own."""
    game = position.variant
    return {
        str(roll or "owed"): sum(game.perft(depth - 1, play.result) for play in position.legal_plays(roll))
        for roll in throws_in(position)
    }


@pytest.mark.parametrize("file", FILES)
def test_the_core_counts_as_recorded_and_the_divide_adds_up(file: str) -> None:
    for line in FILES[file]:
        position = position_of(line)
        count = position.variant.perft(line.depth, position)
        if count != line.positions:
            rows = "\n".join(f"  {roll}: {number}" for roll, number in divide(position, line.depth).items())
            pytest.fail(f"{line.name}: {count}, recorded {line.positions}; divide of {position.id}:\n{rows}")
        if line.depth == 1:
            assert sum(divide(position, 1).values()) == line.positions, line


def test_every_game_has_a_perft_file() -> None:
    assert {line.game for line in LINES if not line.option} == set(sb.variants())
    assert all(line.position == "start" for line in LINES if line.name.startswith("start"))


def test_the_start_of_backgammon() -> None:
    game = sb.variant("backgammon")
    assert game.perft(0) == 1
    assert game.perft(1) == 447
    assert game.perft(2, game.start(turn="black")) == 202782


# --- counted again, independently -----------------------------------------------------------------


def oracle_position(position: sb.Position, rules: reference.Rules) -> reference.Position:
    """The oracle's form of a position, made from public answers only."""
    owed = position.pending
    counted = dict.fromkeys(("white", "black"), 0)
    for part in position.id.split(":")[2:]:
        if part[0] == "t":
            counted = dict(zip(counted, map(int, part[1:].split(".")), strict=True))
    context: dict[str, object] = {"turns_played": counted}
    for part in position.id.split(":")[2:]:
        if part in ("sw", "sb"):
            context["starter"] = "white" if part == "sw" else "black"
        if part in ("mw", "mb"):
            context["mother_lost"] = {"white": part == "mw", "black": part == "mb"}
    if owed is not None and owed.choose:
        context["phase"] = "chosen_double"
    elif owed is not None:
        context |= {"steps": owed.steps, "rest": owed.rest, "then": owed.then}
    return reference.from_board(rules, position.board(), position.turn.value, **context)


def oracle_perft(rules: reference.Rules, position: reference.Position, depth: int) -> int:
    if depth == 0:
        return 1
    owed = position.pending
    dice: list[tuple[int, int] | None] = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    if owed is not None:
        dice = [(d, d) for d in range(1, 7)] if owed.choose else [None]
    return sum(
        oracle_perft(rules, final, depth - 1)
        for thrown in dice
        for final in reference.legal_plays(rules, position, thrown)
    )


def cheap(line: Line) -> bool:
    first = next(other for other in LINES if other[:3] == line[:3] and other.position == line.position)
    return line.depth == 1 or (line.depth == 2 and first.positions <= ORACLE_CALLS)


@pytest.mark.parametrize(
    "file", sampled(FILES, lambda file: "+" not in file or list(FILES).index(file) % 4 == 0)
)
def test_the_oracle_counts_the_same(file: str) -> None:
    counted = [line for line in FILES[file] if cheap(line)]
    assert counted
    rules = reference.read_axes(position_of(counted[0]).variant.axes)
    for line in counted:
        found = oracle_perft(rules, oracle_position(position_of(line), rules), line.depth)
        assert found == line.positions, line
