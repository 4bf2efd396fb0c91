import { get } from "./api.js";
import { h } from "./dom.js";

const OFFERED = 20;

/**
 * Offer, in a list, the people who have played here and fit what is typed into a field; answers them by
 * name. Without a connection, and where more was typed meanwhile, the list stays as it is and nobody is answered.
 */
export async function offerPlayers(field, list) {
  const typed = field.value.trim();
  if (!typed) return [];
  const { body } = await get(`/v1/players?q=${encodeURIComponent(typed)}`).catch(() => ({ body: null }));
  if (!body || typed !== field.value.trim()) return [];
  list.replaceChildren(...body.players.slice(0, OFFERED).map(({ name }) => h("option", { value: name })));
  return body.players;
}
