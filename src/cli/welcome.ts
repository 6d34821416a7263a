import { join } from "node:path";
import { createHallClient } from "../client/hall-client.ts";
import type { ModelInfo } from "../schema/health.ts";
import { isLoopback } from "../schema/loopback.ts";
import type { Printer } from "./printer.ts";

type Opened = { url: string; entryUrl: string; host: string; home: string; token: string | null; version: string; isFirstStart: boolean };

/** The address on stdout; what else a person wants to know at this moment on stderr. */
export async function welcome(opened: Opened, printer: Printer): Promise<void> {
  const { url, entryUrl, host, home, token, version } = opened;
  const client = createHallClient({ baseUrl: url, ...(token === null ? {} : { token }) });
  const model = await client.health().then(
    (health) => health.model,
    // The hall serves all the same; its pages say what is wrong.
    () => null,
  );
  printer.result({ url, entryUrl, pid: process.pid, home, version, model }, `Guild Hall is open at ${entryUrl}`);
  if (!isLoopback(host)) printer.warn(exposure(host));
  if (model !== null) printer.progress(`Model: ${model.name}. ${model.detail}`);
  if (opened.isFirstStart) for (const line of firstSteps(home, model)) printer.progress(line);
  printer.progress("Stop it with Ctrl-C.");
}

const exposure = (host: string): string =>
  `this hall listens on ${host}. Every machine that reaches this one can command its agents, read its sessions and spend on its model with the token. ` +
  "The connection is not encrypted: put a proxy with TLS in front of it.";

function firstSteps(home: string, model: ModelInfo | null): string[] {
  const kept = `This is the first start. Everything is kept in ${home}; copying that folder is a backup.`;
  const connect = `To connect Claude, put ANTHROPIC_API_KEY=… into ${join(home, ".env.local")} and choose “Check for a key again” in the hall, or run: guild-hall doctor`;
  return model?.backend === "demo" ? [kept, connect] : [kept];
}
