/** The model of a chouette in the page: that of a match, whose hands act under their people's names. */
import { words } from "../../i18n/i18n.js";
import { MatchModel } from "../match/match-model.js";
import { MatchConnection } from "../match-connection.js";
import { socketBase } from "../traffic.js";

/**
 * @typedef {{allowed: string[], answer: {member: string, cube: number, beaver: boolean, beavered: boolean}[], double: string[],
 *   hand_over: string[], take_over: boolean, settle: Record<string, number>, terms: Terms[], side: "white" | "black" | null, hand: boolean}} Own what one of my names may do
 * @typedef {{by: import("../types.js").Side, points: number}} Offer points for the side that offers
 * @typedef {{member: string, points: number, own: boolean}} Terms a settlement: points for the one who offers it
 * @typedef {{name: string, bot: boolean, stand_in: boolean, level: string | null, role: string, you: boolean, here: boolean,
 *   away: boolean, going: boolean, points: number}} Person
 * @typedef {{name: string, playing: boolean, value: number, owner: string | null, offered: string | null, advice: string | null,
 *   terms: Offer | null}} Member
 * @typedef {{people: Person[], box: string, captain: string, members: Member[], rows: Record<string, number>[],
 *   sheet: Record<string, number>, stopping: string[], asking: boolean, cubes: boolean, chosen_members: boolean, mine: Record<string, Own>,
 *   may_join: boolean, over: boolean}} Around
 */

export class ChouetteModel extends MatchModel {
  /** @param {string} id */
  constructor(id) {
    super(id, new MatchConnection(id, socketBase(), words().tag, undefined, "chouette"));
  }

  /** Everybody around the board. @returns {Around} */
  get around() {
    return /** @type {any} */ (this.state).chouette;
  }

  /** @param {import("../types.js").Side} side */
  hand(side) {
    return side === "white" ? this.around.box : this.around.captain;
  }

  /** @param {import("../match/match-model.js").Action} action @param {import("../types.js").Side} side */
  send(action, side) {
    return this.connection.act(action, this.hand(side));
  }

  /** Do something under a name. @param {string} name @param {import("../match/match-model.js").Action} action */
  as(name, action) {
    this.connection.act(action, name);
    this.changed();
  }

  /** My names with what they may do. */
  get mine() {
    return Object.entries(this.around.mine);
  }
}
