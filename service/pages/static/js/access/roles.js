import { put, remove } from "../base/api.js";
import { h } from "../base/dom.js";
import { t } from "../base/language.js";
import { roleName } from "../base/roles.js";

/**
 * What each role may do on the service; without a role under "".
 *
 * @type {Record<string, string>}
 */
export const ROLE_MEANINGS = {
  "": t("nothing on the service, only what they play"),
  viewer: t("see all games"),
  recorder: t("record, and see what is hidden"),
  referee: t("correct others, rule, close"),
  owner: t("everything"),
};

/** @param {string} role */
export function roleWithMeaning(role) {
  return t("{role}: {meaning}", { role: roleName(role), meaning: ROLE_MEANINGS[role] });
}

/**
 * @param {string[]} roles
 * @param {string} value
 */
export function roleField(roles, value = "") {
  return h(
    "select",
    {},
    ["", ...roles].map((role) =>
      h("option", { value: role, selected: role === value }, role ? roleWithMeaning(role) : ROLE_MEANINGS[""]),
    ),
  );
}

/**
 * Give a role to a person, in place of the roles of `holders`: these ids belong to the same person.
 *
 * @param {string} person
 * @param {string | null} role
 * @param {string[]} holders
 */
export async function giveRole(person, role, holders = []) {
  if (role) await put(`/v1/roles/${person}`, { role });
  await Promise.all(holders.filter((id) => !role || id !== person).map((id) => remove(`/v1/roles/${id}`)));
}
