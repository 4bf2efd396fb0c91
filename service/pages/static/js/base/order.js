/**
 * Compare two ranks for `sort`: lists of numbers and booleans. The first difference decides.
 *
 * @param {(number | boolean)[]} one
 * @param {(number | boolean)[]} other
 */
export function compareRanks(one, other) {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : Number(one[at]) - Number(other[at]);
}
