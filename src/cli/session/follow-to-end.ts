import { exitCodes } from "../../schema/exit-code.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { CommandContext } from "../command-context.ts";
import { createStopSignal } from "../stop-signal.ts";
import type { Following } from "./follow-message.ts";
import { printAnswer } from "./print-answer.ts";

type Sent = Pick<Following, "client" | "id" | "messageId">;

/**
 * Prints the answer to an accepted message, and sets the exit code by how it ended. Ctrl-C stops a query that works and leaves one
 * that waits at a limit; a second Ctrl-C leaves in any case.
 */
export async function followToEnd(sent: Sent, { printer, shell, takeOverInterrupt }: CommandContext): Promise<void> {
  const leaving = new AbortController();
  const wish = { isStop: false };
  const run = { isPaused: false };
  // A closed terminal is no wish to stop what runs on the hall.
  const stop = createStopSignal(shell, undefined, ["SIGINT"]);
  takeOverInterrupt();
  void stop.forced.then(() => leaving.abort());
  void stop.requested.then(async () => {
    // It costs nothing while it waits at a limit.
    if (run.isPaused) return leaving.abort();
    wish.isStop = true;
    printer.progress("Stopping it. Ctrl-C again leaves without waiting.");
    await takeBack(sent).catch((error: unknown) => {
      printer.progress(error instanceof Error ? error.message : String(error));
      leaving.abort();
    });
  });
  const onWait = () => printer.progress("It waits for its turn.");
  const onWaiting = (waitingFor: WaitingFor | null) => void (run.isPaused = waitingFor?.kind === "limit" || waitingFor?.kind === "budget");
  try {
    await printAnswer({ ...sent, signal: leaving.signal, onWait, onWaiting, atLimit: "ask" }, { printer, shell });
  } catch (error) {
    // A message that was taken out of the queue has no answer.
    throw wish.isStop ? new HallError("interrupted", error instanceof Error ? error.message : String(error), { cause: error }) : error;
  }
  if (wish.isStop) shell.exitCode = exitCodes.interrupted;
}

/** Out of the queue where it waits; otherwise the query that it began is stopped. */
async function takeBack({ client: { sessions }, id, messageId }: Sent): Promise<void> {
  const { messages } = await sessions.queue.list(id);
  if (messages.some((message) => message.id === messageId)) return sessions.queue.remove(id, messageId);
  await sessions.stop(id).catch((error: unknown) => {
    // It ended by itself just now.
    if (!(error instanceof HallError && error.code === "conflict")) throw error;
  });
}
