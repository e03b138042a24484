"""Output for shells and notebooks: lines for values, tables as HTML, frames of pandas, bars of progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from enum import StrEnum
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from pandas import DataFrame

_T = TypeVar("_T")

PICTURE_WIDTH = 480
"""The width of a board in a notebook, in pixels."""

_LONGEST = 200
"""Characters of the line that a shell shows of a value."""


def brief(name: str, *parts: object) -> str:
    """Return the line that a shell shows of a value: its class and what matters, cut where it is long."""
    text = " ".join(f"<{name} {' '.join(map(str, parts))}".split())
    return f"{text}>" if len(text) < _LONGEST else f"{text[: _LONGEST - 5]} ...>"


def brief_list(name: str, items: Sequence[object]) -> str:
    """Return the line that a shell shows of a sequence: the number of its items and the first three."""
    rest = ", ..." if len(items) > 3 else ""
    return brief(name, f"{len(items)}: {', '.join(map(str, items[:3]))}{rest}")


def brief_fields(value: DataclassInstance) -> str:
    """Return the line that a shell shows of a dataclass: the fields that differ from their defaults."""
    parts = []
    for part in fields(value):
        found: object = getattr(value, part.name)
        default = part.default_factory() if part.default_factory is not MISSING else part.default
        if found != default:
            plain = dict(found) if isinstance(found, Mapping) else found
            parts.append(f"{part.name}={(str(plain) if isinstance(plain, StrEnum) else plain)!r}")
    return f"{type(value).__name__}({', '.join(parts)})"


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as HTML; the first column names the row."""
    lines = [f"<table><caption>{escape(caption)}</caption>", _row("th", head)]
    lines += (_row("td", row) for row in rows)
    return "\n".join([*lines, "</table>"])


def frame(rows: Iterable[Mapping[str, object]]) -> DataFrame:
    """Return rows as a pandas DataFrame; ImportError where pandas is missing."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(f"tables of this kind need pandas: pip install pandas ({error})") from error
    return pd.DataFrame(list(rows))


@contextmanager
def bars() -> Iterator[Callable[[str, float], None]]:
    """Show how far things are, in a notebook or in a terminal on standard error; nowhere else.

    Yields
    ------
    callable
        Takes what a bar is of, and the share that is done, 0 to 1. A bar appears when it is first told of.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if console.is_jupyter:
        yield _cells()
        return
    parts = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    shown = Progress(*parts, console=console, disable=not console.is_terminal)
    tasks: dict[str, TaskID] = {}

    def update(label: str, done: float) -> None:
        if label not in tasks:
            shown.start()  # nothing is shown where nothing is made
            tasks[label] = shown.add_task(label, total=1.0)
        shown.update(tasks[label], completed=done)
        if done >= 1.0:
            del tasks[label]

    try:
        yield update
    finally:
        shown.stop()


def _cells() -> Callable[[str, float], None]:
    """Bars below the cell of a notebook, in plain HTML: rich needs widgets there."""
    from IPython.display import HTML, display

    handles: dict[str, Any] = {}

    def update(label: str, done: float) -> None:
        bar = HTML(f'{escape(label)} <progress value="{done:.3f}" max="1"></progress> {done:.0%}')
        if label in handles:
            handles[label].update(bar)
        else:
            handles[label] = display(bar, display_id=True)

    return update


@contextmanager
def told(
    progress: Callable[[_T], None] | bool | None,  # noqa: FBT001 -- as it is passed on
    share: Callable[[_T], tuple[str, float]],
) -> Iterator[Callable[[_T], None] | None]:
    """Give what is to be told of progress: a function as it is, bars for True, nothing for False or None.

    Parameters
    ----------
    progress : callable or bool, optional
        What was asked for.
    share : callable
        Takes what progress is told as; gives what a bar is of and the share that is done, 0 to 1.

    Yields
    ------
    callable or None
        What is called with the progress.
    """
    if progress is not True:
        yield progress or None
        return
    with bars() as update:
        yield lambda found: update(*share(found))


def _row(kind: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"
