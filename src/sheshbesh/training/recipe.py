"""The training of a net, as data: TOML files, the default one in `recipes/` and differences from it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sheshbesh.bounded import MOST_SETTINGS, parse_toml, read_text
from sheshbesh.errors import TrainingError

Ramp = tuple[float, float]
"""The value at the beginning and at the end of a stage; in between it changes evenly."""

LARGEST_SEED = 2**32 - 1
"""So large that what rounds and duels make of it still fits into a seed of the core."""

MOST = 2**31 - 1
"""The most that any other whole number may be."""

FURTHER, CONTINUE = "further", "continue"
"""The shipped recipes for a net that plays already: by a new net that it teaches, and by the same weights."""

_RAMPS = frozenset({"decay", "rate", "explore"})
_WHOLE = MappingProxyType(
    {
        "games": (1, MOST),
        "random_plies": (0, MOST),
        "round": (1, MOST),
        "replay": (1, MOST),
        "batch": (1, 2**20),
        "gate_pairs": (0, MOST),
        "longest_game": (1, MOST),
        "plies": (0, 3),
        "checks": (0, MOST),
        "check_pairs": (0, MOST),
        "seed": (0, LARGEST_SEED),
    }
)
"""The whole numbers of stages and recipes, with the least and the most each may be."""

_SHARES = MappingProxyType(
    {
        "keep": False,
        "near": True,
        "races": True,
        "known": True,
        "holding": True,
        "priming": True,
        "late": True,
        "running": True,
        "inner": True,
        "option_share": True,
        "average": True,
    }
)
"""The numbers up to 1, and whether they may be 0."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a run.

    `games` counts self-play games; `decay` is lambda of the returns, `rate` the learning rate, `explore`
    the share of plays chosen at random, `near` the share chosen among those within `near_margin` (points
    of equity, times what is at stake) of the best, so that plays whose values are a little too low are met
    and put right, `random_plies` the most random plays that open a game. `round` is the number of games
    between two nets, `replay` the number of rounds whose positions are kept, `passes` how often each
    position is learned on average, `keep` the share of the positions that is kept at all. `gate_pairs`
    mirrored pairs decide at the end of the stage whether its net is promoted (0: no gate). `polish` says
    that the model is fitted as it will be rounded. With `plies` 1 a position's target is the mean over
    all throws, each answered by the best play, instead of the one throw that came; it costs some eight
    times a play. With a `decay` above 0 besides, the luck of every throw is taken out of the return in
    the same way, so that even whole results (`decay` 1) teach with little noise: what the net's plays
    win, not what it believes of them. That looks ahead at every position; without it only those that are
    kept cost anything, and `keep` is best small. More plies allow no `decay`.

    A stage that begins `anew` has a new net learn, of any widths and with random weights, while the one
    before goes on playing until the stage ends: what was learned with a rounding, or in some corner, is
    no burden to it, and what it is trained on does not move. It needs many `passes` over all that was played.

    `races` is the share of the positions without contact that are looked at and learned, `known` that of the
    positions in a bear-off database; both are much of what is played and little of what is misjudged. The
    rest adds nothing to the returns before it.

    `holding`, `priming`, `late` and `running` are shares of the games that begin elsewhere, after plays that
    are not learned, by one side that keeps its rear back: with two points held there that the other side has
    passed, with a prime of five points or more in front of an enemy, with the first checker borne off and
    contact left, and without contact before everybody is home.

    With `plies` 2 a look-ahead values the best reply to every throw with one ply on its way: `inner` is the
    share of those positions that are learned too.

    In a stage with `head` the output alone learns. It is too small to learn results by heart, and so can be
    trained on whole ones (`decay` 1): a bias inherited from the net that makes the labels is corrected there.
    """

    games: int
    widths: tuple[int, ...]
    decay: Ramp
    rate: Ramp
    explore: Ramp = (0.0, 0.0)
    near: float = 0.0
    near_margin: float = 0.05
    random_plies: int = 0
    round: int = 2000
    replay: int = 6
    passes: float = 2.0
    batch: int = 2048
    keep: float = 1.0
    races: float = 1.0
    known: float = 1.0
    holding: float = 0.0
    priming: float = 0.0
    late: float = 0.0
    running: float = 0.0
    inner: float = 0.0
    gate_pairs: int = 10_000
    longest_game: int = 1000
    polish: bool = False
    plies: int = 0
    anew: bool = False
    head: bool = False

    def at(self, ramp: Ramp, share: float) -> float:
        """The value of one of the ramps when `share` (0 to 1) of the stage is done."""
        return ramp[0] + (ramp[1] - ramp[0]) * min(max(share, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides a run, apart from chance and the machine.

    `options` lists the option sets that are played beside the shipped game, `"auto"` means each value
    of each option alone that keeps the ways a game can end; all of them together take the share
    `option_share` of the games. `average` is the share of the old weights in the running mean that plays
    and is exported, a step. `checks` is how often in a run the strength is measured (0: never), with
    `check_pairs`, which are two at least.
    """

    stages: tuple[Stage, ...]
    options: str | tuple[Mapping[str, object], ...] = "auto"
    option_share: float = 0.2
    average: float = 0.998
    checks: int = 10
    check_pairs: int = 500
    seed: int = 2026

    @property
    def games(self) -> int:
        """The games of all stages."""
        return sum(stage.games for stage in self.stages)

    def scaled(self, games: int) -> Recipe:
        """The same recipe for another number of games in all."""
        factor = games / self.games
        stages = tuple(replace(stage, games=max(1, round(stage.games * factor))) for stage in self.stages)
        return replace(self, stages=stages)

    def share(self, stage: int, of_stage: float) -> float:
        """Return how much of the run is done when it has come so far in a stage (counted from 0)."""
        if stage >= len(self.stages):
            return 1.0
        before = sum(each.games for each in self.stages[:stage])
        return (before + of_stage * self.stages[stage].games) / self.games

    def check_begins_from_nothing(self) -> None:
        """TrainingError if the first stage needs a net to begin with."""
        if self.stages[0].anew:
            raise TrainingError("the recipe begins anew, so --init has to name the net that plays meanwhile")

    def as_dict(self) -> dict[str, Any]:
        """The recipe as plain data, for manifests and checkpoints."""
        data = asdict(self)
        data["stages"] = [
            {key: list(value) if isinstance(value, tuple) else value for key, value in stage.items()}
            for stage in data["stages"]
        ]
        if not isinstance(self.options, str):
            data["options"] = [dict(options) for options in self.options]
        return data


def load(file: Path | None = None) -> Recipe:
    """The recipe in `file`, else the default.

    `FURTHER` and `CONTINUE` name the shipped ones for going on from a net, unless a file is called so. A file
    says only what it says differently from the default; its stages replace all stages, and what a stage
    leaves out stands in the table `stage`. TrainingError as `read` says.
    """
    shipped = files("sheshbesh.training") / "recipes"
    layers: list[Path | Traversable] = [shipped / "default.toml"]
    if file is not None and str(file) in (FURTHER, CONTINUE) and not file.exists():
        layers.append(shipped / f"{file}.toml")
    elif file is not None:
        layers.append(file)
    data: dict[str, Any] = {}
    for layer in layers:
        name = str(layer) if layer is file else layer.name
        changes = _parsed(layer, name)
        stage = _table(changes.pop("stage", {}), f"recipe {name}: stage")
        data = {**data, **changes, "stage": {**data.get("stage", {}), **stage}}
    return read(data, name)


def _parsed(file: Path | Traversable, name: str) -> dict[str, Any]:
    try:
        text = read_text(file, MOST_SETTINGS) if isinstance(file, Path) else file.read_text("utf-8")
        return parse_toml(text)
    except OSError as error:
        raise TrainingError(f"recipe {name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TrainingError(f"recipe {name}: it is no text in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise TrainingError(f"recipe {name}: {error}") from error


def read(data: Mapping[str, Any], name: str) -> Recipe:
    """A recipe from plain data; TrainingError names the file, the stage and the entry that does not hold."""
    data, where = dict(data), f"recipe {name}"
    common = _table(data.pop("stage", {}), f"{where}: stage")
    rows = data.pop("stages", None)
    if not isinstance(rows, list) or not rows:
        raise TrainingError(f"{where}: it has no stages; they are tables [[stages]]")
    stages = tuple(
        _stage({**common, **_table(row, f"{where}: stage {i}")}, f"{where}, stage {i}")
        for i, row in enumerate(rows, 1)
    )
    for before, after in pairwise(stages):
        if not after.anew:
            _refuse_shrinking(before.widths, after.widths, name)
            if before.polish and not (after.polish and after.widths == before.widths):
                raise TrainingError(
                    f"{where}: after a stage that polishes come only others, of the same widths, or one that "
                    "begins anew"
                )
    known = {field.name for field in fields(Recipe)} - {"stages"}
    if unknown := sorted(set(data) - known):
        raise TrainingError(f"{where}: unknown entries {', '.join(unknown)}")
    _check_numbers(data, where)
    if "options" in data:
        data["options"] = _options(data["options"], where)
    recipe = Recipe(stages=stages, **data)
    if recipe.checks and recipe.check_pairs < 2:
        raise TrainingError(
            f"{where}: check_pairs is from 2 up, not {recipe.check_pairs}, where checks is {recipe.checks}; "
            "checks = 0 leaves them out"
        )
    return recipe


def _table(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TrainingError(f"{what} is a table, not {value!r}")
    return value


def _options(value: object, where: str) -> str | tuple[Mapping[str, object], ...]:
    if value == "auto":
        return "auto"
    if not isinstance(value, list | tuple) or not all(isinstance(each, Mapping) for each in value):
        raise TrainingError(f'{where}: options is "auto" or a list of tables, not {value!r}')
    return tuple(value)


def _check_numbers(values: Mapping[str, Any], where: str) -> None:
    """Refuse what is no number, or one that cannot be, in a recipe or a stage."""
    for key, value in values.items():
        if key in _WHOLE:
            least, most = _WHOLE[key]
            if type(value) is not int or not least <= value <= most:
                raise TrainingError(f"{where}: {key} is a whole number from {least} to {most}, not {value!r}")
        elif key in _SHARES:
            if not _is_share(value) or (value == 0 and not _SHARES[key]):
                least_said = "from 0" if _SHARES[key] else "above 0"
                raise TrainingError(f"{where}: {key} is a number {least_said} to 1, not {value!r}")
        elif key == "near_margin":
            if type(value) not in (int, float) or not 0 <= value <= 10:
                raise TrainingError(f"{where}: near_margin is a number of points from 0 to 10, not {value!r}")
        elif key == "passes":
            if type(value) not in (int, float) or not 0 < value <= 1000:
                raise TrainingError(f"{where}: passes is a number above 0 to 1000, not {value!r}")
        elif key in ("polish", "anew", "head") and type(value) is not bool:
            raise TrainingError(f"{where}: {key} is true or false, not {value!r}")


def _is_share(value: object) -> bool:
    # A bool is an int to Python, and `decay = true` a slip.
    return isinstance(value, int | float) and type(value) is not bool and 0 <= value <= 1


def grows(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Return True if a net of some widths can go on with others and compute the same at first."""
    # A layer that is added begins as the identity, so it is no narrower than the one it reads.
    least = before + before[-1:] * (len(after) - len(before))
    return len(after) == len(least) and all(new >= old for old, new in zip(least, after, strict=True))


def _refuse_shrinking(before: tuple[int, ...], after: tuple[int, ...], name: str) -> None:
    if not grows(before, after):
        raise TrainingError(f"recipe {name}: a net only grows, {list(before)} cannot become {list(after)}")


def _stage(row: Mapping[str, Any], where: str) -> Stage:
    known = {field.name for field in fields(Stage)}
    if unknown := sorted(set(row) - known):
        raise TrainingError(f"{where}: unknown entries {', '.join(unknown)}")
    if missing := sorted({"games", "widths", "decay", "rate"} - set(row)):
        raise TrainingError(f"{where}: {', '.join(missing)} must be given")
    values = dict(row)
    for key in _RAMPS & set(values):
        value = values[key]
        ramp = tuple(value) if isinstance(value, list | tuple) else (value, value)
        if len(ramp) != 2 or not all(map(_is_share, ramp)):
            raise TrainingError(f"{where}: {key} is one number from 0 to 1 or two, not {value!r}")
        values[key] = (float(ramp[0]), float(ramp[1]))
    _check_numbers(values, where)
    widths = tuple(values["widths"]) if isinstance(values["widths"], list | tuple) else ()
    if not 1 <= len(widths) <= 6 or any(type(width) is not int for width in widths):
        raise TrainingError(f"{where}: widths are one to six whole numbers, not {values['widths']!r}")
    if widths[0] % 64 or any(width % 16 for width in widths) or not all(0 < w <= 2048 for w in widths):
        raise TrainingError(f"{where}: the first width is a multiple of 64, the others of 16, at most 2048")
    values["widths"] = widths
    stage = Stage(**values)
    if stage.anew and stage.polish:
        raise TrainingError(
            f"{where}: a net that begins anew has nothing yet to polish; that is a later stage's"
        )
    if stage.anew and stage.head:
        raise TrainingError(f"{where}: of a net that begins anew more than the head has to learn")
    if stage.holding + stage.priming + stage.late + stage.running > 1:
        raise TrainingError(
            f"{where}: holding, priming, late and running are shares of the same games, at most 1 together"
        )
    if stage.inner and stage.plies < 2:
        raise TrainingError(f"{where}: inner is of what two plies find on their way, so plies must be 2 or 3")
    if stage.gate_pairs == 1:
        raise TrainingError(f"{where}: gate_pairs is 0 (no gate) or from 2 up, not 1: one has no spread")
    if stage.plies > 1 and stage.decay != (0.0, 0.0):
        raise TrainingError(f"{where}: decay must be 0 with plies {stage.plies}; returns go with 0 or 1")
    return stage
