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
    return withHeights(picture.map((number) => parts[number]).join(""));
  });
}

/**
 * The picture with its heights: each is stored as the distance from the one before.
 *
 * @param {string} picture
 */
function withHeights(picture) {
  let height = 0;
  return picture.replace(/ y="<(-?\d+)"/g, (_, distance) => {
    height += Number(distance);
    return ` y="${height}"`;
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
