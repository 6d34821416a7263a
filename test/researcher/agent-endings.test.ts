import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { call, key, setStage, tool } from "./agent-stage.ts";

type Case = { replies: Reply[]; error: string | null; result?: string };

const submit = call(tool("submit_result"), { output: "The report." });

const cases: Record<string, Case> = {
  "a report, and then a failure": { replies: [submit, { error: { status: 401, message: "no" } }], error: null, result: "The report." },
  nothing: { replies: [{ text: "" }], error: "without a report" },
  "a refused key": { replies: [{ error: { status: 401, message: `no, ${key}` } }], error: "refused the credentials (401)" },
  "a usage limit": { replies: [{ error: { status: 429, message: "no", retryAfter: 3600 } }], error: "It resets at 20" },
  "a cut stream": { replies: [{ text: "It is", fault: { how: "cut", afterChunks: 1 } }], error: "broke off" },
};

describe("the end of a job", () => {
  it("is told in words, and a report that was handed in counts (REQ-WD-44)", async () => {
    const stage = await setStage(({ messages }) => {
      const asked = JSON.stringify(messages);
      const found = Object.entries(cases).find(([name]) => asked.includes(`Play: ${name}.`))?.[1].replies ?? [];
      const step = messages.filter(({ role }) => role === "assistant").length;
      return found[Math.min(step, found.length - 1)];
    });

    const played = await Promise.all(Object.keys(cases).map((name) => stage.play(`Play: ${name}.`)));

    const ends = Object.fromEntries(Object.keys(cases).map((name, index) => [name, played[index]]));
    for (const [name, { error, result }] of Object.entries(cases)) {
      const end = ends[name];
      expect([name, end?.meta.status, end?.result]).toEqual([name, error === null ? "completed" : "failed", result ?? null]);
      expect(end?.meta.error ?? "none").toContain(error ?? "none");
    }
    expect(JSON.stringify(ends)).not.toContain(key);
    // Five processes, on two cores that others may be using.
  }, 120_000);

  it("comes when the model has fallen silent", async () => {
    const stage = await setStage([{ reply: { text: "I think", fault: { how: "stall", afterChunks: 1 } } }], { stallMs: 2_000 });

    const { meta } = await stage.play("Think.");

    expect(meta.status).toBe("failed");
    expect(meta.error).toContain("nothing for 2 seconds");
  });
});
