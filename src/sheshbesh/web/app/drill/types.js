/** What the server sends of cards and puzzles: docs/dev/site.md. */

/**
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{id: string, variant: string, kind: "play" | "double" | "take", text: string, source: string,
 *   layout: import("../../board/types.js").Layout, pips: Record<Side, number>, tolerance: number, side: Side, decider: Side,
 *   board: import("../../board/types.js").Board, dice: number[] | null, dice_steps: number, cube: any, choices: any[],
 *   position: string, level?: string, review?: string, n?: number}} Question
 * @typedef {{right: boolean, best: boolean, loss: number, text: string, answer: string, again: boolean, steps: number[][],
 *   candidates: import("../review/types.js").Candidate[], reason: string, word: string, due?: number}} Answer
 * @typedef {{id: string, variant: string, source: string, loss: number, state: "active" | "suspended", due: number,
 *   asked: number, right: number, review: string, n: number}} Entry
 * @typedef {{answered: boolean | null, answer: string | null, streak: number, longest: number, right: number,
 *   total: number}} Standing with the puzzles of the days
 */

export {};
