"""The question of a card, and the text about an answer."""

from __future__ import annotations

from sheshbesh.i18n import JoinedText, Text
from sheshbesh.practice.cards import Answer, PracticeCard

_SIDES = {"white": Text("White"), "black": Text("Black")}
_ACTIONS = {
    "double": Text("double"),
    "no_double": Text("no double"),
    "take": Text("take"),
    "drop": Text("drop"),
    "beaver": Text("beaver"),
}


def question_text(card: PracticeCard) -> Text:
    """Return what the card asks."""
    side = _SIDES[card.side.value]
    if card.question == "double":
        return Text("{side} is to roll: double or roll?", side=side)
    if card.question == "take":
        return Text(
            "{other} has doubled: does {side} take or drop?", other=_SIDES[card.side.other.value], side=side
        )
    dice = card.judged.dice
    if dice is None:
        return Text("{side} plays what is owed.", side=side)
    # Numbers among the values, so that they get the reader's digits.
    thrown = Text("{first}-{second}", first=dice[0], second=dice[1])
    return Text("{side} has thrown {dice}: which play?", side=side, dice=thrown)


def answer_text(card: PracticeCard, answer: Answer) -> Text:
    """Say whether an answer is right, what it costs, and what is best."""
    best = card.judged.best
    values: dict[str, object] = {"answer": answer.text, "best": best, "loss": answer.loss}
    if card.question != "play":
        values["best"] = _ACTIONS.get(best, best)
        values["answer"] = _ACTIONS.get(answer.text, answer.text)
    if answer.right and answer.loss == 0:
        return Text("Right: {answer} is the best.", **values)
    if answer.right:
        return Text("Right: {answer} costs only {loss:.3f}; the best is {best}.", **values)
    return Text("Wrong: {answer} costs {loss:.3f}; the best is {best}.", **values)


def explanation(card: PracticeCard, lang: str) -> str:
    """Return what was played then, and why the best is better."""
    return card.judged.say(lang)


def source_text(card: PracticeCard) -> Text:
    """Return where the card comes from."""
    white, black = card.players
    title = Text(card.rules.title)
    game = Text("game {n}", n=card.judged.game)
    if white or black:
        players = Text(
            "{white} against {black}", white=white or _SIDES["white"], black=black or _SIDES["black"]
        )
        return JoinedText(title, players, game, separator=", ")
    return JoinedText(title, game, separator=", ")


def candidate_lines(card: PracticeCard) -> list[str]:
    """The plays that were looked at, best first, with their equities; or the equities of the cube."""
    decision = card.judged.decision
    if decision.cube is not None:
        cube = decision.cube
        rows = (
            (Text("no double"), cube.no_double),
            (Text("double, take"), cube.double_take),
            (Text("double, drop"), cube.double_drop),
        )
        return [JoinedText(f"  {equity:+.3f}", name, separator="  ") for name, equity in rows]
    best = max(each.equity for each in decision.candidates)
    return [f"  {each.equity:+.3f}  {each.equity - best:+.3f}  {each.play}" for each in decision.candidates]
