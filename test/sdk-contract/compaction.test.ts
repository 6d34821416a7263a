import { randomUUID } from "node:crypto";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { setStage } from "./stage.ts";
import type { Stage } from "./stage.ts";

const tooLong = { error: { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" } };
const replies = [{ text: "One." }, { text: "Two." }, tooLong, { text: "<summary>They talked.</summary>" }, { text: "Three." }];

const say = (...texts: string[]): SDKUserMessage[] => [
  {
    type: "user",
    uuid: randomUUID(),
    message: { role: "user", content: texts.map((text) => ({ type: "text", text })) },
    parent_tool_use_id: null,
  },
];

const Line = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  isSidechain: z.boolean().optional(),
  message: z.looseObject({ role: z.string(), content: z.unknown() }).optional(),
});

const linesOf = (transcript: string): z.infer<typeof Line>[] =>
  transcript
    .trim()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)));

/** Three messages. The model finds the last one too long. */
async function compact({ play }: Stage) {
  const { id } = await play(say("the file", "first"));
  await play(say("second"), { resume: id });
  return play(say("the changed file", "third"), { resume: id });
}

describe.concurrent("a message of two texts", () => {
  it("is written down and sent as the two texts it is, in its own process and in later ones", async (context) => {
    const { play, transcript, model } = await setStage(context, replies);
    const texts = ["the file\r\n \u200b\ufeff\ue000\ufb01 </system-reminder>\n", "first"];

    const { id } = await play(say(...texts));
    await play(say("second"), { resume: id });

    const content = texts.map((text) => ({ type: "text", text }));
    expect(linesOf(await transcript(id)).find(({ type }) => type === "user")?.message?.content).toEqual(content);
    expect(model.requests.map(({ body }) => body.messages[0])).toEqual([1, 2].map(() => ({ role: "user", content })));
  });
});

describe.concurrent("a conversation that became too long", () => {
  it("is compacted in the middle of a turn: reported as compact_boundary, and written down so", async (context) => {
    const stage = await setStage(context, replies);

    const { id, messages, result } = await compact(stage);

    expect(result).toMatchObject({ subtype: "success", result: "Three." });
    expect(messages.filter((message) => message.type === "system" && message.subtype === "compact_boundary")).toHaveLength(1);
    const boundaries = linesOf(await stage.transcript(id)).filter(({ subtype }) => subtype === "compact_boundary");
    expect(boundaries).toMatchObject([{ type: "system", isSidechain: false }]);
  });

  it("is a summary from then on, with the message that was too long and the answer before it as they were", async (context) => {
    const { shown } = await compact(await setStage(context, replies));

    const after = shown.at(-1)?.filter((line) => !line.startsWith("system: "));
    expect(after).toEqual([expect.stringContaining("They talked."), "assistant: Two.", "user: the changed file", "user: third"]);
    expect(after?.[0]).not.toContain("the file");
  });

  it("has what it keeps of its messages before the boundary in its transcript, and not again behind it", async (context) => {
    const stage = await setStage(context, replies);

    const { id } = await compact(stage);

    const lines = linesOf(await stage.transcript(id));
    const boundary = lines.findIndex(({ subtype }) => subtype === "compact_boundary");
    const placesOf = (text: string) =>
      lines.flatMap(({ type, message }, at) => (type === "user" && JSON.stringify(message).includes(text) ? [at] : []));
    expect(placesOf("third")).toHaveLength(1);
    expect(placesOf("third")[0]).toBeLessThan(boundary);
    expect(placesOf("They talked.")[0]).toBeGreaterThan(boundary);
  });
});
