import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { newMessageId } from "../../src/schema/ids.ts";
import { Problem } from "../../src/schema/problem.ts";
import { Message, Session, SessionDetail, SessionList } from "../../src/schema/session.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./command.ts";
import { openServedHall } from "./served-hall.ts";
import type { ServedHall } from "./served-hall.ts";

let hall: ServedHall;
let client: ServedHall["client"];
beforeAll(async () => {
  hall = await openServedHall();
  client = hall.client;
  return hall.close;
});

const session = (...args: string[]) => runCommand(["session", ...args, "--home", hall.home]);
const limit = (...args: string[]) => runCommand(["limit", ...args, "--home", hall.home]);

const idsOf = (sessions: readonly { id: string }[]): string[] => sessions.map(({ id }) => id);

describe("guild-hall session new", () => {
  it("begins a session with its context, and sends the first message (REQ-GH1-20)", async () => {
    const file = join(await temporaryFolder(), "context.md");
    await writeFile(file, "# What this is about\n");

    const made = await session("new", "A plan", "--context", file, "--model", "claude-test", "--json");
    const spoken = await session("new", "A greeting", "--send", "hello");

    const { id, ...record } = Session.parse(JSON.parse(made.stdout));
    expect(record).toMatchObject({ name: "A plan", model: "claude-test" });
    expect((await client.sessions.context.read(id)).text).toBe("# What this is about\n");
    expect(spoken.code).toBe(0);
    expect(spoken.stderr).toMatch(/^Session "A greeting" is ready: ses_\w+\n/);
    expect(spoken.stdout).toContain("welcome to Guild Hall");
  });

  it("says what is wrong, with the exit code for it", async () => {
    const unnamed = await session("new", " ");
    const stranger = await session("new", "A plan", "--member", "nobody");
    const missing = await session("new", "A plan", "--context", "not-there.md");

    expect(unnamed).toMatchObject({ code: 2, stdout: "", stderr: 'The name of a session must not be empty, not " ".\n' });
    expect(stranger.code).not.toBe(0);
    expect(stranger.stderr).toContain("nobody");
    expect(missing).toMatchObject({ code: 2, stderr: "not-there.md cannot be read. Is it a text file that is there?\n" });
  });
});

describe("guild-hall session list", () => {
  it("lists the newest first, narrowed down as asked, in words and as JSON (REQ-GH1-10)", async () => {
    const first = await client.sessions.create({ name: "First\u001b[2J" });
    const second = await client.sessions.create({ name: "Second" });
    await client.sessions.complete(second.id);

    const text = await session("list");
    const some = await session("list", "--limit", "1");
    const found = await session("list", "--search", "first", "--json");
    const completed = await session("list", "--status", "completed", "--json");
    const nonsense = await session("list", "--status", "sleeping");

    expect(
      text.stdout
        .split("\n")
        .map((line) => line.slice(0, first.id.length))
        .slice(0, 2),
    ).toEqual([second.id, first.id]);
    expect(text.stdout).toContain(String.raw`First\u{1b}[2J`);
    expect(some.stdout.trim().split("\n")).toHaveLength(1);
    expect(some.stderr).toContain("--limit 10");
    expect(idsOf(SessionList.parse(JSON.parse(found.stdout)).sessions)).toEqual([first.id]);
    expect(idsOf(SessionList.parse(JSON.parse(completed.stdout)).sessions)).toContain(second.id);
    expect(idsOf(SessionList.parse(JSON.parse(completed.stdout)).sessions)).not.toContain(first.id);
    expect(nonsense).toMatchObject({ code: 2, stderr: '--status must be idle, running, completed, expired or error, not "sleeping".\n' });
  });

  it("says that no hall is open with exit code 5", async () => {
    const home = join(await temporaryFolder(), "home");

    expect(await runCommand(["session", "list", "--home", home])).toMatchObject({ code: 5, stdout: "" });
  });
});

describe("the life of a session on the command line", () => {
  it("is renamed, completed and deleted by a part of its name (REQ-GH1-23)", async () => {
    const { id } = await client.sessions.create({ name: "Old name" });

    const renamed = await session("rename", "old na", "New name");
    const idle = await session("stop", "new na");
    const completed = await session("complete", "new na", "--json");
    const renewed = await session("renew", "new na");
    const unsure = await session("delete", "new na");
    const kept = (await client.sessions.list()).sessions;
    const deleted = await session("delete", "new na", "--yes", "--json");

    expect(renamed).toMatchObject({ code: 0, stdout: '"Old name" is now "New name".\n' });
    expect(idle).toMatchObject({ code: 4, stderr: 'Nothing runs in session "New name".\n' });
    expect(Session.parse(JSON.parse(completed.stdout)).status).toBe("completed");
    expect(renewed.code).toBe(4);
    expect(unsure.code).toBe(2);
    expect(idsOf(kept)).toContain(id);
    expect(JSON.parse(deleted.stdout)).toEqual({ deleted: id });
    expect(idsOf((await client.sessions.list()).sessions)).not.toContain(id);
  });

  it("asks which one is meant with exit code 2, and finds none with 3", async () => {
    await client.sessions.create({ name: "Plot A" });
    await client.sessions.create({ name: "Plot B" });

    const several = await session("show", "plot");
    const none = await session("show", "nothing", "--json");
    const unknown = await session("show", "ses_01arz3ndektsv4rrffq69g5fav");

    expect(several.code).toBe(2);
    expect(several.stderr).toMatch(/^"plot" may be any of 2 sessions.*\n( {2}ses_\w+ {2}idle {2}Plot [AB]\n){2}$/);
    expect(none.code).toBe(3);
    expect(Problem.parse(JSON.parse(none.stdout)).code).toBe("not_found");
    expect(unknown.code).toBe(3);
  });

  it("cannot write to the terminal by its name, not even in a refusal", async () => {
    const { id } = await client.sessions.create({ name: "Evil\u001b[2J" });

    const { stderr } = await session("stop", id);

    expect(stderr).toBe('Nothing runs in session "Evil\\u{1b}[2J".\n');
  });

  it("shows and replaces the context file (REQ-GH1-34)", async () => {
    const { id } = await client.sessions.create({ name: "Shared", context: "# Before\n" });
    const file = join(await temporaryFolder(), "context.md");
    await writeFile(file, "# After\n");

    const before = await session("context", id);
    const written = await session("context", id, "--write", file);

    expect(before).toMatchObject({ code: 0, stdout: "# Before\n" });
    expect(written).toMatchObject({ code: 0, stdout: 'The context of "Shared" is written.\n' });
    expect((await client.sessions.context.read(id)).text).toBe("# After\n");
  });
});

describe("what was said, on the command line", () => {
  it("is shown with who spoke and what tools did, as much as asked for (REQ-GH1-14)", async () => {
    const id = await sessionThatSaid(30);

    const text = await session("show", id, "--messages", "2");
    const json = await session("show", id, "--messages", "25", "--json");

    expect(text.stdout).toMatch(
      /^name {6}Long\n[^]*\n\nYou, .*\n {2}question 28\n\nAgent, .*\n {2}answer 29\n {2}→ Read {}\n {2}← Read: a\\u\{1b\}\[2Jb\n$/,
    );
    expect(SessionDetail.pick({ session: true, messages: true }).parse(JSON.parse(json.stdout)).messages).toHaveLength(25);
  });

  it("is exported as JSON with every message of every page, in order", async () => {
    const id = await sessionThatSaid(450);

    const { code, stdout } = await session("export", id, "--format", "json");

    const { messages } = z.object({ session: Session, messages: z.array(Message) }).parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(messages.map(({ blocks }) => (blocks[0]?.type === "text" ? blocks[0].text : ""))).toEqual(
      Array.from({ length: 450 }, (_, at) => `${at % 2 === 0 ? "question" : "answer"} ${at}`),
    );
  });

  it("is exported as Markdown to a file, which is not replaced without --force", async () => {
    const id = await sessionThatSaid(2);
    const folder = await temporaryFolder();
    const file = join(folder, "long.md");

    const written = await session("export", id, "--out", file);
    const first = await readFile(file, "utf8");
    const again = await session("export", id, "--out", file, "--format", "json");
    const kept = await readFile(file, "utf8");
    const forced = await session("export", id, "--out", file, "--force", "--format", "json", "--json");
    const nowhere = await session("export", id, "--out", join(folder, "none", "long.md"));

    expect(written).toMatchObject({ code: 0, stdout: `"Long" is in ${file}.\n` });
    expect(first).toMatch(/^---\nid: "ses_[^]*\n## You · .*\n\nquestion 0\n\n## Agent · .*\n\nanswer 1\n\n<details>\n/);
    expect(again).toMatchObject({ code: 4, stderr: `${file} is there already. Choose another, or add --force.\n` });
    expect(kept).toBe(first);
    expect(JSON.parse(forced.stdout)).toMatchObject({ file, format: "json" });
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ session: { id } });
    expect(nowhere.code).toBe(2);
    expect(await readdir(folder)).toEqual(["long.md"]);
  });
});

describe("guild-hall session limit", () => {
  it("says what a session has cost and may cost, and sets it, each limit by itself", async () => {
    const { id } = await client.sessions.create({ name: "Dear", limits: { maxTurns: 7 } });

    const before = await session("limit", "dear");
    const raised = await session("limit", "dear", "$2.50");
    const perMessage = await session("limit", "dear", "0.5", "--per-message", "--json");
    const after = await session("limit", "dear");
    const lifted = await session("limit", "dear", "none");

    expect(before).toMatchObject({ code: 0, stdout: '"Dear" has cost $0.00 and has no limit.\n' });
    expect(raised).toMatchObject({ code: 0, stdout: '"Dear" may cost up to $2.50 now.\n' });
    expect(Session.parse(JSON.parse(perMessage.stdout)).limits).toEqual({ maxTurns: 7, maxCostUsd: 2.5, maxBudgetUsd: 0.5 });
    expect(after.stdout).toBe('"Dear" has cost $0.00 and may cost up to $2.50.\nOne message of it may cost up to $0.50.\n');
    expect(lifted).toMatchObject({ code: 0, stdout: '"Dear" has no limit of its own any more.\n' });
    expect((await client.sessions.get(id)).session.limits).toEqual({ maxTurns: 7, maxBudgetUsd: 0.5 });
  });

  it("refuses what is no amount, or too much, and changes nothing", async () => {
    const { id } = await client.sessions.create({ name: "Cheap" });

    const refused = await Promise.all(["much", "0", "9000000"].map((amount) => session("limit", "cheap", amount)));

    for (const { code, stdout, stderr } of refused) expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("The limit")]);
    expect((await client.sessions.get(id)).session.limits).toEqual({});
  });
});

describe("guild-hall limit", () => {
  it("says what today has cost and may cost, and sets it for today, for good, or as config.yaml says", async () => {
    const before = await limit();
    const today = await limit("20");
    const always = await limit("none", "--always");
    const json = await limit("--json");
    const config = await limit("--from-config");
    const nonsense = await limit("lots");

    expect(before).toMatchObject({ code: 0, stdout: "Today's queries have cost $0.00. A day has no limit, as config.yaml says.\n" });
    expect(today.stdout).toBe("Today may cost up to $20.00.\n");
    expect(always.stdout).toBe("A day has no limit.\n");
    expect(JSON.parse(json.stdout)).toMatchObject({ limit: { perDayUsd: null, from: "always" } });
    expect(config.stdout).toBe("A day has no limit, as config.yaml says.\n");
    expect(nonsense).toMatchObject({ code: 2, stderr: 'The limit must be an amount of dollars, such as 5 or 2.50, not "lots".\n' });
    expect((await client.spending.get()).limit.from).toBe("config");
  });
});

/** A session whose history was written by hand, as a copy of a home has it. */
async function sessionThatSaid(count: number): Promise<string> {
  const { id } = Session.parse(JSON.parse((await session("new", "Long", "--json")).stdout));
  const lines = Array.from({ length: count }, (_, at) => {
    const isUser = at % 2 === 0;
    const blocks: Message["blocks"] = [{ type: "text", text: `${isUser ? "question" : "answer"} ${at}` }];
    if (!isUser) {
      blocks.push({ type: "tool_use", id: `t${at}`, name: "Read", input: {} });
      blocks.push({ type: "tool_result", id: `t${at}`, content: "a\u001b[2Jb", isError: false });
    }
    const message: Message = { id: newMessageId(), role: isUser ? "user" : "assistant", at: "2026-01-01T00:00:00.000Z", blocks };
    return `${JSON.stringify(message)}\n`;
  });
  await writeFile(join(hall.home, "sessions", id, "messages.jsonl"), lines.join(""));
  return id;
}
