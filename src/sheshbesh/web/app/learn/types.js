/**
 * The shapes of lessons, as the server sends them.
 *
 * @typedef {import("../../board/types.js").Board} Board
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{rule: string, text: string, source: string}} Refusal
 * @typedef {{right: boolean, said: string, refusal: Refusal | null}} Judgement
 *
 * @typedef {object} Lesson
 * @property {string} id
 * @property {string} asks
 * @property {string} game
 * @property {string} title  of the game
 * @property {string} text
 * @property {string} task
 * @property {string} why  shown once it is answered
 * @property {string} source
 * @property {Side} side
 * @property {Board} board
 * @property {number[] | null} dice
 * @property {number} dice_steps
 * @property {import("../../board/types.js").Stage[] | null} choices
 * @property {string[]} options
 * @property {boolean} notation  whether the options are plays
 * @property {{play: string, steps: number[][]} | null} solution
 * @property {({play: string} & Refusal)[]} refused
 * @property {string[]} elsewhere
 * @property {{value: number, owner: string | null}} cube
 * @property {number[] | null} score
 *
 * @typedef {{name: string, game: string, title: string, about: string, start: Board, lessons: string[]}} Summary
 * @typedef {{name: string, game: string, title: string, about: string, lessons: Lesson[],
 *   layouts: Record<string, import("../../board/types.js").Layout>}} Course
 */

export {};
