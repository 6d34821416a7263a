import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import type { AnswerFlags, DispatchFlags, HideFlags, HomeFlag, ListFlags, ResultFlags, SureFlags } from "./job/job-flags.ts";

const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** Everything about jobs of workers. Each command is a file that is loaded when it runs. */
export function addJob(program: Command, context: CommandContext): void {
  const job = program.command("job").description("jobs of workers: dispatch, list, look on, answer, cancel");

  const command = (usage: string, description: string): Command =>
    job
      .command(usage)
      .description(description)
      .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
      .option("--json", "print exactly one JSON document");

  command("dispatch <worker> [task...]", "give a worker a job and print its id; - reads the task from stdin")
    .option("--description <text>", "a few words for lists (default: the first line of the task)")
    .option("--config <json>", "settings for this job, as the worker knows them")
    .option("--follow", "look on until it is over, and print the result")
    .action(async (worker: string, words: string[], flags: DispatchFlags) => {
      const { dispatchJob } = await import("./job/dispatch.ts");
      await dispatchJob(worker, words, flags, context);
    });

  command("list", "jobs of all workers, the newest first")
    .option("--worker <worker>", "only those of this worker")
    .option("--status <status>", "only those that are running, completed, failed or cancelled; may be repeated", collect)
    .option("--filter <glob>", "only those whose description is like this; * stands for anything")
    .option("--needs-you", "only those with a question that nobody has answered")
    .option("--hidden", "also failed ones that were hidden")
    .option("--limit <number>", "how many at most (default: 50)")
    .action(async (flags: ListFlags) => {
      const { listJobs } = await import("./job/list.ts");
      await listJobs(flags, context);
    });

  command("show <worker> <job>", "a job: its task, how it fares, what it asked and decided").action(
    async (worker: string, wanted: string, flags: HomeFlag) => {
      const { showJob } = await import("./job/show.ts");
      await showJob(worker, wanted, flags, context);
    },
  );

  command("watch <worker> <job>", "look on until a job is over, and print the result; Ctrl-C leaves and stops nothing").action(
    async (worker: string, wanted: string, flags: HomeFlag) => {
      const { watchJob } = await import("./job/watch.ts");
      await watchJob(worker, wanted, flags, context);
    },
  );

  command("result <worker> <job>", "what a job that is completed came to")
    .option("--out <folder>", "save its artifacts there")
    .action(async (worker: string, wanted: string, flags: ResultFlags) => {
      const { showResult } = await import("./job/result.ts");
      await showResult(worker, wanted, flags, context);
    });

  command("answer <worker> <job> [answer...]", "answer a question of a job, with which the worker begins a new one; - reads stdin")
    .option("--question <question>", "which one: its number, or a part of it (default: the only open one)")
    .option("--dismiss", "say that the question needs no answer, and begin no new job")
    .option("--follow", "look on until the new job is over, and print the result")
    .action(async (worker: string, wanted: string, words: string[], flags: AnswerFlags) => {
      const { answerQuestion } = await import("./job/answer.ts");
      await answerQuestion({ worker, wanted, words }, flags, context);
    });

  command("cancel <worker> <job>", "end a job that runs or waits for its turn").action(
    async (worker: string, wanted: string, flags: HomeFlag) => {
      const { cancelJob } = await import("./job/life.ts");
      await cancelJob(worker, wanted, flags, context);
    },
  );

  command("delete <worker> <job>", "delete a job that is completed or cancelled, with all its files")
    .option("--yes", "do not ask")
    .action(async (worker: string, wanted: string, flags: SureFlags) => {
      const { deleteJob } = await import("./job/life.ts");
      await deleteJob(worker, wanted, flags, context);
    });

  command("hide <worker> <job>", "leave a job that failed out of lists")
    .option("--undo", "show it again")
    .action(async (worker: string, wanted: string, flags: HideFlags) => {
      const { hideJob } = await import("./job/life.ts");
      await hideJob(worker, wanted, flags, context);
    });
}
