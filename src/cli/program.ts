import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { addDoctor } from "./doctor.ts";
import { addJob } from "./job.ts";
import { addLimit } from "./limit.ts";
import { addMember } from "./member.ts";
import { addNew } from "./new.ts";
import { addOpen } from "./open.ts";
import { addRehearse } from "./rehearse.ts";
import { addRunControl } from "./run-control.ts";
import { addRun } from "./run.ts";
import { addServe } from "./serve.ts";
import { addService } from "./service.ts";
import { addSession } from "./session.ts";
import { addStatus } from "./status.ts";
import { answerUnknown } from "./unknown-command.ts";
import { readVersion } from "./version.ts";

/** One file per group of commands. What a command needs beyond its words is imported when it runs, so that help stays instant. */
export function createProgram(context: CommandContext): Command {
  const { printer } = context;
  const program = new Command("guild-hall")
    .description("A self-hosted workspace for delegating work to AI specialists. Start here: guild-hall serve")
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "say what there is and how to use it")
    .helpCommand("help [command]", "say how a command is used")
    .option("--json", "print exactly one JSON document")
    .exitOverride()
    .configureOutput({ writeOut: (text) => printer.result(textDocument(text), text.trimEnd()), writeErr: () => undefined });
  addServe(program, context);
  addOpen(program, context);
  addStatus(program, context);
  addDoctor(program, context);
  addSession(program, context);
  addJob(program, context);
  addLimit(program, context);
  addRunControl(program, context);
  addMember(program, context);
  addNew(program, context);
  addRehearse(program, context);
  addService(program, context);
  addRun(program, context);
  for (const group of [program, ...program.commands.filter(({ commands }) => commands.length > 0)]) answerUnknown(group);
  return program;
}

/** What `--version --json` and `--help --json` print. */
const textDocument = (text: string): Record<string, string> => (/^\d/.test(text) ? { version: text.trim() } : { help: text });
