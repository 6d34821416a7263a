import type { Environment } from "../schema/environment.ts";
import { jsonText } from "./safe-text.ts";

/** Where a command's words go: results to stdout, everything said on the way to stderr. */
export type Printer = {
  isJson: boolean;
  /** The one result of a command: a JSON document with `--json`, otherwise text for people. */
  result(document: unknown, text: string): void;
  progress(text: string): void;
  warn(text: string): void;
  /** True where colour helps a person and disturbs no program. */
  hasColour: boolean;
};

export function createPrinter({ isJson, env }: { isJson: boolean; env: Environment }): Printer {
  return {
    isJson,
    hasColour: !isJson && process.stdout.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    result: (document, text) => void process.stdout.write(isJson ? `${jsonText(document)}\n` : `${text}\n`),
    progress: (text) => void process.stderr.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`Warning: ${text}\n`),
  };
}
