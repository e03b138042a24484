/** The frame of the page: head, navigation, the view in the middle, and what must be announced at once. */

import { choose, LANGUAGES, t, use, widen, words } from "../i18n/i18n.js";
import { html, LitElement, nothing, render } from "../vendor/lit.js";
import { call, forget, me, STATIC } from "./api.js";
import { list } from "./fields.js";
import "./challenges.js";
import { icon } from "./icons.js";
import { guestName } from "./names.js";
import { NewsConnection } from "./news-connection.js";
import { Router, signIn } from "./router.js";
import { applyAppearance, settings, watchColourScheme } from "./settings.js";
import { play as sound } from "./sounds.js";
import { traffic } from "./traffic.js";
import { on, states } from "./view.js";

/** Before the title of a page that calls somebody who looks elsewhere. */
const MARK = "● ";

/** Views with a connection of their own, over which challenges arrive too. */
const CONNECTED = new Set(["match", "lobby"]);

/** @type {Record<string, (() => Promise<unknown>) | undefined>} */
const VIEWS = {
  home: () => import("./views/home.js"),
  match: () => import("./views/match.js"),
  invite: () => import("./views/invite.js"),
  chouette: () => import("./views/chouette.js"),
  "chouette-replay": () => import("./views/chouette-replay.js"),
  chouettes: () => import("./views/chouettes.js"),
  lobby: () => import("./views/lobby.js"),
  tournaments: () => import("./views/tournaments.js"),
  tournament: () => import("./views/tournament.js"),
  "tournament-desk": () => import("./views/tournament-desk.js"),
  watch: () => import("./views/watch.js"),
  scoreboard: () => import("./views/scoreboard.js"),
  replay: () => import("./views/replay.js"),
  dice: () => import("./views/dice.js"),
  rules: () => import("./views/rules.js"),
  differences: () => import("./views/differences.js"),
  conduct: () => import("./views/conduct.js"),
  referee: () => import("./views/referee.js"),
  learn: () => import("./views/learn.js"),
  profile: () => import("./views/profile.js"),
  friends: () => import("./views/friends.js"),
  settings: () => import("./views/settings.js"),
  reviews: () => import("./views/reviews.js"),
  practice: () => import("./views/practice.js"),
  "daily-puzzle": () => import("./views/daily-puzzle.js"),
  puzzles: () => import("./views/puzzles.js"),
  search: () => import("./views/search.js"),
  week: () => import("./views/week.js"),
  review: () => import("./views/review.js"),
  analysis: () => import("./views/analysis.js"),
  login: () => import("./views/login.js"),
  account: () => import("./views/account.js"),
  mail: () => import("./views/mail.js"),
  local: () => import("./views/local.js"),
  moderation: () => import("./views/moderation.js"),
};

/**
 * @typedef {import("./router.js").Place} Place
 * @typedef {import("./view.js").View} View
 */

/** @type {Promise<unknown> | null} */
let styles = null;

/** The styles that the front page does without, where it was sent without them; the server names them in its head. */
function furtherStyles() {
  const address = document.querySelector('meta[name="further-styles"]')?.getAttribute("content");
  styles ??= address
    ? new Promise((done, fail) => {
        const sheet = document.createElement("link");
        sheet.rel = "stylesheet";
        sheet.href = address;
        sheet.addEventListener("load", done);
        sheet.addEventListener("error", () => {
          sheet.remove();
          styles = null;
          fail(new Error(`${address} could not be loaded`));
        });
        document.head.append(sheet);
      })
    : Promise.resolve();
  return styles;
}

const brand = html`<svg viewBox="0 0 84 40" aria-hidden="true">
  <g fill="none" stroke="currentColor" stroke-width="3">
    <rect x="2" y="2" width="36" height="36" rx="8" />
    <rect x="46" y="2" width="36" height="36" rx="8" />
  </g>
  <g fill="currentColor">
    <circle cx="13" cy="10" r="3.4" />
    <circle cx="27" cy="10" r="3.4" />
    <circle cx="13" cy="20" r="3.4" />
    <circle cx="27" cy="20" r="3.4" />
    <circle cx="13" cy="30" r="3.4" />
    <circle cx="27" cy="30" r="3.4" />
    <circle cx="56" cy="11" r="3.4" />
    <circle cx="72" cy="11" r="3.4" />
    <circle cx="64" cy="20" r="3.4" />
    <circle cx="56" cy="29" r="3.4" />
    <circle cx="72" cy="29" r="3.4" />
  </g>
</svg>`;

export class App extends LitElement {
  static properties = states("view", "user", "online", "toasts");

  constructor() {
    super();
    /** @type {View | HTMLElement | null} */
    this.view = null;
    /** @type {import("./api.js").User | null} */
    this.user = null;
    /** @type {Promise<import("./api.js").User>} */
    this.identity = new Promise(() => {});
    /** Whether the server knew this browser when it sent the page: then nothing has to wait for the identity. */
    this.known = document.querySelector('meta[name="visitor"]') !== null;
    this.online = navigator.onLine;
    /** @type {{id: number, text: string}[]} */
    this.toasts = [];
    this.started = false;
    /** Whether the deferred parts have been requested. */
    this.deferredRequested = false;
    this.turn = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.saving = undefined;
    /** The settings that were changed on this page and have not reached the account. @type {Set<string>} */
    this.changed = new Set();
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.counting = undefined;
    /** The language that the address asks for, until another is chosen. @type {string | null} */
    this.asked = null;
    /** @type {NewsConnection | null} */
    this.connection = null;
    /** The id of the user whom `connection` and the challenges belong to. */
    this.whose = "";
    /** @type {Router} */
    this.router = new Router(window);
  }

  createRenderRoot() {
    return this;
  }

  updated() {
    // What was painted first has done its service when there is a view.
    if (this.view) document.querySelector("#shell")?.remove();
  }

  /**
   * Called once, when the language is there.
   * @param {Promise<import("./api.js").User>} identity the user, as the server identifies them
   * @param {string | null} asked the language in the page's address
   * @returns {Promise<void>} settled when the page can be used
   */
  begin(identity, asked) {
    this.started = true;
    this.asked = asked;
    this.router.addEventListener("go", () => void this.show());
    on(settings, "change", (detail) => this.onSettings(detail));
    watchColourScheme(() => applyAppearance(settings.prefs, words().language));
    traffic.addEventListener("change", () => this.onTraffic());
    for (const name of ["online", "offline"]) addEventListener(name, () => (this.online = navigator.onLine));
    addEventListener("online", () => void this.identified().catch(() => {}));
    // A page that is left, or put aside on a phone, may not come back.
    addEventListener("pagehide", () => this.user && settings.unsent !== null && void this.sendSettings());
    void this.identify(identity);
    this.requestUpdate();
    return this.show().then(() => this.loadDeferred());
  }

  /** Load what is not needed for the first use: the font of headings, and the styles of other views. */
  async loadDeferred() {
    if (this.view && "usable" in this.view) await this.view.usable;
    this.deferredRequested = true;
    document.documentElement.dataset.face = "display";
    // A view that needs them asks again.
    void furtherStyles().catch(() => {});
  }

  /** The server is slow, unreachable or reachable again: then what failed is requested again. */
  onTraffic() {
    if (!traffic.away && this.view && "problem" in this.view && this.view.problem) this.again();
    clearInterval(this.counting);
    if (traffic.away) this.counting = setInterval(() => this.requestUpdate(), 1000);
    this.requestUpdate();
  }

  /** Ask the server who this is; a stranger becomes a guest. */
  async identify(identity = me()) {
    this.identity = identity;
    // Errors are reported by those who await it; there may be no such view.
    this.identity.catch(() => {});
    try {
      this.user = await this.identity;
    } catch {
      this.user = null;
      return;
    } finally {
      // After signing out the visitor is a stranger again.
      this.known = false;
    }
    this.switchUser(this.user.id);
    if (settings.receive(this.user.settings ?? {}, this.user.id)) void this.sendSettings();
  }

  /** Who this is; asked again only where that has failed, so that no browser becomes two guests. */
  identified() {
    return this.identity.catch(() => {
      void this.identify();
      return this.identity;
    });
  }

  /** Another user is signed in: nothing of the previous one is shown any more. @param {string} id */
  switchUser(id) {
    if (this.whose && this.whose !== id) {
      this.connection?.close();
      this.connection = null;
      this.challenges?.clear();
      void this.listen(this.router.place.view);
    }
    this.whose = id;
  }

  /** @param {{names: string[], remote: boolean}} change */
  async onSettings({ names, remote }) {
    if (!remote) {
      for (const name of names) this.changed.add(name);
      settings.chosen(names, this.user?.id ?? "");
      clearTimeout(this.saving);
      if (this.user) this.saving = setTimeout(() => void this.sendSettings(), 800);
    }
    if (names.includes("lang") && !remote) this.asked = null;
    const language = choose(this.asked || settings.prefs.lang || null, navigator.languages);
    applyAppearance(settings.prefs, language);
    const current = words();
    if (names.includes("lang") || names.includes("digits")) {
      const same = current.language.code === language.code && current.chosen === settings.prefs.digits;
      if (!same) {
        const problem = await use(language, settings.prefs.digits, this.router.place.view);
        if (problem) this.toast(t("This language could not be loaded."));
        forget();
        this.challenges?.requestUpdate();
        const handled = this.view && "languageChanged" in this.view && (await this.view.languageChanged());
        if (handled) this.updateTitle();
        else await this.show();
      }
    }
    this.requestUpdate();
  }

  /**
   * Keep with the account what was changed here, and nothing that another page may have changed; what does not arrive
   * is sent when the page is opened again.
   */
  async sendSettings() {
    clearTimeout(this.saving);
    const sent = /** @type {Record<string, unknown>} */ (settings.prefs);
    const names = [...new Set([...settings.waiting(this.user?.id ?? ""), ...this.changed])];
    const body = Object.fromEntries(names.map((name) => [name, sent[name]]));
    if (names.includes("chat")) body.free_chat = sent.chat === "all";
    const arrived = await call("PATCH", "/me/settings", body, { keepalive: true }).then(
      () => true,
      () => false,
    );
    const prefs = /** @type {Record<string, unknown>} */ (settings.prefs);
    if (!arrived || names.some((name) => prefs[name] !== sent[name])) return;
    settings.unsent = null;
    this.changed.clear();
  }

  /** Handle a message of the server for this user. @param {import("./wire.js").News} message */
  dispatch(message) {
    this.challenges?.receive(message);
    if (message.t === "turn") this.dispatchEvent(new Event("turn"));
    if (message.t === "tournament") void this.onTournament(message.d);
  }

  /**
   * A tournament of this player has begun or ended; that they are paired, the beginning match says.
   * @param {Extract<import("./wire.js").News, {t: "tournament"}>["d"]} about
   */
  async onTournament(about) {
    if (about.event === "tournamentAwaited") this.ring();
    const worded = widen(`${this.router.place.view}-later`).catch(() => {});
    const [found] = await Promise.all([import("./tournament/words.js").catch(() => null), worded]);
    const said = found?.notice(about);
    if (said) this.toast(said);
  }

  /** Call somebody who may look elsewhere: by a sound, and by a mark in the title until they look at this page. */
  ring() {
    sound("turn");
    if (!document.hidden || document.title.startsWith(MARK)) return;
    document.title = MARK + document.title;
    const look = () => (document.title = document.title.replace(MARK, ""));
    addEventListener("visibilitychange", look, { once: true });
  }

  /** Who we challenge, and who challenges us. @returns {import("./challenges.js").Challenges | null} */
  get challenges() {
    return this.querySelector("ssb-challenges");
  }

  /** Opens the connection for challenges where the view has none of its own. @param {string} view */
  async listen(view) {
    if (STATIC || CONNECTED.has(view)) {
      this.connection?.close();
      this.connection = null;
      return;
    }
    await this.identity.catch(() => {});
    if (this.connection || CONNECTED.has(this.router.place.view)) return;
    this.connection = new NewsConnection("lobby");
    on(this.connection, "message", (detail) => this.dispatch(detail));
    this.connection.open();
  }

  /** Where this is. A copy of the page without a server begins with a match against the engine. */
  get place() {
    const { place } = this.router;
    return STATIC && place.view === "home" ? { ...place, view: "local" } : place;
  }

  /** Show the view of the address. */
  async show() {
    const turn = ++this.turn;
    const { place } = this;
    void this.listen(place.view);
    this.challenges?.arrived();
    const load = VIEWS[place.view];
    document.body.classList.toggle("playing", place.view === "match" || place.query.has("m"));
    try {
      // A view whose texts cannot be loaded is shown in English.
      const styled = place.view === "home" ? null : furtherStyles();
      await traffic.track(Promise.all([load?.(), styled, widen(place.view).catch(() => {})]));
    } catch {
      if (turn === this.turn)
        this.view = this.message(t("This part of the page could not be loaded. Are you offline?"), {
          again: true,
        });
      return;
    }
    if (turn !== this.turn) return;
    const first = this.view === null;
    if (load) {
      const view = /** @type {View} */ (document.createElement(`ssb-${place.view}`));
      view.place = place;
      this.view = view;
    } else {
      this.view = this.message(t("There is nothing at this address."));
    }
    await this.updateComplete;
    this.updateTitle();
    if (!first) {
      scrollTo(0, 0);
      this.querySelector("main")?.focus({ preventScroll: true });
    }
  }

  /** Set the document's title from its view. */
  updateTitle() {
    const name = this.view && "heading" in this.view ? this.view.heading : "";
    document.title = name ? `${name} · ${t("Sheshbesh")}` : t("Sheshbesh");
  }

  /** Rebuild the view, as after an error. */
  again() {
    void this.identify();
    void this.show();
  }

  /**
   * A page with one message and links to go on.
   * @param {string} text
   * @param {{again?: boolean}} [how] `again`: with a button to try again
   */
  message(text, { again = false } = {}) {
    const page = document.createElement("div");
    page.className = "wait";
    // A browser caches a failed import of a module until the page is reloaded.
    const retry = () => html`<button @click=${() => location.reload()}>${t("Try again")}</button> `;
    render(
      html`<h1>${text}</h1><p>${again ? retry() : nothing}<a class="button" href="/">${t("Home")}</a></p>`,
      page,
    );
    return page;
  }

  /** After signing out or deleting the account the player is a guest. @param {string} message */
  async signedOut(message) {
    this.user = null;
    await this.identify();
    this.go("/");
    this.toast(message);
  }

  /** @param {string} path */
  go(path) {
    this.router.go(path);
  }

  /** Show a message that disappears by itself. @param {string} text */
  toast(text) {
    const id = Date.now() + Math.random();
    this.toasts = [...this.toasts.slice(-2), { id, text }];
    setTimeout(() => (this.toasts = this.toasts.filter((toast) => toast.id !== id)), 4000 + 40 * text.length);
  }

  links() {
    const here = this.place.view;
    /** @type {[string, string, string[]][]} */
    const own = [
      ["/", t("Play"), ["home", "local"]],
      ["/learn", t("Learn"), ["learn", "rules"]],
      ["/puzzles", t("Puzzles"), ["puzzles"]],
      ["/analysis", t("Analysis board"), ["analysis"]],
    ];
    /** @type {[string, string, string[]][]} */
    const all = [
      ["/", t("Play"), ["home", "local"]],
      ["/lobby", t("Lobby"), ["lobby", "invite", "friends"]],
      ["/tournaments", t("Tournaments"), ["tournaments", "tournament", "tournament-desk"]],
      ["/watch", t("Watch"), ["watch"]],
      ["/learn", t("Learn"), ["learn", "rules", "differences", "conduct", "referee"]],
      [
        "/reviews",
        t("Review"),
        ["reviews", "review", "analysis", "practice", "puzzles", "daily-puzzle", "search", "week"],
      ],
    ];
    return (STATIC ? own : all).map(
      ([path, text, views]) =>
        html`<a href=${path} aria-current=${views.includes(here) ? "page" : nothing}>${text}</a>`,
    );
  }

  /** When the server is tried again; heard once, not each second. @param {number} wait in seconds */
  nextAttempt(wait) {
    const when = wait ? t("Next attempt in {n} s.", { n: wait }) : t("Trying again …");
    return html`<span aria-hidden="true">${when}</span>`;
  }

  /** What becomes of what is done while the browser is offline. */
  meanwhile() {
    const { view } = this.place;
    if (view === "local") return t("Matches in this browser go on without a line.");
    if (["learn", "rules", "puzzles", "analysis"].includes(view))
      return t("What this browser has kept of this page works without a line.");
    return view === "match" || view === "chouette"
      ? t("What you play now is kept and sent as soon as you are back; a running clock goes on.")
      : t("As soon as you are back, this page goes on by itself.");
  }

  /** The message while the server is slow or unreachable. */
  delay() {
    if (this.online && traffic.away)
      return html`<div class="toast">
        <span>${t("The server cannot be reached.")} ${this.nextAttempt(traffic.wait)}</span>
        <button @click=${() => traffic.again()}>${t("Try now")}</button>
      </div>`;
    if (traffic.slow)
      return html`<div class="toast">${t("Waiting for the server")}<span class="dots"></span></div>`;
    return nothing;
  }

  render() {
    if (!this.started) return nothing;
    const { user } = this;
    return html` <a
        class="skip button"
        href="#main"
        @click=${(/** @type {Event} */ event) => {
          event.preventDefault();
          this.querySelector("main")?.focus();
        }}
      >${t("To the content")}</a>
      ${
        this.online
          ? nothing
          : html`<div class="notice" role="status">
            <span>
              ${t("You are offline.")} ${this.meanwhile()}
              <a href="/table">${t("Clock, dice and score beside a real board work meanwhile")}</a>
            </span>
          </div>`
      }
      <header class="top">
        <a class="brand" href="/">${brand}${t("Sheshbesh")}</a>
        <nav class="nav" aria-label=${t("Main")}>${this.links()}</nav>
        <span class="spring"></span>
        ${
          user
            ? html`<a
              class="who"
              href=${user.kind === "guest" ? signIn(this.router.place) : `/u/${encodeURIComponent(user.name)}`}
              title=${user.kind === "guest" ? t("Make an account or sign in") : nothing}
            >${icon("person")}<bdi>${guestName(user.name)}</bdi></a>`
            : nothing
        }
        <span class="language icon">${icon("language")}${list(
          { label: t("Language"), kind: "lang" },
          LANGUAGES.map(({ code, name }) => [code, name, code]),
          words().language.code,
          (lang) => settings.set({ lang }),
        )}</span>
        <span class="icons">
          <a class="icon button" href="/settings" aria-label=${t("Settings")} title=${t("Settings")}>
            ${icon("settings")}
          </a>
        </span>
      </header>
      <ssb-challenges .app=${this}></ssb-challenges>
      <main id="main" tabindex="-1">${this.view}</main>
      <div class="toasts" role="status" aria-live="polite">
        ${this.delay()}${this.toasts.map(({ text }) => html`<div class="toast">${text}</div>`)}
      </div>`;
  }
}

customElements.define("ssb-app", App);
