/** What Redocly or Spectral, the first argument, has to say against each OpenAPI document that is named, as lists in JSON. */

import { readFileSync } from "node:fs";
import { createConfig, lint } from "@redocly/openapi-core";
import core from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const TOOLS = {
  async Redocly(path) {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const found = await lint({ ref: path, config });
    return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0].pointer}`);
  },
  async Spectral(path) {
    const spectral = new core.Spectral();
    spectral.setRuleset({ extends: [rulesets.oas] });
    const found = await spectral.run(readFileSync(path, "utf-8"));
    return found.map(({ code, message, path }) => `${code}: ${message} at ${path.join(".")}`);
  },
};

const [tool, ...paths] = process.argv.slice(2);
const told = [];
for (const path of paths) told.push(await TOOLS[tool](path));
console.log(JSON.stringify(told));
