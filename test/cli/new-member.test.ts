import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";
import { patience, putMember, untilConnected } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCli } from "./run-cli.ts";

let hall: HallProcess;
beforeAll(async () => {
  hall = await startSharedHall();
});

describe("guild-hall new member", () => {
  it("writes a member that a running hall finds, whose tool answers, and whose rehearsal passes (REQ-GH1-24)", async () => {
    const { home } = hall;

    const made = await runCli(["new", "member", "my-greeter", "--home", home, "--yes"]);
    const called = await runCli(["member", "call", "my-greeter", "greet", "--arg", "name=Ada", "--home", home]);
    const folder = join(home, "guild-members/my-greeter");
    const rehearsal = await rehearse(folder);

    expect(made.code).toBe(0);
    expect(made.stdout).toBe(
      `my-greeter is in ${folder}. my-greeter is connected and has 1 tool. Try it: guild-hall member call my-greeter greet --arg name=Ada\n`,
    );
    expect(called).toEqual({ code: 0, signal: null, stdout: "Hello, Ada!\n", stderr: "" });
    expect(rehearsal).toMatch(/pass 3[^]*fail 0/);
    expect(Manifest.parse(JSON.parse(await readFile(join(folder, "guild-member.json"), "utf8")))).toMatchObject({
      displayName: "My Greeter",
    });
    expect(await readFile(join(folder, "README.md"), "utf8")).toMatch(/^# My Greeter\n[^]*guild-hall member restart my-greeter\n/);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await untilConnected(hall, "my-greeter");
  });

  it("is edited, restarted, and its changed tool accepted", async () => {
    const { home } = hall;
    await runCli(["new", "member", "greeter", "--home", home, "--yes"]);
    const server = join(home, "guild-members/greeter/server.ts");

    await writeFile(server, (await readFile(server, "utf8")).replace("Greets somebody, as often as you like.", "Greets anybody."));
    const restarted = await runCli(["member", "restart", "greeter", "--home", home]);
    await expect.poll(async () => (await runCli(["member", "list", "--home", home])).stdout, patience).toContain("1 tool (1 to accept)");
    const accepted = await runCli(["member", "accept", "greeter", "--home", home, "--yes"]);

    expect(restarted.stdout).toBe("greeter is connected and has 1 tool.\n");
    expect(accepted.stderr).toContain('-   "description": "Greets somebody, as often as you like.",');
    expect(accepted).toMatchObject({ code: 0, stdout: "Accepted: greet.\n" });
  });

  it("shows what it will write, and writes nothing without a yes", async () => {
    const folder = await temporaryFolder();

    const { code, stdout, stderr } = await runCli(["new", "member", "hello", "--in", folder]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`These files will be written to ${join(folder, "hello")}: `);
    expect(await readdir(folder)).toEqual([]);
  });

  it("writes into a folder of your own, with all that it imports named", async () => {
    const folder = await temporaryFolder();

    const { code, stdout } = await runCli(["new", "member", "hello", "--in", folder, "--yes"]);
    const manifest: unknown = JSON.parse(await readFile(join(folder, "hello/package.json"), "utf8"));

    expect(code).toBe(0);
    expect(stdout).toContain("npm install && npm test");
    expect((await readdir(join(folder, "hello"))).toSorted()).toEqual([
      "README.md",
      "guild-member.json",
      "package.json",
      "rehearsal.test.ts",
      "server.ts",
    ]);
    expect(manifest).toMatchObject({
      type: "module",
      dependencies: { "@modelcontextprotocol/sdk": expect.stringMatching(/^\^\d/) as unknown },
    });
  });

  it("says what is in its way", async () => {
    const folder = await temporaryFolder();
    await runCli(["new", "member", "hello", "--in", folder, "--yes"]);

    const again = await runCli(["new", "member", "hello", "--in", folder, "--yes"]);
    const badName = await runCli(["new", "member", "../hello", "--in", folder, "--yes"]);
    const noHome = await runCli(["new", "member", "hello", "--home", join(folder, "home"), "--yes"]);

    expect(again).toMatchObject({ code: 4, stderr: `${join(folder, "hello")} is there already. Choose another name.\n` });
    expect(badName).toMatchObject({ code: 2, stderr: expect.stringMatching(/^The name of a member must be 1 to 64 lowercase/) as unknown });
    expect(noHome).toMatchObject({ code: 3, stderr: expect.stringContaining("Open a hall once with guild-hall serve") as unknown });
  });
});

describe("a home whose hall is closed", () => {
  it("refuses a name that a member in a collection has, as it did while it was open", async () => {
    const { home } = hall;
    const folder = await putMember(home, "tools/doorkeeper", pliableMember());
    await untilConnected(hall, "doorkeeper");

    const open = await runCli(["new", "member", "doorkeeper", "--home", home, "--yes"]);
    await hall.end("SIGTERM");
    const closed = await runCli(["new", "member", "doorkeeper", "--home", home, "--yes"]);

    expect(open).toMatchObject({
      code: 4,
      stdout: "",
      stderr: `There is a member "doorkeeper" already, in ${folder}. Choose another name.\n`,
    });
    expect(closed).toEqual(open);
    expect(existsSync(join(home, "guild-members/doorkeeper"))).toBe(false);
  });

  it("takes a new member, and says when it will start", async () => {
    await hall.end("SIGTERM");

    const { code, stdout } = await runCli(["new", "member", "early", "--home", hall.home, "--yes", "--json"]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ name: "early", folder: join(hall.home, "guild-members/early"), isRunning: false });
  });
});

async function rehearse(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--test"], {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  return stdout;
}
