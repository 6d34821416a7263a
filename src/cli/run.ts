import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

/** Runs of the hall's own workers, and what they ask. Hidden until definitions, pages and help for them are there. */
export function addRun(program: Command, context: CommandContext): void {
  const options = (command: Command): Command =>
    command
      .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
      .option("--json", "print exactly one JSON document");

  options(program.command("run <worker> [input...]", { hidden: true })).action(
    async (worker: string, words: string[], flags: { home?: string }) => {
      const { runWorker } = await import("./run/run-worker.ts");
      await runWorker(worker, words, flags, context);
    },
  );

  const runs = program.command("runs", { hidden: true });
  options(runs.command("raise <run> <amount>")).action(async (id: string, amount: string, flags: { home?: string }) => {
    const { raiseById } = await import("./run/run-by-id.ts");
    await raiseById(id, amount, flags, context);
  });
  options(runs.command("finish <run>")).action(async (id: string, flags: { home?: string }) => {
    const { finishById } = await import("./run/run-by-id.ts");
    await finishById(id, flags, context);
  });
  options(runs.command("try-now <run>")).action(async (id: string, flags: { home?: string }) => {
    const { tryNowById } = await import("./run/run-by-id.ts");
    await tryNowById(id, flags, context);
  });
  options(runs.command("stop <run>")).action(async (id: string, flags: { home?: string }) => {
    const { stopById } = await import("./run/run-by-id.ts");
    await stopById(id, flags, context);
  });

  const approvals = program.command("approvals", { hidden: true });
  options(approvals.command("list")).action(async (flags: { home?: string }) => {
    const { listApprovals } = await import("./run/approvals.ts");
    await listApprovals(flags, context);
  });
  options(approvals.command("show <id>")).action(async (id: string, flags: { home?: string }) => {
    const { showApproval } = await import("./run/approvals.ts");
    await showApproval(id, flags, context);
  });
  options(approvals.command("approve <id>"))
    .option("--hash <inputHash>", "the hash that `approvals show` printed")
    .action(async (id: string, flags: { home?: string; hash?: string }) => {
      const { approveCall } = await import("./run/approvals.ts");
      await approveCall(id, flags, context);
    });
  options(approvals.command("reject <id>"))
    .requiredOption("--note <reason>", "what the worker is told")
    .action(async (id: string, flags: { home?: string; note: string }) => {
      const { rejectCall } = await import("./run/approvals.ts");
      await rejectCall(id, flags, context);
    });
}
