const SUM = /^[+-]?(\d+\.?\d*|\.\d+)([+-](\d+\.?\d*|\.\d+))*$/;
const TERMS = /[+-]?[\d.]+/g;
const FINEST = 1000;

/**
 * What a sum like `10+15-8` comes to, as one types it; the text as it is if it is no sum, without a sign left at its end.
 *
 * @param {string} text
 */
export function summed(text) {
  const plain = text
    .trim()
    .replace(/\s+/g, "")
    .replace(/[−–]/g, "-")
    .replace(/＋/g, "+")
    .replace(/,/g, ".")
    .replace(/(?<=\d\.?)[+-]+$/, "");
  if (!SUM.test(plain)) return text.trim();
  const sum = (plain.match(TERMS) ?? []).reduce((total, term) => total + Math.round(Number(term) * FINEST), 0);
  return String(sum / FINEST);
}
