import { h } from "../base/dom.js";
import { roundFigure } from "../base/figures.js";
import { t, tn } from "../base/language.js";
import { table, entryLink } from "./tables.js";

/**
 * The course of a game in words: leaders over time, and the time of each player.
 *
 * @param {Course} course
 * @param {Words} words
 */
export function courseView({ lead_changes: changes, decided, pace, together, story }, words) {
  /** @param {number} seat */
  const name = (seat) => h("bdi", {}, words.name(seat));
  const end = story?.find(({ what }) => what === "end");
  const winners = end?.seats ?? [];
  const led = story?.some(({ what }) => what === "first") ?? false;
  const behind = story?.find(({ what }) => what === "behind");
  const facts = [
    together ? t("All played together.") : leadSentence(changes, led),
    led && winners.length === 1 && decided !== end?.version && neverBehindSentence(decided), // one of several can lag
    behind && comebackSentence(behind, winners, words),
  ];
  return h(
    "div",
    {},
    facts.filter(Boolean).map((fact) => h("p", {}, fact)),
    paceView(pace, name),
  );
}

/** The most changes of the lead whose entries are named. All of them are in the table of the scores. */
const NAMED_CHANGES = 10;

/**
 * How often the lead changed. Without leaders, nobody lost a lead.
 *
 * @param {number[]} changes
 * @param {boolean} led
 */
function leadSentence(changes, led) {
  const count = changes.length;
  if (!count) return led && t("The lead never changed.");
  if (count > NAMED_CHANGES) return t("The lead, alone or shared, changed {count} times.", { count });
  return tn(
    count,
    "The lead, alone or shared, changed once: {entries}.",
    "The lead, alone or shared, changed {count} times: {entries}.",
    { entries: changes.map((version, at) => [at ? ", " : "", entryInSentence(version)]) },
  );
}

/**
 * Since when the winner was never behind.
 *
 * @param {number | null | undefined} decided
 */
function neverBehindSentence(decided) {
  if (decided == null) return null;
  return decided > 1
    ? t("The winner was never behind after {entry}.", { entry: entryInSentence(decided) })
    : t("The winner was never behind.");
}

/**
 * A sentence about a winner who was behind. Partners, and players of a draw, share it with others. Another person can
 * have won in that seat.
 *
 * @param {{ version: number, seats: number[], count?: number }} behind
 * @param {number[]} winners
 * @param {Words} words
 */
function comebackSentence({ version, seats, count = 0 }, winners, words) {
  const name = words.atEntry(version).namesText(seats);
  const values = { name: h("bdi", {}, name), entry: entryInSentence(version) };
  return winners.length === 1 && name === words.namesText(winners)
    ? tn(
        count,
        "{name} was behind by {count} point at {entry}, and won.",
        "{name} was behind by {count} points at {entry}, and won.",
        values,
      )
    : tn(count, "Behind by {count} point at {entry}: {name}.", "Behind by {count} points at {entry}: {name}.", values);
}

/** @param {number} version */
function entryInSentence(version) {
  return entryLink(version, t("entry {version}", { version }));
}

/**
 * @param {Pace[]} pace
 * @param {(seat: number) => Child} name
 */
function paceView(pace, name) {
  if (!pace.some(({ timed }) => timed)) return h("p", {}, t("Nobody noted how long the turns took."));
  const rows = pace.map(({ seat, turns, timed, seconds, median, longest }) => [
    name(seat),
    timed < turns ? t("{turns}, {timed} with times", { turns, timed }) : String(turns),
    timed ? duration(seconds) : t("not known"),
    median == null ? "" : duration(median),
    longest == null ? "" : duration(longest),
  ]);
  return table(t("How long everybody took"), [t("Who"), t("Turns"), t("Together"), t("Median"), t("Longest")], rows);
}

/**
 * A time in seconds, in words.
 *
 * @param {number} seconds
 */
export function duration(seconds) {
  const whole = roundFigure(seconds);
  if (whole < 60) return t("{seconds} s", { seconds: whole });
  if (whole < 3600) return t("{minutes} min {seconds} s", { minutes: Math.floor(whole / 60), seconds: whole % 60 });
  return t("{hours} h {minutes} min", { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60) });
}
