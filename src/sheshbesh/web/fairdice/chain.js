/**
 * One party's hash chain and the dice that three links give, as docs/guide/fair-dice.md says.
 */
import { bytesToHex, concatBytes, hexToBytes, hmac, sha256, utf8ToBytes } from "../vendor/noble-hashes.js";

export const LENGTH = 400;
export const LINK_BYTES = 32;

const PREFIX = utf8ToBytes("sheshbesh/link/v1");

/**
 * The link `steps` places nearer to the anchor.
 * @param {Uint8Array} link
 * @param {number} [steps]
 */
export function linkBefore(link, steps = 1) {
  let found = link;
  for (let i = 0; i < steps; i++) found = sha256(concatBytes(PREFIX, found));
  return found;
}

/** A chain as its owner holds it: the anchor for everybody, the links one by one, later. */
export class Chain {
  /**
   * @param {Uint8Array} tip 32 unpredictable bytes
   * @param {number} [length]
   */
  constructor(tip, length = LENGTH) {
    if (tip.length !== LINK_BYTES) throw new RangeError(`a tip has ${LINK_BYTES} bytes, not ${tip.length}`);
    this.length = length;
    /** @type {Uint8Array[]} */
    this.links = new Array(length + 1);
    this.links[length] = tip;
    for (let k = length; k > 0; k--) this.links[k - 1] = linkBefore(this.links[k]);
  }

  /** What is published before the first throw, in hex. */
  get anchor() {
    return bytesToHex(this.links[0]);
  }

  /**
   * Link 1 to `length`, in hex.
   * @param {number} index
   */
  link(index) {
    if (!Number.isInteger(index) || index < 1 || index > this.length) {
      throw new RangeError(`this chain has links 1 to ${this.length}, not ${index}`);
    }
    return bytesToHex(this.links[index]);
  }
}

/**
 * The first two dice of the stream that a key and a message give, in the order drawn.
 * @param {Uint8Array} key
 * @param {Uint8Array} head
 * @returns {[number, number]}
 */
function draw(key, head) {
  /** @type {number[]} */
  const dice = [];
  for (let counter = 0; dice.length < 2; counter++) {
    const end = new Uint8Array(4);
    new DataView(end.buffer).setUint32(0, counter);
    // 252 is the largest multiple of six in a byte; above it low numbers would come up more often.
    for (const byte of hmac(sha256, key, concatBytes(head, end))) if (byte < 252) dice.push((byte % 6) + 1);
  }
  return [dice[0], dice[1]];
}

/**
 * The dice of throw `number` of a game from three links; a missing link is empty.
 * @param {string} game
 * @param {number} number
 * @param {{server: Uint8Array, white: Uint8Array, black: Uint8Array}} links
 */
export function diceFromLinks(game, number, { server, white, black }) {
  const text = utf8ToBytes(`sheshbesh/dice/v1|${game}|${number}|`);
  return draw(server, concatBytes(text, sha256(server), sha256(white), sha256(black)));
}

/**
 * The dice that the seed of a game gives for a throw.
 * @param {Uint8Array} seed
 * @param {string} game
 * @param {number} number
 */
export function diceFromSeed(seed, game, number) {
  return draw(seed, utf8ToBytes(`sheshbesh/seeded/v1|${game}|${number}|`));
}

export { bytesToHex, hexToBytes };
