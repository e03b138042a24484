/** The rules of a game, in the player's language, each with its source. */
import { t, words } from "../../i18n/i18n.js";
import { aboutGame } from "../about-game.js";
import { once, STATIC } from "../api.js";
import { ruleCard } from "../rule-text.js";
import { html, states, View } from "../view.js";

/**
 * @typedef {import("../about-game.js").Game & import("../wire.js").ListedGame} Game
 * @typedef {Game & {rules?: import("../rule-text.js").RuleLine[]}} About
 */

class Rules extends View {
  static properties = states("variants", "about");

  constructor() {
    super();
    /** @type {import("../wire.js").ListedGame[] | null} */
    this.variants = null;
    /** @type {About | null} */
    this.about = null;
  }

  get heading() {
    return this.about?.title ?? t("Rules");
  }

  async fetch() {
    const { game } = this.place.params;
    const lang = words().tag;
    if (!game) {
      this.variants = await this.load(once(`/variants?lang=${lang}`));
      return;
    }
    const card = this.place.query.get("card");
    const query = card ? `?card=${encodeURIComponent(card)}&lang=${lang}` : `?lang=${lang}`;
    this.about = await this.load(once(`/variants/${encodeURIComponent(game)}${query}`));
    if (!this.about) return;
    document.title = `${this.about.title} · ${t("Sheshbesh")}`;
    await this.updateComplete;
    // A rule's id, such as #hit_run.ban: it was not there when the browser looked for it.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  render() {
    const { about, variants } = this;
    if (variants) {
      return html`<div class="page">
        <h1>${t("Rules")}</h1>
        <p class="row" ?hidden=${STATIC}>
          <a class="button" href="/customs/differences">${t("Traditional and modern")}</a>
          <a class="button" href="/customs/conduct">${t("Conduct at a real board")}</a>
        </p>
        <ul class="tiles">
          ${variants.map(
            (variant) =>
              html`<li>
                <a class="tile" href="/rules/${variant.name}">
                  <h2>${variant.title}</h2>
                  <p>${variant.description}</p>
                </a>
              </li>`,
          )}
        </ul>
      </div>`;
    }
    if (!about) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow">
      <h1>${about.title}</h1>
      <p class="lead">${about.description}</p>
      <div class="row">
        <a class="button pri" href=${STATIC ? `/local?game=${about.name}` : `/play/${about.name}`}>${t("Play")}</a>
        <a class="button" href="/learn/first-${about.name}">${t("Never played? The first steps")}</a>
        <a class="button" href="/learn/${about.name}">${t("Five minutes of lessons")}</a>
      </div>
      ${aboutGame(about)}
      <section class="card" aria-labelledby="rules">
        <h2 id="rules">${t("Rules")}</h2>
        ${ruleCard(about.rules ?? [])}
      </section>
    </div>`;
  }
}

customElements.define("ssb-rules", Rules);
