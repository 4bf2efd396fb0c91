import { post } from "../base/api.js";
import { entrySummary } from "./entry.js";
import { FormDialog } from "../base/formdialog.js";
import { t } from "../base/language.js";

/** A dialog that erases the text or the hidden content of an entry forever. */
export class EraseDialog {
  /** @type {{ entry: number, what: "text" | "hidden" } | null} */
  #body = null;

  /**
   * @param {GameRecord} record
   * @param {Words} words
   */
  constructor(record, words) {
    this.record = record;
    this.words = words;
    this.frame = new FormDialog("erase", () => this.frame.send(() => this.#erase(), words));
  }

  /**
   * @param {Entry} entry
   * @param {"text" | "hidden"} what
   */
  ask(entry, what) {
    this.#body = { entry: entry.version, what };
    const then = this.words.atPlace(this.record.placeOf(entry.version));
    this.frame.open({
      title: what === "text" ? t("Erase its text for good?") : t("Erase what it hides for good?"),
      lead: [
        t("Entry {version}, {what}. No trace of it is left here, and it cannot be brought back.", {
          version: entry.version,
          what: entrySummary(entry, then),
        }),
        " ",
        t("The entry stays, says that it was erased, and its chain still verifies. Older backups and exports have it."),
      ],
      verb: t("Erase"),
    });
  }

  async #erase() {
    await post(`${this.record.path}/erasures`, this.#body);
    location.reload();
  }
}
