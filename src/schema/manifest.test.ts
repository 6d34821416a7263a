import { describe, expect, it } from "vitest";
import { isWorker, Manifest } from "./manifest.ts";
import { AddMember } from "./roster.ts";

const smallest = {
  name: "example",
  displayName: "Example",
  description: "Shows what a member can do.",
  version: "0.1.0",
  transport: "stdio",
  mcp: { command: "node" },
};

describe("a manifest", () => {
  it("says who a member is and how it starts, and the rest has defaults (REQ-GH1-24)", () => {
    const manifest = Manifest.parse(smallest);

    expect(manifest).toEqual({ ...smallest, mcp: { command: "node", args: [], env: {} }, capabilities: [] });
  });

  it("takes a list of capabilities, of which `worker` is one (REQ-WD-1, REQ-WD-37)", () => {
    const manifest = Manifest.parse({ ...smallest, capabilities: ["worker", "something-new"] });

    expect(manifest.capabilities).toEqual(["worker", "something-new"]);
    expect(isWorker(manifest)).toBe(true);
  });

  it("without capabilities has an empty list, and is no worker (REQ-WD-38)", () => {
    const manifest = Manifest.parse(smallest);

    expect(manifest.capabilities).toEqual([]);
    expect(isWorker(manifest)).toBe(false);
  });

  it.each(["name", "displayName", "description", "version", "transport", "mcp"])("needs %s (REQ-GH1-24)", (key) => {
    const { [key]: _left, ...rest } = smallest as Record<string, unknown>;

    const parsed = Manifest.safeParse(rest);

    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([[key]]);
  });

  it.each([
    ["a name that is a path", { name: "../example" }],
    ["a name with a look-alike letter", { name: "ex\u0430mple" }],
    ["a name that is too long", { name: "a".repeat(65) }],
    ["a name of two lines", { displayName: "Example\nTrusted" }],
    ["a name that reads backwards", { displayName: "\u202Eelpmaxe" }],
    ["a transport nobody speaks", { transport: "sse" }],
    ["an unknown key", { author: "me" }],
    ["a command with a NUL", { mcp: { command: "no\0de" } }],
    ["an argument that turns the reading direction around (SEC-11)", { mcp: { command: "node", args: ["\u2066--safe\u2069"] } }],
    ["a variable whose name is none", { mcp: { command: "node", env: { "A=B": "1" } } }],
    ["a shell line where arguments belong", { mcp: { command: "node", args: "server.ts --port 1" } }],
  ])("with %s is refused", (_what, change) => {
    expect(Manifest.safeParse({ ...smallest, ...change }).success).toBe(false);
  });

  it("takes arguments of several lines, since a program may be one", () => {
    const args = ["-e", "const a = 1;\nconsole.log(a);\n"];

    expect(Manifest.parse({ ...smallest, mcp: { command: "node", args } }).mcp.args).toEqual(args);
  });
});

describe("adding a member", () => {
  it("holds a command to the same rules, and wants a person's word for it (SEC-11)", () => {
    const wish = { name: "example", command: "node", args: ["server.ts"], confirmed: true };

    expect(AddMember.safeParse(wish).success).toBe(true);
    expect(AddMember.safeParse({ ...wish, confirmed: false }).success).toBe(false);
    expect(AddMember.safeParse({ ...wish, args: ["\u202Ets.revres"] }).success).toBe(false);
  });
});
