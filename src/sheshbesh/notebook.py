"""Output for notebooks: tables as HTML, frames of pandas, and bars of progress, which terminals show too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pandas import DataFrame

_T = TypeVar("_T")


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
def bars(text: str = "{task.description}") -> Iterator[Callable[[str, float], None]]:
    """Show how far things are, in a notebook or in a terminal on standard error; nowhere else.

    Parameters
    ----------
    text : str
        What stands before a bar, with `{task.description}` for what it is the bar of.

    Yields
    ------
    callable
        Takes what a bar is of, and the share that is done, 0 to 1. A bar appears when it is first told of.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if console.is_jupyter:
        yield _cells(text)
        return
    parts = (TextColumn(text), BarColumn(), TimeRemainingColumn())
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


def _cells(text: str) -> Callable[[str, float], None]:
    """Bars below the cell of a notebook, in plain HTML: rich needs widgets there."""
    from IPython.display import HTML, display

    handles: dict[str, Any] = {}

    def update(label: str, done: float) -> None:
        said = escape(text.replace("{task.description}", label))
        bar = HTML(f'{said} <progress value="{done:.3f}" max="1"></progress> {done:.0%}')
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
