"use client";

import { useState } from "react";
import { newToolCallId, MemberName } from "../../../../schema/ids.ts";
import { HallError } from "../../../../schema/hall-error.ts";
import type { ToolAnswer } from "../../../../schema/tool.ts";
import type { ToolCall } from "../../../../schema/tool-call.ts";
import { RunRow } from "../../groups/tool-form/run-row.tsx";
import { ModeSwitch, ToolForm } from "../../groups/tool-form/tool-form.tsx";
import { useToolForm } from "../../groups/tool-form/use-tool-form.ts";
import type { ToolRun } from "../../../live/use-tool-run.ts";
import { SavedCalls } from "../../groups/tool-history-saved.tsx";
import { ToolHistory } from "../../groups/tool-history.tsx";
import { ContentPieces } from "../../groups/tool-result/content-pieces.tsx";
import { RunOutcome } from "../../groups/tool-result/run-outcome.tsx";
import { Stack } from "./arrange.tsx";

/** A field of each kind. */
export function ToolFormSamples() {
  const form = useToolForm(sampleSchema);
  return (
    <Stack>
      <ModeSwitch mode={form.state.mode} onMode={(mode) => form.dispatch({ type: "show", mode })} />
      <ToolForm form={form} vainTries={0} />
    </Stack>
  );
}

export const RunRowSamples = () => (
  <Stack>
    <RunRow isRunning={false} toFix={0} onRun={doNothing} onStop={doNothing} />
    <RunRow isRunning={false} toFix={1} onRun={doNothing} onStop={doNothing} />
    <RunRow isRunning toFix={0} onRun={doNothing} onStop={doNothing} />
  </Stack>
);

/** How a call can end, one at a time, because there is one result on a page. */
export function ToolResultSamples() {
  const [at, setAt] = useState(0);
  const run = runs[at % runs.length] ?? runs[0];
  return (
    <Stack>
      <button type="button" className="min-h-6 justify-self-start underline max-rail:min-h-11" onClick={() => setAt(at + 1)}>
        Another outcome
      </button>
      {run === undefined ? null : <RunOutcome run={run} member={{ name: "example", displayName: "Example" }} tool="query" />}
    </Stack>
  );
}

export const ToolContentSamples = () => (
  <Stack>
    <ContentPieces content={pieces} fileName="sample" />
  </Stack>
);

export const ToolHistorySamples = () => (
  <Stack>
    <SavedCalls
      calls={[{ ...call("select 1"), name: "The smallest one" }]}
      deleted={{ ...call("select 2"), name: "The second smallest" }}
      isRunning={false}
      onSave={() => Promise.resolve(false)}
      onRun={doNothing}
      onLoad={doNothing}
      onDelete={doNothing}
      onUndo={doNothing}
    />
    <ToolHistory
      calls={[call("select count(*) from invoice"), call("select * from invoices", 'relation "invoices" does not exist')]}
      hasMore
      isUnread={false}
      isRunning={false}
      onMore={doNothing}
      onRun={doNothing}
      onLoad={doNothing}
    />
  </Stack>
);

const doNothing = () => undefined;

const sampleSchema = {
  type: "object",
  required: ["sql", "mode"],
  properties: {
    sql: { type: "string", format: "sql", description: "One statement; it runs in a transaction that only reads.", default: "select 1" },
    params: { type: "array", items: { type: "string" }, default: ["2025-11-10"] },
    max_rows: { type: "integer", minimum: 1, maximum: 1000, default: 200 },
    format: { enum: ["rows", "columns", "csv"], default: "rows" },
    since: { type: "string", format: "date-time", default: "2026-11-15T10:44:00Z" },
    role: { type: ["string", "null"], examples: ["reader"] },
    session: {
      type: "object",
      properties: { search_path: { type: "string" } },
      additionalProperties: { type: "string" },
      default: { search_path: "billing, public", work_mem: "4MB" },
    },
    mode: {
      oneOf: [
        { title: "Once", type: "object", properties: { at: { type: "string", format: "time" } } },
        { title: "Every so often", type: "integer" },
      ],
    },
    steps: { type: "array", items: { type: "number" }, default: [1] },
    explain_first: { type: "boolean", default: true, description: "Refuse plans over a million rows." },
    verbose: { type: "boolean" },
    anything: {},
  },
};

const answer = (more: Partial<ToolAnswer>): ToolAnswer => ({ content: [], isError: false, durationMs: 38, ...more });
const text = (said: string) => ({ type: "text" as const, text: said });
const rows = [
  { issued_on: "2025-11-10", min: 41202, max: 41317, dup: 0 },
  { issued_on: "2025-11-11", min: 41318, max: 41462, dup: 2 },
];

const at = "2026-11-15T10:44:00.000Z";
const runs: readonly ToolRun[] = [
  { state: "answered", at, answer: answer({ content: [text(JSON.stringify({ rows }))], structuredContent: { rows } }) },
  { state: "answered", at, answer: answer({ isError: true, content: [text('relation "invoices" does not exist\n    at query')] }) },
  { state: "answered", at, answer: answer({}) },
  { state: "stopped", at, afterMs: 3200 },
  { state: "failed", at, failure: new HallError("member_unavailable", '"example" is not connected: it ended with exit code 1.') },
  { state: "none" },
];

/** One point, the smallest picture there is. */
const point = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const pieces: ToolAnswer["content"] = [
  text("Plain text, as it came: <b>not bold</b>."),
  { type: "image", data: point, mimeType: "image/png" },
  { type: "image", data: "", mimeType: "image/x-unheard-of" },
  { type: "resource_link", uri: "https://example.org/report", name: "report", title: "The report", description: "It stays where it is." },
  { type: "resource_link", uri: "file:///srv/notes.md", name: "notes.md", mimeType: "text/markdown" },
  { type: "resource", resource: { uri: "example://made/plan.md", mimeType: "text/markdown", text: "# Plan" } },
];

const call = (sql: string, failure?: string): ToolCall => ({
  id: newToolCallId(),
  member: MemberName.parse("example"),
  tool: "query",
  input: { sql },
  name: null,
  at,
  outcome: { isError: failure !== undefined, durationMs: 38, summary: failure ?? "1 row" },
});
