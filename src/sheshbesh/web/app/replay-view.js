/** The base of the replays of matches and of chouettes: the frames of a game, and stepping through them. */
/** @import { Side } from "../board/types.js" */

import { t, words } from "../i18n/i18n.js";
import { get, variantOf } from "./api.js";
import { boardElement } from "./board-view.js";
import { choice } from "./fields.js";
import { pinnedSince } from "./history.js";
import { settings } from "./settings.js";
import { boardFrame, StepView } from "./step-view.js";
import { html, nothing, states } from "./view.js";

export class ReplayView extends StepView {
  static properties = states("meta", "game", "frames", "layout");

  constructor() {
    super();
    /** What is replayed, once it is loaded. */
    this.meta = /** @type {import("./wire.js").Replayed} */ (/** @type {unknown} */ (null));
    this.game = 1;
    this.name = "";
    /** @type {import("./wire.js").Moment[] | null} */
    this.frames = null;
    /** Whether the frame in the address is still to be shown. */
    this.first = true;
    /** Who began the game that is shown, and by which dice. @type {import("./wire.js").State["opening"]} */
    this.opening = null;
    /** @type {import("../board/types.js").Layout | null} */
    this.layout = null;
  }

  get heading() {
    return t("Replay");
  }

  /** The path of the match or chouette in the API. */
  get path() {
    return "";
  }

  /** The side from which the board is seen: one's own; null for those who watched. @returns {Side | null} */
  get seat() {
    const { you } = this.meta;
    return you?.length === 1 ? you[0] : null;
  }

  /** How a side's checkers look. @param {Side} side */
  look = (side) => settings.colour(this.meta.card.game, side, this.seat ?? "white");

  /** The players at the board in a frame. @param {import("./wire.js").Moment} _frame */
  players(_frame) {
    return this.meta.players;
  }

  connectedCallback() {
    this.game = Number(this.place.query.get("game") ?? 1) || 1;
    super.connectedCallback();
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.meta ??= await this.load(get(this.path));
    if (!this.meta) return;
    await this.loadVariant();
    await this.choose(this.game);
  }

  async loadVariant() {
    const about = await this.load(variantOf(this.meta.card));
    if (!about) return;
    this.layout = about.layout;
    this.name = about.title;
  }

  /** A position that the viewer chose stays shown. */
  async languageChanged() {
    if (!this.frames) return false;
    await this.loadVariant();
    this.requestUpdate();
    return true;
  }

  /** @param {number} game */
  async choose(game) {
    const found = await this.load(get(`${this.path}/frames?game=${game}`));
    if (!found) return;
    this.game = game;
    this.opening = found.opening;
    this.frames = this.read(found);
    this.at = 0;
    const asked = Number(this.place.query.get("n") ?? "0") || 0;
    if (this.first) this.go(asked);
    this.first = false;
  }

  /**
   * The frames of a game, from the answer of the API.
   * @param {import("./wire.js").Moments} found
   * @returns {import("./wire.js").Moment[]}
   */
  read(found) {
    return found.frames;
  }

  get places() {
    return this.frames?.length ?? 0;
  }

  /** What the board shows for a frame. @param {import("./wire.js").Moment} frame */
  stateOf(frame) {
    const side = frame.side ?? null;
    return {
      you: this.seat ? [this.seat] : [],
      phase: frame.phase ?? "move",
      on_roll: side,
      to_act: [],
      allowed: [],
      board: frame.board,
      turn: frame.dice ? { dice: frame.dice, done: [], touched: null } : null,
      dice_steps: frame.dice_steps ?? 2,
      cube: {
        value: 1,
        owner: null,
        offered: null,
        by: null,
        in_play: this.layout?.cube ?? false,
        ...(typeof frame.cube === "number" ? { value: frame.cube } : frame.cube),
      },
      card: this.meta.card,
      players: this.players(frame),
      pips: frame.pips,
      winner: null,
    };
  }

  /** The board of the moment that is shown. @param {import("./wire.js").Moment} frame */
  shown(frame) {
    const { layout, at } = this;
    const frames = this.frames ?? /** @type {import("./wire.js").Moment[]} */ ([]);
    const previous = at ? frames[at - 1] : null;
    const last = previous?.play
      ? { side: previous.side, dice: previous.dice ?? null, play: previous.play, kind: "play" }
      : null;
    const since = layout ? pinnedSince(frames.slice(0, at), layout) : undefined;
    return boardElement({ game: this.meta.card.game, layout, state: this.stateOf(frame), last, since });
  }

  /** Which of a number of games is shown. @param {number} count */
  picker(count) {
    if (count < 2) return nothing;
    return choice(
      "game-no",
      t("Game"),
      Array.from({ length: count }, (_, i) => [i + 1, words().figure(i + 1)]),
      this.game,
      (game) => void this.choose(game),
    );
  }

  /** A line of the list that goes to its frame. @param {number} i @param {unknown} text */
  link(i, text) {
    return html`<button class="link" @click=${() => this.go(i)}>${text}</button>`;
  }

  /** The moves in a region that scrolls. @param {unknown} rows */
  moves(rows) {
    return html`<div class="scroll places" tabindex="0" role="region" aria-label=${t("Moves")}>
      <table class="moves"><tbody>${rows}</tbody></table>
    </div>`;
  }

  render() {
    const frame = this.frames?.[this.at];
    if (!this.frames || !this.meta || !this.layout) return html`<div class="page">${this.waiting()}</div>`;
    if (!frame) return html`<div class="page"><p class="empty">${t("This game has no moves.")}</p></div>`;
    return boardFrame("replay", {
      board: this.shown(frame),
      below: html`<div class="controls">${this.stepButtons()}${this.turnButton(this.meta.card.game)}</div>`,
      told: html`<section class="card"><h1>${this.name}</h1>${this.details(frame)}</section>`,
    });
  }

  /** The content beside the board. @param {import("./wire.js").Moment} _frame @returns {unknown} */
  details(_frame) {
    return nothing;
  }
}
