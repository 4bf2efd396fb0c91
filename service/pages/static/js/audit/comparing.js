import { get } from "../base/api.js";
import { entryLink } from "../record/entry.js";
import { readableText } from "../record/history.js";
import { h } from "../base/dom.js";
import { listInWords, t } from "../base/language.js";
import { scrollTable } from "../base/table.js";

/**
 * Show the score that the table wrote down: each difference from the audit, with the entries behind it.
 *
 * @param {HTMLElement} element
 * @param {GameRecord} record
 * @param {Words} words
 */
export async function compareClaims(element, record, words) {
  /** @type {Answer<Got<"/v1/games/{game}/claims">>} */
  const { body } = await get(`${record.path}/claims`);
  const audits = await Promise.all(body.claims.map((claim) => auditLines(claim, record)));
  element.replaceChildren(
    h("h3", {}, t("What the table wrote down")),
    ...body.claims.map((claim, index) => {
      const text = readableText(record.entries[claim.version - 1], claim.text) ?? "";
      return claimView({ ...claim, text }, audits[index], words);
    }),
  );
}

/**
 * The audit lines at the moment of a claim, seat by seat, if its difference is more than a line or two.
 *
 * @param {Schemas["ClaimCompared"]} claim
 * @param {GameRecord} record
 */
async function auditLines({ entry, seats }, record) {
  if (!seats.some(({ difference, explained_by: lines }) => difference && !lines.length)) return [];
  return (await get(record.address("score", { after: entry }))).body.lines.filter(({ points }) => points);
}

/**
 * @param {Schemas["ClaimCompared"]} claim
 * @param {ScoreLine[]} audit
 * @param {Words} words
 */
function claimView({ version, entry, text, agrees, seats, lines }, audit, words) {
  return h(
    "section",
    { class: agrees ? "claim" : "claim differs", "aria-label": t("The claim of entry {version}", { version }) },
    h(
      "p",
      {},
      h("b", {}, agrees ? t("It agrees with the audit.") : t("It differs from the audit.")),
      " ",
      text
        ? t("Written after {entry}: {text}", { entry: entryLink(entry), text: h("q", {}, text) })
        : t("Written after {entry}.", { entry: entryLink(entry) }),
    ),
    seats.length
      ? scrollTable(
          t("Paper and audit"),
          [t("Who"), t("Paper"), t("Audit"), t("Difference")],
          seatRows(seats, lines, audit, words),
        )
      : null,
    lines.length
      ? scrollTable(
          t("Paper and audit"),
          [t("Who"), t("For"), t("Paper"), t("Audit"), t("Difference")],
          lines.map((line) => lineRow(line, words)),
        )
      : null,
  );
}

/**
 * @param {Schemas["ClaimCompared"]["seats"]} seats
 * @param {Schemas["ClaimCompared"]["lines"]} lines
 * @param {ScoreLine[]} audit
 * @param {Words} words
 */
function seatRows(seats, lines, audit, words) {
  const written = new Set(lines.filter(({ claimed }) => claimed != null).map(({ seat }) => seat));
  return seats.map((each) => {
    const own = audit.filter(({ seat }) => seat === each.seat);
    return seatRow(each, words, written.has(each.seat), own);
  });
}

/**
 * A seat's audit lines for comparison with the paper, if a line or two do not explain the difference.
 *
 * @param {ScoreLine[]} lines
 * @param {Words} words
 */
function seatLinesSentence(lines, words) {
  return lines.length
    ? [t("Line by line against the paper, the audit has {lines}.", { lines: linesInWords(lines, words) })]
    : [t("The audit has no points of this seat.")];
}

/**
 * @param {Schemas["SeatCompared"]} compared
 * @param {Words} words
 * @param {boolean} written
 * @param {ScoreLine[]} own
 */
function seatRow({ seat, claimed, audited, difference, explained_by: lacked, twice }, words, written, own) {
  return [
    h(
      "tr",
      { class: difference ? "differs" : false },
      h("th", { scope: "row" }, h("bdi", {}, words.name(seat))),
      numberCell(claimed),
      numberCell(audited),
      numberCell(difference, true),
    ),
    difference ? explanationRow("4", explanation(lacked, twice, written, own, words)) : null,
  ];
}

/**
 * @param {ScoreLine[]} lacked
 * @param {ScoreLine[]} twice
 * @param {boolean} written
 * @param {ScoreLine[]} own
 * @param {Words} words
 */
function explanation(lacked, twice, written, own, words) {
  const ways = [
    ...(lacked.length ? [t("It is as if the paper lacked {lines}.", { lines: linesInWords(lacked, words) }), " "] : []),
    ...(twice.length ? [t("It is as if the paper counted twice {lines}.", { lines: linesInWords(twice, words) })] : []),
  ];
  if (ways.length) return ways;
  return written ? [t("The lines of paper and audit stand side by side below.")] : seatLinesSentence(own, words);
}

/**
 * @param {Schemas["LineCompared"]} compared
 * @param {Words} words
 */
function lineRow({ seat, category, claimed, audited, difference, lines, twice }, words) {
  return [
    h(
      "tr",
      { class: difference ? "differs" : false },
      h("th", { scope: "row" }, h("bdi", {}, words.name(seat))),
      h("td", {}, words.categoryName(category)),
      numberCell(claimed),
      numberCell(audited),
      numberCell(difference, true),
    ),
    twice.length
      ? explanationRow("5", t("It is as if the paper counted twice {lines}.", { lines: linesInWords(twice, words) }))
      : difference && lines.length
        ? explanationRow("5", t("The audit has {lines}.", { lines: linesInWords(lines, words) }))
        : null,
  ];
}

/**
 * @param {string} columns
 * @param {Child} content
 */
function explanationRow(columns, content) {
  return h("tr", { class: "note" }, h("td", { colspan: columns }, h("small", {}, content)));
}

/**
 * Audit lines with links to their entries.
 *
 * @param {ScoreLine[]} lines
 * @param {Words} words
 */
function linesInWords(lines, words) {
  /** @param {ScoreLine} line */
  const each = ({ points, category, version, rule }) =>
    t("{points} for {category} from {entry}", {
      points,
      category: words.categoryName(category),
      entry: [entryLink(version), " ", words.ruleLink(rule)],
    });
  return listInWords(lines.map(each));
}

/**
 * @param {number | null} value
 * @param {boolean} signed
 */
function numberCell(value, signed = false) {
  const text = value == null ? "–" : signed && value > 0 ? `+${value}` : String(value);
  return h("td", { class: "number" }, signed && value ? h("b", {}, text) : text);
}
