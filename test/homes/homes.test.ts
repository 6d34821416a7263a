import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { openTestHall } from "../../src/server/composed-hall.testing.ts";
import type { TestHall } from "../../src/server/composed-hall.testing.ts";
import { bundled, replyAfterwards, untilAtRest } from "./opened-again.ts";
import { textWithoutPlace, unpackHome } from "./packed-home.ts";
import { seenIn } from "./seen-in.ts";

type Seen = Awaited<ReturnType<typeof seenIn>>;

const members = join(import.meta.dirname, "../../guild-members");
const patience = { timeout: 60_000, interval: 20 };

/** The homes are made by make-homes.ts; beside each is what the hall that made it showed when it opened a copy. */
describe.each(["stopped-38ab418", "killed-38ab418"])("a home that was left as %s", (name) => {
  let model: ScriptedModel;
  let hall: TestHall;
  let seen: Seen;
  let expected: Seen;

  beforeAll(async () => {
    model = await startScriptedModel({ script: replyAfterwards });
    const { close, ...opened } = await openTestHall({
      config: { runs: { waiting: 0 } },
      env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
      async prepare(home) {
        await unpackHome(join(import.meta.dirname, `${name}.tar.gz`), home, `${home}-unpacked`);
        for (const member of bundled) await cp(join(members, member), join(home, "guild-members", member), { recursive: true });
      },
    });
    hall = opened;
    afterAll(async () => {
      await close();
      await model.close();
    });
    await untilAtRest(hall);
    seen = JSON.parse(textWithoutPlace(JSON.stringify(await seenIn(hall.client, hall.home)), hall.home)) as Seen; // just written
    expected = JSON.parse(await readFile(join(import.meta.dirname, `${name}.json`), "utf8")) as Seen; // written by make-homes.ts
  }, 120_000);

  it("shows every session with all its messages, what waits, its context and its files", () => {
    expect(seen.sessions.map(({ session }) => session.name)).toEqual([
      "Compare the two parsers",
      "Renewed",
      "Failed",
      "Done",
      "Stopped",
      "Cut off",
      "Without a slot",
      "Not claimed",
    ]);
    expect(seen.sessions).toEqual(expected.sessions);
  });

  it("ends the message that was cut off as interrupted, and keeps what waits behind it", () => {
    const { session, messages, queue } = sessionOf("Cut off");

    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(messages.map(({ role, interrupted }) => `${role} ${interrupted}`)).toEqual(["user false", "assistant false", "assistant true"]);
    expect(queue.map(({ blocks }) => blocks)).toEqual([[{ type: "text", text: "And then?" }], [{ type: "text", text: "And after that?" }]]);
  });

  it("sends the message that was accepted and that no run had begun with", () => {
    const { session, messages } = sessionOf("Not claimed");

    expect(session).toMatchObject({ status: "idle", error: null });
    expect(messages.flatMap(({ blocks }) => blocks)).toEqual([
      { type: "text", text: "Are you there?" },
      { type: "text", text: "Here you are." },
    ]);
  });

  it("shows the jobs of its members, and ends the one that was under way", () => {
    expect(seen.jobs.map(({ description, status }) => `${description}: ${status}`)).toEqual([
      "Guilds: completed",
      "More guilds: completed",
    ]);
    expect(seen.jobs).toEqual(expected.jobs);
  });

  it("shows the runs of its own workers with who called whom, and the questions to a person", () => {
    expect(seen.runs.map(({ worker, state, waitsFor }) => `${worker}: ${waitsFor ?? state}`)).toEqual([
      "desk: completed",
      "clerk: completed",
      "desk: completed",
      "clerk: completed",
      "desk: child",
      "clerk: person",
      "slow: completed",
    ]);
    expect(seen.runs).toEqual(expected.runs);
    expect(seen.approvals).toEqual(expected.approvals);
  });

  it("counts what was spent, and keeps the limit and the tool calls", () => {
    expect(seen.spending.costUsd).toBeGreaterThan(0.1);
    expect(seen.spending).toEqual(expected.spending);
    expect(seen.calls).toEqual(expected.calls);
  });

  it("goes on: with a conversation, with what waits, and with a call that a person approves", async () => {
    const { client, home } = hall;
    await client.sessions.send(sessionOf("Compare the two parsers").session.id, "And after the upgrade?");
    await client.sessions.queue.send(sessionOf("Cut off").session.id);
    const [approval] = (await client.approvals.list({ state: "pending" })).approvals;
    await client.approvals.approve(approval?.id ?? "", { inputHash: approval?.inputHash ?? "" });

    await expect.poll(() => lastOf(sessionOf("Compare the two parsers").session.id), patience).toBe("Here you are.");
    await expect.poll(async () => (await client.sessions.queue.list(sessionOf("Cut off").session.id)).messages, patience).toEqual([]);
    await expect.poll(async () => (await client.runs.get(approval?.root ?? "")).state, patience).toBe("completed");
    const asked = model.requests.find(({ conversation }) => conversation.userTexts.at(-1)?.includes("And after the upgrade?"));
    expect(asked?.conversation.userTexts.map((text) => text.split("\n").at(-1))).toEqual([
      "Hello",
      "Write the report.",
      "And after the upgrade?",
    ]);
    expect(await readFile(join(home, "out/write-the-third.txt"), "utf8")).toBe("Write the third");
  }, 120_000);

  function sessionOf(title: string): Seen["sessions"][number] {
    const found = seen.sessions.find(({ session }) => session.name === title);
    if (found === undefined) throw new Error(`There is no session ${title}.`);
    return found;
  }

  async function lastOf(id: SessionId): Promise<unknown> {
    const block = (await hall.client.sessions.get(id)).messages.at(-1)?.blocks[0];
    return block?.type === "text" ? block.text : null;
  }
});
