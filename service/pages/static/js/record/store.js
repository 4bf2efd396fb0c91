/**
 * What is known, and the one way in which it changes: an action goes in, `reduce` makes the next state of it, and
 * `change` is told where that is another one. What is shown is drawn from the state.
 *
 * @template State
 * @template Action
 */
export class Store extends EventTarget {
  #state;
  #reduce;

  /**
   * @param {(state: State, action: Action) => State} reduce a pure function
   * @param {State} state the first one
   */
  constructor(reduce, state) {
    super();
    this.#reduce = reduce;
    this.#state = state;
  }

  get state() {
    return this.#state;
  }

  /** @param {Action} action */
  send(action) {
    const next = this.#reduce(this.#state, action);
    if (next === this.#state) return;
    this.#state = next;
    this.dispatchEvent(new Event("change"));
  }
}
