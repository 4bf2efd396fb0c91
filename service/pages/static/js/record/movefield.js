import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { movesAt, commonBeginning, countMoves, isSameKind, keysNeedHelp, tapMeaning, suggestChoices } from "./moves.js";
import { isRoll, diceForm, fixedBeginning } from "../base/notation.js";
import { rovingTabindex } from "../base/roving-tabindex.js";
import { t, tn } from "../base/language.js";

/** Attributes of a notation field: they stop phones from changing the typed text. */
export const NOTATION_ATTRIBUTES = {
  autocomplete: "off",
  autocapitalize: "none",
  autocorrect: "off",
  spellcheck: "false",
};

/**
 * `onchange` is called after every change, `onpick` after a whole move was picked, with its `key` or from the board.
 * `onleft` is called when the focused choices disappear without new ones.
 *
 * With `whole`, only complete moves are offered, because moves with open values have their own form.
 *
 * @typedef {{ id?: string, value?: string, placeholder?: string, described?: string, whole?: boolean, onchange: () => void,
 *   onpick?: (line?: Line, key?: boolean) => void, onleft?: () => void }} MoveFieldOptions
 */

/**
 * A line of notation, typed or picked from the legal moves. See `MoveFieldOptions` for its callbacks.
 */
export class MoveField {
  /** @type {Line[] | null} */
  #moves = null;
  #none = "";
  /**
   * The moves that are meant, if fewer than fit the text: a place of the board was tapped.
   *
   * @type {Line[] | null}
   */
  #meant = null;
  /**
   * The moves left by the last tap; the next tap chooses among them.
   *
   * @type {Line[]}
   */
  #tapped = [];
  /** The first text in the field: it is there to be changed, so it does not narrow the choices. */
  #firstText;
  #shown = "";
  /** Whether dice rolls have a form of their own. */
  #rollsApart = false;
  /** @type {string | null} */
  #proposed = null;
  #updateTabStop;
  #movesName = "";

  /**
   * @param {string} label
   * @param {Words} words
   * @param {MoveFieldOptions} options
   */
  constructor(
    label,
    words,
    { id, value = "", placeholder = t("Type or pick a move"), described, whole = false, onchange, onpick, onleft },
  ) {
    this.#firstText = value;
    this.input = this.#makeInput({ id, value, placeholder, "aria-label": label, "aria-describedby": described });
    this.clear = h(
      "button",
      { type: "button", class: "clear", "aria-label": t("Clear the move"), onclick: () => this.typeText("") },
      "×",
    );
    this.count = h("p", { class: "hint count", role: "status" });
    this.choices = h("div", { class: "suggestions", role: "group", "aria-label": t("Moves to pick") });
    this.#updateTabStop = rovingTabindex(this.choices, () => this.input.focus());
    this.element = h(
      "div",
      { class: "move-field" },
      h("div", { class: "line" }, this.input, this.clear),
      this.count,
      this.choices,
    );
    this.words = words;
    this.whole = whole;
    this.onchange = onchange;
    this.onpick = onpick;
    this.onleft = onleft ?? (() => matchMedia("(hover: hover)").matches && this.focus());
  }

  /**
   * The text field for a move; its text changes only by the person.
   *
   * @param {Attributes} attributes
   * @returns {HTMLInputElement}
   */
  #makeInput(attributes) {
    return h("input", {
      ...attributes,
      ...NOTATION_ATTRIBUTES,
      enterkeyhint: "go",
      oninput: () => this.typeText(this.text),
      onfocus: () => this.text === this.#proposed && this.input.select(),
      onkeydown: (event) => event.key === "ArrowDown" && this.focusChoice() && event.preventDefault(),
    });
  }

  get value() {
    return this.input.value.trim();
  }

  get text() {
    return this.input.value;
  }

  /**
   * Set the text as if typed. If `only` is given, the text means just these moves.
   *
   * @param {string} text
   * @param {Line[] | null} only
   * @param {Line[]} tapped
   */
  typeText(text, only = null, tapped = only ?? []) {
    this.setText(text, only, tapped);
    this.onchange();
  }

  /**
   * Set the text without calling `onchange`.
   *
   * @param {string} text
   * @param {Line[] | null} only
   * @param {Line[]} tapped
   */
  setText(text, only = null, tapped = only ?? []) {
    if (this.text !== text) this.input.value = text;
    this.#meant = only;
    this.#tapped = tapped;
    this.#suggest();
  }

  /**
   * The meaning of a tap on a place of the board now. After a tap that chose a whole move, it starts again.
   *
   * @param {Place} place
   * @returns {Meaning}
   */
  tapMeaning(place) {
    const closer = this.targets(place);
    if (closer.length) return { text: commonBeginning(closer), moves: closer, only: true };
    return tapMeaning(this.#moves ?? [], this.#meant ? "" : this.text, place);
  }

  /**
   * The moves tapped so far that another tap on this place would choose; empty if it chooses nothing.
   *
   * @param {Place} place
   */
  targets(place) {
    const all = this.#tapped;
    const found = all.length > 1 ? movesAt(all, place) : [];
    return found.length < all.length ? found : [];
  }

  /**
   * Apply a tap on the board: a whole move is picked, and a recorded value can be replaced.
   *
   * @param {Meaning} meaning
   * @param {Place} place
   * @param {{ preventScroll?: boolean }} options
   */
  applyTap({ text, moves, only }, { types }, { preventScroll = false } = {}) {
    const [line] = moves.length === 1 ? moves : [];
    this.typeText(line && !line.aside ? line.notation : text, only ? moves : null, moves);
    if (line) this.onpick?.(line);
    if (only || text !== types) return;
    this.input.focus({ preventScroll });
    this.input.setSelectionRange(text.lastIndexOf(" ") + 1, text.length);
  }

  focus() {
    this.input.focus();
  }

  /**
   * Focus the choices, or the one with this text. Returns false if there are none.
   *
   * @param {string} text
   */
  focusChoice(text = "") {
    const all = [...this.choices.querySelectorAll(".choice")];
    const found = all.find(({ value }) => value === text) ?? all[0];
    found?.focus();
    return Boolean(found);
  }

  /**
   * Type a move for the user. Their typing replaces it.
   *
   * @param {string} text
   */
  proposeMove(text) {
    this.#proposed = text;
    this.setText(text);
    if (document.activeElement === this.input) this.input.select();
  }

  /**
   * Offer these moves; null if unavailable. `none` is the text without moves, `called` their name.
   *
   * @param {Line[] | null} moves
   * @param {string} none
   * @param {string} called
   */
  offerMoves(moves, none = t("No move is legal now."), called = t("legal moves")) {
    this.#moves = moves;
    this.#rollsApart = Boolean(diceForm(moves ?? []));
    this.#movesName = called;
    this.#none = none;
    this.#meant = null;
    this.#tapped = [];
    this.#suggest();
  }

  /** Whether the text is exactly a listed legal move. */
  get isListed() {
    return Boolean(this.#moves?.some(({ notation }) => notation === this.value));
  }

  /** Whether the text is the beginning of a legal move. */
  get isBeginning() {
    return countMoves(this.#moves ?? [], this.text) > 0;
  }

  #suggest() {
    const moves = (this.#moves ?? []).filter(({ blanks }) => !this.whole || !blanks?.length);
    const text = this.text === this.#firstText ? "" : this.text;
    const meant = this.#meant ?? moves;
    const found = countMoves(meant, text);
    const groups = suggestChoices(
      meant.filter((line) => text || !(this.#rollsApart && isRoll(line))),
      text,
    );
    const done = found === 1 && groups[0].choices[0].text === this.value;
    const legal = (/** @type {Line[]} */ all) => all.filter(({ aside }) => !aside);
    const [all, fitting] = [legal(moves).length, countMoves(legal(meant), text)];
    const counted = found ? t("{count} of {all} {moves}", { count: fitting, all, moves: this.#movesName }) : "";
    const summary = all ? counted : this.#none;
    this.count.textContent = done || this.#moves === null ? "" : summary;
    const shown = done ? [] : groups;
    if (JSON.stringify(shown) === this.#shown) return;
    this.#shown = JSON.stringify(shown);
    const focused = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    const had = focused && this.choices.contains(focused) ? focused.value : null;
    this.choices.replaceChildren(...shown.map((group) => this.#group(group)));
    this.#updateTabStop();
    if (had !== null) queueMicrotask(() => this.focusChoice(had) || this.onleft()); // after everything else is drawn
  }

  /** @param {Group} group */
  #group({ kind, choices }) {
    const title = this.words.termFor("move", kind);
    return h(
      "div",
      { class: "group", role: "group", "aria-label": title },
      h("span", { class: "kind", "aria-hidden": "true" }, title),
      keysNeedHelp(choices) ? helpFor(choices[0].text) : null,
      choices.map((choice) => this.#choice(choice)),
    );
  }

  /** @param {Choice} choice */
  #choice({ text, label, more }) {
    const found = () => (more ? undefined : this.#moves?.find(({ notation }) => notation === text));
    const pick = () => {
      const line = found(); // from the current moves
      this.typeText(line?.aside ? "" : text);
      if (more) return;
      this.onpick?.(line, true);
      queueMicrotask(this.onleft); // others may begin with these words
    };
    const once = found()?.once;
    return h(
      "button",
      {
        type: "button",
        class: more ? "choice more" : once ? "choice once" : "choice",
        value: text,
        title: once ? t("recorded at once") : null,
        onclick: pick,
      },
      found()?.aside ? fixedBeginning(label) : label,
      more ? [" …", screenReaderText(`, ${more} ${tn(more, "move", "moves")}`)] : null, // a number would read as part of the move
    );
  }
}

/**
 * What a line of a kind means, from the page's help: its example and its meaning; null without one.
 *
 * @param {string} text
 */
function helpFor(text) {
  const code = [...document.querySelectorAll(".examples code")].find((code) =>
    isSameKind(code.textContent ?? "", text),
  );
  const meaning = code?.parentElement?.nextElementSibling;
  if (!code || !meaning) return null;
  return h(
    "p",
    { class: "hint", lang: meaning.getAttribute("lang") },
    h("code", {}, code.textContent),
    " ",
    meaning.textContent,
  );
}

/**
 * Words for screen readers only.
 *
 * @param {string} text
 */
function screenReaderText(text) {
  return h("span", { class: "hidden" }, text);
}

/**
 * The legal moves at a moment of a record: moves of the oldest round first, then off-turn moves (`aside`). With
 * `irregular`, the moves that break a rule. Null if unavailable.
 *
 * @param {Known} record
 * @param {Moment} moment
 * @param {boolean} irregular
 * @returns {Promise<Line[] | null>}
 */
export async function legalMoves(record, moment, irregular = false) {
  try {
    /** @type {Answer<GotPart<"moves">>} */
    const { body } = await get(record.address("moves", irregular ? { ...moment, irregular } : moment));
    if (irregular) return body.irregular;
    const { moves, asides = [] } = body;
    const beside = asides.map(({ type, seat, template, blanks }) => ({
      move: { type, seat },
      notation: template.replaceAll("{}", "?"),
      template,
      blanks,
      aside: blanks.length > 0, // a move without blanks is picked like any other
    }));
    return [...moves.toSorted((one, other) => roundOf(one) - roundOf(other)), ...beside];
  } catch {
    return null;
  }
}

/**
 * The round of a move. Moves without a round come last.
 *
 * @param {Line} line
 */
function roundOf({ move }) {
  return move.round ?? Number.MAX_SAFE_INTEGER;
}
