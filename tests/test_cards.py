"""Rule cards: generated from the axes, each line with its source, nothing a game does not have."""

from __future__ import annotations

import re

import pytest

from sheshbesh.rules import loader
from sheshbesh.rules.axes import AXES
from sheshbesh.rules.card import CardLine, card_lines
from sheshbesh.rules.wording import CARD


def text(name: str, **options: object) -> str:
    """The sentences of a card in one text, without the options."""
    lines = card_lines(loader.load(name).with_options(**options))
    return " ".join(line.text for line in lines if line.topic != "Options")


@pytest.mark.parametrize("name", loader.names())
def test_every_line_has_words_and_a_source(name: str) -> None:
    data = loader.load(name)
    lines = card_lines(data)
    assert all(isinstance(line, CardLine) and line.text and line.source for line in lines)
    assert not any(re.search(r"[{}*]", line.text) for line in lines)
    topics = list(dict.fromkeys(line.topic for line in lines))
    order = list(dict.fromkeys(["Setup", *(rule.topic for rule in CARD), "Options"]))
    assert topics == [topic for topic in order if topic in topics]
    assert {"Setup", "Direction", "Opening", "Contact", "Dice", "Bearing off", "End", "Score"} <= set(topics)
    options = [line for line in lines if line.topic == "Options"]
    assert [line.text.split(" = ")[0] for line in options] == list(data.options)
    assert all("(default)" in line.text for line in options)


def test_every_axis_has_words_for_its_answers() -> None:
    """No answer is forgotten: each has a sentence, or says nothing because the family has no such rule."""
    silent = {
        "board.checkers",
        "board.setup",
        "duty.tie none",
        "duty.must_open off",
        "ending.mother off",
        "ending.closed_area",
        "head.exception none",
        "occupancy.quarter_until always",
        "runner.to none",
        "score.left off",
        "bearoff.forced off",
        "throw.progression_in_bearoff true",
        "throw.forfeit_simple false",
        "throw.one_two_bonus off",
        "table.touch_move false",
        "table.settle points",
        "table.agreements false",
    }
    worded: dict[tuple[str, str], dict[str, str]] = {}
    for rule in CARD:
        worded.setdefault(rule.axis, {}).update(rule.sentences)
    for table, keys in AXES.items():
        for key, axis in keys.items():
            values = ("false", "true") if axis.kind == "bool" else axis.words or ("*",)
            for value in values:
                if f"{table}.{key}" not in silent and f"{table}.{key} {value}" not in silent:
                    assert worded[table, key].get(value), f"{table}.{key} = {value}"


def test_cards_say_what_is_special() -> None:
    assert "no further step in the same turn" in text("tavla")
    assert "At most 5 checkers" in text("old_english")
    assert "Only one checker a turn may leave the head" in text("long_nardy")
    assert "imprisons it" in text("tapa")
    assert "name any double" in text("acey_deucey")
    assert "all in hand" in text("acey_deucey")
    assert "as two steps" in text("irish")
    assert "From turn 4 on" in text("gul_bara")
    assert "3 checkers: 1 on your point 24, 1 on your point 23 and 1 on your point 22" in text("hypergammon")
    assert "six before it" in text("fevga")


def test_cards_leave_out_what_a_game_does_not_have() -> None:
    assert "head" not in text("backgammon").replace("ahead", "")
    assert "bar" not in re.findall(r"\w+", text("long_nardy"))
    assert "imprison" not in text("backgammon")
    assert "present value already wins" not in text("tapa")
    assert "gammon, mars" not in text("acey_deucey")


def test_cards_follow_the_options() -> None:
    assert "lose at once" not in text("tapa")
    assert "you lose at once" in text("tapa", mother=True)
    assert "There is no doubling cube." in text("tapa")
    assert "Before throwing, a player may double" in text("tapa", cube=True)
    assert "the lower starts" in text("takhte", opening="lower")
    lines = card_lines(loader.load("long_nardy").with_options(koks=True))
    option = next(line for line in lines if line.text.startswith("koks"))
    assert "false (default), true (chosen)" in option.text
    score = next(line for line in lines if line.topic == "Score" and "koks" in line.text)
    assert score.note == "option koks = true"


def test_sentences_of_one_source_stand_together() -> None:
    lines = [line for line in card_lines(loader.load("backgammon")) if line.topic == "Score"]
    assert len(lines) == 1
    assert "counts 1. It counts 2" in lines[0].text
    assert lines[0].quote


@pytest.mark.parametrize("name", loader.names())
def test_lines_quote_what_their_source_says_about_this_game(name: str) -> None:
    data = loader.load(name)
    citations = {(citation.source, citation.quote) for citation in data.sources.values()}
    for line in card_lines(data):
        assert line.topic == "Options" or (line.source, line.quote) in citations
