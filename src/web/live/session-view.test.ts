import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import type { Message, Session, SessionDetail } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import { askedLast, changeView, partWaiting, shownMessages, startView } from "./session-view.ts";
import type { SessionView } from "./session-view.ts";
import { sessionWith } from "../../schema/session.testing.ts";

const session = sessionWith({ status: "running" });

const detail = (messages: Message[], more: Partial<Session> = {}): SessionDetail => ({
  session: { ...session, ...more },
  messages,
  nextCursor: null,
});
const message = (role: Message["role"], text: string, id = newMessageId()): Message => ({
  id,
  role,
  at: "2026-01-01T00:00:00.000Z",
  blocks: [{ type: "text", text }],
});
const streamed = (view: SessionView, ...events: SessionEvent[]): SessionView =>
  changeView(view, { change: "streamed", events: events.map((event, index) => ({ id: String(index), event })) });
const textsOf = (view: SessionView): string[] =>
  shownMessages(view).map(({ blocks }) => blocks.map((block) => (block.type === "text" ? block.text : block.type)).join("|"));

describe("what a Workshop shows", () => {
  it("is what the stream says where a stored message and the stream speak of the same one", () => {
    const answer = newMessageId();
    const view = startView(detail([message("user", "question"), message("assistant", "Hel", answer)]));

    const after = streamed(
      view,
      { event: "text", data: { messageId: answer, text: "Hel" } },
      { event: "text", data: { messageId: answer, text: "lo" } },
    );

    expect(textsOf(after)).toEqual(["question", "Hello"]);
  });

  it("joins the chunks of a message however they are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (chunks) => {
        const messageId = newMessageId();

        const view = streamed(startView(detail([])), ...chunks.map((text): SessionEvent => ({ event: "text", data: { messageId, text } })));

        expect(textsOf(view)).toEqual([chunks.join("")]);
      }),
    );
  });

  it("keeps text, tool calls and results in the order they came", () => {
    const messageId = newMessageId();

    const view = streamed(
      startView(detail([])),
      { event: "text", data: { messageId, text: "I look." } },
      { event: "tool_use", data: { messageId, id: "t", name: "Read", input: {} } },
      { event: "tool_result", data: { messageId, id: "t", content: "text", isError: false } },
      { event: "text", data: { messageId, text: "Done." } },
    );

    expect(textsOf(view)).toEqual(["I look.|tool_use|tool_result|Done."]);
  });

  it("remembers where the stream was, and forgets it with the query", () => {
    const messageId = newMessageId();
    const running = streamed(startView(detail([])), { event: "text", data: { messageId, text: "Hello" } });
    expect(running.lastEventId).toBe("0");

    const ended = changeView(running, { change: "read", detail: detail([message("assistant", "Hello", messageId)], { status: "idle" }) });

    expect(ended.lastEventId).toBeUndefined();
    expect(textsOf(ended)).toEqual(["Hello"]);
  });

  it("shows a sent message at once, after all that was said before", () => {
    const before = startView(detail([message("user", "one"), message("assistant", "two")], { status: "idle" }));

    const after = changeView(before, { change: "sent", message: message("user", "three") });

    expect(textsOf(after)).toEqual(["one", "two", "three"]);
    expect(after.session.status).toBe("running");
  });

  it("shows a sent message once, even where the news of it came before the hall's answer", () => {
    const asked = message("user", "question");
    const messageId = newMessageId();
    const running = changeView(startView(detail([], { status: "idle" })), { change: "read", detail: detail([asked]) });
    const speaking = streamed(running, { event: "text", data: { messageId, text: "An answer" } });

    const after = changeView(speaking, { change: "sent", message: asked });

    expect(textsOf(after)).toEqual(["question", "An answer"]);
  });

  it("starts afresh when it finds another query running than the one it followed", () => {
    const [first, second] = [message("user", "first"), message("user", "second")];
    const answer = newMessageId();
    const followed = streamed(startView(detail([first])), { event: "text", data: { messageId: answer, text: "half an ans" } });

    const after = changeView(followed, { change: "read", detail: detail([first, message("assistant", "half an answer", answer), second]) });

    expect(textsOf(after)).toEqual(["first", "half an answer", "second"]);
    expect(after.lastEventId).toBeUndefined();
  });

  it("keeps earlier messages that were fetched when the newest page is read again", () => {
    const [first, second, third] = [message("user", "1"), message("assistant", "2"), message("user", "3")];
    const view = changeView(startView({ ...detail([second]), nextCursor: "more" }), { change: "earlier", detail: detail([first]) });

    const after = changeView(view, { change: "read", detail: { ...detail([second, third], { status: "idle" }), nextCursor: "more" } });

    expect(textsOf(after)).toEqual(["1", "2", "3"]);
    expect(after.earlier).toBeNull();
  });

  it("says that the model is asked again until it speaks", () => {
    const retry = { attempt: 2, inMs: 500, reason: "The model is overloaded." };
    const waiting = streamed(startView(detail([])), { event: "status", data: { status: "running", retry } });
    expect(waiting.retry).toEqual(retry);

    const speaking = streamed(waiting, { event: "text", data: { messageId: newMessageId(), text: "Hello" } });

    expect(speaking.retry).toBeNull();
  });

  it("waits for as long as the stream says so, and no longer than the query runs", () => {
    const waitingFor = { kind: "slot", since: "2026-01-01T00:00:00.000Z" } as const;
    const waiting = streamed(startView(detail([])), { event: "waiting", data: { waitingFor } });
    expect(waiting.session.waitingFor).toEqual(waitingFor);

    expect(streamed(waiting, { event: "resumed", data: {} }).session.waitingFor).toBeNull();
    expect(streamed(waiting, { event: "status", data: { status: "running" } }).session.waitingFor).toEqual(waitingFor);
    expect(streamed(waiting, { event: "status", data: { status: "idle" } }).session.waitingFor).toBeNull();
  });

  it("keeps the newest warning of each limit, until a raised limit is no longer near", () => {
    const near = (message: string): SessionEvent => ({ event: "near_limit", data: { limit: "turns", message } });
    const atLimit = { kind: "budget", since: "2026-01-01T00:00:00.000Z", limit: "turns", message: "" } as const;
    const warned = streamed(startView(detail([])), near("4 of 5"), near("9 of 10"));
    expect(warned.nearLimits.map(({ message: said }) => said)).toEqual(["9 of 10"]);

    const raised = streamed(warned, { event: "waiting", data: { waitingFor: atLimit } }, { event: "resumed", data: {} });

    expect(raised.nearLimits).toEqual([]);
  });

  it("puts a note that was read where it was read, and once", () => {
    const [asked, note] = [message("user", "question"), { ...message("user", "mind the gap"), note: { readAt: null } }];
    const [before, after] = [newMessageId(), newMessageId()];
    const started = startView(detail([asked]));
    expect(partWaiting(started, [note])).toEqual({ queued: [], notes: [note] });

    const read = streamed(
      started,
      { event: "text", data: { messageId: before, text: "I look." } },
      { event: "note", data: { messageId: note.id, text: "mind the gap", readAt: "2026-01-01T00:00:01.000Z" } },
      { event: "text", data: { messageId: after, text: "I mind it." } },
    );

    expect(textsOf(read)).toEqual(["question", "I look.", "mind the gap", "I mind it."]);
    expect(partWaiting(read, [note]).notes).toEqual([]);
    expect(askedLast(shownMessages(read))).toBe(asked.id);
  });

  it("has a note wait like any message after the run that did not read it", () => {
    const note = { ...message("user", "mind the gap"), note: { readAt: null } };

    expect(partWaiting(startView(detail([], { status: "idle" })), [note])).toEqual({ queued: [note], notes: [] });
  });

  it("finds where the newest page belongs even though a message that waited has an older id", () => {
    const waited = message("user", "waited");
    const [asked, answer] = [message("user", "asked"), message("assistant", "answer")];
    const view = startView({ ...detail([asked, answer, waited]), nextCursor: null });

    const after = changeView(view, { change: "read", detail: { ...detail([waited, message("assistant", "second")]), nextCursor: "more" } });

    expect(textsOf(after)).toEqual(["asked", "answer", "waited", "second"]);
    expect(after.earlier).toBeNull();
  });

  it("begins anew where more was said meanwhile than a page holds, instead of leaving a gap", () => {
    const view = startView(detail([message("user", "long ago")]));

    const after = changeView(view, { change: "read", detail: { ...detail([message("assistant", "just now")]), nextCursor: "more" } });

    expect(textsOf(after)).toEqual(["just now"]);
    expect(after.earlier).toBe("more");
  });
});
