/** The dice of a match: every roll recomputed in this browser, and the rolls against expectation. */

import { verify } from "../../fairdice/audit.js";
import { compare } from "../../fairdice/statistics.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { svg } from "../../vendor/lit.js";
import { gameTitles, get } from "../api.js";
import { nameOf } from "../table/wording.js";
import { html, ltr, named, nothing, states, table, View } from "../view.js";

/**
 * @typedef {import("../../fairdice/audit.js").Problem} Problem
 */

/** @param {Problem} problem */
function problemText({ code, values }) {
  /** @type {Record<string, string>} */
  const parties = { server: t("the server"), white: t("light"), black: t("dark") };
  const party = parties[values.party] ?? "";
  const known = {
    malformed: t("a link or an anchor cannot be read"),
    no_dice: t("the dice are not two numbers from 1 to 6"),
    no_game: t("the name of the game cannot be read"),
    late_seed: t("a seed is given for a game that has begun already"),
    other_source: t("the dice of this throw come from elsewhere than those before it"),
    wrong_epoch: t("new chains begin at the wrong place"),
    wrong_kind: t("the kind of chains is not told, or changed"),
    no_reason: t("unexpected new chains"),
    same_anchor: t("two sides have the same anchor"),
    used_before: t("the server's chain was used before"),
    void: t("this throw must not be made void"),
    used_up: t("the chains were used up"),
    wrong_link: t("a link does not belong to the announced chain ({party})", { party }),
    no_anchors: t("the game has no anchors and no seed before this throw"),
    wrong_number: t("throw {expected} was expected", values),
    left_out: t("a link was left out, which strict dice do not allow"),
    marks: t("the marks of missing links do not agree with the links"),
    other_dice: t("the dice do not follow from the links: these give {dice}", values),
    no_json: t("this line is not JSON"),
    no_header: t("the file has no header"),
  };
  return known[/** @type {keyof typeof known} */ (code)] ?? code;
}

class Dice extends View {
  static properties = states("audit", "meta");

  constructor() {
    super();
    /** @type {ReturnType<typeof verify> | null} */
    this.audit = null;
    /** @type {Pick<import("../wire.js").State, "card" | "players"> | null} */
    this.meta = null;
    this.took = 0;
    this.withheld = false;
    this.name = "";
  }

  get heading() {
    return t("The dice");
  }

  async fetch() {
    await this.app.identity.catch(() => {});
    const path = `/matches/${encodeURIComponent(this.place.params.match)}`;
    const [meta, answer] = await Promise.all([this.load(get(path)), this.load(get(`${path}/dice`))]);
    if (!meta || !answer) return;
    this.meta = meta;
    this.name = (await this.load(gameTitles()))?.get(meta.card.game) ?? "";
    this.withheld = Boolean(answer.withheld);
    const begun = performance.now();
    this.audit = verify(answer.transcript ?? answer.text ?? String(answer));
    this.took = performance.now() - begun;
  }

  verdict() {
    if (this.withheld)
      return html`<section class="card stack">
        <p>
          ${t(
            "These dice come from a seed. It is given out when the match is over; from then on " +
              "everybody can check the dice.",
          )}
        </p>
      </section>`;
    const { throws, problems, good, renewed, voided } = /** @type {NonNullable<Dice["audit"]>} */ (
      this.audit
    );
    const chains = throws.filter(({ source }) => source === "chains");
    const missing = throws.filter((each) => each.missing.length);
    const ms = Math.max(1, Math.round(this.took));
    return html`<section class="card stack">
      <h2 class=${good ? "verdict-good" : "verdict-bad"}>
        ${good ? t("✓ The dice hold") : t("✗ Something is wrong with the dice")}
      </h2>
      ${
        good && chains.length
          ? html`<p>
            ${tn(
              "{n} throw was worked out anew in your browser.",
              "{n} throws were worked out anew in your browser, in {ms} ms.",
              chains.length,
              { ms },
            )}
            ${t(
              "Before the game the server and both players sealed a long list of numbers each; every " +
                "throw was made of the next three. No link was changed, exchanged or reordered, and the " +
                "dice are those that the links give. Your own list was written by your browser: nobody " +
                "could know or choose a throw before you gave your number.",
            )}
          </p>`
          : nothing
      }
      ${
        throws.some(({ source }) => source === "typed")
          ? html`<p>${t("Dice thrown on a real board and typed in prove nothing.")}</p>`
          : nothing
      }
      ${
        throws.some(({ source }) => source === "seeded")
          ? html`<p>${t("Dice from a seed are known to everybody who has the seed.")}</p>`
          : nothing
      }
      ${throws.length ? nothing : html`<p>${t("No throw has been made yet.")}</p>`}
      ${
        problems.length
          ? html`<ul>
            ${problems.slice(0, 20).map(
              (each) =>
                html`<li>
                    ${each.number ? t("Throw {n}:", { n: each.number }) : t("Line {n}:", { n: each.line })}
                    ${problemText(each)}
                  </li>`,
            )}
          </ul>`
          : nothing
      }
      ${
        missing.length
          ? html`<p>
            ${tn(
              "In {n} throw a player's number did not come in time; it was marked and left out.",
              "In {n} throws a player's number did not come in time; they were marked and left out.",
              missing.length,
            )}
          </p>`
          : nothing
      }
      ${
        renewed || voided
          ? html`<p>${tn("New lists were begun {n} time.", "New lists were begun {n} times.", renewed)}</p>`
          : nothing
      }
      <p class="small quiet">
        ${t("What is not proved: that nothing was left off at the end. Compare with your own record.")}
      </p>
    </section>`;
  }

  /** @param {"white" | "black"} side */
  rolls(side) {
    const { throws } = /** @type {NonNullable<Dice["audit"]>} */ (this.audit);
    const rolls = throws.filter(({ roller }) => roller === side).map(({ dice }) => dice);
    if (!rolls.length) return nothing;
    const found = compare(rolls);
    const most = Math.max(...found.faces, found.expected) * 1.1;
    const name = nameOf(/** @type {NonNullable<Dice["meta"]>} */ (this.meta), side);
    const share = (/** @type {number} */ p) => words().percent(p, p < 0.1 ? 1 : 0);
    return html`<section class="card stack">
      <h2><i class="disc ${side}"></i> ${named(name)}</h2>
      <div class="bars">
        ${found.faces.map(
          (count, i) => html`<figure>
            <svg
              viewBox="0 0 40 110"
              preserveAspectRatio="none"
              role="img"
              aria-label=${t("{face}: {n} times, expected {expected}", {
                face: String(i + 1),
                n: count,
                expected: Math.round(found.expected * 10) / 10,
              })}
            >
              ${svg`<rect x="6" width="28" y=${110 - (100 * count) / most} height=${(100 * count) / most} rx="3" /><line
                  x1="0"
                  x2="40"
                  y1=${110 - (100 * found.expected) / most}
                  y2=${110 - (100 * found.expected) / most}
                />`}
            </svg>
            <figcaption>${ltr(i + 1)}<br><b>${words().figure(count)}</b></figcaption>
          </figure>`,
        )}
      </div>
      <p>
        ${tn("{n} roll.", "{n} rolls.", found.n)}
        ${
          found.p > 0.05
            ? t(
                "The numbers are as even as chance makes them: of honest dice, {share} are as uneven as these or more.",
                { share: share(found.p) },
              )
            : t(
                "The numbers are rather uneven: of honest dice only {share} are as uneven as these or " +
                  "more. That happens, too.",
                { share: share(found.p) },
              )
        }
        <span class="quiet small">${ltr(`χ² = ${found.chi2.toFixed(1)}`)}</span>
      </p>
      <div class="stats">
        <div>
          <span class="quiet small">${t("Doubles")}</span><b>${words().figure(found.doubles)}</b><span
            class="small"
          >${t("expected {n}", { n: Math.round(found.expectedDoubles * 10) / 10 })}</span>
        </div>
        <div>
          <span class="quiet small">${t("Pips thrown")}</span><b>${words().figure(found.pips)}</b><span
            class="small"
          >${t("expected {n}", { n: Math.round(found.expectedPips) })}</span>
        </div>
        <div>
          <span class="quiet small">${t("Longest run of doubles")}</span><b>${words().figure(found.longest)}</b><span
            class="small"
          >${t("as long or longer: {share}", { share: share(found.longestChance) })}</span>
        </div>
      </div>
      <p class="small quiet">
        ${t("This number of doubles or more comes up in {share} of such matches.", {
          share: share(found.doublesChance),
        })}
      </p>
    </section>`;
  }

  list() {
    const { throws } = /** @type {NonNullable<Dice["audit"]>} */ (this.audit);
    return html`<details class="card">
      <summary>${t("All throws")}</summary>
      ${table(
        [t("Game"), t("Throw"), t("Dice"), ""],
        throws.map(({ game, number, roller, dice, good }) => [
          ltr(game.split("/").at(-1)),
          html`${words().figure(number)} ${roller ? html`<i class="disc ${roller}"></i>` : nothing}`,
          ltr(dice.join("-")),
          good ? "✓" : "✗",
        ]),
      )}
    </details>`;
  }

  render() {
    if (!this.audit) return html`<div class="page narrow">${this.waiting()}</div>`;
    return html`<div class="page narrow">
      <h1>${t("The dice")}</h1>
      <p class="lead">${this.name}</p>
      <div class="stack">
        ${this.verdict()}
        ${this.withheld ? nothing : html`${this.rolls("white")}${this.rolls("black")}${this.list()}`}
        <div class="row">
          <a class="button" href="/api/v1/matches/${this.place.params.match}/record" download>
            ${t("Download the record")}
          </a>
          <a class="button" href="/replay/${this.place.params.match}">${t("Replay")}</a>
        </div>
      </div>
    </div>`;
  }
}

customElements.define("ssb-dice", Dice);
