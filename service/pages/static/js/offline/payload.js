import { h } from "../base/dom.js";
import { t } from "../base/language.js";

/** The first words of a file with waiting items; `kifu import` also reads such files. */
const FILE_KIND = "outbox";
const PATH = /^\/v1\/(games|games\/[0-9a-f-]{36}\/events|clubs\/[0-9a-f-]{36}\/games)$/;

/**
 * A button that saves the items of the given outboxes to a file; hidden at first.
 *
 * @param {() => Outbox[]} outboxes
 */
export function saveButton(outboxes) {
  return h(
    "button",
    { type: "button", hidden: true, onclick: () => saveText(fileContent(outboxes())) },
    t("Save it as a file"),
  );
}

/**
 * The file content for the items of some outboxes.
 *
 * @param {{ name: string, items: () => Item[] }[]} outboxes
 */
export function fileContent(outboxes) {
  const items = outboxes.flatMap((outbox) =>
    outbox.items().map((item) => {
      const { key, path, body, label } = item;
      return { box: outbox.name, key, path, body, base: knownBase(item), label };
    }),
  );
  return JSON.stringify({ kifu: FILE_KIND, items }, null, 1);
}

/**
 * The version before an item. If others recorded entries that it was not compared with, the version before those.
 *
 * @param {Item} item
 */
function knownBase({ base, stale }) {
  const [first] = stale?.missed ?? [];
  return first ? first.version - 1 : base;
}

/** @param {string} text */
function saveText(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: `kifu-outbox-${new Date().toISOString().slice(0, 10)}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * The items of such a file by box; null for another file. It makes only games and entries, even from a stranger's file.
 * Throws an error with the reason for an invalid file.
 *
 * @param {string} text
 * @returns {Map<string, Item[]> | null}
 */
export function parseItems(text) {
  const { kifu, items } = parseOrNull(text) ?? {};
  if (kifu !== FILE_KIND || !Array.isArray(items)) return null;
  const boxes = new Map();
  items.forEach((item, index) => {
    const fits = typeof item?.key === "string" && PATH.test(item.path) && item.body && boxOf(item) === item.box;
    if (!fits) throw new Error(t("item {number} of the file is neither game nor entry", { number: index + 1 }));
    boxes.set(item.box, [...(boxes.get(item.box) ?? []), item]);
  });
  return boxes;
}

/** @param {Item} item */
function boxOf({ path, body }) {
  return path.endsWith("/events") ? path.split("/")[3] : body.id;
}

/**
 * @param {string} text
 * @returns {any}
 */
function parseOrNull(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
