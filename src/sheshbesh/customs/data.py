"""The teachings of the texts besides rules, read once from the files beside this module.

`differences.toml` is the table "traditional and modern", `conduct.toml` the conduct at a real board,
`disputes.toml` the questions that lead a dispute to its ruling, `games.toml` what a rule page says of each
game. Every sentence is an English key of the catalogues.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from sheshbesh.rules import Position, Variant, as_variant, variant

WAYS: Mapping[str, str] = MappingProxyType({"traditional": "takhte", "modern": "backgammon"})
"""The two ways of playing that the booklet compares, with the game that is each of them."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position to be shown or tried, White on roll; the start where no checker is named.

    Points are in White's numbers on both sides, as `Variant.position` takes them.
    """

    white: Mapping[str, int] = field(default_factory=dict)
    black: Mapping[str, int] = field(default_factory=dict)
    white_off: int = 0
    pinned: tuple[int, ...] = ()

    def position(self, game: Variant | str) -> Position:
        """The position in a game, by name or as a Variant."""
        game = as_variant(game)
        if not self.white:
            return game.start()
        board: dict[str, object] = {"white": self.white, "black": self.black, "white_off": self.white_off}
        if self.pinned:
            board["pinned_white"] = list(self.pinned)
        return game.position(board, turn="white")


@dataclass(frozen=True, slots=True)
class Trial:
    """A position that can be played both ways: dice and task for each of `WAYS`."""

    board: Board
    dice: Mapping[str, tuple[int, int]]
    task: Mapping[str, str]

    def position(self, way: str) -> Position:
        """The position by one of `WAYS`."""
        return self.board.position(variant(WAYS[way]))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: both ways in words, the pages of 004, and what can be tried.

    Exactly one of `trial`, `table` (what decides it in a set-up) and `reading` (why there is nothing to try)
    is there. With `table` go `cards`: the code of a card that shows it, for each of `WAYS`.
    """

    id: str
    title: str
    traditional: str
    modern: str
    pages: tuple[int, ...]
    trial: Trial | None = None
    table: str = ""
    cards: Mapping[str, str] = field(default_factory=dict)
    reading: str = ""

    @property
    def source(self) -> str:
        """The citation, in the form of the variant files."""
        return f"Khalili (004), p. {', '.join(map(str, self.pages))}"


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of conduct at a board; `drawing` is the name of a drawing of the page, or empty.

    `traditional` and `modern` are empty where both do the same.
    """

    id: str
    title: str
    text: str
    sources: tuple[str, ...]
    traditional: str = ""
    modern: str = ""
    drawing: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question of the guide; `then` is the id of the next question, or of a ruling."""

    text: str
    then: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question that the two people in a dispute answer."""

    id: str
    text: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling, and where it is written; `topic` is the topic of conduct that explains it.

    Either `text` is there, where both ways rule the same, or `traditional` and `modern`.
    """

    id: str
    title: str
    sources: tuple[str, ...]
    text: str = ""
    traditional: str = ""
    modern: str = ""
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Disputes:
    """The referee's guide: questions by id, of which the `first` is asked first, and rulings by id."""

    questions: Mapping[str, Question]
    rulings: Mapping[str, Ruling]

    @property
    def first(self) -> Question:
        """Return the question that begins."""
        return next(iter(self.questions.values()))


@dataclass(frozen=True, slots=True)
class Picture:
    """A position with a throw and a play that shows what is special about a game.

    `refused` is the rule that forbids the play, None for a legal one.
    """

    board: Board
    dice: tuple[int, int]
    play: str
    says: str
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class About:
    """A game besides its rules; `minutes` and `difficulty` only where a source gives them."""

    history: str
    source: str
    words: tuple[tuple[str, str], ...]
    picture: Picture
    minutes: tuple[int, int] | None = None
    difficulty: str = ""


@lru_cache(maxsize=1)
def differences() -> tuple[Line, ...]:
    """The table "traditional and modern", in the order of 004, p. 4."""
    return tuple(_line(dict(entry)) for entry in _read("differences")["lines"])


@lru_cache(maxsize=1)
def conduct() -> tuple[Topic, ...]:
    """The topics of conduct at a real board."""
    topics = _read("conduct")["topics"]
    return tuple(Topic(**{**entry, "sources": tuple(entry["sources"])}) for entry in topics)


@lru_cache(maxsize=1)
def disputes() -> Disputes:
    """The referee's guide, its first question first."""
    read = _read("disputes")
    questions = (
        Question(each["id"], each["text"], tuple(Answer(**answer) for answer in each["answers"]))
        for each in read["questions"]
    )
    rulings = (Ruling(**{**entry, "sources": tuple(entry["sources"])}) for entry in read["rulings"])
    return Disputes(
        MappingProxyType({each.id: each for each in questions}),
        MappingProxyType({each.id: each for each in rulings}),
    )


@lru_cache(maxsize=1)
def games() -> Mapping[str, About]:
    """The games that come with the program, by name."""
    return MappingProxyType({name: _about(dict(entry)) for name, entry in _read("games").items()})


def texts() -> Iterator[tuple[str, str]]:
    """Every sentence of the files with the file it stands in, for the catalogues."""
    for line in differences():
        sentences = [line.title, line.traditional, line.modern, line.table, line.reading]
        tasks = line.trial.task.values() if line.trial else ()
        yield from ((text, "customs/differences.toml") for text in (*sentences, *tasks))
    for topic in conduct():
        sentences = [topic.title, topic.text, topic.traditional, topic.modern]
        yield from ((text, "customs/conduct.toml") for text in sentences)
    found = disputes()
    for question in found.questions.values():
        sentences = [question.text, *(answer.text for answer in question.answers)]
        yield from ((text, "customs/disputes.toml") for text in sentences)
    for ruling in found.rulings.values():
        sentences = [ruling.title, ruling.text, ruling.traditional, ruling.modern]
        yield from ((text, "customs/disputes.toml") for text in sentences)
    for about in games().values():
        words = (text for pair in about.words for text in pair)
        yield from (
            (text, "customs/games.toml")
            for text in (about.history, about.difficulty, about.picture.says, *words)
        )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))


def _line(entry: dict[str, Any]) -> Line:
    found = entry.pop("trial", None)
    trial = None
    if found is not None:
        dice = {way: (int(high), int(low)) for way, (high, low) in found.pop("dice").items()}
        task = found.pop("task")
        trial = Trial(Board(**found), MappingProxyType(dice), MappingProxyType(task))
    return Line(**{**entry, "pages": tuple(entry["pages"]), "trial": trial})


def _about(entry: dict[str, Any]) -> About:
    drawn = dict(entry.pop("picture"))
    placed = {key: drawn.pop(key) for key in ("white", "black", "white_off") if key in drawn}
    board = Board(**placed, pinned=tuple(drawn.pop("pinned", ())))
    high, low = drawn.pop("dice")
    words = tuple((word["term"], word["means"]) for word in entry.pop("words"))
    minutes = entry.pop("minutes", None)
    return About(
        **entry,
        words=words,
        minutes=(minutes[0], minutes[1]) if minutes else None,
        picture=Picture(board, (high, low), **drawn),
    )
