/** What Lit asks of a page when it is loaded: modules that have templates beside their logic can be tested without one. */
globalThis.HTMLElement ??= class {};
globalThis.document ??= /** @type {any} */ ({
  createComment() {},
  createTreeWalker() {},
  querySelector() {},
});
/** @type {Map<string, CustomElementConstructor>} */
const defined = new Map();
globalThis.customElements ??= /** @type {any} */ ({
  define: (name, element) => void defined.set(name, element),
  get: (name) => defined.get(name),
});
globalThis.IntersectionObserver ??= /** @type {any} */ (class {});
