import { describe, expect, it } from "vitest";
import type { PageCommand } from "./page-command.ts";
import { paletteItems } from "./palette-items.ts";
import type { FoundSessions } from "../../live/use-found-sessions.ts";
import { newMessageId } from "../../../schema/ids.ts";
import { memberWith } from "../../../schema/roster.testing.ts";
import { sessionWith } from "../../../schema/session.testing.ts";
import { glanceAt } from "../../live/member-glance.ts";

const labels = (query: string): string[] =>
  paletteItems(query, recently("Cursor migration plan")).flatMap(({ items }) => items.map(({ label }) => label));

describe("the palette", () => {
  it("shows what was worked on last before anything is typed", () => {
    expect(labels("")[0]).toBe("Cursor migration plan");
  });

  it("keeps what contains the text, whatever its case", () => {
    expect(labels("CURSOR")).toEqual(["Cursor migration plan", "New session named “CURSOR”", "New job “CURSOR”"]);
  });

  it("offers to pause new runs, or to resume them if they are paused", () => {
    const offered = (isPaused: boolean): string[] =>
      paletteItems(">new runs", recently("One"), { isPaused }).flatMap(({ items }) => items.map(({ label }) => label));

    expect(offered(false)).toContain("Pause new runs");
    expect(offered(true)).toContain("Resume new runs");
    expect(offered(true)).not.toContain("Pause new runs");
  });

  it("offers to start what it cannot find", () => {
    expect(labels("nowhere to be found")).toEqual(["New session named “nowhere to be found”", "New job “nowhere to be found”"]);
  });

  it("shows what the hall found by what was said, with the words around it, and leads to the message", () => {
    const session = sessionWith({ name: "Cursor migration plan" });
    const match = { messageId: newMessageId(), text: "about watermarks", marks: [] };

    const [first] = paletteItems("watermark", { sessions: [session], matches: new Map([[session.id, match]]) });

    expect(first?.items).toMatchObject([
      {
        label: "Cursor migration plan",
        aside: "about watermarks",
        action: { do: "go", href: `/sessions/${session.id}#${match.messageId}` },
      },
    ]);
  });

  it("has what can be done on the page before what can be done anywhere, and says what cannot be done now", () => {
    const onPage: PageCommand[] = [
      { id: "rename", kind: "rename", label: "Rename session", run: () => undefined },
      { id: "delete", kind: "delete", label: "Delete session", run: () => undefined, disabledBecause: "It is running. Stop it first." },
    ];
    const found = (query: string) => paletteItems(query, recently("Plan"), { onPage }).flatMap(({ items }) => items);

    expect(found("rename").map(({ label }) => label)).toEqual(["Rename session", "New session named “rename”", "New job “rename”"]);
    expect(found(">delete")[0]).toMatchObject({ label: "Delete session", aside: "It is running. Stop it first." });
  });

  it("leaves only commands after a >", () => {
    expect(labels(">")).toEqual([
      "New session",
      "New job",
      "Add member",
      "Switch between light and dark",
      "Show all keys",
      "Stop everything",
      "Pause new runs",
    ]);
  });
});

const recently = (name: string): FoundSessions => ({ sessions: [sessionWith({ name })], matches: new Map() });

describe("members in the palette", () => {
  const members = [
    glanceAt(
      memberWith({
        name: "git",
        displayName: "Git",
        tools: [{ name: "diff", description: "Compare two refs", inputSchema: {}, hash: "1", accepted: true, change: null }],
      }),
    ),
  ];
  const found = (query: string) => paletteItems(query, { sessions: [], matches: new Map() }, { members }).flatMap(({ items }) => items);

  it("are found by name, and their tools by what they do", () => {
    expect(found("git").map(({ label }) => label)).toContain("Git");
    expect(found("compare").find(({ kind }) => kind === "tool")?.action).toEqual({ do: "go", href: "/roster/git/diff" });
  });

  it("do not crowd an empty palette", () => {
    expect(found("").map(({ kind }) => kind)).not.toContain("tool");
    expect(found("").map(({ kind }) => kind)).not.toContain("member");
  });
});
