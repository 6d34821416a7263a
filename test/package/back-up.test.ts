import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import type { JobMeta } from "../../guild-members/researcher/job.ts";
import { composeTestHall } from "../../src/server/composed-hall.testing.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { leadersOf } from "../faults/processes.ts";
import { startHallProcess } from "../running-hall.ts";
import { untilConnected } from "../server/members-by-hand.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const researcher = join(import.meta.dirname, "../../guild-members/researcher");

it("a copy of a home, made in the middle of a query and a job, is opened beside the original: all that was accepted is there, nothing says running that does not run, and the original goes on", async () => {
  let isCopied = false;
  const model = await startScriptedModel({ script: ({ messages }) => replyTo(JSON.stringify(messages), isCopied) });
  onTestFinished(() => model.close());
  const asked = (words: string) => model.waitForRequest(({ body }) => JSON.stringify(body.messages).includes(words));
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" };
  const home = join(await temporaryFolder(), "home");
  await cp(researcher, join(home, "guild-members/researcher"), { recursive: true });
  const original = await startHallProcess({ home, bundled: false, waiting: false, env });
  const { sessions, jobs } = original.client;
  await untilConnected(original, "researcher");
  const answered = await sessions.create({ name: "Answered" });
  await sessions.send(answered.id, "My name is Ada.");
  const busy = await sessions.create({ name: "Busy" });
  const { messageId } = await sessions.send(busy.id, "hang, session");
  const { messageId: waiting } = await sessions.send(busy.id, "And then?", { queue: true });
  const { jobId } = await jobs.dispatch("researcher", { description: "A job", task: "hang, job" });
  await Promise.all([asked("hang, session"), asked("hang, job")]);
  await expect.poll(async () => (await sessions.get(answered.id)).session.status).toBe("idle");
  const jobIn = (home: string) => join(home, "guild-members/researcher/jobs", jobId);
  const [agent] = await leadersOf(jobIn(original.home));

  isCopied = true;
  const copy = await composeTestHall({
    config: { runs: { waiting: 0 } },
    env,
    prepare: (home) => promisify(execFile)("cp", ["-R", original.home, home]),
  });

  const there = copy.client.sessions;
  const history = await there.get(busy.id);
  expect((await there.list()).sessions.map(({ name, status }) => `${name}: ${status}`).toSorted()).toEqual([
    "Answered: idle",
    "Busy: idle",
  ]);
  expect(history.session.error).toMatchObject({ code: "interrupted" });
  expect(history.messages.map(({ id }) => id)).toContain(messageId);
  expect((await there.queue.list(busy.id)).messages.map(({ id }) => id)).toEqual([waiting]);
  expect((await there.get(answered.id)).messages).toEqual((await sessions.get(answered.id)).messages);
  await there.send(answered.id, "What is my name?");
  const { body } = await asked("What is my name?");
  expect(JSON.stringify(body.messages)).toContain("My name is Ada.");
  await expect.poll(async () => (await copy.client.jobs.get("researcher", jobId).catch(() => null))?.status).toBe("completed");
  expect((await metaOf(jobIn(copy.home))).attempt).toBe(2);

  expect((await sessions.get(busy.id)).session.status).toBe("running");
  expect(await metaOf(jobIn(original.home))).toMatchObject({ status: "running", attempt: 1, agent: { pid: agent } });
  expect(await leadersOf(jobIn(original.home))).toEqual([agent]);
  expect((await original.client.roster.get("researcher")).status).toBe("connected");
}, 120_000);

/** The job of the copy begins anew where its agent had not written its session when the copy was made. */
function replyTo(messages: string, isCopied: boolean): Reply {
  if (messages.includes("hang") && !isCopied) return { text: "I think.", fault: { how: "hang" } };
  return { text: "Here you are." };
}

const metaOf = async (folder: string): Promise<JobMeta> => JSON.parse(await readFile(join(folder, "meta.json"), "utf8")) as JobMeta; // the member's own file
