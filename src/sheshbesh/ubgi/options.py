"""The options of the line protocol: their names, kinds and limits, and what is set now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sheshbesh.engines.strength.levels import names as level_names
from sheshbesh.errors import ProtocolError

NO_LEVEL = "none"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `kind` is UCI's (spin, check, combo), `default` as it is written."""

    name: str
    kind: str
    default: str
    low: int = 0
    high: int = 0
    words: Callable[[], tuple[str, ...]] = field(default=tuple)

    @property
    def line(self) -> str:
        """Its announcement in the handshake."""
        text = f"option name {self.name} type {self.kind} default {self.default}"
        if self.kind == "spin":
            return f"{text} min {self.low} max {self.high}"
        return text + "".join(f" var {word}" for word in self.words())

    def read(self, text: str) -> str:
        """The value as it is kept; ProtocolError if the option cannot have it."""
        value = text.strip()
        if self.kind == "spin":
            sign, digits = value[:1].removeprefix("-") != value[:1], value.removeprefix("-")
            number = int(digits) * (-1 if sign else 1) if digits.isascii() and digits.isdecimal() else None
            if number is None or len(digits) > 18 or not self.low <= number <= self.high:
                raise ProtocolError(f"{self.name} is a whole number {self.low} to {self.high}, not {text!r}")
            return str(number)
        allowed = ("true", "false") if self.kind == "check" else self.words()
        if value not in allowed:
            raise ProtocolError(f"{self.name} is one of {', '.join(allowed)}, not {text!r}")
        return value


def _games() -> tuple[str, ...]:
    from sheshbesh.rules import variants

    return variants()


def _levels() -> tuple[str, ...]:
    return (NO_LEVEL, *level_names())


OPTIONS: tuple[Option, ...] = (
    Option("Variant", "combo", "backgammon", words=_games),
    Option("Plies", "spin", "2", 0, 3),
    Option("Level", "combo", NO_LEVEL, words=_levels),
    Option("Threads", "spin", "1", 1, 256),
    Option("Seed", "spin", "0", 0, 2**31 - 1),
    Option("Trials", "spin", "1296", 36, 10_000_000),
    Option("Cube", "check", "true"),
    Option("MatchLength", "spin", "0", 0, 99),
    Option("Crawford", "check", "false"),
    Option("Jacoby", "check", "true"),
    Option("Beavers", "check", "false"),
)
"""Every option, in the order of the handshake. MatchLength 0 is money play."""

DEFAULTS = {option.name: option.default for option in OPTIONS}


def find(name: str) -> Option:
    """The option called so, in whatever case; ProtocolError if there is none."""
    for option in OPTIONS:
        if option.name.casefold() == name.strip().casefold():
            return option
    known = ", ".join(option.name for option in OPTIONS)
    raise ProtocolError(f"there is no option {name!r}; options: {known}")
