/** A rollout in progress: its results line by line, until it is finished or cancelled. */

import { t, words } from "../../i18n/i18n.js";
import { ApiError } from "../api.js";

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
