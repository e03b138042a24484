/** Requests the review of a match that has ended. */

import { post } from "../api.js";

/**
 * Request the review of a match that has ended, and go to it.
 * @param {import("../view.js").View} view
 * @param {string} match
 */
export const requestReview = (view, match) =>
  view.attempt(async () => {
    const { url } = await post("/reviews", { match });
    view.app.go(url);
  });
