/** What Redocly and Spectral have to say against each OpenAPI document that is named, as lists in JSON. */

import { readFileSync } from "node:fs";
import { createConfig, lint } from "@redocly/openapi-core";
import core from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const config = await createConfig({ extends: ["recommended-strict"] });
const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });

/** What both say of one document. */
async function heard(path) {
  const redocly = await lint({ ref: path, config });
  const found = await spectral.run(readFileSync(path, "utf-8"));
  return [
    ...redocly.map(({ ruleId, message, location }) => `Redocly, ${ruleId}: ${message} at ${location[0].pointer}`),
    ...found.map(({ code, message, path }) => `Spectral, ${code}: ${message} at ${path.join(".")}`),
  ];
}

const told = [];
for (const path of process.argv.slice(2)) told.push(await heard(path));
console.log(JSON.stringify(told));
