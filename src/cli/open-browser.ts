import { spawn } from "node:child_process";
import type { Printer } from "./printer.ts";

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Shows an address in the person's browser, or asks the person to open it. */
export async function showInBrowser(url: string, printer: Printer): Promise<void> {
  if (!(await openBrowser(url))) printer.warn(`no browser could be opened. Open ${url} yourself.`);
}

/** Asks the desktop to show an address. Answers false where there is none; a browser that opens and fails says so itself. */
function openBrowser(url: string): Promise<boolean> {
  const [program = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
