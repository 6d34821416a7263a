import { describe, expect, it } from "vitest";
import { checkDraft, emptyDraft, proposedName, rewritten } from "./member-draft.ts";
import type { MemberDraft } from "./member-draft.ts";

const draft = (more: Partial<MemberDraft>): MemberDraft => ({ ...emptyDraft, ...more });
const none: ReadonlySet<string> = new Set();

describe("a member that is being written", () => {
  it("becomes exactly the command that was written, with a name taken from it", () => {
    const checked = checkDraft(draft({ line: 'npx -y @modelcontextprotocol/server-memory "a b"', variables: "TOKEN=a=b\n\nEMPTY=" }), none);

    expect(checked.member).toEqual({
      name: "memory",
      transport: "stdio",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-memory", "a b"],
      env: { TOKEN: "a=b", EMPTY: "" },
      confirmed: true,
    });
  });

  it("says at each field what is wrong with it", () => {
    expect(checkDraft(draft({}), none).errors?.command).toContain("Write the program");
    expect(checkDraft(draft({ line: "TOKEN=abc npx server" }), none).errors?.command).toContain("Environment variables");
    expect(checkDraft(draft({ line: "a | b" }), none).errors?.command).toContain("shell");
    expect(checkDraft(draft({ line: "a", name: "Has Spaces" }), none).errors?.name).toContain("lowercase");
    expect(checkDraft(draft({ line: "a", name: "git" }), new Set(["git"])).errors?.name).toContain("already");
    expect(checkDraft(draft({ line: "a", variables: "no equals sign" }), none).errors?.variables).toContain("NAME=value");
    expect(checkDraft(draft({ line: "a", variables: "1X=y" }), none).errors?.variables).toContain("name of a variable");
  });

  it("is proposed a name that is still free", () => {
    expect(proposedName(draft({ line: "npx server-git" }), new Set(["git"]))).toBe("git-2");
  });

  it("is written the other way without changing, or not at all", () => {
    const line = draft({ line: `node "my server.js" ''` });
    const parts = rewritten(line);

    expect(parts).toMatchObject({ writtenAs: "parts", program: "node", arguments: "my server.js\n" });
    expect(rewritten(draft({ line: "node 'two\nlines'" }))).toBeNull();
    expect(rewritten(draft({ line: "node |" }))).toBeNull();
  });

  it("without a program is nothing, whatever its arguments", () => {
    expect(checkDraft(draft({ writtenAs: "parts", arguments: "rm\n-rf" }), none).errors?.command).toContain("Write the program");
  });
});
