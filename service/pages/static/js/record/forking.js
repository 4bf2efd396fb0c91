import { post } from "../base/api.js";
import { h } from "../base/dom.js";
import { entrySummary } from "./entry.js";
import { FormDialog, labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";
import { uuid7 } from "../base/uuid.js";

const WHAT_IF = t("What if:");

/** A dialog for a "what if": a fork that begins with this game's entries up to one. */
export class ForkDialog {
  /** @type {{ id: string, after: number, at?: number }} */
  #body = { id: "", after: 0 };

  /**
   * @param {GameRecord} record
   * @param {Words} words
   * @param {string} id
   */
  constructor(record, words, id = "fork") {
    this.record = record;
    this.words = words;
    this.frame = new FormDialog(id, () => this.frame.send(() => this.#openFork(), words));
    this.name = h("input", { maxlength: maxLength("line"), autocomplete: "off" });
  }

  /**
   * Ask for a title, and open the fork after `entry`, as the record counts now, or as it counted `at` a version.
   *
   * @param {Entry} entry
   * @param {number} [at]
   */
  ask(entry, at) {
    this.#body = { id: uuid7(), after: entry.version, at };
    this.name.value = this.#title();
    const then = this.words.atPlace(this.record.placeOf(entry.version));
    this.frame.open({
      title: t("What if …"),
      lead: [
        t("A game of its own goes on after entry {version}, {what}.", {
          version: entry.version,
          what: entrySummary(entry, then),
        }),
        " ",
        at && at < this.record.head
          ? [t("It begins in the record as it was at entry {version}.", { version: at }), " "]
          : null,
        t("This record stays as it is, and the other one stays out of statistics."),
      ],
      fields: [labelledField(t("Title"), this.name)],
      verb: t("Begin it"),
    });
  }

  #title() {
    const title = this.record.facts.title || t("an untitled game");
    return (title.startsWith(WHAT_IF) ? title : `${WHAT_IF} ${title}`).slice(0, maxLength("line"));
  }

  async #openFork() {
    const { game } = await post(`${this.record.path}/forks`, { ...this.#body, title: this.name.value.trim() });
    location.assign(`/games/${game}`);
  }
}
