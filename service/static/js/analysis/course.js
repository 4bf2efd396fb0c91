import { h } from "../base/dom.js";
import { counted } from "../base/words.js";
import { table, to } from "./tables.js";

/** How a game went, in words: who was in front when, and how long everybody took. */
export function courseView({ lead_changes: changes, decided, comeback, pace }, words) {
  const name = (seat) => h("bdi", {}, words.name(seat));
  const facts = [
    ["The lead changed ", counted(changes.length, "time", "times"), changes.length ? [": ", listed(changes)] : null, "."],
    decided == null ? null : ["No winner was behind ", decided > 1 ? ["since ", to(decided, `entry ${decided}`)] : "from the beginning", "."],
    comeback && [
      name(comeback.seat),
      ` was behind by ${counted(comeback.deficit, "point", "points")} at `,
      to(comeback.version, `entry ${comeback.version}`),
      ", and won.",
    ],
  ];
  return h(
    "div",
    {},
    facts.filter(Boolean).map((fact) => h("p", {}, fact)),
    paceView(pace, name),
  );
}

function listed(versions) {
  return versions.map((version, at) => [at ? ", " : "", to(version, `entry ${version}`)]);
}

function paceView(pace, name) {
  if (!pace.some(({ timed }) => timed)) return h("p", {}, "No clock tells how long anybody took.");
  const rows = pace.map(({ seat, turns, timed, seconds, median, longest }) => [
    name(seat),
    timed < turns ? `${turns}, of which ${timed} are timed` : String(turns),
    timed ? duration(seconds) : "not known",
    median == null ? "" : duration(median),
    longest == null ? "" : duration(longest),
  ]);
  return table("How long everybody took", ["Who", "Turns", "Together", "Half of them within", "Longest"], rows);
}

/** Seconds as people say them. */
function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
