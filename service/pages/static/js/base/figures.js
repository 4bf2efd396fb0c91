/** Figures of analyses, rounded as the service rounds them: `service/api/figures.py` is the same rule there. */

/** The decimal places that count. What is behind them comes from the arithmetic of the computer. */
const EXACT = 6;

/**
 * A figure to so many decimal places; halves go away from zero.
 *
 * @param {number} figure
 */
export function roundFigure(figure, digits = 0) {
  const step = 10 ** (EXACT - digits);
  const whole = Math.floor((Math.floor(Math.abs(figure) * 10 ** EXACT + 0.5) + step / 2) / step);
  return (whole && Math.sign(figure) * whole) / 10 ** digits;
}

/**
 * A share in whole parts of a hundred.
 *
 * @param {number} share
 */
export function wholePercent(share) {
  return roundFigure(100 * share);
}

/**
 * A chance in whole parts of a hundred: 0 and 100 are said of what is certain alone.
 *
 * @param {Chance} chance
 */
export function likelihood({ p, low, high }) {
  return low === high ? wholePercent(p) : Math.min(99, Math.max(1, wholePercent(p)));
}
