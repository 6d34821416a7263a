import type { Session, SessionStatus } from "../../../../schema/session.ts";
import type { ErrorCode } from "../../../../schema/error-code.ts";
import { newMessageId, newSdkSessionId, newSessionId } from "../../../../schema/ids.ts";
import { nothingUsed } from "../../../../schema/usage.ts";
import { Banner } from "../../elements/banner.tsx";
import { Button } from "../../elements/button.tsx";
import { Card } from "../../elements/card.tsx";
import { Empty } from "../../elements/empty.tsx";
import { Skeleton } from "../../elements/skeleton.tsx";
import { Toast } from "../../elements/toast.tsx";
import { BackendIndicator } from "../../groups/backend-indicator.tsx";
import { SessionCard } from "../../groups/session-card.tsx";
import { Stack } from "./arrange.tsx";

export const BackendSamples = () => (
  <Stack>
    <BackendIndicator model={{ backend: "claude", name: "claude-sonnet", detail: "A key was found in the environment." }} />
    <BackendIndicator model={{ backend: "endpoint", name: "qwen3-coder", detail: "ANTHROPIC_BASE_URL is set." }} />
    <BackendIndicator model={{ backend: "demo", name: "demo", detail: "Nothing is configured." }} />
    <BackendIndicator model={{ backend: "claude", name: "claude-sonnet", detail: "A key was found." }} isUnreachable />
  </Stack>
);

export const ToastSamples = () => (
  <Stack>
    <Toast status="completed" action={<Button size="sm">Open</Button>}>
      Release checklist is done.
    </Toast>
    <Toast status="waiting" action={<Button size="sm">Answer</Button>}>
      Hollis asks a question.
    </Toast>
    <Toast status="cancelled">A first look is deleted.</Toast>
  </Stack>
);

export const ErrorSamples = () => (
  <Stack>
    <Banner title="The hall does not answer." action={<Button size="sm">Try now</Button>}>
      What was accepted is saved, nothing is lost.
    </Banner>
    <Banner title="The usage limit is reached." action={<Button size="sm">Send it again</Button>}>
      Your message is kept. The limit resets at 11:00.
    </Banner>
    <Banner tone="warning" title="You stopped it." action={<Button size="sm">Continue</Button>}>
      What was said so far is kept.
    </Banner>
  </Stack>
);

export const EmptySamples = () => (
  <Stack>
    <Empty title="No sessions yet" action={<Button size="sm">New session</Button>}>
      A conversation with an agent that has a folder of its own.
    </Empty>
    <Card busy>
      <span className="sr-only">Loading</span>
      <Skeleton width="30%" />
      <Skeleton width="72%" />
      <Skeleton width="54%" />
    </Card>
  </Stack>
);

export const SessionSamples = () => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(236px,1fr))] gap-3">
    {[
      { ...sample("Cursor migration plan", "running"), preview: "Checking the two callers that still read the cursor table" },
      { ...sample("Waits its turn", "running"), waitingFor: waits.slot },
      { ...sample("Waits for the model", "running"), waitingFor: waits.limit },
      { ...sample("Waits at a limit", "running"), waitingFor: waits.budget },
      { ...sample("Release 2.14 checklist", "idle"), preview: "The changelog is ready. Two items still need an owner." },
      sample("Flaky login test", "idle", "model_overloaded"),
      sample("A walk through the tour", "idle", "stopped"),
      sample("Retry budget, three options", "completed"),
      sample("On-call handover, week 45", "expired"),
      sample("A folder nobody can read", "error", "file_broken"),
    ].map((session) => (
      <SessionCard key={session.name} session={session} />
    ))}
    <SessionCard
      session={sample("Found by its words", "idle")}
      words="word"
      match={{ messageId: newMessageId(), text: "… and in these words it was said, which is why it is here.", marks: [[13, 17]] }}
    />
  </div>
);

const since = "2026-01-05T10:41:00.000Z";

const waits = {
  slot: { kind: "slot", since },
  limit: { kind: "limit", since, until: "2026-01-05T13:00:00.000Z" },
  budget: { kind: "budget", since, limit: "run", message: "The answer has cost $2.52, and its limit is $2.50." },
} as const;

export const sample = (name: string, status: SessionStatus, code?: ErrorCode): Session => ({
  id: newSessionId(),
  kind: "session",
  name,
  status,
  members: status === "idle" ? ["files", "git"] : [],
  model: null,
  sdkSessionId: newSdkSessionId(),
  messageCount: name.length,
  createdAt: new Date().toISOString(),
  lastActivityAt: new Date().toISOString(),
  costUsd: name.length / 30,
  usage: nothingUsed,
  limits: {},
  error: code === undefined ? null : { code, message: "What happened, and what is kept, in one sentence." },
  renewedAt: null,
  preview: null,
  waitingFor: null,
  endedQuery: null,
});
