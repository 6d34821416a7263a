import { readFile } from "node:fs/promises";
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
    const program = createProgram({ printer: createPrinter({ isJson: false, env: {} }), takeOverInterrupt: () => undefined });

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

/** With those inside of groups, by the whole of what is typed. */
function allCommands(command: Command, before = ""): { command: Command; name: string }[] {
  const name = `${before}${command.name()}`;
  return [{ command, name }, ...command.commands.flatMap((each) => allCommands(each, `${name} `))];
}
