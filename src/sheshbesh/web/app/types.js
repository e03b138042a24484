/** The wire's types, for the checker; see the contract of the server's messages. */

/**
 * @typedef {"white" | "black"} Side
 * @typedef {{name: string, kind: "guest" | "user" | "bot" | "engine", level: string | null, id: string | null, rating: number | null}} Player
 * @typedef {{winner: Side | null, points: number, kind: string, cube: number, reason: string}} Result
 * @typedef {{code: string, hash: string, game: string, title: string, contest: "points" | "games" | "money", length: number | null,
 *   clock: {code: string, kind: string, delay: number, bank: number}, dice: string, cube: boolean, touch_move?: boolean, one_pair?: boolean,
 *   jacoby: boolean, beavers: boolean, raccoons: boolean, automatic_doubles: number, options: Record<string, unknown>,
 *   [more: string]: unknown}} Card
 * @typedef {{
 *   match: string, card: Card, rules: string, players: Record<Side, Player>, you: Side[], rated: boolean, tutor: boolean,
 *   phase: string, game: number,
 *   opening?: {by: "draw" | "winner" | "alternate", throws: number[][], starter: Side | null} | null, score: Record<Side, number>, crawford: boolean, on_roll: Side | null, to_act: Side[],
 *   allowed: string[], allowed_of?: Record<Side, string[]>, board: any, turn: {dice: number[], done: number[][], touched: number | null} | null,
 *   dice_steps: number, pending: {dice: number[], choose: boolean} | null,
 *   cube: {value: number, owner: Side | "nobody" | null, offered: number | null, by: Side | null, in_play: boolean, automatic: number},
 *   resignation: {by: Side, kind: string, points: number, pays: number} | null, resign_kinds: string[],
 *   proposal: {by: Side, what: string, points: number} | null,
 *   clock: {white: number, black: number, given?: Record<Side, number>, running: Side | null, delay: number, kind: string, away?: number, at: number} | null,
 *   paused: boolean, breaks: Record<string, number | null>, pips: Record<Side, number | null>, results: Result[],
 *   winner: Side | null, ending: string | null, dice: import("../fairdice/dice-keeper.js").ChainState, choices?: any[], race?: boolean,
 *   history?: import("./history.js").Turn[]
 * }} State
 */

export {};
