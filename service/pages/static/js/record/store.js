/**
 * A state that changes only through actions: `reduce` makes the next state from an action. A new state fires `change`
 * with the state before it. Views are drawn from both, and keep nothing.
 *
 * @template State
 * @template Action
 */
export class Store extends EventTarget {
  #state;
  #reduce;

  /**
   * @param {(state: State, action: Action) => State} reduce a pure function
   * @param {State} state the first state
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
  dispatch(action) {
    const next = this.#reduce(this.#state, action);
    const before = this.#state;
    if (next === before) return;
    this.#state = next;
    this.dispatchEvent(new CustomEvent("change", { detail: before }));
  }
}
