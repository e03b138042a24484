/** One turn to be played outside of a match, as a state of the board element. */

/**
 * @param {{side: import("../board/types.js").Side, board: import("../board/types.js").Board, dice: number[],
 *   dice_steps: number, choices: import("../board/types.js").Stage[]}} turn  the position, and how the turn may go on
 */
export const turnState = ({ side, board, dice, dice_steps, choices }) => ({
  you: [side],
  phase: "move",
  on_roll: side,
  allowed: ["play"],
  board,
  turn: { dice, done: [], touched: null },
  dice_steps,
  cube: { value: 1, owner: null, offered: null, by: null, in_play: false },
  choices,
});
