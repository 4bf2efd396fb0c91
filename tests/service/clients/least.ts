/** What may be left out of a request need not be sent: with the usual options of the generator, and strictly. */

import type { components, operations } from "./kifu";

type Schemas = components["schemas"];

export const opening: Schemas["Opening"] = { id: "0199d2f3-6a00-7000-8000-000000000001", ruleset: "kahuna" };
export const entries: Schemas["Entries"] = {
  events: [{ id: "0199d2f3-6a00-7000-8000-000000000002", data: { move: "a-h" } }],
};
export const token: Schemas["Token"] = { name: "The scoreboard" };
export const webhook: Schemas["Webhook"] = { url: "https://scores.example/kifu" };
export const link: Schemas["Link"] = {};
export const analysis: Schemas["Analysis"] = { kind: "timeline" };
export const list: operations["list_games"]["parameters"]["query"] = {};
