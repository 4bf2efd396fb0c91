/** @type {Record<string, number>} */
const ALONG = { ArrowLeft: -1, ArrowRight: 1 };
/** @type {Record<string, number>} */
const ACROSS = { ArrowUp: -1, ArrowDown: 1 };
/** @type {Record<string, number>} */
const ENDS = { Home: 0, End: -1 };

/**
 * Make the buttons of a group one stop of the Tab key. Arrow keys move in it, up and down by rows. Home and End move
 * to the first and last button. `onleave` is called for up in the first row.
 *
 * Returns a function to call when the buttons have changed, with the button that is the stop.
 *
 * @param {HTMLElement} group
 * @param {() => void} onleave
 */
export function rovingTabindex(group, onleave = () => {}) {
  const all = () => [...group.querySelectorAll("button")];
  /** @param {HTMLButtonElement} stop */
  const setStop = (stop = all().find(({ hidden }) => !hidden)) => {
    for (const button of all()) button.tabIndex = button === stop ? 0 : -1;
  };
  /** @param {{ target: any }} event */
  const follow = ({ target }) => target.matches("button") && setStop(target);
  group.addEventListener("focusin", follow);
  group.addEventListener("click", follow);
  group.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { key, target } = event;
    if (!(key in ALONG || key in ACROSS || key in ENDS)) return;
    event.preventDefault();
    event.stopPropagation(); // the page steps through the record with the same keys
    const buttons = all().filter((button) => button.checkVisibility());
    const next =
      key in ENDS
        ? buttons.at(ENDS[key])
        : key in ALONG
          ? buttons[buttons.indexOf(target) + ALONG[key]]
          : nearestInRow(buttons, target, ACROSS[key]);
    if (next) next.focus();
    else if (key === "ArrowUp") onleave();
  });
  setStop();
  return setStop;
}

/**
 * The nearest button in the next row, above or below.
 *
 * @param {HTMLButtonElement[]} buttons
 * @param {HTMLElement} from
 * @param {number} way
 */
function nearestInRow(buttons, from, way) {
  const here = from.getBoundingClientRect();
  /** @param {DOMRect} box */
  const distance = (box) => Math.abs(box.top - here.top) * 1000 + Math.abs(box.left - here.left);
  return buttons
    .map((button) => ({ button, box: button.getBoundingClientRect() }))
    .filter(({ box }) => (way > 0 ? box.top >= here.bottom - 1 : box.bottom <= here.top + 1))
    .sort((one, other) => distance(one.box) - distance(other.box))[0]?.button;
}
