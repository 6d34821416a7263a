import { jsonText } from "./safe-text.ts";
import type { Shell } from "./shell.ts";

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

export function createPrinter({ isJson, shell: { env, stdout, stderr } }: { isJson: boolean; shell: Shell }): Printer {
  return {
    isJson,
    hasColour: !isJson && stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    result: (document, text) => void stdout.write(isJson ? `${jsonText(document)}\n` : `${text}\n`),
    progress: (text) => void stderr.write(`${text}\n`),
    warn: (text) => void stderr.write(`Warning: ${text}\n`),
  };
}
