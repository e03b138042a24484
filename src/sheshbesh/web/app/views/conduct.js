/** Conduct at a real board: throwing, touching, placing checkers; traditional beside modern. */
import { t, words } from "../../i18n/i18n.js";
import { once } from "../api.js";
import { drawing } from "../conduct-drawings.js";
import { settings } from "../settings.js";
import { html, nothing, View } from "../view.js";

/**
 * @typedef {{id: string, title: string, text: string, traditional: string | null, modern: string | null,
 *   sources: string[], drawing: string | null}} Topic
 */

class Conduct extends View {
  static properties = { ...View.properties, topics: { state: true } };

  constructor() {
    super();
    /** @type {Topic[] | null} */
    this.topics = null;
  }

  get heading() {
    return t("Conduct at a real board");
  }

  connectedCallback() {
    super.connectedCallback();
    void this.fetch();
  }

  async fetch() {
    this.topics = await this.load(once(`/customs/conduct?lang=${words().tag}`));
    await this.updateComplete;
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  /** @param {Topic} topic */
  topic(topic) {
    const ways = topic.traditional
      ? html`<div class="ways"><div><h3>${t("Traditional")}</h3><p>${topic.traditional}</p></div>
          <div><h3>${t("Modern")}</h3><p>${topic.modern}</p></div></div>`
      : nothing;
    return html`<section class="difference" id=${topic.id} aria-labelledby="title-${topic.id}"><h2 id="title-${topic.id}">${topic.title}</h2>
      <div class="drawn">${topic.drawing ? drawing(topic.drawing) : nothing}<p>${topic.text}</p></div>${ways}
      <p class="small quiet"><bdi>${words().joined(topic.sources, ";")}</bdi></p></section>`;
  }

  render() {
    return html`<div class="page narrow" data-material=${settings.prefs.material}><h1>${this.heading}</h1>
      <p class="lead">${t("For those who play on wood. On a screen the site does most of this.")}</p>
      <p><a href="/customs/differences">${t("Traditional and modern")}</a></p>
      ${this.topics ? html`<div class="card">${this.topics.map((topic) => this.topic(topic))}</div>` : this.waiting()}</div>`;
  }
}

customElements.define("ssb-conduct", Conduct);
