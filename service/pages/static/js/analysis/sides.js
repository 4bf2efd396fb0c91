import { h } from "../base/dom.js";

/**
 * The seats that win together with a seat, and itself: a chance to win belongs to a team. Older results have no sides.
 *
 * @param {{ sides?: number[][] }} found
 * @param {number} seat
 */
export function sideOf({ sides = [] }, seat) {
  return sides.find((side) => side.includes(seat)) ?? [seat];
}

/**
 * Whether a seat is the first one of its side. So each side is shown once.
 *
 * @param {{ sides?: number[][] }} found
 * @param {number} seat
 */
export function standsForSide(found, seat) {
  return sideOf(found, seat)[0] === seat;
}

/**
 * The names of a seat and its partners.
 *
 * @param {{ sides?: number[][] }} found
 * @param {number} seat
 * @param {Words} words
 */
export function sideName(found, seat, words) {
  const side = sideOf(found, seat);
  return side.length > 1 ? h("span", {}, words.namesText(side)) : h("bdi", {}, words.name(seat));
}
