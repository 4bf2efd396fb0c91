/** The list's page: opening and importing games. */
import { Connection, showConnection } from "./connection.js";
import { importForm } from "./imports.js";
import { openingForm } from "./opening.js";
import { localise } from "./times.js";

localise(document);
if ("acts" in document.body.dataset) {
  const connection = new Connection();
  showConnection(document.getElementById("connection"), connection);
  openingForm(document.getElementById("opening"), connection);
  const imports = document.getElementById("import");
  if (imports) importForm(imports);
}
