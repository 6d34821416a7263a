import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Problem } from "../../src/schema/problem.ts";
import { Member, MemberLogs, Roster } from "../../src/schema/roster.ts";
import { ToolAnswer } from "../../src/schema/tool.ts";
import { patience, putMember, statusOf, untilConnected } from "../server/members-by-hand.ts";
import { pliableMember } from "../server/pliable-member.fixture.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand, startCommand } from "./command.ts";
import { startCli } from "./run-cli.ts";
import type { CliResult } from "./run-cli.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";
import { steering } from "./steering-member.fixture.ts";

const example = join(import.meta.dirname, "../../guild-members/example");

let hall: ServedHall;
beforeAll(async () => {
  hall = await openServedHall({ prepare: (home) => cp(example, join(home, "guild-members/example"), { recursive: true }) });
  await vi.waitUntil(async () => (await statusOf(hall, "example")) === "connected", patience);
  return hall.close;
});

/** Without the line that is there for people where a call takes a second, which any does on a busy machine. */
async function member(command: string, ...args: string[]): Promise<CliResult> {
  const { stderr, ...result } = await runCommand(["member", command, "--home", hall.home, ...args]);
  return { ...result, stderr: stderr.replace(/^Waiting for .* Ctrl-C cancels it\.\n/, "") };
}

/** A member that does as it is told, by a name of its own. Answers its folder. */
async function addPliable(name: string): Promise<string> {
  const folder = await putMember(hall.home, name, pliableMember());
  await untilConnected(hall, name);
  return folder;
}

describe("guild-hall member list", () => {
  it("tells how every member fares, in words and as JSON (REQ-GH1-25)", async () => {
    const text = await member("list");
    const json = await member("list", "--json");

    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toMatch(/^example +connected +13 tools +Example$/m);
    expect(Roster.parse(JSON.parse(json.stdout)).members.map(({ name }) => name)).toContain("example");
  });

  it("says that no hall is open with exit code 5", async () => {
    const home = join(await temporaryFolder(), "home");

    const result = await runCommand(["member", "list", "--home", home]);

    expect(result).toEqual({ code: 5, signal: null, stdout: "", stderr: `No hall is open on ${home}. Open one with: guild-hall serve\n` });
  });
});

describe("guild-hall member call", () => {
  it("takes JSON or single fields and prints the tool's text (REQ-GH1-29)", async () => {
    const json = await member("call", "example", "divide", '{ "dividend": 22, "divisor": 7, "whole": true }');
    const fields = await member(
      "call",
      "example",
      "divide",
      '{"dividend": 1}',
      "--arg",
      "dividend=22",
      "--arg",
      "divisor=7",
      "--arg",
      "whole=true",
    );

    expect(json).toEqual({ code: 0, signal: null, stdout: "3, remainder 1\n", stderr: "" });
    expect(fields).toEqual(json);
  });

  it("leaves text fields text, whatever they look like", async () => {
    const { stdout } = await member("call", "example", "count_words", "--arg", "text=42", "--arg", "top=1");

    expect(JSON.parse(stdout)).toMatchObject({ frequent: [{ word: "42" }] });
  });

  it("prints the whole answer with --json", async () => {
    const { stdout, code } = await member("call", "example", "roll_dice", '{"seed":1}', "--json");

    expect(ToolAnswer.parse(JSON.parse(stdout))).toMatchObject({
      structuredContent: { sum: expect.any(Number) as unknown },
      isError: false,
    });
    expect(code).toBe(0);
  });

  it("describes pictures and files, and saves them where it is told to, over nothing", async () => {
    const folder = await temporaryFolder();
    const input = '{"values":[1,2,3]}';

    const described = await member("call", "example", "draw_chart", input);
    const saved = await member("call", "example", "draw_chart", input, "--out", folder);
    const again = await member("call", "example", "draw_chart", input, "--out", folder);
    await member("call", "example", "compress_text", '{"text":"hello"}', "--out", folder);

    expect(described).toMatchObject({ code: 0, stdout: "3 bars, from 1 to 3.\n" });
    expect(described.stderr).toMatch(/^\[image: image\/png, [\d.]+ kB\. Save it with --out <folder>\]\n$/);
    expect(saved.stderr).toBe(`Saved ${join(folder, "draw_chart-1.png")}\n`);
    expect(again.stderr).toBe(`Saved ${join(folder, "2-draw_chart-1.png")}\n`);
    expect((await readdir(folder)).toSorted()).toEqual(["2-draw_chart-1.png", "draw_chart-1.png", "text.gz"]);
    expect((await readFile(join(folder, "draw_chart-1.png"))).subarray(1, 4).toString()).toBe("PNG");
  });

  it("writes no control characters of a member into a pipe, and exact text only as JSON", async () => {
    const program = join(import.meta.dirname, "steering-member.fixture.ts");
    await putMember(hall.home, "steering", { transport: "stdio", mcp: { command: "node", args: [program], env: {} } });
    await untilConnected(hall, "steering");

    const answer = await member("call", "steering", "steer");
    const logs = await member("logs", "steering");
    const follow = startCommand(["member", "logs", "steering", "--follow", "--home", hall.home]);
    const followed = await follow.says(/a.*b$/m);
    const exact = await member("call", "steering", "steer", "--json");

    const shown = String.raw`a\u{1b}]0;PWNED\u{7}\u{1b}]52;c;cHduZWQ=\u{7}\u{1b}[2J\u{9b}1Ab`;
    expect(answer.stdout).toBe(`${shown}\n`);
    expect(logs.stdout).toContain(`${shown}\n`);
    expect(followed).toBe(shown);
    expect(JSON.parse(exact.stdout)).toMatchObject({ content: [{ text: `a${steering}b` }] });
  });

  it("makes no call whose answer could not be saved, and prints what it can of one that cannot after all", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    const input = '{"values":[1,2,3]}';

    const inFile = await member("call", "example", "draw_chart", input, "--out", join(folder, "file/pictures"));
    const tooLong = await member("call", "example", "draw_chart", input, "--out", join(folder, "x".repeat(300)));

    expect(inFile).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: `--out needs a folder, and ${join(folder, "file")} is none.\n`,
    });
    expect(tooLong).toMatchObject({ code: 4, stdout: "3 bars, from 1 to 3.\n" });
    expect(tooLong.stderr).toMatch(/could not be saved: ENAMETOOLONG/);
    expect(await readdir(folder)).toEqual(["file"]);
  });

  it("ends with exit code 4 where the tool itself failed", async () => {
    const text = await member("call", "example", "divide", '{"dividend":1,"divisor":0}');
    const json = await member("call", "example", "divide", '{"dividend":1,"divisor":0}', "--json");

    expect(text).toEqual({ code: 4, signal: null, stdout: "", stderr: "1 cannot be divided by zero. Choose another divisor.\n" });
    expect(json.code).toBe(4);
    expect(ToolAnswer.parse(JSON.parse(json.stdout)).isError).toBe(true);
  });

  it("lists what is wrong with the input, field by field, with exit code 2", async () => {
    const text = await member("call", "example", "plan_trip", '{"title":"x","nights":0}');
    const json = await member("call", "example", "plan_trip", '{"title":"x","nights":0}', "--json");

    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toMatch(/^The input of "plan_trip" does not fit:\n( {2}\S.*\n)+$/);
    expect(text.stderr).toMatch(/^ {2}nights: /m);
    expect(Problem.parse(JSON.parse(json.stdout)).issues?.length).toBeGreaterThan(3);
  });

  it.each([
    [["nobody", "greet"], 3, 'There is no member "nobody"'],
    [["example", "devide"], 3, 'did you mean "divide"?'],
    [["example", "divide", "{"], 2, "This is not JSON: {"],
    [["example", "divide", "[1]"], 2, "The input of a tool is a JSON object, and this is none: [1]"],
    [["example", "divide", "--arg", "dividend"], 2, '--arg needs a name, an equals sign and a value, not "dividend".'],
    [["example", "divide", '{"__proto__":1}'], 2, 'Nothing can be called "__proto__" here.'],
    [["example", "divide", "--arg", "__proto__=1"], 2, "--arg cannot set __proto__."],
    [["No Name", "divide"], 2, "must be 1 to 64 lowercase letters"],
  ])("says of %j what is wrong", async (args, code, sentence) => {
    const result = await member("call", ...args);

    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(sentence);
  });

  it("is cancelled by Ctrl-C, and the member is told so", async () => {
    const folder = await addPliable("patient");
    const call = startCli(["member", "call", "--home", hall.home, "patient", "hang"]);
    await call.says(/Waiting for hang\. Ctrl-C cancels it\./);

    call.pressCtrlC();

    expect(await call.ended).toMatchObject({
      code: 130,
      stdout: "",
      stderr: expect.stringMatching(/The call of hang was cancelled\.\n$/) as unknown,
    });
    await expect.poll(() => existsSync(join(folder, "cancelled")), patience).toBe(true);
  });
});

describe("guild-hall member restart, logs and remove", () => {
  it("starts a member anew and says how that went", async () => {
    const before = await hall.client.roster.get("example");

    const { code, stdout } = await member("restart", "example");

    expect({ code, stdout }).toEqual({ code: 0, stdout: "example is connected and has 13 tools.\n" });
    expect((await hall.client.roster.get("example")).startedAt).not.toBe(before.startedAt);
  });

  it("prints what a member wrote to stderr, and follows it", async () => {
    const text = await member("logs", "example");
    const json = await member("logs", "example", "--json");
    const following = startCommand(["member", "logs", "example", "--follow", "--home", hall.home]);
    await following.says(/Listening at/);
    await hall.client.roster.restart("example");

    await following.says(/Listening at [^]*Listening at [^]*Listening at/);
    following.pressCtrlC();

    expect(text.stdout).toMatch(/^Listening at http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
    expect(MemberLogs.parse(JSON.parse(json.stdout)).text).toBe(text.stdout);
    expect(await following.ended).toMatchObject({ code: 130 });
    await untilConnected(hall, "example");
  });

  it("removes a member only after a yes, and says where its folder is", async () => {
    await addPliable("leaving");

    const asked = await member("remove", "leaving");
    const removed = await member("remove", "leaving", "--yes");
    const again = await member("remove", "leaving", "--yes");

    expect(asked).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("add --yes") as unknown });
    const kept = (await readdir(join(hall.home, "removed-members"))).filter((name) => name.startsWith("leaving-")).toSorted();
    expect(kept).toEqual([kept[0], `${kept[0]}-home`]);
    expect(removed).toMatchObject({
      code: 0,
      stdout: `leaving is off the Roster. Its folder is kept as ${join(hall.home, "removed-members", kept[0] ?? "")}.\n`,
    });
    expect(again.code).toBe(3);
  });
});

describe("a folder that cannot become a member", () => {
  it("is listed with every line of its mistake below it, and people are told to rename it", async () => {
    const folder = await putMember(hall.home, "M-Upper", pliableMember());
    await expect.poll(() => statusOf(hall, "M-Upper"), patience).toBe("error");

    const listed = await member("list");
    const removed = await member("remove", "M-Upper", "--yes");
    const restarted = await member("restart", "M-Upper");

    expect(listed.stdout).toMatch(/^M-Upper .*\n( {4}\S.*\n)+/m);
    expect(removed).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringContaining(`Rename the folder ${folder} with lowercase letters`) as unknown,
    });
    expect(restarted).toEqual(removed);
  });

  it("does not keep the one that holds the name from being restarted", async () => {
    await addPliable("twice");
    await putMember(hall.home, "a-collection/twice", pliableMember());
    await expect
      .poll(
        async () => (await hall.client.roster.list()).members.filter(({ name }) => name === "twice").map(({ status }) => status),
        patience,
      )
      .toEqual(["error", "connected"]);

    const { code, stdout } = await member("restart", "twice");

    expect({ code, stdout }).toEqual({ code: 0, stdout: "twice is connected and has 4 tools.\n" });
  });
});

describe("guild-hall member accept", () => {
  it("shows what changed, and accepts it after a yes", async () => {
    await addPliable("changing");
    await member("call", "changing", "change");
    await expect.poll(async () => (await member("list")).stdout, patience).toMatch(/^changing .*\(1 to accept\)/m);

    const asked = await member("accept", "changing");
    const accepted = await member("accept", "changing", "--yes", "--json");
    const nothing = await member("accept", "changing");

    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      'echo (changed)\n      "name": "echo",\n  -   "description": "Says what it is told.",\n  +   "description": "Says less than before.",\n',
    );
    expect(Member.parse(JSON.parse(accepted.stdout)).tools.every((tool) => tool.accepted)).toBe(true);
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining("has nothing to accept") as unknown });
  });
});
