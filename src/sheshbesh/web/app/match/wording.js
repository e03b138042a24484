/** What is said about a match: contest, results, offers. */
import { t, tn, words } from "../../i18n/i18n.js";
import { guestName } from "../names.js";
import { levelName } from "../table-card.js";

/**
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Side} Side
 */

/** @param {State} state */
export function contestName({ card }) {
  if (card.contest === "money" || card.length === null) return t("No end");
  if (card.contest === "games") return tn("Best of {n} game", "Best of {n} games", card.length);
  return tn("Match to {n} point", "Match to {n} points", card.length);
}

/** @param {State} state */
export function meta(state) {
  const parts = [contestName(state)];
  if (state.game) parts.push(t("game {n}", { n: state.game }));
  if (state.crawford) parts.push(t("Crawford game"));
  if (state.rated) parts.push(t("rated"));
  return parts.join(" · ");
}

/**
 * A result class of a game.
 * @param {string} kind
 */
export function kindName(kind) {
  const known = {
    single: t("single game"),
    gammon: t("gammon"),
    backgammon: t("backgammon"),
    home_mars: t("home mars"),
    mars: t("mars"),
    koks: t("koks"),
    mother: t("mother"),
    closed_area: t("the start closed"),
    count: t("by the checkers left"),
    difference: t("by the difference of checkers"),
    tie: t("tie"),
    draw: t("draw"),
  };
  return known[/** @type {keyof typeof known} */ (kind)] ?? t(kind.replaceAll("_", " "));
}

/** @param {string} reason */
export function reasonName(reason) {
  const known = {
    played: t("played to the end"),
    drop: t("the double was not taken"),
    resignation: t("resigned"),
    time: t("on time"),
    settlement: t("settled by agreement"),
    draw: t("a draw by agreement"),
    abandoned: t("abandoned"),
  };
  return known[/** @type {keyof typeof known} */ (reason)] ?? t(reason.replaceAll("_", " "));
}

/**
 * @param {string} what
 * @param {number} points
 */
export function proposalName(what, points) {
  if (what === "draw") return t("to call the session a draw");
  if (what === "pause") return t("to pause the clock");
  return points >= 0
    ? tn("to settle this game for {n} point to the proposer", "to settle this game for {n} points to the proposer", points)
    : tn("to settle this game for {n} point from the proposer", "to settle this game for {n} points from the proposer", -points);
}

/**
 * The name of a player as it is shown.
 * @param {{name?: string | null, kind?: string, level?: string | null} | undefined} player
 * @param {Side} side
 */
export function playerName(player, side) {
  if (player?.kind === "engine") return t("Computer, {level}", { level: levelName(player.level ?? player.name ?? "") });
  if (player?.kind === "guest" && player.name) return guestName(player.name);
  return player?.name || (side === "white" ? t("light") : t("dark"));
}

/**
 * @param {Pick<State, "players">} state
 * @param {Side} side
 */
export const nameOf = (state, side) => playerName(state.players[side], side);

/**
 * What the dice show, with the players' own call of it.
 * @param {number[]} dice
 * @param {boolean} calls
 */
export function diceCaption(dice, calls) {
  const plain = `\u2066${[...dice].sort((a, b) => b - a).join("-")}\u2069`;
  const call = calls ? words().call(dice) : "";
  return call ? t("{dice}, {call}", { dice: plain, call }) : plain;
}

/**
 * What the match waits for, in one line for the head and one below it.
 * @param {State} state
 * @param {{whole: boolean, done: number, calls: boolean}} how
 * @returns {[string, string]}
 */
export function situation(state, { whole, done, calls }) {
  const mine = state.you;
  const acting = state.to_act.find((side) => mine.includes(side));
  const both = mine.length > 1;
  const dice = state.turn?.dice ?? null;
  const other = state.to_act[0];
  const who = other ? nameOf(state, other) : "";
  if (state.phase === "over") return [t("The match is over"), ""];
  if (state.paused) return [t("The clock is paused"), ""];
  const turnOf = both && acting ? t("{name} is on roll", { name: nameOf(state, acting) }) : t("Your turn");
  switch (state.phase) {
    case "ready":
      return acting ? [t("Ready?"), t("The game begins when both players are ready.")] : [t("Waiting for {name}", { name: who }), ""];
    case "opening":
      return [t("Who begins?"), acting ? t("Throw for the first move.") : t("Waiting for {name}", { name: who })];
    case "roll":
      return acting
        ? [turnOf, state.allowed.includes("double") ? t("Throw the dice, or double first.") : t("Throw the dice.")]
        : [t("{name} is on roll", { name: who }), ""];
    case "throwing":
      return [t("The dice are rolling"), state.dice.source === "typed" && acting ? t("Type in what the dice show.") : ""];
    case "choose":
      return acting ? [t("Name your double"), t("You may choose which double you play.")] : [t("{name} names a double", { name: who }), ""];
    case "move": {
      const caption = dice ? diceCaption(dice, calls) : "";
      if (!acting) return [caption, t("{name} moves", { name: who })];
      const stuck = state.choices && state.choices[0] && state.choices[0].next.length === 0;
      if (stuck) return [caption, t("No move is possible.")];
      if (whole) return [caption, t("The move is complete: confirm it.")];
      return [caption, done ? t("Go on with the rest of the dice.") : both ? turnOf : t("Your turn: move a checker.")];
    }
    case "doubled":
      return acting ? [t("A double to {n}", { n: state.cube.offered ?? 0 }), t("Take it, or drop and lose the game at its present value.")] : [t("Double to {n}", { n: state.cube.offered ?? 0 }), t("{name} decides", { name: who })];
    case "beavered":
    case "raccooned":
      return [t("The cube was turned back: {n}", { n: state.cube.offered ?? 0 }), acting ? t("Take it, or drop.") : t("{name} decides", { name: who })];
    case "resigned": {
      const offer = state.resignation;
      const text = offer ? tn("{n} point", "{n} points", offer.points * state.cube.value) : "";
      return [acting ? t("Your opponent resigns") : t("You resigned"), offer ? `${kindName(offer.kind)}, ${text}` : ""];
    }
    default:
      return ["", ""];
  }
}
