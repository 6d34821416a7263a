import { mimes } from "hono/utils/mime";

/** What a file is by its name, without parameters. */
export function mimeTypeOf(name: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return types.get(extension)?.split(";", 1)[0] ?? "application/octet-stream";
}

/** What agents write most, and the common table lacks or takes for something else. */
const ours = {
  c: "text/x-c",
  cpp: "text/x-c",
  diff: "text/x-diff",
  go: "text/x-go",
  h: "text/x-c",
  java: "text/x-java",
  jsonl: "application/jsonl",
  jsx: "text/jsx",
  log: "text/plain",
  markdown: "text/markdown",
  md: "text/markdown",
  patch: "text/x-diff",
  py: "text/x-python",
  rb: "text/x-ruby",
  rs: "text/x-rust",
  sh: "text/x-shellscript",
  sql: "text/x-sql",
  toml: "application/toml",
  ts: "text/x-typescript",
  tsv: "text/tab-separated-values",
  tsx: "text/x-typescript",
  yaml: "application/yaml",
  yml: "application/yaml",
};

const types: ReadonlyMap<string, string> = new Map(Object.entries({ ...mimes, ...ours }));
