import { getText } from "../base/api.js";
import { h } from "../base/dom.js";
import { FormDialog } from "../base/formdialog.js";
import { t } from "../base/language.js";

/** A dialog with the receipt of an entry, which proves that it was recorded: a small file, and a QR code. */
export class ReceiptDialog {
  #address = "";

  /** @param {GameRecord} record */
  constructor(record) {
    this.record = record;
    this.frame = new FormDialog("receipt", () => this.frame.send(() => this.#save()));
  }

  /** @param {Entry} entry */
  ask({ version }) {
    this.#address = `${this.record.path}/events/${version}/receipt`;
    const src = `${this.#address}.svg`;
    /** @type {Element} */
    const code = h("img", { class: "qr", alt: t("The receipt as a QR code"), src, onerror: () => this.#explain(code) });
    this.frame.open({
      title: t("Receipt of entry {version}", { version }),
      lead: t(
        "With it and an export of the game anybody can prove that this entry, and all before it, was recorded so.",
      ),
      fields: [code],
      verb: t("Save the file"),
      leave: t("Close"),
    });
  }

  /**
   * Show why there is no receipt, in place of its QR code.
   *
   * @param {Element} code
   */
  async #explain(code) {
    code.remove();
    await this.frame.attempt(() => getText(this.#address));
    this.frame.button.disabled = false;
  }

  /** Save the receipt if there is one: an error would replace the page. */
  async #save() {
    await getText(this.#address);
    location.assign(this.#address);
  }
}
