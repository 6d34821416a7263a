import type { WaitingFor } from "../../schema/run.ts";
import type { Printer } from "../printer.ts";
import type { Shell } from "../shell.ts";
import { typedCommand } from "./run-commands.ts";
import type { RunCommands } from "./run-commands.ts";
import { waitSentence } from "./wait-sentence.ts";

export type WaitLine = {
  /** Prints what the run waits for. On a terminal a known end is counted down until `end` is called. */
  show(waitingFor: WaitingFor): Promise<void>;
  /** Must be called before anything else is printed. */
  end(): void;
};

type WaitLineDeps = {
  printer: Pick<Printer, "progress">;
  shell: Pick<Shell, "stderr">;
  commands: RunCommands;
  /** Whether a person paused all runs that have not begun. */
  isPaused: () => Promise<boolean>;
  now?: () => number;
  /** Calls `look` again and again. Returns a function that ends it. */
  repeat?: (look: () => void) => () => void;
};

export function createWaitLine(deps: WaitLineDeps): WaitLine {
  const { printer, commands, isPaused, now = Date.now, repeat = everySecond } = deps;
  const { stderr } = deps.shell;
  let stop: (() => void) | null = null;

  function end(): void {
    if (stop === null) return;
    stop();
    stop = null;
    stderr.write("\n");
  }

  function countDown(waitingFor: WaitingFor): void {
    let shown = "";
    const draw = () => {
      const text = waitSentence(waitingFor, now());
      if (text !== shown) stderr.write(`\r${text}\u001b[K`);
      shown = text;
    };
    draw();
    stop = repeat(draw);
  }

  return {
    async show(waitingFor) {
      end();
      const sentence = waitSentence(waitingFor, now());
      if (waitingFor.kind === "limit") {
        const help = `Ctrl-C leaves it waiting. Try at once with: ${typedCommand(commands, "try-now")}`;
        if (stderr.isTTY !== true) return printer.progress(`${sentence} ${help}`);
        printer.progress(help);
        return countDown(waitingFor);
      }
      if (waitingFor.kind === "person")
        return printer.progress(`${sentence} See it with: guild-hall approvals show ${waitingFor.approvalId}`);
      if (waitingFor.kind === "slot" && (await isPaused()))
        return printer.progress(`${sentence} New runs are paused. Resume new runs with: guild-hall unpause`);
      printer.progress(sentence);
    },
    end,
  };
}

function everySecond(look: () => void): () => void {
  const timer = setInterval(look, 1000);
  return () => clearInterval(timer);
}
