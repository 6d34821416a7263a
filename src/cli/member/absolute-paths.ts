import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";

/**
 * A member runs in a folder of its own, so an argument that names a file here must say where that is. What may be the name
 * of a package, a module or a subcommand stays: made into a path, it would run something else.
 */
export function absolutePaths(command: readonly string[], folder: string): string[] {
  const [program = ""] = command;
  const isInterpreter = interpreters.has(program.split(/[/\\]/).at(-1) ?? "");
  const isCode = (at: number) => isInterpreter && codeFlags.has(command[at - 1] ?? "");
  const first = command.findIndex((word, at) => at > 0 && !word.startsWith("-") && !verbs.has(word));
  return command.map((word, at) => {
    if (isCode(at)) return word;
    const [, flag = "", value = ""] = /^(-[^=]*=)(.*)$/s.exec(word) ?? [];
    if (flag !== "") return flag + (isPath(value) ? whereItIs(value, folder) : value);
    if (isPath(word)) return whereItIs(word, folder);
    const mayBeFile = at > 0 && !word.startsWith("-") && !verbs.has(word) && (at !== first || isInterpreter || hasEnding.test(word));
    return mayBeFile && isFile(resolve(folder, word)) ? resolve(folder, word) : word;
  });
}

/** Written as a path. The scope of a package is none. */
const isPath = (word: string): boolean => !/^[-@]/.test(word) && (/[/\\]/.test(word) || /^[.~]/.test(word));

function whereItIs(word: string, folder: string): string {
  const path = resolve(folder, word.replace(/^~(?=$|[/\\])/, homedir()));
  return existsSync(path) ? path : word;
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** The first word after others is a package or a subcommand; after these it is a file. */
const interpreters: ReadonlySet<string> = new Set("node bun deno tsx python python3 ruby perl php sh bash".split(" "));
const verbs: ReadonlySet<string> = new Set("run exec dlx x tool".split(" "));

/** What follows these is a module or a piece of code. */
const codeFlags: ReadonlySet<string> = new Set("-m -c -e -p --eval --print".split(" "));

const hasEnding = /.\.[A-Za-z0-9]+$/;
