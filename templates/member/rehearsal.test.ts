import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

type Manifest = { mcp: { command: string; args: string[]; env: Record<string, string> } };

/** Starts the member as its manifest says and talks to it as a hall does. Run it with: node --test */
describe("the member, rehearsed", () => {
  const { mcp } = JSON.parse(readFileSync(new URL("guild-member.json", import.meta.url), "utf8")) as Manifest; // the file beside this one
  const client = new Client({ name: "rehearsal", version: "1.0.0" });

  before(() => client.connect(new StdioClientTransport({ ...mcp, cwd: import.meta.dirname })));
  after(() => client.close());

  it("lists its tools", async () => {
    const { tools } = await client.listTools();

    assert.deepEqual(
      tools.map(({ name }) => name),
      ["greet"],
    );
  });

  it("greets", async () => {
    const { content } = await client.callTool({ name: "greet", arguments: { name: "Ada", times: 2 } });

    assert.deepEqual(content, [{ type: "text", text: "Hello, Ada!\nHello, Ada!" }]);
  });

  it("says what is wrong with an input", async () => {
    const { isError } = await client.callTool({ name: "greet", arguments: { name: "" } });

    assert.equal(isError, true);
  });
});
