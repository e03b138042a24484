/* The page offline: its files are kept as they are used; games and accounts always come from the server. */
/** @type {any} the scope of a service worker, which the checker's library does not know here */
const worker = self;
/** What all files that the server has are made of; it writes it here, and beside each of them. */
const BUILD = "(the build served)";
const NAME = `sheshbesh-${BUILD}`;
const SHELL = [
  "/",
  "/styles/page.css",
  "/styles/views.css",
  "/styles/match.css",
  "/styles/review.css",
  "/styles/board.css",
  "/app/main.js",
  "/vendor/lit.js",
  "/manifest.webmanifest",
  "/icons/icon.svg",
  "/fonts/inter-latin.woff2",
  "/fonts/serif-latin.woff2",
];
const OURS = [
  "/app/",
  "/board/",
  "/fairdice/",
  "/i18n/",
  "/styles/",
  "/fonts/",
  "/vendor/",
  "/icons/",
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

/** @param {URL} url */
const isOurs = (url) =>
  url.origin === location.origin && OURS.some((start) => url.pathname.startsWith(start));

/** @param {Cache} cache @param {string} name of a file that was just loaded, by this worker or before there was one */
async function keep(cache, name) {
  if (await cache.match(name)) return;
  const answer = await fetch(name);
  if (!belongs(answer)) throw new Error(`${name} is of another build`);
  await cache.put(name, answer);
}

// A page says what it has loaded.
worker.addEventListener("message", (/** @type {any} */ event) => {
  const ours = event.data.filter((/** @type {string} */ name) => isOurs(new URL(name)));
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => Promise.allSettled(ours.map((/** @type {string} */ name) => keep(cache, name)))),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (!url.pathname.startsWith("/api/")) event.respondWith(fresh(request, "/"));
  } else if (isOurs(url)) {
    event.respondWith(fresh(request, request));
  }
});
