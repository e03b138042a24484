"""The coach at the terminal: what it says in lines of text."""

from __future__ import annotations

from typing import NamedTuple

from sheshbesh.cli.commands.tables import progress_bars
from sheshbesh.engines import Candidate
from sheshbesh.engines.explain.verdict import CubeVerdict, PlayVerdict
from sheshbesh.engines.explain.wording import because
from sheshbesh.players import coach
from sheshbesh.players.coach import CubeHint, Outlook, PlayHint
from sheshbesh.rules import Play, Variant
from sheshbesh.session import Event, Session

_CUBE_WORDS = {"no_double": "no double", "double": "double", "take": "take", "drop": "drop"}


class Hint(NamedTuple):
    """A hint as lines to print; `plays` are those that the lines number, from 1 on."""

    lines: list[str]
    plays: tuple[Play, ...] = ()


class Coach:
    """A coach whose hints and verdicts are lines to print."""

    def __init__(self, behind: coach.Coach) -> None:
        self._coach = behind

    @classmethod
    def find(cls, game: Variant) -> Coach | None:
        """The coach for a game, if some net can play it."""
        with progress_bars() as bars:
            found = coach.Coach.find(game, progress=bars)
        return None if found is None else cls(found)

    def hint(self, state: Session) -> Hint:
        """What to do now, for the side that is to decide."""
        match self._coach.hint(state):
            case None:
                return Hint(["There is nothing to decide."])
            case PlayHint() as hint:
                # Where a double is named, a number names it and picks nothing from a list.
                plays = () if hint.named else tuple(each.play for each in hint.candidates)
                return Hint(_play_lines(hint), plays)
            case CubeHint(decision):
                text = str(decision)
                return Hint([f"{text[0].upper()}{text[1:]}."])
            case Outlook(side, outcome):
                who = side.value.capitalize()
                chances = f"{who} wins {outcome.win:.1%} of the games from here"
                return Hint([f"{chances}; equity {outcome.equity:+.3f}."])

    def verdict(self, before: Session, event: Event) -> list[str]:
        """What to say about a decision that has just been made; nothing where there was no choice."""
        match self._coach.verdict(before, event):
            case None:
                return []
            case PlayVerdict() as verdict:
                return [verdict_text(verdict)]
            case CubeVerdict() as verdict:
                return [_cube_verdict_text(verdict)]


def verdict_text(verdict: PlayVerdict) -> str:
    """A verdict in one sentence."""
    if verdict.grade == "best":
        return f"Verdict: best ({verdict.played.equity:+.3f})."
    why = because(verdict.reasons)
    which = f", which {why}" if why else ""
    return f"Verdict: {verdict.grade}, {-verdict.loss:.3f} against {verdict.best.play.notation}{which}."


def _cube_verdict_text(verdict: CubeVerdict) -> str:
    if verdict.grade == "best":
        return f"Verdict: best, {_CUBE_WORDS[verdict.done]}."
    return f"Verdict: {verdict.grade}, {-verdict.loss:.3f} against {_CUBE_WORDS[verdict.best]}."


def _play_lines(hint: PlayHint) -> list[str]:
    best = hint.candidates[0]
    lines = [_row(place, each, best, named=hint.named) for place, each in enumerate(hint.candidates, 1)]
    if hint.of > len(hint.candidates):
        lines.append(f"     and {hint.of - len(hint.candidates)} more")
    if hint.reasons and (why := because(hint.reasons)):
        lines.append(f"{best.play.notation} {why}.")
    return lines


def _row(place: int, candidate: Candidate, best: Candidate, *, named: bool) -> str:
    """One line of a hint: the play, its equity and loss, what it wins and loses."""
    outcome = candidate.outcome
    loss = max(best.equity - candidate.equity, 0.0)
    behind = f"{-loss:+.3f}" if place > 1 else ""
    text = f"{candidate.play.dice}: {candidate.play.notation}" if named else candidate.play.notation
    shares = f"wins {_percent(outcome.win)}"
    if not outcome.table.counted:
        shares += f"  gammons {_percent(outcome.win_gammon)} :{_percent(outcome.lose_gammon)}"
    number = f"{place:>3}" if not named else "  -"
    return f"{number}  {text:<24} {candidate.equity:+.3f} {behind:>6}  {shares}"


def _percent(share: float) -> str:
    return f"{100 * share:4.1f}"
