"""A run on the terminal: a bar, and a line for every measurement."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from sheshbesh.engines.measure.score import Score


class Screen:
    """Shows how a run goes; plain lines now and then where there is no terminal."""

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._last_percent = -1
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>5.1f} %"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[facts]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=1.0, facts="")

    def __enter__(self) -> Screen:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def round_done(self, *, share: float, games: int, games_per_s: float, loss: float, stage: int) -> None:
        """Move the bar."""
        facts = f"stage {stage}, {games:,} games, {games_per_s:,.0f}/s, loss {loss:.4f}"
        self._bar.update(self._task, completed=share, facts=facts)
        percent = int(share * 20)
        if not self._console.is_terminal and percent > self._last_percent:
            self._last_percent = percent
            self._console.print(f"{100 * share:5.1f} %  {facts}")

    def measured(self, *, against: str, score: Score, promoted: bool | None) -> None:
        """Say how a duel went."""
        opponent = "random plays" if against == "random" else "the net before"
        verdict = {None: "", True: ": promoted", False: ": not promoted"}[promoted]
        self._console.print(
            f"against {opponent}: {score.per_game:+.4f} ± {score.error:.4f} points a game, "
            f"{100 * score.share:.1f} % of the points ({2 * score.pairs:,} games){verdict}"
        )
