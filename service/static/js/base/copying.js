import { h } from "./dom.js";
import { FormDialog } from "./formdialog.js";

/** A text to take along that is shown once, with a button that copies it. */
export function copyField(label, text) {
  const field = h("input", { value: text, readonly: true, "aria-label": label, class: "secret" });
  const said = h("span", { class: "hidden", role: "status" });
  const button = h("button", { type: "button" }, "Copy");
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    const done = await copy(field);
    button.textContent = done ? "Copied" : "Copy it by hand";
    said.textContent = button.textContent;
  });
  return h("div", { class: "copy" }, field, button, said);
}

/** Browsers lend their clipboard to pages of this machine and such with TLS; in others a selection can be copied. */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}

/** Show something that nobody can show again. */
export function showOnce(title, label, text) {
  const frame = new FormDialog("once", () => frame.close());
  frame.dialog.addEventListener("close", () => frame.dialog.remove());
  const lead = "Copy it now: it is not kept, and nobody can show it again.";
  frame.open({ title, lead, fields: [copyField(label, text)], verb: "Done" });
  frame.leave.hidden = true;
}
