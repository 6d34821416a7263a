import type { MessageId } from "../../schema/ids.ts";
import { money } from "../../schema/money.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { Output } from "../output.ts";
import type { Printer } from "../printer.ts";
import type { WaitLine } from "../run/wait-line.ts";
import { retryLine } from "../run/retry-line.ts";
import { createSafeFlow, safeText } from "../safe-text.ts";
import { callLine, resultLine } from "./tool-text.ts";

export type AnswerPrinter = {
  take(event: SessionEvent): Promise<void>;
  /** Ends the last line, and says what it cost. */
  end(): Promise<void>;
};

/** Prints an answer as it comes: what is said to the output, everything about it to stderr. With `--json` nothing is said before the end. */
export function createAnswerPrinter({
  printer,
  output,
  waitLine,
}: {
  printer: Printer;
  output: Output;
  waitLine: WaitLine;
}): AnswerPrinter {
  const flow = createSafeFlow(output.clean);
  const toolNames = new Map<string, string>();
  let message: MessageId | undefined;
  let isMidLine = false;
  let usage: string | null = null;

  async function say(text: string): Promise<void> {
    if (printer.isJson || text === "") return;
    waitLine.end();
    isMidLine = !text.endsWith("\n");
    await output.write(text);
  }

  async function endLine(): Promise<void> {
    await say(flow.rest());
    if (isMidLine) await say("\n");
  }

  /** On a terminal both come to the same place, so a note begins on a line of its own. */
  async function note(text: string): Promise<void> {
    await endLine();
    waitLine.end();
    printer.progress(safeText(text));
  }

  return {
    async take(event) {
      switch (event.event) {
        case "text":
          if (message !== event.data.messageId) {
            await endLine();
            if (message !== undefined) await say("\n");
          }
          message = event.data.messageId;
          return say(flow.take(event.data.text));
        case "tool_use":
          toolNames.set(event.data.id, event.data.name);
          return note(callLine(event.data.name, event.data.input));
        case "tool_result":
          return note(resultLine(toolNames.get(event.data.id) ?? "tool", event.data));
        case "status":
          if (event.data.retry === undefined) return;
          return note(retryLine(event.data.retry));
        case "waiting":
          await endLine();
          return waitLine.show(event.data.waitingFor);
        case "resumed":
          return note("It resumes.");
        case "near_limit":
          return note(event.data.message);
        case "note":
          return note(`The agent has read your note: ${event.data.text}`);
        case "usage":
          usage = usageLine(event.data);
          return;
        case "error":
        case "done":
          return;
      }
    },
    async end() {
      waitLine.end();
      await endLine();
      if (usage !== null) printer.progress(usage);
    },
  };
}

function usageLine({ inputTokens, outputTokens, costUsd, turns }: Extract<SessionEvent, { event: "usage" }>["data"]): string {
  return `${inputTokens} tokens in, ${outputTokens} out, ${turns} ${turns === 1 ? "turn" : "turns"}, ${money(costUsd)}`;
}
