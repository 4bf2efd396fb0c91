import { get } from "../base/api.js";
import { h, refill } from "../base/dom.js";
import { t } from "../base/language.js";
import { scrollTable } from "../base/table.js";
import { whenVisible } from "../base/visibility.js";
import { adjustmentList } from "../record/entry.js";
import { ruleSection } from "./rulebook.js";
import { scoreText } from "../base/words.js";

/** More lines than these are drawn when somebody comes near them or prints them: each has a dozen elements. */
const MANY = 100;
/**
 * The functions that draw the lines of hidden audits.
 *
 * @type {WeakMap<Element, () => void>}
 */
const drawHidden = new WeakMap();

/**
 * Show the score audit after the current entry: every point with its entry and rule. `rulebook` gets the rules' texts.
 *
 * @param {HTMLElement} element
 * @param {HTMLElement} rulebook
 * @param {GameRecord} record
 * @param {Words} words
 */
export async function showAudit(element, rulebook, record, words) {
  const at = record.at;
  const { body } = await get(record.address("score", { after: at }));
  if (record.at !== at) return;
  refill(
    element,
    h("p", { class: "sum" }, t("After entry {at}: {scores}", { at, scores: h("b", {}, scoreText(body.scores)) })),
    body.outcome ? h("p", {}, words.outcomeText(body.outcome), " ", words.ruleLink(body.outcome.rule)) : "",
    body.lines.length ? linesView(element, body.lines, words) : h("p", { class: "empty" }, t("No points yet.")),
    irregularities(body.irregular, words),
    rulings(record),
    h(
      "p",
      {},
      h("button", { type: "button", onclick: () => print() }, isSheet() ? t("Print the sheet") : t("Print the audit")),
    ),
    signatures(record, words),
  );
  rulebook.replaceChildren();
  whenVisible(rulebook, async () => {
    const rules = await Promise.all(body.rules.map((rule) => ruleSection(rule.id)));
    if (record.at === at && rules.length) rulebook.replaceChildren(h("h3", {}, t("The rules behind it")), ...rules);
  });
}

/** Whether the game uses a score sheet: the sheet is printed then. */
function isSheet() {
  return document.getElementById("game").classList.contains("sheet-game");
}

/**
 * The table of the lines. If there are many and the audit is hidden, its place: the table is drawn there later.
 *
 * @param {HTMLElement} audit
 * @param {ScoreLine[]} lines
 * @param {Words} words
 */
function linesView(audit, lines, words) {
  if (lines.length <= MANY || !audit.closest("[hidden]")) return linesTable(lines, words);
  const place = h("div");
  const draw = () => place.replaceWith(linesTable(lines, words));
  if (!drawHidden.has(audit)) addEventListener("beforeprint", () => drawHidden.get(audit)?.());
  drawHidden.set(audit, draw);
  whenVisible(place, async () => draw());
  return place;
}

/**
 * @param {ScoreLine[]} lines
 * @param {Words} words
 */
function linesTable(lines, words) {
  return scrollTable(
    t("Score lines"),
    [t("For"), t("Who"), t("Points"), t("Entry"), t("Rule")],
    lines.map((line) => lineRow(line, words)),
  );
}

/**
 * @param {ScoreLine} line
 * @param {Words} words
 */
function lineRow({ seat, points, category, rule, version, note }, words) {
  const row = h(
    "tr",
    { class: note ? "noted" : false },
    h("td", {}, words.categoryName(category)),
    h("td", {}, h("bdi", {}, words.name(seat))),
    h("td", { class: "number" }, String(points)),
    h("td", { class: "number" }, h("a", { href: `#${version}` }, String(version))),
    h("td", {}, words.ruleLink(rule)),
  );
  return note
    ? [
        row,
        h(
          "tr",
          { class: "note" },
          h("td", { colspan: "5" }, h("small", {}, words.withPeople(words.translatePhrase(note)))),
        ),
      ]
    : row;
}

/**
 * The valid rulings at the current moment: they may have given some of the points.
 *
 * @param {GameRecord} record
 */
function rulings(record) {
  const given = record.order
    .slice(0, record.currentPlace)
    .filter(({ type, withdrawn_by: gone }) => type === "ruling.given" && !gone);
  if (!given.length) return "";
  return h(
    "div",
    {},
    h("h3", {}, t("Rulings")),
    h(
      "ul",
      { class: "rulings" },
      given.map(({ version, text, adjustments = [] }) =>
        h(
          "li",
          {},
          h("a", { href: `#${version}` }, t("Entry {version}", { version })),
          ": ",
          h("q", {}, text),
          adjustmentList(adjustments),
        ),
      ),
    ),
  );
}

/**
 * @param {Record<string, string[]>} irregular
 * @param {Words} words
 */
function irregularities(irregular, words) {
  const found = Object.entries(irregular);
  if (!found.length) return "";
  return h(
    "div",
    {},
    h("h3", {}, t("Irregular entries")),
    h(
      "ul",
      { class: "flags" },
      found.map(([version, rules]) =>
        h(
          "li",
          {},
          h("a", { href: `#${version}` }, t("Entry {version}", { version })),
          rules.flatMap((rule) => [" ", words.ruleLink(rule)]),
        ),
      ),
    ),
  );
}

/**
 * For print only: the identity of the record, and a signature line for each person.
 *
 * @param {{ game: string, at: number }} record
 * @param {Words} words
 */
function signatures({ game, at }, words) {
  /** @param {string} name */
  const signer = (name) => h("li", {}, h("bdi", {}, name));
  return h(
    "div",
    { class: "signatures" },
    h("p", { class: "meta" }, t("Record {game}, after entry {at}", { game: h("code", {}, game), at })),
    h(
      "ul",
      {},
      words.seats.map(({ seat }) => signer(words.name(seat))),
      signer(t("Referee")),
      signer(t("Place and date")),
    ),
  );
}
