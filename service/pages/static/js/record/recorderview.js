import { Blanks } from "../base/blanks.js";
import { hint, nodes } from "../base/dom.js";
import { t } from "../base/language.js";
import { movesWithFields } from "../base/notation.js";
import { problemView } from "../base/problem.js";
import { dueLines } from "../sheet/lines.js";
import { isOver, isSendable } from "./entering.js";
import { MoveField } from "./movefield.js";
import { previewView } from "./preview.js";
import { reasonKeys, WHY_IT_STANDS } from "./reasons.js";

/** @typedef {import("./entering.js").Entering} Entering */
/** @typedef {import("./entering.js").Judged} Judged */

/**
 * The gestures in the view.
 *
 * - `typed`: a text was typed into the move's field.
 * - `picked`: a whole move was picked.
 * - `left`: the focused choices disappeared.
 * - `filled`: the blanks make a text.
 * - `reasoned`, `excused`: a reason was typed, or tapped.
 * - `submitted`: the button was pressed.
 * - `toggled`: the person asks for irregular moves.
 *
 * @typedef {{
 *   typed: () => void, picked: (line?: Line, key?: boolean) => void, left: () => void, filled: (text: string) => void,
 *   reasoned: () => void, excused: () => void, submitted: () => void, toggled: () => void,
 * }} Gestures
 */

/** The form that enters the next move, drawn from the state of its entry. It keeps nothing itself. */
export class RecorderView {
  /**
   * @param {HTMLElement} element
   * @param {Words} words
   * @param {Sheet | null} sheet
   * @param {Gestures} gestures
   */
  constructor(element, words, sheet, gestures) {
    /**
     * @param {string} selector
     * @returns {any}
     */
    const find = (selector) => element.querySelector(selector);
    this.element = element;
    this.words = words;
    this.sheet = sheet;
    this.form = find("form.move");
    this.move = new MoveField(t("Move in notation"), words, {
      id: "move",
      described: "preview",
      whole: Boolean(sheet),
      onchange: gestures.typed,
      onpick: gestures.picked,
      onleft: gestures.left,
    });
    find(".field").replaceWith(this.move.element);
    this.reason = find("#reason");
    this.override = find(".override");
    this.button = find(".record");
    this.blanks = new Blanks(find(".blanks"), words, gestures.filled);
    this.preview = find(".preview");
    this.elsewhere = find(".elsewhere");
    this.anyway = find(".anyway");
    this.reason.addEventListener("input", gestures.reasoned);
    this.reason.after(reasonKeys(this.reason, WHY_IT_STANDS(), gestures.excused));
    this.anyway?.addEventListener("click", gestures.toggled);
    this.form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      gestures.submitted();
    });
  }

  /**
   * @param {Entering} state
   * @param {Entering} before the state that is drawn now
   */
  draw(state, before) {
    const { phase, text, reason, verdict, overridable, anyway, shown } = state;
    const sending = phase === "sent" || phase === "stored";
    if (this.move.value !== text) this.move.setText(text);
    if (this.reason.value.trim() !== reason.trim()) this.reason.value = reason;
    if (!this.sheet) this.#drawBlanks(state, before);
    this.button.disabled = phase === "idle" || sending;
    this.button.textContent = sending
      ? t("Recording …")
      : reason.trim()
        ? t("Record as irregular")
        : (this.#ending(verdict) ?? t("Record"));
    this.button.classList.toggle("primary", isSendable(verdict));
    this.override.hidden = !overridable;
    this.preview.setAttribute("aria-busy", String(phase === "picked"));
    if (shown !== before.shown) this.preview.replaceChildren(...nodes([shown && this.#verdictView(shown)]));
    this.anyway?.setAttribute("aria-pressed", String(anyway));
    this.element.classList.toggle("against", anyway);
    this.element.classList.toggle("finishing", Boolean(this.#ending(verdict)));
    this.#drawPosition(state);
  }

  /**
   * Show the form at the end of an open record, unless the page tells the story of the game.
   *
   * @param {Entering} state
   */
  #drawPosition(state) {
    const { hidden, newest } = state;
    const over = isOver(state);
    this.element.hidden = hidden;
    this.elsewhere.hidden = newest;
    this.form.hidden = !newest;
    this.element.classList.toggle("over", over);
    if (over && this.move.element.contains(document.activeElement)) this.focusNext(state);
  }

  /**
   * The button text for finishing a sheet, with the winner; null for any other move.
   *
   * @param {Judged | null} verdict
   */
  #ending(verdict) {
    const { answer } = verdict ?? {};
    if (!this.sheet || !answer?.outcome || answer.irregular?.length) return null;
    const { winners } = answer.outcome;
    return winners.length === 1
      ? t("Finish: {name} wins with {points}", {
          name: this.words.name(winners[0]),
          points: answer.scores[winners[0]],
        })
      : t("Finish: {outcome}", { outcome: this.words.winnersText(answer.outcome) });
  }

  /**
   * The fields of the next entry are new, even if they are for the same moves.
   *
   * @param {Entering} state
   * @param {Entering} before
   */
  #drawBlanks({ moves, asked, entry }, before) {
    if (entry !== before.entry) this.blanks.show([]);
    else if (moves === before.moves && asked === before.asked) return;
    this.blanks.show(movesWithFields(moves ?? [], asked));
  }

  /** @param {Judged} verdict */
  #verdictView({ answer, before, problem, unknown }) {
    if (problem) return problemView(problem.body, this.words);
    return answer ? previewView(answer, this.words, before) : hint(unknown);
  }

  /**
   * Offer the lines of a sheet that are due after the `waiting` ones are stored. `others` says that entries of others
   * changed them.
   *
   * @param {Entering} state
   * @param {string[]} waiting
   * @param {boolean} others
   */
  drawLines({ lines, entered }, waiting, others) {
    if (!this.sheet) return;
    this.blanks.show(dueLines(lines, [...entered.map(({ text }) => text), ...waiting], this.sheet), { others });
  }

  /**
   * Focus the next control after the focused one has gone: a value, the button, a choice, or the story.
   *
   * @param {Entering} state
   */
  focusNext(state) {
    const { asked } = state;
    if (isOver(state)) return document.querySelector("#ended button")?.focus();
    if (this.move.value && !asked?.blanks?.length) return this.button.focus();
    if (!this.blanks.focusFirstKey() && !this.move.focusChoice())
      (this.button.disabled ? this.move.clear : this.button).focus();
  }

  /** Focus the field to correct: the reason, or the move. It opens no keyboard on a phone. */
  focusMistake() {
    const typing = document.activeElement === this.move.input || matchMedia("(hover: hover)").matches;
    const reason = typing ? this.reason : this.override.querySelector("button");
    (this.override.hidden ? this.move : reason).focus();
  }
}
