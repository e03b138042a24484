/** Where one is signed in, and the passkeys one signs in by. */

import { t, words } from "../../i18n/i18n.js";
import { del, get, put } from "../api.js";
import { entered } from "../fields.js";
import { agentName, register, supported } from "../passkeys.js";
import { byId, html, named, nothing, states } from "../view.js";
import { Section } from "./section.js";

/** @typedef {{id: string, agent: string, created: number, seen: number, this: boolean}} SignIn */
/** @typedef {{id: string, name: string, created: number}} Key */

class Devices extends Section {
  static properties = states("list");

  constructor() {
    super();
    /** @type {SignIn[] | null} */
    this.list = null;
  }

  async fetch() {
    this.list = await this.load(get("/me/sign-ins"));
  }

  /** @param {SignIn} one */
  row(one) {
    const name = agentName(one.agent) || t("unknown device");
    return html`<li class="line">
      <div>
        <b>${named(name)}</b> ${one.this ? html`<span class="badge">${t("this device")}</span>` : nothing}
        <p class="small quiet">
          ${t("signed in {date}", { date: words().moment(one.created) })}${
            one.this ? nothing : html` · ${t("last seen {date}", { date: words().moment(one.seen) })}`
          }
        </p>
      </div>
      ${
        one.this
          ? nothing
          : html`<button
            aria-label=${t("Sign out {device}", { device: name })}
            @click=${() =>
              this.change(
                () => del(`/me/sign-ins/${encodeURIComponent(one.id)}`),
                t("This device has been signed out."),
              )}
          >${t("Sign out")}</button>`
      }
    </li>`;
  }

  render() {
    const { list } = this;
    if (!list) return this.card(t("Devices"), nothing);
    return this.card(
      t("Devices"),
      html`<p class="small quiet">${t("Where you are signed in.")}</p>
        <ul class="lines">
          ${byId(list, (one) => this.row(one))}
        </ul>
        ${
          list.length > 1
            ? html`<div class="row">
              <button
                @click=${() =>
                  this.change(() => del("/me/sign-ins"), t("All other devices have been signed out."))}
              >${t("Sign out all other devices")}</button>
            </div>`
            : nothing
        }`,
    );
  }
}

class Passkeys extends Section {
  static properties = states("list", "naming");

  constructor() {
    super();
    /** @type {Key[] | null} */
    this.list = null;
    /** @type {string | null} the passkey that is being renamed */
    this.naming = null;
  }

  async fetch() {
    this.list = await this.load(get("/me/passkeys"));
  }

  async add() {
    await this.change(async () => {
      try {
        if (await register()) this.app.toast(t("The passkey has been added."));
      } catch (error) {
        // A dialog of the browser that was closed is no fault of anybody's.
        if (!(error instanceof DOMException)) throw error;
      }
    });
  }

  /** @param {Key} key */
  async drop(key) {
    const sure = await this.ask(
      t("Remove this passkey?"),
      t("You will not be able to sign in with “{name}” any more.", { name: key.name }),
      t("Remove"),
    );
    if (sure) await this.change(() => del(`/me/passkeys/${key.id}`), t("The passkey has been removed."));
  }

  /** @param {Key} key */
  async startNaming(key) {
    this.naming = key.id;
    await this.updateComplete;
    /** @type {HTMLInputElement | null} */ (this.querySelector("#passkey-name"))?.select();
  }

  /** @param {SubmitEvent} event @param {Key} key */
  async rename(event, key) {
    const name = String(entered(event).get("name"));
    if (await this.attempt(() => put(`/me/passkeys/${key.id}`, { name }))) await this.stopNaming(key);
  }

  /** @param {Key} key */
  async stopNaming(key) {
    await this.fetch();
    this.naming = null;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${key.id}"]`))?.focus();
  }

  /** @param {Key} key */
  row(key) {
    if (this.naming === key.id) {
      return html`<li class="line">
        <form
          class="row grow"
          @submit=${(/** @type {SubmitEvent} */ event) => this.rename(event, key)}
          @keydown=${(/** @type {KeyboardEvent} */ event) =>
            event.key === "Escape" && void this.stopNaming(key)}
        >
          <input
            id="passkey-name"
            name="name"
            required
            maxlength="60"
            class="grow"
            aria-label=${t("Name of the passkey")}
            .value=${key.name}
          >
          <button class="pri">${t("Keep")}</button>
          <button type="button" @click=${() => this.stopNaming(key)}>${t("Cancel")}</button>
        </form>
      </li>`;
    }
    return html`<li class="line">
      <div>
        <b>${named(key.name)}</b>
        <p class="small quiet">${t("added {date}", { date: words().moment(key.created) })}</p>
      </div>
      <div class="row">
        <button
          data-key=${key.id}
          aria-label=${t("Rename {name}", { name: key.name })}
          @click=${() => this.startNaming(key)}
        >${t("Rename")}</button>
        <button aria-label=${t("Remove {name}", { name: key.name })} @click=${() => this.drop(key)}>
          ${t("Remove")}
        </button>
      </div>
    </li>`;
  }

  render() {
    const { list } = this;
    if (!list) return this.card(t("Passkeys"), nothing);
    return this.card(
      t("Passkeys"),
      html`<p class="small quiet">${t("A passkey signs you in by your device, without a password.")}</p>
        ${list.length ? html`<ul class="lines">${byId(list, (key) => this.row(key))}</ul>` : nothing}
        ${
          supported()
            ? html`<div class="row"><button @click=${this.add}>${t("Add a passkey")}</button></div>`
            : html`<p class="small">${t("This browser knows no passkeys.")}</p>`
        }`,
    );
  }
}

customElements.define("ssb-devices", Devices);
customElements.define("ssb-passkeys", Passkeys);
