/** The actions of a chouette in the bar and in its menu: exactly what the server allows each of my names. */
import { t } from "../../i18n/i18n.js";
import { guestName } from "../names.js";
import { doublePad } from "../table/actions.js";
import { kindName } from "../table/wording.js";
import { terms, withdrawing } from "./settling.js";

/**
 * @import { Action } from "../wire.js"
 * @typedef {import("../table/model.js").TableModel} Model
 * @typedef {import("../views/chouette.js").Chouette} View
 * @typedef {import("../table/actions.js").Slot} Slot
 * @typedef {import("../table/actions.js").Entry} Entry
 */

/** The cube that waits for an answer of one of my names. @param {Model} model */
const asked = ({ mine }) => mine.flatMap(([name, own]) => own.answer.map((cube) => ({ name, ...cube })))[0];

/** One line: what is to be done. @param {View} view */
export function situation({ model, state }) {
  const cube = asked(model);
  const side = state.to_act[0];
  const hand = (/** @type {import("../wire.js").Side} */ each) => guestName(model.playerFor(each));
  const settles = terms(model);
  const resigned = state.resignation;
  if (model.around.over) return t("The chouette is over");
  if (cube) return `${guestName(cube.member)}: ${t("Double to {n}", { n: cube.cube })}`;
  if (settles) return settles.text;
  if (resigned) return `${t("{name} resigns", { name: hand(resigned.by) })} · ${kindName(resigned.kind)}`;
  if (!side) return "";
  if (state.you.includes(side) && state.on_roll === side) return t("{name} is on roll", { name: hand(side) });
  // A game that was played out shows its end; one that was lost on time does not.
  const late = state.phase === "ready" && state.results.at(-1)?.reason === "time";
  const waits = t("Waiting for {name}", { name: hand(side) });
  return late ? `${t("The time has run out")} · ${waits}` : waits;
}

/** @param {View} view @returns {Slot[] | unknown} */
export function slots(view) {
  const { model, state, busy: off } = view;
  /** @param {string} text @param {() => void} act @param {Partial<Slot>} [how] @returns {Slot} */
  const plain = (text, act, how) => ({ text, act, off, ...how });
  /** @param {string} text @param {() => void} act @param {Partial<Slot>} [how] @returns {Slot} */
  const first = (text, act, how) => plain(text, act, { first: true, ...how });
  const undo = plain(t("Undo"), () => view.undo(), { off: !view.progress.done });

  const cube = asked(model);
  if (cube) {
    const answer = (/** @type {string} */ choice) => () =>
      model.as(cube.name, { type: "answer", member: cube.member, answer: choice });
    return [plain(t("Drop"), answer("drop")), first(t("Take"), answer("take"))];
  }
  const settles = terms(model);
  // Who has begun to move goes on; the offer stands meanwhile.
  if (settles && !view.progress.done) {
    const { name, member, points } = settles;
    return [
      plain(t("Decline"), () => model.as(name, { type: "decline", member })),
      first(t("Agree"), () => model.as(name, { type: "agree", points, member })),
    ];
  }
  const act = (/** @type {Action} */ action) => () => view.act(action);
  const doubler = model.mine.find(([, own]) => own.double.length)?.[0];
  const double = () => doubler && model.as(doubler, { type: "double" });
  if (state.phase === "resigned" && view.may("accept"))
    return [plain(t("Refuse"), act({ type: "refuse" })), first(t("Accept"), act({ type: "accept" }))];
  if (view.may("ready")) return [undo, first(t("Next game"), act({ type: "ready" }))];
  if (view.may("choose")) return doublePad((die) => view.act({ type: "choose", die }));
  if (view.may("dice")) return [undo, first(t("Type the dice"), () => view.open("dice"))];
  if (view.may("roll"))
    return [doubler ? plain(t("Double"), double) : undo, first(t("Roll"), act({ type: "roll" }))];
  if (doubler) return [undo, first(t("Double"), double)];
  if (state.choices) {
    const text = view.advises ? t("Advise this play") : t("Confirm");
    return [undo, first(text, () => view.confirm(), { off: off || !view.progress.whole })];
  }
  if (model.around.over)
    return [
      plain(t("Sheet"), () => view.open("sheet"), { off: false }),
      { text: t("Replay"), href: replayOf(view), first: true },
    ];
  if (model.around.may_join) return [undo, first(t("Sit down"), () => void view.sit())];
  const back = model.around.people.find((person) => person.you && person.stand_in);
  if (back) return [undo, first(t("I am back"), () => void view.standIn(back.name, false), { off: false })];
  const waits = state.to_act[0];
  const text = waits ? t("Waiting for {name}", { name: guestName(model.playerFor(waits)) }) : t("One moment");
  return [undo, { text, first: true, off: true }];
}

/** @param {View} view */
const replayOf = ({ state }) => `/chouette/${encodeURIComponent(state.match)}/replay`;

/**
 * The rarer actions under one of my names.
 * @param {View} view
 * @param {string} name
 * @returns {[string, () => void][]}
 */
function ownEntries({ model, state, settle }, name) {
  const { around } = model;
  const own = around.mine[name];
  const may = (/** @type {string} */ kind) => own.allowed.includes(kind);
  /** @type {[string, Action | (() => void)][]} */
  const list = [];
  for (const { beaver, member } of own.answer)
    if (beaver) list.push([t("Beaver"), { type: "answer", member, answer: "beaver" }]);
  if (may("double_one"))
    for (const member of own.double)
      list.push([t("Double {name}", { name: guestName(member) }), { type: "double_one", member }]);
  for (const member of own.hand_over)
    list.push([t("Hand over to {name}", { name: guestName(member) }), { type: "hand_over", member }]);
  if (Object.keys(own.settle).length) list.push([t("Settle the game"), () => settle(name)]);
  list.push(...withdrawing(model, name));
  if (own.take_over)
    list.push([
      t("Play on for {name}", { name: guestName(around.captain) }),
      { type: "hand_over", member: name },
    ]);
  if (may("resign"))
    for (const kind of state.resign_kinds)
      list.push([`${t("Resign")}: ${kindName(kind)}`, { type: "resign", kind }]);
  if (may("leave")) list.push([t("Leave after this game"), { type: "leave" }]);
  if (may("join")) list.push([t("Stay"), { type: "join" }]);
  if (may("stop")) {
    const on = !around.stopping.includes(name);
    list.push([on ? t("End the evening") : t("Go on after all"), { type: "stop", on }]);
  }
  return list.map(([text, act]) => [text, typeof act === "function" ? act : () => model.as(name, act)]);
}

/** Who plays for whom while they are away. @param {View} view @returns {[string, () => void][]} */
function standIns(view) {
  const { around, mine } = view.model;
  return around.people.flatMap((person) => {
    const { name, away, you, stand_in, role } = person;
    /** @type {[string, () => void][]} */
    const list = [];
    if ((away && mine.length) || (you && !stand_in && !around.over && role !== "gone"))
      list.push([
        t("Let the computer play for {name}", { name: guestName(name) }),
        () => void view.standIn(name, true),
      ]);
    if (you && stand_in) list.push([t("I am back"), () => void view.standIn(name, false)]);
    return list;
  });
}

/** @param {View} view @returns {Entry[]} */
export function entries(view) {
  const { model, state } = view;
  const several = model.mine.length > 1;
  const own = model.mine.flatMap(([name]) =>
    ownEntries(view, name).map(([text, act]) => ({
      text: several ? `${guestName(name)}: ${text}` : text,
      act,
    })),
  );
  return [
    ...own,
    ...standIns(view).map(([text, act]) => ({ text, act })),
    { text: t("Chat"), act: () => view.open("chat") },
    view.soundsEntry,
    { text: t("Sheet"), act: () => view.open("sheet") },
    { text: t("Turn the board"), act: () => view.flip() },
    ...(model.around.rows.length ? [{ text: t("Replay"), href: replayOf(view) }] : []),
    { text: t("Record"), href: `/api/v1/chouettes/${state.match}/record`, download: true },
    { text: t("Home"), href: "/" },
  ];
}
