/** The parts around the board of a chouette: plates, seats with cubes and advice, the score sheet, the bar of actions. */
import { t, words } from "../../i18n/i18n.js";
import { icon } from "../icons.js";
import { menuButtons } from "../match/actions.js";
import { swatch, timer } from "../match/plate.js";
import { kindName } from "../match/wording.js";
import { guestName } from "../names.js";
import { settings } from "../settings.js";
import { html, ltr, named, nothing } from "../view.js";
import { answers, offered, terms, withdrawing } from "./settling.js";

/**
 * @typedef {import("./model.js").ChouetteModel} Model
 * @typedef {import("../views/chouette.js").Chouette} View
 * @typedef {import("../types.js").Side} Side
 * @typedef {Pick<Model, "around">} Shown the state of a chouette, now or in a replay
 */

/** Points with their sign. @param {number} n */
const signed = (n) => ltr(`${n > 0 ? "+" : n < 0 ? "−" : ""}${words().figure(Math.abs(n))}`);

/** @param {Model} model @param {Side} side @param {boolean} own */
export function plate(model, side, own) {
  const state = /** @type {import("../types.js").State} */ (model.state);
  const name = model.hand(side);
  const active = state.phase !== "over" && (state.on_roll ?? state.to_act[0]) === side;
  const pips = state.pips[side];
  return html`<section class="plate ${own ? "own" : "opp"} ${active ? "on" : ""}" aria-label=${guestName(name)}>
    ${swatch(side, settings.prefs.material)}<div class="name">${named(guestName(name))}</div>
    <div class="sub"><span class="badge">${side === "white" ? t("Box") : t("Captain")}</span>${pips ? html`<span>${words().figure(pips)}</span>` : nothing}</div>
    <div class="score"><b>${signed(model.around.sheet[name] ?? 0)}</b></div>
    ${timer(state, side, model.passed)}</section>`;
}

/** The letter by which somebody is found at a glance. @param {string} name */
const initial = (name) => ([...name.trim()][0] ?? "").toLocaleUpperCase(words().tag);

/**
 * A settlement beside its member: what they would get, with the whole sentence for who asks.
 * @param {string} box @param {import("./model.js").Member} member @param {import("./model.js").Offer} terms
 */
function proposal(box, member, { by, points }) {
  const label = offered(box, member);
  return html`<span class="small terms" title=${label} aria-label=${label} role="img">${t("offer")} ${signed(by === "white" ? -points : points)}</span>`;
}

/** @param {Shown} shown @param {import("./model.js").Person} person */
function seat({ around }, person) {
  const member = around.members.find(({ name }) => name === person.name);
  const roles = /** @type {Record<string, string>} */ ({ box: t("Box"), captain: t("Captain") });
  const where = member?.owner
    ? member.owner === "white"
      ? t("with the box")
      : t("with the team")
    : t("in the middle");
  const quiet = person.role === "gone" || (member && !member.playing);
  return html`<li class="${quiet ? "quiet" : ""} ${person.you ? "mine" : ""}"><span class="name"><span class="initial" aria-hidden="true">${initial(guestName(person.name))}</span><b>${named(guestName(person.name))}</b>
      ${roles[person.role] ? html`<span class="badge role">${roles[person.role]}</span>` : nothing}
      ${person.bot || person.stand_in ? html`<span class="badge">${t("bot")}</span>` : person.here ? nothing : html`<span class="dot away" role="img" aria-label=${t("away")}></span>`}</span>
    <span class="tells">${member?.terms ? proposal(around.box, member, member.terms) : nothing}${member?.advice ? ltr(member.advice) : nothing}
      ${member && !member.playing ? html`<span class="small">${t("out of the game")}</span>` : nothing}
      ${member?.playing && around.cubes ? html`<span class="cube" title=${where}>${words().figure(member.value)}</span>${member.terms ? nothing : html`<span class="small where">${member.offered ? t("doubled") : where}</span>`}` : nothing}</span></li>`;
}

/** @param {Shown} shown */
export const seats = (shown) =>
  html`<ul class="chouette-seats">${shown.around.people.filter(({ role }) => role !== "gone").map((person) => seat(shown, person))}</ul>`;

/** The gains of each game and their sum. @param {Shown} shown */
export function sheet({ around }) {
  const { people, rows, sheet } = around;
  return html`<div class="chouette-sheet"><table class="numbers"><thead><tr><th>${t("Game")}</th>${people.map(({ name }) => html`<th class="num">${named(guestName(name))}</th>`)}</tr></thead>
    <tbody>${rows.map((row, n) => html`<tr><td>${words().figure(n + 1)}</td>${people.map(({ name }) => html`<td class="num">${signed(row[name] ?? 0)}</td>`)}</tr>`)}
    <tr><th>${t("Sum")}</th>${people.map(({ name }) => html`<td class="num"><b>${signed(sheet[name] ?? 0)}</b></td>`)}</tr></tbody></table></div>`;
}

/** The cube that waits for an answer of one of my names. @param {Model} model */
const asked = (model) =>
  model.mine.flatMap(([name, own]) => own.answer.map((cube) => ({ name, ...cube })))[0];

/** One line: what is to be done. @param {Model} model @param {string} reason */
export function saying(model, reason) {
  const state = /** @type {import("../types.js").State} */ (model.state);
  const cube = asked(model);
  const side = state.to_act[0];
  const settles = terms(model);
  const resigned = state.resignation;
  // A game that was played out shows its end; one that was lost on time does not.
  const late = state.phase === "ready" && state.results.at(-1)?.reason === "time";
  const text =
    reason ||
    (model.around.over
      ? t("The chouette is over")
      : cube
        ? `${guestName(cube.member)}: ${t("Double to {n}", { n: cube.cube })}`
        : settles
          ? settles.text
          : resigned
            ? `${t("{name} resigns", { name: guestName(model.hand(resigned.by)) })} · ${kindName(resigned.kind)}`
            : side && state.you.includes(side) && state.on_roll === side
              ? t("{name} is on roll", { name: guestName(model.hand(side)) })
              : side
                ? `${late ? `${t("The time has run out")} · ` : ""}${t("Waiting for {name}", { name: guestName(model.hand(side)) })}`
                : "");
  return html`<div class="say"><div class="words"><div class="status" role="status">${text}</div></div></div>`;
}

/** @param {View} view */
export function bar(view) {
  const model = /** @type {Model} */ (view.model);
  const more = t("More");
  return html`<div class="actions" role="group" aria-label=${t("Actions")}>
    <button class="dots-button" aria-label=${more} title=${more} aria-expanded=${view.menu ? "true" : "false"} @click=${() => (view.menu = !view.menu)}>${icon("more")}${model.unread ? html`<span class="unread" role="img" aria-label=${t("Chat")}>${words().figure(model.unread)}</span>` : nothing}</button>
    ${slots(view, model)}
    <div class="more" ?hidden=${!view.menu} @click=${() => (view.menu = false)}>${menuButtons(view.entries.arrange(view.menu, () => entries(view, model)))}</div></div>`;
}

/** @param {boolean} first @param {string} text @param {() => void} act @param {boolean} [off] */
const button = (first, text, act, off = false) =>
  html`<button class=${first ? "pri" : "second"} title=${text} ?disabled=${off} @click=${act}><span class="two-lines">${text}</span></button>`;

/** @param {View} view @param {Model} model */
function slots(view, model) {
  const state = /** @type {import("../types.js").State} */ (model.state);
  const busy = model.connection.busy || !model.connection.live;
  const cube = asked(model);
  if (cube) {
    const answer = (/** @type {string} */ choice) =>
      model.as(cube.name, { type: "answer", member: cube.member, answer: choice });
    return html`${button(false, t("Drop"), () => answer("drop"), busy)}${button(true, t("Take"), () => answer("take"), busy)}`;
  }
  const settles = terms(model);
  // Who has begun to move goes on; the offer stands meanwhile.
  if (settles && !view.progress.done) return answers(model, settles, button, busy);
  const side =
    state.you.find((each) =>
      model.allowed(each).some((kind) => !["resign", "anchor", "link", "time"].includes(kind)),
    ) ?? state.you[0];
  const allowed = side ? model.allowed(side) : [];
  const may = (/** @type {string} */ kind) => allowed.includes(kind);
  const act = (/** @type {string} */ type, more = {}) => model.act({ type, ...more }, side);
  const doubler = model.mine.find(([, own]) => own.double.length);
  const double = doubler
    ? button(false, t("Double"), () => model.as(doubler[0], { type: "double" }), busy)
    : undo(view);
  if (state.phase === "resigned" && may("accept"))
    return html`${button(false, t("Refuse"), () => act("refuse"), busy)}${button(true, t("Accept"), () => act("accept"), busy)}`;
  if (may("ready")) return html`${undo(view)}${button(true, t("Next game"), () => model.readyAll(), busy)}`;
  if (may("choose"))
    return html`<div class="dicepad" role="group" aria-label=${t("Name your double")}>${[1, 2, 3, 4, 5, 6].map((die) => html`<button @click=${() => act("choose", { die })}>${die}</button>`)}</div>`;
  if (may("dice"))
    return html`${undo(view)}${button(true, t("Type the dice"), () => (view.typing = true), busy)}`;
  if (may("roll")) return html`${double}${button(true, t("Roll"), () => act("roll"), busy)}`;
  if (doubler)
    return html`${undo(view)}${button(true, t("Double"), () => model.as(doubler[0], { type: "double" }), busy)}`;
  if (state.choices) {
    const text = view.advises ? t("Advise this play") : t("Confirm");
    return html`${undo(view)}${button(true, text, () => view.board?.confirm(), busy || !view.progress.whole)}`;
  }
  if (model.around.over)
    return html`${button(false, t("Sheet"), () => (view.sheetOpen = true))}<a class="button pri" href=${replayOf(state)}>${t("Replay")}</a>`;
  const stranger = model.around.may_join;
  if (stranger) return html`${undo(view)}${button(true, t("Sit down"), () => void view.sit(), busy)}`;
  const back = model.around.people.find((person) => person.you && person.stand_in);
  if (back)
    return html`${undo(view)}${button(true, t("I am back"), () => void view.standIn(back.name, false))}`;
  const waits = state.to_act[0];
  return html`${undo(view)}${button(true, waits ? t("Waiting for {name}", { name: guestName(model.hand(waits)) }) : t("One moment"), () => {}, true)}`;
}

/** @param {import("../types.js").State} state */
const replayOf = ({ match }) => `/chouette/${encodeURIComponent(match)}/replay`;

/** @param {View} view */
const undo = (view) => button(false, t("Undo"), () => view.board?.undo(), !view.progress.done);

/** The rarer actions: exactly what the server allows each of my names. @param {View} view @param {Model} model @returns {import("../menu.js").Entry[]} */
function entries(view, model) {
  const state = /** @type {import("../types.js").State} */ (model.state);
  const { around } = model;
  const several = model.mine.length > 1;
  const whose = (/** @type {string} */ name, /** @type {string} */ text) =>
    several ? `${guestName(name)}: ${text}` : text;
  /** @type {[string, () => void][]} */
  const list = [];
  for (const [name, own] of model.mine) {
    const may = (/** @type {string} */ kind) => own.allowed.includes(kind);
    const add = (/** @type {string} */ text, /** @type {any} */ action) =>
      list.push([whose(name, text), () => model.as(name, action)]);
    for (const cube of own.answer)
      if (cube.beaver) add(t("Beaver"), { type: "answer", member: cube.member, answer: "beaver" });
    if (may("double_one"))
      for (const member of own.double)
        add(t("Double {name}", { name: guestName(member) }), { type: "double_one", member });
    for (const member of own.hand_over)
      add(t("Hand over to {name}", { name: guestName(member) }), { type: "hand_over", member });
    if (Object.keys(own.settle).length)
      list.push([whose(name, t("Settle the game")), () => (view.settling = name)]);
    for (const [text, action] of withdrawing(model, name)) add(text, action);
    if (own.take_over)
      add(t("Play on for {name}", { name: guestName(around.captain) }), { type: "hand_over", member: name });
    if (may("resign"))
      for (const kind of state.resign_kinds)
        add(`${t("Resign")}: ${kindName(kind)}`, { type: "resign", kind });
    if (may("leave")) add(t("Leave after this game"), { type: "leave" });
    if (may("join")) add(t("Stay"), { type: "join" });
    if (may("stop")) {
      const on = !around.stopping.includes(name);
      add(on ? t("End the evening") : t("Go on after all"), { type: "stop", on });
    }
  }
  for (const person of around.people) {
    if (
      (person.away && model.mine.length) ||
      (person.you && !person.stand_in && !around.over && person.role !== "gone")
    )
      list.push([
        t("Let the computer play for {name}", { name: guestName(person.name) }),
        () => void view.standIn(person.name, true),
      ]);
    if (person.you && person.stand_in)
      list.push([t("I am back"), () => void view.standIn(person.name, false)]);
  }
  const sounding = settings.prefs.sounds;
  list.push(
    [t("Chat"), () => (view.talking = true)],
    [
      sounding ? t("Turn the sounds off") : t("Turn the sounds on"),
      () => settings.set({ sounds: !sounding }),
    ],
    [t("Sheet"), () => (view.sheetOpen = true)],
    [t("Turn the board"), () => settings.turn(state.card.game)],
  );
  const replay = around.rows.length ? [{ text: t("Replay"), href: replayOf(state) }] : [];
  return [
    ...list.map(([text, act]) => ({ text, act })),
    ...replay,
    { text: t("Record"), href: `/api/v1/chouettes/${state.match}/record`, download: true },
    { text: t("Home"), href: "/" },
  ];
}
