/**
 * A state, and the one way to change it. An action goes in, and `reduce` makes the next state. A new state fires `change`.
 * The views are drawn from the state.
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
