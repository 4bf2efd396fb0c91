/** The editor of a score sheet's template: begun with a ready one or with one's own, checked as it is typed, kept. */
import { get, Problem, put } from "./api.js";
import { Checker } from "./checker.js";
import { parsed, pretty } from "./components.js";
import { h } from "./dom.js";
import { Editor } from "./editor.js";
import { storage } from "./outbox.js";
import { problemView } from "./problem.js";
import { BLANK, misshapen } from "./sheet.js";
import { localise } from "./times.js";

const KEPT = "/v1/components/scoresheet";
const DRAFT = "kifu:template";

localise(document);
const form = document.getElementById("template");
if (form) edit(form);

function edit(form) {
  const { json, name, start, take, play } = form.elements;
  const store = storage();
  const ready = JSON.parse(form.dataset.ready);
  const jsonAnswer = form.querySelector(".json .answer");
  const answer = form.querySelector(".keep .answer");
  const draft = parsed(store[DRAFT] ?? "null");
  let kept = [];
  let template = BLANK;

  const remember = () => (store[DRAFT] = JSON.stringify({ name: name.value, json: json.value }));
  const checker = new Checker(form, form.querySelector(".verdict"), () => template);
  const editor = new Editor(form.querySelector(".form"), () => {
    json.value = pretty(template);
    jsonAnswer.replaceChildren();
    changed();
  });
  const changed = () => {
    answer.replaceChildren();
    remember();
    checker.soon();
  };
  const begin = (data, called) => {
    template = structuredClone(data);
    name.value = called;
    json.value = pretty(template);
    jsonAnswer.replaceChildren();
    editor.show(template);
    nameTyped();
    checker.soon();
  };
  const nameTyped = () => {
    form.querySelector(".taken").hidden = !kept.some((one) => one.name === name.value.trim());
  };

  /** Take over what was typed as JSON, if the form can show it. */
  const jsonTyped = () => {
    const data = parsed(json.value);
    const why = data instanceof Error ? `This is no JSON: ${data.message}` : misshapen(data);
    jsonAnswer.replaceChildren(why ? h("p", { class: "cause" }, `${why}. The form above shows it as it was before.`) : "");
    remember();
    if (why) return;
    template = data;
    editor.show(template);
    changed();
  };

  const keep = async () => {
    const called = name.value.trim() || String(template.name ?? "").trim();
    if (jsonAnswer.textContent) throw new Unfinished("Mend the JSON first, or change something in the form to drop it.");
    if (!called) throw new Unfinished("Give it a name.");
    try {
      const found = await put(`${KEPT}/${encodeURIComponent(called)}`, { data: template });
      delete store[DRAFT];
      return found.name;
    } catch (error) {
      if (error instanceof Problem) checker.show(error.body);
      throw error;
    }
  };
  const attempt = async (then) => {
    try {
      then(await keep());
    } catch (error) {
      answer.replaceChildren(failure(error));
    }
  };
  const opening = (called) => `/?${new URLSearchParams({ ruleset: "scoresheet", components: called })}#opening`;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async (called) => {
      name.value = called;
      answer.replaceChildren(h("p", { class: "fits" }, `${called} is kept. `, h("a", { href: opening(called) }, "Open a game with it")));
      await list();
    });
  });
  play.addEventListener("click", () => attempt((called) => location.assign(opening(called))));
  take.addEventListener("click", () => {
    const [kind, called] = JSON.parse(start.value);
    if (kind === "kept") begin(kept.find((one) => one.name === called).data, called);
    else begin(kind === "ready" ? ready[called] : BLANK, "");
    remember();
    form.querySelector(".restored").hidden = true;
  });
  json.addEventListener("input", jsonTyped);
  name.addEventListener("input", () => {
    nameTyped();
    changed();
  });

  /** The sheets that one can begin with: those that somebody kept, and the ready ones. */
  const list = async () => {
    const choices = () => [
      h("option", { value: JSON.stringify(["blank", ""]) }, "an empty sheet"),
      group("Kept", kept.map((one) => ["kept", one.name, one.name])),
      group("Ready", Object.entries(ready).map(([key, data]) => ["ready", key, data.name])),
    ];
    start.replaceChildren(...choices());
    try {
      kept = (await get(KEPT)).body.components.filter(({ invented }) => !invented);
    } catch {
      kept = []; // the ready ones are here without any connection
    }
    const chosen = start.value;
    start.replaceChildren(...choices());
    start.value = chosen;
    nameTyped();
  };

  begin(BLANK, "");
  if (draft?.json) {
    name.value = draft.name;
    json.value = draft.json;
    form.querySelector(".restored").hidden = false;
    jsonTyped();
    if (jsonAnswer.textContent) form.querySelector(".json").open = true;
  }
  form.setAttribute("aria-busy", "false");
  list();
}

/** What is to be done before anything is sent. */
class Unfinished extends Error {}

function failure(error) {
  if (error instanceof Problem) return problemView(error.body);
  if (error instanceof Unfinished) return h("p", { class: "cause", role: "alert" }, error.message);
  return h("p", { class: "cause", role: "alert" }, "No connection: nothing is kept yet. What you typed stays in this browser; try again later.");
}

function group(label, choices) {
  const options = choices.map(([kind, key, words]) => h("option", { value: JSON.stringify([kind, key]) }, words));
  return options.length ? h("optgroup", { label }, options) : "";
}
