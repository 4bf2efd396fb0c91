/** A ruleset's page: its rules, and the components that were entered of boxes. */
import { componentsForm } from "./components.js";
import { localise } from "./times.js";

localise(document);
const details = document.getElementById("components");
if (details) {
  if (location.hash === "#components") details.open = true;
  componentsForm(details);
}
