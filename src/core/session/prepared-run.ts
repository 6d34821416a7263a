import type { MessageId, SessionId } from "../../schema/ids.ts";
import type { Message, Session } from "../../schema/session.ts";
import type { AgentRun, ToolServer } from "../agent/agent-run.ts";
import type { AgentProfile, BuiltInTool } from "../../schema/agent-profile.ts";
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
  /** The folders of a profile, in the folder of the session. */
  foldersOf: (id: SessionId, folders: AgentProfile["folders"]) => AgentRun["folders"];
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

export type PreparedRun = Pick<AgentRun, "toolServers" | "conversation"> & {
  profile: AgentProfile;
  /** The present context file, whether or not the conversation holds it. */
  preface: string;
};

/** What the next run of a session's main agent begins with. */
export async function prepareRun(
  { store, limits, webTools, members, context, ledger, running, onContextChanged }: RunDeps,
  session: Session,
  /** Left out for a process that is to wait for a message. */
  asked?: { query: MessageId; signal: AbortSignal },
): Promise<PreparedRun> {
  const { id } = session;
  const [{ present, earlier }, offers, opened] = await Promise.all([
    historyOf(store, session),
    members.offersFor(session.members, asked?.signal),
    openContext({ store: context, sessionId: id, onChanged: () => onContextChanged(id) }),
  ]);
  const { perSessionUsd } = limits;
  const others = running.excluding(asked?.query ?? null);
  const maxBudgetUsd = budgetOf({ session, today: ledger.today(), others, perSessionUsd }, limits.maxBudgetUsd);
  const toolServers = [...offers.servers, opened.toolServer];
  return {
    profile: {
      instructions: sessionPrompt({
        session,
        note: offers.note,
        workers: workerGuidance(offers.workers),
        earlier: earlierConversation(earlier),
      }),
      builtInTools: ["Read", "Grep", "Glob", "Write", "Edit", ...webTools()],
      toolServers: toolServers.map(({ name }) => name),
      folders: { cwd: ".", read: ["."], write: ["artifacts"] },
      limits: { maxTurns: session.limits.maxTurns ?? limits.maxTurns, maxBudgetUsd },
      model: session.model,
    },
    toolServers,
    preface: opened.preface,
    conversation: { id: session.sdkSessionId, resume: present.some(isWholeAnswer) },
  };
}

/** A process of the session's main agent, without what it is asked. */
export function processOf(
  { foldersOf }: Pick<RunDeps, "foldersOf">,
  id: SessionId,
  { profile, toolServers, conversation }: PreparedRun,
): Omit<AgentRun, "prompt" | "signal"> {
  const { maxTurns, maxBudgetUsd } = profile.limits;
  return {
    systemPrompt: profile.instructions,
    ...(profile.model === null ? {} : { model: profile.model }),
    builtInTools: profile.builtInTools,
    toolServers: toolServers.filter(({ name }) => profile.toolServers.includes(name)),
    folders: foldersOf(id, profile.folders),
    limits: { maxTurns, ...(maxBudgetUsd === null ? {} : { maxBudgetUsd }) },
    conversation,
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
