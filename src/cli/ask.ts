import { createInterface } from "node:readline";
import { HallError } from "../schema/hall-error.ts";

/** Puts a question to the person at the terminal. Only a written yes is a yes. */
export type Ask = (question: string) => Promise<boolean>;

type Terminal = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; isTerminal: boolean };

export function createAsk({ input, output, isTerminal }: Terminal = atHand()): Ask {
  return async (question) => {
    if (!isTerminal) {
      throw new HallError("bad_request", "This needs a yes, and nobody is at a terminal to give it. Run it in a terminal, or add --yes.");
    }
    output.write(`${question} [y/N] `);
    // Left to itself the terminal hands out whole lines, and Ctrl-C stays a signal.
    const lines = createInterface({ input, terminal: false });
    const answer = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    lines.close();
    return /^\s*y(es)?\s*$/i.test(answer);
  };
}

const atHand = (): Terminal => ({ input: process.stdin, output: process.stderr, isTerminal: process.stdin.isTTY && process.stderr.isTTY });
