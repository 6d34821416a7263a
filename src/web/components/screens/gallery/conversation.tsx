import { newMessageId } from "../../../../schema/ids.ts";
import type { Message } from "../../../../schema/session.ts";
import { Code } from "../../elements/code.tsx";
import { JsonCode } from "../../elements/json-code.tsx";
import { Markdown } from "../../groups/markdown.tsx";
import { MessageView } from "../../groups/message-view.tsx";
import { ToolRows } from "../../groups/tool-rows.tsx";
import type { ToolCall } from "../../groups/tool-call.ts";
import { Stack } from "./arrange.tsx";

const call = (id: string, name: string, input: unknown, result: ToolCall["result"]): ToolCall => ({ id, name, input, result });

const done = { content: "src/sync/queue.ts\nsrc/sync/reconcile.ts", isError: false };

export const ToolSamples = () => (
  <>
    <ToolRows
      isLive
      calls={[
        call("1", "Read", { file_path: "src/sync/queue.ts" }, done),
        call("2", "mcp__git__log", { path: "src/sync/reconcile.ts" }, null),
        call("3", "mcp__postgres__query", { sql: "select 1" }, { content: "statement timeout: the role allows 5 s", isError: true }),
      ]}
    />
    <ToolRows isLive={false} calls={[call("4", "mcp__git__blame", { path: "src/sync/export.ts" }, null)]} />
    <ToolRows isLive={false} calls={Array.from({ length: 9 }, (_, index) => call(`5-${index}`, "Glob", { pattern: "**/*.ts" }, done))} />
  </>
);

const said = (role: Message["role"], text: string): Message => ({
  id: newMessageId(),
  role,
  at: new Date().toISOString(),
  blocks: [{ type: "text", text }],
});
const demo = { backend: "demo", name: "demo", detail: "" } as const;
const claude = { backend: "claude", name: "claude", detail: "" } as const;

export const MessageSamples = () => (
  <>
    <MessageView message={said("user", "Can we drop the column without a resync?")} model={claude} isLive={false} goesOn={false} />
    <MessageView
      message={{ ...said("user", "The old column has a second reader."), note: { readAt: "2026-01-05T10:41:00.000Z" } }}
      model={claude}
      isLive={false}
      goesOn={false}
    />
    <MessageView message={said("assistant", "Yes. I will look at who reads it first.")} model={claude} isLive={false} goesOn={false} />
    <MessageView
      message={{ ...said("assistant", "Checking the two callers that"), interrupted: true }}
      model={claude}
      isLive={false}
      goesOn
    />
    <MessageView message={said("assistant", "*Scripted demo, no AI:* this is still arriv")} model={demo} isLive goesOn={false} />
  </>
);

const untrusted = `Raw HTML stays text: <b onclick="alert(1)">not bold</b>. A [link](https://example.org/a/b) says where it leads, a [script](javascript:alert(1)) leads nowhere, and ![a picture](https://example.org/p.png) is not fetched.

| member | jobs |
| --- | ---: |
| researcher | 12 |

- [x] done
- [ ] not done`;

export const MarkdownSamples = () => <Markdown text={untrusted} />;

export const CodeSamples = () => (
  <Stack>
    <JsonCode label="JSON" value={{ base: "main", stat: true, lines: 212, none: null }} />
    <Code label="Text">{" src/sync/queue.ts      | 41 +++++++-----\n src/sync/reconcile.ts  | 18 +++---"}</Code>
  </Stack>
);
