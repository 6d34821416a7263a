import { spawn } from "node:child_process";
import type { Machine } from "../server/without-hall.ts";
import type { Printer } from "./printer.ts";

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

type Shown = { machine: Pick<Machine, "writeEntryPage">; home: string; url: string };

/**
 * Shows an address with a code in the person's browser, or asks the person to open it. The browser is given a file: every user
 * of the machine sees the arguments of a program.
 */
export async function showInBrowser({ machine, home, url }: Shown, printer: Printer): Promise<void> {
  if (!(await openBrowser(await machine.writeEntryPage(home, url)))) printer.warn(`no browser could be opened. Open ${url} yourself.`);
}

/** Asks the desktop to show a page. Returns false if there is no desktop; a browser that opens and fails reports that itself. */
function openBrowser(page: string): Promise<boolean> {
  const [program = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, page], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
