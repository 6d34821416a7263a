import type { Member } from "./roster.ts";

/** A member that is connected and has no tools, but for what a test says of it. */
export const memberWith = (more: Partial<Member> = {}): Member => ({
  name: "a-member",
  displayName: more.name ?? "A member",
  description: "For tests",
  version: "0.1.0",
  status: "connected",
  error: null,
  capabilities: [],
  transport: "stdio",
  toolCount: more.tools?.length ?? 0,
  tools: [],
  folder: more.name ?? "a-member",
  origin: "added",
  command: ["node", "server.js"],
  startedAt: null,
  nextStartAt: null,
  steps: [],
  ...more,
});
