/** A rollout: what is asked for, and its results line by line, until it is finished or cancelled. */

import { t, words } from "../../i18n/i18n.js";
import { ApiError } from "../api.js";
import { html } from "../view.js";

const TRIALS = [144, 324, 1296, 5184];
const LARGEST_SEED = 2 ** 31 - 1;

/**
 * How many games from which seed, and the button.
 *
 * @param {{ can: { play: boolean, cube: boolean }, trials: number, seed: number, isPlaying: boolean }} now
 * @param {{ change: (how: { trials?: number, seed?: number }) => void, roll: () => void, stop: () => void }} act
 */
export function rolloutFields({ can, trials, seed, isPlaying }, { change, roll, stop }) {
  const what = can.play
    ? t("The plays that are ticked are played out against each other with the same dice, four at most.")
    : can.cube
      ? t("Doubling and not doubling are played out with the same dice.")
      : t("The position is played out to its end, again and again.");
  return html`<p class="small quiet">${what}</p>
    <div class="row"><label class="row small">${t("Games")} <select id="a-trials" @change=${(/** @type {Event} */ event) => change({ trials: Number(/** @type {HTMLSelectElement} */ (event.target).value) })}>${TRIALS.map((n) => html`<option value=${n} ?selected=${n === trials}>${words().figure(n)}</option>`)}</select></label>
      <label class="row small">${t("Seed")} <input id="a-seed" type="number" min="0" max=${LARGEST_SEED} .value=${String(seed)} @change=${(
        /** @type {Event} */ event,
      ) => {
        const input = /** @type {HTMLInputElement} */ (event.target);
        if (input.reportValidity()) change({ seed: input.valueAsNumber || 0 });
      }}></label>
      ${isPlaying ? html`<button @click=${stop}>${t("Stop")}</button>` : html`<button id="a-roll" @click=${roll}>${t("Roll out")}</button>`}</div>`;
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
    throw new ApiError(0, "offline", t("The server cannot be reached."));
  }
  if (!answer.ok || !answer.body) {
    const { error } = await answer.json().catch(() => ({ error: {} }));
    const status = String(answer.status);
    throw new ApiError(
      answer.status,
      error?.code ?? status,
      error?.text ?? t("The server answered with an error ({status}).", { status }),
    );
  }
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
    if (!signal.aborted) throw new ApiError(0, "offline", t("The server cannot be reached."));
  }
}
