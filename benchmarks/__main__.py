"""The command: `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from functools import partial
from pathlib import Path

import sheshbesh as sb
from benchmarks import open_spiel_games, ours
from benchmarks.engine_work import EngineWork, values_by_isa
from benchmarks.measure import EXPECTED, read_expected, write_expected
from benchmarks.report import Results, describe_machine, page
from sheshbesh.engines.measure import speed
from sheshbesh.engines.measure.speed import Summary, Work, WorkChangedError, best_rate

PAGE = Path(__file__).parent / "results.md"


class Bench:
    """One run: the work expected (None: whatever is found), the work done, and the rates."""

    def __init__(self, expected: dict[str, Summary] | None, repeats: int) -> None:
        self.expected = expected
        self.repeats = repeats
        self.done: dict[str, Summary] = {}
        self.results = Results()

    def measure(self, name: str, work: Work) -> float:
        """Check the work against what is expected under `name`, then time it."""
        expected = None
        if self.expected is not None:
            if name not in self.expected:
                raise WorkChangedError(f"{name}: not in {EXPECTED.name}")
            expected = self.expected[name]
        rate, self.done[name] = best_rate(name, work, expected, self.repeats)
        return rate

    def game(self, name: str) -> None:
        """Random games of one game in the core, and its `legal_plays` from Python."""
        game = sb.variant(name)
        rate = self.measure(f"core {name}", partial(speed.core_positions, game, ours.CORE_DECISIONS))
        _, decisions, positions, _ = self.done[f"core {name}"]
        self.results.positions[name] = rate
        self.results.decisions[name] = rate * decisions / positions
        asked = ours.throws(game)
        self.results.calls[name] = self.measure(f"calls {name}", partial(ours.ask_legal_plays, asked))

    def compare(self) -> None:
        """Backgammon in the core, from Python and through open_spiel, one after the other."""
        game, compared = sb.variant("backgammon"), self.results.compared
        compared["core"] = self.measure(
            "core backgammon", partial(speed.core_decisions, game, ours.CORE_DECISIONS)
        )
        compared["python"] = self.measure(
            "python backgammon", partial(speed.python_decisions, game, ours.API_DECISIONS)
        )
        if importlib.util.find_spec("pyspiel") is not None:
            work = partial(open_spiel_games.decisions, importlib.import_module("pyspiel"))
            # Its own version decides what it does; it must only do the same every time.
            compared["open_spiel"], _ = best_rate("open_spiel", work, None, self.repeats)

    def engine(self) -> None:
        """Values on every instruction set, decisions, rollouts and cube decisions of backgammon."""
        work = EngineWork.shipped()
        self.results.net = work.net
        self.results.values = values_by_isa(work, self.repeats)
        for name, part in work.parts.items():
            self.results.engine[name], _ = best_rate(name, part, None, self.repeats)


def main(arguments: list[str] | None = None) -> int:
    """Run everything; 1 if the work changed, or with --strict if a target was missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure the rules and the engine."
    )
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    parser.add_argument(
        "--accept", action="store_true", help=f"write {EXPECTED.name}: this is the work to expect"
    )
    parser.add_argument("--strict", action="store_true", help="fail if a target is missed")
    parser.add_argument("--repeats", type=int, default=5, help="timed runs of each benchmark")
    options = parser.parse_args(arguments)
    bench = Bench(None if options.accept else read_expected(), options.repeats)
    try:
        for name in sb.variants():
            bench.game(name)
        bench.compare()
        bench.engine()
    except WorkChangedError as error:
        print(f"the work changed: {error}\nIf the rules were meant to change, run again with --accept.")
        return 1
    text = page(bench.results, describe_machine())
    print(text)
    if options.accept:
        write_expected(bench.done)
    if options.write:
        PAGE.write_text(text)
    missed = bench.results.missed()
    print("\n".join(f"missed: {line}" for line in missed) or "every target is reached")
    return int(bool(missed) and options.strict)


if __name__ == "__main__":
    sys.exit(main())
