"""Plans of brackets: the slots of knockout, consolation, last chance and double elimination."""

from __future__ import annotations

from collections.abc import Sequence

from sheshbesh.tournaments.draw import bracket_size, seed_table
from sheshbesh.tournaments.settings import BracketName, Settings
from sheshbesh.tournaments.state import Slot, Source

NO_ENTRANT = Source("nobody")
_PREFIX = {
    "main": "M",
    "consolation": "C",
    "losers": "L",
    "last_chance": "K",
    "third": "T",
    "final": "F",
}


class _Builder:
    """Collects the slots of a plan, which it names by bracket and number."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.slots: list[Slot] = []
        self._counts: dict[str, int] = {}

    def add(self, bracket: BracketName, number: int, first: Source, second: Source) -> str:
        """Add a match of a bracket in its round `number`; returns its name."""
        self._counts[bracket] = self._counts.get(bracket, 0) + 1
        name = f"{_PREFIX[bracket]}{self._counts[bracket]}"
        length = self.settings.length(bracket, number)
        self.slots.append(Slot(name, bracket, number, first, second, length))
        return name

    def round(self, bracket: BracketName, number: int, sources: Sequence[Source]) -> list[Source]:
        """Add a round in which neighbours meet; returns its winners."""
        pairs = zip(sources[::2], sources[1::2], strict=True)
        return [Source("winner", self.add(bracket, number, *pair)) for pair in pairs]

    def knockout(
        self, bracket: BracketName, sources: Sequence[Source], number: int = 1
    ) -> list[list[Source]]:
        """Add rounds until one is left; returns the winners of each."""
        rounds = []
        winners = list(sources)
        while len(winners) > 1:
            winners = self.round(bracket, number, winners)
            rounds.append(winners)
            number += 1
        return rounds


def build(settings: Settings, order: Sequence[int]) -> tuple[Slot, ...]:
    """Return the plan of all brackets for entrants in their order in the draw, the highest first."""
    size = bracket_size(len(order))
    builder = _Builder(settings)
    entrants = [
        Source("entrant", entrant=order[seed - 1]) if seed <= len(order) else NO_ENTRANT
        for seed in seed_table(size)
    ]
    main = builder.knockout("main", entrants)
    if settings.system == "double":
        survivor = _losers_bracket(builder, "losers", main, main[1:])
        final = builder.add("final", 1, main[-1][0], survivor)
        if settings.reset:
            builder.add("final", 2, Source("again", final), Source("again", final))
        return tuple(builder.slots)
    if settings.consolation == "progressive":
        _losers_bracket(builder, "consolation", main, main[1:-1])
    elif settings.consolation == "nonprogressive" and len(main) > 1:
        builder.knockout("consolation", _losers(main[0]))
    if settings.last_chance:
        _last_chance(builder)
    if settings.third_place and len(main) > 1:
        builder.add("third", 1, *_losers(main[-2]))
    return tuple(builder.slots)


def _losers(winners: Sequence[Source]) -> list[Source]:
    return [Source("loser", each.slot) for each in winners]


def _losers_bracket(
    builder: _Builder,
    bracket: BracketName,
    main: Sequence[Sequence[Source]],
    dropping: Sequence[Sequence[Source]],
) -> Source:
    """Build a bracket that losers of the main one enter round by round; returns its winner.

    Every second round of drops is crossed, the upper half into the lower, so that a second meeting comes as
    late as possible.
    """
    alive = _losers(main[0])
    number = 1
    for count, drops in enumerate(dropping):
        if len(alive) > len(drops):
            alive = builder.round(bracket, number, alive)
            number += 1
        dropped = _losers(drops)
        half = len(dropped) // 2
        if count % 2 == 0:
            dropped = dropped[half:] + dropped[:half]
        mixed = [source for pair in zip(alive, dropped, strict=True) for source in pair]
        alive = builder.round(bracket, number, mixed)
        number += 1
    rounds = builder.knockout(bracket, alive, number)
    return rounds[-1][0] if rounds else alive[0]


def _last_chance(builder: _Builder) -> None:
    """Build the bracket of those who lost in the first two rounds of the consolation."""
    dropped = [
        Source("loser", slot.name)
        for slot in builder.slots
        if slot.bracket == "consolation" and slot.round <= 2
    ]
    if len(dropped) > 1:
        room = bracket_size(len(dropped)) - len(dropped)
        # The first entrants get one bye each, so that no match has two empty places.
        filled = [
            source
            for place, each in enumerate(dropped)
            for source in (each, NO_ENTRANT)[: 1 + (place < room)]
        ]
        builder.knockout("last_chance", filled)
