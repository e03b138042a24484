"""The coach at the terminal: what it says in lines of text."""

from __future__ import annotations

from typing import NamedTuple

from sheshbesh.cli.terminal.console import progress_bars
from sheshbesh.cli.terminal.wording import name
from sheshbesh.cube.decision import CubeDecision
from sheshbesh.engines import Candidate
from sheshbesh.engines.explain.verdict import CubeVerdict, PlayVerdict
from sheshbesh.engines.explain.wording import grade_name, phrases
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.players import coach
from sheshbesh.players.coach import CubeHint, Outlook, PlayHint
from sheshbesh.rules import Play, Variant
from sheshbesh.session import Event, Session

_CUBE_WORDS = {
    "no_double": Text("no double"),
    "double": Text("double"),
    "take": Text("take"),
    "drop": Text("drop"),
    "beaver": Text("beaver"),
}


class Hint(NamedTuple):
    """A hint as lines to print; `plays` are those that the lines number, from 1 on."""

    lines: list[str]
    plays: tuple[Play, ...] = ()


class Said(NamedTuple):
    """A verdict as lines to print; `cost` is what is said of an error to whom may try again."""

    lines: list[str]
    cost: list[str]


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
        """Say what to do now, for the side that is to decide."""
        match self._coach.hint(state):
            case None:
                return Hint([Text("There is nothing to decide.")])
            case PlayHint() as hint:
                # Where a double is named, a number names it and picks nothing from a list.
                plays = () if hint.named else tuple(each.play for each in hint.candidates)
                return Hint(_play_lines(hint), plays)
            case CubeHint(decision):
                return Hint([_cube_text(decision)])
            case Outlook(side, outcome):
                return Hint(
                    [
                        Text(
                            "{who} wins {win:.1%} of the games from here; equity {equity}.",
                            who=name(side),
                            win=outcome.win,
                            equity=f"{outcome.equity:+.3f}",
                        )
                    ]
                )

    def verdict(self, before: Session, event: Event) -> Said:
        """Return what to say about a decision that has just been made; nothing where there was no choice."""
        match self._coach.verdict(before, event):
            case None:
                return Said([], [])
            case PlayVerdict() as verdict:
                return Said([verdict_text(verdict)], _cost(verdict))
            case CubeVerdict() as verdict:
                return Said([_cube_verdict_text(verdict)], [])


def _cost(verdict: PlayVerdict) -> list[str]:
    if verdict.grade in (None, "best", "fine"):
        return []
    loss = f"{-verdict.loss:.3f}"
    return [Text("Verdict: {grade}, {loss}.", grade=grade_name(verdict.grade), loss=loss)]


def verdict_text(verdict: PlayVerdict) -> Text:
    """A verdict in one sentence."""
    if verdict.grade == "best":
        return Text("Verdict: best ({equity}).", equity=f"{verdict.played.equity:+.3f}")
    values: dict[str, object] = {
        "grade": grade_name(verdict.grade),
        "loss": f"{-verdict.loss:.3f}",
        "best": verdict.best.play.notation,
    }
    why = phrases(verdict.reasons, verdict.loss)
    if why:
        return Text("Verdict: {grade}, {loss} against {best}, which {why}.", why=why, **values)
    return Text("Verdict: {grade}, {loss} against {best}.", **values)


def _cube_text(decision: CubeDecision) -> Text:
    """A cube decision in one sentence, with the equities it rests on."""
    values: dict[str, object] = {
        "no_double": f"{decision.no_double:+.3f}",
        "take": f"{decision.double_take:+.3f}",
        "drop": f"{decision.double_pass:+.3f}",
    }
    equities = Text("(no double {no_double}, double and take {take}, double and pass {drop}).", **values)
    if decision.redouble:
        words = {
            "no_double": Text("No redouble"),
            "double": Text("Redouble"),
            "too_good": Text("Too good to redouble"),
        }
        equities = Text(
            "(no redouble {no_double}, redouble and take {take}, redouble and pass {drop}).", **values
        )
    else:
        words = {
            "no_double": Text("No double"),
            "double": Text("Double"),
            "too_good": Text("Too good to double"),
        }
    answer = "beaver" if decision.beaver else "take" if decision.take else "drop"
    what = Text(
        "{action}, {answer}",
        action=words[decision.action],
        answer=Text("pass") if answer == "drop" else _CUBE_WORDS[answer],
    )
    return JoinedText(what, equities)


def _cube_verdict_text(verdict: CubeVerdict) -> Text:
    if verdict.grade == "best":
        return Text("Verdict: best, {what}.", what=_CUBE_WORDS[verdict.done])
    return Text(
        "Verdict: {grade}, {loss} against {best}.",
        grade=grade_name(verdict.grade),
        loss=f"{-verdict.loss:.3f}",
        best=_CUBE_WORDS[verdict.best],
    )


def _play_lines(hint: PlayHint) -> list[str]:
    best = hint.candidates[0]
    lines: list[str] = [
        _row(place, each, best, named=hint.named) for place, each in enumerate(hint.candidates, 1)
    ]
    if hint.of > len(hint.candidates):
        lines.append(Text("     and {n} more", n=hint.of - len(hint.candidates)))
    if hint.reasons and (why := phrases(hint.reasons, hint.lead)):
        lines.append(Text("{play} {why}.", play=best.play.notation, why=why))
    return lines


def _row(place: int, candidate: Candidate, best: Candidate, *, named: bool) -> str:
    """One line of a hint: the play, its equity and loss, what it wins and loses."""
    outcome = candidate.outcome
    loss = max(best.equity - candidate.equity, 0.0)
    behind = f"{-loss:+.3f}" if place > 1 else ""
    text = f"{candidate.play.dice}: {candidate.play.notation}" if named else candidate.play.notation
    shares = Text("wins {share}", share=_percent(outcome.win))
    if not outcome.table.counted:
        gammons = Text(
            "gammons {won} :{lost}",
            won=_percent(outcome.win_gammon),
            lost=_percent(outcome.lose_gammon),
        )
        shares = JoinedText(shares, gammons, separator="  ")
    number = f"{place:>3}" if not named else "  -"
    return JoinedText(f"{number}  {text:<24} {candidate.equity:+.3f} {behind:>6} ", shares)


def _percent(share: float) -> str:
    return f"{100 * share:4.1f}"
