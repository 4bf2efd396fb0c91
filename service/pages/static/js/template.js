/** The editor of a score sheet's template: begun with a ready one or with one's own, checked as it is typed, kept. */
import { Problem, put } from "./base/api.js";
import { Checker } from "./record/checker.js";
import { parsed, pretty } from "./sheet/components.js";
import { h } from "./base/dom.js";
import { Editor } from "./sheet/editor.js";
import { Finder } from "./sheet/finder.js";
import { t } from "./base/language.js";
import { storage } from "./base/storage.js";
import { keepPresses } from "./base/redrawn.js";
import { problemView } from "./base/problem.js";
import { linked, read, saved, shared } from "./sheet/sharing.js";
import { BLANK, misshapen } from "./sheet/sheet.js";
import { localise } from "./base/times.js";

const KEPT = "/v1/components/scoresheet";
const PATIENCE = 1000;
const DRAFT = "kifu:template";

localise(document);
keepPresses();
const form = document.getElementById("template");
const finder = new Finder(document.getElementById("finder"), Boolean(form));
await Promise.race([finder.find(), new Promise((later) => setTimeout(later, PATIENCE))]); // the form stands below its list
if (form) edit(form);

/** @param {HTMLFormElement} form */
function edit(form) {
  const { json, name, play, save, link } = form.elements;
  const store = storage();
  const jsonAnswer = form.querySelector(".json .answer");
  const answer = form.querySelector(".keep .answer");
  const draft = parsed(store[DRAFT] ?? "null");
  /** @type {Template} */
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
  /**
   * @param {Template} data
   * @param {string} called
   */
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
    form.querySelector(".taken").hidden = !finder.kept.has(name.value.trim());
  };

  /** Take over what was typed as JSON, if the form can show it. */
  const jsonTyped = () => {
    const data = parsed(json.value);
    const why = data instanceof Error ? t("This is no JSON: {why}", { why: data.message }) : misshapen(data);
    jsonAnswer.replaceChildren(
      why ? h("p", { class: "cause" }, t("{why}. The form above shows it as it was before.", { why })) : "",
    );
    remember();
    if (why) return;
    template = data;
    editor.show(template);
    changed();
  };

  const keep = async () => {
    const called = name.value.trim() || String(template.name ?? "").trim();
    if (jsonAnswer.textContent)
      throw new Unfinished(t("Mend the JSON first, or change something in the form to drop it."));
    if (!called) throw new Unfinished(t("Give it a name."));
    try {
      const found = await put(`${KEPT}/${encodeURIComponent(called)}`, { data: template });
      delete store[DRAFT];
      return found.name;
    } catch (error) {
      if (error instanceof Problem) checker.show(error.body);
      throw error;
    }
  };
  /** @param {(called: string) => unknown} then */
  const attempt = async (then) => {
    try {
      then(await keep());
    } catch (error) {
      answer.replaceChildren(failure(error));
    }
  };
  /** @param {string} called */
  const opening = (called) => `/?${new URLSearchParams({ ruleset: "scoresheet", components: called })}#opening`;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async (called) => {
      name.value = called;
      answer.replaceChildren(
        h(
          "p",
          { class: "fits" },
          t("{name} is kept.", { name: called }),
          " ",
          h("a", { href: opening(called) }, t("Open a game with it")),
        ),
      );
      await finder.find();
    });
  });
  play.addEventListener("click", () => attempt((called) => location.assign(opening(called))));
  finder.addEventListener("take", ({ detail: { data, called = "" } }) => {
    begin(data ?? BLANK, called);
    remember();
    form.querySelector(".restored").hidden = true;
    form.scrollIntoView();
    form.querySelector("input").focus({ preventScroll: true });
  });
  finder.addEventListener("listed", nameTyped);
  finder.addEventListener("file", async ({ detail: file }) => {
    try {
      finder.take({ data: await read(file) });
    } catch (error) {
      finder.say(error instanceof Error ? error.message : String(error));
    }
  });
  save.addEventListener("click", () => saved(template));
  link.addEventListener("click", async () => {
    answer.replaceChildren(await shared(template));
  });
  json.addEventListener("input", jsonTyped);
  name.addEventListener("input", () => {
    nameTyped();
    changed();
  });

  begin(BLANK, "");
  if (draft?.json) {
    name.value = draft.name;
    json.value = draft.json;
    form.querySelector(".restored").hidden = false;
    jsonTyped();
    if (jsonAnswer.textContent) form.querySelector(".json").open = true;
  }
  form.setAttribute("aria-busy", "false");
  linked()
    .then((data) => data && finder.take({ data }))
    .catch((error) => finder.say(error.message));
}

/** What is to be done before anything is sent. */
class Unfinished extends Error {}

/** @param {unknown} error */
function failure(error) {
  if (error instanceof Problem) return problemView(error.body);
  if (error instanceof Unfinished) return h("p", { class: "cause", role: "alert" }, error.message);
  return h(
    "p",
    { class: "cause", role: "alert" },
    t("No connection: nothing is kept yet. What you typed stays in this browser; try again later."),
  );
}
