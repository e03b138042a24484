/** An invitation: the inviting player sees a link and a QR code, the invited one the match to join. */
import { t } from "../../i18n/i18n.js";
import { ApiError, del, gameTitles, get, post } from "../api.js";
import { clockName } from "../clock-code.js";
import { joiningLink } from "../joining-link.js";
import { contestName, guestName } from "../names.js";
import { html, states, View } from "../view.js";

/**
 * @typedef {import("../wire.js").State} State
 * @typedef {Pick<State, "match" | "rated" | "card" | "players"> & {own: boolean, url?: string}} Invitation
 */

class Invite extends View {
  static properties = states("invite", "busy");

  constructor() {
    super();
    /** @type {Invitation | null} */
    this.invite = null;
    this.busy = false;
    this.name = "";
  }

  get heading() {
    return t("Invitation");
  }

  get path() {
    return `/invites/${encodeURIComponent(this.place.params.token)}`;
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    const invite = await this.load(get(this.path));
    if (!invite) return;
    // Its players come back by the link, too.
    if (invite.url) return this.app.router.go(invite.url, { replace: true });
    this.name = (await this.load(gameTitles()))?.get(invite.card.game) ?? "";
    this.invite = invite;
    if (invite.own) void this.wait(invite);
  }

  /** The inviting player waits here until the invitation is accepted. @param {Invitation} invite */
  async wait(invite) {
    const found = await get(`/matches/${encodeURIComponent(invite.match)}`).catch((error) => error);
    if (!this.isConnected) return;
    // Withdrawn on another tab.
    if (found instanceof ApiError && found.status === 404) return this.app.go("/");
    if (!(found instanceof Error) && found.state !== "open")
      this.app.router.go(`/m/${invite.match}`, { replace: true });
    else this.later(() => this.wait(invite), 1500);
  }

  async withdraw() {
    if (await this.attempt(() => del(this.path))) this.app.go("/");
  }

  async accept() {
    this.busy = true;
    await this.attempt(async () => {
      const { id, url } = await post(this.path);
      this.app.router.go(url ?? `/m/${id}`, { replace: true });
    });
    this.busy = false;
  }

  render() {
    const { invite } = this;
    if (!invite) return html`<div class="page">${this.waiting()}</div>`;
    const { card } = invite;
    const about = html`<p>
      <b>${this.name}</b> · ${contestName({ card })}${
        card.clock?.code && card.clock.code !== "n" ? ` · ${clockName(card.clock.code)}` : ""
      }${invite.rated ? ` · ${t("rated")}` : ""}
    </p>`;
    if (invite.own) {
      return html`<div class="page narrow">
        <div class="card invite">
          <h1>${t("Send this link to your friend")}</h1>
          ${about} ${joiningLink(this.app, this.path)}
          <p class="quiet" role="status">
            ${t("The game begins as soon as your friend opens the link")}<span class="dots"></span>
          </p>
          <button @click=${this.withdraw}>${t("Withdraw")}</button>
        </div>
      </div>`;
    }
    const host = Object.values(invite.players).find(({ kind }) => kind === "guest" || kind === "user");
    return html`<div class="page narrow">
      <div class="card invite">
        <h1>
          ${
            host?.name
              ? t("{name} invites you to a game", { name: guestName(host.name) })
              : t("You are invited to a game")
          }
        </h1>
        ${about}
        <button class="pri big" ?disabled=${this.busy} @click=${this.accept}>${t("Play")}</button>
        <p class="small quiet">
          <a href="/rules/${card.game}">${t("Rules")}</a>
        </p>
      </div>
    </div>`;
  }
}

customElements.define("ssb-invite", Invite);
