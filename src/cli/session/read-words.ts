import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { HallError } from "../../schema/hall-error.ts";
import type { Shell } from "../shell.ts";

/** What was typed after the command; `-`, or nothing where something is piped in, reads stdin to its end. */
export async function readWords(typed: string | undefined, { stdin }: Pick<Shell, "stdin">): Promise<string> {
  if (typed !== undefined && typed !== "-") return typed;
  if (typed === undefined && stdin.isTTY === true) {
    throw new HallError("bad_request", "Say what to send: as the last argument, or - to read it from stdin.");
  }
  return readAll(stdin);
}

/** The text of a file that a person named; `-` is stdin. */
export async function readNamedFile(path: string, { stdin, cwd }: Pick<Shell, "stdin" | "cwd">): Promise<string> {
  if (path === "-") return readAll(stdin);
  return readFile(resolve(cwd(), path), "utf8").catch((cause: unknown) => {
    throw new HallError("bad_request", `${path} cannot be read. Is it a text file that is there?`, { cause });
  });
}
