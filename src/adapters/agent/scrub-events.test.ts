import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../core/agent/agent-run.ts";
import { setStage } from "./agent-stage.testing.ts";
import { createEventScrubber } from "./scrub-events.ts";

const secret = "sk-secret-1234";

function scrubbed(events: readonly AgentEvent[]): AgentEvent[] {
  const out: AgentEvent[] = [];
  const scrubber = createEventScrubber((event) => out.push(event), [secret]);
  events.forEach(scrubber.emit);
  scrubber.flush();
  return out;
}

const text = (words: string, responseId = "r1"): AgentEvent => ({ type: "text", responseId, text: words });

describe("events of an agent", () => {
  it("have no credential in texts, inputs, names of fields, results and reasons (SEC-9)", () => {
    const use = {
      type: "tool_use",
      responseId: "r1",
      id: "t1",
      name: "x",
      input: { [secret]: [secret, { deep: `a ${secret}` }] },
    } as const;
    const result = { type: "tool_result", id: "t1", content: [{ type: "text", text: secret }], isError: false } as const;
    const retry = { type: "retry", attempt: 1, inMs: 5, reason: `no ${secret}` } as const;

    const out = scrubbed([text("It is sk-sec"), text("ret-1234."), use, result, retry]);

    expect(JSON.stringify(out)).not.toContain(secret);
    expect(out.slice(0, 2)).toEqual([text("It is "), text("[removed].")]);
    expect(out[2]).toEqual({ ...use, input: { "[removed]": ["[removed]", { deep: "a [removed]" }] } });
  });

  it("keep all other text, in its order and at its response", () => {
    const usage = { type: "usage", inputTokens: 1, outputTokens: 1, costUsd: 0, turns: 1 } as const;
    const use = { type: "tool_use", responseId: "r1", id: "t1", name: "x", input: {} } as const;

    const out = scrubbed([text("a sk-"), use, text("b s"), usage, text("k-", "r2"), text("."), { type: "broken_off", responseId: "r1" }]);

    expect(out).toEqual([
      text("a "),
      text("sk-"),
      use,
      text("b "),
      usage,
      text("s"),
      text("k-", "r2"),
      text("."),
      { type: "broken_off", responseId: "r1" },
    ]);
  });

  it("cannot exhaust the stack by their depth", () => {
    let input: unknown = secret;
    for (let depth = 0; depth < 100_000; depth += 1) input = [input];

    const [out] = scrubbed([{ type: "tool_use", responseId: "r1", id: "t1", name: "x", input }]);

    expect(JSON.stringify(out)).toContain("[removed]");
  });

  it("of a real run have no key that the endpoint repeats, in whatever pieces it comes (SEC-9)", async () => {
    const { play } = await setStage([{ text: "Your key is key-of-the-test, is it not? key-of", chunkSize: 3 }]);

    const { events, ending } = await play();

    const said = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
    expect(said).toBe("Your key is [removed], is it not? key-of");
    expect(ending).toEqual({ outcome: "completed", text: said });
  });
});
