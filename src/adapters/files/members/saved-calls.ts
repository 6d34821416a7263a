import { z } from "zod";
import { HallError } from "../../../schema/hall-error.ts";
import type { ToolCallId } from "../../../schema/ids.ts";
import { ToolCall } from "../../../schema/tool-call.ts";
import type { Disk } from "../disk.ts";
import { defineDocument } from "../document.ts";
import type { Layout } from "../layout.ts";

export const savedCallsDocument = defineDocument(z.object({ calls: z.array(ToolCall) }));

/** They are read and written as a whole. */
const mostCalls = 1000;
const mostBytes = 16 * 1024 * 1024;

/** One after the other: its caller sees to that. */
export function createSavedCalls({ layout: { savedCalls: path }, on }: { layout: Layout; on: Disk }) {
  const read = async (): Promise<ToolCall[]> => (await savedCallsDocument.read(path))?.calls ?? [];
  return {
    read,
    async add(call: ToolCall): Promise<void> {
      const calls = [...(await read()), call];
      if (calls.length > mostCalls || JSON.stringify(calls).length > mostBytes)
        throw new HallError(
          "too_large",
          `No more calls can be saved: there may be ${mostCalls}, of ${mostBytes / 1024 / 1024} MiB together. Delete some.`,
        );
      await savedCallsDocument.write(path, { calls }, on);
    },
    async remove(id: ToolCallId): Promise<boolean> {
      const calls = await read();
      const kept = calls.filter((call) => call.id !== id);
      if (kept.length === calls.length) return false;
      await savedCallsDocument.write(path, { calls: kept }, on);
      return true;
    },
  };
}
