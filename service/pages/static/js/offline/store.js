import { withTimeout, requestResult } from "../base/indexed-db.js";
import { t } from "../base/language.js";
import { sortItems } from "./items.js";

/**
 * The IndexedDB table for waiting items of all games. Each game has its own box. Each change of a box is one
 * transaction: all of it is stored, or nothing. This also holds if another tab changes the same box, or the phone turns
 * off.
 */
const TABLE = "waiting";
/** Keys of an earlier release in the browser's other storage, one per item. */
const OLD = /^kifu:(opening|[0-9a-f-]{36}):[0-9a-f-]{36}$/;

let connection = null;
/**
 * How long an entry waits for the table, and then for its transaction, in ms. Some browsers never open it, or never end
 * a transaction. What comes later does not wait to open it, and waits `AGAIN` for a transaction.
 */
const PATIENCE = 3000;
const AGAIN = 500;
let late = false;

/**
 * Change the items of a box with `work`. Returns the new items.
 *
 * @param {string} box
 * @param {(items: Item[]) => Item[]} work
 * @returns {Promise<Item[]>}
 */
export async function changeItems(box, work) {
  const database = await openDatabase();
  const transaction = database.transaction(TABLE, "readwrite", { durability: "strict" });
  const changed = new Promise((resolve, reject) => {
    const table = transaction.objectStore(TABLE);
    const reading = table.index("box").getAll(box);
    /** @type {Item[]} */
    let after = [];
    reading.onsuccess = () => {
      const before = sortItems(reading.result);
      after = work(before);
      const left = new Set(after.map(({ key }) => key));
      for (const { key } of before) if (!left.has(key)) table.delete(key);
      for (const item of after) if (!before.includes(item)) table.put({ ...item, box });
    };
    transaction.oncomplete = () => resolve(after);
    transaction.onabort = () => reject(transaction.error ?? new Error(t("nothing could be kept")));
  });
  return transactionResult(changed, transaction);
}

/** All boxes with items, each with its items in order. */
export async function readBoxes() {
  const database = await openDatabase();
  const transaction = database.transaction(TABLE);
  const items = await transactionResult(requestResult(transaction.objectStore(TABLE).getAll()), transaction);
  const found = new Map();
  for (const item of sortItems(items)) found.set(item.box, [...(found.get(item.box) ?? []), item]);
  return found;
}

async function openDatabase() {
  connection ??= connect().catch((error) => {
    connection = null;
    throw error;
  });
  return withTimeout(connection, late ? 0 : PATIENCE, lateError);
}

/**
 * The result of a transaction. One that does not end is given up, so that it stores nothing later.
 *
 * @template Result
 * @param {Promise<Result>} result
 * @param {IDBTransaction} transaction
 */
async function transactionResult(result, transaction) {
  try {
    const found = await withTimeout(result, late ? AGAIN : PATIENCE, lateError);
    late = false;
    return found;
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      // it has ended
    }
    throw error;
  }
}

/** The error for what takes too long: from now on, each wait is shorter. */
function lateError() {
  late = true;
  return new Error(t("nothing could be kept"));
}

async function connect() {
  const opening = indexedDB.open("kifu", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE, { keyPath: "key" }).createIndex("box", "box");
  const database = await requestResult(opening);
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
