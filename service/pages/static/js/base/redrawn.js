/** The selector for everything that can be pressed. */
export const KEY_SELECTOR = "button, a, summary";

/**
 * Whether a key replaces a removed one: it has the same text and the same target.
 *
 * @param {Element} key
 * @param {Element | null} drawn
 */
export function isRedrawn(key, drawn) {
  return !key.isConnected && drawn?.outerHTML === key.outerHTML;
}

/** A press of a mouse. A browser sends no click if the key was redrawn while the button was down. */
export class Press {
  /** @type {Element | null} */
  #key = null;
  #clicked = false;

  /** @param {Element | null} key the element under the mouse when its button goes down */
  begin(key) {
    this.#key = key;
    this.#clicked = false;
  }

  /** The browser has sent a click. */
  click() {
    this.#clicked = true;
  }

  /**
   * The key that was pressed without a click.
   *
   * @param {Element | null} drawn the element under the mouse when its button comes up
   */
  end(drawn) {
    const key = this.#key;
    this.#key = null;
    return key && !this.#clicked && isRedrawn(key, drawn) ? drawn : null;
  }
}

/**
 * Click a key that was redrawn during a mouse press. A finger needs no help: its click goes to the new key.
 *
 * @param {(key: HTMLElement) => boolean} [isUnintended] whether the press is unintended
 */
export function keepPresses(isUnintended = () => false) {
  const press = new Press();
  /** @param {any} event */
  const keyAt = ({ target }) => target.closest?.(KEY_SELECTOR) ?? null;
  addEventListener(
    "pointerdown",
    (event) => press.begin(event.pointerType === "mouse" && !event.button ? keyAt(event) : null),
    true,
  );
  addEventListener("click", (event) => keyAt(event) && press.click(), true);
  addEventListener(
    "pointerup",
    (event) => {
      const drawn = keyAt(event);
      setTimeout(() => {
        const key = /** @type {HTMLElement | null} */ (press.end(drawn));
        if (key && !isUnintended(key)) key.click();
      });
    },
    true,
  );
}
