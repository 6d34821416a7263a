import { answerTo } from "../../client/session-history.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import type { WaitingFor } from "../../schema/run.ts";
import type { SessionFailure } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { CommandContext } from "../command-context.ts";
import { createOutput } from "../output.ts";
import type { Printer } from "../printer.ts";
import { askAtLimit } from "../run/ask-at-limit.ts";
import { decisions } from "../run/run-commands.ts";
import type { RunCommands } from "../run/run-commands.ts";
import { createWaitLine } from "../run/wait-line.ts";
import { safeText } from "../safe-text.ts";
import { createAnswerPrinter } from "./answer-printer.ts";
import { askPatiently } from "./ask-patiently.ts";
import { followMessage } from "./follow-message.ts";
import type { Following } from "./follow-message.ts";

type Spoken = Pick<CommandContext, "printer" | "shell">;
type Usage = Extract<SessionEvent, { event: "usage" }>["data"];
type Budget = Extract<WaitingFor, { kind: "budget" }>;

type Printed = Omit<Following, "onEvent"> & {
  /** What to do when the run waits at its own limit: ask the person at the terminal, end the command, or keep following. */
  atLimit: "ask" | "leave" | "stay";
  /** Called with what the run waits for, and with null when it resumes. */
  onWaiting?: (waitingFor: WaitingFor | null) => void;
};

/** Prints the answer to a message as it comes, and how it ended; with `--json` one document at the end. The exit code tells the same. */
export async function printAnswer(printed: Printed, { printer, shell }: Spoken): Promise<void> {
  const { client, id, messageId, signal, atLimit, onWaiting } = printed;
  const commands: RunCommands = { group: "session", id };
  const isPaused = async () => (await askPatiently(signal, () => client.runs.state())).isPaused;
  const waitLine = createWaitLine({ printer, shell, commands, isPaused });
  const answer = createAnswerPrinter({ printer, output: createOutput(shell), waitLine });
  const leaving = new AbortController();
  const last: { usage: Usage | null; limit: SessionFailure | null } = { usage: null, limit: null };

  async function onEvent(event: SessionEvent): Promise<void> {
    if (event.event === "usage") last.usage = event.data;
    const waitingFor = event.event === "waiting" ? event.data.waitingFor : null;
    if (waitingFor !== null || event.event === "resumed") onWaiting?.(waitingFor);
    await answer.take(event);
    if (waitingFor?.kind === "budget" && (await isStillAt(waitingFor))) await stopAtLimit(waitingFor);
  }

  /** The stream also repeats waits that are over. */
  async function isStillAt({ since }: Budget): Promise<boolean> {
    const { session } = await askPatiently(signal, () => client.sessions.get(id, { limit: 1 }));
    return session.waitingFor?.kind === "budget" && session.waitingFor.since === since;
  }

  async function stopAtLimit({ limit, message }: Budget): Promise<void> {
    const isDecided = atLimit === "ask" && (await askAtLimit({ client, runId: messageId, limit, signal }, { printer, shell }));
    if (isDecided) return;
    printer.progress(decisions(commands, limit));
    if (atLimit === "stay") return;
    last.limit = { code: limit === "turns" ? "max_turns" : "budget", message };
    leaving.abort();
  }

  let failure: SessionFailure | null;
  try {
    failure = await followMessage({ ...printed, signal: AbortSignal.any([signal, leaving.signal]), onEvent });
  } catch (error) {
    if (last.limit === null || signal.aborted) throw error;
    failure = last.limit;
  } finally {
    await answer.end();
  }
  if (failure !== null && last.limit === null) printer.progress(safeText(failure.message));
  shell.exitCode = failure === null ? exitCodes.done : exitCodes.conflict;
  if (printer.isJson) await printDocument(printed, { usage: last.usage, error: failure }, printer);
}

type End = { usage: Usage | null; error: SessionFailure | null };

async function printDocument(
  { client: { sessions }, id, messageId, signal }: Omit<Following, "onEvent">,
  end: End,
  printer: Printer,
): Promise<void> {
  const { session } = await askPatiently(signal, () => sessions.get(id, { limit: 1 }));
  const messages = (await askPatiently(signal, () => answerTo(sessions, id, messageId))) ?? [];
  printer.result({ session, messageId, messages, ...end }, "");
}
