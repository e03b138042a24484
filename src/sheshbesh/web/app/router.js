/** The page's addresses and their views. */

/**
 * @typedef {{view: string, params: Record<string, string>, query: URLSearchParams}} Place
 */

/** A part in braces may be anything; with a word after a colon, that word alone. @type {readonly [string, string][]} */
const ROUTES = [
  ["/", "home"],
  ["/play/{game}", "home"],
  ["/m/{id}", "match"],
  ["/local", "local"],
  ["/j/{token}", "invite"],
  ["/chouette", "chouettes"],
  ["/chouette/{id}", "chouette"],
  ["/chouette/{id}/replay", "chouette-replay"],
  ["/lobby", "lobby"],
  ["/tournaments", "tournaments"],
  ["/tournaments/{mode:calendar}", "tournaments"],
  ["/t/{id}", "tournament"],
  ["/t/{id}/desk", "tournament-desk"],
  ["/watch", "watch"],
  ["/table", "scoreboard"],
  ["/u/{name}", "profile"],
  ["/friends", "friends"],
  ["/settings", "settings"],
  ["/rules", "rules"],
  ["/rules/{game}", "rules"],
  ["/customs/differences", "differences"],
  ["/customs/conduct", "conduct"],
  ["/customs/referee", "referee"],
  ["/learn", "learn"],
  ["/learn/{game}", "learn"],
  ["/dice/{match}", "dice"],
  ["/replay/{match}", "replay"],
  ["/reviews", "reviews"],
  ["/practice", "practice"],
  ["/puzzles", "puzzles"],
  ["/puzzles/today", "daily-puzzle"],
  ["/puzzles/{game}", "puzzles"],
  ["/search", "search"],
  ["/week", "week"],
  ["/review/{id}", "review"],
  ["/shared/{secret}", "review"],
  ["/analysis", "analysis"],
  ["/login", "login"],
  ["/account", "account"],
  ["/mail", "mail"],
  ["/moderation", "moderation"],
];

const PATTERNS = ROUTES.map(([route, view]) => {
  const parts = /\{(\w+):?(\w*)\}/g;
  const names = [...route.matchAll(parts)].map((found) => found[1]);
  const pattern = route.replace(parts, (_part, _name, only) => `(${only || "[^/]+"})`);
  return { pattern: new RegExp(`^${pattern}/?$`), names, view };
});

/**
 * The view at an address; "lost" where there is nothing.
 * @param {string} path
 * @param {string} [search]
 * @returns {Place}
 */
export function find(path, search = "") {
  const query = new URLSearchParams(search);
  for (const { pattern, names, view } of PATTERNS) {
    const found = pattern.exec(path);
    if (!found) continue;
    try {
      const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1])]));
      return { view, params, query };
    } catch {
      break; // A malformed escape is no address of ours.
    }
  }
  return { view: "lost", params: {}, query };
}

/** Where one signs in, and from where one comes back to the page that is open. @param {Place} here */
export const signIn = ({ view }) =>
  view === "home" || view === "login"
    ? "/login"
    : `/login?back=${encodeURIComponent(location.pathname + location.search)}`;

/**
 * Where somebody who has signed in goes on: the page that they came from, an address of this site alone.
 * @param {Place} place
 */
export function wayBack({ query }) {
  const [path, search] = (query.get("back") ?? "").split(/(?=\?)/, 2);
  const { view } = find(path, search);
  return view === "lost" || view === "login" ? "/account" : path + (search ?? "");
}

/** Follows the address bar; fires "go" with a Place. */
export class Router extends EventTarget {
  /** @param {Window} page */
  constructor(page) {
    super();
    this.page = page;
    page.addEventListener("popstate", () => this.announce());
    page.document.addEventListener("click", (event) => this.onClick(event));
  }

  get place() {
    return find(this.page.location.pathname, this.page.location.search);
  }

  announce() {
    this.dispatchEvent(new CustomEvent("go", { detail: this.place }));
  }

  /** @param {string} path @param {{replace?: boolean}} [how] */
  go(path, { replace = false } = {}) {
    this.page.history[replace ? "replaceState" : "pushState"](null, "", path);
    this.announce();
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    if (
      event.defaultPrevented ||
      event.button ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.composedPath().find((part) => part instanceof HTMLAnchorElement);
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
    if (link.origin !== this.page.location.origin || find(link.pathname).view === "lost") return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}
