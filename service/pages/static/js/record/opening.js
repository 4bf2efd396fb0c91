import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { limit } from "../base/limits.js";
import { repeated } from "../base/folding.js";
import { draftPage } from "../offline/keeping.js";
import { both, named, t, tn } from "../base/language.js";
import { offerPlayers } from "../people/players.js";
import { problemView } from "../base/problem.js";
import { uuid7 } from "../base/uuid.js";
import { optionText, ruleWord } from "../base/words.js";

const MANY = 6;
const FIRST = 2;

/**
 * The form that opens a game: a ruleset, its options as it declares them, and who sits where. Most who look at the list
 * open none, so what the form is made of is asked for once it is unfolded.
 *
 * @param {HTMLDetailsElement} details
 * @param {Waiting} waiting
 */
export function openingForm(details, waiting) {
  /** @type {HTMLFormElement} */
  const form = details.querySelector("form");
  const answer = form.querySelector(".answer");
  /** @type {string | undefined} The name at two seats that was asked about. */
  let asked;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await fill();
    const body = opening(form);
    const twice = repeated(body.seats.map(({ name }) => name ?? ""));
    if (twice && twice !== asked) {
      asked = twice;
      answer.replaceChildren(t("{name} sits at two seats. Change a name, or press the button again.", { name: twice }));
      return;
    }
    const sync = waiting.sync(body.id);
    sync.addEventListener("delivered", () => location.assign(`/games/${body.id}`));
    const left = await sync.send({ path: "/v1/games", body, label: body.title || t("An untitled game") });
    if (left?.problem) {
      await sync.outbox.drop(left.key);
      answer.replaceChildren(problemView(left.problem));
    } else answer.replaceChildren(left ? t("No connection: the game is opened once it is back.") : "");
    const draft = left && !left.problem && !sync.outbox.fault && (await draftPage(body.id));
    if (draft) location.assign(draft);
  });
  form.addEventListener("input", ({ target }) => {
    if ("seat" in target.dataset) offerPlayers(target, form.querySelector("datalist"));
  });
  const choose = async () => {
    const { value } = form.elements.ruleset;
    const ruleset = (await get(`/v1/rulesets/${value}`)).body;
    const components = ruleset.components_help ? (await get(`/v1/components/${value}`)).body.components : [];
    if (value === form.elements.ruleset.value) shape(form, ruleset, components); // else another one was chosen since
  };
  form.elements.ruleset.addEventListener("change", choose);
  const begin = async () => {
    const { ruleset, components, template } = Object.fromEntries(new URLSearchParams(location.search));
    if (ruleset) form.elements.ruleset.value = ruleset;
    await choose();
    const ready = form.querySelector("[data-option=template]");
    if (template && ready) ready.value = JSON.stringify(template);
    if (components && form.elements.components) form.elements.components.value = components;
  };
  let filled = null;
  const fill = () => (filled ??= begin().catch(() => (filled = null)));
  details.addEventListener("toggle", fill);
  if (location.hash === "#opening") details.open = true;
}

/**
 * The fields for the seats, options and components of a ruleset. Names that were typed stay, also of seats left out; the
 * field that somebody types in keeps the focus.
 *
 * @param {HTMLFormElement} form
 * @param {Ruleset} ruleset
 * @param {Schemas["ComponentsInfo"][]} components
 */
function shape(form, ruleset, components) {
  const { min_seats: min, max_seats: max } = ruleset;
  const seats = form.querySelector("#seats");
  const fields = () => [...seats.querySelectorAll("[data-seat]")];
  const names = fields().map((field) => field.value);
  const typing = fields().indexOf(document.activeElement);
  /** @param {number} count */
  const draw = (count) => {
    for (const field of fields().slice(count)) {
      names[field.dataset.seat] = field.value;
      field.parentElement.remove();
    }
    for (let seat = fields().length; seat < count; seat += 1) seats.append(seatField(ruleset, seat, names[seat]));
  };
  const count = Math.max(min, Math.min(names.length, max));
  seats.replaceChildren(...(min < max ? [seatCount(ruleset, count, draw)] : []));
  draw(count);
  fields()[typing]?.focus();
  form.querySelector("#options").replaceChildren(...optionFields(ruleset));
  form
    .querySelector("#components")
    .replaceChildren(...(ruleset.components_help ? componentsField(ruleset, components) : []));
}

/**
 * The choice among what was entered of a box, or drawn up as a sheet, and the way to where one does that.
 *
 * @param {Ruleset} ruleset
 * @param {Schemas["ComponentsInfo"][]} components
 */
function componentsField({ name }, components) {
  const options = components.map((found) => h("option", { value: found.name }, found.name));
  const { label, none, address, enter } = OWN[name] ?? OWN.box;
  return [
    h("label", {}, label, h("select", { name: "components" }, h("option", { value: "" }, none), options)),
    h("p", { class: "hint" }, h("a", { href: address ?? `/rulesets/${name}#components` }, enter)),
  ];
}

/** @type {Record<string, { label: string, none: string, address?: string, enter: string }>} */
const OWN = {
  box: { label: t("Components"), none: t("none of your own"), enter: t("Enter those of your box once") },
  scoresheet: {
    label: t("A sheet of your own"),
    none: t("none: the ready one"),
    address: "/rulesets/scoresheet/template",
    enter: t("Make a sheet, and open as many games with it as you like"),
  },
};

/**
 * @param {Ruleset} ruleset
 * @param {number} count
 * @param {(count: number) => void} draw
 */
function seatCount({ min_seats: min, max_seats: max }, count, draw) {
  /** @type {HTMLInputElement} */
  const field = h("input", {
    type: "number",
    min,
    max,
    value: count,
    oninput: () => field.checkValidity() && draw(field.valueAsNumber),
  });
  return h("label", {}, t("Seats"), " ", field);
}

/**
 * @param {Ruleset} ruleset
 * @param {number} seat
 * @param {string} name
 */
function seatField(ruleset, seat, name) {
  const label = ruleset.seat_names[seat];
  return h(
    "label",
    {},
    label ? both(label) : t("Seat {number}", { number: seat + 1 }),
    h("input", {
      "data-seat": seat,
      value: name,
      maxlength: limit("name"),
      list: "players",
      autocomplete: "off",
      placeholder: t("name, or nobody known"),
    }),
  );
}

/**
 * The switches of a ruleset; where there are many, those behind the first ones are kept out of the way.
 *
 * @param {Ruleset} ruleset
 */
function optionFields(ruleset) {
  const fields = ruleset.options.flatMap((option) => optionField(option, isSheet(ruleset, option)));
  if (fields.length <= MANY) return fields;
  return [
    ...fields.slice(0, FIRST),
    h(
      "details",
      { class: "more-options" },
      h("summary", {}, tn(fields.length - FIRST, "{count} more option", "{count} more options")),
      h("div", { class: "fields" }, fields.slice(FIRST)),
    ),
  ];
}

/**
 * Whether an option chooses the sheet of a game, by a name that people may know otherwise.
 *
 * @param {Ruleset} ruleset
 * @param {Schemas["Option"]} option
 */
function isSheet(ruleset, option) {
  return ruleset.name === "scoresheet" && option.name === "template";
}

/**
 * @param {Schemas["Option"]} option
 * @param {boolean} sheet
 */
function optionField({ name, title, choices, names, additions = {}, default: usual }, sheet) {
  const label = h("span", {}, both(title));
  if (choices.every((choice) => typeof choice === "boolean")) {
    return h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", "data-option": name, checked: usual }),
      " ",
      label,
    );
  }
  const options = choices.map((choice, index) =>
    h(
      "option",
      { value: JSON.stringify(choice), selected: choice === usual },
      names?.[index] ? ruleWord(names[index]) : optionText(choice),
    ),
  );
  const list = h("select", { "data-option": name }, options);
  return sheet
    ? [sheetFinder(list), h("label", {}, label, list), additionFields(list, additions)]
    : h("label", {}, label, list);
}

/**
 * The words that can be added to the choice of a list: the house rules and expansions of a sheet.
 *
 * @param {HTMLSelectElement} list
 * @param {Record<string, Record<string, Schemas["Title"]>>} additions
 */
function additionFields(list, additions) {
  const place = h("div", { class: "checks additions" });
  const draw = () => {
    const words = Object.entries(additions[JSON.parse(list.value)] ?? {});
    place.replaceChildren(
      ...words.map(([value, title]) =>
        h(
          "label",
          { class: "check" },
          h("input", { type: "checkbox", "data-addition": list.dataset.option, value }),
          " ",
          named(title),
        ),
      ),
    );
  };
  list.addEventListener("change", draw);
  draw();
  return place;
}

/**
 * What a list says, with the words that are added to it.
 *
 * @param {HTMLFormElement} form
 * @param {any} field
 */
function choiceOf(form, field) {
  const value = JSON.parse(field.value);
  const added = /** @type {NodeListOf<HTMLInputElement>} */ (
    form.querySelectorAll(`[data-addition="${field.dataset.option}"]:checked`)
  );
  return added.length ? [value, ...[...added].map((word) => word.value)].join("+") : value;
}

/**
 * A field that leaves those sheets in their list that go by a name, in any language. Where none does, the list stays
 * whole, with what was chosen; one that was kept here is chosen in the list of those.
 *
 * @param {HTMLSelectElement} list
 */
function sheetFinder(list) {
  const every = [...list.options];
  const news = h("small", { role: "status" });
  let asked = 0;
  /**
   * @param {HTMLOptionElement[]} options
   * @param {string} chosen
   * @param {string} text
   */
  const show = (options, chosen, text = "") => {
    list.replaceChildren(...options);
    list.value = chosen;
    list.dispatchEvent(new Event("change"));
    news.textContent = text;
  };
  /** @param {string} words */
  const find = async (words) => {
    const trial = ++asked;
    const chosen = list.value;
    if (!words) return show(every, chosen);
    try {
      /** @type {Answer<Got<"/v1/templates">>} */
      const { body } = await get(`/v1/templates?${new URLSearchParams({ q: words, limit: "500" })}`);
      const { templates } = body;
      if (trial !== asked) return;
      const values = templates.filter(({ kept }) => !kept).map(({ name }) => JSON.stringify(name));
      const found = values
        .map((value) => every.find((option) => option.value === value))
        .filter((option) => option !== undefined);
      const own = templates.find(({ kept }) => kept);
      if (!found.length && !own) return show(every, chosen, t("No sheet goes by that name."));
      if (list.form) list.form.elements.components.value = found.length ? "" : own?.name;
      if (found.length) show(found, found[0].value);
      else show(every, chosen, t("{name} is a sheet of your own, and chosen below.", { name: own?.name }));
    } catch {
      if (trial === asked) show(every, chosen, t("No connection: sheets are found once it is back."));
    }
  };
  /** @type {HTMLInputElement} */
  const field = h("input", {
    type: "search",
    autocomplete: "off",
    placeholder: "Wingspan, アズール …",
    maxlength: limit("line"),
    oninput: () => find(field.value.trim()),
    onkeydown: (event) => event.key === "Enter" && event.preventDefault(), // it finds, and opens nothing yet
  });
  return h("label", {}, t("Find a sheet by name"), field, news);
}

/**
 * The request that the form makes. The same form sent again makes another game: it has another id.
 *
 * @param {HTMLFormElement} form
 */
function opening(form) {
  const seats = [...form.querySelectorAll("[data-seat]")].map((field) =>
    field.value.trim() ? { name: field.value.trim() } : {},
  );
  const options = Object.fromEntries(
    [...form.querySelectorAll("[data-option]")].map((field) => [
      field.dataset.option,
      field.type === "checkbox" ? field.checked : choiceOf(form, field),
    ]),
  );
  const { ruleset, title, place, day, components } = form.elements;
  const box = components?.value ? { components_name: components.value } : {};
  return {
    id: uuid7(),
    ruleset: ruleset.value,
    options,
    ...box,
    seats,
    title: title.value.trim(),
    place: place.value.trim(),
    ...(day.value ? { happened_at: noon(day.value) } : {}),
  };
}

/**
 * The middle of a day by the clock here, with its offset.
 *
 * @param {string} day
 */
function noon(day) {
  const offset = -new Date(`${day}T12:00`).getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${day}T12:00:00${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
}
