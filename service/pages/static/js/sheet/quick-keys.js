import { h } from "../base/dom.js";
import { FormDialog, labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { storage } from "../base/storage.js";
import { parseQuickKeys } from "./cell-text.js";

const USUAL = "0 5 10 20";

/** The values of the quick keys of a sheet, chosen and kept on this device. */
export class QuickKeys {
  #store = storage();

  /**
   * @param {string} sheet its name
   * @param {() => void} onchange
   */
  constructor(sheet, onchange) {
    this.sheet = sheet;
    this.onchange = onchange;
    this.dialog = new FormDialog("quick-keys", () => this.#save());
  }

  get values() {
    return parseQuickKeys(this.#store[this.#name] ?? USUAL);
  }

  /** Their name in the storage. */
  get #name() {
    return `kifu:quick:${this.sheet}`;
  }

  /** Ask for other values. */
  ask() {
    const field = h("input", {
      autocomplete: "off",
      pattern: "\\s*(-?\\d{1,6}(\\.\\d{1,3})?[\\s,]*)*",
      maxlength: "80",
    });
    field.value = this.values.join(" ");
    this.dialog.open({
      title: t("Quick keys"),
      lead: t("Each key enters its number and goes to the next cell. The keys are kept on this device, for {sheet}.", {
        sheet: this.sheet,
      }),
      fields: [labelledField(t("Numbers, with spaces between them"), field)],
      verb: t("Keep them"),
    });
  }

  #save() {
    this.#store[this.#name] = parseQuickKeys(this.dialog.form.querySelector("input").value).join(" ");
    this.dialog.close();
    this.onchange();
  }
}
