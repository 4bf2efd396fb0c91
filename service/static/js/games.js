/** The list's page: opening and importing games. */
import { Connection, showConnection } from "./connection.js";
import { importForm } from "./imports.js";
import { openingForm } from "./opening.js";
import { localise } from "./times.js";

localise(document);
if ("owner" in document.body.dataset) {
  const connection = new Connection();
  showConnection(document.getElementById("connection"), connection);
  openingForm(document.getElementById("opening"), connection);
  importForm(document.getElementById("import"));
}
