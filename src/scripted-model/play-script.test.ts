import { describe, expect, it } from "vitest";
import { afterTool, asking } from "./ask-model.fixture.ts";
import { playScript } from "./play-script.ts";
import type { Script } from "./script.ts";

const overloaded = { status: 529, message: "Overloaded" };

describe("playing a script", () => {
  it("answers with the first turn that fits", () => {
    const reply = playScript({
      turns: [{ when: { step: 2 }, reply: { text: "two" } }, { reply: { text: "a" } }, { reply: { text: "b" } }],
    });

    expect(reply(asking("hi"))?.text).toBe("a");
    expect(reply(afterTool("hi", { name: "Read", result: "x" }))?.text).toBe("two");
  });

  it("has no answer where no turn fits", () => {
    const reply = playScript({ turns: [{ when: { userContains: "bye" }, reply: { text: "bye" } }] });

    expect(reply(asking("hi"))).toBeUndefined();
  });

  it("answers the same to the same request, however often it is retried", () => {
    const reply = playScript({
      turns: [
        { when: { step: 1 }, reply: { text: "one" } },
        { when: { step: 2 }, reply: { text: "two" } },
      ],
    });

    const answers = [1, 2, 3].map(() => reply(asking("hi"))?.text);

    expect(answers).toEqual(["one", "one", "one"]);
  });

  it("takes from the script's defaults what a reply does not say", () => {
    const script: Script = { defaults: { chunkSize: 3, chunkDelayMs: 5 }, turns: [{ reply: { text: "x", chunkSize: 9 } }] };

    expect(playScript(script)(asking("hi"))).toEqual({ text: "x", chunkSize: 9, chunkDelayMs: 5 });
  });
});

describe("a turn that answers a number of times", () => {
  const script: Script = { turns: [{ times: 2, reply: { error: overloaded } }, { reply: { text: "recovered" } }] };

  it("is passed over after that", () => {
    const reply = playScript(script);

    const answers = [1, 2, 3, 4].map(() => reply(asking("hi"))?.text ?? "error");

    expect(answers).toEqual(["error", "error", "recovered", "recovered"]);
  });

  it("counts each conversation and each point of it for itself", () => {
    const reply = playScript(script);
    const one = asking("hi", { metadata: { user_id: "one" } });
    const other = asking("hi", { metadata: { user_id: "other" } });
    const later = { ...one, messages: afterTool("hi", { name: "Read", result: "x" }).messages };

    reply(one);
    reply(one);

    expect(reply(other)?.error).toEqual(overloaded);
    expect(reply(later)?.error).toEqual(overloaded);
    expect(reply(one)?.text).toBe("recovered");
  });
});
