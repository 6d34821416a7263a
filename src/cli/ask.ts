import { createInterface } from "node:readline";
import { HallError } from "../schema/hall-error.ts";
import type { Shell } from "./shell.ts";

/** Puts a question to the person at the terminal. Only a written yes is a yes. */
export type Ask = (question: string) => Promise<boolean>;

export function createAsk({ stdin, stderr }: Pick<Shell, "stdin" | "stderr">): Ask {
  return async (question) => {
    if (stdin.isTTY !== true || stderr.isTTY !== true) {
      throw new HallError("bad_request", "This needs a yes, and nobody is at a terminal to give it. Run it in a terminal, or add --yes.");
    }
    stderr.write(`${question} [y/N] `);
    // Left to itself the terminal hands out whole lines, and Ctrl-C stays a signal.
    const lines = createInterface({ input: stdin, terminal: false });
    const answer = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    lines.close();
    return /^\s*y(es)?\s*$/i.test(answer);
  };
}
