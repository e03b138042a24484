"""The cube's answers beside those of GNU Backgammon, in matches that it has analysed.

    python -m benchmarks.strength.cube MATCH.sgf...

The engine makes every cube decision of the files at 0, 1 and 2 plies. Told are by depth how many answers
differ from the analyser's, what they lose by its equities in all, and how far the equities are apart (rms):
without a double, with one that is taken, and of doubling beside waiting, which is what the decision is about.
A cube that was analysed two plies deep is a fair measure; one of none says what its model believes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from pathlib import Path

import sheshbesh as sb
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import make_engine
from sheshbesh.records import read_match
from sheshbesh.records.decision import CubeEquities
from sheshbesh.reviews.questions import Question, questions


def asked(files: Sequence[Path]) -> Iterator[tuple[Question, CubeEquities]]:
    """Every cube decision of the files with the analyser's equities."""
    for file in files:
        match = read_match(file)
        known = {(each.game, each.event, each.kind): each.cube for each in match.analysis}
        for question in questions(match):
            theirs = known.get((question.game, question.event, question.kind))
            if theirs is not None:
                yield question, theirs


def loss(question: Question, ours: CubeDecision, theirs: CubeEquities) -> float:
    """What our answer loses by their equities."""
    if question.kind in ("take", "drop"):
        return (theirs.double_take if ours.take else theirs.double_drop) - theirs.best_double
    return theirs.best - (theirs.best_double if ours.should_double else theirs.no_double)


@dataclass
class Found:
    """What was found at one depth: a number for each decision."""

    losses: list[float] = field(default_factory=list)
    errors: list[tuple[float, float, float]] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, question: Question, ours: CubeDecision, theirs: CubeEquities) -> None:
        """Take in a decision."""
        self.losses.append(loss(question, ours, theirs))
        turned = min(ours.double_take, ours.double_pass) - ours.no_double
        self.errors.append(
            (
                ours.no_double - theirs.no_double,
                ours.double_take - theirs.double_take,
                turned - (theirs.best_double - theirs.no_double),
            )
        )

    def __str__(self) -> str:
        count = len(self.losses)
        hold, take, turned = (
            sqrt(fsum(e * e for e in row) / count) for row in zip(*self.errors, strict=True)
        )
        return (
            f"{sum(each > 0 for each in self.losses)} of {count} answers differ, "
            f"loss {fsum(self.losses):.3f}; "
            f"off by {hold:.4f} without a double, {take:.4f} taken, {turned:.4f} between them; "
            f"{1000 * self.seconds / count:.1f} ms"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength.cube", description="The cube.")
    parser.add_argument("files", nargs="+", type=Path, help="matches with cube decisions that were analysed")
    engine = make_engine(sb.variant("backgammon"))
    decisions = list(asked(parser.parse_args(arguments).files))
    if not decisions:
        parser.error("no cube decision was analysed there")
    for plies in (0, 1, 2):
        found = Found()
        for question, theirs in decisions:
            begun = time.process_time()
            ours = engine.cube(question.position, question.match, plies=plies)
            found.seconds += time.process_time() - begun
            found.add(question, ours, theirs)
        print(f"{plies}-ply: {found}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
