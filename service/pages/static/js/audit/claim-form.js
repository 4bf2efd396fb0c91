import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { labelledField } from "../base/formdialog.js";
import { t } from "../base/language.js";
import { maxLength } from "../base/limits.js";

/** More points than anybody has, and few enough for exact halves in a browser's numbers. */
const MOST = 1e12;

/**
 * The form for the score that the table wrote down.
 *
 * @param {GameRecord} record
 * @param {Words} words
 * @param {EntryDialog} dialog
 * @returns {EntryForm}
 */
export function claimForm(record, words, dialog) {
  const categories = h("datalist", { id: "categories" });
  const known = new Map();
  const totals = words.seats.map(({ seat }) => labelledField(words.name(seat), pointsField()));
  const lines = h("ul", { class: "ruled" });
  const add = () => {
    lines.append(claimedLine(words, () => dialog.tryLater()));
    lines.lastElementChild?.querySelector("select").focus();
  };
  let isSuggested = false;
  suggestCategories(record, words, categories, known).then(() => {
    isSuggested = true;
    if (categories.isConnected && lines.children.length) dialog.tryLater();
  });
  const text = h("input", { maxlength: maxLength("text"), autocomplete: "off" });
  const { at, isAtNewest } = record;
  return {
    title: t("What does your paper say?"),
    lead: isAtNewest ? t("The score as it stands now.") : t("The score as it stood after entry {at}.", { at }),
    fields: [
      h("div", { class: "fields" }, totals),
      lines,
      h("button", { type: "button", onclick: add }, t("Add a line of it")),
      labelledField(t("A remark"), text),
      categories,
    ],
    verb: t("Compare it"),
    label: t("what the table wrote down"),
    silent: true,
    compose: () => {
      const scores = totals.map((label) => pointsOf(label.querySelector("input")));
      const written = [...lines.children].map((line) => readLine(line, known));
      const some = scores.some((points) => points !== null);
      if ((!some && !written.length) || written.includes(null)) return null;
      if (written.length && !isSuggested) return null; // the audit has other names for these lines
      const data = { ...(some && { scores }), ...(written.length && { lines: written }) };
      const remark = text.value.trim();
      return {
        type: "score.claimed",
        data: { ...data, ...(!isAtNewest && { entry: at }), ...(remark && { text: remark }) },
      };
    },
  };
}

/**
 * Suggest the audit's names for lines, so that claimed lines match.
 *
 * @param {GameRecord} record
 * @param {Words} words
 * @param {HTMLElement} list
 * @param {Map<string, string>} known
 */
async function suggestCategories(record, words, list, known) {
  const { body } = await get(record.address("score", { after: record.at })).catch(() => ({ body: { lines: [] } }));
  for (const { category } of body.lines) known.set(words.categoryName(category), category);
  list.append(...[...known.keys()].map((value) => h("option", { value })));
}

/**
 * @param {Words} words
 * @param {() => void} onchange
 */
function claimedLine(words, onchange) {
  const who = h(
    "select",
    {},
    words.seats.map(({ seat }) => h("option", { value: seat }, words.name(seat))),
  );
  const what = h("input", {
    maxlength: maxLength("line"),
    autocomplete: "off",
    list: "categories",
    placeholder: t("what for"),
  });
  const drop = () => {
    item.remove();
    onchange();
  };
  const item = h(
    "li",
    {},
    h(
      "div",
      { class: "fields" },
      labelledField(t("Seat"), who),
      labelledField(t("For"), what),
      labelledField(t("Points"), pointsField()),
    ),
    h("button", { type: "button", class: "plain", onclick: drop }, t("Leave it out")),
  );
  return item;
}

/**
 * @param {Element} item
 * @param {Map<string, string>} known
 */
function readLine(item, known) {
  const [who] = item.getElementsByTagName("select");
  const [what, points] = item.getElementsByTagName("input");
  const category = what.value.trim();
  if (!category || pointsOf(points) === null) return null;
  return { seat: Number(who.value), category: known.get(category) ?? category, points: pointsOf(points) };
}

function pointsField() {
  return h("input", { type: "number", step: "1", min: -MOST, max: MOST, autocomplete: "off" });
}

/** @param {HTMLInputElement} field */
function pointsOf(field) {
  return field.value === "" ? null : field.valueAsNumber;
}
