/** Programs: accounts that are marked as bots, and the access tokens of programs. */

import { t, words } from "../../i18n/i18n.js";
import { del, get, post } from "../api.js";
import { choice, entered, field } from "../fields.js";
import { byId, html, named, nothing, personLink, states } from "../view.js";
import { Section } from "./section.js";

/** @typedef {{id: string, user: string, name: string, scopes: string[], created: number, used: number | null}} Token */

const SCOPES = ["read", "challenge", "chat", "play"];

/** @param {string} scope */
function scopeName(scope) {
  const known = {
    read: t("see my matches"),
    challenge: t("find opponents"),
    chat: t("talk"),
    play: t("play"),
  };
  return known[/** @type {keyof typeof known} */ (scope)] ?? scope;
}

class Programs extends Section {
  static properties = states("bots", "tokens", "whose", "secret");

  constructor() {
    super();
    /** @type {{id: string, name: string}[] | null} */
    this.bots = null;
    /** @type {Token[]} */
    this.tokens = [];
    this.whose = "";
    /** The token that was just made, shown this once. */
    this.secret = "";
  }

  async fetch() {
    const bots = await this.load(get("/bots"));
    this.tokens = (bots && (await this.load(get("/tokens")))) ?? [];
    this.bots = bots;
    if (!bots?.some((/** @type {{name: string}} */ bot) => bot.name === this.whose)) this.whose = "";
  }

  /** @param {SubmitEvent} event */
  async makeBot(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const name = String(entered(event).get("bot")).trim();
    const sure = await this.ask(
      t("Make an account for a program?"),
      t(
        "“{name}” will be marked as a bot for ever, and everybody sees it. It cannot become a person's account.",
        { name },
      ),
      t("Make a bot"),
    );
    if (sure && (await this.change(() => post("/bots", { name }), t("The bot has an account now.")))) {
      form.reset();
      this.whose = name;
    }
  }

  /** @param {{name: string}} bot */
  async removeBot({ name }) {
    const sure = await this.ask(
      t("Delete this bot?"),
      t("Its ratings and tokens go for ever; its matches stay for its opponents, without its name."),
      t("Delete"),
    );
    if (sure)
      await this.change(() => del(`/bots/${encodeURIComponent(name)}`), t("The bot has been deleted."));
  }

  /** @param {SubmitEvent} event */
  async makeToken(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const data = entered(event);
    const body = {
      name: String(data.get("name")).trim(),
      scopes: data.getAll("scope").map(String),
      bot: this.whose || null,
    };
    const made = await this.change(async () => (this.secret = (await post("/tokens", body)).token));
    if (!made) return;
    form.reset();
    await this.updateComplete;
    /** @type {HTMLInputElement | null} */ (this.querySelector("#token-secret"))?.select();
  }

  /** @param {Token} token */
  async end(token) {
    const sure = await this.ask(
      t("Revoke this token?"),
      t("A program that uses “{name}” will be refused from now on.", { name: token.name }),
      t("Revoke"),
    );
    if (sure)
      await this.change(
        () => del(`/tokens/${encodeURIComponent(token.id)}`),
        t("The token has been revoked."),
      );
  }

  async copySecret() {
    if (await this.copied(this.secret, t("The token has been copied."))) return;
    /** @type {HTMLInputElement | null} */ (this.querySelector("#token-secret"))?.select();
  }

  /** @param {Token} token */
  tokenRow(token) {
    const used = token.used ? t("last used {date}", { date: words().moment(token.used) }) : t("never used");
    return html`<li class="line">
      <div>
        <b>${named(token.name)}</b> <span class="small">${named(token.user)}</span>
        <p class="small quiet">
          ${token.scopes.map(scopeName).join(" · ")}<br>${t("made {date}", { date: words().moment(token.created) })}
          · ${used}
        </p>
      </div>
      <button aria-label=${t("Revoke {name}", { name: token.name })} @click=${() => this.end(token)}>
        ${t("Revoke")}
      </button>
    </li>`;
  }

  tokenForm() {
    const { bots, whose } = this;
    return html`<form class="stack" @submit=${this.makeToken}>
      ${field(
        "token-name",
        t("What it is for"),
        html`<input id="token-name" name="name" required maxlength="60">`,
      )}
      ${
        bots?.length
          ? choice(
              "token-whose",
              t("Account"),
              [
                ["", this.app.user?.name],
                ...bots.map(({ name }) => /** @type {[string, string]} */ ([name, name])),
              ],
              whose,
              (name) => (this.whose = name),
            )
          : nothing
      }
      <fieldset class="field">
        <legend>${t("What it may do")}</legend>
        ${SCOPES.map(
          (scope) => html`<label class="check">
            <input
              type="checkbox"
              name="scope"
              value=${scope}
              ?checked=${scope === "read"}
              ?disabled=${scope === "play" && !whose}
            >
            ${scopeName(scope)}
            ${
              scope === "play" && !whose
                ? html`<span class="small quiet">${t("for bots only")}</span>`
                : nothing
            }
          </label>`,
        )}
      </fieldset>
      <div class="row"><button>${t("Make a token")}</button></div>
    </form>`;
  }

  render() {
    const { bots, tokens, secret } = this;
    if (!bots) return this.card(t("Programs"), nothing);
    return this.card(
      t("Programs"),
      html`<p class="small quiet">
          ${t("A program can see your matches by a token, and play by the account of a bot.")}
        </p>
        <h3>${t("Bots")}</h3>
        ${
          bots.length
            ? html`<ul class="lines">
              ${byId(
                bots,
                (bot) => html`<li class="line">
                  ${personLink(bot.name)}
                  <button
                    aria-label=${t("Delete {name}", { name: bot.name })}
                    @click=${() => this.removeBot(bot)}
                  >${t("Delete")}</button>
                </li>`,
              )}
            </ul>`
            : nothing
        }
        <form class="row" @submit=${this.makeBot}>
          <input
            name="bot"
            required
            maxlength="20"
            class="grow"
            aria-label=${t("Name of the bot")}
            placeholder=${t("Name of the bot")}
          >
          <button>${t("Make a bot")}</button>
        </form>
        <h3>${t("Tokens")}</h3>
        ${
          secret
            ? html`<div class="stack" role="status">
              <p>
                <b>${t("The new token. It is shown this once: keep it where only your program can read it.")}</b>
              </p>
              <div class="row">
                <input
                  id="token-secret"
                  class="grow"
                  readonly
                  dir="ltr"
                  aria-label=${t("Token")}
                  .value=${secret}
                >
                <button class="pri" @click=${this.copySecret}>${t("Copy")}</button>
                <button @click=${() => (this.secret = "")}>${t("Done")}</button>
              </div>
            </div>`
            : nothing
        }
        ${
          tokens.length
            ? html`<ul class="lines">${byId(tokens, (token) => this.tokenRow(token))}</ul>`
            : nothing
        }
        <details><summary>${t("Make a token")}</summary>${this.tokenForm()}</details>`,
    );
  }
}

customElements.define("ssb-programs", Programs);
