/** Pictures that the server makes in the background: asked for until they are there, and saved as files. */
import { t, words } from "../i18n/i18n.js";
import { ApiError } from "./api.js";
import { traffic } from "./traffic.js";

/** @param {number} seconds @returns {Promise<void>} */
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/**
 * A picture, asked for again while it is being made.
 * @param {string} address
 * @returns {Promise<Blob>}
 */
export async function made(address) {
  for (;;) {
    const headers = { "Accept-Language": words().tag };
    const answer = await traffic
      .track(fetch(address, { credentials: "same-origin", headers }))
      .catch(() => null);
    if (!answer) throw new ApiError(0, "offline", t("The server cannot be reached."));
    if (answer.ok) return answer.blob();
    const { error } = await answer.json();
    if (error.code !== "making") throw new ApiError(answer.status, error.code, error.text);
    await pause(Number(answer.headers.get("Retry-After") ?? 5));
  }
}

/** Let the browser save a file. @param {Blob} content @param {string} name */
export function save(content, name) {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
