import { stopCoverage, takeCoverage } from "node:v8";
import { typeCommand } from "./cli/typed-command.ts";
import type { TypedCommand } from "./cli/typed-command.ts";
import type { HostAnswer, HostOrder } from "./hall-host.ts";

/**
 * Opens halls one after the other, as `guild-hall serve` does: only the first has to read and compile what halls are made of. One at a
 * time, because pages find the hall they belong to in their process.
 */
let hall: TypedCommand | undefined;

process.on("message", (order: HostOrder) => {
  const done = order === "close" ? close() : open(order);
  void done.then(
    (said) => answer({ said }),
    (error: unknown) => answer({ failure: String(error) }),
  );
});

/** Whoever wanted halls is gone, by whatever death. What a hall has started ends with the hall. */
process.on("disconnect", () => {
  void close().finally(() => {
    stopCoverage();
    process.exit();
  });
});

function open({ words, env }: Exclude<HostOrder, "close">): Promise<string> {
  hall = typeCommand(words, { env });
  return hall.says(/^(\{"url":.*\})$/m);
}

async function close(): Promise<string> {
  if (hall === undefined) return "";
  hall.pressCtrlC();
  const { code, stderr } = await hall.ended;
  hall = undefined;
  // What was run is counted now, while somebody is there to add it up.
  takeCoverage();
  if (code !== 0) throw new Error(`The hall did not stop as it should: ${stderr}`);
  return stderr;
}

function answer(it: HostAnswer): void {
  process.send?.(it);
}
