/** What the server sends of reviews: docs/dev/site.md. */

/**
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{n: number, game: number, number: number, side: Side, type: string, phase: string, dice: number[] | null,
 *   played: string, done: string, loss: number, verdict: string | null, word: string, luck: number | null,
 *   equity: number | null, counted: boolean, open: boolean}} Decision
 * @typedef {{name: string, action: string | null, equity: number, behind: number, depth: string, made: boolean, steps: number[][]}} Candidate
 * @typedef {{n: number, side: Side, decider: Side, board: import("../../board/types.js").Board, dice: number[] | null,
 *   dice_steps: number, cube: any, choices: any[], address: string | null, candidates: Candidate[], reason: string, word: string,
 *   position: string, plies: number}} Detail
 * @typedef {{remarks: string[], numbers: {name: string, white: string, black: string}[],
 *   layout: import("../../board/types.js").Layout, decisions: Decision[]}} Report
 * @typedef {{rate: number, error: number}} Rate
 * @typedef {{line: number, found: string, reason: string, done: string}} Repair
 * @typedef {{id: string, source: "match" | "upload", source_id: string | null, file: string | null, variant: string,
 *   state: "waiting" | "running" | "done" | "failed", progress: {done?: number, total?: number, plies?: number},
 *   error: string, created: number, plies: number, you: Side | null, players: Record<Side, string>,
 *   rates: Record<Side, Rate | null>, repairs: Repair[], more_repairs: number, share: string | null,
 *   names: boolean, public: boolean, before?: number, report?: Report | null}} Review
 */

export {};
