/** Sounds of wood and dice, made on the spot; nothing is downloaded. */
import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let audio = null;

function context() {
  if (!settings.prefs.sounds || typeof AudioContext === "undefined") return null;
  // Browsers let nothing sound before the first touch of the page.
  if (!audio && navigator.userActivation && !navigator.userActivation.hasBeenActive) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  return audio;
}

/**
 * A knock: noise through a narrow filter, dying away.
 * @param {AudioContext} on
 * @param {number} at seconds from now
 * @param {{pitch: number, length: number, gain: number, sharp?: number}} how
 */
function knock(on, at, { pitch, length, gain, sharp = 3 }) {
  const size = Math.ceil(on.sampleRate * length);
  const buffer = on.createBuffer(1, size, on.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < size; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / size) ** 4;
  const source = on.createBufferSource();
  source.buffer = buffer;
  const filter = on.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  filter.Q.value = sharp;
  const volume = on.createGain();
  volume.gain.value = gain * settings.prefs.volume;
  source.connect(filter).connect(volume).connect(on.destination);
  source.start(on.currentTime + at);
}

/** @param {AudioContext} on @param {number} at @param {number} pitch @param {number} length */
function tone(on, at, pitch, length) {
  const oscillator = on.createOscillator();
  oscillator.frequency.value = pitch;
  oscillator.type = "triangle";
  const volume = on.createGain();
  const start = on.currentTime + at;
  volume.gain.setValueAtTime(0.18 * settings.prefs.volume, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(volume).connect(on.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

/** @typedef {"dice" | "checker" | "hit" | "cube" | "won" | "lost" | "turn" | "chat"} Sound */

/** What a phone does along with a sound that concerns its player: milliseconds of vibration and pause. */
const VIBRATIONS = /** @type {Partial<Record<Sound, number[]>>} */ ({
  hit: [30],
  cube: [40, 60, 40],
  won: [40, 40, 80],
  lost: [80],
  turn: [25],
});

/** Whether this device can vibrate; a computer with a mouse takes the call and does nothing. */
export const canVibrate = () => "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

/** @param {Sound} name */
function vibrate(name) {
  const pattern = VIBRATIONS[name];
  if (pattern && settings.prefs.vibration && canVibrate() && navigator.userActivation?.hasBeenActive)
    navigator.vibrate(pattern);
}

/** @param {Sound} name */
export function play(name) {
  vibrate(name);
  const on = context();
  if (!on) return;
  switch (name) {
    case "dice":
      for (let i = 0; i < 6; i++) {
        knock(on, i * 0.055 + Math.random() * 0.03, {
          pitch: 1800 + Math.random() * 1600,
          length: 0.05,
          gain: 0.9 - i * 0.1,
          sharp: 6,
        });
      }
      return;
    case "checker":
      return knock(on, 0, { pitch: 900, length: 0.07, gain: 1.2 });
    case "hit":
      knock(on, 0, { pitch: 700, length: 0.09, gain: 1.5 });
      return knock(on, 0.07, { pitch: 1100, length: 0.07, gain: 1 });
    case "cube":
      knock(on, 0, { pitch: 420, length: 0.12, gain: 1.6 });
      return tone(on, 0.05, 392, 0.3);
    case "won":
      return [523, 659, 784].forEach((pitch, i) => tone(on, i * 0.13, pitch, 0.45));
    case "lost":
      return [440, 370].forEach((pitch, i) => tone(on, i * 0.18, pitch, 0.5));
    case "turn":
      return tone(on, 0, 660, 0.18);
    case "chat":
      return tone(on, 0, 880, 0.12);
  }
}

/**
 * The sound of what has happened at a table.
 * @param {import("./views/table-view.js").Happened} event
 * @param {import("./wire.js").State} state
 * @param {string | undefined} user who looks
 */
export function sounds({ name, detail }, state, user) {
  if (detail?.then?.dice) play("dice");
  switch (name) {
    case "play":
    case "confirm":
      return play(detail.then?.play?.includes("*") ? "hit" : "checker");
    case "double":
    case "double_one":
    case "take":
    case "answer":
    case "beaver":
      return play("cube");
    case "chat":
      return detail.id === user ? undefined : play("chat");
    case "ended":
      return play(state.you.some((side) => side === detail.winner) ? "won" : "lost");
  }
}
