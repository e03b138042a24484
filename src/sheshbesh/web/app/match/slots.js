/** The actions of a match in the bar and in its menu: exactly what the server allows now, in words. */
import { t } from "../../i18n/i18n.js";
import { settings } from "../settings.js";
import { doublePad, noSecond, withKey } from "../table/actions.js";
import { nameOf } from "../table/wording.js";
import { html } from "../view.js";

/**
 * @typedef {import("../views/match.js").Match} View
 * @typedef {import("../table/actions.js").Slot} Slot
 * @typedef {import("../table/actions.js").Entry} Entry
 */

/** A primary action that has to wait, and for whom. @param {View} view @returns {Slot[]} */
function waitingFor(view) {
  const { state } = view;
  const side = state.to_act[0];
  const text = state.paused
    ? t("The clock is paused")
    : side
      ? t("Waiting for {name}", { name: nameOf(state, side) })
      : t("One moment");
  return [aheadSlot(view), { text, first: true, off: true }];
}

/**
 * In the other side's turn: to have the dice thrown as soon as it is one's own, or not.
 * @param {View} view
 * @returns {Slot}
 */
function aheadSlot(view) {
  const { state, ahead } = view;
  // Where there is no cube to think of, a setting throws by itself.
  if (ahead === null || (settings.prefs.autoroll && !state.cube.in_play)) return noSecond();
  return {
    text: t("Roll at once"),
    title: t("Throw the dice as soon as it is your turn, without doubling"),
    pressed: ahead,
    act: () => view.rollAhead(!ahead),
  };
}

/** The second and the primary action of what may be done now. @param {View} view @returns {Slot[] | unknown} */
export function slots(view) {
  const { state, busy: waiting } = view;
  /** @param {string} type @param {string} text @param {Partial<Slot>} [how] @returns {Slot} */
  const plain = (type, text, how) => ({ text, off: waiting, act: () => view.act({ type }), ...how });
  /** @param {string} type @param {string} text @returns {Slot[]} */
  const alone = (type, text) => [noSecond(), plain(type, text, { first: true })];

  if (!state.you.length && state.phase !== "over")
    return html`<p class="quiet watching">${t("You are watching.")}</p>`;
  if (state.phase === "over")
    return [
      { text: t("Replay"), href: `/replay/${encodeURIComponent(state.match)}` },
      { text: t("Result"), first: true, act: () => view.open("result") },
    ];
  if (view.model?.waitsFor === "player") return retrying(view);
  if (view.may("resume")) return alone("resume", t("Go on"));
  if (view.may("take"))
    return [
      plain("drop", t("Drop"), { keys: "X", title: withKey(t("Drop"), "X") }),
      plain("take", t("Take"), { keys: "T", title: withKey(t("Take"), "T"), first: true }),
    ];
  if (state.phase === "resigned" && view.may("accept"))
    return [plain("refuse", t("Refuse")), plain("accept", t("Accept"), { first: true })];
  if (view.may("ready")) return alone("ready", state.game ? t("Next game") : t("Ready"));
  if (view.may("choose")) return doublePad((die) => view.act({ type: "choose", die }));
  if (view.may("dice"))
    return [noSecond(), { text: t("Type the dice"), first: true, act: () => view.open("dice") }];
  if (view.may("roll")) return rolling(view);
  if (state.phase === "move" && ["play", "confirm", "step"].some((kind) => view.may(kind)))
    return moving(view);
  if (view.may("time")) return alone("time", claim(state));
  return waitingFor(view);
}

/** After an error, while the engine waits. @param {View} view @returns {Slot[]} */
const retrying = ({ model, busy: off }) => [
  {
    text: t("Try again"),
    title: t("Take this play back, once, and play the same dice again"),
    off,
    act: () => model.retry(),
  },
  { text: t("Go on"), keys: "Space", first: true, off, act: () => model.carryOn() },
];

/** @param {import("../wire.js").State} state */
const claim = (state) => (state.clock ? t("Claim the time") : t("Your opponent is gone: claim the match"));

/**
 * Before the throw. The cube is never turned by one tap: the first one only asks.
 * @param {View} view
 * @returns {Slot[]}
 */
function rolling(view) {
  const { state, busy: off } = view;
  if (view.armed && view.may("double"))
    return [
      { text: t("Cancel"), act: () => view.arm(false) },
      { text: t("Double to {n}", { n: 2 * state.cube.value }), first: true, off, act: () => view.double() },
    ];
  const double = html`${t("Double")}<span aria-hidden="true">…</span>`;
  return [
    view.may("double")
      ? { text: double, title: withKey(t("Double"), "D"), keys: "D", off, act: () => view.arm(true) }
      : noSecond(),
    {
      text: t("Roll"),
      title: withKey(t("Roll"), t("Space")),
      keys: "Space",
      first: true,
      off,
      act: () => view.act({ type: "roll" }),
    },
  ];
}

/** The buttons of a turn in progress. @param {View} view @returns {Slot[]} */
function moving(view) {
  const { state, busy: waiting, progress } = view;
  const touch = Boolean(state.card.touch_move);
  // Once the sides have passed each other most throws leave nothing to decide.
  const passed = state.race && view.may("play") && !touch && !progress.done;
  return [
    passed
      ? {
          text: t("Bear off"),
          title: t("Bear off: the throw is played for you where there is nothing to decide"),
          off: waiting,
          act: () => void view.model?.connection.finish(),
        }
      : {
          text: t("Undo"),
          title: withKey(t("Undo"), "U"),
          keys: "U",
          off: touch || !progress.done || waiting,
          act: () => view.undo(),
        },
    {
      text: t("Confirm"),
      title: withKey(t("Confirm"), t("Space")),
      keys: "Space",
      first: true,
      off: !progress.whole || waiting,
      act: () => view.confirm(),
    },
  ];
}

/** What is done more rarely. @param {View} view @returns {Entry[]} */
export function entries(view) {
  const { state } = view;
  const hint =
    state.tutor && state.phase !== "over" && ["play", "step", "roll", "take"].some((kind) => view.may(kind));
  /** An entry with the key that does the same. @param {string} text @param {string} key @param {() => void} act */
  const entry = (text, key, act) => ({ text, act, title: withKey(text, key) });
  /** @type {[boolean, Entry][]} */
  const all = [
    [hint, entry(t("Hint"), "H", () => view.hint())],
    [view.mayTry, { text: t("Let me try"), act: () => void view.try() }],
    [view.may("beaver"), entry(t("Beaver"), "B", () => view.act({ type: "beaver" }))],
    [view.may("break"), { text: t("Take a break"), act: () => view.act({ type: "break" }) }],
    [view.may("time"), { text: claim(state), act: () => view.act({ type: "time" }) }],
    [
      view.mayPropose,
      {
        ...entry(t("Propose"), "P", () => view.open("propose")),
        title: withKey(t("Settle the game, end the session or pause the clock by consent"), "P"),
      },
    ],
    [view.mayResign, entry(t("Resign"), "R", () => view.open("resign"))],
    [view.people, { text: t("Chat"), act: () => view.open("chat"), kind: "narrow-only" }],
    // Where there is room they stand as signs beside the title.
    [true, { ...entry(t("Turn the board"), "F", () => view.flip()), kind: "narrow-only" }],
    [true, { ...entry(t("Rules"), "G", () => view.open("rules")), kind: "narrow-only" }],
    [true, { ...entry(t("Keys"), "?", () => view.open("keys")), kind: "keys-entry" }],
    [true, { ...view.soundsEntry, kind: "narrow-only" }],
    [true, { text: t("Settings"), href: "/settings", kind: "narrow-only" }],
  ];
  return all.filter(([shown]) => shown).map(([, each]) => each);
}
