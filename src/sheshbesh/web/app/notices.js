/**
 * Whether this browser is sent notifications of turns and tournaments while it shows no page of the site: asked for by
 * a button alone.
 */

import { t } from "../i18n/i18n.js";
import { get, post } from "./api.js";
import { html, nothing, states, View } from "./view.js";

/** @param {string} text in base64url */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));

class Notices extends View {
  static properties = states("key", "on", "busy");

  constructor() {
    super();
    /** The site's key; null where it sends nothing, or this browser can receive nothing. @type {string | null} */
    this.key = null;
    this.on = false;
    this.busy = false;
  }

  async fetch() {
    if (!("PushManager" in globalThis) || !("serviceWorker" in navigator)) return;
    const found = await this.load(get("/push"));
    if (!found?.key) return;
    this.on = Boolean(await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription());
    this.key = found.key;
  }

  async begin() {
    if ((await Notification.requestPermission()) !== "granted")
      return this.app.toast(
        t("Your browser does not allow notices of this site. Its settings can change that."),
      );
    const { pushManager } = await navigator.serviceWorker.ready;
    const key = bytes(/** @type {string} */ (this.key));
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = made.toJSON();
    await post("/me/push", { endpoint, keys });
    this.on = true;
  }

  async end() {
    const { pushManager } = await navigator.serviceWorker.ready;
    const made = await pushManager.getSubscription();
    if (made) await post("/me/push/end", { endpoint: made.endpoint });
    await made?.unsubscribe();
    this.on = false;
  }

  async toggle() {
    this.busy = true;
    try {
      await (this.on ? this.end() : this.begin());
    } catch (error) {
      this.app.toast(error instanceof Error ? error.message : String(error));
    }
    this.busy = false;
  }

  render() {
    if (!this.key) return nothing;
    return html`<section class="card stack">
      <h2>${t("Notices")}</h2>
      <p class="quiet small">
        ${t(
          "This browser tells you when a match by correspondence waits for you, when a tournament that " +
            "you entered begins, and when you are paired, also while no page of this site is open.",
        )}
      </p>
      <div class="row">
        <button ?disabled=${this.busy} @click=${() => void this.toggle()}>
          ${this.on ? t("Tell me no more") : t("Tell me")}
        </button>
      </div>
    </section>`;
  }
}

customElements.define("ssb-notices", Notices);
