import { inputOf, isEdited } from "../../schema/approval.ts";
import type { Approval } from "../../schema/approval.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { Run } from "../../schema/run.ts";
import type { ToolResult } from "../agent/agent-run.ts";
import type { Effects } from "../run/run-store.ts";
import { writablePlace } from "./sandbox-path.ts";

export const writeFileTool = "write_file";

export const writeFileSchema = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
  additionalProperties: false,
};

/** Throws what is wrong with an input, before anybody is asked about it. */
export function checkWrite(run: Run, { path, content, ...more }: Record<string, unknown>): { root: string; path: string; content: string } {
  const place = writablePlace(run.profile, path);
  if (typeof place === "string") throw new HallError("bad_request", place);
  if (typeof content !== "string") throw new HallError("bad_request", "The content must be text.");
  if (Object.keys(more).length > 0)
    throw new HallError("bad_request", `write_file takes a path and a content, and no ${Object.keys(more)[0]}.`);
  return { ...place, content };
}

/** Writes once, whether it is called in the tool, or again after a crash. */
export async function writeOnce(
  run: Run,
  call: { callId: string; approval: Approval | null; input: Record<string, unknown>; rootOf: (path: string) => string },
  effects: Effects,
): Promise<string> {
  const { callId, approval } = call;
  const input = approval === null ? call.input : inputOf(approval);
  const { root, path, content } = checkWrite(run, input);
  const result = `${editedNote(approval)}Wrote ${String(input["path"])} (${content.length} characters).`;
  const file = { root: call.rootOf(root), path, content, result };
  const effect = await effects.write(run.id, { callId, tool: writeFileTool, approval: approval?.id ?? null }, file);
  return effect.result ?? result;
}

export const editedNote = (approval: Approval | null): string =>
  approval === null || !isEdited(approval)
    ? ""
    : `A person changed the arguments before the call ran. It ran with ${JSON.stringify(approval.decision?.edited)}. `;

export const textOf = (text: string, more: Pick<ToolResult, "isError" | "parks"> = {}): ToolResult => ({
  content: [{ type: "text", text }],
  ...more,
});
