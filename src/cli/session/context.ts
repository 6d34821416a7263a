import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { createOutput } from "../output.ts";
import { quoted } from "../safe-text.ts";
import { findSession } from "./find-session.ts";
import { readNamedFile } from "./read-words.ts";
import type { ContextFlags } from "./session-flags.ts";

/** The context file of a session: printed, or replaced by another. */
export async function showContext(wanted: string, flags: ContextFlags, { printer, shell }: CommandContext): Promise<void> {
  const { client } = await findHall(flags.home, shell);
  const { id, name } = await findSession(client.sessions, wanted);
  // Read before the new text, so that what somebody writes meanwhile is noticed.
  const { text, etag } = await client.sessions.context.read(id);
  if (flags.write === undefined) return printer.result({ text, etag }, createOutput(shell).clean(text).replace(/\n$/, ""));
  const written = await client.sessions.context.write(id, await readNamedFile(flags.write, shell), etag);
  printer.result(written, `The context of ${quoted(name)} is written.`);
}
