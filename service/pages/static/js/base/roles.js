import { t } from "./language.js";

/** @type {Record<string, string>} */
const ROLES = {
  viewer: t("viewer"),
  recorder: t("recorder"),
  referee: t("referee"),
  owner: t("owner"),
  player: t("player"),
};

/**
 * The name of a role.
 *
 * @param {string} role
 */
export function roleName(role) {
  return ROLES[role] ?? role;
}
