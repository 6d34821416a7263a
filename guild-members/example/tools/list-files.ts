import { listOwnFiles } from "../own-files.ts";
import { defineTool } from "../tool.ts";

type Input = { kind: "all" | "code" | "documents" };

export const listFiles = defineTool<Input>(
  {
    name: "list_files",
    title: "List its own files",
    description: "Links to the files this member is made of. They can be read as MCP resources.",
    inputSchema: {
      type: "object",
      properties: { kind: { type: "string", title: "Which", enum: ["all", "code", "documents"], default: "all" } },
      additionalProperties: false,
    },
  },
  async ({ kind }) => {
    const files = (await listOwnFiles()).filter(({ name }) => kind === "all" || name.endsWith(".ts") === (kind === "code"));
    return {
      content: [
        { type: "text", text: `This member is made of ${files.length} files of that kind.` },
        ...files.map((file) => ({ type: "resource_link" as const, ...file })),
      ],
    };
  },
);
