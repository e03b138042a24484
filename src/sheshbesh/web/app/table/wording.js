/** The texts about a match: its state, results, offers. */
import { other } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { contestName, engineName, guestName } from "../names.js";

/** @import { Side, State } from "../wire.js" */

/** @param {State} state */
export function meta(state) {
  const parts = [contestName(state)];
  if (state.game) parts.push(t("game {n}", { n: state.game }));
  if (state.rated) parts.push(t("rated"));
  if (state.crawford) parts.push(t("Crawford game"));
  return parts.join(" · ");
}

/** A result class of a game. @param {string} kind */
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
    locked: t("neither side can ever move again"),
    draw: t("a draw by agreement"),
    abandoned: t("abandoned"),
    forfeit: t("forfeited"),
  };
  return known[/** @type {keyof typeof known} */ (reason)] ?? t(reason.replaceAll("_", " "));
}

/**
 * The name of a player as it is shown.
 * @param {{name?: string | null, kind?: string, level?: string | null} | undefined} player
 * @param {Side} side
 */
export function playerName(player, side) {
  if (player?.kind === "engine") return engineName(player.level ?? player.name ?? "");
  if (player?.kind === "guest" && player.name) return guestName(player.name);
  return player?.name || (side === "white" ? t("light") : t("dark"));
}

/**
 * A list of matches names a computer by its level alone.
 * @param {{name: string, level: string | null} | null | undefined} seat
 * @param {Side} side
 */
export const watchedName = (seat, side) =>
  playerName(seat ? { ...seat, kind: seat.level ? "engine" : "guest" } : undefined, side);

/** @param {Pick<State, "players">} state @param {Side} side */
export const nameOf = (state, side) => playerName(state.players[side], side);

/**
 * Who pays whom: "you pay 2 points", or with names on a shared screen and for spectators.
 * @param {State} state
 * @param {Side} by who proposes it
 * @param {number} points to the proposer, negative from them
 * @param {string} [amount] in words, instead of the number
 */
export function settlement(state, by, points, amount) {
  const payer = points > 0 ? other(by) : by;
  const n = Math.abs(points);
  const what = amount ?? tn("{n} point", "{n} points", n);
  if (state.you.length !== 1) return t("{name} pays {what}", { name: nameOf(state, payer), what });
  return payer === state.you[0] ? t("you pay {what}", { what }) : t("you get {what}", { what });
}

/**
 * A proposal, and what it means in points.
 * @param {State} state
 * @param {{by: Side, what: string, points: number}} offer
 * @returns {[string, string]}
 */
export function proposalText(state, { by, what, points }) {
  if (what === "draw")
    return state.card.contest === "money"
      ? [t("End the session here"), t("the score stays as it is")]
      : [t("End the match here, drawn"), t("nobody wins it")];
  if (what === "pause") return [t("A pause of the clock"), t("until both want to go on")];
  if (!points) return [t("Call this game off"), t("nobody gets a point")];
  const { value } = state.cube;
  const size = Math.abs(points);
  const share =
    size === value
      ? t("Settle at the whole stake")
      : 2 * size === value
        ? t("Settle at half the stake")
        : t("Settle this game");
  return [share, settlement(state, by, points)];
}

/**
 * What of the table's agreement and of this game bears on its points, and what each means.
 * @param {State} state
 * @returns {[string, string][]}
 */
export function agreed({ card, cube }) {
  /** @type {[string, string][]} */
  const list = [];
  if (card.jacoby)
    list.push([t("Jacoby"), t("while nobody has doubled, a gammon or backgammon counts one point")]);
  if (card.beavers)
    list.push([
      card.raccoons ? t("Beavers and raccoons") : t("Beavers"),
      t("the player who is doubled may double again at once and keep the cube"),
    ]);
  if (cube.automatic)
    list.push([
      tn("{n} automatic double", "{n} automatic doubles", cube.automatic),
      t("equal dice at the start have doubled the cube"),
    ]);
  else if (card.automatic_doubles)
    list.push([t("Automatic doubles"), t("equal dice at the start double the cube")]);
  return list;
}

/** What the dice show, with the players' own call of it. @param {number[]} dice @param {boolean} calls */
function diceCaption(dice, calls) {
  const figures = [...dice].sort((a, b) => b - a).map((die) => words().figure(die));
  const plain = `\u2066${figures.join("-")}\u2069`;
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
      return acting
        ? [t("Ready?"), t("The game begins when both players are ready.")]
        : [t("Waiting for {name}", { name: who }), ""];
    case "opening":
      if (acting && state.opening?.throws.length)
        return [t("Who begins?"), t("Equal dice: throw once more.")];
      return [
        t("Who begins?"),
        acting ? t("Throw for the first move.") : t("Waiting for {name}", { name: who }),
      ];
    case "roll":
      return acting
        ? [
            turnOf,
            state.allowed.includes("double")
              ? t("Throw the dice, or double first.")
              : state.crawford
                ? t("Throw the dice: nobody doubles in the Crawford game.")
                : t("Throw the dice."),
          ]
        : [t("{name} is on roll", { name: who }), ""];
    case "throwing":
      return [
        t("The dice are rolling"),
        state.dice.source === "typed" && acting ? t("Type in what the dice show.") : "",
      ];
    case "choose":
      return acting
        ? [t("Name your double"), t("You may choose which double you play.")]
        : [t("{name} names a double", { name: who }), ""];
    case "move": {
      const caption = dice ? diceCaption(dice, calls) : "";
      if (!acting) return [caption, t("{name} moves", { name: who })];
      const stuck = state.choices?.[0]?.next.length === 0;
      if (stuck) return [caption, t("No move is possible.")];
      if (whole) return [caption, t("The move is complete: confirm it.")];
      return [
        caption,
        done ? t("Go on with the rest of the dice.") : both ? turnOf : t("Your turn: move a checker."),
      ];
    }
    case "doubled": {
      const by = state.cube.by ? nameOf(state, state.cube.by) : "";
      const n = state.cube.offered ?? 0;
      if (!acting) return [t("Double to {n}", { n }), t("{name} decides", { name: who })];
      const head = both ? t("{name} doubles to {n}", { name: by, n }) : t("A double to {n}", { n });
      return [
        head,
        both
          ? t("{name} takes it, or drops and loses the game at its present value.", { name: who })
          : t("Take it, or drop and lose the game at its present value."),
      ];
    }
    case "beavered":
    case "raccooned":
      return [
        t("The cube was turned back: {n}", { n: state.cube.offered ?? 0 }),
        !acting
          ? t("{name} decides", { name: who })
          : both
            ? t("{name} takes it, or drops.", { name: who })
            : t("Take it, or drop."),
      ];
    case "resigned": {
      const offer = state.resignation;
      if (!offer) return ["", ""];
      const text = tn("{n} point", "{n} points", offer.pays);
      const head =
        both || !mine.length
          ? t("{name} resigns", { name: nameOf(state, offer.by) })
          : acting
            ? t("Your opponent resigns")
            : t("You resigned");
      return [head, `${kindName(offer.kind)} · ${text}`];
    }
    default:
      return ["", ""];
  }
}

/**
 * What a new state brings that must not be overlooked.
 * @param {State | null} before
 * @param {State} state
 * @returns {string[]}
 */
export function announcements(before, state) {
  if (!before) return [];
  const list = [];
  if (state.crawford && before.game !== state.game)
    list.push(t("This is the Crawford game: nobody may double."));
  if (state.cube.automatic > before.cube.automatic)
    list.push(t("Equal dice: the cube goes to {n}.", { n: state.cube.value }));
  return list;
}
