import { describe, expect, it } from "vitest";
import { memberWith } from "../../../schema/roster.testing.ts";
import type { Member } from "../../../schema/roster.ts";
import { glanceAt } from "../../live/member-glance.ts";
import { findMembers, findTools, indexTools } from "./roster-search.ts";

const members = [
  memberOf("postgres", "Postgres", [
    ["query", "Run one statement"],
    ["list_cursors", "Open server cursors"],
  ]),
  memberOf("git", "Git", [
    ["cursor", "Where the reader is"],
    ["log", "Commits touching a path"],
  ]),
];

const found = (query: string): string[] => findTools(indexTools(members), query).map(({ member, tool }) => `${member.name} ${tool.name}`);

describe("the search over all tools", () => {
  it("finds by name, description and member, those named like it first", () => {
    expect(found("cursor")).toEqual(["git cursor", "postgres list_cursors"]);
    expect(found("COMMITS")).toEqual(["git log"]);
    expect(found("postgres")).toEqual(["postgres query", "postgres list_cursors"]);
  });

  it("wants every word, wherever it stands", () => {
    expect(found("postgres statement")).toEqual(["postgres query"]);
    expect(found("git statement")).toEqual([]);
  });

  it("finds nothing for nothing", () => {
    expect(found("  ")).toEqual([]);
    expect(findMembers(members, "")).toEqual([]);
  });

  it("finds members too", () => {
    expect(findMembers(members, "gi").map(({ name }) => name)).toEqual(["git"]);
  });
});

function memberOf(name: string, displayName: string, tools: [string, string][]) {
  const definitions: Member["tools"] = tools.map(([tool, description]) => ({
    name: tool,
    description,
    inputSchema: { type: "object" },
    hash: tool,
    accepted: true,
    change: null,
  }));
  return glanceAt(memberWith({ name, displayName, tools: definitions }));
}
