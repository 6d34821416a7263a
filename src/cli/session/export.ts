import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { sessionJson, sessionMarkdown } from "../../client/session-document.ts";
import { readWhole } from "../../client/session-history.ts";
import { HallError } from "../../schema/hall-error.ts";
import { checked } from "../checked.ts";
import type { CommandContext } from "../command-context.ts";
import { findHall } from "../find-hall.ts";
import { createOutput } from "../output.ts";
import { jsonText, plainText, quoted } from "../safe-text.ts";
import { findSession } from "./find-session.ts";
import type { ExportFlags } from "./session-flags.ts";

const Format = z.enum(["md", "json"], "must be md or json");

/** A session as one document, written message by message as they are read. */
export async function exportSession(wanted: string, flags: ExportFlags, { printer, shell }: CommandContext): Promise<void> {
  const format = checked(Format, flags.format ?? formatOf(flags.out, printer.isJson), "--format");
  if (printer.isJson && format === "md" && flags.out === undefined) {
    throw new HallError("bad_request", "With --json, Markdown has to go to a file: add --out <file>.");
  }
  const { client } = await findHall(flags.home, shell);
  const { id } = await findSession(client.sessions, wanted);
  const { session, messages } = await readWhole(client.sessions, id);
  const output = createOutput(shell);
  const clean = flags.out === undefined ? output.clean : plainText;
  const pieces = format === "json" ? sessionJson(session, messages, jsonText) : sessionMarkdown(session, messages, clean);
  if (flags.out === undefined) {
    for await (const piece of pieces) await output.write(piece);
    return;
  }
  const file = resolve(shell.cwd(), flags.out);
  await writeFileFrom(pieces, file, flags.force === true);
  printer.result({ file, format, session }, `${quoted(session.name)} is in ${file}.`);
}

const formatOf = (out: string | undefined, isJson: boolean): string =>
  out?.endsWith(".json") === true || (isJson && out === undefined) ? "json" : "md";

/** Whole or not at all: what goes wrong leaves nothing new behind, and a file that is replaced is there until the new one is. */
async function writeFileFrom(pieces: AsyncIterable<string>, file: string, mayReplace: boolean): Promise<void> {
  const target = mayReplace ? `${file}.${randomUUID()}.part` : file;
  const stream = createWriteStream(target, { flags: "wx" });
  try {
    await pipeline(Readable.from(pieces), stream);
    if (mayReplace) await rename(target, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") throw new HallError("conflict", `${file} is there already. Choose another, or add --force.`, { cause: error });
    await rm(target, { force: true });
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR" || code === "ENOTDIR") {
      throw new HallError("bad_request", `${file} cannot be written. Is its folder there, and yours to write in?`, { cause: error });
    }
    throw error;
  }
}
