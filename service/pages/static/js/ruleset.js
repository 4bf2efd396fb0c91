/** The page of a ruleset: its rules, and the stored components of boxes. */
import { ignoreHeldEnter } from "./base/held-enter.js";
import { keepPresses } from "./base/redrawn.js";
import { BoxComponents } from "./sheet/components.js";
import { localiseTimes } from "./base/times.js";
import { checkLoginOnReturn } from "./base/returning.js";

localiseTimes(document);
keepPresses();
ignoreHeldEnter();
checkLoginOnReturn();
const details = document.getElementById("components");
if (details) {
  if (location.hash === "#components") details.open = true;
  new BoxComponents(details).refresh();
}
