/**
 * A record of a game on a real board: the site is the referee, the dice are typed or thrown by it, plays are tapped.
 */

import { t, words } from "../../i18n/i18n.js";
import { get, once, post } from "../api.js";
import { entered, field, options } from "../fields.js";
import { html } from "../view.js";
import { outcome, sideName } from "./score.js";
import { rematchOf, TableStore } from "./store.js";

/**
 * @typedef {import("../view.js").View & {table: import("./store.js").Table, games: {name: string,
 *   title: string}[], set: (changes: Partial<import("./store.js").Table>) => void, nextMatch: () => void}} TableView
 */

/**
 * Take over the present state of the record. Without a connection the score stays as it is.
 * @param {TableView} view
 */
export async function follow(view) {
  const { record } = view.table;
  if (!record) return;
  const recorded = await get(`/matches/${encodeURIComponent(record)}`).catch(() => null);
  if (recorded && view.table.record === record)
    view.set({ match: { ...view.table.match, ...outcome(recorded) } });
}

/**
 * A rematch of the match that keeps the score does so from then on.
 * @param {Pick<Storage, "getItem" | "setItem">} kept @param {string} before @param {string} after ids of the two
 *   matches
 */
export async function carryOn(kept, before, after) {
  const at = new TableStore(kept);
  if (at.read().record !== before) return;
  const matches = [before, after].map((id) => get(`/matches/${encodeURIComponent(id)}`).catch(() => null));
  const [recorded, again] = await Promise.all(matches);
  // Read once more: this may be asked for twice.
  const table = at.read();
  if (table.record !== before || !recorded || !again) return;
  at.keep({ ...rematchOf(table, recorded, again), record: after });
}

/**
 * The games on offer; none without a connection, where a table keeps its score all the same.
 * @returns {Promise<{name: string, title: string}[]>}
 */
export const gamesOnOffer = async () => (await once(`/variants?lang=${words().tag}`).catch(() => null)) ?? [];

/** @param {import("./store.js").Table} table @param {string} game @param {boolean} typed */
function cardOf({ match, clock, onePair }, game, typed) {
  const letter = match.by === "games" ? "g" : "p";
  const parts = [game, match.length === null ? "m" : `${letter}${match.length}`];
  if (clock !== "n") parts.push(`clock-${clock.replaceAll(".", "_")}`);
  if (onePair) parts.push("onepair");
  if (typed) parts.push("dice-typed");
  return parts.join(".");
}

/** @param {TableView} view @param {SubmitEvent} event */
async function start(view, event) {
  const form = entered(event);
  const { table } = view;
  await view.attempt(async () => {
    await view.app.identified();
    const { id, url } = await post("/matches", {
      card: cardOf(table, String(form.get("game")), form.get("dice") === "typed"),
      opponent: { kind: "hotseat", names: [sideName(table.match, "white"), sideName(table.match, "black")] },
      side: "white",
      private: true,
    });
    // What was entered by hand was another match.
    view.nextMatch();
    view.set({ record: id });
    view.app.go(url);
  });
}

/** @param {TableView} view */
export function recordForm(view) {
  const { games } = view;
  return html`<section class="card stack" aria-labelledby="table-record">
    <h2 id="table-record">${t("A record, with the site as referee")}</h2>
    <p class="quiet small">
      ${t(
        "Type the dice that lie on the board, or let the site throw them, and tap each play: the " +
          "rules are watched over, and the match can be replayed and reviewed. Players, length and " +
          "clock are those set up here.",
      )}
    </p>
    <form class="stack" @submit=${(/** @type {SubmitEvent} */ event) => start(view, event)}>
      ${field(
        "record-game",
        t("Game"),
        html`<select id="record-game" name="game" required ?disabled=${!games.length}>
          ${options(games.map(({ name, title }) => [name, title]))}
        </select>`,
      )}
      <fieldset class="field">
        <legend>${t("Dice")}</legend>
        <div class="segments two">
          <label><input type="radio" name="dice" value="typed" checked>${t("typed in from a real board")}</label>
          <label><input type="radio" name="dice" value="site">${t("thrown by the site")}</label>
        </div>
      </fieldset>
      <button ?disabled=${!games.length}>${t("Start the record")}</button>
      ${games.length ? "" : html`<p class="small quiet">${t("This needs a connection.")}</p>`}
    </form>
  </section>`;
}
