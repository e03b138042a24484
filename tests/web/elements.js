/** What Lit asks of a page when it is loaded: modules that have templates beside their logic can be tested without one. */
globalThis.HTMLElement ??= class {};
globalThis.customElements ??= /** @type {any} */ ({ define() {} });
globalThis.document ??= /** @type {any} */ ({
  createComment() {},
  createTreeWalker() {},
  querySelector() {},
});
