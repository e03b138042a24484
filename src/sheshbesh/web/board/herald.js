import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Last} Last */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */

/** Tells in words what a new state brought: the play, the roll, the cube, the end. */
export class Herald {
  /** @type {Last | null} */ #told = null;
  #throw = "";

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * @param {State | null} before @param {State} state
   * @returns {{ text: string, thrown: boolean }} what to say, and whether dice have just been thrown
   */
  hear(before, state) {
    const { voice, t, last } = this.board;
    const said = [];
    let thrown = false;
    if (before && last?.play && last !== this.#told) {
      const text = last.play === "pass" ? WORDS.passed : WORDS.played;
      said.push(t(text, { colour: voice.colour(last.side), play: last.play }));
    }
    this.#told = last;
    const { on_roll: side, turn } = state;
    const dice = side && turn ? `${side} ${[...turn.dice].sort()} ${JSON.stringify(state.board)}` : "";
    if (dice && dice !== this.#throw && side && turn) {
      const [first, second] = [...turn.dice].sort((a, b) => b - a);
      said.push(t(WORDS.rolled, { colour: voice.colour(side), first, second }));
      thrown = before !== null;
    }
    this.#throw = dice;
    if (state.cube.offered !== null && state.cube.by && before?.cube.offered !== state.cube.offered) {
      said.push(t(WORDS.doubled, { colour: voice.colour(state.cube.by), value: state.cube.offered }));
    }
    if (state.phase === "roll" && side && state.you.includes(side)) said.push(t(WORDS.yourRoll));
    const results = state.results ?? [];
    const winner = results.at(-1)?.winner;
    if (before && winner && results.length > (before.results ?? []).length) {
      said.push(t(WORDS.won, { colour: voice.colour(winner) }));
    }
    return { text: said.join(". "), thrown };
  }
}
