import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Config } from "../../schema/config.ts";
import { HallError } from "../../schema/hall-error.ts";
import { parseConfig, readConfig } from "./config-file.ts";

describe("config.yaml", () => {
  it("may be absent, empty or all comments, and every key has its default", async () => {
    const folder = await temporaryFolder();

    const absent = await readConfig(join(folder, "config.yaml"));

    expect(absent).toEqual(Config.parse({}));
    expect(parseConfig("", "config.yaml")).toEqual(absent);
    expect(parseConfig("# port: 1\nruns:\n  # atOnce: 3\n", "config.yaml")).toEqual(absent);
    expect(absent).toMatchObject({ host: "127.0.0.1", port: 4870, agent: { stallSeconds: 120, maxTurns: 150 } });
  });

  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: 1, max: 256 }), fc.boolean(), (port, atOnce, webTools) => {
        const written = { port, runs: { atOnce }, agent: { webTools } };

        expect(parseConfig(stringify(written), "config.yaml")).toEqual(Config.parse(written));
      }),
    );
  });

  it.each([
    ["an unknown key", "host: 127.0.0.1\n\nprot: 80\n", 'config.yaml line 3: unknown key "prot"; did you mean "port"?'],
    ["an unknown key inside a group", "runs:\n  atonce: 3\n", 'config.yaml line 2: unknown key "atonce"; did you mean "atOnce"?'],
    ["a wrong type", "port: eighty\n", 'config.yaml line 1: "port" must be a whole number from 0 to 65535, not "eighty"'],
    [
      "a number out of range",
      "agent:\n  maxTurns: 0\n",
      'config.yaml line 2: "agent.maxTurns" must be a whole number from 1 to 1000, not 0',
    ],
    ["a value where a group belongs", "logs: loud\n", 'config.yaml line 1: "logs" must be a group of keys, indented below it, not "loud"'],
    ["a key that is there twice", "port: 1\nhost: ::1\nport: 2\n", 'config.yaml line 3: the key "port" is there twice; keep one of them'],
    ["a tab", "runs:\n\tatOnce: 2\n", "config.yaml line 2: a tab is used to indent; YAML wants spaces"],
    [
      "an entry of a list",
      "allowedHosts:\n  - a.org\n  - a b\n",
      'config.yaml line 3: "allowedHosts[1]" must be a host name, with or without a port, not "a b"',
    ],
    ["no keys at all", "hello\n", 'config.yaml line 1: the document must be keys with values, one per line, not "hello"'],
  ])("with %s is refused with file, line and key", (_case, text, sentence) => {
    expect(() => parseConfig(text, "config.yaml")).toThrow(expect.objectContaining({ code: "invalid_config", message: sentence }));
  });

  it("tells all that is wrong at once, from top to bottom", () => {
    const text = "prot: 80\nruns:\n  atOnce: 0\nstreams:\n  mx: 1\n";

    expect(() => parseConfig(text, "config.yaml")).toThrow(
      'config.yaml line 1: unknown key "prot"; did you mean "port"?\n' +
        'config.yaml line 3: "runs.atOnce" must be a whole number from 1 to 256, not 0\n' +
        'config.yaml line 5: unknown key "mx"; did you mean "max"?',
    );
  });

  it("that is no YAML, no text or a folder is refused in words", async () => {
    const folder = await temporaryFolder();
    const binary = join(folder, "binary");
    const directory = join(folder, "directory");
    await writeFile(binary, Buffer.from([0x70, 0xff, 0xfe]));
    await mkdir(directory);

    expect(() => parseConfig("port: [1,\nhost: }\n", "config.yaml")).toThrow(/^config\.yaml line 2: not valid YAML: /);
    await expect(readConfig(binary)).rejects.toThrow(`${binary} is not UTF-8 text. Save it as UTF-8.`);
    await expect(readConfig(directory)).rejects.toMatchObject({ code: "home_unusable" });
  });

  it("is never changed, whatever is in it", async () => {
    const path = join(await temporaryFolder(), "config.yaml");
    await writeFile(path, "prot: 80 # mine\n");

    await expect(readConfig(path)).rejects.toMatchObject({ code: "invalid_config" });

    expect(await readFile(path, "utf8")).toBe("prot: 80 # mine\n");
  });

  it("of any content is either read or refused as a broken configuration", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.json().map((json) => `port: ${json}`),
        ),
        (text) => {
          expect(readOrRefuse(text)).toMatch(/^(read$|invalid_config: config\.yaml line \d+: )/);
        },
      ),
      { numRuns: 100 },
    );
  });
});

function readOrRefuse(text: string): string {
  try {
    return Config.safeParse(parseConfig(text, "config.yaml")).success ? "read" : "read, and wrong";
  } catch (error) {
    return error instanceof HallError ? `${error.code}: ${error.message}` : `a bug: ${String(error)}`;
  }
}
