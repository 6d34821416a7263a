import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Check } from "../../src/schema/check.ts";
import { Problem } from "../../src/schema/problem.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";
import { startCli } from "./run-cli.ts";

describe("guild-hall", () => {
  it.each([["--help"], ["-h"], ["help"], []])("says what there is: %s", async (...args) => {
    const { code, stdout, stderr } = await runCommand(args);

    expect(code).toBe(0);
    expect(stdout).toMatch(/serve [^]*status [^]*doctor /);
    expect(stderr).toBe("");
  });

  it("prints its version, as text and as JSON", async () => {
    const text = await runCommand(["--version"]);
    const json = await runCommand(["--version", "--json"]);

    expect(text.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse(json.stdout)).toEqual({ version: text.stdout.trim() });
  });

  it.each([
    [["srve"], "Unknown command 'srve'. Did you mean serve? Run guild-hall --help for all there is."],
    [["sess", "list"], "Unknown command 'sess'. Did you mean session? Run guild-hall --help for all there is."],
    [["frobnicate"], "Unknown command 'frobnicate'. Run guild-hall --help for all there is."],
    [["session", "create", "Tides"], "Unknown command 'create'. Did you mean new? Run guild-hall --help for all there is."],
    [["session", "ls"], "Unknown command 'ls'. Did you mean list? Run guild-hall --help for all there is."],
    [["session", "rm", "tides"], "Unknown command 'rm'. Did you mean delete? Run guild-hall --help for all there is."],
    [["job", "create", "scribe"], "Unknown command 'create'. Did you mean dispatch? Run guild-hall --help for all there is."],
    [["member", "delete", "scribe"], "Unknown command 'delete'. Did you mean remove? Run guild-hall --help for all there is."],
    [["serve", "--prot", "1"], "Unknown option '--prot'. Did you mean --port? Run guild-hall --help for all there is."],
    [["--hlep"], "Unknown option '--hlep'. Did you mean --help? Run guild-hall --help for all there is."],
    [["help", "srve"], "That is not a command. Run guild-hall --help for all there is."],
    [["serve", "now"], "Too many arguments for 'serve'. Expected 0 arguments but got 1. Run guild-hall --help for all there is."],
    [["serve", "--port"], "Option '--port <number>' argument missing. Run guild-hall --help for all there is."],
    [["serve", "--port", "http"], '--port must be a whole number from 0 to 65535, not "http".'],
    [["doctor", "--home", ""], "--home needs the path of a folder."],
  ])("answers nonsense with one sentence and exit code 2: %j", async (args, sentence) => {
    const result = await runCommand(args);

    expect(result).toEqual({ code: 2, signal: null, stdout: "", stderr: `${sentence}\n` });
  });

  it("reports an error as one problem document with --json", async () => {
    const { code, stdout, stderr } = await runCommand(["--json", "srve"]);

    expect(code).toBe(2);
    expect(Problem.parse(JSON.parse(stdout))).toMatchObject({ code: "bad_request" });
    expect(stderr).toBe("");
  });

  it("shows where an error came from only when asked to", async () => {
    const { stderr } = await runCommand(["srve"], { env: { GUILD_HALL_DEBUG: "1" } });

    expect(stderr).toMatch(/^Unknown command 'srve'.*\nCommanderError: [^]*\n +at /);
  });

  it("ends quietly when nobody reads on", async () => {
    const cli = startCli(["doctor", "--home", await temporaryFolder()]);
    cli.child.stdout.destroy();

    expect(await cli.ended).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("guild-hall doctor", () => {
  it("works with no hall running, and changes nothing", async () => {
    const home = join(await temporaryFolder(), "home");

    const { code, stdout, stderr } = await runCommand(["doctor", "--home", home, "--port", "0"]);

    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toContain(
      `note  Home folder    ${home} is not there yet.\n                     → It is made at the first start: guild-hall serve\n`,
    );
    expect(stdout).not.toContain("\u001b");
  });

  it("prints one JSON document with --json, with a broken config.yaml as a finding", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "config.yaml"), "prot: 1\n");

    const { code, stdout } = await runCommand(["doctor", "--json"], { env: { GUILD_HALL_HOME: home } });

    const { checks } = JSON.parse(stdout) as { checks: unknown[] }; // each is parsed below
    expect(code).toBe(4);
    expect(checks.map((check) => Check.parse(check)).find(({ id }) => id === "config")).toMatchObject({
      status: "fail",
      detail: `${join(home, "config.yaml")} line 1: unknown key "prot"; did you mean "port"?`,
    });
  });
});

describe("guild-hall status", () => {
  it("says that no hall is open, with the exit code for that", async () => {
    const home = await temporaryFolder();

    const result = await runCommand(["status", "--home", home]);

    expect(result).toEqual({ code: 5, signal: null, stdout: "", stderr: `No hall is open on ${home}. Open one with: guild-hall serve\n` });
  });
});
