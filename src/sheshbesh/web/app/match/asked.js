/** The dialogs of a match that are opened to ask or to offer something, and the form for a report. Loaded by itself. */
import { other } from "../../board/types.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { contestName } from "../names.js";
import "../report.js";
import { ruleLine } from "../rule-text.js";
import { back, readingDialog, settled } from "../table/dialogs.js";
import { kindName, nameOf, proposalText, settlement } from "../table/wording.js";
import { html, ltr, nothing } from "../view.js";

/**
 * @import { Side } from "../wire.js"
 * @import { Loss, Proposal } from "./offers.js"
 * @typedef {import("../views/match.js").Match} View
 */

/**
 * One thing to offer: a button that says what it means, or why it cannot be had.
 * @param {string} text
 * @param {string} means
 * @param {string | null} refused
 * @param {() => void} act
 */
const choice = (text, means, refused, act) =>
  html`<button class="choice" ?disabled=${refused !== null} @click=${act}>
    <b>${text}</b>${[means, refused].filter(Boolean).map((line) => html`<span class="small">${line}</span>`)}
  </button>`;

const waiting = () => html`<p class="quiet" role="status">${t("One moment")}<span class="dots"></span></p>`;

/** @param {string} title @param {string} told @param {unknown} content @param {unknown} out the way out */
const offering = (title, told, content, out) =>
  html`<h2 id="dialog-title" tabindex="-1" autofocus>${title}</h2>
    <p class="quiet">${told}</p>
    ${content}
    <div class="actions">${out}</div>`;

/** @param {View} view */
export function resignDialog(view) {
  const { state, seat, offers } = view;
  const shared = state.you.length > 1;
  const [own, theirs] = seat ? [nameOf(state, seat), nameOf(state, other(seat))] : ["", ""];
  const losses = (seat && offers?.resign[seat]) ?? null;
  const price = (/** @type {Loss} */ { points, ends }) => {
    const label = shared
      ? tn("{name} loses {n} point", "{name} loses {n} points", points, { name: own })
      : tn("you lose {n} point", "you lose {n} points", points);
    return ends ? t("{what}, and the match with it", { what: label }) : label;
  };
  const one = (/** @type {Loss} */ loss) =>
    choice(kindName(loss.kind), price(loss), loss.refused, () =>
      view.closeAnd({ type: "resign", kind: loss.kind }),
    );
  return offering(
    shared ? t("{name} resigns the game?", { name: own }) : t("Resign the game?"),
    shared
      ? t("{name} may refuse if more is to be won.", { name: theirs })
      : t("Your opponent may refuse if more is to be won."),
    html`<div class="choices">${losses ? losses.map(one) : waiting()}</div>`,
    html`<button class="pri" @click=${view.close}>${t("Play on")}</button>`,
  );
}

/** @param {View} view */
export function proposeDialog(view) {
  const { state, seat, offers } = view;
  if (!offers || !seat) return html`<h2 id="dialog-title">${t("Propose")}</h2>${waiting()}`;
  const free = offers.propose.some(({ what, refused }) => what === "settle" && refused === null);
  const one = (/** @type {Proposal} */ each) => {
    const [text, means] = proposalText(state, { ...each, by: seat });
    const { what, points } = each;
    return choice(text, means, each.refused, () =>
      view.closeAnd({ type: "propose", what, ...(points ? { points } : {}) }),
    );
  };
  return offering(
    t("Propose"),
    state.you.length > 1
      ? t("{name} has to agree.", { name: nameOf(state, other(seat)) })
      : t("Your opponent has to agree."),
    html`<div class="choices">${offers.propose.map(one)}</div>
      ${free ? otherNumber(view, seat, offers.most) : nothing}`,
    back(view.close),
  );
}

/** Any other number of points. @param {View} view @param {Side} seat @param {number} most */
function otherNumber(view, seat, most) {
  const submit = (/** @type {SubmitEvent} */ event) =>
    view.closeAnd({ type: "propose", what: "settle", points: settled(event) });
  const who = (/** @type {-1 | 1} */ sign) => settlement(view.state, seat, sign, t("a number of points"));
  return html`<details>
    <summary>${t("Another number of points")}</summary>
    <form class="row" @submit=${submit}>
      <select name="who" aria-label=${t("Who pays")}>
        <option value="theirs">${who(1)}</option>
        <option value="own">${who(-1)}</option>
      </select>
      <input
        name="points"
        type="number"
        inputmode="numeric"
        min="1"
        max=${most}
        value="1"
        required
        aria-label=${t("Points")}
      >
      <button>${t("Propose")}</button>
    </form>
  </details>`;
}

/**
 * The rules of a table.
 * @param {import("../wire.js").State} state
 * @param {string} name of the game, in the language of the page
 * @param {import("../rule-text.js").RuleLine[]} rules
 * @param {() => void} close
 */
export function rulesDialog(state, name, rules, close) {
  const { card, clock } = state;
  const clocks = t("Should the server be interrupted, the clocks stand still until it is back.");
  const content = html`<p class="small quiet">
      ${t("The rules of this table")} · ${contestName({ card })}
    </p>
    ${clock ? html`<p class="small quiet">${clocks}</p>` : nothing}
    ${rules.map(ruleLine)}`;
  const all = html`<a class="button" href="/rules/${card.game}">${t("All rules of the game")}</a>`;
  return readingDialog(name, content, close, all);
}

/** Keys, each with what it does. @returns {[string[], string][]} */
const list = () => [
  [[t("Space")], t("throws the dice; confirms a complete play")],
  [["8/5 6/5", "Enter"], t("plays what is typed")],
  [["N", "Shift+N"], t("goes to the next, or the last, place from which a checker can move")],
  [["←", "→", "↑", "↓"], t("go from point to point")],
  [["Enter"], t("moves the checker there by the first die")],
  [["Ctrl+Enter"], t("moves it by the other die")],
  [["1–6"], t("choose the die that is played first")],
  [["S"], t("swaps the dice")],
  [["U", "Backspace"], t("takes back a step")],
  [["Shift+U"], t("takes back the whole play")],
  [["D"], t("offers the cube; once more to double")],
  [["T", "X", "B"], t("take a double, drop it, beaver")],
  [["R"], t("resigns: asks first")],
  [["P"], t("proposes a settlement, a draw or a pause")],
  [["H"], t("asks for a hint")],
  [["C"], t("opens the chat")],
  [["F"], t("turns the board")],
  [["G"], t("shows the rules of this table")],
  [["Esc"], t("deselects a checker, closes menus")],
  [["?"], t("shows this list")],
];

/** @param {() => void} close */
export const keysDialog = (close) => {
  const rows = list().map(
    ([keys, does]) =>
      html`<div><dt>${keys.map((key) => html`<kbd>${ltr(key)}</kbd> `)}</dt><dd>${does}</dd></div>`,
  );
  return readingDialog(t("Keys"), html`<dl class="keylist">${rows}</dl>`, close);
};

/** What the tutor's numbers mean, for newcomers. @param {() => void} close */
export const numbersDialog = (close) => {
  /** @type {[string, string][]} */
  const terms = [
    [
      t("points a game"),
      t(
        "The value of a position, called its equity: the points that the side on roll wins on average if " +
          "both play well from here. With +0.300 it is thirty points ahead after a hundred such games.",
      ),
    ],
    [
      t("What a play costs"),
      t(
        "By how much it leaves you worse off than the best play, on average. A good player gives away " +
          "less than 0.010 points with a decision.",
      ),
    ],
    [
      words().joined([t("best"), t("fine"), t("error"), t("blunder")]),
      t(
        "The four grades of a play, by what it costs. An error is worth learning from, a blunder " +
          "often decides the game.",
      ),
    ],
    [t("wins"), t("The share of games that the side on roll wins, plain wins and higher ones together.")],
    [
      t("In a match"),
      t(
        "The score decides what a point is worth: points that no longer help to win the match count for nothing.",
      ),
    ],
  ];
  const content = html`<dl class="glossary">
    ${terms.map(([term, means]) => html`<dt>${term}</dt><dd>${means}</dd>`)}
  </dl>`;
  return readingDialog(t("The tutor's numbers"), content, close);
};
