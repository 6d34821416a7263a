import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import type {
  ContextFlags,
  DeleteFlags,
  ExportFlags,
  HomeFlag,
  LimitFlags,
  ListFlags,
  NewFlags,
  QueueFlags,
  SendFlags,
  ShowFlags,
  TailFlags,
} from "./session/session-flags.ts";

const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** Everything about sessions. Each command is a file that is loaded when it runs. */
export function addSession(program: Command, context: CommandContext): void {
  const session = program.command("session").description("sessions: list, begin, talk, look on, stop, take out");

  const command = (usage: string, description: string): Command =>
    session
      .command(usage)
      .description(description)
      .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
      .option("--json", "print exactly one JSON document");

  command("list", "sessions, the newest activity first")
    .option("--status <status>", "only those that are idle, running, completed, expired or error")
    .option("--search <words>", "only those with these words in their name or messages")
    .option("--member <member>", "only those with this member")
    .option("--limit <number>", "how many at most (default: 50)")
    .action(async (flags: ListFlags) => {
      const { listSessions } = await import("./session/list.ts");
      await listSessions(flags, context);
    });

  command("new <name>", "begin a session")
    .option("--member <member>", "a member whose tools it has; may be repeated", collect)
    .option("--model <name>", "model instead of the one of the hall")
    .option("--context <file>", "what its context file says at first; - reads it from stdin")
    .option("--send <text>", "send this at once and print the answer")
    .option("--detach", "with --send: do not wait for the answer")
    .action(async (name: string, flags: NewFlags) => {
      const { newSession } = await import("./session/create.ts");
      await newSession(name, flags, context);
    });

  command("send <session> [text]", "send a message and print the answer as it comes; - reads the message from stdin")
    .option("--queue", "let it wait for its turn where the session is busy")
    .option("--detach", "do not wait for the answer")
    .action(async (wanted: string, text: string | undefined, flags: SendFlags) => {
      const { sendMessage } = await import("./session/send.ts");
      await sendMessage(wanted, text, flags, context);
    });

  command("show <session>", "a session and what was said in it last")
    .option("--messages <number>", "how many of its messages (default: 10)")
    .action(async (wanted: string, flags: ShowFlags) => {
      const { showSession } = await import("./session/show.ts");
      await showSession(wanted, flags, context);
    });

  command("tail <session>", "look on: what runs, and what is asked after it, until Ctrl-C")
    .option("--once", "end with what runs now")
    .action(async (wanted: string, flags: TailFlags) => {
      const { tailSession } = await import("./session/tail.ts");
      await tailSession(wanted, flags, context);
    });

  const says = (word: "stop" | "complete" | "renew", description: string): Command =>
    command(`${word} <session>`, description).action(async (wanted: string, flags: HomeFlag) => {
      const { sayWord } = await import("./session/life.ts");
      await sayWord(word, wanted, flags, context);
    });
  says("stop", "stop what runs; what was said is kept");
  says("complete", "say that its work is done");
  says("renew", "begin a new conversation on the history of an expired session");

  command("raise <session> <amount>", "raise the limit that its run waits at, in dollars or turns; the run then resumes").action(
    async (wanted: string, amount: string, flags: HomeFlag) => {
      const { raiseSession } = await import("./session/run-verbs.ts");
      await raiseSession(wanted, amount, flags, context);
    },
  );

  command("finish <session>", "end a run that waits at a limit of money or turns, with what there is").action(
    async (wanted: string, flags: HomeFlag) => {
      const { finishSession } = await import("./session/run-verbs.ts");
      await finishSession(wanted, flags, context);
    },
  );

  command("try-now <session>", "try the model again, before its usage limit resets").action(async (wanted: string, flags: HomeFlag) => {
    const { trySession } = await import("./session/run-verbs.ts");
    await trySession(wanted, flags, context);
  });

  command("note <session> [text]", "send a note to the agent while it works; - reads it from stdin").action(
    async (wanted: string, text: string | undefined, flags: HomeFlag) => {
      const { sendNote } = await import("./session/run-verbs.ts");
      await sendNote(wanted, text, flags, context);
    },
  );

  command("rename <session> <name>", "give it another name").action(async (wanted: string, name: string, flags: HomeFlag) => {
    const { renameSession } = await import("./session/life.ts");
    await renameSession(wanted, name, flags, context);
  });

  command("limit <session> [usd]", "say what it has cost and may cost; with an amount, or none, set what it may cost in all")
    .option("--per-message", "set what the answer to one message may cost instead")
    .action(async (wanted: string, amount: string | undefined, flags: LimitFlags) => {
      const { limitSession } = await import("./session/limit.ts");
      await limitSession(wanted, amount, flags, context);
    });

  command("delete <session>", "delete a session and all files in its folder")
    .option("--yes", "do not ask")
    .action(async (wanted: string, flags: DeleteFlags) => {
      const { deleteSession } = await import("./session/life.ts");
      await deleteSession(wanted, flags, context);
    });

  command("queue <session>", "messages that wait for their turn")
    .option("--send", "send the first one on, after a stop or a failure held it back, and print the answer")
    .option("--remove <message>", "take this one back")
    .action(async (wanted: string, flags: QueueFlags) => {
      const { showQueue } = await import("./session/queue.ts");
      await showQueue(wanted, flags, context);
    });

  command("context <session>", "the context file that a session shares with you")
    .option("--write <file>", "replace it with this file; - reads it from stdin")
    .action(async (wanted: string, flags: ContextFlags) => {
      const { showContext } = await import("./session/context.ts");
      await showContext(wanted, flags, context);
    });

  command("export <session>", "a session with all its messages as one document")
    .option("--format <format>", "md or json (default: md, or as the file is called)")
    .option("--out <file>", "write it there instead of to stdout")
    .option("--force", "replace a file that is there")
    .action(async (wanted: string, flags: ExportFlags) => {
      const { exportSession } = await import("./session/export.ts");
      await exportSession(wanted, flags, context);
    });
}
