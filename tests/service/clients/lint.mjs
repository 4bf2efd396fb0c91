/** What Redocly or Spectral, the first argument, has to say against each OpenAPI document that is named, as lists in JSON. */

import { readFileSync } from "node:fs";

/** Each loads its own packages: those of Spectral take longer to load than Redocly takes in all. */
const TOOLS = {
  async Redocly(path) {
    const { createConfig, lint } = await import("@redocly/openapi-core");
    const config = await createConfig({ extends: ["recommended-strict"] });
    const found = await lint({ ref: path, config });
    return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0].pointer}`);
  },
  async Spectral(path) {
    const { default: core } = await import("@stoplight/spectral-core");
    const { default: rulesets } = await import("@stoplight/spectral-rulesets");
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
