"""Strength over time, as a picture and as a table."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from sheshbesh.errors import TrainingError
from sheshbesh.training.files import LOG, PICTURE, TABLE, Log

_COLUMNS = ("games", "event", "against", "pairs", "per_game", "error", "share")


def draw(folder: Path) -> list[Path]:
    """Write `strength.csv` and `strength.png` beside a run's log; returns both.

    TrainingError if nothing has been measured yet, or if the files cannot be written.
    """
    events = Log(folder / LOG).read()
    measured = _with_numbers(events, "games", "per_game", "error", "share")
    if not measured:
        raise TrainingError(f"{folder}: nothing has been measured yet")
    table, picture = folder / TABLE, folder / PICTURE
    try:
        with table.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, _COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(measured)
        _picture(events, measured, folder.name, picture)
    except OSError as error:
        raise TrainingError(f"{error.filename or folder} cannot be written: {error.strerror}") from error
    return [table, picture]


def _with_numbers(events: list[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """The events that have all these numbers: a log may have been damaged, or written by hand."""
    return [event for event in events if all(isinstance(event.get(key), int | float) for key in keys)]


def _picture(events: list[dict[str, Any]], measured: list[dict[str, Any]], title: str, file: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 9), layout="constrained")
    figure.suptitle(title)
    loss, random, ladder = figure.subplots(3, 1, sharex=True)
    rounds = [event for event in _with_numbers(events, "games", "loss") if event["event"] == "round"]
    loss.plot([event["games"] for event in rounds], [event["loss"] for event in rounds], linewidth=0.8)
    loss.set_ylabel("loss (cross-entropy)")
    checks = [event for event in measured if event["event"] == "check"]
    random.plot([c["games"] for c in checks], [100 * c["share"] for c in checks], marker=".")
    random.set_ylabel("points won against\nrandom plays, %")
    gates = [event for event in measured if event["event"] in {"promotion", "refusal"}]
    rating, games, ratings, errors = 0.0, [], [], []
    for gate in gates:
        games.append(gate["games"])
        ratings.append(rating + gate["per_game"])
        errors.append(2 * gate["error"])
        if gate["event"] == "promotion":
            # The first gate is against random plays: the ladder begins there.
            rating = rating + gate["per_game"] if gate.get("against") != "random" else 0.0
            ratings[-1] = rating
    ladder.errorbar(games, ratings, yerr=errors, marker="o", capsize=3)
    ladder.set_ylabel("points a game won over the\nfirst promoted net, gate by gate")
    ladder.set_xlabel("games of self-play")
    for axes in (loss, random, ladder):
        axes.grid(alpha=0.3)
    figure.savefig(file, dpi=120)
