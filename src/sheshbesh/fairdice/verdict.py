"""The result of an audit of dice."""

from __future__ import annotations

from dataclasses import dataclass

from sheshbesh.i18n import Text


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong: the line of the file (from 1), the game and throw where known, and what."""

    line: int
    game: str | None
    number: int | None
    text: Text

    def __str__(self) -> str:
        return str(self.said)

    @property
    def said(self) -> Text:
        """All of it in one sentence."""
        if self.number is None:
            return Text("line {n}: {what}", n=self.line, what=self.text)
        return Text(
            "throw {number} of {game} (line {n}): {what}",
            number=self.number,
            game=self.game or "?",
            n=self.line,
            what=self.text,
        )


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
    `is_record` is False for a text that does not begin as a record or transcript: the one problem says why.
    """

    throws: tuple[ThrowReport, ...]
    problems: tuple[Problem, ...]
    cut_off: bool
    proved: tuple[Text, ...]
    unproved: tuple[Text, ...]
    is_record: bool = True

    @property
    def ok(self) -> bool:
        """True if nothing is wrong with the dice of this file; what that proves stands in `proved`."""
        return not self.problems

    @property
    def first_problem(self) -> Problem | None:
        """The problem to look at first: what follows a problem may only be its consequence."""
        return self.problems[0] if self.problems else None
