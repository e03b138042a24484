/** The view of a match: a table of two, with the tutor, offers and results. */
import { t, tn, widen, words } from "../../i18n/i18n.js";
import { guard } from "../../vendor/lit.js";
import { get, post } from "../api.js";
import { verdictLine } from "../grades.js";
import { hintLine, hintText, verdictText } from "../match/advice.js";
import { proposal, proposalLine } from "../match/offers.js";
import { outcome, requestReview, resultDialog } from "../match/result.js";
import { entries, slots } from "../match/slots.js";
import { guestName } from "../names.js";
import { recordAt } from "../scoreboard/store.js";
import { settings, store } from "../settings.js";
import { chat } from "../table/chat.js";
import { TableModel } from "../table/model.js";
import { guessedNote, moves } from "../table/moves.js";
import { pictured } from "../table/panel.js";
import { playerPlate } from "../table/plate.js";
import { agreed, announcements, meta, nameOf, situation } from "../table/wording.js";
import { html, nothing, on, states } from "../view.js";
import { update, waitsForMe } from "../waiting.js";
import { TableView } from "./table-view.js";

/** @import { Action, Side, State } from "../wire.js" */

/** Screens with room for the tutor's texts, which are then shown unless they are closed. */
const ROOMY = "(min-width: 980px) and (min-height: 600px), (min-width: 600px) and (min-height: 900px)";

/** While checkers and dice are all that changes, the board says it in words; hearing it twice helps nobody. */
const TOLD_BY_BOARD = new Set(["roll", "throwing", "move"]);

/** Dialogs that are loaded by themselves. */
const ASKED = new Set(["rules", "keys", "numbers", "resign", "propose"]);

export class Match extends TableView {
  static properties = states("opened", "armed", "offers", "trial", "dialogs");

  constructor() {
    super();
    /** Whether the tutor's texts are shown; null: where the screen has room. @type {boolean | null} */
    this.opened = null;
    this.roomy = matchMedia(ROOMY);
    /** When the cube was asked for the first time, by performance.now(); 0 if it was not. */
    this.armed = 0;
    /** What may be offered, once it was asked for. @type {import("../match/offers.js").Offers | null} */
    this.offers = null;
    /** The turn on which plays are tried. @type {import("../match/trial.js").Trial | null} */
    this.trial = null;
    /** What can be proposed in this match. @type {string[]} */
    this.proposals = [];
    /** Who made the offer that was last shown. @type {string | null} */
    this.offeredBy = null;
    /** Those dialogs, once they are loaded. @type {typeof import("../match/asked.js") | null} */
    this.dialogs = null;
    this.onRoom = () => this.requestUpdate();
  }

  get heading() {
    return this.name || t("Match");
  }

  /** Of the match, in the API. */
  get path() {
    return `/matches/${encodeURIComponent(this.place.params.id)}`;
  }

  connectedCallback() {
    super.connectedCallback();
    this.roomy.addEventListener("change", this.onRoom);
    this.begin();
  }

  /** Come to the table. */
  begin() {
    this.attach(new TableModel(this.place.params.id));
    this.model.connection.retries = settings.prefs.retry;
    for (const name of ["challenges", "match", "turn", "rematch_asked", "tournament"])
      on(this.model.connection, name, (detail) => this.app.dispatch(detail));
    // A stranger becomes a guest first: guests have seats too.
    const arrived = this.app.known ? Promise.resolve() : this.app.identity;
    void arrived.catch(() => {}).then(() => this.model.open());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.roomy.removeEventListener("change", this.onRoom);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    super.willUpdate(changed);
    // In another tab the next game has been begun.
    const between = ["ready", "over"].includes(this.state?.phase ?? "over");
    if (this.dialog === "result" && !between) this.close();
    // The form for a report stands below the chat.
    const changes = changed.has("tab") || changed.has("dialog");
    if (changes && [this.tab, this.dialog].includes("chat")) void this.fetchDialogs();
  }

  /** @param {{proposals?: string[]}} about */
  know({ proposals = [] }) {
    this.proposals = proposals;
    document.title = `${this.name} · ${t("Sheshbesh")}`;
  }

  async languageChanged() {
    if (!(await super.languageChanged())) return false;
    await widen(`${this.place.view}-later`).catch(() => {});
    if (this.offers) await this.fetchOffers();
    return true;
  }

  /** @param {import("./table-view.js").Happened} event */
  happened(event) {
    super.happened(event);
    const { name, detail } = event;
    const { state, model } = this;
    if (name === "ended") this.dialog = "result";
    if (detail?.guessed) this.app.toast(guessedNote());
    // Players who asked for the rematch are taken there; others see a link.
    if (name === "rematch" && detail.url && state?.you.some((side) => model.willing.has(side)))
      void this.goOn(detail.url);
    // Withdrawing one's own offer is not an answer.
    const { actor } = detail;
    if (name === "refuse" && !state.you.some((side) => side === actor) && this.offeredBy !== actor)
      this.app.toast(t("Your opponent declines."));
  }

  /** @param {State | null} before */
  changed(before) {
    const { state, model } = this;
    this.trial?.follow(state);
    for (const text of announcements(before, state)) this.app.toast(text);
    update(state.match, state.phase !== "over" && waitsForMe(state));
    if (state.phase !== "roll" || state.on_roll !== before?.on_roll) this.armed = 0;
    // A proposal that waits for an answer is shown at once; without any text there is nothing to show.
    const asks = state.proposal && state.you.some((side) => this.may("accept", side));
    if (asks && !before?.proposal) this.opened = true;
    else if (!state.proposal && !model.tutor.verdict && !model.tutor.hint) this.opened = null;
    // What may be offered has changed with the game.
    if (this.offers && before?.phase !== state.phase) void this.fetchOffers();
  }

  prepare() {
    super.prepare();
    void widen(`${this.place.view}-later`).catch(() => {});
    void import("../match/asked.js").catch(() => {});
  }

  updated() {
    super.updated();
    if (this.tab === "moves" && this.dialog !== "chat")
      this.stickToBottom.follow(".scroll", this.model.turns.length);
    this.offeredBy = (this.state?.proposal ?? this.state?.resignation)?.by ?? null;
  }

  // What may be done

  /** Whether no seat is a program. */
  get people() {
    const { you, players } = this.state;
    return you.length < 2 && Object.values(players).every(({ kind }) => kind !== "engine");
  }

  get chats() {
    return this.people;
  }

  get mayPropose() {
    return this.may("propose") && this.proposals.length > 0;
  }

  get mayResign() {
    return this.may("resign") && this.state.resign_kinds.length > 0;
  }

  /** Whether one's next throw is asked for already; null where it cannot be. */
  get ahead() {
    const { shares } = this.model;
    return shares.mayAsk ? shares.ahead : null;
  }

  /** Whether to throw as soon as it is the player's turn. @param {boolean} ahead */
  rollAhead(ahead) {
    if (!this.model.shares.mayAsk) return;
    this.model.shares.ahead = ahead;
    this.model.changed();
  }

  hint() {
    this.opened = true;
    this.model.hint();
  }

  /** Whether plays of this turn can be tried, where the tutor may be asked and no clock runs meanwhile. */
  get mayTry() {
    const { state, model } = this;
    const moves = state.phase === "move" && this.may("play") && !state.card.touch_move;
    return state.tutor && moves && !state.clock && model.connection.hasCore && !this.trial;
  }

  /** Try plays on the board, which the engine of this browser judges. */
  async try() {
    const part = await this.loadPart(import("../match/trial.js"));
    if (part && this.mayTry) this.trial = new part.Trial(this);
  }

  /** @param {CustomEvent} event */
  heard(event) {
    if (event.type !== "ssb-why" || !this.trial) return super.heard(event);
    this.board?.refuse(event.detail.steps, t("The rules of this game do not allow this step now."));
  }

  /** @param {State} state */
  drawBoard(state) {
    return super.drawBoard(this.trial?.state ?? state);
  }

  /** @param {boolean} armed */
  arm(armed) {
    this.armed = armed ? performance.now() : 0;
  }

  /** The second tap on the cube, where a first one put the button that confirms it. */
  double() {
    if (performance.now() - this.armed < (this.board?.guard ?? 0)) return;
    this.armed = 0;
    this.act({ type: "double" });
  }

  /** @param {string} name */
  async open(name) {
    if (ASKED.has(name) && !this.dialogs && (!(await this.fetchDialogs()) || this.dialog)) return;
    // Meanwhile the other side may have moved, or the game have ended.
    if ((name === "resign" && !this.mayResign) || (name === "propose" && !this.mayPropose)) return;
    super.open(name);
    this.offers = null;
    void this.fetchOffers();
  }

  /** Load the dialogs; whether they are there. */
  async fetchDialogs() {
    this.dialogs ??= await this.loadPart(import("../match/asked.js"));
    return this.dialogs !== null;
  }

  async fetchOffers() {
    const asked = this.dialog;
    if (asked !== "resign" && asked !== "propose") return;
    const done = await this.attempt(
      async () => (this.offers = await get(`${this.path}/offers?lang=${words().tag}`)),
    );
    if (!done && this.dialog === asked) this.close();
  }

  rematch = () =>
    this.attempt(async () => {
      const made = await post(`${this.path}/rematch`);
      if (made.url) await this.goOn(made.url);
    });

  review = () => requestReview(this, this.state.match);

  /** Go to the rematch; where this match has kept the score of a real board, that one does now. @param {string} url */
  async goOn(url) {
    const { id } = this.place.params;
    if (recordAt(store) === id) {
      const part = await this.loadPart(import("../scoreboard/record.js"));
      if (!part) return;
      await part.carryOn(store, id, decodeURIComponent(url.split("/").at(-1) ?? ""));
    }
    this.app.go(url);
  }

  /** @param {string} key */
  shortcut(key) {
    const simple = /** @type {Record<string, string>} */ ({ t: "take", x: "drop", b: "beaver" })[key];
    if (simple) return this.may(simple) ? () => this.act({ type: simple }) : undefined;
    if (
      key === " " &&
      this.model?.waitsFor === "player" &&
      !document.activeElement?.closest("button:enabled, a")
    )
      return () => this.model.carryOn();
    if (key === "r" && this.mayResign) return () => this.open("resign");
    if (key === "p" && this.mayPropose) return () => this.open("propose");
    if (key === "h" && this.state.tutor) return () => this.hint();
    if (key === "g") return () => this.open("rules");
    if (key === "?") return () => this.open("keys");
    return super.shortcut(key);
  }

  /** @param {Action} action */
  played(action) {
    if (this.trial) return void this.trial.played(action);
    if (action.type === "roll" && this.armed) {
      this.armed = 0;
      return;
    }
    if (action.type === "swap" && !this.may("swap")) return;
    if (action.type === "roll" || action.type === "double") this.model.acted();
    this.model.act(action);
  }

  acted() {
    super.acted();
    if (!this.roomy.matches) this.opened = null;
  }

  // What is shown

  /** Where a match that is over leads to, where not to what the site keeps of it. @returns {unknown} */
  get ownLinks() {
    return null;
  }

  get unfolded() {
    return this.opened ?? this.roomy.matches;
  }

  /** Show the tutor's texts, with the arrows over the position they are about, or hide both. */
  unfold = () => {
    this.opened = !this.unfolded;
    if (this.model.tutor.advice) this.model.point(this.opened);
  };

  get instead() {
    if (!this.state && this.model?.waits)
      return html`<div class="wait" role="status">
        <p>${t("Waiting for your opponent")}<span class="dots"></span></p>
      </div>`;
    return super.instead;
  }

  /** How a side's checkers look to this viewer. @param {Side} side */
  look = (side) => settings.colour(this.state.card.game, side, this.viewer);

  /** @param {Side} side */
  nameOf(side) {
    return nameOf(this.state, side);
  }

  /** @param {Side} side @param {boolean} own */
  plate(side, own) {
    const { done, pips } = this.progress;
    return playerPlate(this.model, side, own, done ? pips : null);
  }

  get slots() {
    return this.trial?.slots ?? slots(this);
  }

  get menuEntries() {
    return entries(this);
  }

  get head() {
    const { state, model, name } = this;
    const watchers = model.presence.watchers ?? 0;
    const { sounds } = settings.prefs;
    const watched = watchers ? ` · ${tn("{n} watcher", "{n} watchers", watchers)}` : "";
    return {
      title: name,
      meta: `${meta(state)}${watched}`,
      badges: agreed(state).map(([text, means]) => html`<span class="badge" title=${means}>${text}</span>`),
      buttons: html`<span class="pictured">
        ${pictured("flip", t("Turn the board"), () => this.flip(), { keys: "F" })}
        ${pictured("rules", t("Rules"), () => this.open("rules"), { keys: "G" })}
        ${pictured(sounds ? "sound" : "mute", t("Sounds"), () => settings.set({ sounds: !sounds }), {
          title: this.soundsEntry.text,
          pressed: sounds,
        })}
      </span>`,
    };
  }

  get content() {
    const { state, model } = this;
    const { grades } = model.tutor;
    return guard([state, grades, words(), this.prefs], () => moves(state, model.turns, grades, this.look));
  }

  /** What the tutor says at length, and an open proposal with its answers; null where there is neither. */
  get words() {
    const { tutor } = this.model;
    if (this.trial) return this.trial.words;
    // What was best is not told to whom may try again.
    if (tutor.withheld) return proposal(this);
    const how = {
      explain: () => this.open("numbers"),
      shown: tutor.arrows !== null,
      show: tutor.advice ? (/** @type {boolean} */ shown) => this.model.point(shown) : null,
    };
    const advice = tutor.hint
      ? hintText(tutor.hint, how)
      : tutor.verdict
        ? verdictText(tutor.verdict, how)
        : null;
    const offer = proposal(this);
    return advice || offer ? html`${offer ?? nothing}${advice ?? nothing}` : null;
  }

  get details() {
    return this.unfolded ? this.words : null;
  }

  /** What is shown in one line: an offer, what is waited for, what the tutor says. */
  get notice() {
    const { tutor, late } = this.model;
    if (this.state.proposal) return proposalLine(this);
    if (late) return t("No engine answers: heuristics decide soon.");
    if (tutor.place) return t("Your place in the tutor's queue: {place}", { place: tutor.place });
    if (tutor.asked) return t("The tutor is thinking; you can play on.");
    if (tutor.hint) return hintLine(tutor.hint);
    if (tutor.verdict) return verdictLine(tutor.verdict, !tutor.withheld);
    return this.ahead ? t("Rolls when your turn comes.") : null;
  }

  get said() {
    if (this.trial) return { ...this.trial.said, unfold: this.unfolding };
    const { state, allowed, progress, model } = this;
    const { calls } = settings.prefs;
    const [first, second] = situation({ ...state, allowed }, { ...progress, calls });
    // Between games what was won stays to be read, whatever else is waited for.
    const between = state.phase === "ready" && state.results.length > 0;
    const waits = model.waitsFor === "player";
    const tried = waits ? t("The engine waits: take this play back and try again, or go on.") : "";
    return {
      title: between ? outcome(state) : first,
      below: state.phase === "over" ? outcome(state) : tried || second || (between ? first : ""),
      reason: model.reason,
      notice: this.notice,
      quiet: !waits && TOLD_BY_BOARD.has(state.phase),
      unfold: this.unfolding,
    };
  }

  /** What opens the words and closes them, where there are any. */
  get unfolding() {
    return this.words === null ? null : { opened: this.unfolded, toggle: this.unfold };
  }

  /** The chat, and the button by which a player reports the other one. */
  get talking() {
    const { state, model } = this;
    const say = state.you.length ? model.say : null;
    const them = state.you.length === 1 ? state.players[state.you[0] === "white" ? "black" : "white"] : null;
    const report = html`<p class="row end">
      <ssb-report .name=${them?.name} .match=${state.match}></ssb-report>
    </p>`;
    return html`${chat(model.chat, guestName, say)}${them?.id && this.dialogs ? report : nothing}`;
  }

  /** @param {string} name */
  dialogOf(name) {
    const { state, close, dialogs } = this;
    switch (name) {
      case "resign":
        return dialogs?.resignDialog(this);
      case "propose":
        return dialogs?.proposeDialog(this);
      case "rules":
        return dialogs?.rulesDialog(state, this.name, this.rules, close);
      case "keys":
        return dialogs?.keysDialog(close);
      case "numbers":
        return dialogs?.numbersDialog(close);
      case "result":
        return resultDialog(this);
      default:
        return super.dialogOf(name);
    }
  }
}

customElements.define("ssb-match", Match);
