import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { AgentRun, Transcript } from "../../core/agent/agent-run.ts";
import { findTranscript } from "./transcript.ts";

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
});
type Block = z.infer<typeof Block>;

/** A line as far as it is read here; `test/sdk-contract` pins its shape. */
const Line = z.looseObject({
  type: z.enum(["user", "assistant"]),
  uuid: z.string(),
  isSidechain: z.boolean().optional(),
  message: z.looseObject({ content: z.union([z.string(), z.array(Block)]), stop_reason: z.string().nullish() }),
});

/** From here on the model sees a summary of what came before. */
const Compaction = z.looseObject({ type: z.literal("system"), subtype: z.literal("compact_boundary") });

const Entry = z.union([Line, Compaction]);

/** What the SDK has kept of a conversation. A torn last line is left out, as the SDK itself does. */
export async function readTranscript(configFolder: string, cwd: string, conversation: AgentRun["conversation"]): Promise<Transcript> {
  const path = conversation === null ? null : await findTranscript(configFolder, cwd, conversation.id);
  const text = path === null ? "" : await readFile(path, "utf8");
  const prompts = new Set<string>();
  const calls = new Map<string, Transcript["calls"][number]>();
  let ending: string | null = null;
  let preface: string | null = null;
  for (const line of text.split("\n").flatMap(parse)) {
    if (line.type === "system") {
      preface = null;
      continue;
    }
    const { content, stop_reason: stopReason } = line.message;
    const blocks: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (line.type === "user") prompts.add(line.uuid);
    if (line.type === "user") preface = prefaceIn(blocks) ?? preface;
    ending = line.type === "assistant" && stopReason === "end_turn" ? textOf(blocks) : null;
    for (const { type, id, name = "", input } of blocks) if (type === "tool_use" && id !== undefined) calls.set(id, { id, name, input });
  }
  return { prompts, calls: [...calls.values()], ending, preface };
}

function parse(text: string): z.infer<typeof Entry>[] {
  try {
    const { data } = Entry.safeParse(JSON.parse(text));
    return data === undefined || data["isSidechain"] === true ? [] : [data];
  } catch {
    return [];
  }
}

const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text ?? "").join("");

/** Only a prompt that was sent with a preface is a message of two texts. */
const prefaceIn = (blocks: readonly Block[]): string | null =>
  blocks.length === 2 && blocks.every(({ type }) => type === "text") ? (blocks[0]?.text ?? null) : null;
