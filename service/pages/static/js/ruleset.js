/** A ruleset's page: its rules, and the components that were entered of boxes. */
import { keepPresses } from "./base/redrawn.js";
import { BoxComponents } from "./sheet/components.js";
import { localise } from "./base/times.js";

localise(document);
keepPresses();
const details = document.getElementById("components");
if (details) {
  if (location.hash === "#components") details.open = true;
  new BoxComponents(details).refresh();
}
