/** What waits to be sent, as a list: each change makes another list, in which every item follows upon the one before. */

/**
 * A list with an item at its end. Its `base` counts only if nothing else waits to be stored before it.
 *
 * @param {Item[]} items
 * @param {{ key: string, path: string, body: SentBody, base?: number | null, label: string, told?: Recorded }} item
 * @returns {Item[]}
 */
export function added(items, { base = null, ...item }) {
  const before = items.at(-1);
  const follows = before && base !== null ? (before.base ?? 0) + 1 : base;
  return [...items, { ...item, place: before ? before.place + 1 : 0, base: follows }];
}

/**
 * A list with the items of another device at its end, but for those that are here already.
 *
 * @param {Item[]} items
 * @param {Item[]} others
 * @returns {Item[]}
 */
export function taken(items, others) {
  const known = new Set(items.map(({ key }) => key));
  const fresh = others.filter(({ key }) => !known.has(key));
  const next = (items.at(-1)?.place ?? -1) + 1;
  return [...items, ...fresh.map((item, index) => ({ ...item, place: next + index }))];
}

/**
 * A list with other parts in an item.
 *
 * @param {Item[]} items
 * @param {string} key
 * @param {Partial<Item>} parts
 * @returns {Item[]}
 */
export function altered(items, key, parts) {
  return items.map((item) => (item.key === key ? { ...item, ...parts } : item));
}

/**
 * A list that follows upon version `base`, with nothing refused.
 *
 * @param {Item[]} items
 * @param {number} base
 * @returns {Item[]}
 */
export function rebased(items, base) {
  return items.map((item, index) => ({ ...item, base: base + index, problem: undefined }));
}

/**
 * A list without an item that was stored.
 *
 * @param {Item[]} items
 * @param {string} key
 */
export function removed(items, key) {
  return items.filter((item) => item.key !== key);
}

/**
 * A list without an item that shall not be stored; those after it move up.
 *
 * @param {Item[]} items
 * @param {string} key
 * @returns {Item[]}
 */
export function dropped(items, key) {
  const at = items.findIndex((item) => item.key === key);
  if (at < 0) return items;
  const later = items.slice(at + 1).map((item) => (item.base == null ? item : { ...item, base: item.base - 1 }));
  return [...items.slice(0, at), ...later];
}

/**
 * Items in the order in which they were entered. The device's clock does not matter.
 *
 * @param {Item[]} items
 */
export function ordered(items) {
  return items.toSorted((one, other) => one.place - other.place || (one.key < other.key ? -1 : 1));
}
