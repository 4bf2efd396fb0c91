import { t } from "./language.js";

const ROLES = {
  viewer: t("viewer"),
  recorder: t("recorder"),
  referee: t("referee"),
  owner: t("owner"),
  player: t("player"),
};

/** What a role is called. */
export function roleName(role) {
  return ROLES[role] ?? role;
}
