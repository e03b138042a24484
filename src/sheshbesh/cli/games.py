"""From the words of a command line to a game: a shipped one or a file, with options."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from sheshbesh.rules import Variant

DEFAULT = "backgammon"

_Function = TypeVar("_Function", bound="Callable[..., object]")


def rule_options(function: _Function) -> _Function:
    """Add `--option key=value` to a command."""
    return click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="Set an option of the game; may be repeated. `sheshbesh rules GAME` lists them.",
    )(function)


def language_option(function: _Function) -> _Function:
    """Add `--lang` to a command; without it the language is that of the system, if it is spoken here."""
    return click.option(
        "--lang",
        metavar="LANG",
        callback=_language,
        help="The language of the texts, such as fa; by default that of the system.",
    )(function)


def _language(_context: click.Context, _parameter: click.Parameter, code: str | None) -> str:
    from sheshbesh.i18n import languages, system_language

    if code is None:
        return system_language()
    codes = [language.code for language in languages()]
    if code not in codes:
        raise click.BadParameter(f"{code!r} is not one of {', '.join(codes)}")
    return code


def is_file(name: str) -> bool:
    """Whether the word for a game means a file."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def find_game(name: str, options: Iterable[str] = ()) -> Variant:
    """The game a user means, by name, alias or file, with `key=value` options.

    VariantError names the nearest game, or the options and values there are.
    """
    import sheshbesh as sb

    plain = sb.variant_from_file(Path(name)) if is_file(name) else sb.variant(name)
    chosen = dict(_split(option) for option in options)
    if not chosen:
        return plain
    known = plain.data.options
    values = {
        key: known[key].parse(text) if key in known else _plain_value(text) for key, text in chosen.items()
    }
    if is_file(name):
        return sb.variant_from_file(Path(name), **values)
    return sb.variant(name, **values)


def _split(option: str) -> tuple[str, str]:
    key, equals, value = option.partition("=")
    if not equals or not key.strip():
        raise click.UsageError(f"an option is written key=value, not {option!r}")
    return key.strip().replace("-", "_"), value.strip()


def _plain_value(text: str) -> object:
    """A value of an option that the plain game does not know, which another option may bring along."""
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    return int(text) if text.isdecimal() and len(text) < 4 else words.get(text.casefold(), text)
