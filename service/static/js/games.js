/** The list's page: opening and importing games. */
import { Connection, showConnection } from "./base/connection.js";
import { importForm } from "./record/imports.js";
import { openingForm } from "./record/opening.js";
import { localise } from "./base/times.js";

localise(document);
if ("acts" in document.body.dataset) {
  const connection = new Connection();
  showConnection(document.getElementById("connection"), connection);
  openingForm(document.getElementById("opening"), connection);
  const imports = document.getElementById("import");
  if (imports) importForm(imports);
}
