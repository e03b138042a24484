"""The screen of a match, and the commands that work at every prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sheshbesh.cli.terminal import score_text, wording
from sheshbesh.cli.terminal.console import Console, LeaveError, Line
from sheshbesh.i18n import JoinedText, PluralText, Text, translate
from sheshbesh.match.card import Card
from sheshbesh.rules import Play, Position, Roll, Side, Step
from sheshbesh.rules.drawing import NARROW_WIDTH, SIGNS, WIDTH, Picture
from sheshbesh.session import Session

if TYPE_CHECKING:
    from sheshbesh.cli.terminal.coach import Coach

_STYLES = {r"\bO\b|\d+O\b": "bold", r"\bX\b|\d+X\b": "bold red", r"\[[ox]\]": "reverse"}

HELP = (
    Text("Your play, in your own numbers:"),
    Text("  8/5 6/5      two steps; bar/22, hand/20 and 6/off enter and bear off"),
    Text("  13/7(2)      the same twice; 24/18/14 names the point on the way; pass"),
    Text("  8/5          a single step is kept, and you go on from there"),
    Text("  l            the legal plays (or next steps), numbered; again l: more of them"),
    Text("  4            the play with this number in the list shown last, a hint's too"),
    Text("  u            take back the last step; u all takes back every step"),
    Text("  Enter, done  confirm the play when it is complete"),
    Text("The stake, when the rules of your table allow it:"),
    Text("  double       before your throw; take (t), drop (pass) or beaver answers it"),
    Text("  resign       give the game up; resign gammon for a higher loss"),
    Text("  accept       agree to an offer; refuse declines it or takes your own back"),
    Text("  draw, settle 2, settle -1      propose an end, where the card allows it"),
    Text("  pause        propose to stop the clocks; break takes one between games"),
    Text("At any time:"),
    Text("  ?  these lines, your table and its rules     p   pip counts"),
    Text("  b  the board again                           s   the score sheet"),
    Text("  q  leave; the match can be resumed           id  the id of the position"),
    Text("  hint  what the engine would do, where it is at the table"),
)


class Screen:
    """The view of a match: draws the board, serves the common commands, asks the players."""

    def __init__(self, console: Console, card: Card, *, names: dict[Side, str], viewer: Side) -> None:
        self.console = console
        self.card = card
        self.variant = card.rules
        self.names = names
        self.viewer = viewer
        self.position: Position | None = None
        self.dice: Roll | None = None
        self.picture: Picture | None = None
        self.time_left: Callable[[], float | None] = lambda: None
        self.note: Callable[[Side], str] = lambda _: ""
        self.who: Callable[[Side], str] = wording.name
        self.coach: Coach | None = None
        self.help: tuple[str, ...] = HELP
        self.listed: Sequence[Play] | Sequence[Step] = ()
        """The plays behind the numbers of the list shown last; empty where none is shown."""
        self._state: Session | None = None
        self._drawn: tuple[Position | None, str] | None = None
        self._last_report: list[str] = []
        self._last_mover: Side | None = None
        self._too_narrow = 0

    def say(self, text: str = "", *, indent: str = "  ") -> None:
        """Print a paragraph."""
        self.console.say(text, indent=indent)

    def see(self, state: Session, viewer: Side) -> None:
        """Note what lies on the table now, provisional steps included, and from where it is seen."""
        self._state = state
        self.position, self.dice, self.viewer = state.position, state.dice, viewer
        self.picture = None if state.position is None else Picture.of(state.position)
        if self.picture is not None and state.turn is not None:
            self.picture = self.picture.after(state.turn.position.turn, state.turn.done)

    def report(self, mover: Side, *sentences: str) -> None:
        """Print what a side has done, and keep it for the other side's later looks at the board."""
        if mover is not self._last_mover:
            self._last_report = []
        self._last_mover = mover
        self._last_report += sentences
        self.say()
        for sentence in sentences:
            self.say(sentence)

    @property
    def is_fresh(self) -> bool:
        """True if no side has moved yet in this game."""
        return self._last_mover is None

    def clear_report(self) -> None:
        """Forget what was done: a game is over."""
        self._last_report, self._last_mover = [], None

    def draw_again(self) -> None:
        """Draw the board with what the other side did before."""
        self.say()
        if self._last_mover is self.viewer.other:
            for sentence in self._last_report:
                self.say(sentence)
        elif self.position is not None and self.position.pending is not None:
            self.say(wording.pending_text(self.position.pending, who=self.who))
        self.draw()

    def headline(self) -> str:
        """Return what stands over the board."""
        return "" if self._state is None else score_text.headline(self._state)

    def score_sheet(self) -> Iterable[str]:
        """The lines of the score sheet."""
        return () if self._state is None else score_text.score_sheet(self._state)

    def draw(self, *, final: bool = False) -> None:
        """Draw the board, with the provisional steps, from the viewer's side, and the score over it.

        Over a `final` board there is no score: the game has just changed it.
        """
        if self.picture is None or self._state is None:
            return
        self._note_width()
        rows = self.picture.lines(self.viewer, narrow=self.console.columns < WIDTH)
        lines = [*self._tray(self.picture, self.viewer.other), *rows, *self._tray(self.picture, self.viewer)]
        headline = "" if final else self.headline()
        lines = [*self.console.wrapped(headline), *lines] if headline else lines
        self.console.show(lines, styles=_STYLES)
        self._drawn = (self.position, headline)

    def _note_width(self) -> None:
        """Say, once for each width, that the window is too narrow for any board."""
        columns = self.console.columns
        if columns < NARROW_WIDTH and columns != self._too_narrow:
            self.say(
                PluralText(
                    "This window has {n} column and the board needs {needed}: make it wider.",
                    "This window has {n} columns and the board needs {needed}: make it wider.",
                    columns,
                    needed=NARROW_WIDTH,
                )
            )
        self._too_narrow = columns

    def _tray(self, picture: Picture, side: Side) -> list[str]:
        parts = (picture.tray(side), self._player(side), self.note(side))
        line = JoinedText(*parts, separator="   ")
        return [line] if len(line) < self.console.width else self.console.wrapped(JoinedText(*parts))

    def _player(self, side: Side) -> str:
        """Return how the player of a side is called; empty where two share the keyboard."""
        return wording.player_text(self.names[side])

    @property
    def is_drawn(self) -> bool:
        """True if the last board drawn, with its score, is the one on the table."""
        if self._drawn is None or self._state is None:
            return False
        position, headline = self._drawn
        return position is self.position and headline == self.headline()

    def ask(self, prompt: str, *, own: Iterable[str] = ()) -> str:
        """Return what the player types, after serving every command that always works but the prompt's `own`.

        TimeUpError if the running clock runs out first.
        """
        while True:
            text = self.console.ask(prompt, seconds=self.time_left())
            word = text.casefold()
            if word in own or not self._serve(word):
                return text

    def _serve(self, word: str) -> bool:
        if word in ("?", "help", "rules"):
            self._help()
        elif word in ("q", "quit", "exit"):
            if self.confirms(Text("Leave the game?")):
                raise LeaveError
        elif word in ("b", "board"):
            self.draw_again()
        elif word in ("p", "pips") and self.picture is not None:
            white, black = (self.picture.pips(side) for side in (Side.WHITE, Side.BLACK))
            self.say(Text("Pips to go: White {white}, Black {black}.", white=white, black=black))
        elif word in ("s", "score") and self._state is not None:
            self.console.show(self.score_sheet())
        elif word == "hint":
            self._hint()
        elif word == "id" and self.position is not None:
            self.say(Text("Position: {id}", id=self.position.id))
        else:
            return False
        return True

    def _hint(self) -> None:
        if self.coach is None or self._state is None:
            self.say(Text("There are no hints here: they come from the engine, in games against it."))
            return
        hint = self.coach.hint(self._state)
        self.listed = hint.plays
        for line in hint.lines:
            self.say(line, indent="     ")

    def ask_die(self, prompt: str) -> int:
        """One die of a real board."""
        while True:
            text = self.ask(prompt)
            if text in ("1", "2", "3", "4", "5", "6"):
                return int(text)
            self.say(Text("Type one number 1 to 6; ? for help, q to leave."))

    def confirms(self, question: str) -> bool:
        """Return True if the answer is yes; ask again until it is yes or no, while the clock runs on."""
        while True:
            prompt = Text("{question} (y or n) ", question=question)
            answer = self.answer(self.console.ask(prompt, seconds=self.time_left()))
            if answer is not None:
                return answer
            self.say(Text("Type y for yes or n for no."))

    def answer(self, text: str) -> bool | None:
        """Return what yes or no means, in English or the player's language; None where it is neither."""
        for word, meant in ((Text("yes"), True), (Text("no"), False)):
            for each in (word, translate(word, self.console.lang)):
                # In capitals, where the i with and without a dot are one letter: HAYIR is hayır.
                if text.upper() in (each.upper(), each[0].upper()):
                    return meant
        return None

    def _help(self) -> None:
        from sheshbesh.cli.terminal.card_words import card_rows
        from sheshbesh.cli.terminal.wording import card_text

        # The options are in the rules already.
        agreed = JoinedText(
            *(JoinedText(what, how, separator=": ") for what, how in card_rows(self.card, options=False)),
            separator="; ",
        )
        title = Text("Your table: {code} ({hash})", code=self.card.code, hash=self.card.hash)
        card = [Line(line) for line in card_text(self.variant, self.console.lang)]
        self.console.page([*self.help, "", title, JoinedText(" ", agreed), "", *card])

    def dealt(self) -> Text:
        """Return what the letters of the board stand for."""
        parts = []
        for side in Side:
            values = {"sign": SIGNS[side], "side": wording.name(side), "player": self._player(side)}
            parts.append(
                Text("{sign} is {side} ({player})", **values)
                if self.names[side]
                else Text("{sign} is {side}", **values)
            )
        return JoinedText(*parts, separator=", ")
