import { t } from "../base/language.js";

/** The recording settings of this device, stored only here. */
const NAME = "kifu.recording";

/** Each setting with its labels for on and off; all are on at first. */
const SWITCHES = {
  confirm: {
    on: t("Confirm each move: on"),
    off: t("Confirm each move: off"),
    hint: t("see what follows, then record; dice, and keys with ✓, are recorded at once"),
  },
  awake: { on: t("Keep the screen on: on"), off: t("Keep the screen on: off"), hint: t("while a game is recorded") },
  vibrate: {
    on: t("Vibrate when stored: on"),
    off: t("Vibrate when stored: off"),
    hint: t("briefly, where the device can"),
  },
};

/** @returns {Record<string, boolean>} */
function readSettings() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "null") ?? {};
  } catch {
    return {};
  }
}

class Settings extends EventTarget {
  get asksConfirmation() {
    return this.#isOn("confirm");
  }

  get keepsScreenOn() {
    return this.#isOn("awake");
  }

  get vibrates() {
    return this.#isOn("vibrate");
  }

  /** The switches as actions of a menu. */
  actions() {
    return Object.entries(SWITCHES).map(([name, { on, off, hint }]) => ({
      text: this.#isOn(name) ? on : off,
      hint,
      act: () => this.#toggle(name),
    }));
  }

  /** @param {string} name */
  #isOn(name) {
    return readSettings()[name] ?? true;
  }

  /** @param {string} name */
  #toggle(name) {
    localStorage.setItem(NAME, JSON.stringify({ ...readSettings(), [name]: !this.#isOn(name) }));
    this.dispatchEvent(new Event("change"));
  }
}

export const settings = new Settings();

/**
 * Keep the screen on while somebody records. The lock must be renewed after the page was hidden.
 *
 * @param {GameRecord} record
 */
export function keepScreenOn(record) {
  /** @type {WakeLockSentinel | null | undefined} */
  let lock = null;
  let work = Promise.resolve();
  const change = async () => {
    const wanted = settings.keepsScreenOn && !record.closed && document.visibilityState === "visible";
    if (!wanted) await lock?.release();
    if (!wanted || !lock || lock.released)
      lock = wanted ? await navigator.wakeLock?.request("screen").catch(() => null) : null;
  };
  const renew = () => (work = work.then(change).catch(() => {})); // in turn: only the last lock can be released
  document.addEventListener("visibilitychange", renew);
  settings.addEventListener("change", renew);
  record.addEventListener("entries", renew);
}

/**
 * Vibrate when an entry is stored. Browsers refuse this before the first touch of the page.
 *
 * @param {Sync} sync
 */
export function vibrateWhenStored(sync) {
  const touched = () => navigator.userActivation?.hasBeenActive ?? true;
  sync.addEventListener("delivered", () => settings.vibrates && touched() && navigator.vibrate?.(10));
}
