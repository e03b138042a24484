"""The engine for one rule set: it values positions, ranks plays, and plays at a level."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from math import fsum
from typing import Unpack

from sheshbesh import _core
from sheshbesh.cube.decision import NEARLY, Answer, CubeDecision, check_double, cube_decision, known_decision
from sheshbesh.cube.match_utility import values_at
from sheshbesh.cube.values import shipped_efficiency
from sheshbesh.engines import bearoff_databases
from sheshbesh.engines.batch import BatchEngine
from sheshbesh.engines.explain.reasons import Reason, between
from sheshbesh.engines.explain.verdict import with_cube
from sheshbesh.engines.outcome import Candidate, Candidates, Classes, Outcome, by_double
from sheshbesh.engines.registry import Found, Manifest
from sheshbesh.engines.rollout import subjects
from sheshbesh.engines.rollout.rollout import (
    RolledOutCube,
    RolledOutPlays,
    Rollout,
    RolloutOptions,
    with_trials,
)
from sheshbesh.engines.rollout.run import Parts
from sheshbesh.engines.rollout.subjects import CUT_SHORT, MARGIN, Way, open_plays
from sheshbesh.engines.strength import choice
from sheshbesh.engines.strength.levels import Level, Weakness
from sheshbesh.engines.strength.styles import preferred
from sheshbesh.engines.utility import Scores, check_match
from sheshbesh.errors import CubeError, PositionError, StoppedError
from sheshbesh.match import MatchState
from sheshbesh.rules import GameResult, Play, Plays, Position, Side, Variant

DEEPEST = _core.DEEPEST
"""Plies beyond which no search goes: each one costs some hundred times the one before it."""

CUBE_PLIES = 2
"""The plies from which on a cube decision is played through all pairs of throws, and no deeper."""

CACHE = 1 << 16
"""Positions whose static values a search remembers by default."""

LARGEST_CACHE = 1 << 24
"""The most that can be set, in some two gigabytes."""


class Engine(BatchEngine):
    """The engine of one rule set, which values positions, ranks plays and plays at a level; made by `engine`.

    The same question has the same answer, whatever was asked before and on whatever machine: the errors of a
    weak level follow from its seed, the position and the dice. Many threads may share an engine, and one at a
    time gets its answer; for work in parallel take one engine for each thread: they share the memory of the
    net.

    Parameters
    ----------
    rules : Variant
        The rule set.
    found : Found
        Its net.
    plies : int
        How far the engine looks, 0 (the raw net) to 3.
    level : Level, optional
        What it plays at; its best without one.
    seed : int
        What the errors of a weak level are drawn from.
    exact : Sequence[_core.ExactValues]
        Bear-off databases, from which the positions that they cover have their values.
    cache : int
        How many positions a search remembers, some hundred bytes each; it changes no value.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> engine = sb.engine("tapa")
    >>> engine.choose(engine.variant.start(), (6, 5)).notation
    '24/19 24/18'
    """

    def __init__(
        self,
        rules: Variant,
        found: Found,
        *,
        plies: int = 0,
        level: Level | None = None,
        seed: int = 0,
        exact: Sequence[_core.ExactValues] = (),
        cache: int = CACHE,
    ) -> None:
        if type(plies) is not int or not 0 <= plies <= DEEPEST:
            raise ValueError(f"an engine looks 0 to {DEEPEST} plies ahead, not {plies!r}")
        _check_seed(seed)
        self._variant = rules
        self._found = found
        self._net = found.load()
        self._plies = plies
        self._level = level
        self._seed = seed
        self._classes = Classes.of(rules)
        plainly = found.class_map == tuple(range(len(self._classes)))
        self._class_map = None if plainly else found.class_map
        self._exact = tuple(exact)
        self._cache = cache
        if type(cache) is not int or not 0 <= cache <= LARGEST_CACHE:
            raise ValueError(f"a search remembers 0 to {LARGEST_CACHE} positions, not {cache!r}")
        self._search = _core.Searcher(
            self._net, rules._core, self._class_map, self._exact, cache_entries=cache
        )
        self._cancelled = threading.Event()
        search, start = self._search, rules.start()._core
        self._scores = Scores(rules, self._classes, lambda: search.evaluate([start])[0])

    @property
    def variant(self) -> Variant:
        """The rule set it plays."""
        return self._variant

    @property
    def plies(self) -> int:
        """The number of plies that it looks ahead by default."""
        return self._plies

    @property
    def level(self) -> Level | None:
        """The level it plays at; None: its best."""
        return self._level

    @property
    def seed(self) -> int:
        """The seed that the errors of a weak level are drawn from."""
        return self._seed

    def at_level(self, level: Level, seed: int = 0, *, plies: int | None = None) -> Engine:
        """Return the same engine at another level: net, databases and the memory of the search are shared.

        Parameters
        ----------
        level : Level
            The level.
        seed : int
            What the errors of a weak level are drawn from.
        plies : int, optional
            How far it looks, if not as far as the level does.

        Returns
        -------
        Engine
            The engine at that level.
        """
        _check_seed(seed)
        other = copy(self)
        other._level = level
        other._seed = seed
        other._plies = other._depth(level.plies if plies is None else plies)
        return other

    @property
    def approximate(self) -> bool:
        """True if its net was made for other rules."""
        return self._found.approximate

    @property
    def net(self) -> Manifest:
        """The statements of its net about itself."""
        return self._found.manifest

    @property
    def nodes(self) -> int:
        """The number of positions that its searches have valued so far, those found in the cache too."""
        return self._search.nodes

    # Values

    def evaluate(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> Outcome:
        """Value a position for the side on roll, before it throws.

        A position that is over has its result. Where an element is owed, it is still to be played.

        Parameters
        ----------
        position : Position
            The position.
        match : MatchState, optional
            Score and cube that the equity is for; money without it.
        plies : int, optional
            How far to look, if not as far as the engine does.

        Returns
        -------
        Outcome
            The probability of every class and the equity.

        Raises
        ------
        PositionError
            The position is of other rules.
        StoppedError
            The search was cancelled.
        """
        self._check(position)
        deep = self._depth(plies)
        if deep == 0:
            return self.evaluate_many((position,), match, plies=0)[0]
        values = self._scores.equities(match, position.turn)
        if (over := position.result) is not None:
            return Outcome.certain(position, over, values)
        try:
            found = self._search.value(position._core, self._scores.choosing(match, values), deep)
        except _core.SearchStopped:
            raise StoppedError(f"the search was cancelled before it had a value: {position.id}") from None
        return self._outcome(found, values)

    def is_exact(self, position: Position) -> bool:
        """Say whether the value of a position is certain.

        Parameters
        ----------
        position : Position
            The position.

        Returns
        -------
        bool
            True where the game is over or the two-sided bear-off databases have the position.
        """
        self._check(position)
        return position.result is not None or any(
            isinstance(each, _core.BearoffDatabase) and each.is_exact(position._core) for each in self._exact
        )

    def _outcome(self, probabilities: Sequence[float], values: Sequence[float]) -> Outcome:
        return Outcome.weigh(self._classes, probabilities, values, approximate=self.approximate)

    # Plays

    def rank(
        self,
        position: Position,
        dice: Iterable[int] | None = None,
        match: MatchState | None = None,
        *,
        plies: int | None = None,
    ) -> Candidates:
        """Rank all legal plays of a throw, best first.

        Where a double is to be named, the plays of all six are ranked together. The plays that were looked at
        most deeply come first. With a match state plays are chosen for it, and among equals there by money
        equity. When the search is cancelled, the plies that are complete count.

        Parameters
        ----------
        position : Position
            The position, with the player on roll.
        dice : Iterable[int], optional
            The throw; without it what is owed is played.
        match : MatchState, optional
            Score and cube; money without it.
        plies : int, optional
            How far to look, if not as far as the engine does.

        Returns
        -------
        Candidates
            The plays with their equities for the player; none where the game is over.

        Raises
        ------
        PositionError
            The position is of other rules.
        DiceError
            The dice are not two numbers 1 to 6, or not those owed.
        """
        self._check(position)
        plays = position.legal_plays(dice)
        if not plays:
            return Candidates()
        deep = self._depth(plies)
        values = self._scores.equities(match, position.turn)
        choosing = self._scores.choosing(match, values)
        groups = [plays] if isinstance(plays, Plays) else by_double(plays)
        found = []
        for group in groups:
            first, second = group[0].dice
            for index, depth, _, row in self._search.rank(position._core, first, second, choosing, deep):
                choice = fsum(p * value for p, value in zip(row, choosing, strict=True))
                found.append((choice, Candidate(group[index], self._outcome(row, values), depth)))
        # Stable: equal ones stay in the order of the generator.
        found.sort(key=lambda each: (-each[1].plies, -each[0]))
        return Candidates(candidate for _, candidate in found)

    def explain(
        self, mine: Candidate, other: Candidate, match: MatchState | None = None
    ) -> tuple[Reason, ...]:
        """Say in what two plays of the same position differ, the heaviest first.

        Parameters
        ----------
        mine, other : Candidate
            The plays, as they were ranked.
        match : MatchState, optional
            The state of the match that they were ranked at.

        Returns
        -------
        tuple[Reason, ...]
            The reasons. What the next throw of the other side brings is looked at here, by the net.

        Raises
        ------
        PositionError
            The position is of other rules.
        """
        self._check(mine.play.position)
        values = self._scores.equities(match, mine.play.position.turn)
        return between(self._search, mine, other, values)

    def choose(
        self, position: Position, dice: Iterable[int] | None = None, match: MatchState | None = None
    ) -> Play:
        """Choose a play at the level of the engine.

        With a cube in play, an engine without a weakness compares the plays that it looked at most deeply by
        their equity with the cube. `rank` gives the equity without it, and a level that rolls plays out
        leaves the cube alone.

        Parameters
        ----------
        position : Position
            The position, with the player on roll.
        dice : Iterable[int], optional
            The throw; without it what is owed is played.
        match : MatchState, optional
            Score and cube; money without it.

        Returns
        -------
        Play
            The play.

        Raises
        ------
        PositionError
            The game is over, or of other rules.
        DiceError
            The dice are none, or not those owed.
        """
        self._check(position)
        plays = position.legal_plays(dice)
        if not plays:
            raise PositionError(f"the game is over, nothing can be played: {position.id}")
        if len(plays) == 1:
            return plays[0]
        candidates = self.rank(position, dice, match)
        if self._level is not None and self._level.settles:
            settled = self.settle(candidates, match, cancelled=self._cancelled.is_set)
            # One that was cancelled early is less accurate than the search.
            enough = settled and settled[0].rollout.trials >= CUT_SHORT.minimum
            return settled[0].play if enough else candidates[0].play
        if self._weakness.is_none:
            chosen = self._best_with_cube(candidates, match)
        else:
            chosen = choice.pick(position, candidates, self._weakness, self._seed)
        if self._level is not None and self._level.style is not None:
            chosen = preferred(candidates, chosen, self._level.style)
        return chosen.play

    def _best_with_cube(self, candidates: Sequence[Candidate], match: MatchState | None) -> Candidate:
        """The best with the cube, of the candidates looked at as deeply as the first."""
        first = candidates[0]
        if match is None or not self._variant.axes["cube"]["use"]:
            return first
        values = first.outcome.class_values
        pairs = zip(self._scores.choosing(match, values), values, strict=True)
        added = [choosing - value for choosing, value in pairs]  # decides among equals

        def choice_of(candidate: Candidate) -> float:
            rows = zip(candidate.outcome.probabilities, added, strict=True)
            return with_cube(self, candidate, match).equity + fsum(share * value for share, value in rows)

        return max((each for each in candidates if each.plies == first.plies), key=choice_of)

    # The cube

    def cube(
        self, position: Position, match: MatchState | None = None, *, plies: int | None = None
    ) -> CubeDecision:
        """Decide about the cube, before the side on roll throws.

        Without a match state this is a money game as `MatchState()` has it, the cube at 1 and in the middle,
        Jacoby's rule in force. In a bear-off the equities follow from all throws to come, at every score and
        depth, and are exact with at most six checkers a side. Else they are those of the cube model: at 0 and
        1 plies by what the search says of the position, from 2 plies on after all pairs of throws, with the
        cube in play between them.

        Parameters
        ----------
        position : Position
            The position, before the throw.
        match : MatchState, optional
            Score and cube.
        plies : int, optional
            How far to look, if not as far as the engine does.

        Returns
        -------
        CubeDecision
            The equities of all ways, for the side on roll, and what to do.

        Raises
        ------
        CubeError
            There is no double to decide on: without a cube, after the end, between the elements of a turn, or
            where the side may not turn the cube.
        StoppedError
            The search was cancelled.
        """
        state = match if match is not None else MatchState()
        self._check_cube(position, state)
        table = self._scores.table(state)
        if (known := known_decision(self._exact, self._classes.all, position, state, table)) is not None:
            return known
        if self._depth(plies) >= CUBE_PLIES or self.is_exact(position):
            if self._cancelled.is_set():
                raise StoppedError(f"the search was cancelled before it had a decision: {position.id}")
            ahead = subjects.look_ahead_cube(self._parts(state), position, state)
            return replace(ahead, approximate=self.approximate)
        decision = cube_decision(
            self._classes.all,
            self.evaluate(position, state, plies=plies).probabilities,
            state,
            position.turn,
            efficiency=shipped_efficiency().at(position),
            table=table,
        )
        return replace(decision, approximate=self.approximate)

    def cubeful_equity(self, outcome: Outcome, position: Position, match: MatchState) -> float:
        """Return the equity of the side on roll with the cube, normalised to its present value.

        Parameters
        ----------
        outcome : Outcome
            How the game will end for that side, as this engine or another source has it.
        position : Position
            The position, before the throw.
        match : MatchState
            Score and cube. Where the side may double, the double is made if it is right.

        Returns
        -------
        float
            The equity.
        """
        return self._scores.cubeful(outcome, position, match)

    def doubles(self, position: Position, match: MatchState | None = None) -> bool:
        """Decide whether to turn the cube, at the level of the engine.

        Parameters
        ----------
        position : Position
            The position, before the throw.
        match : MatchState, optional
            Score and cube; the money game of `cube` without it.

        Returns
        -------
        bool
            Whether the engine doubles.

        Raises
        ------
        CubeError
            There is no double to decide on; see `cube`.
        """
        state = match if match is not None else MatchState()
        decision = self.cube(position, state)
        if self._weakness.is_none:
            return decision.action == "double"
        return choice.doubles(position, decision, self.evaluate(position, state), self._weakness, self._seed)

    def answer(self, position: Position, match: MatchState | None = None) -> Answer:
        """Answer a double of the side on roll, at the level of the engine.

        Parameters
        ----------
        position : Position
            The position, with the side on roll that doubles.
        match : MatchState, optional
            Score and cube before the double.

        Returns
        -------
        Answer
            "take", "drop" or "beaver".

        Raises
        ------
        CubeError
            There is no double to decide on; see `cube`.
        """
        state = match if match is not None else MatchState()
        decision = self.cube(position, state)
        if self._weakness.is_none:
            return "beaver" if decision.beaver else "take" if decision.take else "drop"
        away = state.away(position.turn)
        if away is not None and state.cube >= away:
            return "take"  # a drop would lose the match
        return choice.answer(position, decision, self.evaluate(position, state), self._weakness, self._seed)

    def accepts(self, offered: GameResult, position: Position, match: MatchState | None = None) -> bool:
        """Say whether a resignation should be accepted.

        What the result pays at the score and the present cube (under Jacoby's rule, if that is in force) is
        compared with the equity of playing on, with the cube where it lies. The cube is not turned at this
        moment: a double brings no more than its drop, and so does every result that can be offered.

        Parameters
        ----------
        offered : GameResult
            The result that the loser offers.
        position : Position
            The position on the board.
        match : MatchState, optional
            Score and cube; the money game of `cube` without it.

        Returns
        -------
        bool
            True where the winner of `offered` gains no more by playing on.

        Raises
        ------
        ValueError
            The result has no winner, or the game does not end like that.
        """
        if offered.winner is None:
            raise ValueError(f"a game is given up to a winner, not as {offered}")
        state, side = match if match is not None else MatchState(), Side.of(offered.winner)
        outcome = self.evaluate(position, state)
        mine = outcome if position.turn is side else outcome.flipped()
        values = values_at(self._classes.all, state, side, self._scores.table(state))
        now = values.heights[0]
        if self._variant.axes["cube"]["use"]:
            playing_on = self._scores.holding(mine, position, state, side)
        else:
            rows = zip(mine.probabilities, self._scores.equities(state, side), strict=True)
            playing_on = fsum(share * points for share, points in rows)
        paid = values.normalised(now.wins[self._classes.index(offered, own=True)])
        return paid >= playing_on - NEARLY

    @property
    def _weakness(self) -> Weakness:
        return self._level.weakness if self._level is not None else Weakness()

    # Rollouts

    def rollout(
        self,
        position: Position,
        match: MatchState | None = None,
        *,
        trials: int | None = None,
        options: RolloutOptions | None = None,
        **way: Unpack[Way],
    ) -> Rollout:
        """Play a position out many times, for the side on roll, which has not yet thrown.

        With a match state, unless the options say otherwise, the cube is in play, which the side on roll does
        not turn before its first throw.

        Parameters
        ----------
        position : Position
            The position.
        match : MatchState, optional
            Score and cube.
        trials : int, optional
            How many games are played, in the place of the number in `options`.
        options : RolloutOptions, optional
            How they are played and when the rollout ends; plays are chosen at 0 plies by default.
        **way
            Keywords of `RolloutRun.play`: threads, file, progress, cancelled, work. The result does not
            depend on them.

        Returns
        -------
        Rollout
            The mean and the standard error of every class and of the equity, for the side on roll.

        Raises
        ------
        PositionError
            The position is of other rules.
        RolloutError
            The file is of another rollout.
        """
        self._check(position)
        return subjects.roll_out(self._parts(match), position, match, with_trials(options, trials), **way)

    def rollout_plays(
        self,
        plays: Iterable[Play | Candidate],
        match: MatchState | None = None,
        *,
        trials: int | None = None,
        options: RolloutOptions | None = None,
        **way: Unpack[Way],
    ) -> RolledOutPlays:
        """Roll out plays of one position against each other, with the same dice.

        Parameters
        ----------
        plays : Iterable[Play | Candidate]
            The plays, of one position.
        match : MatchState, optional
            Score and cube.
        trials : int, optional
            As in `rollout`.
        options : RolloutOptions, optional
            As in `rollout`.
        **way
            As in `rollout`.

        Returns
        -------
        RolledOutPlays
            The plays, best first, with numbers for the player who makes them.

        Raises
        ------
        PositionError
            The plays are of different positions, of other rules, or there are none.
        RolloutError
            The file of a rollout belongs to another one, is damaged or cannot be written.
        """
        asked = [play.play if isinstance(play, Candidate) else play for play in plays]
        for play in asked:
            self._check(play.position)
        return subjects.roll_out_plays(self._parts(match), asked, match, with_trials(options, trials), **way)

    def settle(
        self,
        candidates: Sequence[Candidate],
        match: MatchState | None = None,
        *,
        margin: float = MARGIN,
        options: RolloutOptions = CUT_SHORT,
        **way: Unpack[Way],
    ) -> RolledOutPlays:
        """Roll out, cut short, the plays that a ranking leaves open.

        Those are the candidates that were looked at as deeply as the first, within `margin` of it. It takes
        some 25 times as long as two plies.

        Parameters
        ----------
        candidates : Sequence[Candidate]
            The ranking.
        match : MatchState, optional
            Score and cube.
        margin : float
            Equity, 0 or more.
        options : RolloutOptions
            How the rollouts are played and when they end.
        **way
            As in `rollout`.

        Returns
        -------
        RolledOutPlays
            The plays, best first; none if one is alone.

        Raises
        ------
        ValueError
            The margin is below 0.
        PositionError, RolloutError
            As in `rollout_plays`.
        """
        found = open_plays(candidates, margin)
        return (
            self.rollout_plays(found, match, options=options, **way) if len(found) > 1 else RolledOutPlays()
        )

    def rollout_cube(
        self,
        position: Position,
        match: MatchState | None = None,
        *,
        trials: int | None = None,
        options: RolloutOptions | None = None,
        **way: Unpack[Way],
    ) -> RolledOutCube:
        """Roll out both ways to go on from a cube decision, with the same dice.

        Parameters
        ----------
        position : Position
            The position, before the throw.
        match : MatchState, optional
            Score and cube; the money game of `cube` without it.
        trials : int, optional
            As in `rollout`.
        options : RolloutOptions, optional
            As in `rollout`.
        **way
            As in `rollout`.

        Returns
        -------
        RolledOutCube
            Both rollouts and the decision, for the side on roll.

        Raises
        ------
        CubeError
            There is no double to decide on; see `cube`.
        PositionError, RolloutError
            As in `rollout_plays`.
        """
        state = match if match is not None else MatchState()
        self._check_cube(position, state)
        chosen = with_trials(options, trials)
        return subjects.roll_out_cube(self._parts(state), position, state, chosen, **way)

    def _parts(self, match: MatchState | None) -> Parts:
        return Parts(
            variant=self._variant,
            found=self._found,
            class_map=self._class_map,
            databases=self._exact,
            database_ids=bearoff_databases.ids(self._variant) if self._exact else (),
            equities=self._scores.table(match),
        )

    def cancel(self) -> None:
        """End the running search, and every later one, as soon as possible; from any thread.

        What a level rolls out ends with it.
        """
        self._cancelled.set()
        self._search.cancel()

    def resume(self) -> None:
        """Let searches run again after `cancel`."""
        self._cancelled.clear()
        self._search.resume()

    # Arguments

    def _check(self, position: Position) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"a position is expected, not {position!r}")
        if position.variant is not self._variant and position.variant != self._variant:
            raise PositionError(
                f"this engine plays {self._variant.title}, the position is one of "
                f"{position.variant.title} with other rules: {position.id}"
            )

    def _check_cube(self, position: Position, match: MatchState) -> None:
        self._check(position)
        check_match(match)
        if not position.variant.axes["cube"]["use"]:
            raise CubeError(f"{position.variant.title} is played without a cube: {position.id}")
        if position.result is not None or position.pending is not None:
            why = "the game is over" if position.result is not None else "an element is still owed"
            raise CubeError(f"there is no double to decide on, {why}: {position.id}")
        check_double(match, position.turn)

    def _depth(self, plies: int | None) -> int:
        if plies is None:
            return self._plies
        if type(plies) is not int or not 0 <= plies <= DEEPEST:
            raise ValueError(f"an engine looks 0 to {DEEPEST} plies ahead, not {plies!r}")
        return plies

    def __eq__(self, other: object) -> bool:
        # What it answers by, not what it happens to remember.
        return self._identity == other._identity if isinstance(other, Engine) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        found = (self.net.sha256, self._class_map, bool(self._exact))
        return (self._variant, *found, self._plies, self._level, self._seed)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # Net, databases and search live in the core: the other process loads its own, with an empty memory.
        settings = (self._plies, self._level, self._seed, len(self._exact), self._cache)
        return _load_again, (self._variant, self._found, *settings)

    def __repr__(self) -> str:
        played = f", level={self._level.name!r}" if self._level is not None else ""
        stands_in = ", approximate" if self.approximate else ""
        return f"<Engine {self._variant!r}, plies={self._plies}{played}, net {self.net.name}{stands_in}>"


def _load_again(
    rules: Variant, found: Found, plies: int, level: Level | None, seed: int, exact: int, cache: int
) -> Engine:
    known = bearoff_databases.for_variant(rules, None) if exact else ()
    return Engine(rules, found, plies=plies, level=level, seed=seed, exact=known, cache=cache)


def _check_seed(seed: object) -> None:
    if type(seed) is not int:
        raise ValueError(f"a seed is a whole number, not {seed!r}")
