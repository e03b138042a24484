/** The engine's evaluation of a position, in words and numbers: chances, plays, the cube, rollouts. */

import { t, words } from "../../i18n/i18n.js";
import { isTicked } from "../fields.js";
import { cubeWord, source } from "../grades.js";
import { kindName } from "../table/wording.js";
import { html, ltr, nothing, signed, signedText, table, thousandths } from "../view.js";

/**
 * @typedef {{ ending: "win" | "lose" | "tie", kind: string, points: number, p?: number, mean?: number, error?: number
 *   }} Share
 * @typedef {{ mean: number, error: number }} Estimate
 * @typedef {{ play: string, steps: number[][], equity: number, loss: number, win: number, grade: string, close:
 *   boolean, plies: number, reason: { text: string } | null, row?: Uint8Array }} Play `row` as the engine in this
 *   browser has the position after it
 * @typedef {{ net: { name: string, sha256: string }, build?: string }} Source which net judged; by which build, if
 *   here
 * @typedef {{ action: string, answer: string, no_double: number, double_take: number, double_drop: number,
 *   double_beaver: number | null }} Cube
 * @typedef {{ side: "white" | "black", plies: number, approximate: boolean, exact: boolean, chances: Share[], equity:
 *   number, cubeful: number | null, plays: Play[] | null, of: number, cube: Cube | null } & Source} Analysis
 * @typedef {{ equity: Estimate, win: Estimate, chances: Share[] }} RolledOut
 * @typedef {{ trials: number, total: number, done: boolean, seed: number, plays: (RolledOut & { play: string, behind:
 *   Estimate })[] | null, cube: (Cube & { ways: RolledOut[], difference: Estimate }) | null, position: RolledOut |
 *   null, error?: string, build?: string }} Rollout
 */

/** @param {Estimate} estimate */
const estimated = ({ mean, error }) => ltr(`${signedText(mean)} ± ${thousandths(error)}`);

/** @param {number} share @param {number} [error] */
const percent = (share, error) => {
  const figure = (/** @type {number} */ value) => words().percent(value, 1);
  return ltr(error === undefined ? figure(share) : `${figure(share)} ± ${figure(error)}`);
};

/**
 * Wins and losses by class, side by side; classes that are counted one by one are left to their sum.
 *
 * @param {Share[]} chances
 */
function chancesTable(chances) {
  const value = (/** @type {Share | undefined} */ share) => share?.p ?? share?.mean ?? 0;
  const of = (/** @type {string} */ ending) => chances.filter((each) => each.ending === ending);
  const wins = of("win");
  const sum = (/** @type {Share[]} */ all) => all.reduce((total, each) => total + value(each), 0);
  const counted = wins.some(({ kind }) => kind === "count" || kind === "difference");
  const cell = (/** @type {Share | undefined} */ share) =>
    html`<td class="num">${percent(value(share), share?.error)}</td>`;
  const tie = of("tie")[0];
  return html`<table class="chances">
    <thead>
      <tr>
        <th></th>
        <th scope="col" class="num">${t("wins")}</th>
        <th scope="col" class="num">${t("loses")}</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row">${t("all together")}</th>
        <td class="num"><b>${percent(sum(wins))}</b></td>
        <td class="num"><b>${percent(sum(of("lose")))}</b></td>
      </tr>
      ${
        counted
          ? nothing
          : wins.map(
              (each) =>
                html`<tr>
                  <th scope="row">${kindName(each.kind)}</th>
                  ${cell(each)}
                  ${cell(of("lose").find(({ kind, points }) => kind === each.kind && points === each.points))}
                </tr>`,
            )
      }
      ${
        tie
          ? html`<tr>
            <th scope="row">${t("tie")}</th>
            <td class="num" colspan="2">${percent(value(tie), tie.error)}</td>
          </tr>`
          : nothing
      }
    </tbody>
  </table>`;
}

/** @param {Cube} cube @param {RolledOut[]} [ways] */
function cubeTable(cube, ways) {
  const doubles = cube.action === "double" || cube.action === "redouble";
  const row = (
    /** @type {string} */ name,
    /** @type {number} */ value,
    /** @type {RolledOut | undefined} */ way,
  ) =>
    html`<tr><th scope="row">${name}</th><td class="num">${way ? estimated(way.equity) : signed(value)}</td></tr>`;
  return html`<p>
      <b>${doubles ? t("Double.") : t("Do not double.")}</b> ${t("The answer to a double:")}
      ${cubeWord(cube.answer)}.
    </p>
    <table class="ranking">
      <tbody>
        ${row(t("No double"), cube.no_double, ways?.[0])}${row(t("Double, take"), cube.double_take, ways?.[1])}
        ${row(t("Double, drop"), cube.double_drop, undefined)}
        ${cube.double_beaver === null ? nothing : row(t("Double, beaver"), cube.double_beaver, undefined)}
      </tbody>
    </table>`;
}

/**
 * @param {Analysis} found @param {{ chosen: number, choose: (index: number) => void, picked: Set<string>, pick:
 *   (play: string, on: boolean) => void }} how
 */
function playsTable({ plays, of }, { chosen, choose, picked, pick }) {
  if (!plays) return nothing;
  if (!plays.length || (plays.length === 1 && !plays[0].steps.length))
    return html`<p>${t("There is no play: the turn passes.")}</p>`;
  const reason = plays[chosen]?.reason;
  const row = (/** @type {Play} */ each, /** @type {number} */ i) => [
    html`<input
      type="checkbox"
      aria-label=${t("Roll out {play}", { play: `\u2066${each.play}\u2069` })}
      .checked=${picked.has(each.play)}
      @change=${(/** @type {Event} */ event) => pick(each.play, isTicked(event))}
    >`,
    html`<button class="link" @click=${() => choose(i)}>${ltr(each.play)}</button>`,
    signed(each.equity),
    each.loss >= 0.0005 ? ltr(thousandths(each.loss)) : nothing,
    percent(each.win),
  ];
  const marks = html`<span class="sr">${t("To be rolled out")}</span>`;
  return html`${table([marks, t("Play"), t("points a game"), t("Loses"), t("wins")], plays.map(row), {
    kind: "ranking plays",
    numbers: [2, 3, 4],
    current: chosen,
  })}
    ${
      of > plays.length
        ? html`<p class="small quiet">
          ${t("The best {n} of {all} plays.", { n: words().figure(plays.length), all: words().figure(of) })}
        </p>`
        : nothing
    }
    ${
      reason
        ? html`<p class="because">
          ${
            chosen
              ? t("Better is {play}: it {reason}.", {
                  play: `\u2066${plays[0].play}\u2069`,
                  reason: reason.text,
                })
              : t("{play} {reason}.", { play: `\u2066${plays[0].play}\u2069`, reason: reason.text })
          }
        </p>`
        : nothing
    }`;
}

/** The equity of a position, and how exact it is. @param {Analysis} found */
const equityText = ({ equity, cubeful, plies, exact, approximate }) =>
  html`<p>
      ${t("Equity")}: <b>${signed(cubeful ?? equity)}</b>${
        cubeful === null
          ? nothing
          : html` <span class="small quiet">(${t("without the cube")} ${signed(equity)})</span>`
      }
      <span class="small quiet">${exact ? t("exact") : t("{n} plies deep", { n: words().figure(plies) })}</span>
    </p>
    ${
      approximate
        ? html`<p class="small">
          ${t("An estimate: no net was trained for these rules; the nearest game's net is used.")}
        </p>`
        : nothing
    }`;

/**
 * All that was found about a position. While it is being worked out it is not read aloud.
 *
 * @param {Analysis} found @param {Parameters<typeof playsTable>[1]} how
 */
export const analysisText = (found, how) =>
  html`<section aria-live="polite" aria-busy=${String(found.build === "")} class="found">
    ${found.plays ? html`<h2>${t("Plays")}</h2>${playsTable(found, how)}` : nothing}
    ${found.cube ? html`<h2>${t("The cube")}</h2>${cubeTable(found.cube)}` : nothing}
    <h2>${found.side === "white" ? t("Chances of White") : t("Chances of Black")}</h2>
    ${found.plays ? html`<p class="small quiet">${t("before the throw")}</p>` : nothing}${equityText(found)}
    ${chancesTable(found.chances)}${source(found)}
  </section>`;

/** What a rollout has found so far. @param {Rollout} found */
export function rolledOut(found) {
  const { trials, total, plays, cube, position, seed, done } = found;
  const numbers = {
    trials: words().figure(trials),
    total: words().figure(total),
    seed: words().figure(seed),
  };
  return html`<p role="status">
      ${
        done
          ? t("{trials} games played out, seed {seed}.", numbers)
          : t("{trials} of {total} games played out, seed {seed}.", numbers)
      }
    </p>
    <progress max=${total} value=${trials} aria-label=${t("Progress of the rollout")}></progress>
    ${
      plays
        ? table(
            [t("Play"), t("points a game"), t("Loses")],
            plays.map(({ play, equity, behind: { mean, error } }, i) => [
              ltr(play),
              estimated(equity),
              i ? ltr(`${thousandths(mean)} ± ${thousandths(error)}`) : nothing,
            ]),
            { kind: "ranking", numbers: [1, 2] },
          )
        : nothing
    }
    ${
      cube
        ? html`${cubeTable(cube, cube.ways)}
          <p class="small quiet">
            ${t("Doubling and taking against not doubling:")} ${estimated(cube.difference)}
          </p>`
        : nothing
    }
    ${
      position
        ? html`<p>${t("Equity")}: <b>${estimated(position.equity)}</b></p>${chancesTable(position.chances)}`
        : nothing
    }
    ${
      found.build === undefined
        ? nothing
        : html`<p class="small quiet">${t("Played out in this browser.")}</p>`
    }
    <p class="small quiet">
      ${t("After ± stands the standard error of the number.")}
      ${t("The same games and seed give the same numbers again.")}
    </p>`;
}
