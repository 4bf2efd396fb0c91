import { h } from "../base/dom.js";
import { t } from "../base/language.js";

/** Common reasons for an irregular move. */
export const WHY_IT_STANDS = () => [
  t("seen too late"),
  t("agreed by both"),
  t("agreed by all"),
  t("a slip of the hand"),
  t("we play it that way"),
];

/** Common reasons for a ruling. */
export const WHY_IT_IS_RULED = () => [
  t("agreed by all"),
  t("the referee decided"),
  t("time ran out"),
  t("a mistake is put right"),
];

/**
 * Reasons to tap beside a field for any other one. `onpick` is called after a tap.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string[]} all
 * @param {() => void} onpick
 */
export function reasonKeys(field, all, onpick = () => {}) {
  /** @param {string} text */
  const pick = (text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    onpick();
  };
  return h(
    "div",
    { class: "keys reasons", role: "group", "aria-label": t("Often used") },
    all.map((text) => h("button", { type: "button", onclick: () => pick(text) }, text)),
  );
}
