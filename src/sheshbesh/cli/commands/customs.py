"""`sheshbesh customs`: the traditional and the modern game, conduct and disputes at a real board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import language_option
from sheshbesh.cli.terminal.wording import wrapped
from sheshbesh.i18n import Text

if TYPE_CHECKING:
    from sheshbesh.customs import Line, Ruling, Topic

_PARTS = ("differences", "conduct", "disputes")


@click.command("customs")
@click.argument("part", type=click.Choice(_PARTS), required=False)
@click.argument("topic", required=False)
@language_option
def command(part: str | None, topic: str | None, lang: str) -> None:
    """Tell how the traditional and the modern game differ, how one behaves at a real board, or who is right.

    PART is differences, conduct or disputes; TOPIC one line of it, such as washing. Without PART all topics
    are listed.
    """
    from sheshbesh import customs

    entries: dict[str, tuple[Line | Topic | Ruling, ...]] = {
        "differences": customs.differences(),
        "conduct": customs.conduct(),
        "disputes": tuple(customs.disputes().rulings.values()),
    }
    if part is None:
        lines = _topics(entries, lang)
    else:
        chosen = [entry for entry in entries[part] if topic in (None, entry.id)]
        if not chosen:
            known = ", ".join(entry.id for entry in entries[part])
            raise click.BadParameter(
                Text("{topic} is not one of {known}", topic=repr(topic), known=known), param_hint="TOPIC"
            )
        lines = (line for entry in chosen for line in _entry(entry, lang))
    for line in lines:
        click.echo(line)


def _topics(entries: dict[str, tuple[Line | Topic | Ruling, ...]], lang: str) -> Iterator[str]:
    from sheshbesh.i18n import translate

    for part, found in entries.items():
        yield f"sheshbesh customs {part}"
        yield from wrapped(
            "  " + " · ".join(f"{each.id} ({translate(each.title, lang)})" for each in found), "  "
        )


def _entry(entry: Line | Topic | Ruling, lang: str) -> Iterator[str]:
    """Tell of one topic: what holds everywhere, both ways, and how it can be tried here."""
    from sheshbesh.customs import WAYS, Line
    from sheshbesh.i18n import Text, translate
    from sheshbesh.rules.citing import cited

    yield translate(entry.title, lang)
    sources = [entry.source] if isinstance(entry, Line) else entry.sources
    if not isinstance(entry, Line) and entry.text:
        yield from wrapped(f"  {translate(entry.text, lang)}", "  ")
    for label, text in ((Text("Traditional"), entry.traditional), (Text("Modern"), entry.modern)):
        if text:
            yield from wrapped(f"  {translate(label, lang)}: {translate(text, lang)}", "    ")
    if isinstance(entry, Line):
        if entry.trial is not None:
            for way, game in WAYS.items():
                yield from wrapped(f"  {translate(entry.trial.task[way], lang)}", "    ")
                dice = "-".join(map(str, entry.trial.dice[way]))
                yield f"    sheshbesh play {game} --position {entry.trial.position(way).id} --roll {dice}"
        for text in (entry.table, entry.reading):
            yield from wrapped(f"  {translate(text, lang)}", "  ") if text else ()
    yield from wrapped("  [" + "; ".join(translate(cited(source), lang) for source in sources) + "]", "   ")
    yield ""
