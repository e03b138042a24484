"""One truth of a board: what the server draws lies where the page draws it, piece by piece, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from sheshbesh.pictures import Look, Scene, svg
from sheshbesh.rules import Side
from tests.web.board.conftest import OpenBoard

# What both drawings have, with its middle and its size in the picture's own units.
_PARTS = """(svg) => {
  const box = svg.getBoundingClientRect();
  const width = svg.viewBox.baseVal.width;
  const scale = width / box.width;
  const found = [];
  const add = (kind, text, element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const at = [(left + right) / 2 - box.left, (top + bottom) / 2 - box.top].map((n) => n * scale);
    found.push({ kind, text, x: at[0], y: at[1], width: (right - left) * scale });
  };
  for (const use of svg.querySelectorAll(".piece > use")) add("piece", use.getAttribute("href"), use);
  for (const each of svg.querySelectorAll("text.number, g.number"))
    add("number", each.dataset.text ?? each.textContent, each);
  for (const each of svg.querySelectorAll("text.count, g.count"))
    add("count", each.dataset.text ?? each.textContent, each);
  for (const each of svg.querySelectorAll(".die")) {
    // Where it lies, whether it still tumbles or not.
    const [x, y] = each.getAttribute("transform").match(/[\\d.]+/g).map(Number);
    found.push({ kind: "die", text: String(each.querySelectorAll("circle").length), x, y });
  }
  for (const each of svg.querySelectorAll(".slab, .piles > rect")) add("slab", "", each);
  for (const each of svg.querySelectorAll('[fill="url(#cube-face)"]')) {
    const face = each.parentElement.querySelector("text, [data-text]");
    add("cube", face.dataset.text ?? face.textContent, each);
  }
  return found;
}"""
_PAGE = f"""(viewer) => {{
  board.state = {{ ...board.state, you: [viewer], opening: null, choices: undefined, allowed: [] }};
  board.last = null;
  return board.updateComplete.then(() => ({_PARTS})(board.renderRoot.querySelector("svg")));
}}"""
_SERVER = f"""(text) => {{
  const holder = document.createElement("div");
  holder.style.width = "900px";
  holder.innerHTML = text;
  const svg = holder.firstElementChild;
  svg.style.width = "100%";
  svg.style.height = "auto";
  document.body.append(holder);
  const found = ({_PARTS})(svg);
  holder.remove();
  return found;
}}"""
_STATE = """() => { const { board: shown, turn, on_roll, cube } = board.state;
  return { layout: board.layout, board: shown, turn, on_roll, cube }; }"""

SIDES = ("white", "black")
GAMES = ("backgammon", "tapa", "fevga", "mahbusa", "acey_deucey", "irish", "hypergammon")
"""Of each kind of board: hits, pins, heads, a mother, hands, a cube."""


def apart(mine: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> list[str]:
    """Parts of one drawing that the other has not within three units, which is a fifth of a percent."""
    missing = []
    left = list(theirs)
    for each in mine:
        near = [
            other
            for other in left
            if (other["kind"], other["text"]) == (each["kind"], each["text"])
            and abs(other["x"] - each["x"]) <= 3
            and abs(other["y"] - each["y"]) <= 3
        ]
        if near:
            left.remove(near[0])
        else:
            missing.append(f"{each} has no counterpart")
    return missing + [f"{each} is drawn by the server alone" for each in left]


@pytest.mark.parametrize("game", GAMES)
def test_the_servers_board_is_the_pages_board(open_board: OpenBoard, game: str) -> None:
    board = open_board(game, size=(900, 1600), numbers="viewer")
    count = board.do("states.length")
    for index in range(1, count, max(count // 4, 1)):
        board.do(f"() => {{ board.state = states[{index}].d; return board.updateComplete; }}")
        shown = board.do(_STATE)
        if shown["board"] is None or shown["cube"]["offered"] is not None:
            continue
        for view in Side:
            page = board.do(_PAGE, view.value)
            cube = None
            if shown["cube"]["in_play"]:
                owner = shown["cube"]["owner"]
                cube = (shown["cube"]["value"], Side.of(owner) if owner in SIDES else None)
            turn = Side.of(shown["on_roll"]) if shown["on_roll"] else None
            dice = tuple(shown["turn"]["dice"]) if shown["turn"] else ()
            drawing = svg(Scene(shown["layout"], shown["board"], turn, dice, cube), Look(view))
            server = board.do(_SERVER, drawing)
            assert apart(page, server) == [], (index, view)
            assert len(server) > 24, "numbers and checkers"
