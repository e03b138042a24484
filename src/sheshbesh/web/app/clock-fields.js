/** The fields in which a table agrees on its clock: a preset, or a custom one, with breaks between the games. */

import { t, tn } from "../i18n/i18n.js";
import { html, nothing } from "../vendor/lit.js";
import { clockName, readClock, USUAL_CLOCK, writeClock } from "./clock-code.js";
import { choice, field, takeNumber } from "./fields.js";

/** @typedef {import("./clock-code.js").Clock} Clock */

/** Clocks of a table at which both sit, and those of a match by correspondence. */
const USUAL = ["n", "d12-120", "d8-60", "d5-30", "t30", "f10-60"];
const DAYS = ["t86400", "t172800", "t259200", "t432000", "t604800"];
const BREAKS = [null, 0, 1, 2, 3];

const kinds = () =>
  /** @type {[Clock["kind"], string][]} */ ([
    ["d", t("simple delay: the bank runs once the delay is over")],
    ["b", t("Bronstein delay: time used is returned, up to the delay")],
    ["f", t("Fischer increment: each turn adds time to the bank")],
    ["t", t("fixed time per turn")],
  ]);

/**
 * @param {string} code
 * @param {(code: string, own: boolean) => void} change `own`: the table wants a clock of its own
 * @param {{days?: boolean, wanted?: boolean, rests?: boolean}} [how] `days`: matches by correspondence are offered,
 *   too; `wanted`: a clock of one's own is, though it may be set like a usual one as yet; `rests`: breaks between
 *   games are
 */
export function clockFields(code, change, { days = false, wanted = false, rests = true } = {}) {
  const clock = readClock(code);
  const offered = [...USUAL, ...(days ? DAYS : [])];
  // Breaks belong to a clock of every kind: they do not make it another one.
  const bare = writeClock({ ...clock, breaks: null, rest: 300 });
  const own = clock.kind !== "n" && (wanted || !offered.includes(bare));
  const set = (/** @type {Partial<Clock>} */ changes) => change(writeClock({ ...clock, ...changes }), own);
  /** @type {[string, string][]} */
  const clocks = [
    ...offered.map((each) => /** @type {[string, string]} */ ([each, clockName(each)])),
    ["own", own ? clockName(bare) : t("Another clock …")],
  ];
  const choose = (/** @type {string} */ value) =>
    value === "own" ? change(clock.kind === "n" ? USUAL_CLOCK : code, true) : change(value, false);
  return html`${choice("clock", t("Clock"), clocks, own ? "own" : bare, choose)}
    ${own ? ownFields(clock, set) : nothing}
    ${!rests || clock.kind === "n" || clock.kind === "t" ? nothing : breakFields(clock, set)}`;
}

/** @param {Clock} clock @param {(changes: Partial<Clock>) => void} set */
function ownFields(clock, set) {
  const number = (
    /** @type {string} */ id,
    /** @type {string} */ label,
    /** @type {number} */ value,
    /** @type {number} */ least,
    /** @type {number} */ most,
    /** @type {(value: number) => Partial<Clock>} */ change,
  ) =>
    field(
      id,
      label,
      html`<input
        id=${id}
        type="number"
        inputmode="decimal"
        step="any"
        min=${least}
        max=${most}
        required
        .value=${String(value)}
        @change=${(/** @type {Event} */ event) => takeNumber(event, (n) => set(change(n)))}
      >`,
    );
  return html`${choice("clock-kind", t("How it runs"), kinds(), clock.kind, (kind) => set({ kind }))}
    <div class="row">
      ${number(
        "clock-delay",
        t("Seconds a turn"),
        clock.delay,
        clock.kind === "t" ? 1 : 0,
        3600,
        (delay) => ({ delay: Math.round(delay) }),
      )}
      ${
        clock.kind === "t"
          ? nothing
          : number("clock-bank", t("Minutes a point"), clock.bank / 60, 0.5, 60, (minutes) => ({
              bank: Math.round(minutes * 60),
            }))
      }
    </div>`;
}

/** @param {Clock} clock @param {(changes: Partial<Clock>) => void} set */
function breakFields(clock, set) {
  const named = (/** @type {number | null} */ each) =>
    each === null ? t("by the length of the match") : each ? tn("{n} break", "{n} breaks", each) : t("none");
  const values = BREAKS.map((each) => /** @type {[number | null, string]} */ ([each, named(each)]));
  const label = t("Breaks between games, each player");
  return html`<div class="row">
    ${choice("breaks", label, values, clock.breaks, (breaks) => set({ breaks }))}
    ${
      clock.breaks === 0
        ? nothing
        : field(
            "rest",
            t("Minutes of a break"),
            html`<input
              id="rest"
              type="number"
              inputmode="numeric"
              min="1"
              max="60"
              required
              .value=${String(clock.rest / 60)}
              @change=${(/** @type {Event} */ event) =>
                takeNumber(event, (n) => set({ rest: Math.round(n * 60) }))}
            >`,
          )
    }
  </div>`;
}
