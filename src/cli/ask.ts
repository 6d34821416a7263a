import { createInterface } from "node:readline";
import { HallError } from "../schema/hall-error.ts";
import type { Shell } from "./shell.ts";

/** Puts a question to the person at the terminal. Only a written yes is a yes. */
export type Ask = (question: string) => Promise<boolean>;

export function createAsk(shell: Terminal): Ask {
  return async (question) => {
    if (!isAtTerminal(shell)) {
      throw new HallError("bad_request", "This needs a yes, and nobody is at a terminal to give it. Run it in a terminal, or add --yes.");
    }
    return /^\s*y(es)?\s*$/i.test(await askLine(shell, `${question} [y/N] `));
  };
}

type Terminal = Pick<Shell, "stdin" | "stderr">;

export const isAtTerminal = ({ stdin, stderr }: Terminal): boolean => stdin.isTTY === true && stderr.isTTY === true;

/** The line that the person types. Empty if the input ends or the signal aborts. */
export async function askLine({ stdin, stderr }: Terminal, question: string, signal?: AbortSignal): Promise<string> {
  stderr.write(question);
  // Left to itself the terminal hands out whole lines, and Ctrl-C stays a signal.
  const lines = createInterface({ input: stdin, terminal: false, ...(signal === undefined ? {} : { signal }) });
  const line = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  return line;
}
