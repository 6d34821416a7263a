import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

export function addOpen(program: Command, { printer, shell }: CommandContext): void {
  program
    .command("open")
    .description("print an address that opens the hall in a browser as its owner; it works once, within an hour")
    .option("--browser", "show it in the browser too")
    .option("--home <folder>", "home folder of the hall (default: ~/.guild-hall)")
    .option("--json", "print exactly one JSON document")
    .action(async (flags: { browser?: boolean; home?: string }) => {
      const [{ findHall }, { entryAddress }] = await Promise.all([import("./find-hall.ts"), import("../schema/entry-code.ts")]);
      const { client, url, machine, home } = await findHall(flags.home, shell);
      const { code, expiresAt } = await client.entryCode();
      const entryUrl = entryAddress(url, { code });
      printer.result({ entryUrl, expiresAt }, entryUrl);
      if (flags.browser !== true) return;
      const { showInBrowser } = await import("./open-browser.ts");
      await showInBrowser({ machine, home, url: entryUrl }, printer);
    });
}
