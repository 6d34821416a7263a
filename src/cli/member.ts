import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import type { AddFlags, CallFlags, HomeFlag, LogFlags, SureFlags } from "./member/member-flags.ts";

const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** Everything about guild members. Each command is a file that is loaded when it runs. */
export function addMember(program: Command, context: CommandContext): void {
  const member = program.command("member").description("guild members: list, add, remove, look into, call their tools");

  const command = (usage: string, description: string): Command =>
    member
      .command(usage)
      .description(description)
      .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
      .option("--json", "print exactly one JSON document");

  command("list", "all members, how they fare, and how many tools they have").action(async (flags: HomeFlag) => {
    const { listMembers } = await import("./member/list.ts");
    await listMembers(flags, context);
  });

  command("add", "add a program as a member, after showing what will run")
    .usage("[options] -- <command...>\n       guild-hall member add [options] --from <file>")
    .argument("[command...]", "the program and its arguments, after --")
    .option("--name <name>", "name of the member (default: made from the command)")
    .option("--description <text>", "what it is for")
    .option("--transport <kind>", "stdio, or http for a program that listens on ${PORT} (default: stdio)")
    .option("--env <KEY=VALUE>", "a variable it gets; may be repeated", collect)
    .option("--from <file>", "take the servers of .mcp.json, Claude Desktop or VS Code")
    .option("--only <name>", "with --from: only this server; may be repeated", collect)
    .option("--yes", "do not ask")
    .action(async (words: string[], flags: AddFlags) => {
      const { addMembers } = await import("./member/add.ts");
      await addMembers(words, flags, context);
    });

  command("remove <member>", "end a member and take it off the Roster; its folder is kept")
    .option("--yes", "do not ask")
    .action(async (name: string, flags: SureFlags) => {
      const { removeMember } = await import("./member/remove.ts");
      await removeMember(name, flags, context);
    });

  command("restart <member>", "end a member and start it anew").action(async (name: string, flags: HomeFlag) => {
    const { restartMember } = await import("./member/restart.ts");
    await restartMember(name, flags, context);
  });

  command("logs <member>", "what a member wrote to stderr last")
    .option("--follow", "go on until Ctrl-C")
    .action(async (name: string, flags: LogFlags) => {
      const { showLogs } = await import("./member/logs.ts");
      await showLogs(name, flags, context);
    });

  command("call <member> <tool> [json]", "call a tool; the input is JSON, or - to read it from stdin")
    .option("--arg <key=value>", "one field of the input; may be repeated", collect)
    .option("--out <folder>", "save pictures, sounds and files there")
    .action(async (name: string, tool: string, json: string | undefined, flags: CallFlags) => {
      const { callTool } = await import("./member/call.ts");
      await callTool({ member: name, tool, json }, flags, context);
    });

  command("accept <member>", "look at new and changed tools, and let agents use them")
    .option("--yes", "do not ask")
    .action(async (name: string, flags: SureFlags) => {
      const { acceptTools } = await import("./member/accept.ts");
      await acceptTools(name, flags, context);
    });
}
