import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { Member } from "../../src/schema/roster.ts";
import { putMember, statusOf, untilConnected } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";

let hall: ServedHall;
beforeAll(async () => {
  hall = await openServedHall({ prepare: (home) => putMember(home, "example", pliableMember()) });
  return hall.close;
});

const bundled = join(import.meta.dirname, "../../guild-members");
const pliable = pliableMember().mcp.args[0] ?? "";

const add = (args: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(["member", "add", "--home", hall.home, ...args], options);

const manifestOf = async (name: string): Promise<Manifest> =>
  Manifest.parse(JSON.parse(await readFile(join(hall.home, "guild-members", name, "guild-member.json"), "utf8")));

describe("guild-hall member add -- <command…>", () => {
  it("shows exactly what will run and writes nothing without a yes (SEC-11)", async () => {
    const { code, stdout, stderr } = await add([
      "--name",
      "shown",
      "--env",
      "API_KEY=secret",
      "--",
      "node",
      "a b",
      'say "x"',
      "\u001b[2Kgone",
      "",
    ]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('runs    "node" "a b" "say \\"x\\"" "\\u001b[2Kgone" ""\n');
    expect(stderr).toContain(`in      ${join(hall.home, "guild-members/shown")}\n`);
    expect(stderr).toContain("gets    API_KEY (values are not shown)\n");
    expect(stderr).toMatch(/This needs a yes, and nobody is at a terminal to give it\..*\n$/);
    expect(stderr).not.toContain("secret");
    expect(await statusOf(hall, "shown")).toBeUndefined();
  });

  it("adds a program that speaks over stdio, after a yes, under a name made from the command (SEC-11)", async () => {
    const { code, stdout, stderr } = await add(["--yes", "--env", "GREETING=hi", "--", "node", pliable]);

    expect(stdout).toBe("pliable-member-fixture is connected and has 4 tools.\n");
    expect(stderr).toContain(`runs    "node" "${pliable}"\n`);
    expect(code).toBe(0);
    expect(await manifestOf("pliable-member-fixture")).toMatchObject({ transport: "stdio", mcp: { env: { GREETING: "hi" } } });
    expect((await stat(join(hall.home, "guild-members/pliable-member-fixture/guild-member.json"))).mode & 0o777).toBe(0o600);
  });

  it("adds a program that listens on a port, and makes paths of files here absolute", async () => {
    const flags = ["--yes", "--json", "--name", "second", "--transport", "http", "--description", "Another one."];

    const { code, stdout } = await add([...flags, "--", "node", "./example/server.ts", "--port", "${PORT}"], { cwd: bundled });

    expect(code).toBe(0);
    expect(Member.parse(JSON.parse(stdout))).toMatchObject({
      name: "second",
      status: "connected",
      transport: "http",
      description: "Another one.",
    });
    expect((await manifestOf("second")).mcp.args).toEqual([join(bundled, "example/server.ts"), "--port", "${PORT}"]);
  });

  it("says with exit code 4 that a program was added and does not work", async () => {
    const { code, stdout } = await add(["--yes", "--name", "broken", "--", "node", "-e", "process.exit(3)"]);

    expect(code).toBe(4);
    expect(stdout).toMatch(/^broken could not be connected: .* exit code 3/);
  });

  it("refuses a name that is taken before it asks, and finds a free one itself", async () => {
    const taken = await add(["--name", "example", "--", "node"]);
    const free = await add(["--", "example"]);

    expect(taken).toMatchObject({ code: 4, stderr: 'There is a member "example" already. Choose another name with --name.\n' });
    expect(free.stderr).toContain("member  example-2\n");
  });

  it.each([
    [[], "Say which program to add, after two dashes: guild-hall member add -- npx -y some-mcp-server"],
    [
      ["--name", "No Good", "--", "node"],
      '--name must be 1 to 64 lowercase letters, digits and dashes, and not begin with a dash, not "No Good".',
    ],
    [["--transport", "sse", "--", "node"], '--transport must be "http" or "stdio", not "sse".'],
    [["--env", "KEY", "--", "node"], '--env needs a name, an equals sign and a value, not "KEY".'],
    [
      ["--env", "A-B=1", "--", "node"],
      'What --env sets must be the name of a variable: letters, digits and underscores, not beginning with a digit, not "A-B".',
    ],
    [["--only", "x", "--", "node"], "--only chooses among the servers of a file, so it needs --from <file>."],
    [["--from", "nowhere.json", "--", "node"], "With --from, commands, names and transports come from the file. Leave out the rest."],
  ])("answers %j with a sentence", async (args, sentence) => {
    expect(await add(args)).toEqual({ code: 2, signal: null, stdout: "", stderr: `${sentence}\n` });
  });
});

describe("guild-hall member add --from <file>", () => {
  const servers = {
    mcpServers: {
      "Pliable Tools": { command: "node", args: ["${PLIABLE}"], env: { TOKEN: "${TOKEN}", MODE: "${MODE:-calm}" } },
      remote: { type: "http", url: "https://example.org/mcp" },
      example: { command: "node", args: ["server.ts"] },
    },
  };

  const write = async (document: unknown): Promise<string> => {
    const file = join(await temporaryFolder(), ".mcp.json");
    await writeFile(file, typeof document === "string" ? document : JSON.stringify(document));
    return file;
  };

  it("shows each server, adds those it can, and tells of the others why not (SEC-11)", async () => {
    const file = await write(servers);

    const { code, stdout, stderr } = await add(["--from", file, "--yes", "--json"], { env: { PLIABLE: pliable, TOKEN: "secret" } });
    await untilConnected(hall, "pliable-tools");

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      added: ["pliable-tools"],
      failed: [],
      skipped: [
        { name: "remote", problem: expect.stringMatching(/^It is a server on the network \(http\)\./) as unknown },
        { name: "example", problem: 'there is a member "example" already.' },
      ],
    });
    expect(stderr).toContain(`runs    "node" "${pliable}"\n`);
    expect(stderr).not.toContain("secret");
    expect(await manifestOf("pliable-tools")).toMatchObject({
      displayName: "Pliable Tools",
      mcp: { env: { TOKEN: "secret", MODE: "calm" } },
    });
  });

  it("adds nothing without a yes (SEC-11)", async () => {
    const file = await write({ mcpServers: { quiet: { command: "node" } } });

    const { code, stdout } = await add(["--from", file]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(await statusOf(hall, "quiet")).toBeUndefined();
  });

  it("names a variable that is not set, and takes it from --env", async () => {
    const file = await write({ servers: { needy: { command: "node", args: ["${env:PLIABLE}"] } } });

    const without = await add(["--from", file, "--yes"]);
    const given = await add(["--from", file, "--yes", "--env", `PLIABLE=${pliable}`]);

    expect(without).toMatchObject({ code: 4, stdout: "The server was not added.\n" });
    expect(without.stderr).toContain("Not added: PLIABLE is not set. Set it in the environment, or give --env PLIABLE=<value>.\n");
    expect(given).toMatchObject({ code: 0, stdout: "Added 1 of 1: needy.\n" });
    expect(given.stderr).toMatch(/\nneedy is connected and has 4 tools\.\n$/);
  });

  it("takes only the servers it is told to, by either name", async () => {
    const file = await write({ mcpServers: { "The One": { command: "node", args: [pliable] }, other: { command: "node" } } });

    const wrong = await add(["--from", file, "--only", "The Ones", "--yes"]);
    const right = await add(["--from", file, "--only", "The One", "--yes", "--json"]);

    expect(wrong).toMatchObject({ code: 3, stderr: 'The file has no server "The Ones"; did you mean "The One"?\n' });
    expect(JSON.parse(right.stdout)).toEqual({ added: ["the-one"], failed: [], skipped: [] });
  });

  it("finds files that are named from where the file lies", async () => {
    const file = await write({ mcpServers: { near: { command: "node", args: ["./server.js", "./absent.js"] } } });
    await writeFile(join(file, "../server.js"), "");

    const { stderr } = await add(["--from", file]);

    expect(stderr).toContain(`runs    "node" "${join(file, "../server.js")}" "./absent.js"\n`);
  });

  it("finds files that are named from the folder in which other programs run the server", async () => {
    const file = await write({ mcpServers: { inside: { command: "node", args: ["s.js"], cwd: "${WHERE}" } } });
    await mkdir(join(file, "../sub"));
    for (const path of ["../s.js", "../sub/s.js"]) await writeFile(join(file, path), "");

    const without = await add(["--from", file]);
    const { stderr } = await add(["--from", file], { env: { WHERE: "sub" } });

    expect(without.stderr).toContain("WHERE is not set.");
    expect(stderr).toContain(`runs    "node" "${join(file, "../sub/s.js")}"\n`);
  });

  it("leaves out a server that is switched off, unless it is asked for by name (SEC-11)", async () => {
    const file = await write({ mcpServers: { "Off Duty": { command: "node", args: [pliable], disabled: true } } });

    const all = await add(["--from", file, "--yes"]);
    const none = await statusOf(hall, "off-duty");
    const named = await add(["--from", file, "--yes", "--only", "Off Duty"]);

    expect(all).toMatchObject({ code: 4, stdout: "The server was not added.\n" });
    expect(all.stderr).toContain('Not added: it is switched off in that file. Take it all the same with --only "Off Duty".\n');
    expect(none).toBeUndefined();
    expect(named).toMatchObject({ code: 0, stdout: "Added 1 of 1: off-duty.\n" });
  });

  it("says with exit code 4 which servers were added and do not work", async () => {
    const fit = { command: "node", args: [pliable] };
    const file = await write({ mcpServers: { fit, lame: { command: "node", args: ["-e", "process.exit(3)"] } } });

    const { code, stdout, stderr } = await add(["--from", file, "--yes"]);

    expect({ code, stdout }).toEqual({ code: 4, stdout: "Added 2 of 2: fit, lame. Not connected: lame.\n" });
    expect(stderr).toMatch(/\nfit is connected and has 4 tools\.\nlame could not be connected: .* exit code 3/);
  });

  it("tells programs too which servers were added and do not work", async () => {
    const file = await write({ mcpServers: { lamer: { command: "node", args: ["-e", "process.exit(3)"] } } });

    const { code, stdout } = await add(["--from", file, "--yes", "--json"]);

    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      added: ["lamer"],
      failed: [{ name: "lamer", problem: expect.stringMatching(/^lamer could not be connected: .* exit code 3/) as unknown }],
      skipped: [],
    });
  });

  it("says what is wrong with a file", async () => {
    const file = await write("{ // comment\n}");

    const broken = await add(["--from", file]);
    const absent = await add(["--from", `${file}.old`]);

    expect(broken).toMatchObject({ code: 2, stdout: "" });
    expect(broken.stderr).toMatch(/: This is not JSON: .* Comments and trailing commas are not allowed in it\.\n$/);
    expect(absent).toEqual({ code: 3, signal: null, stdout: "", stderr: `There is no file ${file}.old.\n` });
  });
});
