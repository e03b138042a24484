"""Every error the package raises on purpose, as one small tree.

    SheshbeshError
    ├── VariantError      (ValueError)  no such game, a broken variant file, a wrong option
    ├── PositionError     (ValueError)  a position that cannot exist
    ├── NotationError     (ValueError)  text that cannot be read
    ├── DiceError         (ValueError)  numbers that no pair of dice shows
    ├── MatchError        (ValueError)  a score or cube that cannot be
    ├── NetError          (ValueError)  a net that cannot be used; names the file
    ├── ProtocolError     (ValueError)  an action or a message that cannot be read
    ├── RecordError       (ValueError)  a match record that does not hold; names the event
    ├── TrainingError     (ValueError)  a recipe or checkpoint that a training cannot go by
    ├── RolloutError      (ValueError)  a saved rollout that does not hold or is another one
    ├── SettingsError     (ValueError)  settings of the site by which it cannot run
    ├── EntrantsError    (ValueError)  a list of entrants that cannot be read; names its lines
    ├── WorkError                       a cluster that cannot be had, or workers that were lost
    ├── PairingError                    pairing without the library that it needs
    ├── PlayError                       something a player may not do
    │   ├── IllegalPlayError            readable, but against a rule; names it
    │   └── Refused                     an action of a match against its rules; in `rules.refusal`
    ├── StoppedError                    work that was cancelled before it had a result
    └── CubeError                       a cube decision where there is none to make

A message always carries the input that caused it; of one that is very long, its beginning and end. What a
player may meet is a `Text`, which is English and can be translated: see `message`. Bad input raises nothing
else, but for the TypeError or ValueError of an argument of the wrong kind, such as a number for a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sheshbesh.i18n import Text

_SHOWN = 400
"""Characters of a message that is shown whole."""

_LONG = re.compile(r"\S{400,}|'[^']{1000,}'|\"[^\"]{1000,}\"")
"""A word or a quoted input that nobody reads to its end."""


_OF_SYSTEM = {
    Text("No such file or directory"),
    Text("Permission denied"),
    Text("Operation not permitted"),
    Text("Is a directory"),
    Text("Not a directory"),
    Text("File exists"),
    Text("File name too long"),
    Text("No space left on device"),
    Text("Read-only file system"),
    Text("Input/output error"),
}
"""What systems say of files, as they say it, so that it can be translated."""


def system_reason(error: OSError) -> str:
    """Return why something with a file failed, as a `Text` where the reason is a frequent one."""
    why = error.strerror or str(error)
    return next((text for text in _OF_SYSTEM if text == why), why)


def shortened(text: str) -> str:
    """A message in which very long inputs keep their beginnings and ends alone."""
    if len(text) < _SHOWN:
        return text
    return _LONG.sub(lambda found: f"{found[0][:100]}…{found[0][-20:]}", text)


def _cut(part: Any) -> Any:
    """A part of a message, or a value in it, with very long inputs shortened."""
    if isinstance(part, Text):
        return part.mapped(_cut) if len(part) >= _SHOWN else part
    return shortened(part) if type(part) is str else part


class SheshbeshError(Exception):
    """The root of the tree: catch this to catch every error of the package.

    Parameters
    ----------
    *parts
        What is said of it, one after the other.
    """

    def __init__(self, *parts: object) -> None:
        super().__init__(*map(_cut, parts))

    @property
    def message(self) -> str:
        """The sentence, a `Text` where it can be said in other languages."""
        said = self.args[0] if self.args else None
        return said if isinstance(said, Text) else str(self)


class _ProblemsError(SheshbeshError, ValueError):
    """An input with one or more faults, all of them found at once.

    `problems` lists them, one sentence each; without a list the message is the only one.
    """

    problems: tuple[str, ...]

    def __init__(self, message: str, problems: Iterable[str] = ()) -> None:
        self.problems = tuple(map(_cut, problems)) or (_cut(message),)
        super().__init__(message)

    def __reduce__(self) -> tuple[type[_ProblemsError], tuple[str, tuple[str, ...]]]:
        # A copy made by pickle, as between processes, keeps the list.
        return type(self), (self.args[0], self.problems)


class VariantError(_ProblemsError):
    """A game that does not exist, a variant file that does not hold, or an option it does not have.

    Parameters
    ----------
    message : str
        What is wrong.
    problems : Iterable[str]
        Every reason.
    """


class PositionError(_ProblemsError):
    """A position that cannot exist.

    Parameters
    ----------
    message : str
        What is wrong.
    problems : Iterable[str]
        Every reason.
    """


class NotationError(SheshbeshError, ValueError):
    """Text that cannot be read: a play, a position id, dice."""


class DiceError(SheshbeshError, ValueError):
    """Numbers that no pair of dice shows."""


class MatchError(_ProblemsError):
    """A score or a cube that cannot be.

    Parameters
    ----------
    message : str
        What is wrong.
    problems : Iterable[str]
        Every reason.
    """


class NetError(SheshbeshError, ValueError):
    """A net that cannot be used: damaged, made for other inputs or for rules it cannot stand for.

    Parameters
    ----------
    message : str
        What is wrong.
    path : object
        The file at fault; None where no net was found at all.
    """

    path: str | None

    def __init__(self, message: str, path: object = None) -> None:
        self.path = None if path is None else str(path)
        super().__init__(message)


class ProtocolError(SheshbeshError, ValueError):
    """An action or a message that cannot be read."""


class RecordError(SheshbeshError, ValueError):
    """A match record that does not hold: unreadable, of another version, or contradicting itself."""


class TrainingError(SheshbeshError, ValueError):
    """A recipe or a checkpoint that a training cannot go by."""


class RolloutError(SheshbeshError, ValueError):
    """A file of a rollout that cannot be read or written, or belongs to another one; names the file."""


class SettingsError(_ProblemsError):
    """Settings of the site by which it cannot or must not run; `problems` has every reason."""


class EntrantsError(_ProblemsError):
    """A list of entrants that cannot be read; `problems` has the fault of each line."""


class WorkError(SheshbeshError):
    """Work shared with others that cannot go on: no cluster answers, or its workers are lost or unfit."""


class PairingError(SheshbeshError):
    """A pairing that cannot be computed, since the library for it is not installed."""


class PlayError(SheshbeshError):
    """Something a player may not do in this position."""


class IllegalPlayError(PlayError):
    """A play that can be read but breaks a rule.

    Parameters
    ----------
    rule : str
        The id of the rule.
    source : str or None
        Where it is written; None for what needs no source.
    text : str
        The sentence for the player.
    message : str
        What more is said, such as the input and the position; by default the text with its source.
    """

    rule: str
    source: str | None
    text: str

    def __init__(self, rule: str, source: str | None, text: str, message: str = "") -> None:
        self.rule, self.source, self.text = rule, source, text
        super().__init__(rule, source, text, message)

    @property
    def message(self) -> str:
        """The sentence, a `Text` where it can be said in other languages."""
        said = self.args[3]
        if isinstance(said, str) and said:
            return said
        return Text("{why} ({source})", why=self.text, source=self.source) if self.source else self.text

    def __str__(self) -> str:
        return str(self.message)


class CubeError(SheshbeshError):
    """A cube decision asked of a game or a position that has none."""


class StoppedError(SheshbeshError):
    """Work that was cancelled before it had a result."""
