"""The games there are, and which of them a user means: by name, or a file, with options as `key=value`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from os import PathLike
from pathlib import Path

from sheshbesh.errors import VariantError, shortened
from sheshbesh.i18n import Text
from sheshbesh.rules import loader
from sheshbesh.rules.variant import Variant


def variants() -> tuple[str, ...]:
    """List the names of all shipped games.

    Returns
    -------
    tuple[str, ...]
        The names; `variant` takes others too, such as "short_nardy" for backgammon.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> len(sb.variants())
    21
    """
    return loader.names()


@cache
def _shipped(name: str, options: tuple[tuple[str, type, object], ...]) -> Variant:
    # The type is part of the key because 1 and True are equal but not the same option.
    data = loader.load(name)
    return Variant(data.with_options(**{key: value for key, _, value in options}) if options else data)


def variant(name: str, **options: object) -> Variant:
    """Return a shipped game.

    Parameters
    ----------
    name : str
        Its name, or another that it is known by.
    **options
        Options of the game, by name.

    Returns
    -------
    Variant
        The rule set.

    Raises
    ------
    VariantError
        The game is unknown, or an option is unknown or not allowed.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> sb.variant("tavla", hit_run_priority="dice_first").title
    'Tavla'
    """
    try:
        return _shipped(name, tuple((key, type(value), value) for key, value in sorted(options.items())))
    except TypeError:  # an unhashable option value: let the loader refuse it
        return Variant(loader.load(name).with_options(**options))


def as_variant(game: Variant | str) -> Variant:
    """The game that is meant by a Variant, or by name; VariantError for an unknown name.

    TypeError for anything else.
    """
    if isinstance(game, str):
        return variant(game)
    if not isinstance(game, Variant):
        raise TypeError(f"a game is a Variant or a name, not {game!r}")
    return game


def variant_from_file(path: str | PathLike[str], **options: object) -> Variant:
    r"""Read a game of one's own.

    Parameters
    ----------
    path : str or PathLike[str]
        A TOML file.
    **options
        Options of the game, by name.

    Returns
    -------
    Variant
        The rule set.

    Raises
    ------
    VariantError
        The file does not hold; `problems` has every reason.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from pathlib import Path
    >>> source = 'source = "our club"'
    >>> board = f'[board]\nsetup = {{ 24 = 15 }}\n{source}\n'
    >>> head = 'name = "hyper"\ntitle = "Hyper"\nregion = "our club"\ndescription = "Tapa."\nbase = "tapa"\n'
    >>> _ = Path("hyper.toml").write_text(head + board)
    >>> sb.variant_from_file("hyper.toml").title
    'Hyper'
    """
    data = loader.load_file(path)
    return Variant(data.with_options(**options) if options else data)


def is_file(name: str) -> bool:
    """Return True if the word for a game means a file."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def find_game(name: str, options: Iterable[str] = ()) -> Variant:
    """The game that a user means, by name, alias or file, with `key=value` options.

    VariantError names the nearest game, or the options and values there are.
    """
    plain = variant_from_file(Path(name)) if is_file(name) else variant(name)
    chosen = dict(_split(option) for option in options)
    if not chosen:
        return plain
    known = plain._data.offered
    values = {
        key: known[key].parse(text) if key in known else _plain_value(text) for key, text in chosen.items()
    }
    if is_file(name):
        return variant_from_file(Path(name), **values)
    return variant(name, **values)


def _split(option: str) -> tuple[str, str]:
    key, equals, value = option.partition("=")
    if not equals or not key.strip():
        raise VariantError(
            Text("an option is written key=value, not {option}", option=shortened(repr(option)))
        )
    return key.strip().replace("-", "_"), value.strip()


def _plain_value(text: str) -> object:
    """A value of an option that the plain game does not know, which another option may bring along."""
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    return int(text) if text.isdecimal() and len(text) < 4 else words.get(text.casefold(), text)
