import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemberName } from "./ids.ts";
import { freeName, memberNameFrom, proposeName } from "./propose-name.ts";

describe("a name proposed for a command", () => {
  it.each([
    ["npx -y @modelcontextprotocol/server-filesystem /tmp", "filesystem"],
    ["npx -y @modelcontextprotocol/server-everything@1.2.3", "everything"],
    ["uvx mcp-server-git", "git"],
    ["node ./tools/weather/server.ts --port ${PORT}", "weather"],
    ["/usr/local/bin/notion-mcp --stdio", "notion"],
    ["python3 -u /srv/My Tools/main.py".replace("My Tools", "My_Tools"), "my-tools"],
    ["docker run --rm ghcr.io/acme/thing", "thing"],
    ["node", "node"],
  ])("%s → %s", (line, name) => {
    expect(proposeName(line.split(" "))).toBe(name);
  });

  it("is a good name for whatever command", () => {
    const isBad = (name: string): boolean => !MemberName.safeParse(name).success;
    const commands = fc.sample(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), 1000);

    const names = [...commands.map(proposeName), ...commands.flat().map(memberNameFrom)];

    expect(names.filter(isBad)).toEqual([]);
  });
});

describe("a free name", () => {
  it("is the wanted one, or the next number that nobody has", () => {
    const taken = new Set(["git", "git-2"]);

    expect(freeName(memberNameFrom("hub"), taken)).toBe("hub");
    expect(freeName(memberNameFrom("git"), taken)).toBe("git-3");
  });

  it("stays within the length of a name", () => {
    const longest = memberNameFrom("a".repeat(64));

    expect(freeName(longest, new Set([longest]))).toBe(`${"a".repeat(62)}-2`);
  });
});
