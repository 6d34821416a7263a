import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import type { ServiceFlags } from "./service/print-service.ts";

export function addService(program: Command, context: CommandContext): void {
  const group = program.command("service").description("let the machine start the hall and keep it open");

  group
    .command("print")
    .description("print a service of this user, with the commands to install and remove it; changes nothing")
    .option("--systemd", "a unit for systemd (default on Linux)")
    .option("--launchd", "a property list for launchd (default on macOS)")
    .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
    .option("--port <number>", "port to listen on (default: what config.yaml says, or 4870)")
    .option("--host <address>", "address to listen on (default: what config.yaml says, or 127.0.0.1)")
    .option("--model <name>", "model of sessions that name none")
    .option("--json", "print exactly one JSON document")
    .action(async (flags: ServiceFlags) => {
      const { printService } = await import("./service/print-service.ts");
      await printService(flags, context);
    });
}
