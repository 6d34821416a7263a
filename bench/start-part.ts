import { fork } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { BenchRow } from "./bench-row.ts";

type PartNeeds = { trial: boolean; minutes: string; mostMinutes: number };

/** Measures a part in a process of its own. Null where it broke off; it says itself why. */
export async function startPart(name: string, { trial, minutes, mostMinutes }: PartNeeds): Promise<BenchRow[] | null> {
  const flags = ["--minutes", minutes, ...(trial ? ["--trial"] : [])];
  const part = fork(join(import.meta.dirname, "run-part.ts"), [name, ...flags]);
  let rows: BenchRow[] | null = null;
  part.once("message", (message) => (rows = z.array(BenchRow).parse(message)));
  const timer = setTimeout(() => {
    process.stderr.write(`${name} has not ended within ${mostMinutes} minutes. `);
    part.kill("SIGTERM");
  }, mostMinutes * 60_000);
  // A terminal tells the part too; whoever sends a signal by hand tells only us.
  let isInterrupted = false;
  const interrupt = (signal: NodeJS.Signals): void => {
    isInterrupted = true;
    part.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  await new Promise((resolve) => part.once("exit", resolve));
  for (const signal of signals) process.off(signal, interrupt);
  clearTimeout(timer);
  if (isInterrupted) process.exit(130);
  return rows;
}
