"""The output of notebooks: tables as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as HTML; the first column names the row."""
    lines = [f"<table><caption>{escape(caption)}</caption>", _row("th", head)]
    lines += (_row("td", row) for row in rows)
    return "\n".join([*lines, "</table>"])


def _row(kind: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells) + "</tr>"
