import { expect, it } from "vitest";
import { newMessageId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import type { AgentRun } from "../agent/agent-run.ts";
import { toolContext } from "../agent/tool-context.testing.ts";
import { createNotes } from "./notes.ts";

const noteOf = (text: string): Message => ({
  id: newMessageId(),
  role: "user",
  at: "2026-01-01T00:00:00.000Z",
  blocks: [{ type: "text", text }],
  note: { readAt: null },
});
const bare = { prompt: "", systemPrompt: "", builtInTools: [], toolServers: [], conversation: null } as unknown as AgentRun; // only its gate is asked

it("a note is handed to one call, counts as read with its result, and is handed out again if the process ended before", async () => {
  const note = noteOf("Use the other file.");
  const notes = createNotes({ unread: async () => [note], now: () => "2026-01-01T00:00:01.000Z" });
  const ask = async ({ gate }: AgentRun, id: string) => gate?.({ id, name: "Read", input: {} }, toolContext());

  const first = notes.withNotes(bare);
  const [handed, beside] = [await ask(first, "one"), await ask(first, "two")];
  const second = notes.withNotes(bare);
  const again = await ask(second, "three");
  const [early, late] = [notes.onResult("one"), notes.onResult("three")];

  expect([handed, beside, again]).toEqual([
    { allow: true, note: expect.stringContaining("Use the other file.") as string },
    { allow: true },
    { allow: true, note: expect.stringContaining("Use the other file.") as string },
  ]);
  expect([early, late]).toEqual([[], [{ ...note, note: { readAt: "2026-01-01T00:00:01.000Z" } }]]);
  expect(notes.takeRead()).toHaveLength(1);
  expect(notes.takeRead()).toEqual([]);
});

it("a call that may not run takes no note along", async () => {
  const notes = createNotes({ unread: async () => [noteOf("Hello.")], now: () => "" });
  const refusing = notes.withNotes({ ...bare, gate: async () => ({ allow: false, reason: "No." }) });

  expect(await refusing.gate?.({ id: "one", name: "Read", input: {} }, toolContext())).toEqual({ allow: false, reason: "No." });
  expect(notes.onResult("one")).toEqual([]);
});
