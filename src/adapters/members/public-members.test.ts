import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { setMemberStage } from "./member-stage.testing.ts";

const signal = new AbortController().signal;

/** The programs of the public servers, where their packages have them. */
const programs = {
  everything: fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js")),
  filesystem: fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js")),
  memory: fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js")),
};

describe("the public reference servers, unchanged", () => {
  it.each([
    ["stdio", { transport: "stdio", mcp: { command: "node", args: [programs.everything, "stdio"], env: {} } }],
    ["http", { transport: "http", mcp: { command: "node", args: [programs.everything, "streamableHttp"], env: { PORT: "${PORT}" } } }],
  ] as const)("everything works over %s (REQ-GH1-24, REQ-GH1-29)", async (_transport, manifest) => {
    const stage = await setMemberStage();
    const member = stage.launch({ ...manifest, mcp: { ...manifest.mcp, args: [...manifest.mcp.args] } });

    const tools = await member.connected;

    expect(tools.length).toBeGreaterThan(5);
    expect(await member.ask("echo", { message: "hello" })).toBe("Echo: hello");
    expect(await member.ask("get-sum", { a: 2, b: 3 })).toContain("5");
    expect((await member.call("get-tiny-image", {}, signal)).content).toContainEqual({
      type: "image",
      data: expect.any(String) as string,
      mimeType: "image/png",
    });
    expect((await member.call("get-structured-content", { location: "Chicago" }, signal)).structuredContent).toMatchObject({
      temperature: expect.any(Number) as number,
    });
    expect((await member.call("get-resource-links", { count: 2 }, signal)).content.map(({ type }) => type)).toContain("resource_link");
    expect((await member.call("echo", { message: 5 }, signal)).isError).toBe(true);
    await member.end();
    expect(await member.ended).toBeNull();
  });

  it("filesystem works over stdio", async () => {
    const stage = await setMemberStage();
    const shared = join(await realpath(stage.folder), "shared");
    await mkdir(shared);
    await writeFile(join(shared, "note.txt"), "written by a person");
    const member = stage.launch({ transport: "stdio", mcp: { command: "node", args: [programs.filesystem, shared], env: {} } });

    await member.connected;

    expect(await member.ask("read_text_file", { path: join(shared, "note.txt") })).toBe("written by a person");
    expect((await member.call("read_text_file", { path: "/etc/passwd" }, signal)).isError).toBe(true);
  });

  it("memory works over stdio, and keeps what it learns where its variables say", async () => {
    const stage = await setMemberStage();
    const env = { MEMORY_FILE_PATH: join(stage.folder, "memory.jsonl") };
    const mcp = { command: "node", args: [programs.memory], env };
    const first = stage.launch({ transport: "stdio", mcp });
    await first.connected;
    await first.ask("create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["likes engines"] }] });
    await first.end();

    const second = stage.launch({ transport: "stdio", mcp });
    await second.connected;

    expect(await second.ask("search_nodes", { query: "engines" })).toContain("Ada");
  });
});
