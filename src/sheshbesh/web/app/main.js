/** Start of the page: language and light first, so that nothing is drawn twice. */
import { choose, use, want } from "../i18n/i18n.js";
import { me } from "./api.js";
import "./app.js";
import { applyAppearance, settings } from "./settings.js";

const asked = new URLSearchParams(location.search).get("lang");
const language = choose(asked || settings.prefs.lang || null, navigator.languages);
want(language, settings.prefs.digits);
applyAppearance(settings.prefs, language);
// A typeface is fetched when text in it is first laid out; that is late here, and which one is known now.
for (const family of ["Inter", "Vazirmatn"])
  void document.fonts.load(`1em ${family}`, `${language.name} 0`).catch(() => {});
const identity = me();
// Errors are reported by those who await it.
identity.catch(() => {});
await use(language, settings.prefs.digits);
/** @type {import("./app.js").App | null} */ (document.querySelector("ssb-app"))?.begin(identity, asked);

if ("serviceWorker" in navigator) {
  // A page that cannot be kept for offline use is still a page. What is needed now goes first.
  setTimeout(() => void keep().catch(() => {}), 2000);
}

/** Have kept what this page is made of; what it loaded before there was a worker, that could not see. */
async function keep() {
  await navigator.serviceWorker.register("/sw.js");
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
}
