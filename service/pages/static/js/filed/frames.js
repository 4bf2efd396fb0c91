/**
 * Unpack the picture after each entry from the changes between pictures. An inserted part is 0 if it is the next one
 * that no picture had before, else the distance back from that one.
 *
 * @param {string[]} parts
 * @param {[number, number, number[]][][]} frames
 */
export function unpacked(parts, frames) {
  /** @type {number[]} */
  let picture = [];
  let known = 0;
  return frames.map((changes) => {
    /** @type {number[]} */
    const after = [];
    let at = 0;
    for (const [kept, gone, inserted] of changes) {
      after.push(...picture.slice(at, at + kept), ...inserted.map((back) => (back ? known - back : known++)));
      at += kept + gone;
    }
    picture = [...after, ...picture.slice(at)];
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
