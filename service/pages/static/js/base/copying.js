import { copyText } from "./clipboard.js";
import { h } from "./dom.js";
import { FormDialog } from "./formdialog.js";
import { t } from "./language.js";

/**
 * A text that is shown once, with a copy button.
 *
 * @param {string} label
 * @param {string} text
 */
export function copyField(label, text) {
  const field = h("input", { value: text, readonly: true, "aria-label": label, class: "secret" });
  const status = h("span", { class: "hidden", role: "status" });
  const button = h("button", { type: "button" }, t("Copy"));
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    const done = (await copyText(field.value)) || copySelection(field);
    button.textContent = done ? t("Copied") : t("Copy it by hand");
    status.textContent = button.textContent;
  });
  return h("div", { class: "copy" }, field, button, status);
}

/**
 * Copy the content of a field as a selection, which works without permission.
 *
 * @param {HTMLInputElement} field
 */
function copySelection(field) {
  field.select();
  return document.execCommand("copy");
}

/**
 * Show a text that cannot be shown again.
 *
 * @param {string} title
 * @param {string} label
 * @param {string} text
 */
export function showOnce(title, label, text) {
  const frame = new FormDialog("once", () => frame.close());
  frame.dialog.addEventListener("close", () => frame.dialog.remove());
  const lead = t("Copy it now: it is not kept, and nobody can show it again.");
  frame.open({ title, lead, fields: [copyField(label, text)], verb: t("Done") });
  frame.leave.hidden = true;
}
