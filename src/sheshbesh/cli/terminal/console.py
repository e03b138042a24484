"""Lines in, lines out: the plain terminal. Knows nothing of games."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from sheshbesh.engines.bearoff_databases import Progress

from sheshbesh.cli.game_arguments import LANGUAGE
from sheshbesh.errors import shortened
from sheshbesh.i18n import PluralText, Text, translate
from sheshbesh.notebook import bars
from sheshbesh.rules.safe_text import escaped

WIDTH = 80
"""No line is longer than this, on wider terminals too."""

_NARROWEST = 40

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C has stopped."""


class UserError(click.ClickException):
    """A fault of the input: printed as a sentence, exit code 2."""

    exit_code = 2

    def __init__(self, sentence: str) -> None:
        what = sentence if isinstance(sentence, Text) else shortened(sentence)
        self._shown = translate(Text("Error: {what}", what=what).mapped(_safe), command_language())
        super().__init__(sentence)

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence, wrapped and in the language of the command, on standard error."""
        for line in self._shown.split("\n"):
            text = textwrap.fill(
                line, 79, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
            )
            click.echo(text, file=file, err=file is None)


def stopped(*sentences: str) -> NoReturn:
    """End the program as after Ctrl-C, with exit code 130 and these sentences on standard error."""
    for sentence in sentences:
        text = translate(sentence, command_language()) if isinstance(sentence, Text) else sentence
        click.echo(escaped(text, lines=True), err=True)
    raise SystemExit(INTERRUPTED)


def command_language() -> str:
    """The language of the command that runs, by its --lang or the system; English where it has none."""
    context = click.get_current_context(silent=True)
    return str(context.meta.get(LANGUAGE, "en")) if context is not None else "en"


def print_text(text: str = "") -> None:
    """Print a sentence on standard output in the language of the command, safe for a terminal."""
    click.echo(Console(command_language()).worded(text))


def print_list(sentences: Iterable[str]) -> None:
    """Print sentences as the entries of a list, wrapped, likewise."""
    console = Console(command_language())
    for sentence in sentences:
        told = console.worded(sentence)
        click.echo(textwrap.fill(told, 79, initial_indent="  - ", subsequent_indent="    "))


MOST_SHOWN = 10
"""Problems of a record that are listed one by one."""


def print_rest(count: int) -> None:
    """Say how many problems are not listed of so many."""
    if (more := count - MOST_SHOWN) > 0:
        text = PluralText(
            "and {n} more, which may only follow from these",
            "and {n} more, which may only follow from these",
            more,
        )
        click.echo("  " + Console(command_language()).worded(text))


class LeaveError(Exception):
    """The user has left: by word, by the end of the input, or by an interrupt."""


class TimeUpError(Exception):
    """The time for an answer has run out before there was one."""


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Interrupt what happens inside with TimeUpError when the time is over, where the system can."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, ring)
    # A timer of 0 would never ring.
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Line(str):
    """Text that can be printed as it is: in the reader's language, with isolates but without tricks."""

    __slots__ = ()


class Console:
    """Prints wrapped lines and asks for input; with colour only where a terminal shows it.

    Texts are printed in the language `lang`. In languages written from right to left, notation and names
    within a sentence are isolated by Unicode's characters for it; the order of the whole is the
    terminal's.
    """

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang
        self.is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.has_colour = (
            sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        )
        if self.is_interactive:
            import readline  # noqa: F401 -- line editing and history for input()

    @property
    def width(self) -> int:
        """The columns to be used now."""
        return max(min(WIDTH, self.columns), _NARROWEST)

    @property
    def columns(self) -> int:
        """The columns of the window, however few or many."""
        return shutil.get_terminal_size((WIDTH, 24)).columns

    def say(self, text: str = "", *, indent: str = "") -> None:
        """Print a paragraph, wrapped; `indent` goes before every line but the first."""
        lines = textwrap.wrap(
            self.worded(text),
            self.width - 1,
            subsequent_indent=indent,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
        print("\n".join(lines))

    def worded(self, text: str) -> str:
        """A text in the language of the console, safe to print: values from files are escaped."""
        if isinstance(text, Text):
            return translate(text.mapped(_safe), self.lang)
        return text if isinstance(text, Line) else escaped(text, lines=True)

    def wrapped(self, text: str) -> list[str]:
        """A paragraph as lines that fit."""
        translated = self.worded(text)
        lines = textwrap.wrap(translated, self.width - 1, subsequent_indent="  ", break_on_hyphens=False)
        return [Line(line) for line in lines]

    def show(self, lines: Iterable[str], *, styles: dict[str, str] | None = None) -> None:
        """Print lines as they are; on a terminal with colour, words matching a pattern get its style."""
        text = "\n".join(self.worded(line).rstrip() for line in lines)
        if not (self.has_colour and styles):
            print(text)
            return
        from rich.text import Text

        coloured = Text(text)
        for pattern, style in styles.items():
            coloured.highlight_regex(pattern, style)
        self._rich(coloured)

    @cached_property
    def _rich(self) -> Callable[[object], None]:
        from rich.console import Console as RichConsole

        return RichConsole(highlight=False, soft_wrap=True).print

    def page(self, lines: Iterable[str]) -> None:
        """Print many lines, on a terminal a screen at a time."""
        wrapped = [part for line in lines for part in self._wrap(line)]
        if not self.is_interactive:
            print("\n".join(wrapped))
            return
        height = max(shutil.get_terminal_size((WIDTH, 24)).lines - 2, 5)
        for start in range(0, len(wrapped), height):
            print("\n".join(wrapped[start : start + height]))
            more = start + height < len(wrapped)
            if more and self.ask(Text("-- Enter for more, q to go back: ")).casefold().startswith("q"):
                return

    def _wrap(self, line: str) -> list[str]:
        line = self.worded(line)
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        return textwrap.wrap(line, self.width - 1, subsequent_indent=indent, break_on_hyphens=False) or [""]

    def _prompt_lines(self, prompt: str) -> list[str]:
        """A prompt that is longer than a line, broken between words rather than by the window."""
        if len(prompt) < self.width:
            return [prompt]
        *above, last = textwrap.wrap(prompt, self.width - 2, subsequent_indent="  ", break_on_hyphens=False)
        return [*above, f"{last} "]

    def ask(self, prompt: str, *, seconds: float | None = None) -> str:
        """The next line typed, without blanks around it; digits of other scripts become 0 to 9.

        LeaveError at the end of the input or on an interrupt, TimeUpError after `seconds`.
        """
        *above, prompt = self._prompt_lines(self.worded(prompt))
        for line in above:
            print(line)
        try:
            with _alarm(seconds):
                text = plain_digits(input(prompt).strip())
        except (EOFError, KeyboardInterrupt):
            print()
            raise LeaveError from None
        except TimeUpError:
            print()
            raise
        if not sys.stdin.isatty():
            # What comes from a file or a pipe is not echoed by a terminal; the transcript needs it.
            print(text[: max(self.width - len(prompt), 0)])
        return text


def plain_digits(text: str) -> str:
    """The digits of a Persian or Arabic keyboard as those of notation, dice and numbers of lists."""
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)


def _safe(value: object) -> object:
    """A value of a text, such as the name of a player, without what could trick a terminal."""
    if isinstance(value, Text):
        return value.mapped(_safe)
    if isinstance(value, tuple):
        return tuple(_safe(each) for each in value)
    return escaped(shortened(value), lines=True) if isinstance(value, str) else value


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """The `progress` of what may have to make bear-off databases: a bar on standard error for each."""
    lang = command_language()
    with bars() as update:
        yield lambda label, done: update(translate(label, lang), done)
