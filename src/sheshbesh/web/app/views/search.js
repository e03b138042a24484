/** Positions of reviews found by what kind they are, by the checkers on the points, and by the loss. */

import { thumbnail } from "../../board/thumbnail.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { gameTitles, get, once } from "../api.js";
import { BoardView, boardElement } from "../board-view.js";
import { areaLinks, holdingWord, themeWord } from "../drill/area.js";
import { options, textOf } from "../fields.js";
import { playArrows } from "../grades.js";
import { candidates, roll } from "../review/detail.js";
import { settings } from "../settings.js";
import { boardFrame } from "../step-view.js";
import { html, ltr, nothing, states, thousandths } from "../view.js";

/**
 * @typedef {{review: string, n: number, own: boolean, kind: string, side: "white" | "black", dice: number[] | null,
 *   loss: number, themes: string[], board: import("../../board/types.js").Board | null}} Found
 */

/** What may be asked of a point, in the order in which taps go through it. */
const HOLDINGS = ["", "made", "blot", "own", "their_made", "their_blot", "their", "empty"];
/** The sign of each on the small board. */
const SIGNS = /** @type {Record<string, string>} */ ({
  "": "",
  made: "●●",
  blot: "●",
  own: "●+",
  their_made: "○○",
  their_blot: "○",
  their: "○+",
  empty: "×",
});
/** Thousandths of a point that the decision lost at least. */
const LOSSES = [0, 20, 40, 80, 160];
/** The numbers of checkers that may be asked for at least. */
const LEAST = [1, 2, 3, 4, 5, 6, 8, 10];
/** What each number counts. @param {string} name */
const countWord = (name) =>
  /** @type {Record<string, string>} */ ({
    back: t("Own checkers back"),
    their_back: t("Their checkers back"),
    pins: t("Checkers held"),
    pinned: t("Own checkers held"),
    head: t("Checkers on the head"),
  })[name] ?? name;
/** The points in the order of a board, from the point of view of the side that decides. */
const ROWS = [Array.from({ length: 12 }, (_, i) => 13 + i), Array.from({ length: 12 }, (_, i) => 12 - i)];

export class SearchView extends BoardView {
  static properties = states("titles", "themes", "counts", "wanted", "found", "open", "detail");

  constructor() {
    super();
    /** @type {Map<string, string> | null} */
    this.titles = null;
    /** Those that the game can have. @type {string[]} */
    this.themes = [];
    /** The numbers of checkers that the game can be asked for. @type {string[]} */
    this.counts = [];
    this.wanted = {
      game: String(settings.prefs.last.game ?? "backgammon"),
      whose: "all",
      kind: "",
      loss: 0,
      themes: /** @type {string[]} */ ([]),
      points: /** @type {Record<number, string>} */ ({}),
      least: /** @type {Record<string, number>} */ ({}),
    };
    /** @type {Found[] | null} */
    this.found = null;
    /** @type {Found | null} */
    this.open = null;
    /** @type {(import("../review/detail.js").Detail & {layout: import("../../board/types.js").Layout}) | null} */
    this.detail = null;
    this.asked = 0;
  }

  get heading() {
    return t("Positions");
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.titles = await this.load(gameTitles());
    if (this.titles) await this.change({});
  }

  /** Another question. @param {Partial<SearchView["wanted"]>} change */
  async change(change) {
    this.wanted = { ...this.wanted, ...change };
    this.open = null;
    const turn = ++this.asked;
    const isDone = await this.attempt(() => this.find(turn));
    // What was found before is no answer to this question.
    if (!isDone && turn === this.asked) this.found = null;
  }

  /** @param {number} turn  the question that is asked; a later one goes before it */
  async find(turn) {
    const { game, whose, kind, loss, points, least } = this.wanted;
    /** @type {string[][]} */
    const [themes, counts] = await Promise.all(
      ["themes", "counts"].map((what) => once(`/positions/${what}/${encodeURIComponent(game)}`)),
    );
    if (turn !== this.asked) return;
    this.themes = themes;
    this.counts = counts;
    const named = this.wanted.themes.filter((each) => themes.includes(each));
    const query = new URLSearchParams({
      game,
      whose,
      kind,
      loss: String(loss),
      themes: named.join(","),
      points: Object.entries(points)
        .map(([point, holding]) => `${point}=${holding}`)
        .join(","),
      ...Object.fromEntries(counts.flatMap((name) => (least[name] ? [[name, String(least[name])]] : []))),
    });
    const found = await get(`/positions?${query}`);
    if (turn === this.asked) this.found = found;
  }

  /** @param {number} point */
  turn(point) {
    const now = this.wanted.points[point] ?? "";
    const next = HOLDINGS[(HOLDINGS.indexOf(now) + 1) % HOLDINGS.length];
    const points = { ...this.wanted.points };
    if (next) points[point] = next;
    else delete points[point];
    void this.change({ points });
  }

  /** @param {Found} each */
  async show(each) {
    this.open = each;
    this.detail = null;
    const isShown = await this.attempt(async () => {
      const detail = await get(`/positions/${each.review}/${each.n}?lang=${words().tag}`);
      if (this.open !== each) return;
      this.showTurn(detail, { decider: detail.decider, playable: false });
      this.detail = detail;
    });
    if (this.open !== each) return;
    if (!isShown) {
      this.open = null;
      return;
    }
    await this.updateComplete;
    this.querySelector(".opened")?.scrollIntoView({ block: "nearest" });
  }

  pattern() {
    const { points } = this.wanted;
    const cell = (/** @type {number} */ point) => {
      const holding = points[point] ?? "";
      const label = t("Point {n}: {what}", { n: String(point), what: holdingWord(holding) });
      return html`<button
        class=${holding ? "set" : ""}
        aria-label=${label}
        title=${label}
        @click=${() => this.turn(point)}
      >
        <span class="sign-of" aria-hidden="true">${SIGNS[holding]}</span><small>${point}</small>
      </button>`;
    };
    return html`<fieldset class="field">
      <legend>${t("On the points, as the side that decides counts them: tap to change")}</legend>
      <div class="pattern" dir="ltr">${ROWS.map((row) => html`<div>${row.map(cell)}</div>`)}</div>
      ${
        Object.keys(points).length
          ? html`<div class="row small">
            <span class="quiet">${Object.entries(points).map(
              ([point, holding], i) =>
                html`${i ? " · " : nothing}${words().figure(Number(point))}: ${holdingWord(holding)}`,
            )}</span>
            <button @click=${() => void this.change({ points: {} })}>${t("Clear")}</button>
          </div>`
          : nothing
      }
    </fieldset>`;
  }

  /** How many checkers must be somewhere, for the games in which there is such a place. */
  checkers() {
    const { counts, wanted } = this;
    const set = (/** @type {string} */ name, /** @type {number} */ count) =>
      void this.change({ least: { ...wanted.least, [name]: count } });
    return html`<div class="fields">
      ${counts.map((name) => {
        const now = wanted.least[name] ?? 0;
        return html`<label class="field">
          <span class="label">${countWord(name)}</span>
          <select
            data-count=${name}
            @change=${(/** @type {Event} */ event) => set(name, Number(textOf(event)))}
          >
            <option value="0" ?selected=${!now}>${t("Any")}</option>
            ${options(
              LEAST.map((count) => [count, t("{n} or more", { n: words().figure(count) })]),
              now,
            )}
          </select>
        </label>`;
      })}
    </div>`;
  }

  form() {
    const { wanted, titles, themes } = this;
    const select = (
      /** @type {string} */ label,
      /** @type {"game" | "whose" | "kind" | "loss"} */ name,
      /** @type {[string, string][]} */ all,
    ) =>
      html`<label class="field">
        <span class="label">${label}</span>
        <select @change=${(/** @type {Event} */ event) => void this.change({ [name]: textOf(event) })}>
          ${options(all, String(wanted[name]))}
        </select>
      </label>`;
    const toggle = (/** @type {string} */ theme) =>
      wanted.themes.includes(theme)
        ? wanted.themes.filter((each) => each !== theme)
        : [...wanted.themes, theme];
    return html`<form class="card stack" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <div class="fields">
        ${select(t("Game"), "game", [...(titles ?? new Map())])}
        ${select(t("Reviews"), "whose", [
          ["all", t("Mine and public ones")],
          ["own", t("Mine")],
          ["public", t("Public ones")],
        ])}
        ${select(t("Decision"), "kind", [
          ["", t("Any")],
          ["play", t("Play")],
          ["double", t("Double")],
          ["take", t("Take")],
        ])}
        ${select(
          t("Loses at least"),
          "loss",
          LOSSES.map((loss) => [String(loss), loss ? thousandths(loss / 1000) : t("Any")]),
        )}
      </div>
      <div class="chips" role="group" aria-label=${t("Kind of position")}>
        ${themes.map(
          (theme) =>
            html`<button
              type="button"
              class="chip"
              aria-pressed=${wanted.themes.includes(theme)}
              @click=${() => void this.change({ themes: toggle(theme) })}
            >${themeWord(theme)}</button>`,
        )}
      </div>
      ${this.checkers()}${this.pattern()}
    </form>`;
  }

  /** @param {Found} each */
  tile(each) {
    return html`<li>
      <button
        class="found"
        aria-current=${this.open === each ? "true" : nothing}
        @click=${() => void this.show(each)}
      >
        ${each.board ? thumbnail(each.board) : nothing}
        <span><i class="disc ${each.side}"></i>
          ${each.dice ? roll(each.dice) : each.kind === "take" ? t("Take") : t("Double")}${
            each.loss ? html` <b>${ltr(thousandths(-each.loss))}</b>` : nothing
          }
          <small class="quiet">${each.themes.map(themeWord).join(" · ")}</small></span>
      </button>
    </li>`;
  }

  /** The position that was opened. */
  opened() {
    const { open, detail } = this;
    if (!open || !detail) return nothing;
    const [best] = detail.candidates;
    return html`<section class="opened">
      ${boardFrame("", {
        board: boardElement({
          game: this.wanted.game,
          layout: detail.layout,
          state: this.state,
          advice: detail.dice ? playArrows(detail, best?.steps, null) : null,
        }),
        told: html`${candidates(detail, null)}${detail.reason ? html`<p>${detail.reason}</p>` : nothing}
          ${
            open.own
              ? html`<p><a class="button" href="/review/${open.review}?n=${open.n}">${t("To the review")}</a></p>`
              : nothing
          }`,
      })}
    </section>`;
  }

  render() {
    const { titles, found } = this;
    if (!titles) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow"><h1>${t("Positions")}</h1>${areaLinks("search")}${this.form()}</div>
      ${this.opened()}
      <div class="page narrow">
        ${
          found
            ? html`<p class="quiet small" role="status">
                ${
                  found.length
                    ? tn(
                        "{n} position, the largest loss first",
                        "{n} positions, the largest loss first",
                        found.length,
                      )
                    : t(
                        "There are none. Positions come from reviews of yours, and from those that " +
                          "others have made public.",
                      )
                }
              </p>
              <ul class="positions" data-material=${settings.prefs.material}>
                ${found.map((each) => this.tile(each))}
              </ul>`
            : nothing
        }
      </div>`;
  }
}

customElements.define("ssb-search", SearchView);
