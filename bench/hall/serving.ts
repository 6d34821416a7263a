import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const project = join(import.meta.dirname, "../..");

/** Starts the hall as a person does, calls the work with its address, and stops it again. */
export async function serving<Result>(home: string, work: (url: string) => Promise<Result>, checkout = project): Promise<Result> {
  const child = spawn("npm", ["start", "--silent", "--", "--port", "0", "--home", home, "--json"], {
    cwd: checkout,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, HOME: home, ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "", CLAUDE_CODE_OAUTH_TOKEN: "" },
  });
  // npm is gone before the hall is, which holds its output open.
  const closed = once(child, "close");
  try {
    return await work(await addressOf(child));
  } finally {
    // The whole group: npm does not hand signals on to what it started.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await closed;
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The hall was started without a pipe for its output.");
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("{")) return (JSON.parse(line) as { url: string }).url; // what `serve --json` prints
  }
  throw new Error("The hall ended before it opened.");
}
