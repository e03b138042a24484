/** What moderators see: the reports that are open, what may be done about them, and what was done. */

import { t, words } from "../../i18n/i18n.js";
import { get, post } from "../api.js";
import { choice, entered, field, options } from "../fields.js";
import { guestName } from "../names.js";
import { reportKinds } from "../report.js";
import { phrases } from "../table/chat.js";
import { byId, html, named, nothing, personLink, states, View } from "../view.js";

/**
 * @typedef {{by: string, text: string | null, phrase: string | null}} Said
 * @typedef {{id: string, user: {name: string, kind: string}, by: string | null, match: string | null, kind:
 *   import("../report.js").Kind, text: string, at: number, talk: Said[], signs: string[]}} Report
 * @typedef {{at: number, actor: string, action: string, name: string, reason: string, detail: {until?: number | null,
 *   new?: string}}} Entry
 */

/** What can be done, by its address, and what it is called. */
const actions = () => ({
  mute: t("Mute"),
  unmute: t("End the mute"),
  ban: t("Ban"),
  unban: t("End the ban"),
  rename: t("Rename"),
  "sign-out": t("Sign out everywhere"),
});

/** @param {string} action as the log has it */
function actionName(action) {
  const known = { ...actions(), sign_out: t("Sign out everywhere"), resolve: t("Close the report") };
  const roles = { appoint: t("Make a moderator"), dismiss: t("No longer a moderator") };
  return /** @type {Record<string, string>} */ ({ ...known, ...roles })[action] ?? action;
}

class Moderation extends View {
  static properties = states("open", "log", "chosen");

  constructor() {
    super();
    /** @type {Report[] | null} */
    this.open = null;
    /** @type {Entry[]} */
    this.log = [];
    /** The action that is chosen in the form. */
    this.chosen = "mute";
  }

  get heading() {
    return t("Moderation");
  }

  async fetch() {
    await this.app.identity.catch(() => null);
    const open = await this.load(get("/moderation/reports"));
    this.log = (open && (await this.load(get("/moderation/log")))) ?? [];
    this.open = open;
  }

  /** @param {SubmitEvent} event */
  async act(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const data = entered(event);
    const field = (/** @type {string} */ name) => String(data.get(name) ?? "").trim();
    const hours = Number(field("hours"));
    /** @type {Record<string, unknown>} */
    const body = { reason: field("reason") };
    if (["mute", "ban"].includes(this.chosen)) body.hours = hours || null;
    if (this.chosen === "rename") body.name = field("new");
    const path = `/moderation/users/${encodeURIComponent(field("name"))}/${this.chosen}`;
    if (!(await this.attempt(() => post(path, body)))) return;
    this.app.toast(t("Done, and logged."));
    form.reset();
    await this.fetch();
  }

  /** @param {SubmitEvent} event @param {Report} report */
  async resolve(event, report) {
    const answer = String(entered(event).get("answer")).trim();
    const path = `/moderation/reports/${encodeURIComponent(report.id)}/resolve`;
    if (await this.attempt(() => post(path, { answer }))) await this.fetch();
  }

  /** @param {Report} report */
  report(report) {
    const { name } = report.user;
    const known = phrases();
    return html`<li class="stack">
      <div class="row">
        <b>${personLink(name)}</b>
        <span class="badge">${reportKinds()[report.kind] ?? report.kind}</span>
        <span class="small quiet">${words().moment(report.at)}</span>
      </div>
      ${
        report.signs.length
          ? html`<p class="note">
            ${t("One of the same two did not come, or resigned within three turns, in tournaments:")}
            ${report.signs.map((match) => html` <a href="/replay/${match}">${match}</a>`)}
          </p>`
          : report.text
            ? html`<p class="note"><bdi>${report.text}</bdi></p>`
            : nothing
      }
      <p class="small quiet">
        ${t("reported by {name}", {
          name: report.by
            ? guestName(report.by)
            : report.signs.length
              ? t("the site")
              : t("a deleted account"),
        })}
        ${report.match ? html` · <a href="/replay/${report.match}">${t("To the match")}</a>` : nothing}
      </p>
      ${
        report.talk.length
          ? html`<details>
            <summary>${t("What was said")}</summary>
            ${report.talk.map(
              (line) =>
                html`<p class="small">
                  <b>${named(guestName(line.by))}</b>
                  <bdi>${line.text ?? known[line.phrase ?? ""] ?? line.phrase}</bdi>
                </p>`,
            )}
          </details>`
          : nothing
      }
      <form class="row" @submit=${(/** @type {SubmitEvent} */ event) => this.resolve(event, report)}>
        <input
          name="answer"
          class="grow"
          required
          maxlength="300"
          aria-label=${t("What was done about it")}
          placeholder=${t("What was done about it")}
        >
        <button>${t("Close the report")}</button>
      </form>
    </li>`;
  }

  form() {
    const timed = ["mute", "ban"].includes(this.chosen);
    /** @type {[string, string][]} */
    const spans = [
      ["24", t("a day")],
      ["168", t("a week")],
      ["720", t("a month")],
      ["", t("for ever")],
    ];
    return html`<section class="card stack">
      <h2>${t("Act on an account")}</h2>
      <form class="stack" @submit=${this.act}>
        ${field("mod-name", t("Name"), html`<input id="mod-name" name="name" required maxlength="100">`)}
        ${choice(
          "mod-action",
          t("What is to be done"),
          Object.entries(actions()),
          this.chosen,
          (action) => (this.chosen = action),
        )}
        ${
          timed
            ? field(
                "mod-hours",
                t("For how long"),
                html`<select id="mod-hours" name="hours">${options(spans)}</select>`,
              )
            : nothing
        }
        ${
          this.chosen === "rename"
            ? field("mod-new", t("New name"), html`<input id="mod-new" name="new" required maxlength="20">`)
            : nothing
        }
        ${field("mod-reason", t("Why"), html`<input id="mod-reason" name="reason" required maxlength="300">`)}
        <p class="small quiet">${t("A player who is muted or banned is told why.")}</p>
        <div class="row"><button class="pri">${actionName(this.chosen)}</button></div>
      </form>
    </section>`;
  }

  /** @param {Entry} entry */
  entry(entry) {
    const until = entry.detail.until ? ` (${words().moment(entry.detail.until)})` : "";
    return html`<li class="line">
      <div>
        <b>${actionName(entry.action)}</b> ${named(entry.name)}
        ${entry.detail.new ? html`→ ${named(entry.detail.new)}` : nothing}${until}
        <p class="small quiet">
          ${words().moment(entry.at)} · ${named(entry.actor)} · <bdi>${entry.reason}</bdi>
        </p>
      </div>
    </li>`;
  }

  render() {
    const { open } = this;
    if (!open) return html`<div class="page">${this.waiting()}</div>`;
    return html`<div class="page narrow">
      <h1>${t("Moderation")}</h1>
      <div class="columns">
        <section class="card stack">
          <h2>${t("Open reports")}</h2>
          ${
            open.length
              ? html`<ul class="lines reports">${byId(open, (report) => this.report(report))}</ul>`
              : html`<p class="empty">${t("There are none.")}</p>`
          }
        </section>
        <div class="stack">
          ${this.form()}
          <section class="card stack">
            <h2>${t("What was done")}</h2>
            ${
              this.log.length
                ? html`<ul class="lines">${this.log.map((entry) => this.entry(entry))}</ul>`
                : html`<p class="empty">${t("Nothing yet.")}</p>`
            }
          </section>
        </div>
      </div>
    </div>`;
  }
}

customElements.define("ssb-moderation", Moderation);
