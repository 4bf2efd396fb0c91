import { get, post, Problem } from "../base/api.js";
import { h, hint } from "../base/dom.js";
import { brief, effectLines, list } from "./entry.js";
import { FormDialog, labelled } from "../base/formdialog.js";
import { t, tn } from "../base/language.js";
import { LIMITS } from "../base/limits.js";
import { problemView } from "../base/problem.js";
import { uuid7 } from "../base/uuid.js";
import { score } from "../base/words.js";

const WHAT_IF = t("What if:");

/** Asking "what if": a game of its own that begins as this one did, up to an entry. */
export class ForkDialog {
  #body = null;

  constructor(record, words, id = "fork") {
    Object.assign(this, { record, words });
    this.frame = new FormDialog(id, () => this.frame.send(() => this.#begin(), words));
    this.name = h("input", { maxlength: LIMITS.line, autocomplete: "off" });
  }

  /** Ask for a title, and open the fork right after `entry`. */
  ask(entry) {
    this.#body = { id: uuid7(), after: entry.version };
    this.name.value = this.#title();
    const then = this.words.at(this.record.placeOf(entry.version));
    this.frame.open({
      title: t("What if …"),
      lead: [
        t("A game of its own goes on after entry {version}, {what}.", { version: entry.version, what: brief(entry, then) }),
        " ",
        t("This record stays as it is, and the other one stays out of statistics."),
      ],
      fields: [labelled(t("Title"), this.name)],
      verb: t("Begin it"),
    });
  }

  #title() {
    const title = this.record.info.title || t("an untitled game");
    return (title.startsWith(WHAT_IF) ? title : `${WHAT_IF} ${title}`).slice(0, LIMITS.line);
  }

  async #begin() {
    const { game } = await post(`${this.record.path}/forks`, { ...this.#body, title: this.name.value.trim() });
    location.assign(`/games/${game}`);
  }
}

/** Let every button that names another game show where it and this one part. */
export function showComparisons(element, record, words) {
  element.addEventListener("click", async ({ target }) => {
    const { compare } = target.closest("button")?.dataset ?? {};
    if (!compare) return;
    const place = element.querySelector(".comparison");
    try {
      const { body } = await get(`${record.address("comparison")}&with=${compare}`);
      place.replaceChildren(comparison(body, words));
    } catch (error) {
      place.replaceChildren(
        error instanceof Problem ? problemView(error.body, words) : hint(t("No connection: try again once it is back.")),
      );
    }
  });
}

function comparison({ games, common, first_difference: parting, scores, outcomes }, words) {
  return h(
    "section",
    { "aria-label": t("Comparison") },
    h(
      "p",
      {},
      tn(common, "{count} move or ruling is the same.", "{count} moves and rulings are the same."),
      " ",
      parting ? t("There they part:") : t("They are the same."),
    ),
    h(
      "div",
      { class: "sides" },
      [t("This game"), t("The other game")].map((name, side) =>
        h(
          "section",
          {},
          h("h4", {}, name),
          parting ? parted(parting[side], games[side], words) : null,
          h("p", {}, t("Score: {score}", { score: h("b", {}, score(scores[side])) })),
          h("p", {}, outcomes[side] ? words.outcome(outcomes[side]) : t("It goes on.")),
        ),
      ),
    ),
  );
}

function parted(entry, game, words) {
  if (!entry) return h("p", {}, t("Nothing more is recorded."));
  return [
    h("p", {}, h("a", { href: `/games/${game}#${entry.version}` }, t("Entry {version}", entry)), " ", brief(entry, words)),
    list("effects", effectLines(entry.effects ?? [], words)),
  ];
}
