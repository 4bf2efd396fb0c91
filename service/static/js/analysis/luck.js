import { h, hint } from "../base/dom.js";
import { counted, title } from "../base/words.js";
import { table } from "./tables.js";

/** Every event of chance against its odds: what stands out in a sentence, and all of it in tables. */
export function luckView({ n, left_out: leftOut, kinds }, words) {
  if (!n) return hint(`Not enough is known: what came of ${counted(leftOut, "event", "events")} of chance is not seen from here.`);
  return h(
    "div",
    {},
    kinds.map((kind) => kindView(kind, words)),
    hint(
      leftOut ? `${counted(leftOut, "event is", "events are")} left out, as it is not known what came of them. ` : "",
      "“±” is one standard deviation; of twenty figures, one is more than two of them off by chance alone.",
    ),
  );
}

function kindView(kind, words) {
  const who = kind.seat == null ? null : [" · ", h("bdi", {}, words.name(kind.seat))];
  const rows = [
    ...kind.outcomes.map(({ outcome, count }) => ({ what: outcome, n: kind.n, count })),
    ...kind.brought.map(({ seat, n, count }) => ({ what: ["brought to ", h("bdi", {}, words.name(seat))], n, count })),
  ];
  return h("div", {}, h("h4", {}, title(kind.title), who), kind.n ? told(kind, rows, words) : hint("Nobody noted what came."));
}

function told(kind, rows, words) {
  const [{ what, n, count }] = rows.toSorted((one, other) => Math.abs(other.count.z ?? 0) - Math.abs(one.count.z ?? 0));
  const came = [
    "Furthest from the odds: ",
    typeof what === "string" ? h("b", {}, title(what)) : what,
    ` ${counted(count.got, "time", "times")}`,
    kind.seat == null ? "" : [" for ", h("bdi", {}, words.name(kind.seat))],
    `, where ${expected(count)} were to be expected (n = ${n}).`,
  ];
  const all = table(kind.title, ["What", "Came", "To be expected", "n"], rows.map(row));
  return h("div", {}, h("p", {}, came), h("details", {}, h("summary", {}, "All outcomes"), all));
}

function row({ what, n, count }) {
  return [typeof what === "string" ? title(what) : what, String(count.got), expected(count), String(n)];
}

function expected({ expected: mean, sd }) {
  return `${mean.toFixed(1)} ± ${sd.toFixed(1)}`;
}
