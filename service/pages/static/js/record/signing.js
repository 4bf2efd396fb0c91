import { get, post } from "../base/api.js";
import { h } from "../base/dom.js";
import { FormDialog, labelledField } from "../base/formdialog.js";
import { DeviceError, withTimeout, requestResult } from "../base/indexed-db.js";
import { translated, t } from "../base/language.js";
import { uuid7 } from "../base/uuid.js";
import { scoreText } from "../base/words.js";

/** @type {Record<string, string>} */
const NAMES = { Ed25519: "ed25519", "P-256": "p256" };

/** How long to wait for the key of this device, in ms. */
const PATIENCE = 5000;

/** Whether this page can sign: browsers offer keys only with TLS or on localhost. */
export const canSign = () => Boolean(globalThis.crypto?.subtle && globalThis.indexedDB);

/** A dialog that signs the current record, with a key that was made on this device and never leaves it. */
export class SignDialog {
  #version = 0;
  /**
   * The entry of each seat that was made since the dialog was opened: after a lost answer it is sent again as it was.
   *
   * @type {Map<string, Sent>}
   */
  #made = new Map();

  /**
   * @param {GameRecord} record
   * @param {Words} words
   * @param {Permit} permit
   */
  constructor(record, words, permit) {
    this.record = record;
    this.words = words;
    this.permit = permit;
    this.frame = new FormDialog("sign", () => this.#submit());
    this.seat = h("select", {});
  }

  ask() {
    const { record, words, permit } = this;
    this.#version = record.head;
    this.#made.clear();
    this.seat.replaceChildren(
      ...words.seats
        .filter(({ seat }) => permit.mayPlay(seat))
        .map(({ seat, label }) => h("option", { value: seat }, `${translated(label)}: ${words.name(seat)}`)),
      ...(permit.seats ? [] : [h("option", { value: "" }, t("as one who watched"))]),
    );
    this.frame.open({
      title: t("Sign the record"),
      lead: [
        t("You sign everything up to entry {version}, with the score {score}.", {
          version: this.#version,
          score: scoreText(record.facts.scores),
        }),
        " ",
        t("The key was made on this device and stays here. What is corrected later is shown beside your signature."),
      ],
      fields: [labelledField(t("Who signs"), this.seat)],
      verb: t("Sign"),
    });
  }

  async #submit() {
    if (await this.frame.send(() => this.#sign(), this.words)) await this.record.refresh().catch(() => {});
  }

  async #sign() {
    const { value } = this.seat;
    const event = this.#made.get(value) ?? (await this.#newEvent(value === "" ? null : Number(value)));
    this.#made.set(value, event);
    await post(`${this.record.path}/events`, { events: [event] }, { base: this.#version });
  }

  /**
   * @param {number | null} seat
   * @returns {Promise<Sent>}
   */
  async #newEvent(seat) {
    const { record } = this;
    const version = this.#version;
    const { hash } = (await get(`${record.path}/state?at=${version}`)).body;
    const signed = await signature(record.game, version, hash, seat);
    return { id: uuid7(), type: "record.signed", data: { version, hash, ...(seat != null && { seat }), ...signed } };
  }
}

/**
 * Sign a head with this device's key: `{algorithm, key, signature}`.
 *
 * @param {string} game
 * @param {number} version
 * @param {string} hash
 * @param {number | null} seat
 */
async function signature(game, version, hash, seat) {
  const statement = `kifu record\ngame ${game}\nversion ${version}\nhash ${hash}\nseat ${seat ?? "-"}\n`;
  const { publicKey, privateKey } = await deviceKeys();
  const { name, namedCurve } = /** @type {EcKeyAlgorithm} */ (publicKey.algorithm);
  const signed = await crypto.subtle.sign({ name, hash: "SHA-256" }, privateKey, new TextEncoder().encode(statement));
  return {
    algorithm: NAMES[namedCurve ?? name],
    key: base64(await crypto.subtle.exportKey("raw", publicKey)),
    signature: base64(signed),
  };
}

/** @param {ArrayBuffer} buffer */
function base64(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)));
}

/**
 * This device's keys, created on first use. The private key can be used, but not read. Throws a `DeviceError` if the
 * browser keeps none, as in some private windows.
 *
 * @returns {Promise<CryptoKeyPair>}
 */
async function deviceKeys() {
  const unkept = () => new DeviceError(t("This browser keeps no key on this device. Sign with another browser."));
  return withTimeout(
    keptKeys().catch(() => Promise.reject(unkept())),
    PATIENCE,
    unkept,
  );
}

async function keptKeys() {
  const opening = indexedDB.open("kifu-keys", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
  const database = await requestResult(opening);
  try {
    const found = await requestResult(database.transaction("keys").objectStore("keys").get("device"));
    if (found) return found;
    const made = await makeKeys();
    await requestResult(database.transaction("keys", "readwrite").objectStore("keys").put(made, "device"));
    return made;
  } finally {
    database.close();
  }
}

async function makeKeys() {
  try {
    return await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
  } catch {
    return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  }
}
