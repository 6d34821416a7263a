import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { researcherFolder, startResearcher } from "./member-process.ts";

const count = 50;
const lengthOfOne = 500_000;
/** Enough for the member, and too little for it to keep what is said in these jobs. */
const heapMebibytes = 40;

describe("a researcher that gets many jobs at once", () => {
  it("completes them all and keeps in memory nothing of what was said", { timeout: 300_000 }, async () => {
    const model = await startScriptedModel({
      script: {
        defaults: { chunkSize: 100_000, usage: { inputTokens: 10, outputTokens: 10 } },
        turns: [{ reply: { text: "x".repeat(lengthOfOne) } }],
      },
      keep: { count: 1, bytes: 1 },
    });
    onTestFinished(() => model.close());
    const env = { NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}`, WORKER_CONCURRENCY: "2" };
    const member = await startResearcher(await researcherFolder(), model.url, env);
    const List = z.object({ jobs: z.array(z.object({ status: z.string() })) });
    const running = async () => (await member.call("worker/list", {}, List)).jobs.filter(({ status }) => status === "running").length;

    await Promise.all(Array.from({ length: count }, (_, number) => member.dispatch(`Job ${number}`)));
    await expect.poll(running, { timeout: 280_000, interval: 250 }).toBe(0);

    const { jobs } = await member.call("worker/list", {}, List);
    expect(jobs.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => "completed"));
  });
});
