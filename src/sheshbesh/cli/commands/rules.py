"""`sheshbesh rules`: the list of games, and the rule card of one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from sheshbesh.cli.game_arguments import complete_games, language_option, rule_options
from sheshbesh.cli.terminal.wording import card_text, summary, wrapped
from sheshbesh.i18n import Text
from sheshbesh.rules.lookup import find_game

if TYPE_CHECKING:
    from sheshbesh.rules import Variant


@click.command("rules")
@click.argument("game", required=False, shell_complete=complete_games)
@rule_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How it is printed.",
)
@language_option
def command(game: str | None, options: tuple[str, ...], form: str, lang: str) -> None:
    """List the games, or print the rule card of GAME, each line with its source.

    With --option the card is that of your own table.
    """
    if game is None:
        if options:
            raise click.UsageError(
                Text("--option belongs to a game: sheshbesh rules GAME --option KEY=VALUE")
            )
        lines = {"text": _list_text, "json": _list_json, "markdown": _list_markdown}[form](lang)
    else:
        variant = find_game(game, options)
        lines = {"text": card_text, "json": _card_json, "markdown": _card_markdown}[form](variant, lang)
    for line in lines:
        click.echo(line)


# The list


def _games() -> Iterable[Variant]:
    import sheshbesh as sb

    return (sb.variant(name) for name in sb.variants())


def _native(variant: Variant, title: str) -> str:
    """The names of a game in other languages."""
    names = dict.fromkeys(variant.native.values())
    return ", ".join(name for name in names if name.casefold() != title.casefold())


def _list_text(lang: str) -> Iterable[str]:
    from sheshbesh.i18n import translate

    for variant in _games():
        data = variant._data
        title = translate(data.title, lang)
        native = _native(variant, title)
        names = f"{title} ({native})" if native else title
        yield from wrapped(f"{data.name:<13} {names}", " " * 14)
        yield from wrapped(f"{'':13} {summary(data, lang)}", " " * 14)
    yield ""
    yield translate("sheshbesh rules GAME prints the rules of one, sheshbesh play GAME plays it.", lang)


def _list_json(lang: str) -> Iterable[str]:
    import json

    games = [_description(variant, lang) for variant in _games()]
    yield json.dumps(games, ensure_ascii=False, indent=2)


def _description(variant: Variant, lang: str) -> dict[str, object]:
    """A game's names, region and description, in a language, as JSON has them."""
    from sheshbesh.i18n import translate

    data = variant._data
    return {
        "name": data.name,
        "title": translate(data.title, lang),
        "aliases": list(data.aliases),
        "native": dict(data.native),
        "region": translate(data.region, lang),
        "description": translate(data.description, lang),
    }


def _list_markdown(lang: str) -> Iterable[str]:
    from sheshbesh.i18n import translate

    yield "| Name | Title | Native names | Region | In a line |"
    yield "|---|---|---|---|---|"
    for variant in _games():
        data = variant._data
        title, region, about = (translate(text, lang) for text in (data.title, data.region, data.description))
        cells = (f"`{data.name}`", title, _native(variant, title), region, about)
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"


# The card


def _card_json(variant: Variant, lang: str) -> Iterable[str]:
    import json
    from dataclasses import asdict

    from sheshbesh.i18n import translate
    from sheshbesh.rules.card import card_lines

    data = variant._data
    options = {
        name: {
            "values": list(spec.values),
            "default": spec.default,
            "level": spec.level,
            "doc": translate(spec.doc, lang),
            "needs": {other: list(values) for other, values in data.needs[name].items()},
        }
        for name, spec in data.offered.items()
    }
    card = {
        **_description(variant, lang),
        "fingerprint": data.fingerprint,
        "chosen": dict(data.chosen),
        "lines": [
            asdict(line) | {"topic": translate(line.topic, lang), "text": translate(line.text, lang)}
            for line in card_lines(data)
        ],
        "options": options,
    }
    yield json.dumps(card, ensure_ascii=False, indent=2)


def _card_markdown(variant: Variant, lang: str) -> Iterable[str]:
    from sheshbesh.i18n import translate
    from sheshbesh.rules.card import card_lines
    from sheshbesh.rules.citing import cited

    data = variant._data
    yield f"# {translate(variant.title, lang)}"
    yield ""
    yield summary(data, lang)
    topic = ""
    for line in card_lines(data):
        if line.topic != topic:
            topic = line.topic
            yield from ("", f"## {translate(topic, lang)}", "", "| Rule | Source |", "|---|---|")
        yield f"| {_cell(translate(line.text, lang))} | {_cell(translate(cited(line.source), lang))} |"


def _cell(text: str) -> str:
    """A text that does not break out of its cell."""
    return " ".join(text.split()).replace("|", "\\|")
