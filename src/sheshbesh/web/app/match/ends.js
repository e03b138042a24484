/** Lists whose newest line stays in sight. */
export class Ends {
  /** How long each list was when it was last looked at. @type {Record<string, number>} */
  #lengths = {};

  /** @param {ParentNode} view */
  constructor(view) {
    this.view = view;
  }

  /** Every list is to be followed anew. */
  forget() {
    this.#lengths = {};
  }

  /** Scroll a list to its end if it has grown. @param {string} list  its selector @param {number} length */
  follow(list, length) {
    if (this.#lengths[list] === length) return;
    this.#lengths[list] = length;
    const element = this.view.querySelector(list);
    if (element) element.scrollTop = element.scrollHeight;
  }
}
