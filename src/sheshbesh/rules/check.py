"""The problems of a variant file: every problem at once, with its line and what is allowed.

`check_file` is the command `sheshbesh variant check`; the loader judges, this module finds the lines.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from sheshbesh.bounded import parse_toml
from sheshbesh.errors import VariantError, shortened
from sheshbesh.rules import document, loader
from sheshbesh.rules.safe_text import escaped


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One problem: the line (from 1) where it can be mended, the key concerned, what is wrong."""

    line: int
    key: str
    message: str

    def __str__(self) -> str:
        key = f"{self.key}: " if self.key else ""
        return shortened(escaped(f"line {self.line}: {key}{self.message}"))


def check_file(path: str | PathLike[str]) -> list[Problem]:
    """Return every problem of a variant file in the order of its lines, an empty list if it is a game.

    A file that cannot be read or parsed has one problem, the place where reading stopped. Nothing is
    raised.
    """
    try:
        text = loader.read_text(path)
    except VariantError as error:
        return [Problem(1, "", str(error))]
    try:
        parsed = parse_toml(text)
    except ValueError as error:
        return [_syntax_problem(text, str(error))]
    shipped = Path(path).resolve().parent == loader.variants_folder.resolve()
    _, flaws = loader.compile_document(parsed, shipped=shipped)
    lines = locate(text)
    return sorted({Problem(_line_of(flaw, lines), ".".join(flaw.path), flaw.message) for flaw in flaws})


def _syntax_problem(text: str, message: str) -> Problem:
    found = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)", message)
    if not found:
        return Problem(1, "", f"not a TOML file: {message}")
    line = int(found[1]) if found[1] else text.rstrip().count("\n") + 1
    return Problem(line, "", f"not a TOML file: {message.replace(found[0], '')}")


def _line_of(flaw: document.Flaw, lines: Mapping[document.Path, int]) -> int:
    """Return the line of a flaw: of its key, else of the nearest table around it, else the first."""
    for length in range(len(flaw.path), 0, -1):
        if flaw.path[:length] in lines:
            return lines[flaw.path[:length]]
    return 1


# --- lines ------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""
    (?P<text>\"{3}(?:\\.|[^\\])*?\"{3,5} | '{3}.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*')
  | (?P<comment>\#[^\n]*)
  | (?P<newline>\n)
  | (?P<mark>[\[\]{}=,.])
  | (?P<word>[A-Za-z0-9_-]+)
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    line: int


def _tokens(text: str) -> Iterator[_Token]:
    """Cut the text of a file that parses into what matters for finding its keys."""
    line = 1
    for found in _TOKEN.finditer(text):
        if (found.lastgroup != "comment" and not found[0].isspace()) or found[0] == "\n":
            yield _Token(found[0], line)
        line += found[0].count("\n")


def _key_part(token: _Token) -> str:
    """Return one part of a key without its quotes."""
    if token.text[0] not in "\"'":
        return token.text
    read = tomllib.loads(f"key = {token.text}")["key"]
    return str(read)


class _Locator:
    """Walks the tokens and notes on which line every table and key of the file is named."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0
        self.lines: dict[document.Path, int] = {}

    def note(self, path: document.Path, line: int) -> None:
        # A table named twice, as by [a] and [a.b], is mended where it was named first.
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], line)

    def next(self) -> _Token | None:
        """Return the next token, None at the end."""
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else None

    def key(self, token: _Token | None, end: str) -> document.Path:
        """Read a dotted key up to the mark that ends it."""
        parts = []
        while token is not None and token.text != end:
            if token.text not in ".[":
                parts.append(_key_part(token))
            token = self.next()
        return tuple(parts)

    def file(self) -> dict[document.Path, int]:
        """Walk the whole file."""
        table: document.Path = ()
        while (token := self.next()) is not None:
            if token.text == "\n":
                continue
            if token.text == "[":
                table = self.key(self.next(), "]")
                self.note(table, token.line)
                self.line_end()
            else:
                self.entry(table, token)
                self.line_end()
        return self.lines

    def line_end(self) -> None:
        while (token := self.next()) is not None and token.text != "\n":
            pass

    def entry(self, table: document.Path, token: _Token) -> None:
        """Read one key and its value; the token is the first of the key."""
        path = (*table, *self.key(token, "="))
        self.note(path, token.line)
        self.value(path)

    def value(self, path: document.Path) -> None:
        """Skip one value, noting the keys of inline tables on the way."""
        token = self.next()
        if token is not None and token.text == "{":
            while (token := self.next()) is not None and token.text != "}":
                if token.text not in (",", "\n"):
                    self.entry(path, token)
        elif token is not None and token.text == "[":
            depth = 1
            while depth and (token := self.next()) is not None:
                depth += (token.text == "[") - (token.text == "]")


def locate(text: str) -> dict[document.Path, int]:
    """Return the line (from 1) of every table and key in a TOML text that parses."""
    return _Locator(text).file()
