/** A chouette game by game: the board, every member's cube and the score sheet in each frame. */

import { t, words } from "../../i18n/i18n.js";
import { seats, sheet } from "../chouette/seats.js";
import { paid } from "../chouette/settling.js";
import { numbered } from "../history.js";
import { guestName } from "../names.js";
import { ReplayView } from "../replay-view.js";
import { disc, openingRows, what } from "../table/moves.js";
import { kindName, reasonName } from "../table/wording.js";
import { diceText, html, ltr, named, nothing } from "../view.js";

/** What somebody has done, where it is no play. @param {import("../wire.js").Moment} frame */
function deed(frame) {
  const name = guestName(frame.by);
  const member = frame.member ? guestName(frame.member) : "";
  switch (frame.kind) {
    case "double":
      return t("{name} doubles", { name });
    case "double_one":
      return t("{name} doubles {member}", { name, member });
    case "answer":
      return answer(frame.answer, name, member);
    case "settle":
      return `${t("{name} offers to settle", { name })}: ${paid(frame.by, partner(frame), frame.points)}`;
    case "agree":
      return `${t("{name} agrees", { name })} · ${paid(partner(frame), frame.by, frame.points)}`;
    case "decline":
      return frame.cubes[frame.member]?.terms?.by === frame.side
        ? t("{name} takes the offer back", { name })
        : t("{name} declines", { name });
    case "advise":
      return html`${t("{name} advises", { name })} ${ltr(frame.advice)}`;
    case "hand_over":
      return t("{name} plays on for the team", { name: member });
    case "resign":
      return frame.offer
        ? `${t("{name} resigns", { name })} · ${kindName(frame.offer)}`
        : t("{name} resigns", { name });
    case "join":
      return t("{name} sits down after this game", { name });
    case "leave":
      return t("{name} leaves after this game", { name });
    case "stop":
      return frame.on
        ? t("{name} wants to end the chouette", { name })
        : t("{name} wants to go on after all", { name });
    default:
      return html`${named(name)} ${what(frame)}`;
  }
}

/**
 * With whom a settlement is: the box, or a member; "" for each of several.
 * @param {import("../wire.js").Moment} frame
 * @returns {string}
 */
function partner({ by, member, hands, cubes }) {
  if (by !== hands.white) return hands.white;
  const open = Object.keys(cubes).filter((name) => cubes[name].playing);
  return member || (open.length === 1 ? open[0] : "");
}

/** @param {string} choice @param {string} name who answers @param {string} member whose cube it is */
function answer(choice, name, member) {
  const own = name === member;
  if (choice === "take")
    return own ? t("{name} takes", { name }) : t("{name} takes the cube of {member}", { name, member });
  if (choice === "drop")
    return own ? t("{name} drops", { name }) : t("{name} drops the cube of {member}", { name, member });
  return own ? t("{name} beavers", { name }) : t("{name} beavers the cube of {member}", { name, member });
}

/**
 * How a game has ended at the board; the points of each person are on the score sheet.
 * @param {import("../wire.js").Moment} frame
 */
function ending({ result, hands }) {
  const { winner, kind, reason } = result;
  const won = winner ? t("{name} wins", { name: guestName(hands[winner]) }) : t("A draw");
  // What is agreed upon is a number of points, no kind of win.
  const how = reason === "settlement" ? "" : kindName(kind);
  return [won, how, reason === "played" ? "" : reasonName(reason)].filter(Boolean).join(" · ");
}

class ChouetteReplay extends ReplayView {
  constructor() {
    super();
    this.games = 1;
    /** The gains of each finished game. @type {Record<string, number>[]} */
    this.rows = [];
  }

  get path() {
    return `/chouettes/${encodeURIComponent(this.place.params.id)}`;
  }

  /** @param {import("../wire.js").Moment} frame @returns {import("../wire.js").State["players"]} */
  players(frame) {
    const player = (/** @type {string} */ name) => ({
      name,
      kind: /** @type {const} */ ("user"),
      level: null,
      id: null,
      rating: null,
    });
    return { white: player(frame.hands.white), black: player(frame.hands.black) };
  }

  /** @param {import("../wire.js").Moments} found */
  read(found) {
    this.games = found.games;
    this.rows = found.rows;
    return found.frames.map((frame) => ({
      ...frame,
      kind: frame.play ? (frame.play === "pass" ? "pass" : "play") : frame.kind,
      // Every member has a cube: they are shown beside the board.
      cube: { in_play: false },
    }));
  }

  /** Everybody around the board at a moment. @param {import("../wire.js").Moment} frame */
  around(frame) {
    const bots = new Set(this.meta.people.filter(({ bot }) => bot).map(({ name }) => name));
    const mine = new Set(this.meta.you);
    const { white: box, black: captain } = frame.hands;
    const role = (/** @type {string} */ name) =>
      name === box ? "box" : name === captain ? "captain" : name in frame.cubes ? "crew" : "gone";
    const people = Object.entries(frame.sheet).map(([name, points]) => ({
      name,
      points,
      role: role(name),
      bot: bots.has(name),
      you: mine.has(name),
      here: true,
    }));
    const members = Object.entries(frame.cubes).map(([name, cube]) => ({
      name,
      advice: frame.advised[name],
      ...cube,
    }));
    const rows = this.rows.slice(0, frame.kind === "end" ? this.game : this.game - 1);
    const { cube: cubes } = this.meta.card;
    return { people, box, members, rows, cubes, sheet: frame.sheet };
  }

  /** A line of the list. @param {import("../wire.js").Moment} frame @param {number} number @param {number} i */
  row(frame, number, i) {
    const current = i === this.at ? "true" : nothing;
    if (frame.kind === "end")
      return html`<tr aria-current=${current}><td></td><td colspan="4">${this.link(i, ending(frame))}</td></tr>`;
    if (!frame.play)
      return html`<tr class="deed" aria-current=${current}>
        <td></td><td colspan="4">${this.link(i, deed(frame))}</td>
      </tr>`;
    return html`<tr aria-current=${current}>
      <td>${words().figure(number)}</td>
      <td class="who">${disc(frame.side)}</td>
      <td class="roll">${frame.dice ? ltr(diceText(frame.dice)) : nothing}</td>
      <td colspan="2">${this.link(i, what(frame))}</td>
    </tr>`;
  }

  /** @param {import("../wire.js").Moment} frame */
  details(frame) {
    const frames = this.frames ?? /** @type {import("../wire.js").Moment[]} */ ([]);
    const around = this.around(frame);
    const moment = `/chouette/${encodeURIComponent(this.place.params.id)}/replay?game=${this.game}&n=${this.at}`;
    return html`<p class="quiet small">${t("Chouette")} · ${t("game {n}", { n: this.game })}</p>
      ${this.picker(this.games)}
      ${this.moves(
        html`${openingRows({ players: this.players(frame), opening: this.opening })}${numbered(frames).map(
          ({ number }, i) => this.row(frames[i], number, i),
        )}`,
      )}
      ${seats(around)}${sheet(around)}
      <div class="more row">
        <button @click=${() => void this.copy(location.origin + moment)}>${t("Copy the link")}</button>
        <a class="button" href="/api/v1${this.path}/record" download>${t("Download the record")}</a>
        ${
          this.meta.state === "over"
            ? nothing
            : html` <a class="button" href="/chouette/${encodeURIComponent(this.place.params.id)}">
              ${t("To the table")}
            </a>`
        }
      </div>`;
  }
}

customElements.define("ssb-chouette-replay", ChouetteReplay);
