import { storage } from "../base/storage.js";

/** The prefix of choices in the browser's storage, followed by the id of their review. */
const PREFIX = "kifu.slips.";

/**
 * The chosen moves at the slips of reviews, by entry. They stay until this tab is closed, also after a reload. Each
 * review has its own: a review is of one version of a game, from one viewpoint.
 */
export class SlipChoices {
  constructor(store = storage("sessionStorage")) {
    this.store = store;
  }

  /**
   * The chosen moves of a review.
   *
   * @param {string} review
   * @returns {Map<number, string>}
   */
  of(review) {
    try {
      return new Map(JSON.parse(this.store[PREFIX + review] ?? "[]"));
    } catch {
      return new Map(); // nothing that this page has stored
    }
  }

  /**
   * Keep the chosen move at an entry.
   *
   * @param {string} review
   * @param {number} version
   * @param {string} move
   */
  put(review, version, move) {
    this.store[PREFIX + review] = JSON.stringify([...this.of(review).set(version, move)]);
  }

  /**
   * Erase all choices of a review.
   *
   * @param {string} review
   */
  erase(review) {
    delete this.store[PREFIX + review];
  }
}
