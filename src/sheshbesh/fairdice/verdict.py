"""The result of an audit of dice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong: the line of the file (from 1), the game and throw where known, and what."""

    line: int
    game: str | None
    number: int | None
    text: str

    def __str__(self) -> str:
        place = (
            f"line {self.line}"
            if self.number is None
            else f"throw {self.number} of {self.game} (line {self.line})"
        )
        return f"{place}: {self.text}"


@dataclass(frozen=True, slots=True)
class ThrowReport:
    """One throw of the file; `problem` is None if it holds. `number` is None where it cannot be read."""

    line: int
    game: str | None
    number: int | None
    source: str | None
    roller: str | None
    dice: tuple[int, int] | None
    missing: tuple[str, ...]
    problem: Problem | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an audit: every throw, every problem in the order of the file, and what it means.

    `cut_off` says that the last line is only a part of an event, as after a crash; it was left out.
    """

    throws: tuple[ThrowReport, ...]
    problems: tuple[Problem, ...]
    cut_off: bool
    proved: tuple[str, ...]
    unproved: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """True if nothing is wrong with the dice of this file; what that proves stands in `proved`."""
        return not self.problems

    @property
    def first_problem(self) -> Problem | None:
        """The problem to look at first: what follows a problem may only be its consequence."""
        return self.problems[0] if self.problems else None
