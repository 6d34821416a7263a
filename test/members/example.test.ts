import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Manifest } from "../../src/schema/manifest.ts";
import { rawRequest } from "../raw-request.ts";
import { exampleFolder, freePort, startExample } from "./example-process.ts";
import type { Example } from "./example-process.ts";

let example: Example;
beforeAll(async () => {
  example = await startExample();
  return example.end;
});

describe("the example member", () => {
  it("has a manifest that says who it is and how it starts (REQ-GH1-24)", async () => {
    const manifest = Manifest.parse(JSON.parse(await readFile(join(exampleFolder, "guild-member.json"), "utf8")));

    expect(manifest).toMatchObject({ name: "example", transport: "http", mcp: { command: "node" }, capabilities: [] });
  });

  it("is described by its README, tool by tool", async () => {
    const readme = await readFile(join(exampleFolder, "README.md"), "utf8");
    const { tools } = await example.client.listTools();

    expect([...readme.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1])).toEqual(tools.map(({ name }) => name));
  });

  it("shows every kind of field in its schemas", async () => {
    const { tools } = await example.client.listTools();
    const found = new Set(tools.flatMap(({ inputSchema }) => [...kindsIn(inputSchema)]));

    const wanted = [
      "string",
      "number",
      "integer",
      "boolean",
      "null",
      "array",
      "object",
      "enum",
      "const",
      "oneOf",
      "anyOf",
      "$ref",
      "default",
    ];
    const rules = [
      "pattern",
      "minLength",
      "maxLength",
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "multipleOf",
      "minItems",
      "maxItems",
      "uniqueItems",
    ];
    const formats = ["format date", "format date-time", "format email", "format uri"];
    expect([...wanted, ...rules, ...formats, "map", "recursion"].filter((kind) => !found.has(kind))).toEqual([]);
  });

  it("checks its input itself and says what is wrong", async () => {
    const answer = await example.client.callTool({ name: "count_words", arguments: { top: 0 } });

    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: "The input does not fit: input must have required property 'text', input/top must be >= 1." }],
    });
  });

  it("refuses a tool it does not have", async () => {
    await expect(example.client.callTool({ name: "juggle" })).rejects.toThrow('There is no tool "juggle" here.');
  });
});

describe("the door of the example member", () => {
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
  });
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  it.each([
    ["another name for this machine", { host: "evil.example:80" }, 421],
    ["a web page of another site", { origin: "https://evil.example" }, 403],
    ["a page that hides where it is from", { origin: "null" }, 403],
    ["a request that a browser calls cross-site", { "sec-fetch-site": "cross-site" }, 403],
  ])("is closed to %s, reads and streams included (SEC-4)", async (_, headers, status) => {
    const answers = await Promise.all(
      ["GET", "POST", "DELETE"].map((method) =>
        rawRequest(example.url, { method, path: "/mcp", headers: { ...json, ...headers }, body: initialize }),
      ),
    );

    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  });

  it("leads to /mcp only, and not to a connection that has ended", async () => {
    const elsewhere = await rawRequest(example.url, { path: "/" });
    const ended = await rawRequest(example.url, { path: "/mcp", headers: { ...json, "mcp-session-id": "none" } });

    expect([elsewhere.status, ended.status]).toEqual([404, 404]);
  });

  it("lets the oldest connection go when there are too many", async () => {
    const { url, end } = await startExample();
    onTestFinished(end);
    const connect = () => rawRequest(url, { method: "POST", path: "/mcp", headers: json, body: initialize });
    const use = (id: unknown) => rawRequest(url, { method: "DELETE", path: "/mcp", headers: { ...json, "mcp-session-id": String(id) } });

    const first = await connect();
    const others = await Promise.all(Array.from({ length: 64 }, connect));
    const used = await Promise.all([first, others.at(-1)].map((answer) => use(answer?.headers["mcp-session-id"])));

    expect(used.map(({ status }) => status)).toEqual([404, 200]);
  });
});

describe("the life of the example member", () => {
  it("ends when whoever started it is killed", async () => {
    const port = await freePort();
    const script = `require("node:child_process").spawn(process.execPath, ["server.ts", "--port", "${port}"], { stdio: ["ignore", "ignore", "inherit"] })
      .once("spawn", function () { console.log(this.pid); }); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["-e", script], { cwd: exampleFolder, stdio: ["ignore", "pipe", "pipe"] });
    const [pid] = (await once(createInterface({ input: parent.stdout }), "line")) as [string]; // as readline documents "line"
    onTestFinished(() => void (isAlive(Number(pid)) && process.kill(Number(pid), "SIGKILL")));
    await once(createInterface({ input: parent.stderr }), "line");

    parent.kill("SIGKILL");

    await expect.poll(() => isAlive(Number(pid)), { timeout: 20_000 }).toBe(false);
  });

  it("says what it needs when it is started without a port", async () => {
    const child = spawn(process.execPath, ["server.ts"], { cwd: exampleFolder, stdio: ["ignore", "ignore", "pipe"] });

    const [said, exit] = await Promise.all([text(child.stderr), once(child, "exit")]);

    expect(said).toBe("Say which port to listen on: node server.ts --port 4900\n");
    expect(exit).toEqual([2, null]);
  });
});

/** The keywords of a JSON Schema and what its types, formats and references are. */
function kindsIn(schema: unknown, inside: readonly string[] = []): Set<string> {
  if (Array.isArray(schema)) return new Set(schema.flatMap((each) => [...kindsIn(each, inside)]));
  if (typeof schema !== "object" || schema === null) return new Set();
  const kinds = Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    const own = [key];
    if (key === "type") own.push(...[value].flat().map(String));
    if (key === "format") own.push(`format ${String(value)}`);
    if (key === "additionalProperties" && value !== false) own.push("map");
    if (key === "$ref" && inside.includes(String(value).replace("#/$defs/", ""))) own.push("recursion");
    return [...own, ...kindsIn(value, [...inside, key])];
  });
  return new Set(kinds);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
