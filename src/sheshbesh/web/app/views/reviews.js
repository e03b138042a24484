/** One's reviews: a file to upload, what is under way, what is done, and how one's error rate has gone. */

import { SIDES } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { gameTitles, get, post } from "../api.js";
import { areaLinks } from "../drill/area.js";
import { levelName } from "../names.js";
import { playerOf } from "../review/detail.js";
import { html, ltr, named, nothing, nothingYet, states, table, tenths, View } from "../view.js";

const AGAIN = 2000;
const LARGEST = 2 * 1024 * 1024;

/** @typedef {import("../review/detail.js").Review} Review */
/** @typedef {{name: string, decisions: number, rate: number, error: number}} Group */

/** A file as base64. @param {Blob} file @returns {Promise<string>} */
const encoded = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** An error rate with its standard error. @param {{rate: number, error: number}} rate */
const rateText = ({ rate, error }) => ltr(`${tenths(rate)} ± ${tenths(error)}`);

/** @typedef {{id: string, at: number, variant: string, rate: number, error: number}} Point */

/** The drawing of the error rates. */
const WIDTH = 640;
const HEIGHT = 180;
const LEFT = 44;

/**
 * The error rate from review to review: points with their standard errors.
 * @param {Point[]} points the oldest first, at least one
 */
function errorCurve(points) {
  const high = Math.max(10, ...points.map(({ rate, error }) => rate + error));
  const y = (/** @type {number} */ rate) => 10 + (HEIGHT - 34) * (1 - Math.max(rate, 0) / high);
  const x = (/** @type {number} */ i) => LEFT + 12 + ((WIDTH - LEFT - 24) * (i + 0.5)) / points.length;
  const figure = (/** @type {number} */ value) => words().formatted(value, { maximumFractionDigits: 1 });
  const label = tn("Error rate of {n} match", "Error rate of {n} matches", points.length);
  return html`<figure class="curve rates">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
      ${[0, high / 2, high].map(
        (rate) =>
          svg`<line class="grid" x1=${LEFT} x2=${WIDTH} y1=${y(rate)} y2=${y(rate)}></line><text
              x=${LEFT - 8}
              y=${y(rate) + 5}
              text-anchor="end"
            >${figure(rate)}</text>`,
      )}
      ${points.map(
        ({ rate, error }, i) =>
          svg`<line class="whisker" x1=${x(i)} x2=${x(i)} y1=${y(rate - error)} y2=${y(rate + error)}></line><circle
              cx=${x(i)}
              cy=${y(rate)}
              r="4.5"
            ></circle>`,
      )}
    </svg>
    <figcaption class="small quiet">
      ${t("The oldest is at the left; whiskers are standard errors.")}
    </figcaption>
  </figure>`;
}

class ReviewsView extends View {
  static properties = states("list", "history", "busy", "refused");

  constructor() {
    super();
    /** @type {Review[] | null} */
    this.list = null;
    /** @type {{points: Point[], variant: Group[], level: Group[], phase: Group[]} | null} */
    this.history = null;
    this.busy = false;
    this.refused = "";
    /** @type {Map<string, string>} */
    this.titles = new Map();
  }

  get heading() {
    return t("Reviews");
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.place.query.has("shared")) void this.takeShared();
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.titles = (await this.load(gameTitles())) ?? this.titles;
    /** @type {Review[] | null} */
    const list = await this.load(get("/reviews"));
    if (!this.isConnected) return;
    if (!list) {
      // The list shown is marked as old, and is requested again.
      if (this.list) this.later(() => this.fetch(), AGAIN);
      return;
    }
    const done = (/** @type {Review[] | null} */ of) => of?.filter((each) => each.state === "done").length;
    if (done(list) !== done(this.list)) this.history = await this.load(get("/reviews/history"));
    this.list = list;
    if (list.some((each) => each.state === "waiting" || each.state === "running"))
      this.later(() => this.fetch(), AGAIN);
  }

  /** The file that was shared with the installed page, which its service worker has kept. */
  async takeShared() {
    const cache = await caches.open("shared");
    const kept = await cache.match("/shared-file");
    if (!kept) return;
    await cache.delete("/shared-file");
    const name = decodeURIComponent(kept.headers.get("File-Name") ?? "");
    await this.app.identity.catch(() => {});
    await this.send(new File([await kept.blob()], name));
  }

  /** @param {Event} event */
  async upload(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (file) await this.send(file);
    input.value = "";
  }

  /** @param {File} file */
  async send(file) {
    this.refused = file.size > LARGEST ? t("A match file has at most 2 MB.") : "";
    if (this.refused) return;
    this.busy = true;
    try {
      const { url } = await post("/uploads", { name: file.name.slice(0, 200), content: await encoded(file) });
      this.app.go(url);
    } catch (error) {
      this.refused = error instanceof Error ? error.message : String(error);
    } finally {
      this.busy = false;
    }
  }

  /** @param {Review} each */
  line(each) {
    const { done = 0, total = 0 } = each.progress;
    const status = {
      waiting: t("waiting"),
      running: t("{done} of {total}", { done: words().figure(done), total: words().figure(total) }),
      failed: t("failed"),
      done: "",
    }[each.state];
    const [white, black] = SIDES.map((side) => playerOf(each, side));
    const rates = SIDES.map((side) => each.rates[side]).map((rate, i) =>
      rate
        ? html`${i ? " · " : nothing}<i class="disc ${i ? "black" : "white"}"></i> ${rateText(rate)}`
        : nothing,
    );
    return html`<div class="line">
      <div>
        <a href="/review/${each.id}">${named(white)} – ${named(black)}</a>
        <br>
        <span class="small quiet">${this.titles.get(each.variant) ?? each.variant} ·
          ${words().moment(each.created)}${each.file ? html` · <bdi>${each.file}</bdi>` : nothing}</span>
      </div>
      <div class="small">${each.state === "done" ? rates : status}</div>
    </div>`;
  }

  /** @param {string} title @param {Group[]} groups @param {(name: string) => string} called */
  groups(title, groups, called) {
    if (!groups.length) return nothing;
    const rows = groups.map((each) => [called(each.name), words().figure(each.decisions), rateText(each)]);
    return table([title, t("Decisions"), t("Error rate")], rows, { named: true, numbers: [1, 2] });
  }

  past() {
    if (!this.history?.points.length) return nothing;
    const { points, variant, level, phase } = this.history;
    const phases = /** @type {Record<string, string>} */ ({
      contact: t("Plays with contact"),
      race: t("Plays in a race"),
      cube: t("The cube"),
    });
    const kinds = /** @type {Record<string, string>} */ ({
      guest: t("Guests"),
      user: t("Players"),
      bot: t("Programs"),
      unknown: t("unknown"),
    });
    return html`<section class="card stack">
      <h2>${t("My error rate")}</h2>
      <p class="small quiet">
        ${t("Thousandths of a point lost at each decision, with the standard error; from reviews of my own matches.")}
      </p>
      ${errorCurve(points)} ${this.groups(t("Game"), variant, (name) => this.titles.get(name) ?? name)}
      ${this.groups(t("Opponent"), level, (name) => kinds[name] ?? levelName(name))}
      ${this.groups(t("Phase"), phase, (name) => phases[name] ?? name)}
    </section>`;
  }

  render() {
    const { list } = this;
    if (!list) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow">
      <h1>${t("Reviews")}</h1>
      ${areaLinks("reviews")}
      <section class="card stack">
        <h2>${t("Review a match file")}</h2>
        <p>
          ${t(
            "From Backgammon Galaxy, XG, GNU Backgammon and others (.mat, .txt, .sgf, .xg), or a " +
              "record from here. Nobody else sees it.",
          )}
        </p>
        <label class="button pri upload" aria-busy=${this.busy}>
          ${this.busy ? t("The file is being read") : t("Choose a file")}
          <input
            class="sr"
            type="file"
            ?disabled=${this.busy}
            @change=${(/** @type {Event} */ event) => void this.upload(event)}
          >
        </label>
        ${this.refused ? html`<p role="alert"><bdi>${this.refused}</bdi></p>` : nothing}
      </section>
      <section class="card stack">
        <h2>${t("Analysis board")}</h2>
        <p>${t("Any position of any game, put up by hand or pasted: chances, plays, the cube, rollouts.")}</p>
        <p><a class="button" href="/analysis">${t("To the analysis board")}</a></p>
      </section>
      <section class="card stack">
        <h2>${t("My reviews")}</h2>
        ${
          this.problem
            ? html`<p role="alert">
              ${this.problem} <button @click=${() => void this.fetch()}>${t("Try again")}</button>
            </p>`
            : nothing
        }
        ${
          list.length
            ? html`<p class="small quiet">
                ${tn(
                  "{n} review; each number is an error rate with its standard error",
                  "{n} reviews; each number is an error rate with its standard error",
                  list.length,
                )}
              </p>
              <div class="lines">${list.map((each) => this.line(each))}</div>`
            : nothingYet(t("None yet: after a match, choose Review."), ["/", t("Play")])
        }
      </section>
      ${this.past()}
    </div>`;
  }
}

customElements.define("ssb-reviews", ReviewsView);
