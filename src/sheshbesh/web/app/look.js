/** Light, material, language and direction of the document. */

/**
 * @param {import("./settings.js").Prefs} prefs
 * @param {import("../i18n/i18n.js").Language} language
 */
export function dress(prefs, language) {
  const root = document.documentElement;
  const dark =
    prefs.page === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : prefs.page === "dark";
  root.dataset.theme = prefs.material;
  root.dataset.page = dark ? "dark" : "light";
  root.lang = language.code;
  root.dir = language.dir;
}

/**
 * Calls back when the system turns dark or light.
 * @param {() => void} changed
 */
export function watchLight(changed) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
