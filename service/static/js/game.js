/** A game's page: everything on it shows one record, looked at after one entry, from one viewpoint. */
import { get, Problem } from "./api.js";
import { showAudit } from "./audit.js";
import { Board } from "./board.js";
import { Connection, showConnection } from "./connection.js";
import { Courier } from "./courier.js";
import { h } from "./dom.js";
import { brief, entryLine, standing } from "./entry.js";
import { follow } from "./follower.js";
import { Moment } from "./moment.js";
import { noteForm } from "./note.js";
import { Outbox } from "./outbox.js";
import { Pending } from "./pending.js";
import { problemView } from "./problem.js";
import { GameRecord } from "./record.js";
import { Recorder } from "./recorder.js";
import { showRules } from "./rulebook.js";
import { showScoreboard } from "./scoreboard.js";
import { showState } from "./state.js";
import { Stepper } from "./stepper.js";
import { tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { localise } from "./times.js";
import { Withdrawal } from "./withdrawal.js";
import { Words } from "./words.js";

const find = (id) => document.getElementById(id);
const owner = "owner" in document.body.dataset;
const { game, ruleset } = find("game").dataset;
const viewpoint = owner ? (new URLSearchParams(location.search).get("seat") ?? "record") : null;
const record = new GameRecord(game, viewpoint);
const connection = new Connection();

localise(document);
showRules();
showConnection(find("connection"), connection);
tabs(document.querySelector("[role=tablist]"));
try {
  await open();
} catch (error) {
  find("board").replaceChildren(
    error instanceof Problem
      ? problemView(error.body)
      : "The game cannot be shown now: no connection. Reload the page to try again.",
  );
}

async function open() {
  const [{ body: rules }, { body: info }] = await Promise.all([get(`/v1/rulesets/${ruleset}`), get(record.path)]);
  const words = new Words(rules, info.seats);
  const tools = owner ? recording(words) : null;
  new Stepper(find("stepper"), record);
  new Timeline(find("record"), record, words);
  showMoments(words, tools);
  showEntry(words, tools);
  announce(words);
  address();
  await record.refresh();
  follow(record, connection);
}

/** What only the owner has: the entry of moves, corrections and notes, and the look from other seats. */
function recording(words) {
  const courier = new Courier(new Outbox(game), connection);
  const recorder = new Recorder(find("recorder"), record, courier, words);
  const withdrawal = new Withdrawal(record, courier, words);
  courier.addEventListener("delivered", () => record.refresh().catch(() => connection.report(false)));
  new Pending(find("outbox"), courier, record, words);
  noteForm(find("note"), record, courier, words);
  find("recorder")
    .querySelector(".undo")
    .addEventListener("click", () => recorder.takeBack() || withdrawal.undo());
  lookFrom(find("viewpoint"));
  courier.deliver();
  return { recorder, withdrawal };
}

/** Board, scoreboard, state and audit of the entry looked at. */
function showMoments(words, tools) {
  const board = new Board(find("board"), tools && ((place) => tools.recorder.name(place)));
  new Moment(record).addEventListener("change", ({ detail: { state, board: picture, missing } }) => {
    if (missing) return board.miss(missing);
    const touched = record.entries[state.version - 1].effects ?? [];
    board.show(picture, new Set(touched.flatMap((effect) => effect.at ?? [])));
    showScoreboard(find("scoreboard"), find("turn"), state, words);
    showState(find("state"), state.state, words);
    showAudit(find("score"), record, words).catch(() => connection.report(false));
  });
}

/** The entry looked at, with what can be done about it. */
function showEntry(words, tools) {
  record.addEventListener("position", () => {
    const entry = record.entries[record.at - 1];
    const time = h("time", { datetime: entry.recorded_at });
    const withdraw =
      tools && entry.version > 1 && !entry.withdrawn_by
        ? h(
            "button",
            { type: "button", class: "plain", onclick: () => tools.withdrawal.ask(entry) },
            "Withdraw this entry",
          )
        : null;
    const card = find("moment");
    card.className = `card moment ${standing(entry)}`;
    card.replaceChildren(
      ...[entryLine(entry, record, words), h("p", { class: "meta" }, time, ` · ${entry.recorder} `, withdraw)]
        .flat(2)
        .filter(Boolean),
    );
    localise(card);
  });
}

function lookFrom(select) {
  select.value = viewpoint;
  select.addEventListener("change", () => {
    const url = new URL(location.href);
    url.searchParams.set("seat", select.value);
    history.replaceState(null, "", url);
    record.see(select.value).catch(() => connection.report(false));
  });
}

/** Say aloud what was recorded while somebody follows. */
function announce(words) {
  let known = 0;
  record.addEventListener("entries", () => {
    if (known && record.head > known)
      find("announcer").textContent = `Entry ${record.head}: ${brief(record.entries.at(-1), words)}`;
    known = record.head;
  });
}

/** The address names the entry looked at: #12, and nothing for the newest one. */
function address() {
  const asked = () => Number(location.hash.slice(1));
  record.addEventListener("entries", () => asked() && record.go(asked()), { once: true });
  addEventListener("hashchange", () => {
    if (!asked()) return;
    record.go(asked());
    find("board").scrollIntoView({ block: "nearest" });
  });
  record.addEventListener("position", () => {
    history.replaceState(null, "", record.following ? location.pathname + location.search : `#${record.at}`);
  });
}
