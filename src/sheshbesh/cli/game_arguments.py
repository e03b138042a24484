"""Options that several commands share: the game, its rules, the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from sheshbesh.work import CLUSTER_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

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
