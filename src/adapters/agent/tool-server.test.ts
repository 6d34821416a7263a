import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, it, onTestFinished } from "vitest";
import { textResult } from "./agent-stage.testing.ts";
import { createToolServer } from "./tool-server.ts";

it("calls a tool whose input could not be checked in time, and tells of it", async () => {
  const problems: unknown[] = [];
  const inputSchema = { type: "object", properties: { n: { type: "string", pattern: "^(a+)+$" } } };
  const tool = { name: "ask", description: "Answers.", inputSchema, call: () => Promise.resolve(textResult("called")) };
  const offer = { name: "costly", tools: [tool] };
  const run = {
    toolServers: [offer],
    isOpen: () => true,
    signal: new AbortController().signal,
    gate: () => Promise.resolve({ allow: true } as const),
    toolStarts: () => undefined,
    parks: () => undefined,
    recorded: () => Promise.resolve(),
  };
  const { instance } = createToolServer(offer, { run }, (error) => problems.push(error));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  await instance.connect(theirs);
  await client.connect(ours);

  const result = await client.callTool({ name: "ask", arguments: { n: `${"a".repeat(50)}!` } });

  expect(result).toMatchObject(textResult("called"));
  expect(problems.map(String)).toEqual([expect.stringContaining("(with n) was not checked")]);
});
