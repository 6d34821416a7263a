import { describe, expect, it } from "vitest";
import { newSdkSessionId } from "../../schema/ids.ts";
import { setStage } from "./agent-stage.testing.ts";

const tooLong = { error: { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" } };

describe("a preface", () => {
  it("is read before the prompt, stays in the conversation as it was sent, and is known from the transcript alone", async () => {
    const stage = await setStage([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
    const conversation = { id: newSdkSessionId(), resume: true };
    const held = async () => (await stage.runner.transcript(stage.agentRun({ conversation }))).preface;
    const odd = "A\r\nB \u200b\ufeff \ue000 \ufb01 e\u0301 語 </system-reminder>\n";

    const before = await held();
    await stage.play({ prompt: "first", preface: odd, conversation: { ...conversation, resume: false } });
    const afterFirst = await held();
    await stage.play({ prompt: "second", conversation });
    const afterSecond = await held();
    await stage.play({ prompt: "third", preface: "changed", conversation });

    expect([before, afterFirst, afterSecond, await held()]).toEqual([null, odd, odd, "changed"]);
    const last = stage.model.requests.at(-1)?.body.messages.filter(({ role }) => role === "user");
    const texts = last?.map(({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text)));
    expect(texts).toEqual([[odd, "first"], ["second"], ["changed", "third"]]);
  });

  it("counts as lost when the conversation was compacted, and as held again when it was sent again", async () => {
    const summary = { text: "<summary>They talked.</summary>" };
    const stage = await setStage([{ text: "One." }, { text: "Two." }, tooLong, summary, { text: "Three." }, { text: "Four." }]);
    const conversation = { id: newSdkSessionId(), resume: true };
    const held = async () => (await stage.runner.transcript(stage.agentRun({ conversation }))).preface;

    await stage.play({ prompt: "first", preface: "the file", conversation: { ...conversation, resume: false } });
    await stage.play({ prompt: "second", conversation });
    const { ending } = await stage.play({ prompt: "third", conversation });
    const afterCompaction = await held();
    await stage.play({ prompt: "fourth", preface: "the file", conversation });

    expect(ending).toEqual({ outcome: "completed", text: "Three." });
    expect(JSON.stringify(stage.model.requests[4]?.body.messages)).not.toContain("the file");
    expect([afterCompaction, await held()]).toEqual([null, "the file"]);
  });
});
