/**
 * Unpack the picture after each entry from the changes between pictures.
 *
 * @param {string[]} parts
 * @param {[number, number, number[]][][]} frames
 */
export function unpacked(parts, frames) {
  /** @type {number[]} */
  let picture = [];
  return frames.map((changes) => {
    picture = changed(picture, changes);
    return picture.map((number) => parts[number]).join("");
  });
}

/**
 * @param {number[]} before
 * @param {[number, number, number[]][]} changes
 */
function changed(before, changes) {
  /** @type {number[]} */
  const after = [];
  let at = 0;
  for (const [place, gone, come] of changes) {
    after.push(...before.slice(at, place), ...come);
    at = place + gone;
  }
  return [...after, ...before.slice(at)];
}
