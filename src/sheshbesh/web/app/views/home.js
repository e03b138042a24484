/** The first page: choose a game, choose an opponent, play. */
import { repeat } from "../../vendor/lit.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { get, once, post } from "../api.js";
import { guestName, levelName } from "../names.js";
import { TableCard } from "../table-card.js";
import { settings } from "../settings.js";
import { View, html, nothing } from "../view.js";

/**
 * @typedef {{name: string, title: string, native?: Record<string, string>, family: string, description: string,
 *   region?: string, options: any[], has_cube: boolean, lengths: number[], levels: any[]}} Variant
 */

const OPPONENTS = ["engine", "friend", "hotseat", "seek"];

class Home extends View {
  static properties = { ...View.properties, variants: { state: true }, kind: { state: true }, busy: { state: true }, details: { state: true } };

  constructor() {
    super();
    /** @type {Variant[] | null} */
    this.variants = null;
    /** Whom we challenge, if anybody. */
    this.rival = "";
    this.kind = OPPONENTS.includes(String(settings.prefs.last.kind)) ? String(settings.prefs.last.kind) : "engine";
    this.busy = false;
    /** @type {typeof import("../table-details.js").details | undefined} */
    this.details = undefined;
    this.table = new TableCard(() => this.requestUpdate());
  }

  get heading() {
    return "";
  }

  connectedCallback() {
    super.connectedCallback();
    this.rival = this.place.query.get("challenge") ?? "";
    if (this.rival) this.kind = "challenge";
    void this.fetch();
    void this.lookBack();
  }

  /** Whoever comes back finds what he left; a stranger's first page does without that. */
  async lookBack() {
    await this.app.identity.catch(() => {});
    const left = await Promise.all([get("/me/matches"), get("/me/invites")].map((asked) => asked.catch(() => [])));
    if (left.some((list) => list.length)) await import("../going.js").catch(() => {});
  }

  async fetch() {
    /** @type {Variant[] | null} */
    const found = await this.load(once(`/variants?lang=${words().tag}`));
    this.variants = found;
    const wanted = this.place.params.game ?? settings.prefs.last.game;
    const variant = found?.find(({ name }) => name === wanted) ?? found?.[0];
    if (variant) this.table.choose(variant);
    // While the player chooses, the board is fetched.
    setTimeout(() => void import("./match.js").catch(() => {}), 1200);
  }

  /** @param {Variant} variant */
  choose(variant) {
    this.table.choose(variant);
    this.app.router.go(`/play/${variant.name}${this.rival ? `?challenge=${encodeURIComponent(this.rival)}` : ""}`, { replace: true });
  }

  /** @param {Event} event */
  async play(event) {
    event.preventDefault();
    const { variant } = this.table;
    if (!variant || this.busy) return;
    this.busy = true;
    settings.set({ last: { ...settings.prefs.last, game: variant.name, ...(this.rival ? {} : { kind: this.kind }) } });
    await this.attempt(async () => {
      // What failed when the page was opened may succeed now.
      if (!this.app.user) void this.app.identify();
      await this.app.identity;
      this.table.keep();
      const wish = this.table.request(this.kind, this.app.user?.kind === "guest");
      if (this.kind === "seek") {
        await post("/seeks", { card: wish.card, side: wish.side, rated: wish.rated });
        if (this.app.challenges) this.app.challenges.seeking = true;
        return this.app.go("/lobby");
      }
      if (this.kind === "challenge") {
        await this.app.challenges?.challenge({ to: this.rival, card: wish.card, side: wish.side, rated: wish.rated });
        return this.app.go("/lobby");
      }
      const made = await post("/matches", wish);
      this.app.go(made.invite ?? made.url);
    });
    this.busy = false;
  }

  /** @param {string} kind */
  opponent(kind) {
    switch (kind) {
      case "engine":
        return [t("Computer"), t("Play")];
      case "friend":
        return [t("A friend"), t("Invite a friend")];
      case "hotseat":
        return [t("Same screen"), t("Play")];
      case "challenge":
        return [guestName(this.rival), t("Challenge {name}", { name: guestName(this.rival) })];
      default:
        return [t("Anyone"), t("Find an opponent")];
    }
  }

  /** @param {Variant} variant */
  tile(variant) {
    const chosen = this.table.variant?.name === variant.name;
    const code = words().language.code;
    const [lang, own = ""] = Object.entries(variant.native ?? {})[0] ?? [];
    // Where the game is at home its own name is its title; elsewhere the title may be that name already.
    const native = own && !(code in (variant.native ?? {})) && !variant.title.toLowerCase().includes(own.toLowerCase());
    return html`<li>
      <a class="tile" href="/play/${variant.name}" aria-current=${chosen ? "true" : nothing}
        @click=${(/** @type {MouseEvent} */ event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          this.choose(variant);
          if (matchMedia("(max-width: 900px)").matches) this.querySelector(".setup")?.scrollIntoView({ block: "start" });
        }}>
        <h2>${variant.title}${native ? html` <bdi class="native" lang=${lang}>${own}</bdi>` : nothing}</h2>
        <p>${variant.description}</p>
      </a>
    </li>`;
  }

  /** The rest of the agreement is fetched when somebody wants to see it. */
  async unfold() {
    try {
      this.details = (await import("../table-details.js")).details;
    } catch {
      this.app.toast(t("This part of the page could not be loaded. Are you offline?"));
    }
  }

  setup() {
    const { table, kind } = this;
    const { variant } = table;
    if (!variant) return nothing;
    const action = this.opponent(kind)[1];
    const level = kind === "engine" ? levelName(table.level) : "";
    return html`<form class="setup card" @submit=${this.play} aria-labelledby="chosen">
      <div class="agreed"><div><h2 id="chosen">${variant.title}</h2>
        <p class="quiet small">${variant.description} <a href="/rules/${variant.name}">${t("Rules")}</a></p></div>
      <fieldset class="field"><legend>${t("Opponent")}</legend>
        <div class="segments two">${(this.rival ? ["challenge", ...OPPONENTS] : OPPONENTS).map(
          (each) => html`<label><input type="radio" name="kind" value=${each} .checked=${each === kind} @change=${() => (this.kind = each)}>${this.opponent(each)[0]}</label>`,
        )}</div></fieldset>
      ${kind === "engine" ? table.levels() : nothing}
      ${table.length()}
      <details class="rules-card" @toggle=${this.unfold}><summary>${t("Clock, dice and house rules")} <span class="quiet small">${table.summary()}</span></summary>
        <div class="stack">${this.details?.(table, kind, this.app.user?.kind === "guest")}</div></details></div>
      <div class="start"><button class="pri big" ?disabled=${this.busy}>${action}</button>
      ${level ? html`<p class="small quiet center">${t("Against the computer, level “{level}”", { level })}</p>` : nothing}</div>
    </form>`;
  }

  render() {
    const { variants } = this;
    if (!variants) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page home">
      <ssb-going></ssb-going>
      <section class="games" aria-labelledby="games-title">
        <h1 id="games-title">${t("The whole backgammon family")}</h1>
        <p class="lead">${tn("{n} game, with dice that nobody can know and anyone can check.", "{n} games, with dice that nobody can know and anyone can check.", variants.length)}</p>
        <ul class="tiles">${repeat(variants, ({ name }) => name, (variant) => this.tile(variant))}</ul>
      </section>
      ${this.setup()}
    </div>`;
  }
}

customElements.define("ssb-home", Home);
