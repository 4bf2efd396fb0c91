/** Record a game with the generated client, typed throughout: `node record.js <url> <token> <moves, one a line>`. */

import createClient from "openapi-fetch";
import type { components, paths } from "./kifu";

declare const process: { argv: string[] };

type Move = components["schemas"]["Move"];

const [url = "", token = "", lines = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });

function told<Data>(answer: { data?: Data; error?: components["schemas"]["Problem"] }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const game = crypto.randomUUID();
const opening = { id: game, ruleset: "kahuna", seats: [{ name: "Anna" }, { name: "Ben" }], title: "TypeScript" };
let { version } = told(await client.POST("/v1/games", { body: opening }));

async function send(data: components["schemas"]["Draft"]["data"]) {
  const header = { "If-Match": `"v${version}"` };
  const body = { events: [{ id: crypto.randomUUID(), data }] };
  return client.POST("/v1/games/{game}/events", { params: { path: { game }, header }, body });
}

let objects = 0;
for (const line of lines.split("\n")) {
  const { moves } = told(await client.GET("/v1/games/{game}/moves", { params: { path: { game } } }));
  const legal = moves.find(({ notation }) => notation === line);
  if (legal) objects += 1;
  const recorded = told(await send({ move: legal ? (legal.move as Move) : line }));
  version = recorded.version;
}

const against = await send({ move: { type: "decline", seat: 0 } });
const state = told(await client.GET("/v1/games/{game}/state", { params: { path: { game }, query: { at: 3 } } }));
const score = told(await client.GET("/v1/games/{game}/score", { params: { path: { game } } }));
const timeline = told(await client.GET("/v1/games/{game}/timeline", { params: { path: { game } } }));

console.log(
  JSON.stringify({
    game,
    version,
    objects,
    problem: against.error?.type,
    then: state.version,
    scores: score.scores,
    winners: score.outcome?.winners,
    entries: timeline.entries.length,
  }),
);
