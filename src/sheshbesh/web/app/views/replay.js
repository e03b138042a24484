/** A match move by move. */
import { t, words } from "../../i18n/i18n.js";
import { made, save } from "../api.js";
import { numbered } from "../history.js";
import { outcome, requestReview } from "../match/result.js";
import { ReplayView } from "../replay-view.js";
import { settings } from "../settings.js";
import { disc, guessedNote, openingRows, what } from "../table/moves.js";
import { nameOf } from "../table/wording.js";
import { diceText, html, ltr, named, nothing, states } from "../view.js";

class Replay extends ReplayView {
  static properties = states("making");

  constructor() {
    super();
    this.making = "";
  }

  get path() {
    return `/matches/${encodeURIComponent(this.place.params.match)}`;
  }

  /**
   * Who has won a game, or the match with it, and how.
   * @param {import("../wire.js").Moment} frame the last of a game
   */
  end({ result, match }) {
    const { players, you } = this.meta;
    const ended = match
      ? { phase: "over", winner: match.winner, ending: match.reason }
      : { phase: "ready", winner: null, ending: null };
    return outcome({ players, you, results: result ? [result] : [], ...ended });
  }

  /** A line of the list. @param {import("../wire.js").Moment} frame @param {number} number @param {number} i */
  row(frame, number, i) {
    const current = i === this.at ? "true" : nothing;
    if (frame.kind === "end")
      return html`<tr aria-current=${current}><td></td><td colspan="4">${this.link(i, this.end(frame))}</td></tr>`;
    const { side, kind, play, dice } = frame;
    const turn = { side, kind, play, dice, ...(typeof frame.cube === "number" ? { cube: frame.cube } : {}) };
    return html`<tr aria-current=${current}>
        <td>${words().figure(number)}</td>
        <td class="who">${disc(this.look(side))}</td>
        <td class="roll">${dice ? ltr(diceText(dice)) : nothing}</td>
        <td colspan="2">${this.link(i, play === null && kind === "play" ? "–" : what(turn))}</td>
      </tr>
      ${frame.guessed ? html`<tr class="opening"><td></td><td colspan="4">${guessedNote()}</td></tr>` : nothing}`;
  }

  /** The moment that is shown, taken elsewhere. @param {import("../wire.js").Moment} frame */
  sharing(frame) {
    const match = encodeURIComponent(this.place.params.match);
    const { material } = settings.prefs;
    const how = {
      ...(material === "wood" ? {} : { look: material }),
      ...(this.seat === "black" ? { view: "black" } : {}),
    };
    const look = Object.keys(how).length ? `?${new URLSearchParams(how)}` : "";
    const moment = `/replay/${match}?game=${this.game}&n=${this.at}`;
    return html`${
      frame.query
        ? html`<a class="button" href="/analysis?${new URLSearchParams(frame.query)}">
              ${t("Analyse this position")}
            </a> `
        : nothing
    }
      <button @click=${() => void this.copy(location.origin + moment)}>${t("Copy the link")}</button>
      ${
        frame.query
          ? html`<a
            class="button"
            href="/pictures/match/${match}/${this.game}/${this.at}.png${look}"
            download="${match}-${this.game}-${this.at}.png"
          >${t("Picture")}</a> `
          : nothing
      }
      <button
        ?disabled=${this.making !== ""}
        @click=${() =>
          void this.animation(
            `/pictures/match/${match}/${this.game}.gif${look}`,
            `${match}-${this.game}.gif`,
          )}
      >${this.making || t("Animated game")}</button> `;
  }

  /**
   * Save an animation of the game, which the server may have to make first.
   * @param {string} address
   * @param {string} name
   */
  async animation(address, name) {
    this.making = t("The animation is being made …");
    await this.attempt(async () => save(await made(address, (text) => (this.making = text)), name));
    this.making = "";
  }

  /** @param {import("../wire.js").Moment} frame */
  details(frame) {
    const { meta } = this;
    const frames = this.frames ?? /** @type {import("../wire.js").Moment[]} */ ([]);
    const rows = numbered(frames);
    return html`<p class="quiet small">${named(nameOf(meta, "white"))} – ${named(nameOf(meta, "black"))}</p>
      ${this.picker(Math.max(meta.games?.length ?? 0, meta.game ?? 1))}
      ${this.moves(
        html`${openingRows({ players: meta.players, opening: this.opening }, this.look)}${rows.map(
          ({ number }, i) => this.row(frames[i], number, i),
        )}`,
      )}
      <div class="more row">
        ${
          meta.you?.length && meta.state === "over"
            ? html`<button @click=${() => void requestReview(this, this.place.params.match)}>${t("Review")}</button> `
            : nothing
        }
        ${meta.state === "over" ? this.sharing(frame) : nothing}
        <a class="button" href="/dice/${this.place.params.match}">${t("The dice")}</a>
        <a class="button" href="/api/v1${this.path}/record" download>${t("Download the record")}</a>
      </div>`;
  }
}

customElements.define("ssb-replay", Replay);
