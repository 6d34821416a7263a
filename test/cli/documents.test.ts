import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../src/adapters/files/config-file.ts";
import { createPrinter } from "../../src/cli/printer.ts";
import { createProgram } from "../../src/cli/program.ts";
import { Config } from "../../src/schema/config.ts";
import { exitCodes } from "../../src/schema/exit-code.ts";

const read = (name: string): Promise<string> => readFile(join(import.meta.dirname, "../../docs", name), "utf8");

describe("docs/configuration.md", () => {
  it("shows every key with its default", async () => {
    const example = /```yaml\n([^]*?)```/.exec(await read("configuration.md"))?.[1] ?? "";

    expect(parse(example)).toEqual(Config.parse({}));
    expect(parseConfig(example, "config.yaml")).toEqual(Config.parse({}));
  });
});

describe("docs/cli.md", () => {
  it("names every command and every flag", async () => {
    const text = await read("cli.md");
    const program = createProgram({
      printer: createPrinter({ isJson: false, shell: process }),
      shell: process,
      takeOverInterrupt: () => undefined,
    });

    const commands = allCommands(program);
    const flags = commands.flatMap(({ command }) => command.options.map((option) => option.long ?? ""));
    const names = commands.filter(({ command }) => command.commands.length === 0).map(({ name }) => name);

    expect([...names, ...flags].filter((name) => !text.includes(`\`${name}`))).toEqual([]);
  });

  it("names every exit code", async () => {
    const text = await read("cli.md");

    expect(Object.values(exitCodes).filter((code) => !new RegExp(`^\\| *${code} *\\|`, "m").test(text))).toEqual([]);
  });
});

describe("all documents", () => {
  it("show commands and flags that there are", async () => {
    const program = createProgram({
      printer: createPrinter({ isJson: false, shell: process }),
      shell: process,
      takeOverInterrupt: () => undefined,
    });
    const unknown: string[] = [];
    for await (const path of glob(["*.md", "docs/**/*.md", "guild-members/*/README.md"], { cwd: join(import.meta.dirname, "../..") })) {
      const text = await readFile(join(import.meta.dirname, "../..", path), "utf8");
      const shown = [...text.matchAll(/(?<![\w./-])guild-hall ((?:--)?[a-z]+[^`\n|#)]*)/g)].map(([, words = ""]) => words.trim());
      unknown.push(...shown.filter((words) => !isKnown(program, words)).map((words) => `${path}: guild-hall ${words}`));
    }

    expect(unknown).toEqual([]);
  });
});

/** Whether the words name a command and flags of it, as far as they go before `--`, behind which another program's words stand. */
function isKnown(program: Command, typed: string): boolean {
  const [own = ""] = typed.split(/ -- /);
  const words = own.split(" ");
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) break;
    command = next;
  }
  // A group may be spoken of as a whole.
  const isCommand =
    command.commands.length === 0 ||
    words.at(-1) === command.name() ||
    words.includes("--help") ||
    words.includes("--version") ||
    words[0] === "help";
  const flags = [...own.matchAll(/(?<=^| )--[a-z][a-z-]*/g)].map(([flag]) => flag);
  const known = [...command.options.map((option) => option.long), "--help", "--version"];
  return isCommand && flags.every((flag) => known.includes(flag));
}

/** With those inside of groups, by the whole of what is typed. */
/** Those that help does not offer are not documented. */
function allCommands(command: Command, before = ""): { command: Command; name: string }[] {
  const name = `${before}${command.name()}`;
  const shown = command.createHelp().visibleCommands(command);
  const offered = command.commands.filter((each) => shown.includes(each));
  return [{ command, name }, ...offered.flatMap((each) => allCommands(each, `${name} `))];
}
