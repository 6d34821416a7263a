import { createInterface } from "node:readline";
import { until } from "../../../core/engine/job-handlers.testing.ts";
import { openEngineOfHome } from "./engine-of-home.testing.ts";

/**
 * A program for tests: consumes jobs in the home folder and prints what happens. Its handlers and settlers wait for a line
 * `finish <id>`; `cancel <id>` cancels a job.
 */
const [folder = "", kind = "", capacity = "", attempts] = process.argv.slice(2);
const say = (...words: unknown[]) => process.stdout.write(`${words.join(" ")}\n`);
const doors = new Map<string, () => void>();

const engine = await openEngineOfHome(folder);
const obeying = obey();
await engine.consume(
  kind,
  { capacity: capacity === "null" ? null : Number(capacity), attempts: Number(attempts) },
  async ({ job: { id }, attempt, signal }) => {
    signal.addEventListener("abort", () => say("abort", id));
    await finished(id, "run", id, attempt);
  },
  ({ id, state }) => finished(id, "settle", id, state),
);
await obeying;

function finished(id: string, ...words: unknown[]): Promise<void> {
  const door = Promise.withResolvers<void>();
  doors.set(id, door.resolve);
  say(...words);
  return door.promise;
}

async function obey(): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const [what, id = ""] = line.split(" ");
    if (what === "cancel") await engine.cancel(id).then(() => say("cancelled", id));
    else {
      doors.get(id)?.();
      await until(async () => (await engine.get(id))?.endedAt !== null);
      say("ended", id);
    }
  }
}
