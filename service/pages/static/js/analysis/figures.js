/** Figures of analyses as text. `base/figures.js` has those that stories need, too. */

import { roundFigure, wholePercent } from "../base/figures.js";
import { region } from "../base/language.js";

const TENTHS = new Intl.NumberFormat(region, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * Odds in percent. What is rarer than 1 of 100, and what is nearly sure, has a decimal place.
 *
 * @param {number} share
 */
export function oddsText(share) {
  const isUsual = share >= 0.01 && share <= 0.99;
  return `${isUsual ? wholePercent(share) : oneDecimal(Math.min(99.9, Math.max(0.1, 100 * share)))} %`;
}

/** By how much the sum of shares of a whole can be off, as each was rounded before. */
const SHARES_OFF = 0.001;

/**
 * Shares of a whole in parts of a hundred: rounded, they are 100 together, as they were before.
 *
 * @param {number[]} shares
 */
export function partsOfHundred(shares) {
  /** @param {number[]} figures */
  const sum = (figures) => figures.reduce((all, each) => all + each, 0);
  const found = shares.map(wholePercent);
  while (Math.abs(sum(shares) - 1) < SHARES_OFF && sum(found) !== 100) {
    const step = sum(found) < 100 ? 1 : -1;
    const gaps = shares.map((share, at) => roundFigure(step * (100 * share - found[at]), 2));
    found[gaps.indexOf(Math.max(...gaps))] += step;
  }
  return found;
}

/**
 * A margin in whole points of a hundred: 0 is said only where there is none.
 *
 * @param {number} share
 */
export function marginText(share) {
  return String(share ? Math.max(1, wholePercent(share)) : 0);
}

/**
 * A figure with one decimal place, as the reader's language writes it.
 *
 * @param {number} figure
 */
export function oneDecimal(figure) {
  return TENTHS.format(roundFigure(figure, 1));
}
