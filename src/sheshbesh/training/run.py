"""A training run: play a round, learn from it, make the next net, and now and then measure."""

from __future__ import annotations

import json
import math
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from sheshbesh.engines import registry
from sheshbesh.engines.outcome import Classes
from sheshbesh.errors import StoppedError, TrainingError
from sheshbesh.rules import Variant
from sheshbesh.training import checkpoint, coverage, manifest, quantised, quiet, weights
from sheshbesh.training.files import CHECKPOINT, LOG, POSITIONS, Log, make_folder
from sheshbesh.training.gates import Gates
from sheshbesh.training.learner import Learner
from sheshbesh.training.play import Games, Order, play_games, seed_of_games, split
from sheshbesh.training.progress import Pace, Progress, Watcher
from sheshbesh.training.recipe import Recipe, Stage, read
from sheshbesh.work import Interrupted, Results, Stop, Work

_SAVE_EVERY = 30.0

_GRACE = 1.2
"""Seconds that what follows the games of a round may still take after a Ctrl-C."""
_KEEP_EVERY = 600.0


class Stopped(Exception):  # noqa: N818 -- not an error
    """The run was asked to stop; its checkpoint is written."""


class PieceDone(Stopped):
    """The run stopped because its time for now was up."""


@dataclass(frozen=True, slots=True)
class _Round:
    """A round that is being played: its games, in how many parts."""

    results: Results[Games]
    games: int
    parts: int


class TrainingRun:
    """One training run. `folder` holds its checkpoint, log and product.

    `minutes` bounds the whole run by time instead of by games: the number of games of the recipe is then
    adapted after every round to its speed. `piece` is the time after which it stops to be taken up again, in
    minutes. `keep` is the folder for its float checkpoint. `device` is where the net is fitted, by its name
    in PyTorch.
    """

    def __init__(
        self,
        variant: Variant,
        recipe: Recipe,
        folder: Path,
        *,
        work: Work,
        watcher: Watcher | None = None,
        minutes: float | None = None,
        piece: float | None = None,
        keep: Path | None = None,
        device: str = "cpu",
    ) -> None:
        self.recipe, self.folder, self.work, self.watcher = recipe, folder, work, watcher
        self.minutes, self.piece = minutes, piece
        self.pace = None if minutes is None else Pace(recipe, minutes * 60)
        self.coverage = coverage.cover(variant, recipe.options, recipe.option_share)
        self.progress = Progress()
        self.left: float = recipe.stages[0].games
        """Games that the present stage still has."""
        self.log = Log(folder / LOG)
        self.kept = None if keep is None else weights.file_of(keep, self.coverage.main.name)
        """Its float checkpoint."""
        self.learner = Learner(self.coverage, recipe, folder / POSITIONS, device)
        self.gates = Gates(variant, recipe, self.progress, work=work, log=self.log, watcher=watcher)
        self.began_from: list[dict[str, Any]] = []
        self.label_net: bytes | None = None
        """The net that plays while a stage that began anew learns."""
        self._ahead: deque[_Round] = deque()
        """The rounds that are being played, the oldest first."""
        self._stopping = False
        self._playing, self._rest = Stop(), Stop()
        """The events that end the games of a round, and those that end the rest of it: learning, gates and
        checks."""
        self._saved_at = 0.0
        self._kept_at = time.monotonic()

    @property
    def stage(self) -> Stage:
        """The stage the run is in."""
        return self.recipe.stages[self.progress.stage]

    @property
    def delivered(self) -> bool:
        """True if the net and its manifest are written."""
        return self.finished and (self.folder / f"{self.coverage.main.name}.json").is_file()

    @property
    def finished(self) -> bool:
        """True if every stage is done."""
        return self.progress.stage >= len(self.recipe.stages)

    # The loop

    def train(self) -> bytes:
        """Go on until the last stage is done; returns the net's file.

        Stopped is raised within two seconds of a Ctrl-C: games that are being played are dropped, and so is
        a round whose learning takes longer. The checkpoint is that of the last round, or where a round was
        dropped while it was learned, the last one written. PieceDone is raised after the round in which the
        time of a piece ran out.
        TrainingError, before anything is played, if the folder cannot be written to.
        """
        torch.set_num_threads(1)
        if self.progress.round == 0 and not self.began_from:
            self.recipe.check_begins_from_nothing()
        make_folder(self.folder)
        if self.kept:
            make_folder(self.kept.parent)
        if self.progress.round == 0 and self.began_from:
            origin = self.began_from[-1]
            self.log.write("init", game=origin["game"], games=origin["games"])
        self.log.write("begin" if self.progress.round == 0 else "resume", games=self.progress.games)
        with self._stop_on_interrupt(), quiet.at_work():
            try:
                self._play_all_stages()
            finally:
                self._drop_rounds()
        if self.gates.product is None:  # no stage had a gate, or none was passed
            self.gates.product = self._final_net()
        self._write_product(self.gates.product)
        self.learner.buffer.keep(1)  # enough to make the last net again
        self.save(keep=True)
        self.log.write("end", games=self.progress.games, seconds=round(self.progress.seconds))
        return self.gates.product

    def _play_all_stages(self) -> None:
        begun, cpu = time.monotonic(), time.process_time()
        piece_ends = begun + 60 * self.piece if self.piece is not None else math.inf
        net = self._player()
        self._play_ahead(net)
        while not self.finished:
            played = self._played(self._ahead.popleft().results)
            before, done = self.progress.stage, self.progress.of_stage
            self.count(played)
            if self.progress.stage != before:
                self._drop_rounds()
            if self.work.beside:
                self._play_ahead(net)
            loss = self.learn(played, self.recipe.stages[before], done)
            net = self._player()
            seconds = time.monotonic() - begun
            learned = self._net
            if self.progress.stage != before:
                final = self._final_net()
                learned = partial(bytes, final)  # a stage that begins anew has nothing to start from
                self._end_stage(before, final)
                net = self._player()
            self._log_round(played, loss, seconds)
            self.gates.check(learned)
            begun, cpu = self._clock(begun, cpu)
            if self.pace and not self.finished:
                self.left = self.pace.left(self.progress, sum(part.games for part in played), seconds)
            piece_done = time.monotonic() >= piece_ends
            if self._stopping or piece_done or time.monotonic() - self._saved_at > _SAVE_EVERY:
                self.save(keep=self._stopping or piece_done)
            if self._stopping and not self.finished:
                raise Stopped
            if piece_done and not self.finished:
                raise PieceDone
            if self._pause():
                begun, cpu = time.monotonic(), time.process_time()
            if not self._ahead:
                self._play_ahead(net)

    def _play_ahead(self, net: bytes) -> None:
        """Have rounds played until every worker has enough to do while the oldest of them is learned."""
        while not self.finished and sum(round_.parts for round_ in self._ahead) < self.work.window:
            left = self.left - sum(round_.games for round_ in self._ahead)
            if self._ahead and left < self._least_round:
                break
            # The last round of a stage is what its net is rounded by, so it is never a tiny one.
            size = max(1, round(left)) if left < 1.5 * self.stage.round else self.stage.round
            orders = self._orders(self.progress.round + len(self._ahead), size)
            stop = lambda: self._stopping  # noqa: E731
            results = self.work.map(play_games, orders, net, ahead=len(orders), stop=stop)
            self._ahead.append(_Round(results, size, len(orders)))

    @property
    def _least_round(self) -> float:
        """With fewer games left than this a stage is over."""
        return 0.5 * min(self.stage.round, self.stage.games)

    def _drop_rounds(self) -> None:
        """Drop what is played ahead."""
        for round_ in self._ahead:
            round_.results.close()
        self._ahead.clear()

    def _played(self, playing: Results[Games]) -> list[Games]:
        """The games of the round; Stopped, with everything saved, if they were dropped."""
        try:
            with self._playing:
                played = list(playing)
        except Interrupted:
            pass
        if self._stopping and not playing.complete:
            self.save(keep=True)
            raise Stopped
        return played

    def _pause(self) -> bool:
        """Wait while somebody needs a quiet machine, or until the run is to stop; False if nobody does."""
        if not quiet.asked_for():
            return False
        self._drop_rounds()
        self.save(keep=True)
        self.log.write("pause", games=self.progress.games)
        quiet.wait(until=lambda: self._stopping)
        self.log.write("go on", games=self.progress.games)
        return True

    def _orders(self, round_: int, size: int) -> list[Order]:
        stage, share = self.stage, self.progress.of_stage
        orders: list[Order] = []
        for variant, games in self.coverage.shares(round_, size):
            for part in split(games, size) if self.work.beside else (games,):
                orders.append(
                    Order(
                        variant=self.coverage.variants[variant],
                        number=variant,
                        games=part,
                        seed=seed_of_games(self.recipe.seed, round_, len(orders)),
                        decay=stage.at(stage.decay, share),
                        explore=stage.at(stage.explore, share),
                        near=stage.near,
                        near_margin=stage.near_margin,
                        random_plies=stage.random_plies,
                        longest_game=stage.longest_game,
                        keep=stage.keep,
                        races=stage.races,
                        known=stage.known,
                        holding=stage.holding,
                        priming=stage.priming,
                        late=stage.late,
                        running=stage.running,
                        inner=stage.inner,
                        plies=stage.plies,
                    )
                )
        return orders

    def count(self, played: list[Games]) -> None:
        """Add the games of a round to the progress."""
        done = self.progress
        games = sum(part.games for part in played)
        done.games += games
        done.positions += sum(len(part.slots) for part in played)
        done.round += 1
        done.stage_games[-1] += games
        done.of_stage += (1 - done.of_stage) * min(1.0, games / self.left)
        self.left -= games
        if self.left < self._least_round:
            done.stage, done.of_stage = done.stage + 1, 0.0
            if not self.finished:
                done.stage_games.append(0)
                self.left = self.stage.games
        done.share = self.recipe.share(done.stage, done.of_stage)

    def learn(self, played: list[Games], stage: Stage, share: float) -> float:
        """Learn from a round as its stage says, `share` of which is done; return the mean loss."""
        return self.learner.learn(played, stage, share, self.progress.round, self._rest.is_set)

    def _net(self) -> bytes:
        return self.learner.net(self.progress.round)

    def _player(self) -> bytes:
        """Return what plays the next round: what was learned so far, or who teaches it."""
        return self._net() if self.label_net is None else self.label_net

    def _final_net(self) -> bytes:
        net, self.progress.rmse = self.learner.final_net(self.progress.round)
        return net

    def _end_stage(self, number: int, net: bytes) -> None:
        pairs = self.recipe.stages[number].gate_pairs
        if pairs:
            self.gates.gate(net, pairs, number)
        self.label_net = None
        if self.finished:
            return
        if self.stage.anew:
            self.begin_anew(net)
        elif self.stage.widths != self.learner.widths:
            self.learner.grow(self.stage.widths)
            self.log.write("grown", widths=list(self.stage.widths))

    def begin_anew(self, label_net: bytes) -> None:
        """Go on with an untrained net, which learns what `label_net` plays."""
        self.label_net = label_net
        self.learner.begin_anew(self.stage.widths)

    def gate_again(self, pairs: int) -> None:
        """Play the last net of a finished run once more against the promoted one, and write the better.

        TrainingError if no other net was promoted.
        """
        gate = self.gates.strength.get("gate")
        if gate is None or gate["games"] == self.progress.games:
            which = "no net was promoted" if gate is None else "the net promoted last is the last one"
            raise TrainingError(f"{self.folder}: {which}, so there is nothing to compare it with")
        self.gates.gate(self._final_net(), pairs, len(self.recipe.stages) - 1)
        assert self.gates.product is not None
        self._write_product(self.gates.product)
        self.save()

    # Bookkeeping

    def _clock(self, begun: float, cpu: float) -> tuple[float, float]:
        """Count what was spent since then, of time and of processor time; returns the present of both.

        Alone this process plays between two calls, so nothing may be left out between them.
        """
        done = self.progress
        now, cpu_now = time.monotonic(), time.process_time()
        spent = now - begun
        done.seconds += spent
        # Of other processes the trainer can only measure that they were busy meanwhile.
        done.cpu_seconds += cpu_now - cpu + (spent * self.work.workers if self.work.beside else 0)
        return now, cpu_now

    def _log_round(self, played: list[Games], loss: float, seconds: float) -> None:
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
            **self._residuals(),
        )
        if self.watcher:
            stage = min(done.stage, len(self.recipe.stages) - 1) + 1
            self.watcher.round_done(
                share=done.share, games=done.games, games_per_s=games / seconds, loss=loss, stage=stage
            )

    def _residuals(self) -> dict[str, float]:
        """In thousandths of a point: of the round before it was learned, and of what was learned before."""
        if self.learner.residual is None:
            return {}
        named = zip(("new", "learned"), self.learner.residual, strict=True)
        found = [(name, value) for name, value in named if value is not None]
        return {f"residual_{name}": round(1000 * value.rms, 1) for name, value in found} | {
            f"shift_{name}": round(1000 * value.mean, 1) for name, value in found
        }

    def stop(self) -> None:
        """Let the run end after the round that it is at, with a checkpoint to go on from."""
        self._stopping = True

    @contextmanager
    def _stop_on_interrupt(self) -> Iterator[None]:
        def ask_to_stop(number: int, frame: FrameType | None) -> None:
            if self._stopping:
                signal.default_int_handler(number, frame)
            self.stop()
            self._playing.set()
            late.start()

        late = threading.Timer(_GRACE, self._rest.set)
        late.daemon = True
        before = signal.signal(signal.SIGINT, ask_to_stop)
        try:
            with self._rest:
                yield
        except (Interrupted, StoppedError):
            raise Stopped from None
        finally:
            signal.signal(signal.SIGINT, before)
            late.cancel()

    def save(self, *, keep: bool = False) -> None:
        """Write the checkpoint; if it is time to or if `keep`, the float checkpoint too."""
        state = {
            "game": self.coverage.main.name,
            "fingerprint": self.coverage.main.fingerprint,
            "recipe": json.dumps(self.recipe.as_dict(), sort_keys=True),
            "left": self.left,
            "progress": asdict(self.progress),
            "classes": coverage.class_words(self.coverage.classes),
            "product": self.gates.product,
            "begun_with": self.gates.begun_with,
            "teacher": self.label_net,
            "strength": json.dumps(self.gates.strength),
            "began_from": json.dumps(self.began_from),
            **self.learner.state(),
        }
        checkpoint.save(self.folder / CHECKPOINT, state)
        self.learner.buffer.tidy()
        self._saved_at = time.monotonic()
        if self.kept and (keep or self._saved_at - self._kept_at > _KEEP_EVERY):
            weights.save(self.kept, state)
            self._kept_at = self._saved_at

    def resume(self) -> bool:
        """Take up the run that the folder holds, else that of its float checkpoint; False if there is none.

        It is fitted to the samples that the checkpoint lists, as far as their files are still there.
        A float checkpoint of a finished run, or of another recipe, is none to take up but one to begin from.
        TrainingError if the checkpoint or one of the positions is damaged, or of another game or recipe.
        """
        file = self.folder / CHECKPOINT
        if file.is_file():
            state = checkpoint.load(file)
            if weights.is_one(state):
                raise TrainingError(
                    f"{file} is a float checkpoint: its place is the folder that --keep names"
                )
            self._check_state(file, state)
            if not self._is_of(state):
                raise TrainingError(
                    f"{file} was begun with another recipe, --games or --seed: give the same to go on; "
                    "--fresh begins anew"
                )
            self._take_up(state)
            self.gates.strength = json.loads(state["strength"])
            return True
        if self.kept is None or not self.kept.is_file():
            return False
        state = weights.load(self.kept)
        self._check_state(self.kept, state)
        if state["progress"]["stage"] >= len(self.recipe.stages) or not self._is_of(state):
            return False
        self._take_up(state)
        shipped = self._shipped()
        self.gates.begun_with = shipped
        if state["taught"]:
            self.label_net = shipped or self._net()
        return True

    def _is_of(self, state: dict[str, Any]) -> bool:
        """Return True if a checkpoint is of this recipe; entries that are newer than it stand at their
        defaults."""
        return read(json.loads(state["recipe"]), "of the checkpoint") == self.recipe

    def _check_state(self, file: Path, state: dict[str, Any]) -> None:
        """TrainingError if a checkpoint was made under other rules or for other inputs."""
        if state["fingerprint"] != self.coverage.main.fingerprint:
            raise TrainingError(f"{file} is a run of {state['game']} under other rules; --fresh begins anew")
        units, needed = len(state["mean"]["seen"]), self.learner.inputs.units
        if units != needed:
            raise TrainingError(f"{file} was made for {units} inputs, not {needed}; --fresh begins anew")

    def _take_up(self, state: dict[str, Any]) -> None:
        self.progress.take_up(state["progress"])
        self.left = state["left"]
        self.learner.load(state)
        self.gates.product = state["product"]
        self.gates.begun_with = state.get("begun_with")
        self.label_net = state.get("teacher")
        self.began_from = json.loads(state.get("began_from", "[]"))

    def _shipped(self) -> bytes | None:
        """The net that is shipped for these rules, if there is one with the same ways to end the game."""
        game = self.coverage.main
        own = [net for net in registry.manifests(registry.shipped_folder) if game.fingerprint in net.covers]
        classes = Classes.of(game)
        fitting = [net for net in own if (net.wins, net.has_tie) == (classes.wins, classes.has_tie)]
        return fitting[0].path.read_bytes() if fitting else None

    def begin_from(self, file: Path) -> None:
        """Start with the weights of a checkpoint or a net; TrainingError as `Learner.begin_from` says.

        One of the same game, with the same ways to end it, is also the first to be beaten; with weights of
        another game that is the shipped net, if there is one.
        """
        origin = self.learner.begin_from(file)
        self.began_from = origin.runs
        same_ends = origin.classes == coverage.class_words(self.coverage.classes)
        is_own = origin.game == self.coverage.main.name and same_ends
        net = origin.net if is_own and origin.net else self.learner.net(0)
        if is_own:
            self.gates.begun_with = (self._shipped() if origin.kept else None) or net
        else:
            self.gates.begun_with = self._shipped()
        if self.stage.anew:
            self.begin_anew(net)

    def _write_product(self, product: bytes) -> None:
        name = self.coverage.main.name
        checkpoint.write_atomically(self.folder / f"{name}.net", product)
        text = json.dumps(self._manifest(product), indent=2, ensure_ascii=False) + "\n"
        checkpoint.write_atomically(self.folder / f"{name}.json", text.encode())

    def _manifest(self, product: bytes) -> dict[str, Any]:
        strength = dict(self.gates.strength)
        games = strength.get("gate", {}).get(
            "games", self.progress.games
        )  # the net may be that of an earlier stage
        rmse = strength.pop("quantisation_rmse", self.progress.rmse)
        recipe = {**self.recipe.as_dict(), "games": self.progress.games, "played": self.progress.stage_games}
        if self.minutes is not None:
            recipe["minutes"] = self.minutes
        if self.began_from:
            recipe["began_from"] = self.began_from
        return manifest.describe(
            self.coverage,
            quantised.parse(product),
            recipe=recipe,
            seed=self.recipe.seed,
            games=games,
            cpu_seconds=self.progress.cpu_seconds,
            strength=strength,
            sha256=sha256(product).hexdigest(),
            rmse=rmse,
        )
