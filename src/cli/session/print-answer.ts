import { answerTo } from "../../client/session-history.ts";
import { exitCodes } from "../../schema/exit-code.ts";
import type { SessionFailure } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { CommandContext } from "../command-context.ts";
import { createOutput } from "../output.ts";
import type { Printer } from "../printer.ts";
import { safeText } from "../safe-text.ts";
import { createAnswerPrinter } from "./answer-printer.ts";
import { askPatiently } from "./ask-patiently.ts";
import { followMessage } from "./follow-message.ts";
import type { Following } from "./follow-message.ts";

type Spoken = Pick<CommandContext, "printer" | "shell">;
type Usage = Extract<SessionEvent, { event: "usage" }>["data"];

/** Prints the answer to a message as it comes, and how it ended; with `--json` one document at the end. The exit code tells the same. */
export async function printAnswer(following: Omit<Following, "onEvent">, { printer, shell }: Spoken): Promise<void> {
  const answer = createAnswerPrinter({ printer, output: createOutput(shell) });
  const last: { usage: Usage | null } = { usage: null };
  const onEvent = (event: SessionEvent): Promise<void> => {
    if (event.event === "usage") last.usage = event.data;
    return answer.take(event);
  };
  let failure: SessionFailure | null;
  try {
    failure = await followMessage({ ...following, onEvent });
  } finally {
    await answer.end();
  }
  if (failure !== null) printer.progress(safeText(failure.message));
  shell.exitCode = failure === null ? exitCodes.done : exitCodes.conflict;
  if (printer.isJson) await printDocument(following, { usage: last.usage, error: failure }, printer);
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
