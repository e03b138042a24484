"""Cards as a deck for Anki."""

from __future__ import annotations

import html
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from sheshbesh.errors import RecordError, SheshbeshError, system_reason
from sheshbesh.i18n import Text, translate
from sheshbesh.practice.cards import Answer, PracticeCard
from sheshbesh.practice.wording import answer_text, candidate_lines, explanation, question_text, source_text
from sheshbesh.rules.drawing import Picture

_MODEL, _DECK = 1_607_392_319, 2_059_400_110
"""The ids of the kind of note and of the deck in Anki: the same for ever, so that a later export
adds to it."""


def write_anki(cards: Iterable[PracticeCard], file: Path, lang: str = "en") -> int:
    """Write the cards as an .apkg file; how many there were.

    A card that is in Anki already keeps its schedule there. SheshbeshError without the package `genanki`,
    RecordError if the file cannot be written.
    """
    try:
        import genanki
    except ImportError as error:
        raise SheshbeshError(
            Text("Anki decks need the extra `site`: pip install 'sheshbesh[site]' ({why})", why=error)
        ) from error

    model = genanki.Model(
        _MODEL,
        "Sheshbesh",
        fields=[{"name": "Board"}, {"name": "Question"}, {"name": "Answer"}, {"name": "Source"}],
        templates=[
            {
                "name": "Decision",
                "qfmt": "{{Board}}<p>{{Question}}</p><p class=source>{{Source}}</p>",
                "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}",
            }
        ],
        css=Path(__file__).with_name("anki.css").read_text(encoding="utf-8"),
    )
    deck = genanki.Deck(_DECK, "Sheshbesh")
    count = 0
    for card in cards:
        front = [_block(board_lines(card)), _line(question_text(card), lang)]
        back = f"<p><b>{_line(_best(card), lang)}</b></p>{_block(candidate_lines(card), lang)}"
        back += f"<p>{html.escape(explanation(card, lang))}</p>"
        note = genanki.Note(
            model=model,
            fields=[*front, back, _line(source_text(card), lang)],
            guid=sha256(f"sheshbesh {card.id}".encode()).hexdigest()[:16],
        )
        deck.add_note(note)
        count += 1
    try:
        genanki.Package(deck).write_to_file(str(file))
    except OSError as error:
        raise RecordError(
            Text("{file} cannot be written: {why}", file=file, why=system_reason(error))
        ) from error
    return count


def board_lines(card: PracticeCard) -> list[str]:
    """The board from the side that decides, with both trays."""
    picture, side = Picture.of(card.position), card.side
    return [picture.tray(side.other), *picture.lines(side), picture.tray(side)]


def _best(card: PracticeCard) -> str:
    return answer_text(card, Answer(card.judged.best, 0.0, right=True))


def _line(text: str, lang: str) -> str:
    return html.escape(translate(text, lang))


def _block(lines: Iterable[str], lang: str = "en") -> str:
    return f"<pre>{html.escape(chr(10).join(translate(line, lang) for line in lines))}</pre>"
