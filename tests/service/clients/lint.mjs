/** What Redocly and Spectral have to say against the OpenAPI document that is named, as a list in JSON. */

import { readFileSync } from "node:fs";
import { createConfig, lint } from "@redocly/openapi-core";
import core from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const path = process.argv[2];

const redocly = await lint({ ref: path, config: await createConfig({ extends: ["recommended-strict"] }) });

const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
const found = await spectral.run(readFileSync(path, "utf-8"));

console.log(
  JSON.stringify([
    ...redocly.map(({ ruleId, message, location }) => `Redocly, ${ruleId}: ${message} at ${location[0].pointer}`),
    ...found.map(({ code, message, path }) => `Spectral, ${code}: ${message} at ${path.join(".")}`),
  ]),
);
