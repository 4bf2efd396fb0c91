import { serviceTime } from "../base/api.js";
import { copyField } from "../base/copying.js";
import { h, hint } from "../base/dom.js";
import { FormDialog } from "../base/formdialog.js";
import { t, tn } from "../base/language.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The service's times are in whole seconds. */
const ROUNDED = SECOND;

/** A dialog with an invitation for another phone: its QR code, its short code, and its remaining time. */
export class InvitationDialog {
  /**
   * `base` is the address of this service for phones.
   *
   * @param {string} base
   */
  constructor(base) {
    this.base = base;
    this.frame = new FormDialog("invitation", () => this.frame.close());
  }

  /**
   * Show it. `path` is the path of its link, known only right after it was created.
   *
   * @param {Schemas["InvitationInfo"]} invitation
   * @param {{ title: string, lead?: Child, path?: string }} shown
   */
  show({ code, ends_at: ends }, { title, lead, path }) {
    this.frame.open({
      title,
      lead,
      fields: [
        ...(code
          ? [
              h("img", { class: "qr", alt: t("The address to join at as a QR code"), src: `/join/${code}.svg` }),
              h("p", { class: "code" }, code),
              hint(t("Scan it, or type the code at {address}", { address: h("b", {}, `${this.base}/join`) })),
            ]
          : [hint(t("The service was restarted since, so its code is not known any more. Its link still opens."))]),
        ...(path ? [copyField(t("The link of the invitation"), `${this.base}${path}`)] : []),
        h("p", { class: "hint" }, countdown(ends), " ", t("It lets one phone in.")),
      ],
      verb: t("Done"),
      leave: t("Close"),
    });
    this.frame.leave.hidden = true;
  }
}

/**
 * An element with the remaining time, updated while it is on the page.
 *
 * @param {string} ends
 */
export function countdown(ends) {
  const element = h("span", {}, timeLeft(ends));
  const wait = () => {
    const pause = msUntilChange(Date.parse(ends) - serviceTime());
    if (pause) setTimeout(tick, pause);
  };
  const tick = () => {
    if (!element.isConnected) return;
    element.textContent = timeLeft(ends);
    wait();
  };
  wait();
  return element;
}

/**
 * Milliseconds until the text for a remaining time changes; 0 after its end.
 *
 * @param {number} left
 */
export function msUntilChange(left) {
  if (left <= 0) return 0;
  return left > MINUTE + ROUNDED ? (left - ROUNDED) % MINUTE || MINUTE : left;
}

/**
 * The remaining time, as a sentence.
 *
 * @param {string} ends
 */
export function timeLeft(ends) {
  const left = Date.parse(ends) - serviceTime();
  if (left <= 0) return t("It has expired.");
  const minutes = Math.ceil((left - ROUNDED) / MINUTE);
  if (minutes <= 1) return t("Less than a minute is left.");
  return tn(minutes, "{count} minute is left.", "{count} minutes are left.");
}
