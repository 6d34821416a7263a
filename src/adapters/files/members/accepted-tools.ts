import { z } from "zod";
import { createTurns } from "../../../core/in-turn.ts";
import type { AcceptedTools } from "../../../core/roster/accepted-tools.ts";
import type { MemberName } from "../../../schema/ids.ts";
import { ToolDefinition } from "../../../schema/tool.ts";
import { disk } from "../disk.ts";
import type { Disk } from "../disk.ts";
import { defineDocument } from "../document.ts";
import { makeFolder, removeFileDurably } from "../durable-write.ts";
import type { Layout } from "../layout.ts";

export const acceptedToolsDocument = defineDocument(
  z.object({ tools: z.array(z.object({ hash: z.string(), definition: ToolDefinition })) }),
);

/** One document per member. A broken one rejects: taken for a missing one, it would let in everything that nobody has seen. */
export function createAcceptedTools(layout: Layout, on: Disk = disk): AcceptedTools {
  const inTurn = createTurns<MemberName>();
  return {
    read: (member) => inTurn(member, async () => (await acceptedToolsDocument.read(layout.acceptedToolsOf(member)))?.tools ?? null),

    write: (member, tools) =>
      inTurn(member, async () => {
        await makeFolder(layout.acceptedTools);
        await acceptedToolsDocument.write(layout.acceptedToolsOf(member), { tools: [...tools] }, on);
      }),

    forget: (member) => inTurn(member, () => removeFileDurably(layout.acceptedToolsOf(member), on)),
  };
}
