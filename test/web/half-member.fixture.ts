import { createInterface } from "node:readline";
import type { Manifest } from "../../src/schema/manifest.ts";

/** A worker in which every text ends in one half of an emoji: JSON carries it as an escape, and UTF-8 cannot. */
export const halfMember = (): Pick<Manifest, "displayName" | "description" | "version" | "transport" | "mcp" | "capabilities"> => ({
  displayName: half("Half"),
  description: half("A member"),
  version: half("1"),
  transport: "stdio",
  mcp: { command: "node", args: [import.meta.filename, half("")], env: {} },
  capabilities: ["worker", half("more")],
});

export const half = (text: string): string => `${text}\ud83d`;

const schema = {
  type: "object",
  title: half("Input"),
  properties: {
    [half("word")]: { type: "string", title: half("Word"), description: half("A word"), default: half("so"), examples: [half("or")] },
    pick: { enum: [half("one"), half("two")] },
  },
};

const tools = [
  { name: half("cut"), title: half("Cut"), description: half("A name that was cut"), inputSchema: { type: "object" } },
  {
    name: "fine",
    title: half("Fine"),
    description: half("Returns halves"),
    inputSchema: schema,
    outputSchema: { type: "object", properties: { [half("key")]: { type: "string", description: half("Value") } } },
    annotations: { title: half("Fine too") },
  },
  { name: "fail", description: half("Fails"), inputSchema: { type: "object" } },
];

const at = "2026-01-01T00:00:00.000Z";
const told = (id: number, more: object) => ({ id, at, ...more });
const decision = { question: half("Which?"), decision: half("This"), reasoning: half("So") };

const listed = (jobId: string, status: string) => ({
  jobId,
  status,
  description: half(`Job ${jobId}`),
  summary: half("Read"),
  startedAt: at,
});

const jobs = [
  listed("done", "completed"),
  listed("asking", "completed"),
  listed("failed", "failed"),
  { ...listed("x", "completed"), jobId: half("x") },
];

const answers: Record<string, (params: Record<string, unknown>) => unknown> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: half("server"), version: half("1"), title: half("Server") },
    instructions: half("Read me"),
    capabilities: { tools: {}, experimental: { worker: { events: true, artifacts: true, [half("more")]: true } } },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name }) => {
    if (name === "fail") throw new Error(half("It broke"));
    return {
      content: [
        { type: "text", text: half("Said") },
        { type: "resource_link", uri: half("https://example.org/"), name: half("A page"), description: half("Of text") },
        { type: "resource", resource: { uri: half("file:///x"), mimeType: "text/plain", text: half("Inside") } },
        { type: half("odd"), [half("key")]: half("value") },
      ],
      structuredContent: { [half("key")]: half("value") },
    };
  },
  "worker/list": () => ({ jobs }),
  "worker/dispatch": () => ({ jobId: "done", note: half("Taken") }),
  "worker/status": ({ jobId }) => ({
    ...jobs.find((job) => job.jobId === jobId),
    questions: jobId === "asking" ? [half("Which one?")] : null,
    decisions: [decision],
    error: jobId === "failed" ? half("It broke") : null,
    completedAt: at,
    task: half("Do it"),
    config: { [half("key")]: [half("value")] },
  }),
  "worker/result": ({ jobId }) => ({ jobId, output: half("# Found"), artifacts: [half("cut"), "fine.md"] }),
  "worker/events": ({ jobId, after }) => ({ jobId, events: Number(after) > 0 ? [] : events, hasMore: false }),
  "worker/artifact": ({ jobId, path }) => ({ jobId, path, size: 4, data: "Zm91cg==" }),
};

const events = [
  told(1, { type: "status", status: "running", text: half("Started") }),
  told(2, { type: "progress", summary: half("Half read") }),
  told(3, { type: "question", question: half("Which one?") }),
  told(4, { type: "decision", ...decision }),
  told(5, { type: "artifact", path: half("cut"), size: 4 }),
  told(6, { type: "memory", key: half("key") }),
  told(7, { type: "text", text: half("Thinking") }),
  told(8, { type: "tool_use", toolUseId: "t", name: half("Read"), input: { [half("key")]: half("value") } }),
  told(9, { type: "tool_result", toolUseId: "t", text: half("Result"), isError: true }),
];

if (import.meta.main) {
  const write = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  process.stderr.write(Buffer.from("log \xf0\x9f\n", "latin1"));
  process.stdout.write(`${half("no message")} \\ud83d\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params: Record<string, unknown> }; // the hall's own
    if (id === undefined) continue;
    write({ method: "notifications/message", params: { level: "info", logger: half("log"), data: half("Working") } });
    write({ method: "notifications/progress", params: { progressToken: id, progress: 1, message: half("Working") } });
    try {
      write({ id, result: answers[method]?.(params) ?? {} });
    } catch (error) {
      write({ id, error: { code: -32000, message: String(error), data: half("Data") } });
    }
  }
}
