"""`sheshbesh rules`: the list of games, and the rule card of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.games import find_game, rule_options

if TYPE_CHECKING:
    from sheshbesh.rules import Variant
    from sheshbesh.rules.data import VariantData

_WIDTH = 79


@click.command("rules")
@click.argument("game", required=False)
@rule_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How it is printed.",
)
def command(game: str | None, options: tuple[str, ...], form: str) -> None:
    """List the games, or print the rule card of GAME, each line with its source.

    With --option the card is that of your own table.
    """
    if game is None:
        if options:
            raise click.UsageError("--option belongs to a game: sheshbesh rules GAME --option KEY=VALUE")
        lines = {"text": _list_text, "json": _list_json, "markdown": _list_markdown}[form]()
    else:
        variant = find_game(game, options)
        lines = {"text": card_text, "json": _card_json, "markdown": _card_markdown}[form](variant)
    for line in lines:
        click.echo(line)


# The list


def _games() -> Iterable[Variant]:
    import sheshbesh as sb

    return (sb.variant(name) for name in sb.variants())


def _native(variant: Variant) -> str:
    """The names of a game in other languages."""
    names = dict.fromkeys(variant.data.native.values())
    return ", ".join(name for name in names if name.casefold() != variant.title.casefold())


def _about(data: VariantData) -> str:
    return f"{data.region[:1].upper()}{data.region[1:]}. {data.description}"


def _list_text() -> Iterable[str]:
    for variant in _games():
        data = variant.data
        native = _native(variant)
        names = f"{data.title} ({native})" if native else data.title
        yield from _wrapped(f"{data.name:<13} {names}", " " * 14)
        yield from _wrapped(f"{'':13} {_about(data)}", " " * 14)
    yield ""
    yield "sheshbesh rules GAME prints the rules of one, sheshbesh play GAME plays it."


def _list_json() -> Iterable[str]:
    import json

    games = [
        {
            "name": data.name,
            "title": data.title,
            "aliases": list(data.aliases),
            "native": dict(data.native),
            "region": data.region,
            "description": data.description,
        }
        for data in (variant.data for variant in _games())
    ]
    yield json.dumps(games, ensure_ascii=False, indent=2)


def _list_markdown() -> Iterable[str]:
    yield "| Name | Title | Native names | Region | In a line |"
    yield "|---|---|---|---|---|"
    for variant in _games():
        data = variant.data
        cells = (f"`{data.name}`", data.title, _native(variant), data.region, data.description)
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"


# The card


def card_text(variant: Variant) -> list[str]:
    """The rule card as lines of at most 80 columns, each rule followed by its source."""
    from sheshbesh.rules.card import card_lines

    data = variant.data
    lines = [variant.title, *_wrapped(_about(data))]
    topic = ""
    for line in card_lines(data):
        if line.topic != topic:
            topic = line.topic
            lines += ["", topic]
        lines += _wrapped(f"  {line.text}", "    ") + _wrapped(f"      [{line.source}]", "       ")
    return lines


def _card_json(variant: Variant) -> Iterable[str]:
    import json
    from dataclasses import asdict

    from sheshbesh.rules.card import card_lines

    data = variant.data
    options = {
        name: {"values": list(spec.values), "default": spec.default, "level": spec.level, "doc": spec.doc}
        for name, spec in data.options.items()
    }
    card = {
        "name": data.name,
        "title": data.title,
        "aliases": list(data.aliases),
        "native": dict(data.native),
        "region": data.region,
        "description": data.description,
        "fingerprint": data.fingerprint,
        "chosen": dict(data.chosen),
        "lines": [asdict(line) for line in card_lines(data)],
        "options": options,
    }
    yield json.dumps(card, ensure_ascii=False, indent=2)


def _card_markdown(variant: Variant) -> Iterable[str]:
    from sheshbesh.rules.card import card_lines

    data = variant.data
    yield f"# {variant.title}"
    yield ""
    yield _about(data)
    topic = ""
    for line in card_lines(data):
        if line.topic != topic:
            topic = line.topic
            yield from ("", f"## {topic}", "", "| Rule | Source |", "|---|---|")
        yield f"| {_cell(line.text)} | {_cell(line.source)} |"


def _cell(text: str) -> str:
    """A text that does not break out of its cell."""
    return " ".join(text.split()).replace("|", "\\|")


def _wrapped(text: str, indent: str = "") -> list[str]:
    import textwrap

    return textwrap.wrap(text.rstrip(), _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
