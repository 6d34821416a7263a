import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { afterTool, ask, asking, eventsIn, failureOf, post, startModel } from "./ask-model.fixture.ts";
import { estimateTokens } from "./message-stream.ts";
import { startScriptedModel } from "./server.ts";

const hello = { turns: [{ reply: { text: "Hello, guild." } }] };

describe("the scripted model over HTTP", () => {
  it("streams an answer as server-sent events", async () => {
    const model = await startModel(hello);

    const response = await post(model, asking("hi", { stream: true }), "/v1/messages?beta=true");

    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("request-id")).toMatch(/^req_/);
    expect(eventsIn(await response.text()).map((event) => event.type)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  it("answers whole where no stream was asked for", async () => {
    const model = await startModel({ turns: [{ reply: { text: "Look:", tools: [{ name: "Read", input: { file_path: "a.md" } }] } }] });

    const answer = await ask(model, asking("hi"));

    expect(answer.content).toMatchObject([
      { type: "text", text: "Look:" },
      { type: "tool_use", name: "Read", input: { file_path: "a.md" } },
    ]);
    expect(answer.stop_reason).toBe("tool_use");
  });

  it("takes a function for a script", async () => {
    const model = await startModel((request) => ({ text: `You sent ${request.messages.length} messages.` }));

    const answer = await ask(model, afterTool("hi", { name: "Read", result: "x" }));

    expect(answer.content[0]?.text).toBe("You sent 3 messages.");
  });

  it("refuses a request that no turn matches, and names what was asked", async () => {
    const model = await startModel({ turns: [{ when: { step: 1 }, reply: { text: "x" } }] });

    const failure = await failureOf(
      await post(model, afterTool("find it", { name: "Glob", result: "a.md" }, { tools: [{ name: "Glob" }] })),
    );

    expect(failure).toMatchObject({ status: 400, type: "invalid_request_error" });
    expect(failure.message).toBe(
      'No turn of the script matches. Asked was: step 2 after the user\'s message 1, "find it"; result of Glob: "a.md". Tools offered: Glob.',
    );
  });

  it("answers what the agent program asks besides", async () => {
    const model = await startModel(hello);

    const counted = await (await post(model, asking("hi"), "/v1/messages/count_tokens")).json();
    const models = await (await fetch(`${model.url}/v1/models`)).json();
    const root = await fetch(model.url, { method: "HEAD" });
    const unknown = await failureOf(await fetch(`${model.url}/v1/files`));

    expect(counted).toEqual({ input_tokens: estimateTokens(asking("hi")) });
    expect(models).toMatchObject({ data: [{ type: "model" }] });
    expect(root.status).toBe(200);
    expect(unknown).toMatchObject({ status: 404, type: "not_found_error" });
    expect(model.requests).toEqual([]);
  });

  it("says what is wrong with a body it cannot read", async () => {
    const model = await startModel(hello);

    const failure = await failureOf(await post(model, { model: "m", messages: [{ role: "wizard", content: "" }] }));

    expect(failure.status).toBe(400);
    expect(failure.message).toContain("messages.0.role");
  });

  it("answers 500 when the function that stands for a script throws", async () => {
    const model = await startModel(() => {
      throw new Error("out of ideas");
    });

    const failure = await failureOf(await post(model, asking("hi")));

    expect(failure).toEqual({ status: 500, type: "api_error", message: "The script failed: out of ideas" });
    await expect(model.requests[0]?.ended).resolves.toBe("sent");
  });
});

describe("what the scripted model remembers", () => {
  it("is each call as the model was shown it, without credentials", async () => {
    const model = await startModel(hello);
    const headers = { "content-type": "application/json", "x-api-key": "secret-1", authorization: "Bearer secret-2", "x-other": "kept" };

    await fetch(`${model.url}/v1/messages`, {
      method: "POST",
      headers,
      body: JSON.stringify(asking("hi", { system: "You are a clerk." })),
    });

    const request = await model.waitForRequest(1);
    expect(request.conversation).toMatchObject({ system: "You are a clerk.", userTexts: ["hi"], step: 1 });
    expect(request.headers["x-other"]).toBe("kept");
    expect(JSON.stringify(model.requests)).not.toContain("secret");
    await expect(request.ended).resolves.toBe("sent");
  });

  it("stays within its limits", async () => {
    const model = await startModel(hello, { count: 2, bytes: 1_000_000 });

    for (const text of ["a", "b", "c"]) await ask(model, asking(text));

    expect(model.requests.map((request) => request.conversation.userTexts[0])).toEqual(["b", "c"]);
  });
});

describe("starting and closing", () => {
  it("refuses a script that cannot be played", async () => {
    await expect(startScriptedModel({ script: { turns: [{ reply: {} }] } })).rejects.toThrow(
      "must have at least one of text, tools, error and fault",
    );
  });

  it("says so when its port is taken", async () => {
    const first = await startModel(hello);

    await expect(startScriptedModel({ script: hello, port: first.port })).rejects.toThrow(`cannot listen on 127.0.0.1:${first.port}`);
  });

  it("ends answers in flight when it is closed, and may be closed twice", async () => {
    const model = await startModel({ turns: [{ reply: { fault: { how: "hang" } } }] });
    const answer = post(model, asking("hi"));
    const request = await model.waitForRequest(1);

    await Promise.all([model.close(), model.close()]);

    await expect(answer).rejects.toThrow("fetch failed");
    await expect(request.ended).resolves.toBe("abandoned");
  });

  it("listens on 127.0.0.1 alone (SEC-1)", async () => {
    const model = await startModel(hello);

    const elsewhere = connect(model.port, "127.0.0.2");

    await expect(once(elsewhere, "connect")).rejects.toThrow("127.0.0.2");
  });
});
