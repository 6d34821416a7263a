import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemberName } from "./ids.ts";
import { displayName, MemberCommand } from "./manifest.ts";
import { fillIn, readMcpConfig } from "./mcp-config.ts";

const read = (document: unknown) => readMcpConfig(JSON.stringify(document));
const only = (entry: unknown) => read({ mcpServers: { one: entry } }).servers[0];

describe("reading another program's MCP servers", () => {
  it.each([
    [".mcp.json and Claude Desktop", { mcpServers: { git: { command: "uvx", args: ["mcp-server-git"] } } }],
    ["VS Code", { servers: { git: { type: "stdio", command: "uvx", args: ["mcp-server-git"] } }, inputs: [] }],
    ["the settings of VS Code", { mcp: { servers: { git: { command: "uvx", args: ["mcp-server-git"] } } } }],
    ["a snippet without its frame", { git: { command: "uvx", args: ["mcp-server-git"] } }],
  ])("understands %s", (_, document) => {
    const { servers } = read(document);

    expect(servers).toMatchObject([{ name: "git", command: { command: "uvx", args: ["mcp-server-git"], env: {} }, problem: null }]);
  });

  it("turns names into names of members, no two alike, and keeps the original for people", () => {
    const { servers } = read({
      mcpServers: { "GitHub Tools": { command: "a" }, "github.tools": { command: "b" }, Ünïcode: { command: "c" } },
    });

    expect(servers.map(({ name, displayName: shown }) => [name, shown])).toEqual([
      ["github-tools", "GitHub Tools"],
      ["github-tools-2", "github.tools"],
      ["unicode", "Ünïcode"],
    ]);
  });

  it("takes numbers and switches among the arguments and variables as text", () => {
    const server = only({ command: "serve", args: ["--port", 80], env: { DEBUG: true } });

    expect(server?.command).toEqual({ command: "serve", args: ["--port", "80"], env: { DEBUG: "true" } });
  });

  it.each([
    [{ type: "sse", url: "https://example.org/sse" }, "It is a server on the network (sse)."],
    [{ url: "https://example.org/mcp" }, "It is a server on the network."],
    [{}, '"command" is missing'],
    [{ command: "" }, '"command" must be the program to start.'],
    [{ command: "a", args: "b" }, '"args" must be a list of texts.'],
    [{ command: "a", args: [{}] }, '"args[0]" must be text.'],
    [{ command: "a", args: ["\0"] }, '"args[0]" must not hold a NUL'],
    [{ command: "a", env: { "A=B": "c" } }, '"env.A=B" must be the name of a variable'],
    [{ command: "a", env: { KEY: "${input:key}" } }, "It uses ${input:key}, which only the program that this file belongs to can fill in."],
    [{ command: "a", args: ["${workspaceFolder}/x"] }, "It uses ${workspaceFolder}, which only the program that this file belongs to"],
    [{ command: "a", args: ["${fileDirname}"] }, "It uses ${fileDirname}, which only"],
    [{ command: "a", cwd: "${workspaceFolder}" }, "It uses ${workspaceFolder}, which only"],
    [{ command: "a", cwd: 5 }, '"cwd" must be the folder it runs in.'],
    ["a", "The entry must be an object with a command."],
  ])("says why %j cannot become a member", (entry, problem) => {
    const server = only(entry);

    expect(server?.problem).toContain(problem);
  });

  it("notes what it leaves out", () => {
    const server = only({ command: "a", cwd: "/srv", envFile: ".env", disabled: true });

    expect(server).toMatchObject({ cwd: "/srv", isSwitchedOff: true });
    expect(only({ command: "a", enabled: false })).toMatchObject({ isSwitchedOff: true });
    expect(only({ command: "a", enabled: true })).toMatchObject({ cwd: null, isSwitchedOff: false });
    expect(server).toMatchObject({ notes: [expect.stringContaining('"/srv"'), expect.stringContaining('".env"'), expect.any(String)] });
  });

  it.each([
    ["{", "This is not JSON"],
    ["[]", "There are no MCP servers here"],
    ["{}", "The list of MCP servers is empty."],
    ['{"mcpServers":{}}', "The list of MCP servers is empty."],
    ['{"mcpServers":[]}', "There are no MCP servers here"],
    ['{"theme":"dark"}', "There are no MCP servers here"],
  ])("says of %s that %s", (text, problem) => {
    expect(readMcpConfig(text)).toEqual({ servers: [], problem: expect.stringContaining(problem) as unknown });
  });

  it("answers to any nonsense, and what it offers is always a good member", () => {
    const entry = fc.record(
      { command: fc.anything(), args: fc.anything(), env: fc.anything(), url: fc.anything(), type: fc.anything() },
      { requiredKeys: [] },
    );
    const document = fc.oneof(
      fc.json(),
      fc.string(),
      fc.dictionary(fc.string(), fc.oneof(entry, fc.anything())).map((mcpServers) => JSON.stringify({ mcpServers }) ?? ""),
    );

    fc.assert(
      fc.property(document, (text) => {
        const { servers } = readMcpConfig(text);
        const names = servers.map(({ name }) => name);
        const bad = servers.filter(
          (server) =>
            !MemberName.safeParse(server.name).success ||
            !displayName.safeParse(server.displayName).success ||
            (server.command !== null && !MemberCommand.safeParse(server.command).success),
        );
        expect(new Set(names).size).toBe(names.length);
        expect(bad).toEqual([]);
      }),
    );
  });
});

describe("filling in variables", () => {
  const command = {
    command: "${BIN:-node}",
    args: ["--root=${ROOT}", "$HOME", "${env:ROOT}/x"],
    env: { TOKEN: "${TOKEN}", EMPTY: "${NOTHING:-}" },
  };

  it("takes them from the environment, and defaults where it has none", () => {
    const filled = fillIn(command, { ROOT: "/srv", TOKEN: "$&" });

    expect(filled).toEqual({
      command: { command: "node", args: ["--root=/srv", "$HOME", "/srv/x"], env: { TOKEN: "$&", EMPTY: "" } },
      missing: [],
    });
  });

  it("names those that have no value, each once", () => {
    expect(fillIn(command, { TOKEN: "" }).missing).toEqual(["ROOT", "TOKEN"]);
  });

  it("never looks at what it has filled in", () => {
    expect(fillIn({ command: "a", args: ["${A}"], env: {} }, { A: "${B}" })).toMatchObject({ command: { args: ["${B}"] }, missing: [] });
  });
});
