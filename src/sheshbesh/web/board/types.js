/**
 * The shapes of what a board is given. They are those of the wire; nothing here is a rule.
 *
 * A *place* is 1 to 24 in White's numbering, for every viewer. A *number* is a point as one side counts
 * it: 1 to 24, 0 off, 25 hand, 26 bar.
 *
 * @typedef {"white" | "black"} Side
 *
 * @typedef {{ w: number, b: number, pin?: Side }} Place  a captive is counted, and named by `pin`
 * @typedef {Record<Side, number>} Both
 * @typedef {{ points: Place[], bar: Both, hand: Both, off: Both }} Board
 *
 * @typedef {[origin: number, target: number, die: number, takes: number, stage: number]} Onward
 * @typedef {{ whole: boolean, next: Onward[] }} Stage  a moment of a turn and how it may go on
 *
 * @typedef {object} Layout  how a game uses the board; never changes in a match
 * @property {"contrary" | "parallel"} movement
 * @property {Record<Side, number[]>} numbers  the places of a side's own 1 to 24
 * @property {Record<Side, number | null>} head
 * @property {Record<Side, number | null>} mother
 * @property {boolean} bar
 * @property {boolean} pins
 * @property {number} hand  how many checkers wait in hand at the start
 * @property {number} checkers
 * @property {boolean} cube
 *
 * @typedef {object} Cube
 * @property {number} value
 * @property {string | null} owner  a side, or null (or another word) for the middle
 * @property {number | null} offered
 * @property {Side | null} by
 * @property {boolean} in_play
 *
 * @typedef {object} State  what the element reads of a STATE; it may hold more
 * @property {Side[]} you
 * @property {string} phase
 * @property {Side | null} on_roll
 * @property {string[]} allowed
 * @property {Partial<Record<Side, string[]>>} [allowed_of]
 * @property {Board | null} board
 * @property {{ dice: number[], done: number[][], touched: number | null } | null} turn
 * @property {number} dice_steps
 * @property {Cube} cube
 * @property {Stage[]} [choices]
 * @property {{ touch_move?: boolean, one_pair?: boolean }} [card]
 * @property {{ winner: Side | null }[]} [results]  the games that are over
 * @property {Both} [score]  points won before, and with the last of the games that are over
 * @property {number} [game]
 * @property {{ by: string, throws: number[][], starter: Side | null } | null} [opening]  who begins: throws are
 *   White's die and Black's
 *
 * @typedef {object} Last  the play before: a line of the list of turns
 * @property {Side} side
 * @property {number[] | null} dice
 * @property {string | null} play  as written, in the mover's own numbers
 *
 * @typedef {object} Prefs
 * @property {"wood" | "felt" | "paper"} material
 * @property {"right" | "left"} home  where my home is
 * @property {"bottom" | "top"} mine
 * @property {"R" | "L"} seating  of games in which both sides go the same way round
 * @property {"given" | "light" | "dark"} colours  my checkers: as seated, always light, always dark
 * @property {0 | 120 | 250 | 500} speed  milliseconds a checker takes
 * @property {"dice" | "auto"} confirm  who ends the turn: a tap on the dice, or the last checker
 * @property {"tap" | "taptap"} mode
 * @property {"off" | "steps" | "turns"} forced
 * @property {"viewer" | "roll" | "off"} numbers  whose point numbers are shown
 * @property {boolean} targets  whether the destinations of a checker are highlighted
 *
 * @typedef {(text: string, values?: Record<string, string | number>) => string} Translate
 */

/** @type {Prefs} */
export const DEFAULTS = Object.freeze({
  material: "wood",
  home: "right",
  mine: "bottom",
  seating: "R",
  colours: "given",
  speed: 250,
  confirm: "dice",
  mode: "tap",
  forced: "off",
  numbers: "viewer",
  targets: true,
});

export const OFF = 0;
export const HAND = 25;
export const BAR = 26;

/** @type {readonly Side[]} */
export const SIDES = Object.freeze(["white", "black"]);

/** The opposite side. @param {Side} side @returns {Side} */
export const other = (side) => (side === "white" ? "black" : "white");

/** The letter under which a place counts a side's checkers. @param {Side} side @returns {"w" | "b"} */
export const letter = (side) => (side === "white" ? "w" : "b");
