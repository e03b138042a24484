/** What is asked about a position: judgement, rollout with its results line by line, and a text that holds another. */

import { t, words } from "../../i18n/i18n.js";
import { ApiError, refusal, STATIC, unreached } from "../api.js";
import { html, ltr, nothing } from "../view.js";
import { analysisText, rolledOut } from "./results.js";

/** @typedef {import("../views/analysis.js").AnalysisView} View */

/** Characters of a text that may hold a position. */
export const LONGEST = 20_000;

const TRIALS = [144, 324, 1296, 5184];
const LARGEST_SEED = 2 ** 31 - 1;

/**
 * How many games, and the button.
 *
 * @param {{ can: { play: boolean, cube: boolean }, trials: number, isPlaying: boolean }} now
 * @param {{ change: (how: { trials?: number }) => void, roll: () => void, stop: () => void }} act
 */
function rolloutFields({ can, trials, isPlaying }, { change, roll, stop }) {
  const what = can.play
    ? t("The plays that are ticked are played out against each other with the same dice, four at most.")
    : can.cube
      ? t("Doubling and not doubling are played out with the same dice.")
      : t("The position is played out to its end, again and again.");
  return html`<p class="small quiet">${what}</p>
    <div class="row">
      <label class="row small">
        ${t("Games")}
        <select
          id="a-trials"
          @change=${(/** @type {Event} */ event) =>
            change({ trials: Number(/** @type {HTMLSelectElement} */ (event.target).value) })}
        >
          ${TRIALS.map((n) => html`<option value=${n} ?selected=${n === trials}>${words().figure(n)}</option>`)}
        </select>
      </label>
      ${
        isPlaying
          ? html`<button @click=${stop}>${t("Stop")}</button>`
          : html`<button id="a-roll" @click=${roll}>${t("Roll out")}</button>`
      }
    </div>`;
}

/** Milliseconds without a line after which no more are waited for: the server takes less for one, or says why not. */
const PATIENCE = 90_000;

/** @template T @param {Promise<T>} work @returns {Promise<T>} rejected where it takes too long */
function soon(work) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new ApiError(0, "offline", t("The server does not answer."))), PATIENCE);
  });
  return /** @type {Promise<T>} */ (Promise.race([work, late])).finally(() => clearTimeout(timer));
}

/**
 * Ask for a rollout; `report` is called with the interim result after every few games.
 *
 * @param {Record<string, unknown>} asked @param {AbortSignal} signal  ends it
 * @param {(found: import("./results.js").Rollout) => void} report
 */
export async function rollOut(asked, signal, report) {
  /** @type {Response} */
  let answer;
  try {
    answer = await soon(
      fetch("/api/v1/analysis/rollout", {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", "Accept-Language": words().tag },
        body: JSON.stringify(asked),
        signal,
      }),
    );
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ApiError) throw error;
    throw unreached();
  }
  if (!answer.ok || !answer.body) throw refusal(answer, await answer.json().catch(() => null));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await soon(reader.read());
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter(Boolean)) {
        const found = JSON.parse(line);
        if (found.error) throw new ApiError(503, "unavailable", found.error);
        report(found);
      }
    }
  } catch (error) {
    void reader.cancel().catch(() => {});
    if (error instanceof ApiError) throw error;
    if (!signal.aborted) throw unreached();
  }
}

/** What the engine says of the position, and how to ask it. @param {View} view */
export function verdicts(view) {
  const { found, scene, busy } = view;
  if (view.problems.length)
    return html`<section role="alert" class="problems">
      <h2>${t("This position cannot be")}</h2>
      <ul>${view.problems.map((each) => html`<li>${each}</li>`)}</ul>
    </section>`;
  const { draft } = view;
  if (draft && view.isUnanswered) return view.silence("board", () => view.ask(draft));
  if (scene.can.over) return html`<section><p>${scene.can.over}</p></section>`;
  const ask = () =>
    html`<button
      class="pri"
      aria-busy=${busy === "evaluate"}
      ?disabled=${busy === "evaluate"}
      @click=${() => void view.evaluate()}
    >
      ${busy === "evaluate" ? t("The engine is thinking") : view.isHere ? t("Ask the server") : t("Evaluate")}
    </button>`;
  const more = view.isHere
    ? html`<span class="small quiet">${t("It adds reasons, and exact values in the bear-off.")}</span>`
    : nothing;
  return html`${STATIC ? nothing : html`<section class="row">${ask()} ${more}</section>`}
    ${view.silence("evaluate", () => view.evaluate())}
    ${
      found
        ? analysisText(found, {
            chosen: view.chosen,
            choose: (index) => (view.chosen = index),
            picked: view.picked,
            pick: (play, on) => view.pick(play, on),
          })
        : nothing
    }
    ${rolloutPart(view)} ${advanced(view)}`;
}

/** How deep is looked, and which dice are thrown: as they are is right for nearly everybody. @param {View} view */
const advanced = (view) =>
  html`<details class="advanced">
    <summary>${t("Advanced settings")}</summary>
    <div class="row">
      <label class="row small">
        ${t("Depth")}
        <select
          @change=${(/** @type {Event} */ event) => {
            view.plies = Number(/** @type {HTMLSelectElement} */ (event.target).value);
            void view.look();
          }}
        >
          ${[0, 1, 2].map(
            (n) => html`<option value=${n} ?selected=${n === view.plies}>${words().figure(n)}</option>`,
          )}
        </select>
      </label>
      <label class="row small">
        ${t("Seed")}
        <input
          id="a-seed"
          type="number"
          min="0"
          max=${LARGEST_SEED}
          .value=${String(view.seed)}
          @change=${(/** @type {Event} */ event) => {
            const input = /** @type {HTMLInputElement} */ (event.target);
            if (input.reportValidity()) view.seed = input.valueAsNumber || 0;
          }}
        >
      </label>
    </div>
  </details>`;

/** @param {View} view */
function rolloutPart(view) {
  const { rollout, busy, scene, trials } = view;
  return html`<section>
    <h2>${t("Rollout")}</h2>
    ${rolloutFields(
      { can: scene.can, trials, isPlaying: busy === "rollout" },
      { change: (how) => Object.assign(view, how), roll: () => void view.roll(), stop: () => view.stop() },
    )}
    ${
      rollout
        ? rolledOut(rollout)
        : busy === "rollout"
          ? html`<p role="status">${t("The first games are being played")}<span class="dots"></span></p>`
          : nothing
    }
    ${view.silence("rollout", () => view.roll())}
  </section>`;
}

/** Where a text that holds a position is pasted. @param {View} view */
export const pasting = (view) =>
  html`<section>
      <form class="field" @submit=${(/** @type {Event} */ event) => void view.paste(event)}>
        <label for="a-text">${t("Paste an id or a position text")}</label>
        <textarea id="a-text" rows="2" dir="ltr" maxlength=${LONGEST} spellcheck="false"></textarea>
        ${view.refused ? html`<p role="alert" class="bad"><bdi>${view.refused}</bdi></p>` : nothing}
        <div class="row">
          <button>${t("Put it up")}</button>
          <span class="small quiet" ?hidden=${STATIC}>
            ${t("XGID, GNU Backgammon, XG and BGBlitz texts, our ids and links")}
          </span>
        </div>
      </form>
    </section>`;

/** A position taken elsewhere: as a link, as ids of other programs, as a picture, as a board in another page. */
/**
 * @param {{ address: string, ids: Record<string, string>, game: string, viewer: string, material: string,
 *   copy: (text: string) => void }} what
 */
export function sharing({ address, ids, game, viewer, material, copy }) {
  const look = `${viewer === "black" ? "&view=black" : ""}${material === "wood" ? "" : `&look=${material}`}`;
  const source = `${location.origin}/embed/${game}?${address}${look}`;
  const size = `width="480" height="424" loading="lazy" title="Sheshbesh"`;
  const frame = `<iframe src="${source}" ${size}></iframe>`;
  const line = (/** @type {string} */ name, /** @type {string | undefined} */ text) =>
    text
      ? html`<div class="written">
        <span>${name}</span>
        <code dir="ltr">${text}</code>
        <button @click=${() => copy(text)}>${t("Copy")}</button>
      </div>`
      : nothing;
  return html`<details class="sharing">
    <summary>${t("Share")}</summary>
    <div class="stack">
      ${line(t("Link"), `${location.origin}/analysis?${address}`)} ${line(t("Our id"), ids.own)}
      ${line("XGID", ids.xgid)}${line(t("GNU Backgammon id"), ids.gnubg)}
      ${
        STATIC
          ? nothing
          : html`${line(t("For a page of one's own"), frame)}
            <p class="row">
              <a class="button" href="/pictures/board.svg?${address}${look}" download="${game}.svg">${ltr("SVG")}</a>
              <a class="button" href="/pictures/board.png?${address}${look}" download="${game}.png">${ltr("PNG")}</a>
            </p>`
      }
    </div>
  </details>`;
}
