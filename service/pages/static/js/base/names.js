/** Names of people that are cut where there is little room for them. */
import { h } from "./dom.js";

/**
 * The name in each place that was looked at, and the width that it had.
 *
 * @type {WeakMap<HTMLElement, string>}
 */
const seen = new WeakMap();

/**
 * A name, cut to what fits. Where another name begins in the same way, its end stays, too: "Pl…2" and "Pl…12" for two
 * players by number.
 *
 * @param {string} name
 * @param {string[]} others
 * @param {(name: string) => boolean} fits
 */
export function shortName(name, others, fits) {
  if (fits(name)) return name;
  const letters = [...name];
  const heads = letters.slice(1).map((_, cut) => letters.slice(0, letters.length - 1 - cut).join(""));
  const head = (heads.find((each) => fits(`${each.trimEnd()}…`)) ?? letters[0]).trimEnd();
  const rivals = others.filter((other) => other !== name && other.startsWith(head));
  if (!rivals.length) return `${head}…`;
  const number = /\d*$/.exec(name)?.[0].length ?? 0;
  const ends = letters
    .slice(1)
    .map((_, cut) => letters.slice(-1 - cut).join(""))
    .slice(Math.max(0, number - 1));
  const end = ends.find((each) => !rivals.some((rival) => rival.endsWith(each))) ?? "";
  const both = heads.map((each) => `${each.trimEnd()}…${end.trimStart()}`);
  return both.slice([...end].length).find(fits) ?? `${letters[0]}…${end.trimStart()}`;
}

/**
 * Cut names in their places as `shortName` does, before the next frame is painted. The middle of a name stays in the
 * page for screen readers and for a search. Names that differ at their beginning are left to the style sheet.
 *
 * @param {Iterable<HTMLElement>} places elements that hide what they have no room for
 */
export function cutNames(places) {
  const all = [...places];
  const names = all.map(({ textContent }) => textContent ?? "");
  const alike = all.filter((_, at) => names.some((other) => other !== names[at] && other[0] === names[at][0]));
  if (!alike.length) return;
  globalThis.requestAnimationFrame?.(() => {
    for (const place of alike) cutIn(place, names);
  });
}

/**
 * @param {HTMLElement} place
 * @param {string[]} names
 */
function cutIn(place, names) {
  const name = place.textContent ?? "";
  if (seen.get(place) === stateOf(place)) return;
  const short = shortName(name, names, (text) => {
    place.textContent = text;
    return place.scrollWidth <= place.clientWidth && place.scrollHeight <= place.clientHeight;
  });
  const [head, end] = [short.slice(0, short.lastIndexOf("…")), short.slice(short.lastIndexOf("…") + 1)];
  const middle = h("span", { class: "middle" }, h("span", {}, name.slice(head.length, -end.length)));
  place.replaceChildren(...(end && short !== name ? [head, middle, end] : [name]));
  seen.set(place, stateOf(place));
}

/** @param {HTMLElement} place */
function stateOf({ clientWidth, textContent }) {
  return `${clientWidth} ${textContent}`;
}
