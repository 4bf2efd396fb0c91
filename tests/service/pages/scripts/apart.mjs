/** Run test files, each with globals of its own: a thread starts in half the time of a process. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

for (const name of process.argv.slice(2)) {
  const [code] = await once(new Worker(new URL(name, import.meta.url)), "exit");
  process.exitCode ||= code;
}
