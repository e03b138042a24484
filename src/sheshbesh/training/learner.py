"""The learner of a training run: a net, the mean of its late weights, and the positions it learns from."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sheshbesh.errors import StoppedError, TrainingError
from sheshbesh.training import coverage, export, origins, quantised
from sheshbesh.training.coverage import Coverage
from sheshbesh.training.growth import grown, with_outputs
from sheshbesh.training.model import Inputs, Model, loss_of
from sheshbesh.training.optimiser import Optimiser
from sheshbesh.training.play import Games, Order, play_games, seed_of_sample
from sheshbesh.training.recipe import Recipe, Stage, grows
from sheshbesh.training.sample_buffer import SampleBuffer

_CALIBRATED_ON = 20_000
_MEASURED = 2048
_WARM_UP = 3
"""Steps before one is recorded: what PyTorch makes at the first ones must not be a part of it."""
_SAME_FUNCTION = 0.02
_RANGES_EVERY = 10
_RANGES_FOLLOW = 0.3


@dataclass(frozen=True, slots=True)
class Residual:
    """The distance of equities from their targets, in points: its root mean square, and its mean.

    The mean is above 0 where a net expects too much.
    """

    rms: float
    mean: float


class Learner:
    """A net on its way. What plays and what is kept is the mean of its weights over the last steps.

    What it learns from is also written to the folder `positions`. It learns on `device`, where the positions
    lie; between rounds the nets are in the memory of the processor.
    """

    def __init__(
        self, covered: Coverage, recipe: Recipe, positions: Path | None = None, device: str = "cpu"
    ) -> None:
        self.coverage, self.recipe, self.device = covered, recipe, _device(device)
        self.inputs = Inputs(covered)
        self.buffer = SampleBuffer(covered.class_count, recipe.stages[0].replay, positions, self.device)
        self.generator = torch.Generator().manual_seed(recipe.seed)
        self.model = self._new_model(recipe.stages[0].widths)
        self.mean = copy.deepcopy(self.model)
        self.optimiser = Optimiser(self.model)
        self.steps = 0
        """Steps of learning since the net began."""
        self.residual: tuple[Residual, Residual | None] | None = None
        """The distance of the mean's equities from the targets of the last round before it learned them, and
        of those it had learned from before (None if there are none)."""
        if self.device.type != "cpu" and any(stage.polish for stage in recipe.stages):
            raise TrainingError(f"stages that polish learn on the processor, not on {device}")
        self.plain: Model | None = None
        """The mean as it was before it was polished, to go on from some day: a polished net relies on its
        rounding, and hardly learns anything new."""

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of the layers before the last one."""
        return self.model.widths

    def _new_model(self, widths: tuple[int, ...]) -> Model:
        return Model(self.inputs.units, widths, self.coverage.class_count, self.generator)

    # Learning

    def learn(
        self, played: list[Games], stage: Stage, share: float, round_: int, stopped: Callable[[], bool]
    ) -> float:
        """Learn from what was played in a round, `share` of the stage being done; returns the mean loss.

        `stopped` is asked before every batch; StoppedError, with half of the round learned, once it says so.
        """
        self.buffer.rounds = stage.replay
        new = self.buffer.add(played, round_)
        rate = stage.at(stage.rate, share)
        self._prepare_polish(stage, round_)
        self._prepare_head(stage)
        self.residual = self.residuals()
        steps = max(1, round(new * stage.passes / stage.batch))
        chance = torch.Generator(self.device).manual_seed(seed_of_sample(self.recipe.seed, round_))
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        weight = torch.zeros((), device=self.device)
        expand = self._expand()

        def step() -> None:
            slots, targets, numbers = self.buffer.sample(chance, stage.batch)
            units = expand(slots, numbers)
            loss = loss_of(self.model(units), targets)
            self.optimiser.step(loss, rate)
            self.average(weight)
            total.add_(loss.detach())
            if not stage.head:  # what the first layer makes of a unit that is new was never learned
                self.mean.seen.logical_or_((units != 0).any(dim=0))

        with self._on_device():
            repeat = step
            for number in range(steps):
                if stopped():
                    raise StoppedError("the training was stopped in the middle of a round")
                if number == _WARM_UP and self.device.type == "cuda":
                    repeat = _captured(step, chance)
                weight.fill_(self.next_weight())
                repeat()
        return float(total) / steps

    def _expand(self) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
        if self.device.type == "cpu":
            return lambda slots, numbers: self.inputs.expand(slots.numpy(), numbers.numpy())
        return self.inputs.expand_on(self.device)

    @contextmanager
    def _on_device(self) -> Iterator[None]:
        """Keep what learns on the device while this lasts: a few megabytes, moved twice a round."""
        self._move(self.device)
        try:
            with self._stream():
                yield
        finally:
            self._move(torch.device("cpu"))

    @contextmanager
    def _stream(self) -> Iterator[None]:
        """Have a GPU do what is asked meanwhile on a stream of its own: what it is to repeat must not have
        begun on its default one."""
        if self.device.type != "cuda":
            yield
            return
        stream = torch.cuda.Stream(self.device)
        stream.wait_stream(torch.cuda.current_stream(self.device))
        try:
            with torch.cuda.stream(stream):
                yield
        finally:
            stream.synchronize()  # it is far behind what it was asked for

    def _move(self, device: torch.device) -> None:
        self.model.to(device)
        self.mean.to(device)
        self.optimiser.to(device)

    def residuals(self) -> tuple[Residual, Residual | None]:
        """Measure the newest round, and the positions that were here before; None if there are none."""
        newest, older = self.buffer.newest(_MEASURED), self.buffer.older(_MEASURED)
        return self._residual(*newest), self._residual(*older) if len(older[0]) else None

    def _residual(
        self, slots: NDArray[np.uint8], targets: NDArray[np.float32], numbers: NDArray[np.uint8]
    ) -> Residual:
        chances = self.mean.activations(self.inputs.expand(slots, numbers))[-1].softmax(dim=1).numpy()
        off = (chances - targets) @ np.array(self.coverage.money())
        return Residual(float(np.sqrt(np.mean(off**2))), float(np.mean(off)))

    def next_weight(self) -> float:
        """Count a step; return how far the mean goes to the net that learns after it."""
        self.steps += 1
        # The mean follows quickly at first, when everything still changes.
        return max(1 - self.recipe.average, 9 / (10 + self.steps / 3))

    @torch.no_grad()
    def average(self, weight: torch.Tensor) -> None:
        """Let the mean of the nets go `weight`, one number, of the way to the one that learns."""
        for mean, own in zip(self.mean.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(own, weight)

    def _prepare_polish(self, stage: Stage, round_: int) -> None:
        if not stage.polish:
            return
        before = self.mean.ranges
        if before is None and self.mean.seen.any():  # else it has learned nothing yet
            self.plain = copy.deepcopy(self.mean)
        if before is None or (round_ % _RANGES_EVERY == 0 and not stage.head):
            self.mean.ranges = self._new_ranges(before)
        self._round_first()

    def _prepare_head(self, stage: Stage) -> None:
        for layer, mean in zip(self.model.linear[:-1], self.mean.linear[:-1], strict=True):
            layer.requires_grad_(not stage.head)
            if stage.head:  # it learns on top of what it will be kept with
                layer.load_state_dict(mean.state_dict())

    def _new_ranges(self, before: list[torch.Tensor] | None) -> list[torch.Tensor]:
        found = export.polish_ranges(self.mean, self.inputs, self._sample())
        ranges = [torch.from_numpy(largest).float() for largest in found]
        if before is None:
            return ranges
        # They only shrink: what is cut off was learned around, letting it through is another function.
        return [
            torch.lerp(old, new, _RANGES_FOLLOW).minimum(old) for old, new in zip(before, ranges, strict=True)
        ]

    def _round_first(self) -> None:
        """Have the first layer computed as it will be rounded; what is learned next goes around that."""
        assert self.mean.ranges is not None
        first, *others = self.mean.ranges
        fitting, *errors = export.first_rounding(self.mean, self.inputs, first.double().numpy())
        weight, bias = (torch.from_numpy(error).float() for error in errors)
        for model in (self.model, self.mean):
            model.ranges = [torch.from_numpy(fitting).float(), *others]
            model.first_error = weight, bias

    def grow(self, widths: tuple[int, ...]) -> None:
        """Go on as a larger net that computes the same."""
        self.mean = grown(self.mean, widths, self.generator)
        self.model = copy.deepcopy(self.mean)
        self.optimiser = Optimiser(self.model)

    def begin_anew(self, widths: tuple[int, ...]) -> None:
        """Go on with an untrained net, and drop the samples so far."""
        self.model = self._new_model(widths)
        self.mean, self.plain = copy.deepcopy(self.model), None
        self.optimiser, self.steps = Optimiser(self.model), 0
        before = self.buffer
        self.buffer = SampleBuffer(self.coverage.class_count, before.rounds, before.folder, self.device)

    # The net as a file

    def net(self, round_: int) -> bytes:
        """The averaged net as a file, to play the next round with."""
        return quantised.write(self._quantise(round_, _CALIBRATED_ON // 4))

    def final_net(self, round_: int) -> tuple[bytes, float]:
        """The averaged net as a file to be kept, and what rounding costs it (RMS of equity, in points)."""
        net = self._quantise(round_, _CALIBRATED_ON)
        file = quantised.write(net)
        unseen = self._fresh_sample(file, round_, explore=0.02)
        money = self.coverage.money()
        return file, export.equity_error(self.mean, net, self.inputs, unseen, money)

    def _quantise(self, round_: int, calibrated_on: int) -> quantised.Quantised:
        if self.mean.ranges is not None:
            self._round_first()  # it has learned since
        sample = self._sample(calibrated_on) if len(self.buffer) else self._first_sample(round_)
        return export.quantise(self.mean, self.inputs, sample)

    def _sample(self, size: int = _CALIBRATED_ON) -> export.Sample:
        slots, _, numbers = self.buffer.newest(size)
        return export.Sample(slots, numbers)

    def _first_sample(self, round_: int) -> export.Sample:
        """Positions to calibrate with before a round was played: of its own games, or where it has learned
        nothing yet, of games at random."""
        blank = quantised.blank(self.inputs.units, self.widths, self.coverage.class_count)
        sample = self._fresh_sample(quantised.write(blank), round_, explore=1.0)
        if not self.mean.seen.any():
            return sample
        rough = quantised.write(export.quantise(self.mean, self.inputs, sample))
        return self._fresh_sample(rough, round_, explore=0.02)

    def _fresh_sample(self, net: bytes, round_: int, explore: float) -> export.Sample:
        """Positions of a few games that are not learned from."""
        seed = seed_of_sample(self.recipe.seed, round_)
        games = play_games(Order(self.coverage.main, 0, 50, seed, 0.0, explore, 4, 1000, 1.0), net)
        return export.Sample(games.slots, np.zeros(len(games.slots), np.uint8))

    # Where it comes from and what is kept of it

    def begin_from(self, file: Path) -> origins.Origin:
        """Start with the weights of another run's checkpoint or of a shipped net, of this game or a relative.

        Its net grows to the widths of the first stage, unless that begins anew. Outputs are taken over by
        the kind of result; a kind that the other game does not know begins as unlikely. TrainingError if
        the file is damaged or something else, if its net is larger than the first stage, or if it was
        polished, is to go on without that, and would be another function then.
        """
        origin = origins.load(file, self.inputs, self.generator)
        first, old = self.recipe.stages[0], origin.model.widths
        widths = old if first.anew else first.widths
        if not grows(old, widths):
            raise TrainingError(f"{file} has widths {list(old)}, which cannot grow to {list(widths)}")
        words = coverage.class_words(self.coverage.classes)
        stays = first.anew or (first.polish and old == widths)
        begun = origin.model if stays or origin.plain is None else origin.plain
        self.mean = with_outputs(grown(begun, widths, self.generator), origin.classes, words)
        self.model = copy.deepcopy(self.mean)
        if begun.ranges is not None and not stays:
            # What it learned around its rounding may be another function without it.
            moved = self._moved_by_rounding(begun, origin)
            if moved > _SAME_FUNCTION:
                raise TrainingError(
                    f"{file} was polished with widths {list(old)}, and without its rounding its equities "
                    f"move by {moved:.3f} of the points at stake: the first stage has to polish it further "
                    "with these widths, or to begin anew"
                )
        elif begun.ranges is not None:
            self.model.ranges = self.mean.ranges = begun.ranges
            self._round_first()
            if origin.plain is not None:
                self.plain = with_outputs(origin.plain, origin.classes, words)
        self.optimiser, self.steps = Optimiser(self.model), 0
        return origin

    def _moved_by_rounding(self, model: Model, origin: origins.Origin) -> float:
        """Return what a model's rounding changes in equities (RMS), as a part of what a game pays on average.

        On positions that its net plays to.
        """
        if origin.net is None or origin.classes != coverage.class_words(self.coverage.classes):
            return math.inf
        sample = self._fresh_sample(origin.net, 0, explore=0.02)
        units = self.inputs.expand(sample.slots, sample.numbers)
        plain = copy.deepcopy(model)
        plain.ranges = plain.first_error = None
        chances = [each.activations(units)[-1].softmax(dim=1).numpy() for each in (model, plain)]
        money = np.array(self.coverage.money())
        stake = max(float(np.mean(chances[1] @ np.abs(money))), 1.0)
        return float(np.sqrt(np.mean(((chances[1] - chances[0]) @ money) ** 2))) / stake

    def state(self) -> dict[str, Any]:
        """All of it, for a checkpoint; the positions have files of their own, here are only their rounds."""
        return {
            "positions": self.buffer.held,
            "widths": list(self.widths),
            "model": self.model.state_dict(),
            "mean": self.mean.state_dict(),
            "ranges": self.mean.ranges,
            "plain": None if self.plain is None else self.plain.state_dict(),
            "optimiser": self.optimiser.state(),
            "steps": self.steps,
            "generator": self.generator.get_state(),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take up what `state` returned."""
        self.model = self._new_model(tuple(state["widths"]))
        self.mean = copy.deepcopy(self.model)
        self.model.load_state_dict(state["model"])
        self.mean.load_state_dict(state["mean"])
        self.model.ranges = self.mean.ranges = state["ranges"]
        if self.mean.ranges is not None:
            self._round_first()
        if (plain := state.get("plain")) is not None:
            self.plain = copy.deepcopy(self.mean)
            self.plain.ranges = self.plain.first_error = None
            self.plain.load_state_dict(plain)
        self.optimiser = Optimiser(self.model)
        self.optimiser.load(state["optimiser"])
        self.steps = state["steps"]
        self.generator.set_state(state["generator"])
        self.buffer.take_up(state.get("positions", []))


def _captured(step: Callable[[], None], chance: torch.Generator) -> Callable[[], None]:
    """Record a step as one CUDA graph, which the GPU repeats without being told each part of it again.

    The tensors of a step have to stay where they are; its numbers stay as they were.
    """
    graph = torch.cuda.CUDAGraph()
    graph.register_generator_state(chance)
    with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
        step()
    replay: Callable[[], None] = graph.replay
    return replay


def _device(name: str) -> torch.device:
    """The device that PyTorch calls so; TrainingError if it has none."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise TrainingError(f"PyTorch cannot learn on {name}: {str(error).splitlines()[0]}") from error
    return device
