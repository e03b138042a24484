"""The contract kit holds for every shipped game and many options, and catches every kind of fault."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.rules import loader
from sheshbesh.testing import ContractError, check_variant, colours_swapped, laws, random_position
from tests.sizes import sampled

Fault = Callable[[pytest.MonkeyPatch], None]


def single_options() -> list[Any]:
    """Every option of every game set to every value that is not its default; mixtures have them too."""
    cases = [
        (name, {option: value})
        for name in sb.variants()
        for option, spec in loader.load(name).own_options.items()
        for value in spec.values[1:]
    ]
    return sampled(cases, lambda case: cases.index(case) % 16 == 0)


def mixed_options() -> list[Any]:
    """A mixture of options for every game that has several, unless they contradict each other."""
    random, chosen = Random(5), []
    for name in sb.variants():
        specs = loader.load(name).own_options
        if len(specs) > 1:
            options = {option: random.choice(spec.values) for option, spec in specs.items()}
            try:
                sb.variant(name, **options)
            except sb.VariantError:
                continue
            chosen.append((name, options))
    return sampled(chosen, lambda case: chosen.index(case) % 4 == 0)


@pytest.mark.parametrize("name", sb.variants())
def test_every_game_keeps_the_contract(name: str) -> None:
    report = check_variant(sb.variant(name), games=1, seed=2, examine=0.05, constructed=12)
    assert report.ended > 0
    assert report.decisions > report.games
    assert report.examined > 10


@pytest.mark.parametrize(("name", "options"), single_options() + mixed_options())
def test_every_option_keeps_the_contract(name: str, options: dict[str, Any]) -> None:
    check_variant(sb.variant(name, **options), games=1, seed=2, examine=0.05, constructed=8)


def test_the_same_seed_proves_the_same_games() -> None:
    game = sb.variant("hypergammon")
    seven, again, eight = (check_variant(game, games=2, seed=seed, constructed=0) for seed in (7, 7, 8))
    assert seven == again != eight


def test_games_that_never_end_are_reported() -> None:
    with pytest.raises(ContractError, match="none of 2 games ended within 3 throws"):
        check_variant(sb.variant("backgammon"), games=2, longest_game=3)


@pytest.mark.parametrize("name", sb.variants())
def test_the_start_looks_the_same_to_both_colours(name: str) -> None:
    game = sb.variant(name)
    assert colours_swapped(game.start(turn="white")) == game.start(turn="black")


@pytest.mark.parametrize("name", sb.variants())
def test_constructed_positions_are_varied_and_possible(name: str) -> None:
    game, random = sb.variant(name), Random(3)
    found = {random_position(game, random).id for _ in range(60)}
    assert len(found) > 55


# --- faults that the kit must catch ---------------------------------------------------------------
#
# Each fault doctors one public answer; `game` is where it shows. A law that no fault can break
# would prove nothing, so every law of the kit is named here at least once.


def _property(name: str, doctored: Callable[[Any, Any], Any], owner: type = sb.Position) -> Fault:
    """Replace a property by a function of the object and its true value."""
    honest = owner.__dict__[name]

    def apply(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(owner, name, property(lambda self: doctored(self, honest.fget(self))))

    return apply


def _method(name: str, doctored: Callable[..., Any], owner: type = sb.Position) -> Fault:
    """Replace a method by a function of the true answer, the object and the arguments."""
    honest = owner.__dict__[name]

    def apply(patch: pytest.MonkeyPatch) -> None:
        def liar(self: Any, *args: Any, **kwargs: Any) -> Any:
            return doctored(honest(self, *args, **kwargs), self, *args)

        patch.setattr(owner, name, liar)

    return apply


def _lose_one(counts: tuple[int, ...], self: sb.Position, side: sb.Side) -> tuple[int, ...]:
    off, *rest = counts
    return (max(off - 1, 0), *rest)


class _Shorter(list[Any]):
    """A list of plays that knows as little of the missing one as the referee."""

    def find(self, position: sb.Position) -> sb.Play | None:
        return next((play for play in self if play.result == position), None)


def _without_last(plays: Any, self: sb.Position, *args: Any) -> Any:
    return _Shorter(plays[:-1] if len(plays) > 1 else plays)


def _blacks_lose_one(plays: Any, self: sb.Position, *args: Any) -> Any:
    return plays[:-1] if len(plays) > 1 and self.turn == "black" else plays


def _twice(plays: Any, self: sb.Position, *args: Any) -> Any:
    return (*plays, plays[0]) if plays else plays


def _off_forgotten(board: dict[str, object], self: sb.Position) -> dict[str, object]:
    return {**board, "white_bar": 0}


FAULTS: dict[str, tuple[str, str, Fault]] = {
    "a checker vanishes": ("backgammon", "checkers are conserved", _method("counts", _lose_one)),
    "the id forgets the hand": (
        "acey_deucey",
        "the id comes back",
        _property("id", lambda self, text: re.sub(r":h\d+\.\d+", "", text)),
    ),
    "the board forgets the bar": ("hypergammon", "the board comes back", _method("board", _off_forgotten)),
    "hashes differ": ("tavla", "a position is a value", _method("__hash__", lambda h, self: id(self))),
    "pickling forgets the options": (
        "backgammon",
        "a position is a value",
        _method("__reduce__", lambda how, self: (how[0], (sb.variant("portes"), self.id))),
    ),
    "White's pips are counted double": (
        "irish",
        "the colours are equal",
        _method("pips", lambda n, self, side: 2 * n if side == "white" else n),
    ),
    "White wins no matter who is off": (
        "hypergammon",
        "the colours are equal",
        _property("result", lambda self, r: r and sb.GameResult(sb.Side.WHITE, r.points, r.kind)),
    ),
    "a win without points": (
        "hypergammon",
        "the end is an end",
        _property("result", lambda self, r: r and sb.GameResult(r.winner, 0, r.kind)),
    ),
    "the wrong side owes": (
        "gioul",
        "what is owed is coherent",
        _property("pending", lambda self, p: p and sb.Pending(p.by.other, p.steps, p.rest, p.then, p.choose)),
    ),
    "a play is listed twice": ("tapa", "plays are distinct", _method("legal_plays", _twice)),
    "no end is seen": ("hypergammon", "plays are distinct", _property("result", lambda self, r: None)),
    "Black lacks a play": ("long_nardy", "the colours play alike", _method("legal_plays", _blacks_lose_one)),
    "both lack a play": ("portes", "steps lead to plays", _method("legal_plays", _without_last)),
    "a hit is not told": (
        "backgammon",
        "a play moves what it says",
        _property("steps", lambda self, steps: tuple(s._replace(takes=False) for s in steps), sb.Play),
    ),
    "the steps come in the wrong order": (
        "fevga",
        "a play moves what it says",
        _property("steps", lambda self, steps: steps[::-1], sb.Play),
    ),
    "a step is not offered": (
        "khachapuri",
        "a play can be made step by step",
        _method("legal_steps", lambda steps, self, *args: steps[1:]),
    ),
    "the notation names one step too few": (
        "backgammon",
        "a play can be read again",
        _property("notation", lambda self, text: text.rsplit(" ", 1)[0], sb.Play),
    ),
    "a rule that nobody knows": (
        "moultezim",
        "the referee has a reason",
        _method("refusal", lambda r, self, *args: r and sb.Refusal("rule.of_thumb", r.source, r.text)),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_kit_catches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, law, fault = FAULTS[name]
    fault(monkeypatch)
    with pytest.raises(ContractError) as caught:
        check_variant(sb.variant(game), games=5, seed=3, examine=0.5, constructed=60)
    assert caught.value.law == law
    assert game in str(caught.value)


def test_every_law_is_broken_by_a_fault() -> None:
    source = Path(laws.__file__).read_text("utf-8")
    named = {line.split('"')[1] for line in source.splitlines() if "with _law(" in line}
    assert named == {law for _, law, _ in FAULTS.values()}
