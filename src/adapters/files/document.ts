import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { HallError } from "../../schema/hall-error.ts";
import { parseWellFormed } from "../../schema/well-formed.ts";
import type { Disk } from "./disk.ts";
import { createFileDurably, writeFileDurably } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { lineOfMistake } from "./json-mistake.ts";
import { readWholeFile } from "./read-whole-file.ts";

/** A kind of JSON file that carries the number of its format: `{ "version": 1, … }`. Reading never writes, not even what it migrated. */
export type DocumentKind<T extends Body> = {
  version: number;
  /** The document in today's shape, or null where there is no file. */
  read(path: string): Promise<T | null>;
  parse(text: string, path: string): T;
  write(path: string, value: T, on?: Disk): Promise<void>;
  /** Writes it only where there is no file yet; answers whether it did. */
  create(path: string, value: T, on?: Disk): Promise<boolean>;
  /** The next version of the format. Older files are migrated whenever they are read. */
  next<Next extends Body>(schema: z.ZodType<Next>, migrate: (before: T) => Next): DocumentKind<Next>;
};

/** What a document says besides its version. */
type Body = object & { version?: never };

/** Version 1 of a document. Later versions are chained with `next`, so a file of any age is read step by step. */
export const defineDocument = <T extends Body>(schema: z.ZodType<T>): DocumentKind<T> =>
  kindOf(1, (_version, body, path) => check(schema, body, path));

/** Brings the body of a file of any known version to today's shape. */
type Upgrade<T> = (version: number, body: object, path: string) => T;

function kindOf<T extends Body>(version: number, upgrade: Upgrade<T>): DocumentKind<T> {
  const parse = (text: string, path: string): T => {
    const { version: found, ...body } = parseVersioned(text, path);
    if (found > version) throw newer(path, found, version);
    return upgrade(found, body, path);
  };
  const print = (value: T) => `${JSON.stringify({ version, ...value }, null, 2)}\n`;
  return {
    version,
    parse,
    async read(path) {
      const text = await readText(path);
      return text === null ? null : parse(text, path);
    },
    write: (path, value, on) => writeFileDurably(path, print(value), on),
    create: (path, value, on) => createFileDurably(path, print(value), on),
    next: (schema, migrate) =>
      kindOf(version + 1, (found, body, path) => (found > version ? check(schema, body, path) : migrate(upgrade(found, body, path)))),
  };
}

async function readText(path: string): Promise<string | null> {
  try {
    const bytes = await readWholeFile(path);
    // Read as text all the same, a broken byte would become another character, and be written back as that.
    if (!isUtf8(bytes)) throw broken(path, "it is not text in UTF-8", null);
    return bytes.toString().replace(/^\uFEFF/, "");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw fileFailure(error, path);
  }
}

const Versioned = z.looseObject({ version: z.int().min(1) });

function parseVersioned(text: string, path: string): z.infer<typeof Versioned> {
  try {
    return check(Versioned, parseWellFormed(text), path);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw broken(path, `line ${lineOfMistake(text)} is not JSON (${error.message})`, error);
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const said = issues.map((issue) => `${issue.path === "" ? "" : `${issue.path}: `}${issue.message}`).join("; ");
  throw broken(path, said, checked.error, issues);
}

const broken = (path: string, what: string, cause: unknown, issues: { path: string; message: string }[] = []): HallError =>
  new HallError("file_broken", `${path} is broken: ${what}. It was left as it is; mend it or move it away.`, {
    cause,
    details: { path, issues },
  });

const newer = (path: string, found: number, known: number): HallError =>
  new HallError(
    "home_newer",
    `${path} was written by a newer Guild Hall (format ${found}; this one knows up to ${known}). Update Guild Hall, or move the file away.`,
    { details: { path, found, known } },
  );
