"""Writing backgammon in the Smart Game Format, with the analysis in gnubg's properties."""

from __future__ import annotations

import re

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.formats.plain_board import obstacles
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.records import model
from sheshbesh.records.board import counts, follows_hole, steps_of_event, steps_of_text
from sheshbesh.records.decision import Candidate, Chances, CubeEquities, Decision
from sheshbesh.records.stake import chances_at
from sheshbesh.records.statistics import BAD, DOUBTFUL, LUCKY, VERY_BAD, VERY_LUCKY, cube_loss
from sheshbesh.rules import Side, variant

PROGRAM = "Sheshbesh"
_LETTER = {Side.WHITE: "W", Side.BLACK: "B"}
_RULES = {"backgammon": "", "nackgammon": "Nackgammon", "hypergammon": "Hypergammon3"}
_TAGS = {
    "EventDate": "DT",
    "Event": "EV",
    "Round": "RO",
    "Site": "PC",
    "Transcriber": "AN",
    "White rating": "WR",
    "Black rating": "BR",
    "Comment": "GC",
    "Opening": "ON",
    "Copyright": "CP",
}
_NOTHING: Chances = (0.0, 0.0, 0.0, 0.0, 0.0)
_CUBE_SETTINGS, _PLAY_SETTINGS = "1 0.000000 1", "0 1 0.000000 1"


def format_sgf(match: model.Match) -> str:
    """The match as game trees; RecordError for a game that such a file cannot hold."""
    rules = variant(match.variant)
    found = obstacles(rules)
    if found or match.variant not in _RULES:
        reason = JoinedText(*found, separator="; ") or Text("readers would take it for backgammon")
        raise RecordError(
            Text(
                "an .sgf file cannot hold {variant}: {why}; write json or a record instead",
                variant=match.variant,
                why=reason,
            )
        )
    return "\n".join(_Tree(match, game).text() for game in match.games) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _taken_back(event: model.PlayEvent) -> str:
    """The comment on a play that was made first; "" where there was none."""
    return "" if event.tried is None else f"C[{_escaped(f'{event.tried} was taken back')}]"


class _Tree:
    """One game as a tree."""

    def __init__(self, match: model.Match, game: model.RecordedGame) -> None:
        self.match, self.game = match, game
        self.cube = 1
        self.by_event: dict[int, list[Decision]] = {}
        for decision in match.analysis:
            if decision.game == game.number:
                self.by_event.setdefault(decision.event, []).append(decision)

    def text(self) -> str:
        """The tree."""
        nodes, rolls = [self._root()], 0
        for index, event in enumerate(self.game.events):
            node = self._node(event, self.by_event.get(index, []))
            rolls += isinstance(event, model.PlayEvent)
            if follows_hole(self.game.events, index):
                # Rolls are missing before this one, or before the end.
                rolls += 1
                node = f"{node or ';'}MN[{rolls}]"
            if node:
                nodes.append(node)
        return "(" + "\n".join(nodes) + ")"

    def _root(self) -> str:
        match, game = self.match, self.game
        head = f";FF[4]GM[6]CA[UTF-8]AP[{_escaped(match.analysed_by or PROGRAM)}]"
        head += f"MI[length:{match.length or 0}][game:{game.number - 1}][ws:{game.white}][bs:{game.black}]"
        head += f"PW[{_escaped(match.players['white'])}]PB[{_escaped(match.players['black'])}]"
        for tag, name in _TAGS.items():
            if value := match.tags.get(tag):
                head += f"{name}[{_escaped(value.replace('.', '-') if name == 'DT' else value)}]"
        if rules := self._rules():
            head += f"RU[{rules}]"
        if match.beavers:
            # No property of the format has a place for it; readers skip what they do not know.
            head += "XB[beavers]"
        result = game.result
        if result is not None and result.winner is not None:
            resigned = any(isinstance(event, model.ResignEvent) for event in game.events)
            head += f"RE[{_LETTER[result.winner]}+{result.points}{'R' if resigned else ''}]"
        return head

    def _rules(self) -> str:
        match, words = self.match, []
        if rule := _RULES[match.variant]:
            words.append(rule)
        if match.length is None:
            words += ["Jacoby"] if match.jacoby else []
        elif match.crawford_rule:
            words.append("Crawford:CrawfordGame" if self.game.crawford else "Crawford")
        return ":".join(words)

    def _node(self, event: model.Event, decisions: list[Decision]) -> str:
        match event:
            case model.PlayEvent():
                return self._play(event, decisions)
            case model.DoubleEvent() | model.BeaverEvent():
                # As gnubg writes it: but in a match there is no beaver, so a second double says otherwise.
                beavers = isinstance(event, model.BeaverEvent) and self.match.length is not None
                word = "beaver" if beavers else "double"
                return self._cube_node(event.side, word, event.side, decisions)
            case model.TakeEvent():
                text = self._cube_node(event.side, "take", event.side.other, decisions)
                self.cube = event.cube
                return text
            case model.DropEvent():
                return self._cube_node(event.side, "drop", event.side.other, decisions)
            case model.SetPositionEvent():
                return _setup(event)
            case model.CommentEvent():
                return f";C[{_escaped(event.text)}]"
            case _:
                return ""

    def _cube_node(self, side: Side, word: str, doubler: Side, decisions: list[Decision]) -> str:
        return f";{_LETTER[side]}[{word}]{self._cubes(doubler, decisions)}{_cube_mark(decisions)}"

    def _play(self, event: model.PlayEvent, decisions: list[Decision]) -> str:
        dice = f"{event.dice[0]}{event.dice[1]}"
        letter = _LETTER[event.side]
        if event.play is None:
            return f";PL[{letter}]DI[{dice}]{_taken_back(event)}"
        steps = tuple((origin, target) for origin, target, _ in steps_of_event(event))
        text = f";{letter}[{dice}{_letters(steps, event.side)}]{self._cubes(event.side, decisions)}"
        for decision in decisions:
            if decision.kind == "play":
                text += self._weighed(event, decision)
                if decision.luck is not None:
                    text += f"LU[{decision.luck:.5f}]{_lucky(event.side, decision.luck)}"
                text += _mark(decision.play_loss)
        return text + _taken_back(event)

    def _weighed(self, event: model.PlayEvent, decision: Decision) -> str:
        if decision.played is None or not decision.candidates:
            return ""
        try:
            listed = "".join(f"[{_candidate(event, each)}]" for each in decision.candidates)
        except SheshbeshError:
            # A candidate that no checker can make came with the file; the list is nothing without it.
            return ""
        return f"A[{decision.played}]{listed}"

    def _cubes(self, doubler: Side, decisions: list[Decision]) -> str:
        cube = next((each.cube for each in decisions if each.cube is not None), None)
        if cube is None:
            return ""
        if cube.depth.startswith("R "):
            return f"DA[{cube.depth}]"
        plies = _plies(cube.depth, _CUBE_SETTINGS)
        rows = " ".join(self._row(cube, doubler, take=take) for take in (False, True))
        return f"DA[E ver 3 {plies} {rows}]"

    def _row(self, cube: CubeEquities, doubler: Side, *, take: bool) -> str:
        chances = (cube.chances_take if take else cube.chances) or _NOTHING
        cubeless = (cube.cubeless_take if take else cube.cubeless) or 0.0
        equity = cube.double_take if take else cube.no_double
        ends = chances_at(
            self.match.length,
            self.game.white,
            self.game.black,
            doubler,
            self.cube,
            crawford=self.game.crawford,
            crawford_rule=self.match.crawford_rule,
        )
        if ends is not None:
            equity = (equity * (ends[0] - ends[1]) + ends[0] + ends[1]) / 2
        return " ".join(f"{number:.6f}" for number in (*chances, cubeless, equity))


def _candidate(event: model.PlayEvent, candidate: Candidate) -> str:
    try:
        play = event.before.parse_play(candidate.play, event.dice)
        steps = tuple((min(step.origin, 25), step.target) for step in play.steps)
    except SheshbeshError:
        steps = steps_of_text(candidate.play)
    letters = _letters(steps, event.side)
    if candidate.depth.startswith(("R ", "X ")):
        return f"{letters} {candidate.depth}"
    numbers = " ".join(f"{number:.6f}" for number in (*(candidate.chances or _NOTHING), candidate.equity))
    return f"{letters} E ver 3 {numbers} {_plies(candidate.depth, _PLAY_SETTINGS)}"


def _plies(depth: str, settings: str) -> str:
    """The depth in gnubg's words: its own as they were, XG's n-ply as n - 1."""
    if depth.startswith("E "):
        return depth[2:]
    match = re.match(r"(\d)-ply", depth)
    return f"{max(int(match[1]) - 1, 0) if match else 2}C {settings}"


def _letters(steps: tuple[tuple[int, int], ...], side: Side) -> str:
    return "".join(_point(origin, side) + _point(target, side) for origin, target in steps)


def _point(point: int, side: Side) -> str:
    if point >= 25:
        return "y"
    if point <= 0:
        return "z"
    return chr(ord("a") + (point if side is Side.WHITE else 25 - point) - 1)


def _lucky(side: Side, luck: float) -> str:
    """gnubg's marks of a roll: good for White or for Black."""
    size = abs(luck)
    if size <= LUCKY:
        return ""
    good = side if luck > 0 else side.other
    return f"G{_LETTER[good]}[{2 if size > VERY_LUCKY else 1}]"


def _mark(loss: float | None) -> str:
    """gnubg's marks of an error: doubtful, bad, very bad."""
    if loss is None or loss <= DOUBTFUL:
        return ""
    return "DO[]" if loss <= BAD else "BM[1]" if loss <= VERY_BAD else "BM[2]"


def _cube_mark(decisions: list[Decision]) -> str:
    losses = [cube_loss(each.kind, each.cube) for each in decisions if each.cube is not None]
    return _mark(max(losses, default=None))


def _setup(event: model.SetPositionEvent) -> str:
    """The whole board, one letter for each checker."""
    board, text = counts(event.after), ";AE[a:y]"
    for side, name in ((Side.WHITE, "AW"), (Side.BLACK, "AB")):
        letters = [_point(place + 1, side) for place, count in enumerate(board[side]) for _ in range(count)]
        if letters:
            text += name + "".join(f"[{letter}]" for letter in letters)
    text += f"PL[{_LETTER[event.side]}]"
    _, cube, owner, *_ = event.position.split(":")
    if (cube, owner) == ("0", "0"):
        return text
    return f"{text}CV[{2 ** int(cube)}]CO[{ {'1': 'w', '-1': 'b'}.get(owner, 'c') }]"
