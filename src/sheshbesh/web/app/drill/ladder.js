/** The people of a game by their ratings at its puzzles, and how oneself stands. */

import { t, words } from "../../i18n/i18n.js";
import { get } from "../api.js";
import { html, nothing, personLink, states, table, View } from "../view.js";
import { ratingText } from "./area.js";

/**
 * @typedef {{rating: number, deviation: number, provisional: boolean, answers: number}} Rating
 * @typedef {{game: string, people: (Rating & {user: {id: string, name: string, kind: string}})[], count: number,
 *   own: (Rating & {place: number | null}) | null}} Ladder
 */

class PuzzleLadder extends View {
  static properties = { game: { type: String }, answers: { type: Number }, ...states("ladder") };

  constructor() {
    super();
    this.game = "";
    /** How many answers were given here: a new one changes the ratings. */
    this.answers = 0;
    /** @type {Ladder | null} */
    this.ladder = null;
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("game")) this.ladder = null;
    if (this.game && (changed.has("game") || changed.has("answers"))) void this.read(this.game);
  }

  /** @param {string} game */
  async read(game) {
    await this.app.identity.catch(() => {});
    // The puzzles can be solved without it.
    const found = await get(`/puzzles/${encodeURIComponent(game)}/ladder`).catch(() => null);
    if (found && game === this.game) this.ladder = found;
  }

  /** How the player stands. @param {Ladder} ladder */
  own({ own, count }) {
    if (!own)
      return html`<p class="quiet">
        ${t("Your first answer to each puzzle is rated, and so is the puzzle. You have answered none yet.")}
      </p>`;
    const place =
      own.place === null
        ? t("still a guess: solve more to get a place")
        : t("place {place} of {count}", {
            place: words().figure(own.place),
            count: words().figure(count),
          });
    return html`<p>${t("Puzzle rating")} ${ratingText(own)} <span class="quiet">${place}</span></p>`;
  }

  render() {
    const { ladder } = this;
    if (!ladder) return nothing;
    const mine = this.app.user?.id;
    return html`<section class="card stack ladder" aria-labelledby="ladder">
      <h2 id="ladder">${t("Ladder")}</h2>
      ${this.own(ladder)}
      ${
        ladder.people.length
          ? table(
              [t("Place"), t("Player"), t("Rating"), t("Puzzles")],
              ladder.people.map((each, i) => [
                words().figure(i + 1),
                personLink(each.user.name),
                ratingText(each),
                words().figure(each.answers),
              ]),
              { numbers: [0, 2, 3], current: ladder.people.findIndex(({ user }) => user.id === mine) },
            )
          : html`<p class="quiet small">${t("Nobody has a sure rating in this game yet.")}</p>`
      }
    </section>`;
  }
}

customElements.define("ssb-puzzle-ladder", PuzzleLadder);
