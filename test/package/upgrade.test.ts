import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SessionId } from "../../src/schema/ids.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { composeTestHall } from "../../src/server/composed-hall.testing.ts";

/** Homes as halls of earlier versions left them that were killed: one conversation rests, another was being answered. */
const homes = join(import.meta.dirname, "homes");
const researcher = join(import.meta.dirname, "../../guild-members/researcher");
const Line = z.looseObject({ id: z.string(), blocks: z.unknown() });

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ script: () => ({ text: "I remember." }) });
});
afterAll(() => model.close());

const open = (name: string, prepare?: (home: string) => Promise<void>) =>
  composeTestHall({
    config: { runs: { waiting: 0 } },
    env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
    async prepare(home) {
      await cp(join(homes, name), home, { recursive: true });
      await mkdir(join(home, "state/unheard-of"), { recursive: true });
      await writeFile(join(home, "state/unheard-of/thing.json"), "of a version that is gone");
      await writeFile(join(home, "sessions/read-me.txt"), "mine");
      await prepare?.(home);
    },
  });

describe.each(await readdir(homes))("a home of the time of %s", (name) => {
  it("is opened with its sessions whole, and a conversation goes on", async () => {
    const { home, client } = await open(name);

    const { sessions } = await client.sessions.list();
    const shown = await Promise.all(sessions.map(({ id }) => client.sessions.get(id)));
    const id = SessionId.parse(sessions.find((session) => session.name === "Compare the two parsers")?.id);
    await client.sessions.send(id, "And after the upgrade?");
    await expect.poll(async () => (await client.sessions.get(id)).session.status).toBe("idle");

    const written = (await readdir(join(homes, name, "sessions"))).map((each) => SessionId.parse(each));
    expect(sessions.map((session) => `${session.id} ${session.status}`).toSorted()).toEqual(
      written.map((each) => `${each} idle`).toSorted(),
    );
    for (const { session, messages } of shown) {
      const lines = await linesOf(name, session.id);
      expect(messages.slice(0, lines.length)).toMatchObject(lines);
      // What a later version had said when it was killed is taken from where it was kept.
      expect(messages.slice(lines.length).every(({ interrupted }) => interrupted === true)).toBe(true);
    }
    expect(shown.find(({ session }) => session.name === "Cut off")?.session.error).toMatchObject({ code: "interrupted" });
    const { session, messages } = await client.sessions.get(id);
    expect({ error: session.error, last: messages.at(-1)?.blocks }).toEqual({ error: null, last: [{ type: "text", text: "I remember." }] });
    expect(model.requests.at(-1)?.conversation.userTexts).toEqual(["Hello", "And after the upgrade?"]);
    expect(await readFile(join(home, "state/unheard-of/thing.json"), "utf8")).toBe("of a version that is gone");
    expect(await readFile(join(home, "sessions/read-me.txt"), "utf8")).toBe("mine");
  });
});

it("a job that an earlier version of the researcher did is there with its question, its result and its files", async () => {
  const name = "jobs";
  const [jobId = ""] = await readdir(join(homes, name, "guild-members/researcher/jobs"));
  const { client } = await open(name, (home) => cp(researcher, join(home, "guild-members/researcher"), { recursive: true }));
  await expect.poll(async () => (await client.roster.get("researcher")).status).toBe("connected");

  const { jobs } = await client.jobs.list();
  const job = await client.jobs.get("researcher", jobId);
  const result = await client.jobs.result("researcher", jobId);
  const { events } = await client.jobs.events("researcher", jobId);

  expect(jobs.map((each) => each.jobId)).toEqual([jobId]);
  expect(job).toMatchObject({ status: "completed", task: "What is a guild?", questions: [expect.stringMatching(/\w/)], error: null });
  expect(result).toMatchObject({ output: expect.stringContaining("Scripted demo") as string, artifacts: ["artifacts/demo/steps.md"] });
  expect(events.at(-1)).toMatchObject({ type: "status", status: "completed" });
});

async function linesOf(name: string, id: string) {
  const text = await readFile(join(homes, name, "sessions", id, "messages.jsonl"), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [Line.parse(JSON.parse(line))]));
}
