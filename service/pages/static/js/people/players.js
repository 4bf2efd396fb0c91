import { get, put } from "../base/api.js";
import { h } from "../base/dom.js";
import { normalized } from "../base/folding.js";
import { limit } from "../base/limits.js";
import { uuid7 } from "../base/uuid.js";

const OFFERED = 20;

/**
 * Offer, in a list, the people who have played here and fit what is typed into a field. Without a connection, and where
 * more was typed meanwhile, the list stays as it is.
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
 * A field for somebody's name, and the list, with the id `list`, of those who fit it. Tells `onchange` of every change.
 *
 * @param {string} list
 * @param {{ placeholder: string, onchange: () => void }} options
 */
export function personField(list, { placeholder, onchange }) {
  const players = h("datalist", { id: list });
  const field = h("input", { maxlength: limit("name"), list, autocomplete: "off", placeholder });
  field.addEventListener("input", () => {
    offerPlayers(field, players);
    onchange();
  });
  return { field, players };
}

/**
 * Who goes by a name here, `{id, name}`: somebody new, if nobody does. A name is also theirs in another case or width.
 *
 * @param {string} name
 */
export async function personNamed(name) {
  const found = await peopleLike(name);
  const exact = found.find((player) => player.name === name);
  const near = found.find((player) => normalized(player.name) === normalized(name));
  return exact ?? near ?? put(`/v1/players/${uuid7()}`, { name });
}
