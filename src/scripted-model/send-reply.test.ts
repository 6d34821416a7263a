import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { asking, eventsIn, failureOf, post, startModel } from "./ask-model.fixture.ts";
import type { Reply } from "./reply.ts";
import type { ScriptedModel } from "./server.ts";

const playing = (reply: Reply): Promise<ScriptedModel> => startModel({ turns: [{ reply }] });
const streaming = (model: ScriptedModel): Promise<Response> => post(model, asking("hi", { stream: true }));

describe("an HTTP error of a script", () => {
  it("has Anthropic's format, with the headers that go with it", async () => {
    const model = await playing({
      error: { status: 429, message: "Slow down.", retryAfter: 7, headers: { "anthropic-ratelimit-requests-remaining": "0" } },
    });

    const response = await streaming(model);

    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("anthropic-ratelimit-requests-remaining")).toBe("0");
    expect(response.headers.get("request-id")).toMatch(/^req_/);
    expect(await failureOf(response)).toEqual({ status: 429, type: "rate_limit_error", message: "Slow down." });
  });

  it.each([
    [401, "authentication_error"],
    [500, "api_error"],
    [503, "api_error"],
    [529, "overloaded_error"],
  ])("with status %i is a %s", async (status, type) => {
    const model = await playing({ error: { status, message: "No." } });

    const failure = await failureOf(await streaming(model));

    expect(failure).toEqual({ status, type, message: "No." });
  });
});

describe("a fault on the wire", () => {
  it("cuts the connection after the pieces it was given", async () => {
    const model = await playing({ text: "one two three", chunkSize: 4, fault: { how: "cut", afterChunks: 2 } });

    const { received, error } = await readUntilItBreaks(model);

    expect(textIn(received)).toBe("one two ");
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });

  it("ends too early, though cleanly", async () => {
    const model = await playing({ text: "one two three", chunkSize: 4, fault: { how: "end", afterChunks: 1 } });

    const received = await (await streaming(model)).text();

    expect(textIn(received)).toBe("one ");
    expect(received).not.toContain("message_stop");
  });

  it("sends an event that is not JSON", async () => {
    const model = await playing({ text: "one two three", fault: { how: "malformed" } });

    const received = await (await streaming(model)).text();

    expect(() => eventsIn(received)).toThrow(SyntaxError);
  });

  it("reports an overload in the middle of a stream", async () => {
    const model = await playing({ text: "one two three", chunkSize: 4, fault: { how: "error-event", afterChunks: 1 } });

    const received = await (await streaming(model)).text();

    expect(eventsIn(received).at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
  });

  it("goes silent and notices when the caller leaves", async () => {
    const model = await playing({ text: "one two three", chunkSize: 4, fault: { how: "stall", afterChunks: 1 } });
    const response = await streaming(model);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    while (!received.includes("one ")) received += (await reader?.read())?.value ?? "";

    await reader?.cancel();

    await expect(model.requests[0]?.ended).resolves.toBe("abandoned");
    expect(received).not.toContain("two");
  });

  it("hangs without even headers", async () => {
    const model = await playing({ fault: { how: "hang" } });
    const leaving = new AbortController();
    const body = JSON.stringify(asking("hi"));
    const response = fetch(`${model.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: leaving.signal,
    });
    const recorded = await model.waitForRequest(1);

    leaving.abort();

    await expect(response).rejects.toThrow("aborted");
    await expect(recorded.ended).resolves.toBe("abandoned");
  });

  it("resets the connection", async () => {
    const model = await playing({ fault: { how: "reset" } });

    await expect(streaming(model)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  });

  it("answers with a web page", async () => {
    const model = await playing({ fault: { how: "html" } });

    const response = await streaming(model);

    expect(response.status).toBe(200);
    expect(await response.text()).toContain("<!doctype html>");
  });

  it("never completes a short answer, even where it has fewer pieces than asked for", async () => {
    const model = await playing({ text: "one", fault: { how: "end", afterChunks: 99 } });

    const received = await (await streaming(model)).text();

    expect(eventsIn(received).at(-1)?.type).toBe("content_block_stop");
  });

  it("breaks a whole answer too", async () => {
    const model = await playing({ text: "one two three", fault: { how: "end" } });

    const response = await post(model, asking("hi"));

    await expect(response.json()).rejects.toThrow(SyntaxError);
  });
});

/** With Node's own client: the streams of fetch drop what they have not handed out when the connection breaks. */
function readUntilItBreaks(model: ScriptedModel): Promise<{ received: string; error: unknown }> {
  return new Promise((resolve) => {
    let received = "";
    const headers = { "content-type": "application/json" };
    const sending = request(`${model.url}/v1/messages`, { method: "POST", headers }, (response) => {
      response.setEncoding("utf8").on("data", (part: string) => (received += part));
      response.once("error", (error) => resolve({ received, error }));
      response.once("end", () => resolve({ received, error: undefined }));
    });
    sending.end(JSON.stringify(asking("hi", { stream: true })));
  });
}

const textIn = (stream: string): string => [...stream.matchAll(/"type":"text_delta","text":"([^"]*)"/g)].map((match) => match[1]).join("");
