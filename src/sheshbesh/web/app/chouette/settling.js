/** Settlements at a chouette: what is offered, the answer to it, and the dialog in which one offers. */
import { t, tn } from "../../i18n/i18n.js";
import { guestName } from "../names.js";
import { html, nothing } from "../view.js";

/**
 * @typedef {import("./model.js").ChouetteModel} Model
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

/** An open settlement beside its member. @param {string} box @param {import("./model.js").Member} member */
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
 * The two answers to a settlement.
 * @param {Model} model @param {Asked} asked
 * @param {(first: boolean, text: string, act: () => void, off: boolean) => unknown} button @param {boolean} busy
 */
export function answers(model, { name, member, points }, button, busy) {
  const answer = (/** @type {any} */ action) => () => model.as(name, { ...action, member });
  return html`${button(false, t("Decline"), answer({ type: "decline" }), busy)}${button(true, t("Agree"), answer({ type: "agree", points }), busy)}`;
}

/** What I have offered, to be taken back: the texts and actions of the menu. @param {Model} model @param {string} name @returns {[string, any][]} */
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

/** @param {View} view */
export function settling(view) {
  const model = /** @type {Model} */ (view.model);
  const name = view.settling;
  const own = name === null ? undefined : model.around.mine[name];
  if (name === null || !own) return nothing;
  const close = () => (view.settling = null);
  const members = Object.keys(own.settle);
  if (!members.length)
    return html`<dialog open><p role="status">${t("This cannot be offered now.")}</p><div class="actions"><button class="pri" @click=${close}>${t("Back")}</button></div></dialog>`;
  const isBox = name === model.around.box;
  const others = isBox ? members : [model.around.box];
  // With one there is nobody to choose; "" is everybody.
  const whom = others.length === 1 ? others[0] : view.settlingWith;
  const to = others.includes(whom) ? whom : "";
  const most = Math.min(
    ...members.filter((each) => !isBox || !to || each === to).map((each) => own.settle[each]),
  );
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const points = Number(form.get("points")) * (form.get("who") === "theirs" ? 1 : -1);
    close();
    model.as(name, { type: "settle", points: points || 0, ...(isBox && to ? { member: to } : {}) });
  };
  const what = t("a number of points");
  return html`<dialog open class="settling" aria-labelledby="settling-title"><form class="stack" @submit=${submit}>
    <h2 id="settling-title">${t("Settle the game")}</h2>
    <p class="quiet small">${isBox ? t("Each of them answers alone. An offer lapses with the next throw.") : t("{name} has to agree. An offer lapses with the next throw.", { name: guestName(model.around.box) })}</p>
    ${
      others.length > 1
        ? html`<div class="field"><label for="settling-with">${t("With")}</label><select id="settling-with" @change=${(/** @type {Event} */ event) => (view.settlingWith = /** @type {HTMLSelectElement} */ (event.target).value)}><option value="" ?selected=${!to}>${t("Everybody")}</option>${others.map((each) => html`<option value=${each} ?selected=${each === to}>${guestName(each)}</option>`)}</select></div>`
        : nothing
    }
    <div class="field"><label for="settling-who">${t("Who pays")}</label><select id="settling-who" name="who"><option value="theirs">${payment(name, to, 1, what)}</option><option value="own">${payment(name, to, -1, what)}</option></select></div>
    <div class="field"><label for="settling-points">${t("Points")}</label><input id="settling-points" name="points" type="number" inputmode="numeric" min="0" max=${most} value="1" required></div>
    <div class="actions"><button type="button" @click=${close}>${t("Back")}</button><button class="pri">${t("Propose")}</button></div></form></dialog>`;
}
