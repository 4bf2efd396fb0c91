import { get, put } from "../base/api.js";
import { h } from "../base/dom.js";
import { normalized } from "../base/folding.js";
import { maxLength } from "../base/limits.js";
import { uuid7 } from "../base/uuid.js";

const OFFERED = 20;

/**
 * Offer known people who match the text of a field. Without a connection, or if more was typed meanwhile, the list does
 * not change.
 *
 * @param {HTMLInputElement} field
 * @param {Element} list
 */
export async function offerPlayers(field, list) {
  const typed = field.value.trim();
  if (!typed) return;
  const found = await peopleLike(typed).catch(() => null);
  if (!found || typed !== field.value.trim()) return;
  list.replaceChildren(...found.slice(0, OFFERED).map(({ name }) => h("option", { value: name })));
}

/** @param {string} name */
async function peopleLike(name) {
  /** @type {Answer<Got<"/v1/players">>} */
  const { body } = await get(`/v1/players?q=${encodeURIComponent(name)}`);
  return body.players;
}

/**
 * A field for a person's name, with the list `list` of matching people. Calls `onchange` after every change.
 *
 * @param {string} list
 * @param {{ placeholder: string, onchange: () => void }} options
 */
export function personField(list, { placeholder, onchange }) {
  const players = h("datalist", { id: list });
  const field = h("input", { maxlength: maxLength("name"), list, autocomplete: "off", placeholder });
  field.addEventListener("input", () => {
    offerPlayers(field, players);
    onchange();
  });
  return { field, players };
}

/**
 * The person with a name, `{id, name}`, or a new one. Case and width do not matter.
 *
 * @param {string} name
 */
export async function personNamed(name) {
  const found = await peopleLike(name);
  const exact = found.find((player) => player.name === name);
  const near = found.find((player) => normalized(player.name) === normalized(name));
  return exact ?? near ?? put(`/v1/players/${uuid7()}`, { name });
}
