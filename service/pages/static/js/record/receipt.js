import { h } from "../base/dom.js";
import { FormDialog } from "../base/formdialog.js";
import { t } from "../base/language.js";

/** The receipt of an entry: a small file, and the same as a QR code, which prove that it was recorded. */
export class ReceiptDialog {
  #address = "";

  /** @param {GameRecord} record */
  constructor(record) {
    this.record = record;
    this.frame = new FormDialog("receipt", () => {
      location.assign(this.#address);
      this.frame.close();
    });
  }

  /** @param {Entry} entry */
  ask({ version }) {
    this.#address = `${this.record.path}/events/${version}/receipt`;
    this.frame.open({
      title: t("Receipt of entry {version}", { version }),
      lead: t(
        "With it and an export of the game anybody can prove that this entry, and all before it, was recorded so.",
      ),
      fields: [h("img", { class: "qr", alt: t("The receipt as a QR code"), src: `${this.#address}.svg` })],
      verb: t("Save the file"),
      leave: t("Close"),
    });
  }
}
