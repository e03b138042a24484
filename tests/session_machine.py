"""Whole matches of random actions, legal and illegal, in every game: `python -m tests.session_machine`.

After each action the laws are checked again, by other ways than the session's own: checkers, cube,
Crawford, the score sheet, clocks, and that somebody can always go on. At the end of a match its
record is replayed and must give the same state.
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections import Counter
from collections.abc import Iterator

import sheshbesh as sb
from sheshbesh.match import Card, ClockSettings, Contest, DiceSource
from sheshbesh.rules import Refused, Side, loader
from sheshbesh.rules.setup import Geometry
from sheshbesh.session import (
    AbandonAction,
    Action,
    AnchorAction,
    ChooseAction,
    ClaimAction,
    ConfirmAction,
    CreditAction,
    DiceAction,
    DiceKeeper,
    DoubleAction,
    Event,
    EventTerms,
    ForfeitAction,
    Header,
    LinkAction,
    Phase,
    PlayAction,
    ProposeAction,
    ReadyAction,
    Record,
    ResignAction,
    RetryAction,
    Session,
    StepAction,
    TouchAction,
    UndoAction,
    WithholdAction,
    apply,
)
from sheshbesh.session.actions import ACTIONS, FORFEITS
from tests.dice_help import entropy_from
from tests.session_help import SERVER

SIDES = (Side.WHITE, Side.BLACK)
CLOCKS = ("n", "n", "d12-120", "b5-30", "f3-20", "t15", "d1-5-b2x60")
_RARELY = {"retry": 0.1, "abandon": 0.002, "credit": 0.02, "forfeit": 0.001}
"""How often the server thinks of what it rarely does."""

NOISE = (
    "ready",
    "resign",
    "propose",
    "refuse",
    "break",
    "time",
    "anchor",
    "touch",
    "undo",
    "swap",
    "withhold",
    "call",
)
"""Types of action that do not bring a match on: a random player takes them now and then only."""


def random_card(rng: random.Random) -> Card:
    """The agreement of a table that likes to try everything."""
    while True:
        game = rng.choice(sb.variants())
        specs = loader.load(game).options
        options: dict[str, object] = {
            name: rng.choice(spec.values) for name, spec in specs.items() if rng.random() < 0.25
        }
        try:
            return Card(
                game=game,
                options=options,
                contest=rng.choice(list(Contest)),
                length=rng.choice((1, 1, 3, 5, 7)),
                crawford=rng.random() < 0.8,
                jacoby=rng.random() < 0.7,
                beavers=rng.random() < 0.5,
                raccoons=rng.random() < 0.5,
                automatic_doubles=rng.choice((0, 0, 1, 3)),
                clock=ClockSettings.from_code(rng.choice(CLOCKS)),
                dice=rng.choice(list(DiceSource)),
            )
        except sb.MatchError:
            continue  # two options that do not go together


class Walk:
    """One match, its players who do anything, and the laws it must keep."""

    def __init__(self, rng: random.Random, card: Card | None = None) -> None:
        self.rng = rng
        self.card = card or random_card(rng)
        seed = f"{rng.random()}" if self.card.dice is DiceSource.SEEDED else None
        event = rng.choice((None, None, EventTerms("walk", 1, 1, rng.choice(((), ("agreements", "pauses"))))))
        self.header = Header(self.card, "walk", {"white": "Ann", "black": "Bea"}, seed, event)
        self.state: Session = self.header.session()
        self.keeper = DiceKeeper((SERVER, *SIDES), entropy_from(rng.random()))
        self.events: list[Event] = []
        self.now = 0
        self.refused: Counter[str] = Counter()
        self.crawford_over = False

    # Actions

    def legal(self) -> None:
        """Take an action that should be accepted."""
        self._pass_time()
        actor, action = self._choose()
        refused = self._apply(actor, action)
        assert refused is None, f"{actor} {action}: {refused} in {self.state.phase}"

    def illegal(self) -> None:
        """Try anything; whether it was allowed is judged by the laws."""
        actor = self.rng.choice(("white", "black", SERVER, "eve"))
        kind = self.rng.choice(list(ACTIONS))
        if self.rng.random() < 0.6 and (waited := self.state.to_act):
            actor = self.rng.choice(waited).value
            kind = self.rng.choice(self.state.allowed(actor) or list(ACTIONS))
        self._apply(actor, self._content(actor, kind, wild=True))

    def _pass_time(self) -> None:
        self.now += self.rng.choice((0, 10, 300, 2000, -500))
        if self.rng.random() < 0.002:
            self.now += 200_000

    def _choose(self) -> tuple[str, Action]:
        state, rng = self.state, self.rng
        now = max(self.now, state.at)
        if (loser := state.clock.fallen(now)) is not None:
            return rng.choice((SERVER, loser.other.value)), ClaimAction()
        due = next(iter(self.keeper.due_actions(state)), None)
        if due is not None and rng.random() < 0.9:
            return due
        choices = [
            (actor, kind)
            for actor in (*(side.value for side in SIDES), SERVER)
            for kind in state.allowed(actor)
            if kind not in ("time", "link", "confirm")
            and (kind not in _RARELY or rng.random() < _RARELY[kind])
            and (kind != "credit" or state.clock.elapsed(now) > 0)
            and (kind != "call" or now >= (state.call_at or 0))
        ]
        steady = [choice for choice in choices if choice[1] not in NOISE]
        if steady and rng.random() < 0.85:
            choices = steady
        elif (
            ready := [choice for choice in choices if choice[1] in ("ready", "resume")]
        ) and rng.random() < 0.8:
            choices = ready
        actor, kind = rng.choice(choices)
        action = self._content(actor, kind, wild=False)
        if isinstance(action, StepAction) and rng.random() < 0.4:
            # Finish what was begun by steps, or the matches would take for ever.
            return self._finishing(actor) or (actor, action)
        return actor, action

    def _finishing(self, actor: str) -> tuple[str, Action] | None:
        turn = self.state.turn
        assert turn is not None
        return None if turn.made is None else (actor, ConfirmAction())

    def _content(self, actor: str, kind: str, *, wild: bool) -> Action:
        """An action of a type; a wild one need not make sense."""
        rng, state, side = self.rng, self.state, actor if actor in ("white", "black") else "white"
        turn = state.turn
        match kind:
            case "ready" if actor == SERVER and not wild:
                return ReadyAction(self.keeper.anchor("server"))
            case "ready" | "roll" if not wild:
                return self.keeper.with_share(state, Side.of(side), ACTIONS[kind]())
            case "link":
                return LinkAction(rng.randbytes(32).hex())
            case "withhold":
                awaited = state.throwing.table.awaited if state.throwing.table else ()
                return WithholdAction(rng.choice([p for p in awaited if p != SERVER] or ["white", "fig"]))
            case "anchor":
                if wild:
                    return AnchorAction(rng.choice(("", "xyz", "00" * 31)))
                if actor == SERVER or state.throwing.needs_anchor(actor):
                    return AnchorAction(self.keeper.anchor(actor))  # type: ignore[arg-type]
                return self.keeper.renewed(Side.of(actor))
            case "dice":
                low, high = (-1, 8) if wild else (1, 6)
                return DiceAction(rng.randint(low, high), rng.randint(low, high))
            case "choose":
                return ChooseAction(rng.randint(0, 7) if wild else rng.randint(1, 6))
            case "touch":
                return TouchAction(rng.randint(-1, 27))
            case "step" if turn is not None and not wild:
                steps = [s for s in turn.next_steps() if turn.touched in (None, s.origin)]
                if not steps:
                    return ConfirmAction()
                step = rng.choice(steps)
                return StepAction(step.origin, step.target, step.die)
            case "step":
                return StepAction(rng.randint(-1, 27), rng.randint(-1, 27), rng.choice((None, 1, 6, 9)))
            case "play" if turn is not None and not wild:
                return PlayAction(rng.choice(turn.plays()).notation)
            case "play":
                return PlayAction(rng.choice(("pass", "24/18", "bar/20 13/8*", "6/off(4)", "8/5 6/5")))
            case "resign":
                kinds = ["single", "gammon", "koks", "count", "difference"]
                if not wild:
                    assert state.position is not None
                    kinds = list(state.position.variant.resignations(state.position, side))
                return ResignAction(rng.choice(kinds))
            case "propose":
                money = self.card.contest is Contest.MONEY and state.phase is not Phase.READY
                words = ["draw", "settle", "pause"] if wild or money else ["pause"]
                weights = [1, 3, 6][-len(words) :]
                return ProposeAction(rng.choices(words, weights)[0], rng.randint(-5, 5))
            case "abandon":
                if wild or state.position is None:
                    return AbandonAction(rng.choice(("white", "black", "fig")))
                worth = list(state.position.variant.resignations(state.position, side))
                return AbandonAction(side, rng.choice(worth))
            case "credit":
                passed = state.clock.elapsed(max(self.now, state.at))
                return CreditAction(rng.randint(-1, 0) if wild else rng.randint(1, max(passed, 1)))
            case "forfeit":
                side = rng.choice(("white", "black", "both"))
                return ForfeitAction("fig" if wild else side, rng.choice(FORFEITS))
            case "retry":
                return RetryAction("fig" if wild else (state.retriable or Side.WHITE).value)
            case "undo":
                return UndoAction(all=rng.random() < 0.3)
            case _:
                return ACTIONS[kind]()

    def _apply(self, actor: str, action: Action) -> Refused | None:
        before, now = self.state, max(self.now, self.state.at)
        frozen = pickle.dumps(before) if self.rng.random() < 0.02 else None
        may = action.type in before.allowed(actor)
        try:
            self.state, _, event = apply(before, actor, action, self.now)
        except sb.NotationError:
            assert isinstance(action, PlayAction)
            return None
        except Refused as refused:
            self.refused[refused.refusal.rule] += 1
            return refused
        finally:
            assert frozen is None or pickle.dumps(before) == frozen
        assert may, f"{actor} was not allowed {action}"
        self.events.append(event)
        assert event.n == len(self.events) == self.state.events
        self._check_action(before, actor, action, event, now)
        self._check_state()
        return None

    # Laws

    def _check_action(self, before: Session, actor: str, action: Action, event: Event, now: int) -> None:
        """What was accepted was lawful."""
        assert event.at == now
        if isinstance(action, DoubleAction):
            self._check_double(before, actor)
        if isinstance(action, ConfirmAction | PlayAction):
            assert before.turn is not None and before.position is not None and actor == before.on_roll
            lawful = before.position.legal_plays(before.turn.dice)
            assert self.state.position in [play.result for play in lawful]
        if self.state.phase is Phase.MOVE and before.phase is not Phase.MOVE:
            assert self.state.dice is not None and all(1 <= die <= 6 for die in self.state.dice)
        if len(self.state.games) > len(before.games):
            self._check_game(before)

    def _check_double(self, before: Session, actor: str) -> None:
        """The laws of the cube, told once more."""
        score, card = before.score, self.card
        assert before.phase is Phase.ROLL and actor == before.on_roll and not before.rolled
        assert card.rules.axes["cube"]["use"] and card.contest is not Contest.GAMES
        assert score.owner in (None, Side.of(actor)) and score.allows_cube(2 * score.cube)
        if card.contest is Contest.POINTS:
            points = score.white if actor == "white" else score.black
            assert not score.crawford
            dead = points + score.cube >= (card.length or 0)
            assert not dead or card.rules.axes["table"]["allow_dead_double"]

    def _check_game(self, before: Session) -> None:
        game = self.state.games[-1]
        assert game.points >= 0 and game.cube.bit_count() == 1
        if game.result.winner is None:
            assert game.points == 0
        if self.card.contest is Contest.GAMES:
            assert game.points == (game.result.winner is not None)
        elif game.reason == "drop":
            # The stake before the offer: what the cube shows, or half of what was turned back.
            assert game.points == game.cube and game.points % before.score.cube == 0
        if self.card.contest is Contest.POINTS and game.reason == "played":
            assert game.points == game.result.points * before.score.cube
        if before.score.crawford:
            self.crawford_over = True
            assert game.cube == 1

    def _check_state(self) -> None:
        state = self.state
        if state.position is not None:
            for side in SIDES:
                assert sum(state.position.counts(side)) == Geometry.of(self.card.rules.axes).checkers
        self._check_sheet()
        clock = state.clock
        assert clock.white >= 0 and clock.black >= 0 and clock.allowance >= 0
        assert all(clock.bank(side, self.now) >= 0 for side in SIDES)
        waits = state.phase is Phase.READY and state.event is None
        if waits or state.phase is Phase.OVER or state.paused:
            assert clock.running is None
        if state.phase is Phase.OVER:
            assert not any(state.allowed(actor) for actor in ("white", "black", SERVER))
            assert state.to_act == ()
        else:
            self._check_somebody_can_go_on()

    def _check_sheet(self) -> None:
        """Scores are the sums of the games; Crawford is the one game after a side came within one."""
        state, length = self.state, self.card.length
        sums = {side: sum(g.points for g in state.games if g.result.winner is side) for side in SIDES}
        assert (state.score.white, state.score.black) == (sums[Side.WHITE], sums[Side.BLACK])
        if self.card.contest is Contest.MONEY:
            assert state.winner is None or state.ending in ("time", "abandoned", "forfeit")
            return
        needed = self.card.wins_needed
        reached = [side for side in SIDES if sums[side] >= (needed or 0)]
        if state.ending == "points":
            assert reached == [state.winner]
        else:
            assert not reached
        within = length != 1 and any(needed == points + 1 for points in sums.values())
        played = state.phase not in (Phase.READY, Phase.OVER)
        if self.card.contest is Contest.POINTS and self.card.has_cube and self.card.crawford and played:
            assert state.score.crawford == (within and not self.crawford_over)
        if state.score.crawford:
            assert state.score.cube == 1 and state.score.owner is None

    def _check_somebody_can_go_on(self) -> None:
        """Each one who is waited for can act, and if nobody is, the server can."""
        state = self.state
        useful = {actor: set(state.allowed(actor)) - {"time"} for actor in ("white", "black", SERVER)}
        for side in state.to_act:
            assert useful[side.value] or (state.throwing.open and useful[SERVER]), (state.phase, side)
        assert state.to_act or useful[SERVER] & {"link", "ready", "anchor", "dice"}, state.phase

    def check_record(self) -> None:
        """The record gives the same state again, and its text the same record."""
        record = Record(self.header, tuple(self.events))
        again = Record.from_text(record.to_text())
        assert again.damage is None
        assert again.header == self.header
        assert again.replay() == self.state


def walk(rng: random.Random, most: int, card: Card | None = None) -> Walk:
    """Play one match to its end, or for `most` actions."""
    match = Walk(rng, card)
    while match.state.phase is not Phase.OVER and len(match.events) < most:
        match.legal()
        if rng.random() < 0.3:
            match.illegal()
    match.check_record()
    return match


def soak(number: int, seed: int) -> Iterator[Walk]:
    """Matches until `number` actions have been accepted."""
    rng = random.Random(seed)
    while number > 0:
        match = walk(rng, min(number, 1500))
        number -= len(match.events)
        yield match


def main() -> None:
    """Walk, and say what was seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.session_machine", description=main.__doc__)
    parser.add_argument("--actions", type=int, default=100_000, help="accepted actions in all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    games, endings, refused, matches, total = Counter[str](), Counter[str](), Counter[str](), 0, 0
    for match in soak(options.actions, options.seed):
        matches += 1
        total += len(match.events)
        games[match.card.game] += len(match.events)
        endings[match.state.ending or "unfinished"] += 1
        refused += match.refused
    print(f"{total} actions in {matches} matches of {len(games)} games; endings {dict(endings)}")
    print(f"{sum(refused.values())} refusals by {len(refused)} rules: {dict(refused.most_common())}")


if __name__ == "__main__":
    main()
