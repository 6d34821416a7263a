import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { callOf, eventsOf, setStage } from "./agent-stage.testing.ts";

it("fetches a page for a model at another endpoint without asking Anthropic about it (SEC-9)", async () => {
  const asked: string[] = [];
  const proxy = createServer().listen(0, "127.0.0.1");
  await once(proxy, "listening");
  proxy.on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  const replies = [callOf("WebFetch", { url: "https://kettle.example/", prompt: "What is it?" }), { text: "Nothing came." }];
  let step = 0;
  const model = await startScriptedModel({ script: () => replies[step++] });
  onTestFinished(async () => {
    proxy.close();
    await model.close();
  });
  const { port } = proxy.address() as AddressInfo; // a TCP server has such an address
  const childEnv = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "key-of-the-test",
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    NO_PROXY: "127.0.0.1",
  };
  const { play } = await setStage([], {}, { backend: () => ({ childEnv }) });

  const { events } = await play({ builtInTools: ["WebFetch"] });

  expect(eventsOf(events, "tool_result")).toHaveLength(1);
  expect(new Set(asked)).toEqual(new Set(["kettle.example:443"]));
});
