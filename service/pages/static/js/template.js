/** The editor page for a score sheet's template. */
import { SheetFinder } from "./sheet/finder.js";
import { TemplateForm } from "./sheet/template-form.js";
import { ignoreHeldEnter } from "./base/held-enter.js";
import { keepPresses } from "./base/redrawn.js";
import { localiseTimes } from "./base/times.js";
import { checkLoginOnReturn } from "./base/returning.js";

const PATIENCE = 1000;

localiseTimes(document);
keepPresses();
ignoreHeldEnter();
checkLoginOnReturn({ follows: true });
const form = document.getElementById("template");
const finder = new SheetFinder(document.getElementById("finder"), Boolean(form));
await Promise.race([finder.find(), new Promise((later) => setTimeout(later, PATIENCE))]); // the form stands below its list
if (form) new TemplateForm(form, finder);
