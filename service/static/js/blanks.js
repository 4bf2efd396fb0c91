import { h } from "./dom.js";
import { stone } from "./words.js";

/**
 * Fields for the legal moves that leave values open: one move is open at a time, and whatever is filled in is told to
 * `ontype` as the line of notation that it makes. Fields that stay empty stay `?`.
 */
export class Blanks {
  #shown = "";

  constructor(element, words, ontype) {
    Object.assign(this, { element, words, ontype });
  }

  /** Show the fields of these moves; what was typed stays as long as the moves do. */
  show(moves) {
    const open = moves.filter(({ blanks }) => blanks?.length);
    const key = JSON.stringify(open.map(({ notation }) => notation));
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.replaceChildren(...open.map((move, index) => this.#sheet(move, index === 0)));
  }

  #sheet({ notation, blanks }, open) {
    const fields = blanks.map((blank) => (blank.choices?.length ? choices(blank) : number()));
    const tell = () => {
      const values = fields.map((field) => field.value.trim() || "?");
      this.ontype(values.every((value) => value === "?") ? "" : notation.replace(/(?<=^|\s)\?(?=\s|$)/g, () => values.shift()));
    };
    fields.forEach((field) => field.addEventListener("input", tell));
    return h(
      "details",
      { name: "blanks", open },
      h("summary", {}, notation.replace(/(\s\?)+$/, "")),
      h("div", { class: "fields" }, blanks.map((blank, index) => this.#row(blank, fields[index], tell))),
    );
  }

  #row({ seat, choices: words }, field, tell) {
    const name = seat == null ? "All" : this.words.name(seat);
    field.setAttribute("aria-label", name); // a label around a list would read its choices, too
    const label = h("label", {}, stone(seat), " ", h("bdi", {}, name), " ", field);
    return h("div", { class: "blank" }, label, words?.length ? null : sign(field, name, tell));
  }
}

function number() {
  return h("input", { inputmode: "decimal", autocomplete: "off", size: "5", maxlength: "12", enterkeyhint: "next" });
}

function choices(blank) {
  return h("select", {}, h("option", { value: "" }, "–"), blank.choices.map((word) => h("option", { value: word }, word)));
}

/** The numbers' keyboard of many phones has no minus. */
export function sign(field, name, tell) {
  const turn = () => {
    field.value = field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`;
    if (field.value !== "-") tell();
    field.focus();
  };
  return h("button", { type: "button", class: "sign", "aria-label": `Minus for ${name}`, onclick: turn }, "±");
}
