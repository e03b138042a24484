/** Settlements at a chouette: what is offered, the answer to it, and the dialog in which one offers. */

import { t, tn } from "../../i18n/i18n.js";
import { choice, field, options } from "../fields.js";
import { guestName } from "../names.js";
import { back, settled } from "../table/dialogs.js";
import { html, nothing } from "../view.js";

/**
 * @import { Action, Member } from "../wire.js"
 * @typedef {import("../table/model.js").TableModel} Model
 * @typedef {import("../views/chouette.js").Chouette} View
 * @typedef {{name: string, member: string, points: number, text: string}} Asked a settlement that waits for an answer
 */

/**
 * Who would pay what to end their game.
 * @param {string} by who offers
 * @param {string} to whom; "" for each of several
 * @param {number} points to the one who offers, negative from them
 */
export function paid(by, to, points) {
  if (!points) return t("nobody gets a point");
  const n = Math.abs(points);
  const what = tn("{n} point", "{n} points", n);
  return payment(by, to, points, what);
}

/** @param {string} by @param {string} to @param {number} sign @param {string} what */
function payment(by, to, sign, what) {
  if (to) return t("{name} pays {what}", { name: guestName(sign > 0 ? to : by), what });
  return sign > 0
    ? t("each of them pays {what}", { what })
    : t("{name} pays {what} to each", { name: guestName(by), what });
}

/** An open settlement beside its member. @param {string} box @param {Member} member */
export function offered(box, { name, terms }) {
  if (!terms) return "";
  const [by, to] = terms.by === "white" ? [box, name] : [name, box];
  return `${t("{name} offers to settle", { name: guestName(by) })}: ${paid(by, to, terms.points)}`;
}

/** The settlement that waits for the answer of one of my names. @param {Model} model @returns {Asked | undefined} */
export function terms({ mine, around }) {
  const open = mine.flatMap(([name, own]) =>
    own.allowed.includes("agree")
      ? own.terms.filter((each) => !each.own).map(({ member, points }) => ({ name, member, points }))
      : [],
  );
  const asked = open[0];
  const member = asked && around.members.find(({ name }) => name === asked.member);
  return member && { ...asked, text: offered(around.box, member) };
}

/**
 * What I have offered, to be taken back: the texts and actions of the menu.
 * @param {Model} model @param {string} name @returns {[string, Action][]}
 */
export function withdrawing({ around }, name) {
  const own = around.mine[name];
  if (!own.allowed.includes("decline")) return [];
  return own.terms
    .filter(({ own: isMine }) => isMine)
    .map(({ member }) => [
      t("Take back the offer to {name}", { name: guestName(member === name ? around.box : member) }),
      { type: "decline", member },
    ]);
}

/** The dialog in which one offers, under a name of one's own. @param {View} view */
export function settleDialog(view) {
  const { model, close, settling: name } = view;
  const { around } = model;
  const own = around.mine[name];
  const title = html`<h2 id="dialog-title">${t("Settle the game")}</h2>`;
  const members = Object.keys(own?.settle ?? {});
  if (!members.length)
    return html`${title}<p role="status">${t("This cannot be offered now.")}</p>
      <div class="actions">${back(close)}</div>`;
  const isBox = name === around.box;
  const others = isBox ? members : [around.box];
  // With one there is nobody to choose; "" is everybody.
  const whom = others.length === 1 ? others[0] : view.settlingWith;
  const to = others.includes(whom) ? whom : "";
  const most = Math.min(
    ...members.filter((each) => !isBox || !to || each === to).map((each) => own.settle[each]),
  );
  const submit = (/** @type {SubmitEvent} */ event) => {
    const points = settled(event);
    close();
    model.as(name, { type: "settle", points, ...(isBox && to ? { member: to } : {}) });
  };
  const what = t("a number of points");
  const told = isBox
    ? t("Each of them answers alone. An offer lapses with the next throw.")
    : t("{name} has to agree. An offer lapses with the next throw.", { name: guestName(around.box) });
  return html`${title}<form class="stack" @submit=${submit}>
    <p class="quiet small">${told}</p>
    ${others.length > 1 ? partners(view, others, to) : nothing}
    ${field(
      "settling-who",
      t("Who pays"),
      html`<select id="settling-who" name="who">
        ${options([
          ["theirs", payment(name, to, 1, what)],
          ["own", payment(name, to, -1, what)],
        ])}
      </select>`,
    )}
    ${field(
      "settling-points",
      t("Points"),
      html`<input
        id="settling-points"
        name="points"
        type="number"
        inputmode="numeric"
        min="0"
        max=${most}
        value="1"
        required
      >`,
    )}
    <div class="actions">
      <button type="button" @click=${close}>${t("Back")}</button><button class="pri">${t("Propose")}</button>
    </div>
  </form>`;
}

/**
 * With whom to settle.
 * @param {View} view
 * @param {string[]} others
 * @param {string} to the chosen one; "" is everybody
 */
const partners = (view, others, to) =>
  choice(
    "settling-with",
    t("With"),
    [
      ["", t("Everybody")],
      ...others.map((each) => /** @type {[string, string]} */ ([each, guestName(each)])),
    ],
    to,
    (name) => (view.settlingWith = name),
  );
