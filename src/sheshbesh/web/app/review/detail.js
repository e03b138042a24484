/** One decision in words and numbers: the verdict, why, what else could be done, and one's own answer. */

import { carry } from "../../board/checkers.js";
import { t, tn } from "../../i18n/i18n.js";
import { called, sign } from "../grades.js";
import { contestName } from "../names.js";
import { watchedName } from "../table/wording.js";
import { diceText, html, ltr, nothing, signed, signedText, table, thousandths } from "../view.js";

/**
 * Reviews as the server sends them (docs/dev/site.md).
 *
 * @typedef {import("../../board/types.js").Side} Side
 * @typedef {{n: number, game: number, number: number, side: Side, type: string, phase: string, dice: number[] | null,
 *   played: string, done: string, loss: number, verdict: string | null, word: string, luck: number | null,
 *   equity: number | null, counted: boolean, tried?: boolean, open: boolean}} Decision
 * @typedef {{name: string, action: string | null, equity: number, behind: number, depth: string, made: boolean,
 *   steps: number[][]}} Candidate
 * @typedef {{n: number, side: Side, decider: Side, board: import("../../board/types.js").Board, dice: number[] | null,
 *   dice_steps: number, cube: any, choices: any[], address: string | null, candidates: Candidate[], reason: string,
 *   word: string, position: string, plies: number, score?: Score | null}} Detail
 * @typedef {Record<Side, number> & {length: number, crawford: boolean}} Score of a match, before the decision
 * @typedef {{remarks: string[], numbers: {name: string, white: string, black: string, first: boolean}[],
 *   layout: import("../../board/types.js").Layout, decisions: Decision[], sides: Record<Side, SideNumbers>}} Report
 * @typedef {{pr: number, error: number | null, luck: number, worst: number | null, best: number | null}} SideNumbers
 * @typedef {{layout: import("../../board/types.js").Layout, board: import("../../board/types.js").Board,
 *   decisions: Decision[]}} Begun what is judged so far of a review that is being made
 * @typedef {{rate: number, error: number}} Rate
 * @typedef {{line: number, found: string, reason: string, done: string}} Repair
 * @typedef {{id: string, source: "match" | "upload", source_id: string | null, file: string | null, variant: string,
 *   state: "waiting" | "running" | "done" | "failed", progress: {done?: number, total?: number, plies?: number},
 *   error: string, created: number, plies: number, you: Side | null, players: Record<Side, string>,
 *   levels: Record<Side, string | null>, rates: Record<Side, Rate | null>, repairs: Repair[], more_repairs: number,
 *   share: string | null, names: boolean, public: boolean, before?: number, report?: Report | null,
 *   begun?: Begun | null}} Review
 * @typedef {{candidate: Candidate | null, text: string}} Answer what a visitor would have done; `candidate` is null for
 *   a play that was not among the best
 */

/**
 * The name of a player, or the colour of one who is not named.
 * @param {Pick<Review, "players" | "levels">} review
 * @param {Side} side
 */
export function playerOf({ players, levels }, side) {
  const seat = { name: players[side], level: levels[side] };
  if (seat.name || seat.level) return watchedName(seat, side);
  return side === "white" ? t("White") : t("Black");
}

/**
 * The candidate that leads to the same position as a play that was made, in whatever order.
 * @param {Detail} detail
 * @param {import("../../board/types.js").Layout} layout
 * @param {import("../../board/types.js").Board} reached
 */
export function candidateFor({ board, side, candidates }, layout, reached) {
  const after = (/** @type {number[][]} */ steps) =>
    steps.reduce(
      (before, [origin, target, , takes]) =>
        carry(before, layout, side, { origin, target, takes: takes > 0 }),
      board,
    );
  return candidates.find(({ steps }) => positionKey(after(steps)) === positionKey(reached)) ?? null;
}

/** A position as text, whatever the order of its properties. @param {import("../../board/types.js").Board} board */
const positionKey = ({ points, bar, hand, off }) =>
  [
    ...points.map(({ w, b, pin }) => `${w},${b},${pin ?? ""}`),
    ...[bar, hand, off].map((each) => `${each.white},${each.black}`),
  ].join(" ");

/** Dice with the larger first. @param {number[]} dice */
export const roll = (dice) => ltr(diceText(dice));

/**
 * Say what is to be decided.
 * @param {Pick<Decision, "type" | "dice">} decision @param {Pick<Detail, "cube">} detail
 * @param {string} name who decides
 */
export function question({ type, dice }, { cube }, name) {
  if (dice) return t("{name} to play {dice}", { name, dice: diceText(dice) });
  if (type === "take" || type === "drop")
    return t("{name} is offered the cube at {n}: take or drop?", { name, n: 2 * cube.value });
  return t("{name} before the roll: double or not?", { name });
}

/**
 * Say what the match was played to, and its score; nothing for money play, and where it is not known.
 * @param {{score?: Score | null}} detail @param {(side: Side) => string} name
 */
export function standing({ score }, name) {
  if (!score) return nothing;
  const { white: n, black: m, length, crawford } = score;
  return html`<p class="small quiet">${[
    contestName({ card: { contest: "points", length } }),
    t("Score: {white} {n}, {black} {m}", { white: name("white"), n, black: name("black"), m }),
    ...(crawford ? [t("Crawford game")] : []),
  ].join(" · ")}</p>`;
}

/** @param {Decision} decision @param {Detail} detail @param {string} name */
export function verdict(decision, detail, name) {
  const cost =
    (decision.counted || decision.tried) && decision.loss >= 0.0005
      ? ltr(thousandths(-decision.loss))
      : nothing;
  const luck =
    decision.luck === null
      ? nothing
      : html`<p class="small quiet">
        ${t("Luck of the roll: {luck}", {
          luck: `\u2066${signedText(decision.luck)}\u2069`,
        })}
      </p>`;
  return html`<div class="judged">
    <p class="verdict">${sign(decision)}<b>${called(decision)}</b> <b>${cost}</b></p>
    <p class="small quiet">
      <bdi>${name}</bdi>: ${decision.dice ? roll(decision.dice) : nothing} ${ltr(decision.done || t("no play"))}
      ${decision.tried ? html`<span class="badge">${t("taken back")}</span>` : nothing}
    </p>
    ${detail.reason ? html`<p><bdi>${detail.reason}</bdi></p>` : nothing}${luck}
  </div>`;
}

/**
 * What could be done, by what it is worth.
 * @param {{dice: number[] | null, candidates: Candidate[]}} of
 * @param {(each: Candidate) => boolean} made
 * @param {(each: Candidate) => (string | false | undefined)[]} badges
 */
export function ranking({ dice, candidates }, made, badges) {
  const rows = candidates.map((each) => [
    html`${ltr(each.name)}${badges(each).map((text) => (text ? html` <span class="badge">${text}</span>` : nothing))}`,
    signed(each.equity),
    each.behind ? ltr(thousandths(each.behind)) : nothing,
  ]);
  return table([dice ? t("Play") : t("Cube action"), t("Equity"), t("Loses")], rows, {
    kind: "ranking",
    numbers: [1, 2],
    marked: (row) => (made(candidates[row]) ? "made" : undefined),
  });
}

/** @param {Detail} detail @param {Answer | null} answer */
export const candidates = (detail, answer) =>
  detail.candidates.length
    ? ranking(
        detail,
        ({ made }) => made,
        (each) => [each.made && t("played"), answer?.candidate === each && t("your answer")],
      )
    : nothing;

/** What one's own answer would have cost. @param {Detail} detail @param {Answer} answer */
export function answered(detail, { candidate, text }) {
  const worst = detail.candidates.filter(({ made }) => !made).at(-1) ?? detail.candidates[0];
  if (!candidate)
    return html`<p role="status">
      ${t("{play} is not among the best plays: by the first look it loses more than {loss}.", {
        play: `\u2066${text}\u2069`,
        loss: thousandths(worst.behind),
      })}
    </p>`;
  if (candidate.behind < 0.0005) return html`<p role="status"><b>${t("Right: that is the best.")}</b></p>`;
  return html`<p role="status">${t("Your answer loses {loss}.", { loss: thousandths(candidate.behind) })}</p>`;
}

/** What was wrong in the file, and how it was read. @param {{repairs: Repair[], more_repairs: number}} found */
export function repairs({ repairs, more_repairs }) {
  if (!repairs.length) return nothing;
  return html`<details class="repairs">
    <summary>
      ${tn(
        "{n} thing in the file was repaired",
        "{n} things in the file were repaired",
        repairs.length + more_repairs,
      )}
    </summary>
    <ol>
      ${repairs.map(({ line, found, reason, done }) => {
        const where = t("Line {n}", { n: line });
        return html`<li dir="auto"><b>${where}</b>: ${reason}: <code dir="ltr">${found}</code>; ${done}</li>`;
      })}
    </ol>
  </details>`;
}
