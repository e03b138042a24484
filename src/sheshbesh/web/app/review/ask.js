/** One tap from a match that has ended to its review. */

import { post } from "../api.js";

/**
 * Ask for the review of a match that has ended, and go there.
 * @param {import("../view.js").View} view
 * @param {string} match
 */
export const askForReview = (view, match) =>
  view.attempt(async () => {
    const { url } = await post("/reviews", { match });
    view.app.go(url);
  });
