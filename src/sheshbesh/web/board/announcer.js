import { WORDS } from "./words.js";

/** @typedef {import("./types.js").Last} Last */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./types.js").State} State */

/** Announces in words what a new state brought: the play, the roll, the cube, the end of the game. */
export class Announcer {
  /** @type {Last | null} */ #announced = null;
  #throw = "";

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * @param {State | null} before @param {State} state
   * @returns {{ text: string, thrown: boolean }} the text to announce, and whether dice have just been thrown
   */
  announce(before, state) {
    const { describe, t, last, retried } = this.board;
    const sentences = [];
    let thrown = false;
    if (before && !retried && last?.play && last !== this.#announced) {
      const text = last.play === "pass" ? WORDS.passed : WORDS.played;
      sentences.push(t(text, { colour: describe.colour(last.side), play: last.play }));
    }
    this.#announced = last;
    if (before) sentences.push(...this.#opening(before, state));
    const { on_roll: side, turn } = state;
    const dice = side && turn ? `${side} ${[...turn.dice].sort()} ${JSON.stringify(state.board)}` : "";
    if (dice && dice !== this.#throw && side && turn) {
      const [first, second] = [...turn.dice].sort((a, b) => b - a);
      const colour = describe.colour(side);
      thrown = before !== null && !retried;
      if (before && retried) sentences.push(t(WORDS.undone));
      else if (second) sentences.push(t(WORDS.rolled, { colour, first, second }));
      else sentences.push(t(WORDS.rolledOne, { colour, first }));
    }
    this.#throw = dice;
    if (state.cube.offered !== null && state.cube.by && before?.cube.offered !== state.cube.offered) {
      sentences.push(t(WORDS.doubled, { colour: describe.colour(state.cube.by), value: state.cube.offered }));
    }
    if (before) sentences.push(...this.#answered(before, state), ...this.#ended(before, state));
    const allowed = (side && state.allowed_of?.[side]) ?? state.allowed;
    if (state.phase === "roll" && side && state.you.includes(side))
      sentences.push(t(allowed.includes("double") ? WORDS.yourRollOrDouble : WORDS.yourRoll));
    return { text: sentences.join(". "), thrown };
  }

  /** Whose the cube is now that it was turned, if it was. @param {State} before @param {State} state */
  #answered(before, { cube }) {
    const { describe, t } = this.board;
    const { owner, value } = cube;
    const taken = before.cube.offered !== null && cube.offered === null && owner !== before.cube.owner;
    if (!taken || (owner !== "white" && owner !== "black")) return [];
    return [t(WORDS.takes, { colour: describe.colour(owner), value })];
  }

  /** Who has won a game that is over now, and the score. @param {State} before @param {State} state */
  #ended(before, state) {
    const { describe, t } = this.board;
    const results = state.results ?? [];
    const last = results.at(-1);
    if (!last || results.length <= (before.results ?? []).length) return [];
    const sentences = [last.winner ? t(WORDS.won, { colour: describe.colour(last.winner) }) : t(WORDS.draw)];
    if (state.score) {
      const [white, black] = [describe.colour("white"), describe.colour("black")];
      sentences.push(t(WORDS.score, { white, n: state.score.white, black, m: state.score.black }));
    }
    return sentences;
  }

  /** What was thrown for the first move, and who has it. @param {State} before @param {State} state */
  #opening(before, state) {
    const { describe, t } = this.board;
    const { opening } = state;
    if (!opening) return [];
    const old = before.game === state.game ? before.opening : null;
    const sides = { white: describe.colour("white"), black: describe.colour("black") };
    const decided = opening.starter ? opening.throws.length - 1 : opening.throws.length;
    const sentences = opening.throws
      .map(
        ([first, second], i) =>
          t(WORDS.drawn, { ...sides, first, second }) + (i < decided ? `, ${t(WORDS.tied)}` : ""),
      )
      .slice(old?.throws.length ?? 0);
    if (opening.starter && !old?.starter)
      sentences.push(t(WORDS.begins, { colour: describe.colour(opening.starter) }));
    return sentences;
  }
}
