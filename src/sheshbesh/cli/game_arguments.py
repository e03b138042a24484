"""Options that several commands share: the game, its rules, the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem

from sheshbesh.i18n import Text
from sheshbesh.work import CLUSTER_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT = "backgammon"

LANGUAGE = "sheshbesh.language"
"""The key under which click's context keeps the language that was asked for by --lang."""

_Function = TypeVar("_Function", bound="Callable[..., object]")


def complete_games(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The games that a shell offers where one is named; files where the word is the beginning of a path."""
    from sheshbesh.rules import variants

    if "/" in begun or begun.startswith("."):
        return [CompletionItem(begun, type="file")]
    wanted = begun.casefold().replace("-", "_")
    return [CompletionItem(name) for name in variants() if name.startswith(wanted)]


def _complete_options(
    context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """The options of the game that was named before, and after `=` their values."""
    from sheshbesh.errors import VariantError
    from sheshbesh.rules.lookup import find_game

    named = context.params.get("game") or context.params.get("games") or DEFAULT
    try:
        game = find_game(named if isinstance(named, str) else named[0])
    except VariantError:
        return []
    words = [f"{key}={spec.word(value)}" for key, spec in game._data.offered.items() for value in spec.values]
    return [CompletionItem(word) for word in words if word.startswith(begun)]


def _complete_languages(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    from sheshbesh.i18n import languages

    return [CompletionItem(each.code, help=each.name) for each in languages() if each.code.startswith(begun)]


def rule_options(function: _Function) -> _Function:
    """Add `--option key=value` to a command."""
    return click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        shell_complete=_complete_options,
        help="Set an option of the game; may be repeated. `sheshbesh rules GAME` lists them.",
    )(function)


def cluster_option(function: _Function) -> _Function:
    """Add `--cluster ADDRESS` to a command; without it the address is that of the environment, if any."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        envvar=CLUSTER_VARIABLE,
        help="Share the work with a Dask cluster: the address of its scheduler, or its scheduler file "
        f"(also {CLUSTER_VARIABLE}; needs the extra `cluster`).",
    )(function)


def language_option(function: _Function) -> _Function:
    """Add `--lang` to a command; without it the language is that of the system, if it is spoken here."""
    return click.option(
        "--lang",
        metavar="LANG",
        is_eager=True,
        shell_complete=_complete_languages,
        callback=_language,
        help="The language of the texts, such as fa; by default that of the system.",
    )(function)


def _language(context: click.Context, _parameter: click.Parameter, code: str | None) -> str:
    from sheshbesh.i18n import languages, system_language

    codes = [language.code for language in languages()]
    if code is not None and code not in codes:
        raise click.BadParameter(
            Text("{code} is not one of {choices}", code=repr(code), choices=", ".join(codes))
        )
    context.meta[LANGUAGE] = code or system_language()
    return str(context.meta[LANGUAGE])
