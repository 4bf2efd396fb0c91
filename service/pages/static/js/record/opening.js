import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { limit } from "../base/limits.js";
import { repeated } from "../base/folding.js";
import { draftPage } from "../offline/keeping.js";
import { named, t } from "../base/language.js";
import { offerPlayers } from "../people/players.js";
import { problemView } from "../base/problem.js";
import { uuid7 } from "../base/uuid.js";
import { optionText, ruleWord } from "../base/words.js";
import { ClubField } from "./club.js";
import { chips, pressed } from "./people.js";
import { GameFinder } from "./finding.js";

/**
 * The form that opens a game, in three steps: what is played, who plays, and the start. Most who look at the list open
 * none, so what the form is made of is asked for once a game is chosen.
 *
 * @param {HTMLElement} card
 * @param {Waiting} waiting
 */
export function openingForm(card, waiting) {
  /** @type {HTMLFormElement} */
  const form = card.querySelector("form");
  const answer = form.querySelector(".answer");
  const chosen = form.querySelector(".chosen");
  /** @type {string | undefined} The name at two seats that was asked about. */
  let asked;
  /** @type {Playable | null} */
  let game = null;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!game) return;
    const body = opening(form, game);
    const twice = repeated(body.seats.map(({ name }) => name ?? ""));
    if (twice && twice !== asked) {
      asked = twice;
      answer.replaceChildren(t("{name} sits at two seats. Change a name, or press the button again.", { name: twice }));
      return;
    }
    const sync = waiting.sync(body.id);
    sync.addEventListener("delivered", () => location.assign(`/games/${body.id}`));
    const left = await sync.send({ path: club.path, body, label: body.title || named(game.title) });
    if (left?.problem) {
      await sync.outbox.drop(left.key);
      answer.replaceChildren(problemView(left.problem));
    } else answer.replaceChildren(left ? t("No connection: the game is opened once it is back.") : "");
    const draft = left && !left.problem && !sync.outbox.fault && (await draftPage(body.id));
    if (draft) location.assign(draft);
  });
  const finder = new GameFinder(form.querySelector(".what"));
  finder.addEventListener("chosen", (/** @type {any} */ { detail }) => choose(detail));
  const club = new ClubField(form);
  club.addEventListener("changed", () => {
    pressed(form);
    if (game && ruled) drawOptions(form, ruled, game, club);
  });
  /** @type {HTMLButtonElement | null} */
  const again = form.querySelector(".as-last-time");
  again?.addEventListener("click", () => {
    form.querySelector("[data-people]").click();
    form.requestSubmit();
  });
  form.querySelector(".other").addEventListener("click", () => {
    chosen.hidden = true;
    game = null;
    finder.show();
  });
  form.addEventListener("input", ({ target }) => {
    if (!("seat" in target.dataset)) return;
    offerPlayers(target, form.querySelector("datalist"));
    pressed(form);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !("seat" in event.target.dataset)) return;
    event.preventDefault(); // the game is started by its button: a name is not the last one yet
    const stops = [...form.querySelectorAll("[data-seat], .another:not([hidden]), .start .primary")];
    stops[stops.indexOf(event.target) + 1].focus();
  });
  let trial = 0;
  /** @type {Ruleset | null} */
  let ruled = null;
  /** @param {{ playable: Playable, called?: string }} choice */
  const choose = async ({ playable, called }) => {
    const { ruleset: name } = playable;
    const mine = ++trial;
    try {
      const ruleset = (await get(`/v1/rulesets/${name}`)).body;
      const boxed = ruleset.components_help && name !== SHEET;
      const components = boxed ? (await get(`/v1/components/${name}`)).body.components : [];
      if (mine !== trial) return; // another one was chosen since
      game = playable;
      ruled = ruleset;
      shape(form, ruleset, components);
      drawOptions(form, ruleset, playable, club);
      club.offer();
      if (again) again.hidden = !fits(form.querySelector("[data-people]"), ruleset);
    } catch {
      return finder.tell(t("No connection: the game is opened once it is back."));
    }
    finder.hide();
    answer.replaceChildren();
    chosen.querySelector("b").replaceChildren(named(playable.title));
    if (called) form.elements.title.value ||= called;
    chosen.hidden = false;
    pressed(form);
    (form.querySelector(".known button") ?? form.querySelector("[data-seat]")).focus({ preventScroll: true });
  };
  const { ruleset, components, template, club: wanted } = Object.fromEntries(new URLSearchParams(location.search));
  if (wanted) club.offer(wanted);
  if (ruleset) finder.choose({ ruleset, components, template });
  if (location.hash === "#opening" && !ruleset) form.elements.what.focus();
}

const SHEET = "scoresheet";
/** How many fields for names there are at first where nobody is known, if the game has so many seats. */
const FIRST_FIELDS = 4;

/**
 * Whether there is a seat for each of the people of last time, and somebody for each seat that has to be taken.
 *
 * @param {HTMLElement} last
 * @param {Ruleset} ruleset
 */
function fits({ dataset }, { min_seats: min, max_seats: max }) {
  const { length } = JSON.parse(dataset.people ?? "[]");
  return min <= length && length <= max;
}

/**
 * Tell the seats that are taken from those that are free: after as many as were asked for, and after the last name.
 * Answers how many are taken.
 *
 * @param {HTMLInputElement[]} fields
 * @param {number} asked
 */
function markFree(fields, asked) {
  const taken = Math.max(asked, fields.findLastIndex(({ value }) => value.trim()) + 1);
  for (const [seat, field] of fields.entries()) {
    field.toggleAttribute("data-free", seat >= taken);
    field.placeholder = seat < taken ? t("name, or nobody known") : t("free: type a name");
  }
  return taken;
}

/**
 * The fields for the seats and components of a ruleset. Names that were typed stay, also of seats left out; the field
 * that somebody types in keeps the focus.
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
  while (names.length && !names.at(-1)) names.pop();
  let asked = Math.max(min, Math.min(names.length, max));
  let shown = form.querySelector("[data-person]") ? 0 : Math.min(FIRST_FIELDS, max);
  /** @param {number} count */
  const draw = (count) => {
    asked = count;
    const room = Math.max(count, shown);
    for (const field of fields().slice(room)) {
      names[field.dataset.seat] = field.value;
      field.parentElement.remove();
    }
    for (let seat = fields().length; seat < room; seat += 1) another.before(seatField(ruleset, seat, names[seat]));
    another.hidden = count >= max;
    return markFree(fields(), asked);
  };
  const number = seatCount(ruleset, asked, (count) => {
    shown = 0; // somebody who says how many there are wants no others
    draw(count);
  });
  const field = number.querySelector("input");
  /** @param {number} count */
  const tell = (count) => {
    field.value = count;
    another.hidden = count >= max;
  };
  const add = () => {
    const count = markFree(fields(), asked) + 1;
    tell(draw(count));
    fields()[count - 1].focus();
  };
  const another = h("button", { type: "button", class: "another", onclick: add }, t("One more player"));
  seats.oninput = (/** @type {{ target: any }} */ { target }) => target !== field && tell(markFree(fields(), asked));
  seats.replaceChildren(...(min < max ? [number] : []), another);
  draw(asked);
  chips(form, { min, max, draw, forget: () => names.splice(0) });
  form.querySelector("#components").replaceChildren(...(components.length ? componentsField(ruleset, components) : []));
}

/**
 * The fields for the options of a ruleset, as the house rules of the club have them.
 *
 * @param {HTMLFormElement} form
 * @param {Ruleset} ruleset
 * @param {Playable} playable
 * @param {ClubField} club
 */
function drawOptions(form, ruleset, playable, club) {
  form.querySelector("#options").replaceChildren(...optionFields(ruleset, playable));
  club.fill(ruleset.name);
}

/**
 * The choice among what was entered of a box.
 *
 * @param {Ruleset} ruleset
 * @param {Schemas["ComponentsInfo"][]} components
 */
function componentsField({ name }, components) {
  const options = components.map((found) => h("option", { value: found.name }, found.name));
  const none = h("option", { value: "" }, t("none of your own"));
  return [
    h("label", {}, t("Components"), h("select", { name: "components" }, none, options)),
    h("p", { class: "hint" }, h("a", { href: `/rulesets/${name}#components` }, t("Enter those of your box once"))),
  ];
}

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
    label ? named(label) : t("Seat {number}", { number: seat + 1 }),
    h("input", {
      "data-seat": seat,
      value: name,
      maxlength: limit("name"),
      list: "players",
      autocomplete: "off",
    }),
  );
}

/**
 * The switches of a ruleset. The sheet of a game is chosen already: only what can be added to it is asked for.
 *
 * @param {Ruleset} ruleset
 * @param {Playable} playable
 */
function optionFields(ruleset, { template }) {
  return ruleset.options.flatMap((option) =>
    ruleset.name === SHEET && option.name === "template" ? sheetField(option, template) : [optionField(option)],
  );
}

/**
 * The ready sheet that was chosen, and the words that can be added to it; nothing for a sheet of somebody's own.
 *
 * @param {Schemas["Option"]} option
 * @param {string | null} template
 * @returns {Element[]}
 */
function sheetField({ name, additions = {} }, template) {
  if (!template) return [];
  const field = h("input", { type: "hidden", "data-option": name, value: JSON.stringify(template) });
  const words = Object.entries(additions[template] ?? {}).map(([value, title]) =>
    check({ "data-addition": name, value, "data-group": title.group, onchange: leaveOthers }, title),
  );
  return [field, ...(words.length ? [h("div", { class: "checks additions" }, words)] : [])];
}

/**
 * Of the words of one group only that stays which was ticked last.
 *
 * @param {{ target: any }} event
 */
function leaveOthers({ target }) {
  if (!target.checked || !target.dataset.group) return;
  for (const other of target.closest(".additions").querySelectorAll(`[data-group="${target.dataset.group}"]`))
    if (other !== target) other.checked = false;
}

/**
 * @param {Attributes} attributes
 * @param {Schemas["Title"]} title
 */
function check(attributes, title) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", ...attributes }), " ", named(title));
}

/** @param {Schemas["Option"]} option */
function optionField({ name, title, choices, names, default: usual }) {
  if (choices.every((choice) => typeof choice === "boolean"))
    return check({ "data-option": name, checked: usual }, title);
  const options = choices.map((choice, index) =>
    h(
      "option",
      { value: JSON.stringify(choice), selected: choice === usual },
      names?.[index] ? ruleWord(names[index]) : optionText(choice),
    ),
  );
  return h("label", {}, named(title), h("select", { "data-option": name }, options));
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
 * The request that the form makes. The same form sent again makes another game: it has another id.
 *
 * @param {HTMLFormElement} form
 * @param {Playable} playable
 */
function opening(form, playable) {
  const seats = [...form.querySelectorAll("[data-seat]:not([data-free])")].map((field) =>
    field.value.trim() ? { name: field.value.trim() } : {},
  );
  const options = Object.fromEntries(
    [...form.querySelectorAll("[data-option]")].map((field) => [
      field.dataset.option,
      field.type === "checkbox" ? field.checked : choiceOf(form, field),
    ]),
  );
  const { title, place, day, components } = form.elements;
  const named = playable.components || components?.value;
  const box = named ? { components_name: named } : {};
  return {
    id: uuid7(),
    ruleset: playable.ruleset,
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
