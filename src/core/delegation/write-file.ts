import { inputOf, isEdited } from "../../schema/approval.ts";
import type { Approval } from "../../schema/approval.ts";
import { HallError } from "../../schema/hall-error.ts";
import type { JobRun } from "../../schema/run.ts";
import type { ToolResult } from "../agent/agent-run.ts";
import { isPassing } from "../passing-failure.ts";
import type { Effects } from "../run/run-store.ts";
import { writablePlace } from "./sandbox-path.ts";

export const writeFileTool = "write_file";

export const writeFileSchema = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
  additionalProperties: false,
};

/** Throws if the input is wrong, so that a person is only asked about calls that can run. */
export function checkWrite(
  run: JobRun,
  { path, content, ...more }: Record<string, unknown>,
): { root: string; path: string; content: string } {
  const place = writablePlace(run.definition, path);
  if (typeof place === "string") throw new HallError("bad_request", place);
  if (typeof content !== "string") throw new HallError("bad_request", "The content must be text.");
  if (Object.keys(more).length > 0)
    throw new HallError("bad_request", `write_file takes a path and a content, and no ${Object.keys(more)[0]}.`);
  return { ...place, content };
}

/** Writes once, whether it is called in the tool, or again after a crash. */
export async function writeOnce(
  run: JobRun,
  call: { callId: string; approval: Approval | null; input: Record<string, unknown>; rootOf: (path: string) => string },
  effects: Effects,
): Promise<string> {
  const { callId, approval } = call;
  const input = approval === null ? call.input : inputOf(approval);
  const { root, path, content } = checkWrite(run, input);
  const result = `${editedNote(approval)}Wrote ${String(input["path"])} (${content.length} characters).`;
  const file = { root: call.rootOf(root), path, content, result };
  const entry = { callId, tool: writeFileTool, approval: approval?.id ?? null };
  const written = await effects.write(run.id, entry, file).catch(async (error: unknown) => {
    // It stays settled: nothing is written later, when the model has long been told that it failed.
    if (!isPassing(error)) await effects.note(run.id, { ...entry, state: "done", result: `It failed: ${wordsOf(error)}` });
    throw error;
  });
  return written.result ?? result;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the model is told of a failure. A disk that is full is waited for. */
export function failureWords(error: unknown): string {
  if (isPassing(error)) throw error;
  return `It failed: ${wordsOf(error)}`;
}

export const editedNote = (approval: Approval | null): string =>
  approval === null || !isEdited(approval)
    ? ""
    : `A person changed the arguments before the call ran. It ran with ${JSON.stringify(approval.decision?.edited)}. `;

export const textOf = (text: string, more: Pick<ToolResult, "isError" | "parks"> = {}): ToolResult => ({
  content: [{ type: "text", text }],
  ...more,
});
