/** What can be pressed. */
export const KEYS = "button, a, summary";

/**
 * Whether a key stands for one that was there: the old one is gone, and the new one says and leads to the same.
 *
 * @param {Element} key
 * @param {Element | null} drawn
 */
export function isRedrawn(key, drawn) {
  return !key.isConnected && drawn?.outerHTML === key.outerHTML;
}

/** A press of a mouse. A browser sends no click if the key was drawn anew while the button was down. */
export class Press {
  /** @type {Element | null} */
  #key = null;
  #clicked = false;

  /** @param {Element | null} key what lies under the mouse when its button goes down */
  begin(key) {
    this.#key = key;
    this.#clicked = false;
  }

  /** The browser has sent a click. */
  click() {
    this.#clicked = true;
  }

  /**
   * The key that has the press and no click.
   *
   * @param {Element | null} drawn what lies under the mouse when its button has come up
   */
  end(drawn) {
    const key = this.#key;
    this.#key = null;
    return key && !this.#clicked && isRedrawn(key, drawn) ? drawn : null;
  }
}

/**
 * Let a key that is drawn anew under a mouse have its press. A finger needs no help: its click comes to what lies there.
 *
 * @param {(key: HTMLElement) => boolean} [isHeldUp] whether nobody meant the press
 */
export function keepPresses(isHeldUp = () => false) {
  const press = new Press();
  /** @param {any} event */
  const keyAt = ({ target }) => target.closest?.(KEYS) ?? null;
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
        if (key && !isHeldUp(key)) key.click();
      });
    },
    true,
  );
}
