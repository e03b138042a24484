/** Settings: kept in this browser, and with the account. */

import { LANGUAGES, t, words } from "../../i18n/i18n.js";
import { once, variantOf } from "../api.js";
import { BoardView, boardElement } from "../board-view.js";
import { check, choice, field, textOf } from "../fields.js";
import { settings } from "../settings.js";
import { canVibrate, play } from "../sounds.js";
import "../notices.js";
import "../vacation.js";
import { html, nothing, radios, states } from "../view.js";

/**
 * @import { Board, Layout } from "../../board/types.js"
 * @import { Prefs, Seat } from "../settings.js"
 */

/** A board on which nothing can be done. @param {Board} board */
const opening = (board) => ({
  you: ["white"],
  phase: "over",
  on_roll: null,
  to_act: [],
  allowed: [],
  board,
  turn: null,
  dice_steps: 2,
  cube: { value: 1, owner: null, offered: null, by: null, in_play: false },
});

/**
 * A setting as one of a few values.
 * @template {keyof Prefs} N
 * @param {N} name @param {string} legend @param {[Prefs[N] & (string | number), string][]} values
 */
const choose = (name, legend, values) =>
  radios(name, legend, /** @type {Prefs[N] & (string | number)} */ (settings.prefs[name]), values, (value) =>
    settings.set({ [name]: value }),
  );

/** A setting that is on or off. @param {keyof Prefs} name @param {string} label */
const tick = (name, label) =>
  check(label, Boolean(settings.prefs[name]), (value) => settings.set({ [name]: value }));

class SettingsView extends BoardView {
  static properties = states("variants", "game", "laid");

  constructor() {
    super();
    /** @type {import("../wire.js").ListedGame[]} */
    this.variants = [];
    /** The layout of the game whose board is shown. @type {{game: string, layout: Layout} | null} */
    this.laid = null;
    this.game = String(settings.prefs.last.game ?? "backgammon");
  }

  get heading() {
    return t("Settings");
  }

  async fetch() {
    void this.load(this.lay(this.game));
    this.variants = (await this.load(once(`/variants?lang=${words().tag}`))) ?? [];
  }

  /** Get the board of the game that is set. @param {string} game */
  async lay(game) {
    this.game = game;
    const { layout } = await variantOf({ game, code: `${game}.m` });
    if (this.game === game) this.laid = { game, layout };
  }

  appearance() {
    return html`<section class="card stack"><h2>${t("Look")}</h2>
      ${choose("material", t("Board"), [
        ["wood", t("inlaid wood")],
        ["felt", t("felt")],
        ["paper", t("paper, high contrast")],
      ])}
      ${choose("page", t("Page"), [
        ["auto", t("as the system")],
        ["light", t("light page")],
        ["dark", t("dark page")],
      ])}
      ${choose("numbers", t("Point numbers"), [
        ["viewer", t("mine")],
        ["roll", t("of the side on roll")],
        ["off", t("none")],
      ])}
      ${tick("targets", t("Light the points where a checker can go"))}
    </section>`;
  }

  language() {
    return html`<section class="card stack">
      <h2>${t("Language")}</h2>
      ${choice(
        "lang",
        t("Language"),
        LANGUAGES.map(({ code, name }) => [code, name, code]),
        words().language.code,
        (lang) => settings.set({ lang }),
      )}
      ${choose("digits", t("Digits"), [
        ["native", t("of the language")],
        ["latin", "0123456789"],
      ])}
      ${tick("calls", t("Call the dice as players do"))}
    </section>`;
  }

  playing() {
    const seconds = (/** @type {number} */ ms) => t("{n} s", { n: ms / 1000 });
    return html`<section class="card stack">
      <h2>${t("Playing")}</h2>
      ${choose("mode", t("Moving a checker"), [
        ["tap", t("tap or drag")],
        ["taptap", t("choose the checker, then the target")],
      ])}
      ${choose("confirm", t("The end of a move"), [
        ["dice", t("by the dice, Space or the button")],
        ["auto", t("at once, when complete")],
      ])}
      ${choose("forced", t("Forced moves are played by themselves"), [
        ["off", t("never")],
        ["steps", t("step by step")],
        ["turns", t("only whole turns")],
      ])}
      ${choose("speed", t("Speed of the checkers"), [
        [0, t("none")],
        [120, seconds(120)],
        [250, seconds(250)],
        [500, seconds(500)],
      ])}
      ${tick("autoroll", t("Throw by itself where doubling is impossible"))}
      ${tick("retry", t("With the tutor, stop after an error and offer another try"))}
    </section>`;
  }

  seats() {
    const { game } = this;
    const seat = settings.seat(game);
    /** @template {keyof Seat} N @param {N} name @param {string} legend @param {[Seat[N], string][]} values */
    const seated = (name, legend, values) =>
      radios(name, legend, seat[name], values, (value) => settings.setSeat(game, { [name]: value }));
    return html`<section class="card stack">
      <h2>${t("The board of each game")}</h2>
      ${choice(
        "game",
        t("Game"),
        this.variants.map(({ name, title }) => [name, title]),
        game,
        (name) => void this.attempt(() => this.lay(name)),
      )}
      ${this.preview()}
      ${seated("home", t("My home"), [
        ["right", t("right")],
        ["left", t("left")],
      ])}
      ${seated("mine", t("My side"), [
        ["bottom", t("below")],
        ["top", t("above")],
      ])}
      ${seated("seating", t("Where both sides go the same way round"), [
        ["R", t("my head far right")],
        ["L", t("my head near left")],
      ])}
      ${seated("colours", t("My checkers"), [
        ["given", t("as seated")],
        ["light", t("always light")],
        ["dark", t("always dark")],
      ])}
    </section>`;
  }

  /** A board as it will look, with the game's opening position. */
  preview() {
    const { game, variants } = this;
    const start = variants.find(({ name }) => name === game)?.start;
    if (!start || this.laid?.game !== game) return nothing;
    return html`<div class="preview">${boardElement({
      game,
      layout: this.laid.layout,
      state: opening(start),
      inert: true,
    })}</div>`;
  }

  others() {
    const { prefs } = settings;
    return html`<section class="card stack">
      <h2>${t("Sounds and chat")}</h2>
      ${tick("sounds", t("Sounds"))}
      ${field(
        "volume",
        t("Volume"),
        html`<input
          id="volume"
          type="range"
          min="0"
          max="1"
          step="0.05"
          .value=${String(prefs.volume)}
          ?disabled=${!prefs.sounds}
          @change=${(/** @type {Event} */ event) => {
            settings.set({ volume: Number(textOf(event)) });
            play("dice");
          }}
        >`,
      )}
      ${canVibrate() ? tick("vibration", t("Vibration")) : nothing}
      ${choose("chat", t("Chat"), [
        ["all", t("free text and phrases")],
        ["phrases", t("phrases only")],
        ["none", t("none")],
      ])}
    </section>`;
  }

  render() {
    return html`<div class="page settings">
      <h1>${t("Settings")}</h1>
      <p class="lead">
        ${t("Kept in this browser, and with your account.")} <a href="/account">${t("Account")}</a>
      </p>
      <div class="columns">
        ${this.appearance()}${this.language()}${this.playing()}${this.seats()}${this.others()}
        <ssb-vacation></ssb-vacation>
        <ssb-notices></ssb-notices>
      </div>
    </div>`;
  }
}

customElements.define("ssb-settings", SettingsView);
