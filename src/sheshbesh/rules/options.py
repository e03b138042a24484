"""The options of a game: named choices, each worth a few answers to the axes.

A variant file names its own options; those that every table has (who starts later games, the cube,
touch-move ...) are defined once here. Nothing here reads files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal

from sheshbesh.errors import shortened
from sheshbesh.i18n import Text
from sheshbesh.rules.axes import AXES, Answers, AxisValue
from sheshbesh.rules.coherence import DEPENDS, Axis, contradictions, same_game

OptionValue = bool | int | str | None
"""A value of an option. None means that the game has nothing of the kind."""

Level = Literal["rule", "card"]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: what it decides and its values in order, the game's own first.

    `level` is "rule" for what changes legal plays or results, "card" for what belongs to the table.
    `answers` holds for each value the axes it sets; those of the first are the game's own.
    """

    doc: str
    source: str
    level: Level
    values: tuple[OptionValue, ...]
    answers: tuple[Answers, ...]

    @property
    def default(self) -> OptionValue:
        """The value that is the game itself."""
        return self.values[0]

    def index(self, value: object) -> int | None:
        """The place of `value` among the values, None if it is not one of them.

        1 is not True. None and "none" are one and the same, unless the option has both.
        """
        for at, allowed in enumerate(self.values):
            if value is allowed or (isinstance(value, str) and value == allowed):
                return at
        for at, allowed in enumerate(self.values):
            if _plain(value) == _plain(allowed) and isinstance(value, bool) == isinstance(allowed, bool):
                return at
        return None

    def parse(self, text: str) -> OptionValue:
        """Return the value written as `text` ("true", "3", "none", "absolute"), as a command line has it.

        A text that names no value comes back as it is, for `with_options` to refuse.
        """
        words = [self.word(value).casefold() for value in self.values]
        return self.values[words.index(text.casefold())] if text.casefold() in words else text

    @property
    def allowed(self) -> str:
        """The values in words, for messages: 'absolute (default), dice_first, off'."""
        first, *others = (self.word(value) for value in self.values)
        return ", ".join([f"{first} (default)", *others])

    def word(self, value: object) -> str:
        """A value of this option as text: None is "none", or "-" where "none" is another value."""
        return "-" if value is None and "none" in self.values else format_value(value)


def _plain(value: object) -> object:
    """`value` in a form that compares equal only to what means the same."""
    if value is None:
        return "none"
    return value if isinstance(value, bool | int | str) else object()


def format_value(value: object) -> str:
    """Return an option's value as variant files and the command line write it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return str(value)


def parse_values(words: Iterable[str]) -> tuple[OptionValue, ...]:
    """Return the values that the keys of an option's `values` table stand for, in order.

    A leading "none", or "-", is None: the game has nothing of the kind unless the option is set.
    Further down "none" is one of several ways of playing the rule, and stays a word.
    """
    special: dict[str, OptionValue] = {"true": True, "false": False, "-": None}
    values: list[OptionValue] = []
    for word in words:
        if word == "none" and not values:
            values.append(None)
        elif word.isascii() and word.isdecimal():
            values.append(int(word))
        else:
            values.append(special.get(word, word))
    return tuple(values)


# --- the options that every table has ---------------------------------------------------------------


def _listed(own: AxisValue, *others: AxisValue) -> tuple[AxisValue, ...]:
    return (own, *(value for value in others if value != own))


def _table_option(axes: Answers, table: str, key: str, doc: str, source: str) -> OptionSpec:
    axis = AXES[table][key]
    choices: tuple[AxisValue, ...] = (False, True) if axis.kind == "bool" else axis.words
    values = _listed(axes[table][key], *_NUMBERS.get((table, key), choices))
    answers = tuple(MappingProxyType({table: MappingProxyType({key: value})}) for value in values)
    # Of a number 0 means that the table has nothing of the kind.
    plain = tuple(
        None if axis.kind == "int" and not value else value
        for value in values
        if not isinstance(value, Mapping)
    )
    return OptionSpec(doc, source, "card", plain, answers)


_NUMBERS: Mapping[Axis, tuple[int, ...]] = MappingProxyType({("cube", "limit"): (0, 64)})
"""The values that tables choose from where the answers to an axis are numbers."""


_COMMON: Mapping[str, tuple[str, str, str, str]] = MappingProxyType(
    {
        "opening": ("opening", "starter", "which die of the opening draw starts", "rules.md B 26"),
        "later_start": ("opening", "later", "who starts the later games of a match", "rules.md B 8, B 35"),
        "cube": ("cube", "use", "whether the doubling cube is used", "rules.md B 37b"),
        "cube_limit": ("cube", "limit", "the highest value of the doubling cube", "rules.md B 44"),
        "allow_dead_double": (
            "table",
            "allow_dead_double",
            "whether a player may double though the present value already wins them the match",
            "rules.md B 21",
        ),
        "settle": (
            "table",
            "settle",
            "how money games are settled: by points, or one unit for each checker the loser has on the board "
            "or in their home",
            "rules.md B 39: Masters of Nard rules (002), general article on long nardy",
        ),
        "touch_move": ("table", "touch_move", "whether a touched checker must be moved", "rules.md B 32"),
        "agreements": (
            "table",
            "agreements",
            "whether both players may agree on the result of a game, or to end a match drawn",
            "Khalili (004), p. 7 (common at a traditional board but not at a modern one)",
        ),
    }
)

_ASKED: Mapping[str, tuple[Axis, AxisValue]] = MappingProxyType(
    {
        "opening": (("opening", "dice"), "reroll"),
        "cube_limit": (("cube", "use"), True),
        "allow_dead_double": (("cube", "use"), True),
    }
)
"""Options of the table that are asked only where another axis has this answer."""

RESERVED = frozenset(_COMMON)
"""Names that no variant file may use for an option of its own."""


def table_options(own: Answers, now: Answers) -> dict[str, OptionSpec]:
    """Return the options that come with every table.

    `own` are the axes of the game itself, which decide the defaults; `now` those after the choices
    made, which decide what can be asked: no dead double without a cube, no higher or lower die where
    the dice of the draw are played.
    """
    return {
        name: _table_option(own, table, key, doc, source)
        for name, (table, key, doc, source) in _COMMON.items()
        if _is_asked(name, now)
    }


def _is_asked(name: str, now: Answers) -> bool:
    if name not in _ASKED:
        return True
    (table, key), answer = _ASKED[name]
    return now[table][key] == answer


# --- options that hang on others --------------------------------------------------------------------

Needs = Mapping[str, Mapping[str, tuple[OptionValue, ...]]]
"""Option -> other options -> their values beside which the first one changes anything."""


def merge(axes: Answers, answers: Answers) -> Answers:
    """Return `axes` with `answers` in their place, frozen and in the order of the schema."""
    return MappingProxyType(
        {
            table: MappingProxyType(
                {
                    key: value
                    for key in keys
                    for value in (answers.get(table, {}).get(key, axes.get(table, {}).get(key)),)
                    if value is not None
                }
            )
            for table, keys in AXES.items()
        }
    )


def offered(axes: Answers, specs: Mapping[str, OptionSpec]) -> dict[str, OptionSpec]:
    """Return the options of a game's file and of every table, with those that another one brings along.

    `axes` are those of the game itself, `specs` the options of its file.
    """
    always = {**specs, **table_options(axes, axes)}
    found = dict(always)
    for spec in always.values():
        for answers in spec.answers:
            found |= table_options(axes, merge(axes, answers))
    return {**specs, **{name: found[name] for name in _COMMON if name in found}}


def needs_of(axes: Answers, specs: Mapping[str, OptionSpec]) -> Needs:
    """Return which options change the game only beside certain values of others, and which values these are.

    `axes` are those of the game itself. Where each of two options takes the sense from the other, the
    second one is said to need the first. An option with one value alone needs nothing.
    """
    found: dict[str, dict[str, tuple[OptionValue, ...]]] = {}
    for at, (name, spec) in enumerate(specs.items()):
        found[name] = {}
        reach = _reach(name, spec)
        for leading, (other, its) in enumerate(specs.items()):
            if other == name or len(spec.values) < 2 or reach.isdisjoint(_axes(its)):
                continue
            values = tuple(
                value
                for place, value in enumerate(its.values)
                if changes(axes, name, spec, its.answers[place] if place else {})
            )
            mutual = leading > at and not _reach(other, its).isdisjoint(_axes(spec))
            if 0 < len(values) < len(its.values) and not (mutual and _decides(axes, other, its, spec)):
                found[name][other] = values
    return found


def _decides(axes: Answers, name: str, spec: OptionSpec, first: OptionSpec) -> bool:
    """Return True if a value of another option, `first`, leaves nothing to choose here."""
    return not all(changes(axes, name, spec, answers) for answers in ({}, *first.answers[1:]))


def changes(axes: Answers, name: str, spec: OptionSpec, beside: Answers) -> bool:
    """Return True if an option changes the game `axes` where another option has answered `beside`."""
    now = merge(axes, beside)
    if not _is_asked(name, now):
        return False
    games = [now]
    for answers in spec.answers[1:]:
        differs = any(
            beside.get(table, {}).get(key, value) != value
            for table, keys in answers.items()
            for key, value in keys.items()
        )
        made = merge(now, answers)
        if not differs and not contradictions(made):
            games.append(made)
    return any(not same_game(now, made) for made in games)


def _axes(spec: OptionSpec) -> set[Axis]:
    return {(table, key) for answers in spec.answers for table, keys in answers.items() for key in keys}


def _reach(name: str, spec: OptionSpec) -> set[Axis]:
    """The axes that an option answers, and those that these depend on."""
    found = _axes(spec) | ({_ASKED[name][0]} if name in _ASKED else set())
    waiting = list(found)
    while waiting:
        axis = waiting.pop()
        if axis in DEPENDS and DEPENDS[axis][0] not in found:
            found.add(DEPENDS[axis][0])
            waiting.append(DEPENDS[axis][0])
    return found


# --- choosing ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """Options that were set: the values that differ from the defaults, and what they answer."""

    chosen: Mapping[str, OptionValue]
    answers: Mapping[tuple[str, str], tuple[AxisValue, str]]
    """(table, key) -> (value, the option that set it)"""


def choose(specs: Mapping[str, OptionSpec], wanted: Mapping[str, object]) -> tuple[Choice, list[str]]:
    """Look up every wanted option; return what they set and every problem found.

    Names that are not in `specs` are problems too. A default sets nothing: it is the game itself.
    """
    chosen: dict[str, OptionValue] = {}
    answers: dict[tuple[str, str], tuple[AxisValue, str]] = {}
    problems: list[str] = []
    for name, value in wanted.items():
        if name not in specs:
            problems.append(_unknown(name, specs))
            continue
        spec = specs[name]
        at = spec.index(value)
        if at is None:
            problems.append(
                Text(
                    "{option} = {value} is not allowed; allowed: {allowed}",
                    option=name,
                    value=shortened(repr(value)),
                    allowed=spec.allowed,
                )
            )
        elif at > 0:
            chosen[name] = spec.values[at]
            problems += _answer(name, spec.answers[at], answers)
    return Choice(MappingProxyType(chosen), MappingProxyType(answers)), problems


def _answer(name: str, answers: Answers, into: dict[tuple[str, str], tuple[AxisValue, str]]) -> list[str]:
    """Enter what one option sets; two options that disagree about an axis are a problem."""
    problems: list[str] = []
    for table, keys in answers.items():
        for key, value in keys.items():
            before, other = into.setdefault((table, key), (value, name))
            if before != value:
                problems.append(
                    Text(
                        "{name} and {other} contradict each other about {axis}",
                        name=name,
                        other=other,
                        axis=f"{table}.{key}",
                    )
                )
    return problems


def _unknown(name: str, specs: Mapping[str, OptionSpec]) -> str:
    close = get_close_matches(name, specs, n=1)
    asked = {"name": shortened(name), "options": ", ".join(specs)}
    if close:
        return Text("no option {name} (did you mean {near}?); options: {options}", near=close[0], **asked)
    return Text("no option {name}; options: {options}", **asked)
