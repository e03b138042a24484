/** A match move by move. */
import "../../board/board.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { get, once } from "../api.js";
import { numbered, pinnedSince } from "../history.js";
import { icon } from "../icons.js";
import { guessedNote, openingRows, what } from "../match/moves.js";
import { outcome } from "../match/result.js";
import { nameOf } from "../match/wording.js";
import { askForReview } from "../review/ask.js";
import { settings } from "../settings.js";
import { html, ltr, named, nothing, View } from "../view.js";

class Replay extends View {
  static properties = {
    ...View.properties,
    meta: { state: true },
    game: { state: true },
    frames: { state: true },
    at: { state: true },
    layout: { state: true },
  };

  constructor() {
    super();
    /** @type {any} */
    this.meta = null;
    this.game = 1;
    this.name = "";
    /** @type {any[] | null} */
    this.frames = null;
    this.at = 0;
    /** Who began the game that is shown, and by which dice. @type {import("../types.js").State["opening"]} */
    this.opening = null;
    /** @type {any} */
    this.layout = null;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  get heading() {
    return t("Replay");
  }

  get path() {
    return `/matches/${encodeURIComponent(this.place.params.match)}`;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.onKey);
    this.game = Number(this.place.query.get("game") ?? 1) || 1;
    void this.fetch();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.onKey);
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    this.meta ??= await this.load(get(this.path));
    if (!this.meta) return;
    await this.furnish();
    await this.choose(this.game);
  }

  async furnish() {
    const { card } = this.meta;
    const about = await this.load(
      once(
        `/variants/${encodeURIComponent(card.game)}?card=${encodeURIComponent(card.code)}&lang=${words().tag}`,
      ),
    );
    if (!about) return;
    this.layout = about.layout;
    this.name = about.title;
  }

  /** A position that the viewer chose stays shown. */
  async speak() {
    if (!this.frames) return false;
    await this.furnish();
    this.requestUpdate();
    return true;
  }

  /** @param {number} game */
  async choose(game) {
    const found = await this.load(get(`${this.path}/frames?game=${game}`));
    if (!found) return;
    this.game = game;
    this.opening = found.opening;
    this.frames = found.frames;
    this.at = 0;
  }

  /** @param {number} at */
  go(at) {
    const last = (this.frames?.length ?? 1) - 1;
    this.at = Math.min(last, Math.max(0, at));
    void this.updateComplete.then(() =>
      this.querySelector("tr[aria-current]")?.scrollIntoView({ block: "nearest" }),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input, select, textarea")) return;
    const steps = /** @type {Record<string, number>} */ ({
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowUp: -1e6,
      ArrowDown: 1e6,
      Home: -1e6,
      End: 1e6,
    });
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.go(this.at + step);
  }

  /** Who has won a game, or the match with it, and how. @param {any} frame  the last of a game */
  end({ result, match }) {
    const { players, you } = this.meta;
    const ended = match
      ? { phase: "over", winner: match.winner, ending: match.reason }
      : { phase: "ready", winner: null, ending: null };
    return outcome({ players, you, results: result ? [result] : [], ...ended });
  }

  /** A line of the list. @param {any} frame @param {number} number @param {number} i */
  row(frame, number, i) {
    const go = (/** @type {unknown} */ text) =>
      html`<button class="link" @click=${() => this.go(i)}>${text}</button>`;
    const current = i === this.at ? "true" : nothing;
    if (frame.kind === "end")
      return html`<tr aria-current=${current}><td></td><td colspan="4">${go(this.end(frame))}</td></tr>`;
    const { side, kind, play, dice } = frame;
    const turn = { side, kind, play, dice, ...(typeof frame.cube === "number" ? { cube: frame.cube } : {}) };
    return html`<tr aria-current=${current}><td>${words().figure(number)}</td><td class="who"><i class="disc ${side}" role="img" aria-label=${side === "white" ? t("light") : t("dark")}></i></td>
      <td class="roll">${dice ? ltr([...dice].sort((a, b) => b - a).join("-")) : nothing}</td><td colspan="2">${go(play === null && kind === "play" ? "–" : what(turn))}</td></tr>
      ${frame.guessed ? html`<tr class="opening"><td></td><td colspan="4">${guessedNote()}</td></tr>` : nothing}`;
  }

  /** What the board shows for a frame. @param {any} frame */
  state(frame) {
    const side = frame.side ?? null;
    return {
      you: [],
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
      players: this.meta.players,
      pips: frame.pips,
      winner: null,
    };
  }

  render() {
    const { frames, meta, layout } = this;
    if (!frames || !meta || !layout) return html`<div class="page">${this.waiting()}</div>`;
    const frame = frames[this.at];
    if (!frame) return html`<div class="page"><p class="empty">${t("This game has no moves.")}</p></div>`;
    const count = Math.max(meta.games?.length ?? 0, meta.game ?? 1);
    const rows = numbered(frames);
    const previous = this.at ? frames[this.at - 1] : null;
    const last = previous?.play
      ? { side: previous.side, dice: previous.dice ?? null, play: previous.play, kind: "play" }
      : null;
    const step = (
      /** @type {"first" | "back" | "forward" | "last"} */ drawing,
      /** @type {string} */ text,
      /** @type {number} */ to,
    ) =>
      html`<button class="icon" aria-label=${text} title=${text} @click=${() => this.go(to)}>${icon(drawing)}</button>`;
    return html`<div class="replay"><div>
        <ssb-board .state=${this.state(frame)} .layout=${layout} .prefs=${settings.board(meta.card.game)} .lang=${words().language.code} .t=${t} .tn=${tn} .last=${last} .since=${pinnedSince(frames.slice(0, this.at), layout)}></ssb-board>
        <div class="controls" dir="ltr">${step("first", t("To the beginning"), 0)}${step("back", t("Back"), this.at - 1)}${step("forward", t("Forward"), this.at + 1)}${step("last", t("To the end"), frames.length - 1)}</div></div>
      <section class="card"><h1>${this.name}</h1>
        <p class="quiet small">${named(nameOf(meta, "white"))} – ${named(nameOf(meta, "black"))}</p>
        ${
          count > 1
            ? html`<div class="field"><label for="game-no">${t("Game")}</label><select id="game-no" @change=${(/** @type {Event} */ event) => void this.choose(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
          ${Array.from({ length: count }, (_, i) => html`<option value=${i + 1} ?selected=${i + 1 === this.game}>${words().figure(i + 1)}</option>`)}</select></div>`
            : nothing
        }
        <div class="scroll" tabindex="0" role="region" aria-label=${t("Moves")}><table class="moves"><tbody>${openingRows({ players: meta.players, opening: this.opening })}${rows.map(
          ({ number }, i) => this.row(frames[i], number, i),
        )}</tbody></table></div>
        <div class="more row">${meta.you?.length && meta.state === "over" ? html`<button @click=${() => void askForReview(this, this.place.params.match)}>${t("Review")}</button> ` : nothing}<a class="button" href="/dice/${this.place.params.match}">${t("The dice")}</a> <a class="button" href="/api/v1${this.path}/record" download>${t("Download the record")}</a></div>
      </section></div>`;
  }
}

customElements.define("ssb-replay", Replay);
