"""Boards drawn without a browser; that they are the page's boards, tests/web/board/test_pictures.py says."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageSequence

import sheshbesh as sb
from sheshbesh.match import Card, MatchState
from sheshbesh.pictures import MATERIALS, Look, scene_of, svg
from sheshbesh.pictures.raster import animation, png
from sheshbesh.rules import Roll, Side
from sheshbesh.rules.setup import Geometry

CARD = Card.from_code("backgammon.m")


def drawn(*, view: Side = Side.WHITE, material: str = "wood") -> str:
    match = MatchState(cube=4, owner="black")
    return svg(scene_of(CARD.rules.start(), CARD, match, Roll(6, 3)), Look(view, material, "A <board>"))


def numbers(drawing: str) -> list[str]:
    return re.findall(r'class="number" data-text="(\d+)"', drawing)


@pytest.mark.parametrize("material", MATERIALS)
def test_a_picture_stands_by_itself(material: str) -> None:
    drawing = drawn(material=material)
    root = ElementTree.fromstring(drawing)
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "var(" not in drawing
    assert "<text" not in drawing
    assert "style=" not in drawing
    named = set(re.findall(r'id="([\w-]+)"', drawing))
    assert set(re.findall(r"(?:url\(|href=\")#([\w-]+)", drawing)) <= named


def test_both_views_have_their_own_numbers_with_dice_and_cube() -> None:
    mine, theirs = drawn(), drawn(view=Side.BLACK)
    assert numbers(mine) == [str(n) for n in range(1, 25)]
    assert numbers(theirs) == [str(n) for n in range(24, 0, -1)]
    for drawing in (mine, theirs):
        assert drawing.count('class="die"') == 2
        assert drawing.count('class="cube"') == 1
        assert drawing.count('class="piece"') == 30


@pytest.mark.parametrize("game", sb.variants())
def test_every_game_can_be_drawn(game: str) -> None:
    rules = sb.variant(game)
    drawing = svg(scene_of(rules.start()))
    ElementTree.fromstring(drawing)
    assert ('class="cube"' in drawing) is bool(rules.axes["cube"]["use"])
    assert drawing.count('class="slab"') == 2 * Geometry.of(rules.axes).hand


def test_a_captive_is_drawn_under_its_captors_with_a_lock() -> None:
    board = {"white": {"24": 13, "5": 2}, "black": {"5": 1, "1": 14}, "pinned_black": [5]}
    drawing = svg(scene_of(sb.variant("tapa").position(board)))
    assert drawing.count('class="lock"') == 1


def test_pictures_become_pixels_and_games_animations() -> None:
    with Image.open(io.BytesIO(png(drawn(), 300))) as picture:
        assert (picture.format, picture.width) == ("PNG", 300)
    made = animation([drawn(), drawn(view=Side.BLACK), drawn()], [1.4, 1.4, 4.0], 240)
    with Image.open(io.BytesIO(made)) as picture:
        assert (picture.format, picture.width) == ("GIF", 240)
        assert picture.info["loop"] == 0
        assert picture.info["duration"] == 1400
        assert sum(1 for _ in ImageSequence.Iterator(picture)) == 3
