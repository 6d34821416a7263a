import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Message, Session } from "../../schema/session.ts";
import type { AgentRun, ToolServer } from "../agent/agent-run.ts";
import type { BuiltInTool } from "../../schema/agent-profile.ts";
import type { RunningCosts } from "../run/running-costs.ts";
import type { SpendingLedger } from "../run/spending.ts";
import type { ContextStore } from "./context-store.ts";
import { earlierConversation } from "./earlier-conversation.ts";
import { openContext } from "./open-context.ts";
import { sessionPrompt } from "./session-prompt.ts";
import type { SessionStore } from "./session-store.ts";
import { budgetOf } from "./session-budget.ts";
import { workerGuidance } from "./worker-guidance.ts";

export type RunDeps = {
  store: SessionStore;
  /** The session's folder and the part of it that its agent may write. */
  foldersOf: (id: SessionId) => { folder: string; artifacts: string };
  limits: { maxTurns: number; maxBudgetUsd: number | null; perSessionUsd: number | null };
  /** Those of the web tools that settings switch on and the model at hand has. */
  webTools: () => readonly BuiltInTool[];
  members: SessionMembers;
  context: ContextStore;
  ledger: SpendingLedger;
  running: RunningCosts;
  /** The agent changed the context file of its session. */
  onContextChanged: (id: SessionId) => void;
};

/** The guild members, as far as sessions care. */
export type SessionMembers = {
  /** Refuses names that nobody has, and starts who is stopped. */
  engage(members: readonly string[]): void;
  /** Their tools at this moment, and a word for the agent about those that are not there. The signal ends all waiting. */
  offersFor(members: readonly string[], signal?: AbortSignal): Promise<MemberOffers>;
};

type MemberOffers = {
  servers: readonly ToolServer[];
  note: string | null;
  /** Those that take jobs, each with the server whose tools dispatch them. */
  workers: readonly { name: string; server: string }[];
};

/** All of a session's next run but what is asked. Its preface is the present context file, whether or not the conversation holds it. */
export async function preparedRun(
  { store, foldersOf, limits, webTools, members, context, ledger, running, onContextChanged }: RunDeps,
  session: Session,
  /** Left out for a process that is to wait for a query. */
  asked?: { query: MessageId; signal: AbortSignal },
): Promise<Omit<AgentRun, "prompt" | "signal"> & { preface: string }> {
  const { id } = session;
  const { folder, artifacts } = foldersOf(id);
  const [{ present, earlier }, offers, opened] = await Promise.all([
    historyOf(store, session),
    members.offersFor(session.members, asked?.signal),
    openContext({ store: context, sessionId: id, onChanged: () => onContextChanged(id) }),
  ]);
  const { perSessionUsd } = limits;
  const others = running.excluding(asked?.query ?? null);
  const maxBudgetUsd = budgetOf({ session, today: ledger.today(), others, perSessionUsd }, limits.maxBudgetUsd);
  return {
    preface: opened.preface,
    systemPrompt: sessionPrompt({
      session,
      note: offers.note,
      workers: workerGuidance(offers.workers),
      earlier: earlierConversation(earlier),
    }),
    ...(session.model === null ? {} : { model: session.model }),
    builtInTools: ["Read", "Grep", "Glob", "Write", "Edit", ...webTools()],
    toolServers: [...offers.servers, opened.toolServer],
    folders: { cwd: folder, read: [folder], write: [artifacts] },
    limits: { maxTurns: session.limits.maxTurns ?? limits.maxTurns, ...(maxBudgetUsd === null ? {} : { maxBudgetUsd }) },
    conversation: { id: session.sdkSessionId, resume: present.some(isWholeAnswer) },
    warmKey: id,
  };
}

const mostRead = 50;

/**
 * The last messages of the present conversation and of the one before its renewal. The latter are always the same ones:
 * they are in the system prompt, and a changed one discards the provider's cache.
 */
async function historyOf(store: SessionStore, session: Session): Promise<{ present: Message[]; earlier: Message[] }> {
  const isPresent = isOfThisConversation(session);
  let { messages, nextCursor } = await store.messages(session.id, { limit: mostRead });
  const present = messages.filter(isPresent);
  let earlier = messages.filter((message) => !isPresent(message));
  while (session.renewedAt !== null && nextCursor !== null && earlier.length < mostRead) {
    ({ messages, nextCursor } = await store.messages(session.id, { limit: mostRead, cursor: nextCursor }));
    earlier = [...messages.filter((message) => !isPresent(message)), ...earlier];
  }
  return { present, earlier: earlier.slice(-mostRead) };
}

/** An answer that broke off may have left nothing in the model's own records, and then there is nothing to take up. */
const isWholeAnswer = ({ role, interrupted }: Message): boolean => role === "assistant" && interrupted !== true;

const isOfThisConversation =
  ({ renewedAt }: Session) =>
  ({ at }: Message): boolean =>
    at > (renewedAt ?? "");
