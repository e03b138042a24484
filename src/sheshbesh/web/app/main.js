/** Start of the page: language and light first, so that nothing is drawn twice. */
import { choose, use } from "../i18n/i18n.js";
import { App } from "./app.js";
import { dress } from "./look.js";
import { settings } from "./settings.js";

const asked = new URLSearchParams(location.search).get("lang");
const language = choose(asked || settings.prefs.lang || null, navigator.languages);
dress(settings.prefs, language);
await use(language, settings.prefs.digits);
/** @type {App | null} */ (document.querySelector("ssb-app"))?.begin();

if ("serviceWorker" in navigator) {
  // A page that cannot be kept for offline use is still a page. What is needed now goes first.
  setTimeout(() => void navigator.serviceWorker.register("/sw.js").catch(() => {}), 2000);
}
