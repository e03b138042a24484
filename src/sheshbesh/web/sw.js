/* The page offline: its files are kept as they are used; games and accounts always come from the server. */
/** @type {any} the scope of a service worker, for which no types are loaded here */
const worker = self;
/** What all files that the server has are made of; it writes it here, and beside each of them. */
const BUILD = "(the build served)";
const NAME = `sheshbesh-${BUILD}`;
/** What the views that need no network are made of; the server writes it here. */
const FILES = "(the files kept)";
/** The views that need no network, each with texts of its own in every language. */
const VIEWS = "(the views kept)".split(" ");
const SHELL = ["/", "/manifest.webmanifest", "/icons/icon.svg", ...FILES.split(" ")];
/** The nets, which the engine keeps from one build to the next (`engine/worker.js`). */
const NETS = "nets";
const OURS = [
  "/app/",
  "/board/",
  "/copy/",
  "/engine/",
  "/fairdice/",
  "/i18n/",
  "/styles/",
  "/fonts/",
  "/vendor/",
  "/icons/",
  "/packed/",
  "/manifest",
];

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => Promise.all(SHELL.map((name) => keep(cache, name))))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const old = (/** @type {string[]} */ names) =>
    names.filter((name) => name.startsWith("sheshbesh-") && name !== NAME);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

/** Whether the page in view may be made of files that are newer than those kept here. */
let overtaken = false;

/** @param {Response} answer @returns {boolean} whether it belongs to what is kept here */
const belongs = (answer) => answer.ok && answer.headers.get("Sheshbesh-Build") === BUILD;

/**
 * The newest from the server, and what was kept if it does not answer. Files of two builds are never mixed: what is
 * newer is left to the next worker, and beside it nothing old is given.
 * @param {Request} request
 * @param {RequestInfo} name
 */
async function fresh(request, name) {
  const page = request.mode === "navigate";
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (belongs(answer)) await cache.put(name, answer.clone());
    else if (answer.ok) overtaken = true;
    return answer;
  } catch (error) {
    // A page that is kept has everything else of its build here.
    if (page) overtaken = false;
    const kept = overtaken ? undefined : await cache.match(name, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

/** Where a file that was shared with the installed page waits for it: the view of reviews takes it. */
const SHARED = "shared";

/**
 * What another program shares: a match file goes to the reviews, a text to the analysis board.
 * @param {Request} request
 */
async function take(request) {
  const form = await request.formData();
  const file = form.get("match");
  if (file instanceof File && file.size) {
    const cache = await caches.open(SHARED);
    const headers = { "File-Name": encodeURIComponent(file.name) };
    await cache.put("/shared-file", new Response(file, { headers }));
    return Response.redirect("/reviews?shared", 303);
  }
  const text = ["text", "url", "title"].map((name) => form.get(name)).find(Boolean) ?? "";
  return Response.redirect(`/analysis?text=${encodeURIComponent(String(text))}`, 303);
}

/** Nets are kept by the engine itself, from one build to the next. @param {URL} url */
const isOurs = (url) =>
  url.origin === location.origin &&
  !url.pathname.endsWith(".net") &&
  OURS.some((start) => url.pathname.startsWith(start));

/** @param {Cache} cache @param {string} name of a file that was just loaded, by this worker or before there was one */
async function keep(cache, name) {
  if (await cache.match(name)) return;
  const answer = await fetch(name);
  if (!belongs(answer)) throw new Error(`${name} is of another build`);
  await cache.put(name, answer);
}

/** Beside the texts of one view those of the views kept, in its language. @param {string} name @returns {string[]} */
function withTexts(name) {
  const found = /^(.*\/i18n\/\w+\/)[\w-]+\.json$/.exec(name);
  return found ? [name, ...VIEWS.map((view) => `${found[1]}${view}.json`)] : [name];
}

/** Files that are fetched at once for an installed page. */
const AT_ONCE = 6;

/**
 * Keep all that the views without a server need, in a language: some three hundred files, and the nets of all games.
 * What could not be had is tried again when the page is opened next.
 * @param {string} lang
 */
async function keepInstalled(lang) {
  const list = await fetch(`/copy/${lang}/installed.json`);
  if (!belongs(list)) return;
  const { files, nets } = await list.json();
  const [page, engine] = await Promise.all([caches.open(NAME), caches.open(NETS)]);
  const works = [
    ...files.map((/** @type {string} */ name) => () => keep(page, name)),
    ...nets.map((/** @type {string} */ name) => async () => {
      if (!(await engine.match(name))) await engine.add(name);
    }),
  ];
  const hand = async () => {
    for (let work = works.shift(); work; work = works.shift()) await work().catch(() => {});
  };
  await Promise.all(Array.from({ length: AT_ONCE }, hand));
  // Nets of releases before, which no game here is judged by any more.
  const old = (await engine.keys()).filter(({ url }) => !nets.includes(new URL(url).pathname));
  await Promise.all(old.map((/** @type {Request} */ each) => engine.delete(each)));
}

// A page reports what it has loaded, or that it is installed, and in which language it is read.
worker.addEventListener("message", (/** @type {any} */ event) => {
  if ("installed" in event.data) return event.waitUntil(keepInstalled(event.data.installed));
  const ours = event.data.filter((/** @type {string} */ name) => isOurs(new URL(name))).flatMap(withTexts);
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => Promise.allSettled([...new Set(ours)].map((name) => keep(cache, name)))),
  );
});

// A match waits for its player, who has no page of ours in view.
worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, url } = event.data.json();
  event.waitUntil(
    worker.registration.showNotification(title, { body, data: url, tag: url, icon: "/icons/icon-192.png" }),
  );
});

/**
 * One tap leads to the board: in the page that shows it, else in a page that is open, else in a new one.
 * @param {string} url
 */
async function bring(url) {
  const open = await worker.clients.matchAll({ type: "window" });
  const there = open.find((/** @type {any} */ page) => new URL(page.url).pathname === url);
  if (there) return there.focus();
  if (!open.length) return worker.clients.openWindow(url);
  await open[0].focus();
  return open[0].navigate(url);
}

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(bring(event.notification.data));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === "POST" && url.origin === location.origin && url.pathname === "/share")
    return event.respondWith(take(request));
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (!url.pathname.startsWith("/api/")) event.respondWith(fresh(request, "/"));
  } else if (isOurs(url)) {
    event.respondWith(fresh(request, request));
  }
});
