import { t } from "../base/language.js";
import { ordered } from "./items.js";

/**
 * The IndexedDB table for waiting items of all games. Each game has its own box. Each change of a box is one
 * transaction: all of it is stored, or nothing. This also holds if another tab changes the same box, or the phone turns
 * off.
 */
const TABLE = "waiting";
/** Keys of an earlier release in the browser's other storage, one per item. */
const OLD = /^kifu:(opening|[0-9a-f-]{36}):[0-9a-f-]{36}$/;

let connection = null;
/** How long an entry waits for the table, in ms. Some browsers never open it. What comes later waits no more. */
const PATIENCE = 3000;
let patience = PATIENCE;

/**
 * Change the items of a box with `work`. Returns the new items.
 *
 * @param {string} box
 * @param {(items: Item[]) => Item[]} work
 * @returns {Promise<Item[]>}
 */
export async function change(box, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLE, "readwrite", { durability: "strict" });
    const table = transaction.objectStore(TABLE);
    const reading = table.index("box").getAll(box);
    /** @type {Item[]} */
    let after = [];
    reading.onsuccess = () => {
      const before = ordered(reading.result);
      after = work(before);
      const left = new Set(after.map(({ key }) => key));
      for (const { key } of before) if (!left.has(key)) table.delete(key);
      for (const item of after) if (!before.includes(item)) table.put({ ...item, box });
    };
    transaction.oncomplete = () => resolve(after);
    transaction.onabort = () => reject(transaction.error ?? new Error(t("nothing could be kept")));
  });
}

/** All boxes with items, each with its items in order. */
export async function boxes() {
  const database = await open();
  const reading = database.transaction(TABLE).objectStore(TABLE).getAll();
  await new Promise((resolve, reject) => {
    reading.onsuccess = resolve;
    reading.onerror = () => reject(reading.error);
  });
  const found = new Map();
  for (const item of ordered(reading.result)) found.set(item.box, [...(found.get(item.box) ?? []), item]);
  return found;
}

async function open() {
  connection ??= connect().catch((error) => {
    connection = null;
    throw error;
  });
  let timer = 0;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      patience = 0;
      reject(new Error(t("nothing could be kept")));
    }, patience);
  });
  const database = await Promise.race([connection, late]).finally(() => clearTimeout(timer));
  patience = PATIENCE;
  return database;
}

async function connect() {
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("kifu", 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(TABLE, { keyPath: "key" }).createIndex("box", "box");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const over = () => (connection = null);
  database.onclose = over;
  database.onversionchange = () => {
    over();
    database.close();
  };
  await moveOldItems(database);
  return database;
}

/**
 * Move items of an earlier release here. They are deleted there only after that; sent twice, they are stored once.
 *
 * @param {IDBDatabase} database
 */
async function moveOldItems(database) {
  const names = oldNames();
  if (!names.length) return;
  const transaction = database.transaction(TABLE, "readwrite", { durability: "strict" });
  names.forEach((name, place) => {
    const item = JSON.parse(localStorage[name]);
    const box = name.startsWith("kifu:opening:") ? item.body.id : name.split(":")[1];
    transaction.objectStore(TABLE).put({ ...item, box, place: place - names.length }); // before all later items
  });
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  for (const name of names) localStorage.removeItem(name);
}

function oldNames() {
  try {
    return Object.keys(localStorage)
      .filter((name) => OLD.test(name))
      .toSorted((one, other) => (one < other ? -1 : 1));
  } catch {
    return []; // the browser forbids it: nothing can be stored there
  }
}
