const SUM = /^[+-]?(\d+\.?\d*|\.\d+)([+-](\d+\.?\d*|\.\d+))*$/;
const TERMS = /[+-]?[\d.]+/g;
const PRECISION = 1000;

/**
 * The result of a typed sum like `10+15-8`, without a sign left at its end. Another text stays as it is.
 *
 * @param {string} text
 */
export function evaluateSum(text) {
  const plain = text
    .trim()
    .replace(/\s+/g, "")
    .replace(/[−–]/g, "-")
    .replace(/＋/g, "+")
    .replace(/,/g, ".")
    .replace(/(?<=\d\.?)[+-]+$/, "");
  if (!SUM.test(plain)) return text.trim();
  const sum = (plain.match(TERMS) ?? []).reduce((total, term) => total + Math.round(Number(term) * PRECISION), 0);
  return String(sum / PRECISION);
}
