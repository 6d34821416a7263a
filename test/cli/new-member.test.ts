import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { putMember, untilConnected } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";

let hall: ServedHall;
beforeAll(async () => {
  hall = await openServedHall();
  return hall.close;
});

describe("guild-hall new member", () => {
  it("writes a member that a running hall finds, and whose tool answers (REQ-GH1-24)", async () => {
    const { home } = hall;

    const made = await runCommand(["new", "member", "my-greeter", "--home", home, "--yes"]);
    const called = await runCommand(["member", "call", "my-greeter", "greet", "--arg", "name=Ada", "--home", home]);
    const folder = join(home, "guild-members/my-greeter");

    expect(made.code).toBe(0);
    expect(made.stdout).toBe(
      `my-greeter is in ${folder}. my-greeter is connected and has 1 tool. Try it: guild-hall member call my-greeter greet --arg name=Ada\n`,
    );
    expect(called).toEqual({ code: 0, signal: null, stdout: "Hello, Ada!\n", stderr: "" });
    expect(Manifest.parse(JSON.parse(await readFile(join(folder, "guild-member.json"), "utf8")))).toMatchObject({
      displayName: "My Greeter",
    });
    expect(await readFile(join(folder, "README.md"), "utf8")).toMatch(/^# My Greeter\n[^]*guild-hall member restart my-greeter\n/);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await untilConnected(hall, "my-greeter");
  });

  it("shows what it will write, and writes nothing without a yes", async () => {
    const folder = await temporaryFolder();

    const { code, stdout, stderr } = await runCommand(["new", "member", "hello", "--in", folder]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`These files will be written to ${join(folder, "hello")}: `);
    expect(await readdir(folder)).toEqual([]);
  });

  it("writes into a folder of your own, with all that it imports named", async () => {
    const folder = await temporaryFolder();

    const { code, stdout } = await runCommand(["new", "member", "hello", "--in", folder, "--yes"]);
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
    await runCommand(["new", "member", "hello", "--in", folder, "--yes"]);

    const again = await runCommand(["new", "member", "hello", "--in", folder, "--yes"]);
    const badName = await runCommand(["new", "member", "../hello", "--in", folder, "--yes"]);
    const noHome = await runCommand(["new", "member", "hello", "--home", join(folder, "home"), "--yes"]);

    expect(again).toMatchObject({ code: 4, stderr: `${join(folder, "hello")} is there already. Choose another name.\n` });
    expect(badName).toMatchObject({ code: 2, stderr: expect.stringMatching(/^The name of a member must be 1 to 64 lowercase/) as unknown });
    expect(noHome).toMatchObject({ code: 3, stderr: expect.stringContaining("Open a hall once with guild-hall serve") as unknown });
  });
});

describe("a home whose hall is closed", () => {
  it("refuses a name that a member in a collection has, as it did while it was open, takes a new member, and says when it will start", async () => {
    const home = join(await temporaryFolder(), "home");
    const folder = await putMember(home, "tools/doorkeeper", pliableMember());
    const open = await openServedHall({ home });

    const whileOpen = await runCommand(["new", "member", "doorkeeper", "--home", home, "--yes"]);
    await open.close();
    const closed = await runCommand(["new", "member", "doorkeeper", "--home", home, "--yes"]);
    const early = await runCommand(["new", "member", "early", "--home", home, "--yes", "--json"]);

    expect(whileOpen).toMatchObject({
      code: 4,
      stdout: "",
      stderr: `There is a member "doorkeeper" already, in ${folder}. Choose another name.\n`,
    });
    expect(closed).toEqual(whileOpen);
    expect(existsSync(join(home, "guild-members/doorkeeper"))).toBe(false);
    expect(early.code).toBe(0);
    expect(JSON.parse(early.stdout)).toEqual({ name: "early", folder: join(home, "guild-members/early"), isRunning: false });
  });
});
