/** A tournament in words: systems, states, times, and what a result was. */

import { t, tn, words } from "../../i18n/i18n.js";
import { clockName } from "../clock-code.js";

/** @param {{system: string, groups?: number}} about */
export function systemName({ system, groups }) {
  const known = {
    knockout: t("Knockout"),
    double: t("Double elimination"),
    swiss: t("Swiss system"),
    losses: t("Until a number of losses"),
    round_robin: t("Round robin"),
    arena: t("Arena"),
  };
  const name = known[/** @type {keyof typeof known} */ (system)] ?? system;
  return groups ? t("Groups, then: {system}", { system: name }) : name;
}

/** List for whom a knockout has a consolation. @returns {[string, string][]} */
export const consolations = () => [
  ["progressive", t("for the losers of all rounds")],
  ["nonprogressive", t("for the losers of the first round")],
  ["none", t("none")],
];

/** List how the order in a bracket comes about. @returns {[string, string][]} */
export const draws = () => [
  ["random", t("by lot")],
  ["seeded", t("by rating")],
  ["manual", t("by the director")],
];

/** @param {string} status */
export function statusName(status) {
  const known = {
    draft: t("draft"),
    announced: t("announced"),
    open: t("entries are open"),
    check_in: t("check-in"),
    running: t("under way"),
    confirming: t("finished, to be confirmed"),
    over: t("over"),
    cancelled: t("cancelled"),
  };
  return known[/** @type {keyof typeof known} */ (status)] ?? status;
}

/** @param {string} name */
export function bracketName(name) {
  const known = {
    main: t("Main bracket"),
    consolation: t("Consolation"),
    losers: t("Losers’ bracket"),
    last_chance: t("Last chance"),
    third: t("Third place"),
    final: t("Final"),
  };
  return known[/** @type {keyof typeof known} */ (name)] ?? name;
}

/** @param {string} name */
export function tieBreakName(name) {
  const known = {
    head_to_head: t("head to head"),
    buchholz: t("Buchholz"),
    buchholz_cut1: t("Buchholz without the lowest"),
    sonneborn_berger: t("Sonneborn-Berger"),
    point_difference: t("point difference"),
    wins: t("wins"),
    games: t("games won"),
    lot: t("lot"),
    playoff: t("playoff"),
    shared: t("the place is shared"),
  };
  return known[/** @type {keyof typeof known} */ (name)] ?? name;
}

/** How a match was decided, where it was not played to its end. @param {string} how */
export function howName(how) {
  const known = {
    played: "",
    entered: "",
    time: t("on time"),
    forfeit: t("forfeited"),
    walkover: t("walkover"),
  };
  return known[/** @type {keyof typeof known} */ (how)] ?? how;
}

/** The city in whose evenings a series is held. @param {string} zone by its IANA name */
function cityName(zone) {
  const known = {
    "Asia/Tehran": t("Tehran"),
    "Europe/Istanbul": t("Istanbul"),
    "Europe/Moscow": t("Moscow"),
    "Europe/Berlin": t("Berlin"),
    "America/New_York": t("New York"),
  };
  const name = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  return known[/** @type {keyof typeof known} */ (zone)] ?? name;
}

/** The title: those of a series are translated.
 * @param {import("../wire.js").TournamentTitle} about */
export function titleOf({ title, series, zone }) {
  const known = {
    daily: t("Daily arena"),
    weekly: t("Weekly tournament"),
    medley: t("Games in turn"),
  };
  const name = known[/** @type {keyof typeof known} */ (series)];
  return name ? `${name} · ${cityName(zone)}` : title;
}

/**
 * What a notice says of a tournament that somebody has entered; "" where something else says it.
 * @param {{event: string} & import("../wire.js").TournamentTitle} about
 */
export function notice(about) {
  const title = titleOf(about);
  const known = {
    tournamentSoon: t("{title} starts in a quarter of an hour.", { title }),
    tournamentCheckIn: t("Check in for {title}: who does not is left out.", { title }),
    tournamentStart: t("{title} begins", { title }),
    tournamentAwaited: t("Your board in {title} still waits: half of the time to come is over.", { title }),
    tournamentWalkover: t("You won your match in {title} by walkover: your opponent did not come.", {
      title,
    }),
    tournamentMissed: t("You lost your match in {title} by walkover: you did not come in time.", { title }),
    tournamentRuling: t("Your match in {title} has been ruled on.", { title }),
    tournamentAmended: t("The terms or times of {title} have changed.", { title }),
    tournamentMessage: t("There is a message of the director of {title}.", { title }),
    tournamentEnd: t("{title} is over", { title }),
  };
  return known[/** @type {keyof typeof known} */ (about.event)] ?? "";
}

/** @param {Pick<import("../wire.js").ListedTournament, "system" | "contest" | "length" | "clock"> &
 *   {groups?: number, boards?: string}} about of a tournament in a list */
export const terms = (about) => termsOf(about).join(" · ");

/** @param {Parameters<typeof terms>[0]} about */
export function termsOf(about) {
  const to =
    about.contest === "games"
      ? tn("best of {n} game", "best of {n} games", about.length)
      : tn("to {n} point", "to {n} points", about.length);
  return [systemName(about), to, about.boards === "real" ? t("real boards") : clockName(about.clock)];
}

/** A place, or from which to which where it is shared or not decided. @param {{place: number, last: number}} row */
export function placeText({ place, last }) {
  const [from, to] = [place, last].map((number) => words().figure(number));
  return last > place ? `${from}–${to}` : from;
}

/** @param {number} ms @param {Intl.DateTimeFormatOptions} how */
const format = (ms, how) => new Intl.DateTimeFormat(words().locale, how).format(ms);

/** @param {number} ms */
export const day = (ms) => format(ms, { weekday: "long", day: "numeric", month: "long" });

/** The number of a day in its month. @param {number} ms */
export const dayOfMonth = (ms) => format(ms, { day: "numeric" });

/** The first day of the week, from Sunday as 0; elsewhere it is Monday. */
const FIRST_DAYS = /** @type {Record<string, number>} */ ({ fa: 6, ar: 6 });

/**
 * A month of the reader's calendar, `ahead` months after that of a moment: its name, the days of the week, each
 * with its whole name and a letter, and its weeks, each of seven days by their noon, null for a day of another month.
 * @param {number} ahead
 * @param {number} now
 */
export function monthOf(ahead, now = Date.now()) {
  const noon = new Date(now);
  noon.setHours(12, 0, 0, 0);
  const month = (/** @type {number} */ ms) => format(ms, { month: "long", year: "numeric" });
  // Days are counted by noon, which no change of the clocks moves to another one.
  const next = (/** @type {number} */ ms, /** @type {number} */ days) => {
    const date = new Date(ms);
    date.setDate(date.getDate() + days);
    return date.getTime();
  };
  let first = noon.getTime();
  while (month(next(first, -1)) === month(first)) first = next(first, -1);
  for (let months = 0; months < ahead; months++) {
    const before = month(first);
    while (month(first) === before) first = next(first, 1);
  }
  const start = FIRST_DAYS[words().language.code] ?? 1;
  /** @type {(number | null)[]} */
  const days = Array.from({ length: (new Date(first).getDay() - start + 7) % 7 }, () => null);
  for (let at = first; month(at) === month(first); at = next(at, 1)) days.push(at);
  while (days.length % 7) days.push(null);
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7));
  const weekdays = weeks[1].map((at) => ({
    name: format(at ?? first, { weekday: "long" }),
    letter: format(at ?? first, { weekday: "narrow" }),
  }));
  return { title: month(first), weekdays, weeks };
}

/** @param {number} ms */
export const hour = (ms) => format(ms, { hour: "2-digit", minute: "2-digit" });

/** A moment of time: how far away, and by one's own clock and that of the world. @param {number} ms */
export function when(ms) {
  const utc = format(ms, { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
  const local = Math.abs(ms - Date.now()) < 20 * 3_600_000 ? hour(ms) : `${day(ms)}, ${hour(ms)}`;
  return t("{time} your time ({utc} UTC)", { time: local, utc });
}

/** How long from now, in the largest unit that fits. @param {number} ms */
export function away(ms) {
  const minutes = Math.round((ms - Date.now()) / 60_000);
  const relative = new Intl.RelativeTimeFormat(words().locale, { numeric: "auto" });
  if (Math.abs(minutes) < 90) return relative.format(minutes, "minute");
  if (Math.abs(minutes) < 36 * 60) return relative.format(Math.round(minutes / 60), "hour");
  return relative.format(Math.round(minutes / 1440), "day");
}

/** Minutes and seconds, as a clock shows them. @param {number} seconds */
export function clockText(seconds) {
  const rest = words().formatted(seconds % 60, { minimumIntegerDigits: 2 });
  return `${words().figure(Math.floor(seconds / 60))}:${rest}`;
}

/** A score of the standings. @param {number} score */
export const scoreText = (score) => words().figure(score);
