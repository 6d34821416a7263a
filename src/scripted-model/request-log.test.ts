import { describe, expect, it } from "vitest";
import { asking } from "./ask-model.fixture.ts";
import { readConversation } from "./conversation.ts";
import { createRequestLog } from "./request-log.ts";

const entry = (text: string) => {
  const body = asking(text);
  return { headers: {}, body, conversation: readConversation(body), ended: Promise.resolve("sent" as const) };
};

describe("the log of a model's calls", () => {
  it("keeps no more calls than it may, the newest", () => {
    const log = createRequestLog({ count: 3, bytes: 1_000 });

    for (const text of ["a", "b", "c", "d", "e"]) log.add(entry(text), 1);

    expect(log.requests.map((request) => [request.number, request.conversation.userTexts[0]])).toEqual([
      [3, "c"],
      [4, "d"],
      [5, "e"],
    ]);
  });

  it("keeps no more bytes than it may, but always the newest call", () => {
    const log = createRequestLog({ count: 100, bytes: 10 });

    for (const size of [4, 4, 4, 99]) log.add(entry("x"), size);

    expect(log.requests.map((request) => request.number)).toEqual([4]);
  });

  it("hands out a call that came, and one that has yet to come", async () => {
    const log = createRequestLog({ count: 10, bytes: 1_000 });
    log.add(entry("a"), 1);

    const coming = log.waitFor((request) => request.conversation.userTexts[0] === "b");
    log.add(entry("b"), 1);

    expect((await log.waitFor(1)).number).toBe(1);
    expect((await coming).number).toBe(2);
  });

  it("tells those who still wait when it is closed", async () => {
    const log = createRequestLog({ count: 10, bytes: 1_000 });
    const waiting = log.waitFor(2);

    log.close();

    await expect(waiting).rejects.toThrow("closed after 0 requests");
  });

  it("tells at once that a call was dropped, and does not wait for it for ever", async () => {
    const log = createRequestLog({ count: 1, bytes: 1_000 });
    for (const text of ["a", "b"]) log.add(entry(text), 1);

    await expect(log.waitFor(1)).rejects.toThrow("no longer kept");
  });
});
