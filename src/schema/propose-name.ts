import { MemberName } from "./ids.ts";

/** What a person or a file calls something, as the name of a member: `GitHub Tools` becomes `github-tools`. */
export function memberNameFrom(text: string): MemberName {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 64)
    .replace(/-+$/, "");
  return MemberName.parse(plain === "" ? "member" : plain);
}

/** A name for the member that a command starts: what it runs matters, not what runs it. */
export function proposeName(command: readonly string[]): MemberName {
  const [program = "", ...args] = command;
  const what = runners.has(stem(program)) ? (args.find((arg) => !arg.startsWith("-") && !verbs.has(arg)) ?? program) : program;
  const parts = what.replace(/(?<=.)@[^/]*$/, "").split(/[/\\]+/);
  const named = parts.map(stem).findLast((part) => part !== "" && !sayNothing.has(part)) ?? program;
  return memberNameFrom(named.replace(/^(?:mcp-)?server-(?=.)/, "").replace(/(?<=.)-mcp(?:-server)?$/, ""));
}

/** Takes the name that is wanted, or else the first of `name-2`, `name-3` … that is free. */
export function freeName(wanted: MemberName, taken: ReadonlySet<string>): MemberName {
  if (!taken.has(wanted)) return wanted;
  for (let count = 2; ; count += 1) {
    const next = MemberName.parse(`${wanted.slice(0, 63 - String(count).length)}-${count}`);
    if (!taken.has(next)) return next;
  }
}

const runners: ReadonlySet<string> = new Set(
  "npx bunx pnpm yarn npm node bun deno tsx uv uvx pipx python python3 docker podman env sh bash".split(" "),
);
const verbs: ReadonlySet<string> = new Set("run exec dlx x tool".split(" "));

/** Names of files that many programs share; their folder says more. */
const sayNothing: ReadonlySet<string> = new Set(". .. server index main cli mcp src dist build bin".split(" "));

/** The last part of a path without the ending of a program's file. */
const stem = (path: string): string => (path.split(/[/\\]/).at(-1) ?? "").replace(/\.(?:[cm]?[jt]sx?|py|exe|sh)$/, "");
