const REACH = [0, 5, 10, 15, 20];
const DIRECTIONS = Array.from({ length: 8 }, (_, turn) => [
  Math.cos((turn * Math.PI) / 4),
  Math.sin((turn * Math.PI) / 4),
]);

const FRAME = `
  svg { display: block; width: 100%; height: auto; max-height: var(--board-height, none); }
  .touched { filter: drop-shadow(0 0 6px #ffd54a) drop-shadow(0 0 2px #ffd54a); }
  :host([data-tappable]) [data-at] { cursor: pointer; }
`;

/**
 * The board: the ruleset's picture in a shadow tree of its own, so that its ids do not meet the page's.
 *
 * Places that carry `data-at`, in the words of the effects, are marked when the entry shown touched them, and a tap on
 * or near one is told to `onplace`.
 */
export class Board {
  #root;

  constructor(element, onplace) {
    this.element = element;
    this.#root = element.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(FRAME);
    this.#root.adoptedStyleSheets = [style];
    element.toggleAttribute("data-tappable", Boolean(onplace));
    if (onplace) {
      this.#root.addEventListener("click", (event) => {
        const place = this.#placeNear(event.clientX, event.clientY);
        if (place) onplace(place);
      });
    }
  }

  /** Show a picture (an SVG document) in which the places in `touched` have just changed, with names by seat. */
  show(picture, touched, name) {
    const svg = document.importNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement, true);
    svg.querySelectorAll("script, foreignObject").forEach((part) => part.remove());
    for (const place of svg.querySelectorAll("[data-at]")) {
      if (touched.has(place.dataset.at)) place.classList.add("touched");
    }
    svg.setAttribute("role", "img");
    this.#root.replaceChildren(svg);
    for (const place of svg.querySelectorAll("[data-seat]")) write(place, name(Number(place.dataset.seat)));
    this.element.setAttribute("aria-busy", "false");
  }

  /** Say why there is no picture. */
  miss(why) {
    this.#root.replaceChildren(why);
    this.element.setAttribute("aria-busy", "false");
  }

  /** The place at a point, or the nearest one within a thumb's reach of it. */
  #placeNear(x, y) {
    for (const reach of REACH) {
      for (const [right, down] of DIRECTIONS) {
        const place = this.#root.elementFromPoint(x + reach * right, y + reach * down)?.closest("[data-at]");
        if (place) return place.dataset.at;
      }
    }
    return null;
  }
}

/** Write a name where a seat's number stands, or as much of it as there is room for. */
function write({ dataset, firstElementChild: text }, name) {
  const letters = [...name];
  text.textContent = name;
  while (letters.length > 1 && text.getComputedTextLength() > Number(dataset.room)) {
    letters.pop();
    text.textContent = `${letters.join("").trimEnd()}…`;
  }
}
