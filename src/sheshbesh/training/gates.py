"""The measuring of a run's nets, and the promotion of one of them."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from sheshbesh.engines.measure.score import Score
from sheshbesh.rules import Variant
from sheshbesh.training.files import Log
from sheshbesh.training.play import duel_part, seed_of_duel
from sheshbesh.training.progress import Progress, Watcher
from sheshbesh.training.recipe import Recipe
from sheshbesh.work import Work

_CHUNK = 500


class Gates:
    """Duels of one run against random plays and against the net that was promoted before.

    Before the first promotion that is the net the run began with; a run from nothing has to beat chance.
    """

    def __init__(
        self,
        variant: Variant,
        recipe: Recipe,
        progress: Progress,
        *,
        work: Work,
        log: Log,
        watcher: Watcher | None,
    ) -> None:
        self.product: bytes | None = None
        """The net promoted last."""
        self.begun_with: bytes | None = None
        """The net of the same game that the run began with: the one to beat until another is promoted."""
        self.strength: dict[str, Any] = {}
        """Its result; for the manifest."""
        self.progress = progress
        self._variant, self._recipe, self._work, self._log = variant, recipe, work, log
        self._watcher = watcher

    def _duel(self, first: bytes, second: bytes | None, pairs: int) -> Score:
        parts = []
        for begin in range(0, pairs, _CHUNK):
            self.progress.duels += 1
            seed = seed_of_duel(self._recipe.seed, self.progress.duels)
            parts.append((min(_CHUNK, pairs - begin), seed))
        return sum(self._work.map(duel_part, parts, (self._variant, first, second)), Score())

    def gate(self, net: bytes, pairs: int, stage: int) -> None:
        """The candidate is promoted if it beats the net promoted before by more than two standard errors."""
        score = self._duel(net, self.product or self.begun_with, pairs)
        promoted = score.per_game > 2 * score.error
        against = self._rival()
        event = "promotion" if promoted else "refusal"
        self._log.write(
            event,
            stage=stage + 1,
            games=self.progress.games,
            against=against,
            quantisation_rmse=round(self.progress.rmse, 5),
            **score.summary(),
        )
        if promoted:
            self.product = net
            self.strength["gate"] = {"against": against, "games": self.progress.games, **score.summary()}
            self.strength["quantisation_rmse"] = self.progress.rmse
            self.strength.pop("refused", None)
        elif self.product is None:
            self.strength["refused"] = {"against": against, "games": self.progress.games, **score.summary()}
        if self._watcher:
            self._watcher.measured(against=against, score=score, promoted=promoted)

    def _rival(self) -> str:
        """Against whom a gate is played."""
        if self.product is not None:
            return "previous"
        return "random" if self.begun_with is None else f"net {sha256(self.begun_with).hexdigest()[:12]}"

    def check(self, make_net: Callable[[], bytes]) -> None:
        """Have the present net play against random plays, if it is time to."""
        due = int(self.progress.share * self._recipe.checks)
        if due <= self.progress.checks or not self._recipe.check_pairs:
            return
        self.progress.checks = due
        score = self._duel(make_net(), None, self._recipe.check_pairs)
        self.strength["random"] = score.summary()
        self._log.write("check", games=self.progress.games, against="random", **score.summary())
        if self._watcher:
            self._watcher.measured(against="random", score=score, promoted=None)
