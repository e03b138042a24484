/** The engine's seat at a match without a server: what a level does, as `sheshbesh.players.opponent` decides it. */

import { formatPlay } from "../board/notation.js";
import { answered, DecisionAnalysis } from "./analysis.js";
import { blackOnRoll } from "./bytes.js";
import { hopsOf, otherSide } from "./game.js";
import { rollOut } from "./rollout.js";

/**
 * @typedef {import("./game.js").Match} Match
 * @typedef {import("./game.js").Action} Action
 * @typedef {{plies: number, settles: boolean, weakness: number[]}} Level
 * @typedef {import("./analysis.js").Looked} Looked
 */

/** Plies at which a weakness has nothing to do. */
const SOUND = [1, 1, 0, 0, 0];

/**
 * What a level does, whose turn it is to decide.
 * @param {import("./core.js").Core} core @param {import("./analysis.js").Handles} handles
 * @param {import("./game.js").MatchRules} rules @param {import("./scores.js").Scores} scores
 * @param {Match} state @param {Level} level @param {bigint} seed
 * @returns {Generator<Action | null>}  null while it thinks
 */
export function* decide(core, handles, rules, scores, state, level, seed) {
  const ask = scores.question(state);
  const analysis = new DecisionAnalysis(core, handles, ask);
  const { nearly, margin, cutShort } = scores.shared;
  const player = { values: ask.mine.values, weakness: level.weakness, seed };
  const isSound = level.weakness.every((each, i) => each === SOUND[i]);
  switch (state.phase) {
    case "roll":
      yield ask.doubles && turns() ? { type: "double" } : { type: "roll" };
      return;
    case "doubled":
      yield { type: answer() };
      return;
    case "beavered":
    case "raccooned":
      yield { type: "take" };
      return;
    case "resigned":
      yield { type: accepts() ? "accept" : "refuse" };
      return;
    default: {
      /** @type {Looked[]} */
      let found = [];
      for (found of analysis.ranked(level.plies)) yield null;
      let chosen = found[0];
      if (found.length > 1) {
        if (level.settles) {
          for (const best of settled(found)) {
            if (best) chosen = best;
            yield null;
          }
        } else if (isSound) {
          chosen = analysis.bestWithCube(found);
        } else {
          const rows = found.map(({ dice, index, chances }) => ({
            ...{ dice, index },
            probabilities: Float32Array.from(chances),
          }));
          chosen = found[core.pick(handles.rules, analysis.row, rows, player)];
        }
      }
      yield state.phase === "choose"
        ? { type: "choose", die: chosen.dice[0] }
        : { type: "play", play: formatPlay(hopsOf(chosen.steps)) || "pass" };
    }
  }

  function turns() {
    const cube = analysis.decision(level.plies);
    if (isSound) return cube.action === "double";
    const chances = Float32Array.from(analysis.chances(level.plies));
    return core.doubles(handles.rules, analysis.row, answered(cube) - cube.no_double, chances, player);
  }

  /** The answer to a double of the side on roll. */
  function answer() {
    const doubler = blackOnRoll(analysis.row) ? "black" : "white";
    if (!ask.doubles) return "take";
    const cube = analysis.decision(level.plies);
    let said = cube.answer;
    if (!isSound) {
      const { score } = state;
      // A drop would lose the match.
      if (score.length && score.cube >= score.length - score[doubler]) return "take";
      const worth = { take: cube.double_take, drop: cube.double_drop, beaver: cube.answer === "beaver" };
      const chances = Float32Array.from(analysis.chances(level.plies));
      said = core.answer(handles.rules, analysis.row, worth, chances, player);
    }
    return said === "beaver" && rules.refusal(state, otherSide(doubler), "beaver") ? "take" : said;
  }

  /** Whether playing on would not bring more on average. */
  function accepts() {
    const offer = /** @type {import("./game.js").Resignation} */ (state.resignation);
    const winner = otherSide(offer.by);
    if (paysTheMost(offer, winner)) return true;
    const onRoll = blackOnRoll(analysis.row) === (winner === "black");
    const at = scores.valuesAt(scores.judgedAt(state), winner);
    const [now] = at.heights;
    const wins = ask.classes.filter(([ending]) => ending === "win");
    const place = wins.findIndex(([, kind, points]) => kind === offer.kind && points === offer.points);
    const paid = (now.wins[Math.max(place, 0)] - at.even) / at.unit;
    const equity = analysis.holding(level.plies);
    return paid >= (onRoll ? equity : -equity) - nearly;
  }

  /** @param {import("./game.js").Resignation} offer @param {import("./core.js").Side} winner */
  function paysTheMost({ by, kind, points }, winner) {
    if (rules.card.contest === "games") return true;
    const { length } = state.score;
    const most = length ? length - state.score[winner] : Infinity;
    const paid = (/** @type {string} */ each, /** @type {number} */ worth) =>
      Math.min(rules.paid(state, { winner, kind: each, points: worth }), most);
    const all = Object.entries(rules.resignations(state, by)).map(([each, worth]) => paid(each, worth));
    return paid(kind, points) >= Math.max(...all);
  }

  /**
   * The best of the plays that a search leaves open, by rollouts cut short.
   * @param {Looked[]} found
   * @returns {Generator<Looked | null>}
   */
  function* settled(found) {
    const [first] = found;
    const stake = ask.counted
      ? Math.max(
          first.chances.reduce((sum, p, i) => sum + p * Math.abs(ask.mine.values[i]), 0),
          1,
        )
      : 1;
    const open = found.filter(
      ({ plies, equity }) => plies === first.plies && equity >= first.equity - margin * stake,
    );
    if (open.length < 2) return;
    const how = { trials: cutShort.trials, seed: 0, truncate: cutShort.truncate, cube: false };
    for (const { trials, entries, behind } of rollOut(core, handles, analysis, ask, {
      ...how,
      plays: open.map(({ row }) => row),
    })) {
      const means = entries.map(({ equity }) => equity.mean);
      const best = means.indexOf(Math.max(...means));
      if (trials < cutShort.minimum) {
        yield null;
        continue;
      }
      yield open[best];
      const others = behind[best].filter((_, i) => i !== best);
      if (others.every(({ mean, error }) => mean >= cutShort.lead * error)) return;
    }
  }
}
