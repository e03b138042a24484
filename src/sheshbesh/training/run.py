"""A training run: play a round, learn from it, make the next net, and now and then measure."""

from __future__ import annotations

import copy
import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import numpy as np
import torch

from sheshbesh.errors import TrainingError
from sheshbesh.rules import Variant
from sheshbesh.training import checkpoint, coverage, export, manifest, origins, quantised
from sheshbesh.training.growth import grown, with_outputs
from sheshbesh.training.log import Log
from sheshbesh.training.model import Inputs, Model, loss_of
from sheshbesh.training.play import Crew, Duel, Games, Order, gather, play_duel, play_games
from sheshbesh.training.recipe import Recipe, Stage
from sheshbesh.training.replay import Replay

CHECKPOINT = "checkpoint.bin"
LOG = "log.jsonl"
_SAVE_EVERY = 30.0
_CALIBRATED_ON = 3000
_GATE_CHUNK = 500
_RANGES_EVERY = 10
_RANGES_FOLLOW = 0.3
_SEEDS = 1 << 20
"""Rounds and duels a run can have before the seeds of two runs with neighbouring seeds could meet."""


class Stopped(Exception):  # noqa: N818 -- not an error
    """The run was asked to stop; its checkpoint is written."""


class Watcher(Protocol):
    """Whoever is told how a run goes."""

    def round_done(self, *, share: float, games: int, games_per_s: float, loss: float, stage: int) -> None:
        """A round was played and learned; `share` of the run is done."""

    def measured(self, *, against: str, score: Duel, promoted: bool | None) -> None:
        """A duel was played: against random plays, or the net promoted before."""


@dataclass(slots=True)
class Progress:
    """What a run has done so far; plain numbers, kept in the checkpoint."""

    share: float = 0.0
    stage: int = 0
    round: int = 0
    games: int = 0
    positions: int = 0
    duels: int = 0
    checks: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    rmse: float = 0.0


class Run:
    """One net on its way. `folder` holds its checkpoint, log and product.

    `minutes` bounds the whole run by time instead of by games: the number of games of the recipe is then
    adapted after every round to the speed seen so far.
    """

    def __init__(
        self,
        variant: Variant,
        recipe: Recipe,
        folder: Path,
        *,
        crew: Crew,
        watcher: Watcher | None = None,
        minutes: float | None = None,
    ) -> None:
        self.recipe, self.folder, self.crew, self.watcher = recipe, folder, crew, watcher
        self.seconds_allowed = None if minutes is None else minutes * 60
        self.coverage = coverage.cover(variant, recipe.options, recipe.option_share)
        self.inputs = Inputs(self.coverage)
        self.total = recipe.games
        self.progress = Progress()
        self.replay = Replay(self.coverage.class_count, recipe.stages[0].replay)
        self.log = Log(folder / LOG)
        self.generator = torch.Generator().manual_seed(recipe.seed)
        self.model = self._new_model(recipe.stages[0].widths)
        self.mean = copy.deepcopy(self.model)
        self.optimiser = self._new_optimiser()
        self.product: bytes | None = None
        self.strength: dict[str, Any] = {}
        self.began_from: list[dict[str, Any]] = []
        self._stopping = False
        self._saved_at = 0.0

    # The parts of the machine

    def _new_model(self, widths: tuple[int, ...]) -> Model:
        return Model(self.inputs.units, widths, self.coverage.class_count, self.generator)

    def _new_optimiser(self) -> torch.optim.Optimizer:
        # Weights of the first layer that hardly anything holds in place would cost all others their
        # precision: what is possible must fit into sixteen bits, however rare it is.
        first = self.model.linear[0].weight
        others = [weight for weight in self.model.parameters() if weight is not first]
        groups = [{"params": [first], "weight_decay": 0.02}, {"params": others, "weight_decay": 1e-4}]
        return torch.optim.AdamW(groups, lr=1e-3, fused=True)

    @property
    def stage(self) -> Stage:
        """The stage the run is in."""
        return self.recipe.stages[self.progress.stage]

    @property
    def delivered(self) -> bool:
        """Whether the net and its manifest are written."""
        return self.finished and (self.folder / f"{self.coverage.main.name}.json").is_file()

    @property
    def finished(self) -> bool:
        """Whether every stage is done."""
        return self.progress.stage >= len(self.recipe.stages)

    # The loop

    def train(self) -> bytes:
        """Go on until the last stage is done; returns the net's file.

        Stopped is raised after the next round once a Ctrl-C came; a second one does not wait.
        """
        torch.set_num_threads(1)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log.write("begin" if self.progress.round == 0 else "resume", games=self.progress.games)
        with self._stop_on_interrupt():
            self._play_all_stages()
        if self.product is None:  # no stage had a gate, or none was passed
            self.product = self._net(final=True)
        self._write_product()
        self._save()
        self.log.write("end", games=self.progress.games, seconds=round(self.progress.seconds))
        return self.product

    def _play_all_stages(self) -> None:
        begun, cpu = time.monotonic(), time.process_time()
        net = self._net()
        playing = [] if self.finished else self._submit(net)
        while not self.finished:
            played = gather(playing)
            before = self.progress.stage
            self._count(played)
            if self.crew.beside and not self.finished:
                playing = self._submit(net)
            loss = self._learn(played)
            net = self._net()
            seconds = time.monotonic() - begun
            if self.progress.stage != before:
                self._end_stage(before, self._net(final=True))
                net = self._net()
            self._tell(played, loss, seconds)
            self._check_strength(net)
            begun, cpu = self._clock(begun, cpu)
            if self._stopping or time.monotonic() - self._saved_at > _SAVE_EVERY:
                self._save()
            if self._stopping and not self.finished:
                raise Stopped
            if not self.crew.beside and not self.finished:
                playing = self._submit(net)

    def _submit(self, net: bytes) -> list[Future[Games]]:
        number, share = self.recipe.stage_at(self.progress.share)
        stage = self.recipe.stages[number]
        seed = self.recipe.seed * _SEEDS + self.progress.round
        orders = []
        for variant, games in self.coverage.shares(self.progress.round, stage.round):
            for part, size in enumerate(self.crew.split(games)):
                orders.append(
                    Order(
                        variant=self.coverage.variants[variant],
                        number=variant,
                        games=size,
                        seed=seed * 64 + part,
                        decay=stage.at(stage.decay, share),
                        explore=stage.at(stage.explore, share),
                        random_plies=stage.random_plies,
                        longest_game=stage.longest_game,
                        keep=stage.keep,
                        plies=stage.plies,
                    )
                )
        return [self.crew.submit(play_games, order, net) for order in orders]

    def _count(self, played: list[Games]) -> None:
        done = self.progress
        games = sum(part.games for part in played)
        done.games += games
        done.positions += sum(len(part.slots) for part in played)
        done.round += 1
        done.share = min(1.0, done.share + games / self.total)
        if self.recipe.games * (1 - done.share) < 0.5:
            done.share = 1.0
        number, share = self.recipe.stage_at(done.share)
        done.stage = len(self.recipe.stages) if done.share >= 1.0 and share >= 1.0 else number

    def _learn(self, played: list[Games]) -> float:
        number, share = self.recipe.stage_at(self.progress.share)
        stage = self.recipe.stages[number]
        self.replay.rounds = stage.replay
        new = self.replay.add(played)
        for group in self.optimiser.param_groups:
            group["lr"] = stage.at(stage.rate, share)
        self._prepare_polish(stage)
        steps = max(1, round(new * stage.passes / stage.batch))
        chance = np.random.default_rng((self.recipe.seed, self.progress.round))
        total = 0.0
        for _ in range(steps):
            slots, targets, numbers = self.replay.sample(chance, stage.batch)
            units = self.inputs.expand(slots, numbers)
            loss = loss_of(self.model(units), torch.from_numpy(targets))
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()
            self._average()
            total += float(loss.detach())
            self.mean.seen.logical_or_((units != 0).any(dim=0))
        return total / steps

    @torch.no_grad()
    def _average(self) -> None:
        # The mean follows quickly at first, when everything still changes.
        steps = self.progress.round
        weight = 1 - min(self.recipe.average, (1 + 20 * steps) / (10 + 20 * steps))
        torch._foreach_lerp_(list(self.mean.parameters()), list(self.model.parameters()), weight)

    def _prepare_polish(self, stage: Stage) -> None:
        if not stage.polish:
            self.model.ranges = self.mean.ranges = None
            return
        before = self.mean.ranges
        if before is not None and self.progress.round % _RANGES_EVERY:
            return
        found = export.polish_ranges(self.mean, self.inputs, self._sample())
        ranges = [torch.from_numpy(largest).float() for largest in found]
        if before is not None:
            # They only shrink: what is cut off was learned around, letting it through is another function.
            ranges = [
                torch.lerp(old, new, _RANGES_FOLLOW).minimum(old)
                for old, new in zip(before, ranges, strict=True)
            ]
        self.model.ranges = self.mean.ranges = ranges

    # Nets

    def _sample(self, size: int = _CALIBRATED_ON) -> export.Sample:
        slots, _, numbers = self.replay.newest(size)
        return export.Sample(slots, numbers)

    def _net(self, *, final: bool = False) -> bytes:
        """The averaged net as a file; one that only plays the next round is calibrated on fewer positions."""
        if len(self.replay):
            sample = self._sample(_CALIBRATED_ON if final else _CALIBRATED_ON // 4)
        else:
            sample = self._first_sample()
        net = export.quantise(self.mean, self.inputs, sample)
        file = quantised.write(net)
        if final:
            unseen = self._fresh_sample(file, explore=0.02)
            money = self.coverage.money()
            self.progress.rmse = export.equity_error(self.mean, net, self.inputs, unseen, money)
        return file

    def _first_sample(self) -> export.Sample:
        """Positions to calibrate with before a round was played: of games at random, then of its own."""
        blank = quantised.blank(self.inputs.units, self.model.widths, self.coverage.class_count)
        sample = self._fresh_sample(quantised.write(blank), explore=1.0)
        if self.progress.round == 0:
            return sample
        rough = quantised.write(export.quantise(self.mean, self.inputs, sample))
        return self._fresh_sample(rough, explore=0.02)

    def _fresh_sample(self, net: bytes, explore: float) -> export.Sample:
        """Positions of a few games that are not learned from."""
        seed = self.recipe.seed * _SEEDS + self.progress.round
        games = play_games(Order(self.coverage.main, 0, 50, seed * 64 + 63, 0.0, explore, 4, 1000, 1.0), net)
        return export.Sample(games.slots, np.zeros(len(games.slots), np.uint8))

    def _end_stage(self, number: int, net: bytes) -> None:
        pairs = self.recipe.stages[number].gate_pairs
        if pairs:
            self._gate(net, pairs, number)
        if not self.finished and self.stage.widths != self.model.widths:
            self.mean = grown(self.mean, self.stage.widths, self.generator)
            self.model = copy.deepcopy(self.mean)
            self.optimiser = self._new_optimiser()
            self.log.write("grown", widths=list(self.stage.widths))

    # Strength

    def _duel(self, first: bytes, second: bytes | None, pairs: int) -> Duel:
        score = Duel()
        chunks = [min(_GATE_CHUNK, pairs - begin) for begin in range(0, pairs, _GATE_CHUNK)]
        at_once = 4 * self.crew.workers if self.crew.beside else 1
        for begin in range(0, len(chunks), at_once):
            futures = []
            for size in chunks[begin : begin + at_once]:
                self.progress.duels += 1
                seed = (self.recipe.seed + 1) * _SEEDS * 64 + self.progress.duels
                futures.append(self.crew.submit(play_duel, self.coverage.main, first, second, size, seed))
            for part in gather(futures):
                score += part
        return score

    def _gate(self, net: bytes, pairs: int, stage: int) -> None:
        """The candidate is promoted if it beats the net promoted before by more than two standard errors."""
        score = self._duel(net, self.product, pairs)
        promoted = score.per_game > 2 * score.error
        against = "random" if self.product is None else "previous"
        event = "promotion" if promoted else "refusal"
        self.log.write(
            event,
            stage=stage + 1,
            games=self.progress.games,
            against=against,
            quantisation_rmse=round(self.progress.rmse, 5),
            **score.as_dict(),
        )
        if promoted:
            self.product = net
            self.strength["gate"] = {"against": against, "games": self.progress.games, **score.as_dict()}
            self.strength["quantisation_rmse"] = self.progress.rmse
        if self.watcher:
            self.watcher.measured(against=against, score=score, promoted=promoted)

    def gate_again(self, pairs: int) -> None:
        """Play the last net of a finished run once more against the promoted one, and write the better."""
        self._gate(self._net(final=True), pairs, len(self.recipe.stages) - 1)
        self._write_product()
        self._save()

    def _check_strength(self, net: bytes) -> None:
        due = int(self.progress.share * self.recipe.checks)
        if due <= self.progress.checks or not self.recipe.check_pairs:
            return
        self.progress.checks = due
        score = self._duel(net, None, self.recipe.check_pairs)
        self.strength["random"] = score.as_dict()
        self.log.write("check", games=self.progress.games, against="random", **score.as_dict())
        if self.watcher:
            self.watcher.measured(against="random", score=score, promoted=None)

    # Bookkeeping

    def _clock(self, begun: float, cpu: float) -> tuple[float, float]:
        """Count what was spent since then, of time and of processor time; returns the present of both.

        Alone this process plays between two calls, so nothing may be left out between them.
        """
        done = self.progress
        now, cpu_now = time.monotonic(), time.process_time()
        spent = now - begun
        done.seconds += spent
        # Of other processes the trainer knows only that they were busy meanwhile.
        done.cpu_seconds += cpu_now - cpu + (spent * self.crew.workers if self.crew.beside else 0)
        if self.seconds_allowed is not None and done.games:
            left = max(self.seconds_allowed - done.seconds, 1.0)
            speed = done.games / done.seconds
            self.total = max(1, round(left * speed / max(1 - done.share, 1e-3)))
        return now, cpu_now

    def _tell(self, played: list[Games], loss: float, seconds: float) -> None:
        games = sum(part.games for part in played)
        plays = sum(part.plays for part in played)
        done = self.progress
        self.log.write(
            "round",
            games=done.games,
            share=round(done.share, 4),
            loss=round(loss, 5),
            games_per_s=round(games / seconds, 1),
            plays_per_game=round(plays / max(games, 1), 1),
        )
        if self.watcher:
            stage = min(done.stage, len(self.recipe.stages) - 1) + 1
            self.watcher.round_done(
                share=done.share, games=done.games, games_per_s=games / seconds, loss=loss, stage=stage
            )

    @contextmanager
    def _stop_on_interrupt(self) -> Iterator[None]:
        def ask_to_stop(number: int, frame: FrameType | None) -> None:
            if self._stopping:
                signal.default_int_handler(number, frame)
            self._stopping = True

        before = signal.signal(signal.SIGINT, ask_to_stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _save(self) -> None:
        state = {
            "game": self.coverage.main.name,
            "fingerprint": self.coverage.main.fingerprint,
            "recipe": json.dumps(self.recipe.as_dict(), sort_keys=True),
            "total": self.total,
            "progress": {name: getattr(self.progress, name) for name in Progress.__slots__},
            "widths": list(self.model.widths),
            "classes": coverage.class_words(self.coverage.classes),
            "model": self.model.state_dict(),
            "mean": self.mean.state_dict(),
            "ranges": self.mean.ranges,
            "optimiser": self.optimiser.state_dict(),
            "generator": self.generator.get_state(),
            "product": self.product,
            "strength": json.dumps(self.strength),
            "began_from": json.dumps(self.began_from),
        }
        checkpoint.save(self.folder / CHECKPOINT, state)
        self._saved_at = time.monotonic()

    def resume(self) -> bool:
        """Take up the run that the folder holds; False if it holds none.

        The positions of the last rounds are not kept, so the first rounds learn from fewer. TrainingError
        if the checkpoint is damaged or belongs to another game or recipe.
        """
        file = self.folder / CHECKPOINT
        if not file.is_file():
            return False
        state = checkpoint.load(file)
        if state["fingerprint"] != self.coverage.main.fingerprint:
            raise TrainingError(f"{file} is a run of {state['game']} under other rules; --fresh begins anew")
        if state["recipe"] != json.dumps(self.recipe.as_dict(), sort_keys=True):
            raise TrainingError(f"{file} was begun with another recipe; --fresh begins anew")
        self.progress = Progress(**state["progress"])
        self.total = state["total"]
        self.model = self._new_model(tuple(state["widths"]))
        self.mean = copy.deepcopy(self.model)
        self.model.load_state_dict(state["model"])
        self.mean.load_state_dict(state["mean"])
        self.model.ranges = self.mean.ranges = state["ranges"]
        self.optimiser = self._new_optimiser()
        self.optimiser.load_state_dict(state["optimiser"])
        self.generator.set_state(state["generator"])
        self.product = state["product"]
        self.strength = json.loads(state["strength"])
        self.began_from = json.loads(state.get("began_from", "[]"))
        return True

    def begin_from(self, file: Path) -> None:
        """Start with the weights of another run's checkpoint or of a shipped net, of this game or a relative.

        Its net grows to the widths of the first stage. Outputs are taken over by the kind of result; a
        kind that the other game does not know begins as unlikely. TrainingError if the file is damaged or
        something else, or if its net is larger than the first stage.
        """
        origin = origins.load(file, self.inputs, self.generator)
        other = origin.model
        widths = self.recipe.stages[0].widths
        old = other.widths
        if len(old) > len(widths) or any(a > b for a, b in zip(old, widths, strict=False)):
            raise TrainingError(f"{file} has widths {list(old)}, more than the {list(widths)} asked for")
        words = coverage.class_words(self.coverage.classes)
        self.mean = with_outputs(grown(other, widths, self.generator), origin.classes, words)
        self.model = copy.deepcopy(self.mean)
        if other.ranges is not None and old == widths:
            # A net that has learned with its rounding is another function without it.
            self.model.ranges = self.mean.ranges = other.ranges
        self.optimiser = self._new_optimiser()
        self.began_from = origin.runs
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log.write("init", game=origin.game, games=origin.games)

    def _write_product(self) -> None:
        assert self.product is not None
        name = self.coverage.main.name
        checkpoint.write_atomically(self.folder / f"{name}.net", self.product)
        text = json.dumps(self._manifest(), indent=2, ensure_ascii=False) + "\n"
        checkpoint.write_atomically(self.folder / f"{name}.json", text.encode())

    def _manifest(self) -> dict[str, Any]:
        assert self.product is not None
        strength = dict(self.strength)
        rmse = strength.pop("quantisation_rmse", self.progress.rmse)
        recipe = {**self.recipe.as_dict(), "games": self.progress.games}
        if self.began_from:
            recipe["began_from"] = self.began_from
        return manifest.describe(
            self.coverage,
            quantised.parse(self.product),
            recipe=recipe,
            seed=self.recipe.seed,
            games=self.progress.games,
            cpu_seconds=self.progress.cpu_seconds,
            strength=strength,
            sha256=sha256(self.product).hexdigest(),
            rmse=rmse,
        )
