/* The page of a review: the boards of its errors, and what is shown of them. */
import "board/board.js";
const { layout, scenes } = JSON.parse(document.getElementById("data").textContent);
for (const [name, scene] of Object.entries(scenes)) {
  const board = document.createElement("ssb-board");
  const { side, you, dice, ways, cube } = scene;
  board.inert = true;
  board.layout = layout;
  board.state = { you: [you], phase: "roll", on_roll: side, allowed: [], board: scene.board, turn: null, dice_steps: 2,
    cube: { ...cube, in_play: layout.cube } };
  if (ways.length) board.advice = { side, board: scene.board, dice, alone: true, options: ways };
  document.querySelector(`#${name} .board`).append(board);
}
const filters = [...document.querySelectorAll("[data-filter]")];
for (const each of filters) each.addEventListener("change", () => {
  for (const article of document.querySelectorAll("article")) {
    article.hidden = filters.some((f) => f.value && article.dataset[f.dataset.filter] !== f.value);
  }
});
