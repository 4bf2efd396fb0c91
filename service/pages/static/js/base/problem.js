import { Problem } from "./api.js";
import { h, hint } from "./dom.js";
import { DeviceError } from "./indexed-db.js";
import { t } from "./language.js";

/**
 * A problem in the service's words: the fields, the rule, the conflicting entries.
 *
 * @param {ProblemBody} problem
 * @param {Words} [words]
 * @param {(field: string) => Child} [label] the page's name of a field; null if the page has no such field
 */
export function problemView(problem, words, label = fieldPath) {
  const { title, rule, impossible, errors = [], conflicts = [] } = problem;
  const detail = rule && words ? words.withPeople(problem.detail) : refusalReason(problem);
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("p", {}, h("b", {}, title), rule && words ? [" ", words.ruleLink(rule)] : null),
    errors.length || problem.status === 401 ? null : h("p", {}, detail), // it repeats the first error
    impossible ? h("p", {}, t("It cannot be recorded with a reason either: {why}.", { why: impossible })) : null,
    problem.at == null ? null : h("p", {}, markedText(problem.text ?? "", problem.at)),
    errors.length
      ? h(
          "ul",
          {},
          errors.map(({ field, message }) => {
            const name = label(field);
            return h("li", {}, name, name && ": ", message);
          }),
        )
      : null,
    conflicts.length
      ? h(
          "ul",
          {},
          conflicts.map((conflict) => conflictLine(conflict, words)),
        )
      : null,
    problem.status === 401 ? h("p", {}, h("a", { href: "/login" }, t("Log in and try again."))) : null,
  );
}

/** @param {string} field */
function fieldPath(field) {
  const seat = /^seats\[(\d+)\]\.name$/.exec(field)?.[1];
  if (seat) return t("Seat {number}", { number: Number(seat) + 1 });
  return h("code", {}, field.replace(/^data\./, ""));
}

/**
 * Why something was not done: the problem of the service, or the lost connection.
 *
 * @param {unknown} error
 * @param {Words} [words]
 */
export function failureView(error, words) {
  if (error instanceof Problem) return problemView(error.body, words);
  return hint(error instanceof DeviceError ? error.message : t("No connection: try again once it is back."));
}

/**
 * The reason for a refusal, without the position in the text: it is shown, or means nothing to people who typed no
 * text. After the end of a log-in it says what to do.
 *
 * @param {ProblemBody} problem
 * @param {string} text
 */
export function refusalReason({ at, detail, status }, text = detail) {
  if (status === 401) return t("Log in and try again.");
  return at == null ? text : text.replace(/, at character \d+ of .*$/s, "").replace(/^.* の \d+ 文字目: /s, "");
}

/**
 * A line of notation, or a formula, with a mark at the error.
 *
 * @param {string} text
 * @param {number} at
 */
export function markedText(text, at) {
  return h("code", { class: "pointed" }, text.slice(0, at), h("mark", {}, text.slice(at) || "…"));
}

/**
 * @param {Conflict} conflict
 * @param {Words} [words]
 */
function conflictLine({ version, why, rule }, words) {
  return h(
    "li",
    {},
    t("Entry {version}: {why}", { version, why: words?.withPeople(why) ?? why }),
    " ",
    rule && words ? words.ruleLink(rule) : null,
  );
}
