"""The line protocol as a state machine: a line in, an effect out. No input, no output, no threads.

Follows the public drafts of the Universal Backgammon Interface (UBGI): Øystein Schønning-Johansen's
draft 0.01 and draft 0.1 of the project bgci. What we add, for the other games and for
analysis, is described in docs/dev/engine-protocol.md.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from sheshbesh import __version__
from sheshbesh.engines.strength import levels
from sheshbesh.errors import DiceError, NotationError, ProtocolError, SheshbeshError
from sheshbesh.match.state import HIGHEST_CUBE, MatchState
from sheshbesh.rules import Position, Roll, Variant, variant
from sheshbesh.rules.lookup import find_game
from sheshbesh.ubgi import options, requests, work
from sheshbesh.ubgi.answers import UnknownCommandError, UnsupportedError, error_line
from sheshbesh.ubgi.effects import Effect, Quit, Ready, Reply, Stop
from sheshbesh.ubgi.state import DialogueState, seat
from sheshbesh.ubgi.work import Limits, Query

if TYPE_CHECKING:
    from sheshbesh.players.opponent import PlayingEngine

EngineMaker = Callable[[Variant], "PlayingEngine"]
"""Makes the engine of a game."""

_KEPT = 12
"""Rule sets whose engines are kept ready; those asked for least recently are forgotten first."""
_LONGEST = 4096
_ROLES = ("chequer", "checker", "cube", "turn")
_OF_MATCH = ("MatchLength", "Crawford", "Jacoby", "Beavers")


class Dialogue:
    """One conversation. `feed` never raises for what a line says: it answers with an `error` line."""

    def __init__(self, make: EngineMaker) -> None:
        self._make = make
        self.engines: OrderedDict[str, PlayingEngine] = OrderedDict()
        """The engines in use, the newest last."""
        self._requests = requests.Requests()
        self._options = dict(options.DEFAULTS)
        self._state = DialogueState(variant(self._options["Variant"]))

    @property
    def position(self) -> Position | None:
        """The position questions are about now."""
        return self._state.position

    @property
    def match(self) -> MatchState | None:
        """The score and the rules of the match that is played; None where none was named."""
        return self._state.match

    def feed(self, line: str) -> Effect:
        """Return what a line leads to; an empty one to nothing."""
        words = line.split()
        if not words:
            return Reply()
        command, rest = words[0], words[1:]
        try:
            if command == "ask" and len(line) <= requests.LONGEST:
                return self._requests.work(line.partition("ask")[2])
            if len(line) > _LONGEST:
                raise ProtocolError(f"a line has at most {_LONGEST} characters, not {len(line)}")
            if command not in _COMMANDS:
                raise UnknownCommandError(f"{command[:40]!r}; commands: {', '.join(_COMMANDS)}")
            return _COMMANDS[command](self, rest)
        except Exception as error:  # no line may end the conversation
            return Reply((error_line(error, command if command in _COMMANDS else ""),))

    # The handshake

    def _ubgi(self, rest: list[str]) -> Effect:
        _nothing(rest)
        return Reply(
            (
                f"id name Sheshbesh {__version__}",
                "id author the Sheshbesh authors",
                f"id version {__version__}",
                *(option.line for option in options.OPTIONS),
                "ubgiok",
            )
        )

    def _isready(self, rest: list[str]) -> Effect:
        _nothing(rest)
        return Ready()

    def _stop(self, rest: list[str]) -> Effect:
        _nothing(rest)
        return Stop()

    def _quit(self, _: list[str]) -> Effect:
        return Quit()

    # Options

    def _setoption(self, rest: list[str]) -> Effect:
        if rest[:1] != ["name"] or "value" not in rest:
            raise ProtocolError("expected: setoption name NAME value VALUE")
        split = rest.index("value")
        self._set(" ".join(rest[1:split]), " ".join(rest[split + 1 :]))
        return Reply()

    def _set(self, name: str, text: str) -> None:
        option = options.find(name)
        value = option.read(text)
        if option.name == "Variant":
            self._change_game(variant(value))
        before, self._options = self._options, self._options | {option.name: value}
        if option.name in _OF_MATCH:
            try:
                self._state = self._changed(option.name)
            except SheshbeshError:
                self._options = before
                raise

    def _changed(self, name: str) -> DialogueState:
        """The score and the cube with what one option names; a position may have brought another match."""
        match, length = self._state.match, int(self._options["MatchLength"]) or None
        if match is None:
            return self._agreed()
        if name == "MatchLength":
            # From money to a match or back other rules come into force: those of the options.
            return self._with(length=length) if match.is_money == (length is None) else self._agreed()
        is_on = self._options[name] == "true"
        if name == "Crawford":
            return self._state.with_match(crawford=is_on)
        return self._with(**{name.lower(): is_on})

    def _with(self, **changes: object) -> DialogueState:
        """The state with another score or cube; the Crawford game as the option or a position said it."""
        known = self._state.match is not None and self._state.match.crawford
        return self._state.with_match(crawford=known or self._options["Crawford"] == "true", **changes)

    def _agreed(self) -> DialogueState:
        """The score and the cube with the length and the rules of the options."""
        return self._with(
            length=int(self._options["MatchLength"]) or None,
            jacoby=self._options["Jacoby"] == "true",
            beavers=self._options["Beavers"] == "true",
        )

    def _variant(self, rest: list[str]) -> Effect:
        if not rest:
            raise ProtocolError("expected: variant NAME [KEY=VALUE ...]")
        if any("=" not in word for word in rest[1:]):
            raise ProtocolError(f"an option of a game is written KEY=VALUE, not {' '.join(rest[1:])!r}")
        self._change_game(find_game(rest[0], rest[1:]))
        return Reply()

    def _change_game(self, game: Variant) -> None:
        """Another game, without a position yet; the score stays, and whose turn was set."""
        self._options["Variant"] = game.name
        self._state = DialogueState(game, turn=self._state.turn, match=self._state.match)

    # The table

    def _newgame(self, rest: list[str]) -> Effect:
        _nothing(rest)
        self._state = self._state.fresh()
        return Reply()

    def _newsession(self, rest: list[str]) -> Effect:
        """The draft's way to say for what is played; a session begins at 0-0."""
        given = _pairs(rest, ("type", "length", "jacoby", "crawford", "beavers"))
        if given.get("type") not in ("money", "match"):
            raise ProtocolError("expected: newsession type money|match [length N] [jacoby on|off] ...")
        is_match = given["type"] == "match"
        length = _number("length", given["length"], 1, 99) if "length" in given else 0
        if is_match != (length > 0):
            raise ProtocolError("a match has a length and money play has none")
        changes = {"MatchLength": str(length)}
        for key in ("jacoby", "crawford", "beavers"):
            if key in given:
                changes[key.capitalize()] = _switch(key, given[key])
        self._options |= {"Crawford": "false"} | changes
        self._state = replace(self._state, match=None)
        self._state = self._agreed()
        return Reply()

    def _setscore(self, rest: list[str]) -> Effect:
        if len(rest) != 2:
            raise ProtocolError("expected: setscore P0 P1, points won by White and by Black")
        white, black = (_number("a score", text, 0, 999) for text in rest)
        self._state = self._with(white=white, black=black)
        return Reply()

    def _setcube(self, rest: list[str]) -> Effect:
        given = _pairs(rest, ("value", "owner"))
        if "value" not in given:
            raise ProtocolError("expected: setcube value N [owner center|p0|p1]")
        owner = given.get("owner", "center")
        value = _number("the cube", given["value"], 1, HIGHEST_CUBE)
        self._state = self._with(cube=value, owner=None if owner in ("center", "centre") else seat(owner))
        return Reply()

    def _setturn(self, rest: list[str]) -> Effect:
        if len(rest) != 1:
            raise ProtocolError("expected: setturn p0|p1, before position gnubgid, position start or newgame")
        self._state = replace(self._state, turn=seat(rest[0]))
        return Reply()

    def _position(self, rest: list[str]) -> Effect:
        if not rest or (len(rest) < 2) != (rest[0] in ("start", "startpos")):
            raise ProtocolError("expected: position start | id ID | gnubgid ID | xgid ID | ogid ID")
        kind = "start" if rest[0] == "startpos" else rest[0]
        self._state = self._state.read_position(kind, " ".join(rest[1:]))
        return Reply()

    def _dice(self, rest: list[str]) -> Effect:
        text = " ".join(rest)
        try:
            dice = None if text == "none" else Roll.parse(text)
        except DiceError:
            raise ProtocolError(
                f"expected: dice D1 D2, each 1 to 6, or dice none, not {text[:40]!r}"
            ) from None
        self._state = replace(self._state, dice=dice)
        return Reply()

    def _play(self, rest: list[str]) -> Effect:
        """Make a play on the table, so that a game need not be sent anew after every turn."""
        position = self._state.required_position()
        asked = self._query()
        asked.dice()
        if position.result is not None:
            raise NotationError(f"the game is over in this position: {position.result}")
        made = asked.play(" ".join(rest))
        self._state = self._state.at(made.result)
        return Reply((f"position id {made.result.id}",))

    def _show(self, rest: list[str]) -> Effect:
        """The board, for people."""
        _nothing(rest)
        position = self._state.required_position()
        dice = "" if self._state.dice is None else f", dice {self._state.dice}"
        lines = [*str(position).splitlines(), f"{position.turn.value} on roll{dice}", f"id {position.id}"]
        return Reply(tuple(f"info string {line}".rstrip() for line in lines))

    # Questions

    def _go(self, rest: list[str]) -> Effect:
        if rest[:1] and rest[0] in _ROLES:
            rest = ["role", *rest]
        given = _pairs(rest, ("role", "depth", "movetime", "nodes", "trials"))
        for key in ("nodes", "trials"):
            if key in given:
                raise UnsupportedError(f"{key}: say depth or movetime")
        milliseconds = given.get("movetime")
        limits = Limits(
            plies=self._plies if "depth" not in given else _number("depth", given["depth"], 0, 3),
            milliseconds=None if milliseconds is None else _number("movetime", milliseconds, 1, 10**9),
        )
        asked = self._query(limits)
        table = self._state
        usual = "cube" if table.dice is None and table.required_position().pending is None else "chequer"
        role = given.get("role", usual)
        if role not in _ROLES:
            raise ProtocolError(f"a role is chequer, cube or turn, not {role!r}")
        if role == "cube":
            return work.cube_action(asked)
        if role == "turn":
            return work.turn(asked, may_double=self._options["Cube"] == "true")
        return work.move(asked)

    def _ask(self, _: list[str]) -> Effect:
        raise ProtocolError(f"a request has at most {requests.LONGEST} characters")

    def _rank(self, rest: list[str]) -> Effect:
        count = _number("rank", rest[0], 1, 100_000) if rest else 5
        _nothing(rest[1:])
        return work.rank(self._query(), count)

    def _judge(self, rest: list[str]) -> Effect:
        return work.judge(self._query(), " ".join(rest))

    def _eval(self, rest: list[str]) -> Effect:
        _nothing(rest)
        return work.evaluation(self._query())

    def _cube(self, rest: list[str]) -> Effect:
        _nothing(rest)
        return work.cube(self._query())

    def _rollout(self, rest: list[str]) -> Effect:
        given = _pairs(rest, ("trials",))
        trials = _number("trials", given.get("trials", self._options["Trials"]), 36, 10_000_000)
        seed, threads = int(self._options["Seed"]), int(self._options["Threads"])
        return work.rollout(self._query(), trials, seed, threads)

    # The engine

    @property
    def _plies(self) -> int:
        return int(self._options["Plies"])

    def _query(self, limits: Limits | None = None) -> Query:
        """The question with all it depends on, as it is now."""
        self._state.required_position()
        level = None if self._options["Level"] == options.NO_LEVEL else self._options["Level"]
        game, seed = self._state.game, int(self._options["Seed"])

        def engine() -> PlayingEngine:
            # Called only by the running work, of which there is one at a time.
            found = self._engine(game)
            return found if level is None else found.at_level(levels.find(level), seed)

        return Query(self._state, engine, limits or Limits(plies=self._plies), level is not None)

    def _engine(self, game: Variant) -> PlayingEngine:
        key = f"{game.name} {game.fingerprint}"  # ids of positions contain the name of the game
        if key not in self.engines:
            self.engines[key] = self._make(game)
        self.engines.move_to_end(key)
        if len(self.engines) > _KEPT:
            self.engines.popitem(last=False)
        return self.engines[key]


def _nothing(rest: list[str]) -> None:
    if rest:
        raise ProtocolError(f"nothing was expected after the command: {' '.join(rest)[:60]!r}")


def _pairs(words: list[str], known: tuple[str, ...]) -> dict[str, str]:
    """Words in pairs, KEY VALUE KEY VALUE."""
    keys = words[::2]
    if len(words) % 2 or any(key not in known for key in keys) or len(set(keys)) < len(keys):
        raise ProtocolError(f"expected {' '.join(f'[{key} ...]' for key in known)}: {' '.join(words)[:60]!r}")
    return dict(zip(keys, words[1::2], strict=True))


def _number(what: str, text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and low <= int(text) <= high):
        raise ProtocolError(f"{what} is a whole number {low} to {high}, not {text[:40]!r}")
    return int(text)


def _switch(what: str, text: str) -> str:
    if text not in ("on", "off"):
        raise ProtocolError(f"{what} is on or off, not {text[:40]!r}")
    return "true" if text == "on" else "false"


_COMMANDS: Mapping[str, Callable[[Dialogue, list[str]], Effect]] = MappingProxyType(
    {
        "ubgi": Dialogue._ubgi,
        "isready": Dialogue._isready,
        "setoption": Dialogue._setoption,
        "variant": Dialogue._variant,
        "newgame": Dialogue._newgame,
        "newsession": Dialogue._newsession,
        "setscore": Dialogue._setscore,
        "setcube": Dialogue._setcube,
        "setturn": Dialogue._setturn,
        "position": Dialogue._position,
        "dice": Dialogue._dice,
        "play": Dialogue._play,
        "show": Dialogue._show,
        "go": Dialogue._go,
        "rank": Dialogue._rank,
        "judge": Dialogue._judge,
        "eval": Dialogue._eval,
        "cube": Dialogue._cube,
        "rollout": Dialogue._rollout,
        "ask": Dialogue._ask,
        "stop": Dialogue._stop,
        "quit": Dialogue._quit,
    }
)
