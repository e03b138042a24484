/** Lessons: the overview of all courses, and one course, whose lessons are played on the board. */

import { thumbnail } from "../../board/thumbnail.js";
import { t, tn, words } from "../../i18n/i18n.js";
import { once, post, STATIC } from "../api.js";
import { AT_ONCE, BoardView, boardElement } from "../board-view.js";
import { count, explained, forgetCourse, judged, learned, marked, remember } from "../learn/lessons.js";
import { settings } from "../settings.js";
import { diceText, html, ltr, nothing, states } from "../view.js";

/**
 * @typedef {import("../learn/lessons.js").Course} Course
 * @typedef {import("../learn/lessons.js").Lesson} Lesson
 * @typedef {import("../learn/lessons.js").Judgement} Judgement
 * @typedef {import("../learn/lessons.js").Summary} Summary
 */

class Learn extends BoardView {
  static properties = states("at", "courses", "course", "judgement", "solved", "shown", "turn", "starting");

  constructor() {
    super();
    this.at = 0;
    /** @type {Summary[] | null} */
    this.courses = null;
    /** @type {Course | null} */
    this.course = null;
    /** @type {Judgement | null} */
    this.judgement = null;
    /** Whether the lesson that is shown was answered rightly since it was opened. */
    this.solved = false;
    /** Whether the solution was asked for. */
    this.shown = false;
    /** Whether the game at the end is being made. */
    this.starting = false;
    /** The turn in progress, as the board reports it. */
    this.turn = { done: 0, whole: false };
  }

  get heading() {
    return this.course?.title ?? t("Learn");
  }

  /** @returns {Lesson | null} */
  get lesson() {
    return this.course?.lessons[this.at] ?? null;
  }

  async fetch() {
    const { game } = this.place.params;
    const lang = words().tag;
    if (!game) {
      this.courses = await this.load(once(`/learn?lang=${lang}`));
      return;
    }
    this.course = await this.load(once(`/learn/${encodeURIComponent(game)}?lang=${lang}`));
    if (!this.course) return;
    document.title = `${this.course.title} · ${t("Sheshbesh")}`;
    const done = learned(this.course.name);
    const asked = this.course.lessons.findIndex(({ id }) => id === this.place.query.get("lesson"));
    const first = this.course.lessons.findIndex(({ id }) => !done.has(id));
    this.begin(asked >= 0 ? asked : Math.max(first, 0));
  }

  /** Another language: the same lesson, in it. */
  async languageChanged() {
    const id = this.lesson?.id;
    await this.fetch();
    const at = this.course?.lessons.findIndex((each) => each.id === id) ?? -1;
    if (at >= 0) this.begin(at);
    return true;
  }

  /** Opens a lesson, or begins it again. @param {number} at @param {{focus?: boolean}} [how] */
  begin(at, { focus = false } = {}) {
    this.at = at;
    this.judgement = null;
    this.solved = false;
    this.shown = false;
    this.turn = { done: 0, whole: false };
    const lesson = /** @type {Lesson} */ (this.lesson);
    const in_play = lesson.asks === "double" || lesson.cube.value > 1;
    const cube = { ...lesson.cube, offered: null, by: null, in_play };
    this.showTurn({ ...lesson, cube }, { playable: lesson.choices !== null });
    if (focus)
      void this.updateComplete.then(() =>
        /** @type {HTMLElement | null} */ (this.querySelector(".lesson .task"))?.focus(),
      );
  }

  /** Sends an answer to the referee. @param {Record<string, unknown>} given */
  async answer(given) {
    const { course, lesson } = this;
    if (!course || !lesson) return;
    const path = `/learn/${encodeURIComponent(course.name)}/${encodeURIComponent(lesson.id)}?lang=${words().tag}`;
    await this.attempt(async () => {
      /** @type {Judgement} */
      const found = await post(path, given);
      if (lesson !== this.lesson) return;
      this.judgement = found;
      this.bringVerdict();
      if (!found.right) return;
      this.solved = true;
      remember(course.name, lesson.id);
    });
  }

  /** @param {CustomEvent} event */
  onPlay(event) {
    const steps = event.detail.steps.map((/** @type {number[]} */ step) => step.slice(0, 2));
    const board = this.board?.position ?? this.state.board;
    this.showPlayed(board);
    void this.answer({ steps, whole: true });
  }

  /** @param {CustomEvent} event */
  onWhy(event) {
    const steps = event.detail.steps.map((/** @type {number[]} */ step) => step.slice(0, 2));
    void this.answer({ steps, whole: false });
  }

  /** @param {CustomEvent} event */
  onProgress(event) {
    const { done, whole } = event.detail;
    this.turn = { done: Array.isArray(done) ? done.length : Number(done), whole: Boolean(whole) };
    if (this.turn.done && this.judgement && !this.solved) this.judgement = null;
  }

  next() {
    const { course } = this;
    if (!course) return;
    const done = learned(course.name);
    const open = (/** @type {Lesson} */ each) => !done.has(each.id);
    const later = course.lessons.findIndex((each, i) => i > this.at && open(each));
    const at = later >= 0 ? later : course.lessons.findIndex(open);
    if (at >= 0) this.begin(at, { focus: true });
    else this.leave();
  }

  /** From the first steps to the game's own course, from any other to the list. */
  leave() {
    this.app.go(this.course?.ends_with ? `/learn/${this.course.game}` : "/learn");
  }

  /** Begins the game at the end of the first steps, with the tutor. */
  async play() {
    const { course } = this;
    if (!course?.ends_with || this.starting) return;
    const { card, level } = course.ends_with;
    if (STATIC || !navigator.onLine) return this.app.go(`/local?game=${course.game}&level=${level}`);
    this.starting = true;
    await this.attempt(async () => {
      await this.app.identified();
      const made = await post("/matches", {
        card,
        opponent: { kind: "engine", level },
        side: "white",
        tutor: true,
      });
      this.app.go(made.url);
    });
    this.starting = false;
  }

  // What is shown

  /** The arrows of a right play: over the position before it, or where they are to be followed, over the board. */
  get advice() {
    const { lesson } = this;
    if (!lesson?.solution?.steps.length) return null;
    const { side, board, dice, solution } = lesson;
    const options = [{ grade: "best", steps: solution.steps }];
    if (this.shown) return { side, board, dice, alone: true, options };
    return lesson.arrow && !this.judgement && !this.turn.done ? { side, options } : null;
  }

  overview() {
    const courses = /** @type {Summary[]} */ (this.courses);
    return html`<div class="page" data-material=${settings.prefs.material}>
      <h1>${t("Learn")}</h1>
      <p class="lead">
        ${t(
          "Five minutes for each game: the moves, the special rule, the end and the counting. You " +
            "play, and the referee says why not.",
        )}
      </p>
      <p class="row">
        <a class="button" href="/rules">${t("Rules of all games")}</a>
        ${
          STATIC
            ? nothing
            : html`<a class="button" href="/customs/differences">${t("Traditional and modern")}</a>
              <a class="button" href="/customs/conduct">${t("Conduct at a real board")}</a>
              <a class="button" href="/customs/referee">${t("Referee’s guide")}</a>`
        }
      </p>
      <ul class="tiles courses">${courses.map((each) => this.tile(each))}</ul>
    </div>`;
  }

  /** @param {Summary} course */
  tile({ name, game, title, about, start, lessons, first }) {
    const done = count(name, lessons);
    const all = lessons.length;
    const status =
      done === all
        ? t("✓ all {n} answered", { n: all })
        : done
          ? t("{done} of {n} answered", { done, n: all })
          : tn("{n} lesson", "{n} lessons", all);
    return html`<li>
      <a class="tile" href="/learn/${name}">
        ${thumbnail(start)}
        <span class="about">
          <h2>${title}</h2>
          <span class="quiet small">${about}</span>
          <span class="small">${status}</span>
          <progress max=${all} value=${done} aria-hidden="true"></progress>
        </span>
      </a>
      <div class="ways">
        ${
          first
            ? html`<a
              class="small"
              href="/learn/${first.name}"
              aria-label="${t("Never played? The first steps")} (${title})"
            >${t("Never played? The first steps")}${
              count(first.name, first.lessons) === first.lessons.length
                ? html` <span aria-hidden="true">✓</span>`
                : nothing
            }</a>`
            : nothing
        }
        <a class="small" href="/rules/${game}" aria-label=${t("Rules of {game}", { game: title })}>${t("Rules")}</a>
      </div>
    </li>`;
  }

  options() {
    const { lesson } = this;
    if (!lesson?.options.length || this.solved) return nothing;
    return html`<div class="options" role="group" aria-label=${lesson.task || lesson.text}>
      ${lesson.options.map(
        (each, option) =>
          html`<button @click=${() => void this.answer({ option })}>${
            lesson.notation ? ltr(each) : lesson.asks === "points" ? words().figure(Number(each)) : each
          }</button>`,
      )}
    </div>`;
  }

  actions() {
    const { lesson, solved, judgement, turn } = this;
    if (!lesson || !this.course) return nothing;
    const plays = lesson.choices !== null;
    const done = learned(this.course.name);
    const more = this.course.lessons.some(({ id }) => !done.has(id));
    const again = judgement !== null && plays && !solved;
    const following = lesson.arrow && !again;
    const primary = solved
      ? more
        ? html`<button class="pri" @click=${() => this.next()}>${t("Next lesson")}</button>`
        : this.ending()
      : plays && turn.whole && turn.done && !again
        ? html`<button class="pri" @click=${() => this.board?.confirm()}>${t("Done")}</button>`
        : again && !this.shown
          ? html`<button class="pri" @click=${() => this.begin(this.at)}>${t("Try again")}</button>`
          : html`<button class=${this.shown ? "pri" : nothing} @click=${() => this.skip()}>
              ${t("Next lesson")}
            </button>`;
    return html`<div class="foot">
      ${this.options()}
      <div class="actions">
        ${
          plays && !solved && !again
            ? turn.done
              ? html`<button @click=${() => this.board?.undo()}>${t("Undo")}</button>`
              : following
                ? nothing
                : html`<button @click=${() => void this.answer({ steps: [], whole: true })}>
                  ${t("There is no play")}
                </button>`
            : again && this.shown
              ? html`<button @click=${() => this.begin(this.at)}>${t("Try again")}</button>`
              : nothing
        }
        ${
          solved
            ? html`<button @click=${() => this.begin(this.at)}>${t("Again")}</button>`
            : !following && (lesson.solution || lesson.why)
              ? html`<button aria-pressed=${this.shown} @click=${() => this.reveal()}>${t("Show the answer")}</button>`
              : nothing
        }
        ${primary}
      </div>
    </div>`;
  }

  /** What comes after the last lesson: a real game after the first steps, else the other courses. */
  ending() {
    return this.course?.ends_with
      ? html`<button class="pri" ?disabled=${this.starting} @click=${() => this.play()}>
        ${t("Play a real game")}
      </button>`
      : html`<button class="pri" @click=${() => this.next()}>${t("All courses")}</button>`;
  }

  /** Shows the solution, or hides it again. */
  reveal() {
    this.shown = !this.shown;
    if (this.shown) this.bringVerdict();
  }

  /** Scroll the judgement into view. */
  bringVerdict() {
    void this.updateComplete.then(() => this.querySelector(".verdict")?.scrollIntoView({ block: "nearest" }));
  }

  /** To the lesson after this one, answered or not; after the last to one that is open. */
  skip() {
    const { at } = this;
    const { name, lessons } = /** @type {Course} */ (this.course);
    if (at + 1 < lessons.length) return this.begin(at + 1, { focus: true });
    const done = learned(name);
    const open = lessons.findIndex(({ id }, i) => i !== at && !done.has(id));
    if (open >= 0) this.begin(open, { focus: true });
    else this.leave();
  }

  solution() {
    const { lesson } = this;
    if (!lesson || !this.shown || this.solved) return nothing;
    const { solution } = lesson;
    const play = solution && (solution.steps.length ? ltr(solution.play) : t("There is no play"));
    return html`<div class="said"><p><b>${play ? html`${t("Answer:")} ${play}` : t("Answer:")}</b></p></div>
      ${explained(lesson)}`;
  }

  list() {
    const course = /** @type {Course} */ (this.course);
    const done = learned(course.name);
    return html`<details class="lessons">
      <summary>${t("All lessons of this course")}</summary>
      <ol>
        ${course.lessons.map(
          ({ id, text }, i) =>
            html`<li>
              <button
                aria-current=${i === this.at ? "true" : nothing}
                title=${text}
                @click=${() => this.begin(i, { focus: true })}
              >${words().figure(i + 1)}${
                done.has(id)
                  ? html` <span aria-hidden="true">✓</span><span class="sr">${t("answered")}</span>`
                  : nothing
              }</button>
            </li>`,
        )}
      </ol>
      <p>
        <button ?disabled=${!done.size} @click=${() => forgetCourse(course.name)}>
          ${t("Begin this course anew")}
        </button>
      </p>
    </details>`;
  }

  /** Where a reader may go from here: before the course, or to a game. @param {Course} course @param {Lesson} lesson */
  onward({ first, ends_with, game }, { title }) {
    if (ends_with)
      return html`<p class="small">
        ${t("At the end: a real game against a gentle opponent, with the tutor at your side.")}
        <button class="link" ?disabled=${this.starting} @click=${() => this.play()}>${t("Play it now")}</button>
      </p>`;
    return html`<p class="small row">
      ${first ? html`<a href="/learn/${first.name}">${t("Never played? The first steps")}</a> ` : nothing}
      <a href=${STATIC ? `/local?game=${game}` : `/play/${game}`}>${t("Play {game}", { game: title })}</a>
    </p>`;
  }

  /** @param {Course} course @param {Lesson} lesson */
  lessonView(course, lesson) {
    const layout = course.layouts[lesson.game];
    const dice =
      lesson.dice && lesson.choices && lesson.dice.length > 1 ? `\u2066${diceText(lesson.dice)}\u2069` : "";
    const where = t("Lesson {n} of {total}", { n: this.at + 1, total: course.lessons.length });
    const score = lesson.score ? t("{mine} to {theirs} in a match to {n}", scoreOf(lesson)) : "";
    return html`<div class="lesson" data-material=${settings.prefs.material}>
      <header>
        <a class="button" href="/learn" aria-label=${t("All courses")}>
          <span aria-hidden="true" class="arrow">‹</span>
        </a>
        <h1>${course.title}</h1>
        <span class="quiet small">${where}${
          lesson.title === course.title || course.ends_with ? nothing : html`, ${lesson.title}`
        }</span>
        <a class="small" href="/rules/${lesson.game}">${t("Rules")}</a>
      </header>
      <div class="task" tabindex="-1">
        <p>${marked(lesson)}</p>
        <p class="quiet">
          ${[
            dice && t("You have thrown {dice}.", { dice }),
            score,
            lesson.task,
            lesson.arrow && t("Tap the checker where the arrow begins."),
          ]
            .filter(Boolean)
            .map((each) => html`<span>${each}</span> `)}
        </p>
      </div>
      <div class="place">
        ${boardElement({
          game: lesson.game,
          layout,
          state: this.state,
          prefs: AT_ONCE,
          advice: this.advice,
          on: {
            play: (event) => this.onPlay(event),
            why: (event) => this.onWhy(event),
            progress: (event) => this.onProgress(event),
            present: () => (this.shown = false),
          },
        })}
      </div>
      <div class="told">
        <div class="verdict" aria-live="polite">${this.judgement ? judged(this.judgement) : nothing}${
          this.solved ? explained(lesson) : this.solution()
        }</div>
        ${this.actions()}${this.list()} ${this.onward(course, lesson)}
      </div>
    </div>`;
  }

  render() {
    if (this.courses) return this.overview();
    const { course, lesson } = this;
    if (!course || !lesson) return html`<div class="page">${this.waiting()}</div>`;
    return this.lessonView(course, lesson);
  }
}

/** The score as the reader has it. @param {Lesson} lesson */
function scoreOf({ side, score }) {
  const [white, black, n] = /** @type {number[]} */ (score);
  return side === "white" ? { mine: white, theirs: black, n } : { mine: black, theirs: white, n };
}

customElements.define("ssb-learn", Learn);
