/** Another play tried in a running match: judged by the engine of this browser, and never sent to the server. */
import { findPlay, parsePlay } from "../../board/notation.js";
import { Turn } from "../../board/turn.js";
import { localEngine, NoAnswer } from "../../engine/client.js";
import { t } from "../../i18n/i18n.js";
import { answerHere, stepsOf } from "../analysis/here.js";
import { silenceText, source } from "../grades.js";
import { html, nothing, thousandths } from "../view.js";

/**
 * @typedef {import("../../engine/analysis.js").Question} Question
 * @typedef {import("../../board/types.js").Stage} Stage
 * @typedef {import("../wire.js").State} State
 */

/**
 * The verdict on a play that was tried; null where there is none.
 * @param {Question} question @param {Stage[]} choices @param {number} stage  at which the play ends
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function judgeTried(question, choices, stage, signal) {
  // No server judges a play that was never sent to it.
  const { found } = await localEngine.analyse(question, 0, { signal, isAlone: true });
  const play = found.plays?.find(({ steps }) => new Turn(choices, stepsOf(steps)).stage === stage);
  if (!play) return null;
  const made = btoa(String.fromCharCode(...play.row));
  return (await answerHere({ question, done: "play", made, dice: play.dice }, true))?.d ?? null;
}

/** What a play that was tried costs, in a sentence. @param {{loss: number}} told */
const lossText = ({ loss }) =>
  loss < 0.0005 ? t("Right: that is the best.") : t("Your answer loses {loss}.", { loss: thousandths(loss) });

/** The same at length. @param {any} told */
export function triedText(told) {
  const { best, reason, by } = told;
  const better = { play: `\u2066${best.play}\u2069`, reason: reason?.text ?? "" };
  return html`<p role="status"><b>${lossText(told)}</b></p>
    ${reason ? html`<p>${t("Better is {play}: it {reason}.", better)}</p>` : nothing}${source(by)}`;
}

/** What of a match a trial depends on. @param {State} state */
const turnText = ({ phase, on_roll: side, board, turn }) => JSON.stringify([phase, side, board, turn]);

/** A turn of a match on which plays are tried, until the match goes on. */
export class Trial {
  /** What is said of the play that was tried. @type {any} */
  told = null;
  /** Why nothing is. */
  silent = "";
  /** What the board shows. @type {any} */
  state = null;
  #working = new AbortController();

  /** @param {import("../views/match.js").Match} view */
  constructor(view) {
    this.view = view;
    this.of = view.state;
    this.question = /** @type {Promise<Question | null>} */ (view.model.connection.question());
    this.question.catch(() => {});
    this.begin();
  }

  /** The board before the turn. */
  begin = () => {
    this.#working.abort();
    this.told = null;
    this.silent = "";
    this.state = { ...this.of };
    this.view.requestUpdate();
  };

  /** Back to the match. */
  end = () => {
    this.#working.abort();
    this.view.trial = null;
  };

  /** End if the match has gone on: a new connection brings the same turn once more. @param {State} now */
  follow(now) {
    if (turnText(now) !== turnText(this.of)) this.end();
  }

  /** An action made on the board; only a whole play is judged. @param {{type: string, play?: unknown}} action */
  async played({ type, play }) {
    const choices = /** @type {Stage[]} */ (this.of.choices ?? []);
    const hops = type === "play" ? findPlay(new Turn(choices), parsePlay(String(play)) ?? []) : null;
    if (!hops) return;
    const { view } = this;
    const { signal } = (this.#working = new AbortController());
    const shown = { phase: "over", on_roll: null, allowed: [], turn: null, choices: undefined };
    this.state = { ...this.state, ...shown, board: view.board?.position ?? null };
    view.requestUpdate();
    try {
      const question = await this.question;
      const told = question && (await judgeTried(question, choices, hops.at(-1)?.stage ?? 0, signal));
      if (signal.aborted) return;
      this.told = told;
      if (told) view.opened = true;
      else this.silent = silenceText();
    } catch (error) {
      if (signal.aborted) return;
      this.silent = silenceText(error instanceof NoAnswer ? error : undefined);
      if (!(error instanceof NoAnswer)) throw error;
    } finally {
      view.requestUpdate();
    }
  }

  get isPlayed() {
    return this.state.phase === "over";
  }

  /** What is said below the board. */
  get said() {
    const { told, silent, isPlayed } = this;
    return {
      title: t("A play to try"),
      below: t("Only you see it; the match waits."),
      notice: silent || (told ? lossText(told) : isPlayed ? t("One moment") : null),
    };
  }

  /** What is said at length; null where there is nothing. */
  get words() {
    return this.told && triedText(this.told);
  }

  /** The two actions of the bar. @returns {import("../table/actions.js").Slot[]} */
  get slots() {
    const { view } = this;
    const back = { text: t("Back to the match"), act: this.end };
    if (this.isPlayed)
      return [
        { text: t("Try another"), act: this.begin },
        { ...back, first: true },
      ];
    const confirm = { text: t("Confirm"), first: true, off: !view.progress.whole, act: () => view.confirm() };
    return [view.progress.done ? { text: t("Undo"), act: () => view.undo() } : back, confirm];
  }
}
