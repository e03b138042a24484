/** Start of the page: language and light first, so that nothing is drawn twice. */
import { choose, use, want, words } from "../i18n/i18n.js";
import { me, STATIC } from "./api.js";
import "./app.js";
import { find } from "./router.js";
import { applyAppearance, settings } from "./settings.js";
import { afterLoading } from "./view.js";

const asked = new URLSearchParams(location.search).get("lang");
const language = choose(asked || settings.prefs.lang || null, navigator.languages);
want(language, settings.prefs.digits);
applyAppearance(settings.prefs, language);
const identity = me();
// Errors are reported by those who await it.
identity.catch(() => {});
await use(language, settings.prefs.digits, find(location.pathname).view);
// It has been here before: what was fetched late then is there at once.
if (navigator.serviceWorker?.controller) document.documentElement.dataset.face = "display";
const app = /** @type {import("./app.js").App | null} */ (document.querySelector("ssb-app"));
// Not awaited here: the views that it loads need this module, where both are packed.
void app?.begin(identity, asked).then(() => {
  // A page that cannot be kept for offline use is still a page. What is needed now goes first.
  if ("serviceWorker" in navigator && !STATIC) afterLoading(() => void keepInTime(), 2000);
});

/** Have the page kept, again after a while where a file could not be had. @param {number} [wait]  ms */
async function keepInTime(wait = 5000) {
  await keep().catch(() => setTimeout(() => void keepInTime(2 * wait), wait));
}

/** A worker that keeps the page; of one that cannot be installed nothing is left, and `ready` would wait for ever. */
async function workerOf() {
  const registration = await navigator.serviceWorker.register("/sw.js");
  const coming = registration.active ? null : (registration.installing ?? registration.waiting);
  if (coming)
    await new Promise((done, fail) => {
      const look = () => {
        if (coming.state === "activated") done(undefined);
        if (coming.state === "redundant") fail(new Error("the page could not be kept"));
      };
      coming.addEventListener("statechange", look);
      look();
    });
  else if (!registration.active) throw new Error("the page could not be kept");
  return registration;
}

/** Have kept what this page is made of, and is still being made of: what it asked for before the worker sees it. */
async function keep() {
  const registration = await workerOf();
  const now = performance.now();
  new PerformanceObserver((list) => {
    const before = list.getEntries().filter(({ startTime }) => startTime < now);
    if (before.length) registration.active?.postMessage(before.map(({ name }) => name));
  }).observe({ type: "resource", buffered: true });
  const { connection } = /** @type {{connection?: {saveData?: boolean}}} */ (navigator);
  if (connection?.saveData) return;
  const installed = () =>
    registration.active?.postMessage({ installed: settings.prefs.lang || words().language.code });
  const { matches } = matchMedia("(display-mode: standalone)");
  if (matches) {
    installed();
    // The worker of another release has removed what the one before kept.
    navigator.serviceWorker.addEventListener("controllerchange", installed);
  }
  addEventListener("appinstalled", installed);
  settings.addEventListener("change", (event) => {
    if (matches && /** @type {CustomEvent} */ (event).detail.names.includes("lang")) installed();
  });
}
