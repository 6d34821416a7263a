import type { SessionId } from "../../schema/ids.ts";
import type { Message, Session, SessionFailure } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";
import type { AgentEnding, AgentRun, AgentRunner, BuiltInTool, ToolServer } from "../agent/agent-run.ts";
import type { Insist } from "./insist.ts";
import { sessionPrompt } from "./session-prompt.ts";
import type { SessionStore } from "./session-store.ts";
import { createTranscript } from "./transcript.ts";

export type QueryDeps = {
  store: SessionStore;
  runner: AgentRunner;
  /** The session's folder and the part of it that its agent may write. */
  foldersOf: (id: SessionId) => { folder: string; artifacts: string };
  limits: { maxTurns: number; maxBudgetUsd: number | null };
  /** Those of the web tools that settings switch on and the model at hand has. */
  webTools: () => readonly BuiltInTool[];
  members: SessionMembers;
  insist: Insist;
  now: () => string;
};

/** The guild members, as far as sessions care. */
export type SessionMembers = {
  /** Refuses names that nobody has, and starts who is stopped. */
  engage(members: readonly string[]): void;
  /** Their tools at this moment, and a word for the agent about those that are not there. The signal ends all waiting for them. */
  offersFor(members: readonly string[], signal?: AbortSignal): Promise<{ servers: readonly ToolServer[]; note: string | null }>;
};

/** How a query ended, what it cost and how many messages it added. */
export type QueryOutcome = { error: SessionFailure | null; costUsd: number; said: number };

type Query = QueryDeps & {
  session: Session;
  message: Message;
  signal: AbortSignal;
  /** The hall is ending, so an abort is not the person's wish. */
  isClosing: () => boolean;
  emit: (event: SessionEvent) => void;
};

/** Runs one message through the agent and stores each assistant message as soon as it is complete. */
export async function runQuery(query: Query): Promise<QueryOutcome> {
  const { store, session, emit, insist } = query;
  const transcript = createTranscript(query.now);
  let costUsd = 0;
  let said = 0;
  let ending: AgentEnding = { outcome: "failed", code: "internal", message: "The agent ended without saying how." };

  for await (const event of query.runner.run(await agentRun(query))) {
    if (event.type === "usage") costUsd = event.costUsd;
    if (event.type === "ended") ending = event.ending;
    const { events, finished } = transcript.take(event);
    for (const message of finished) await insist(() => store.appendMessage(session.id, message));
    said += finished.length;
    for (const each of events) emit(each);
  }

  const rest = transcript.finish({ interrupted: ending.outcome === "failed" });
  for (const message of rest) await insist(() => store.appendMessage(session.id, message));
  return { error: failureOf(ending, query.isClosing()), costUsd, said: said + rest.length };
}

async function agentRun({ session, message, signal, ...deps }: Query): Promise<AgentRun> {
  const prompt = message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return { ...(await preparedRun(deps, session, signal)), prompt, signal };
}

/** All of a session's next run but what is asked. */
export async function preparedRun(
  { store, foldersOf, limits, webTools, members }: Pick<QueryDeps, "store" | "foldersOf" | "limits" | "webTools" | "members">,
  session: Session,
  signal?: AbortSignal,
): Promise<Omit<AgentRun, "prompt" | "signal">> {
  const { folder, artifacts } = foldersOf(session.id);
  const [{ messages }, offers] = await Promise.all([store.messages(session.id, { limit: 50 }), members.offersFor(session.members, signal)]);
  const maxBudgetUsd = session.limits.maxBudgetUsd ?? limits.maxBudgetUsd;
  return {
    systemPrompt: sessionPrompt(session, offers.note),
    ...(session.model === null ? {} : { model: session.model }),
    builtInTools: ["Read", "Grep", "Glob", "Write", "Edit", ...webTools()],
    toolServers: offers.servers,
    folders: { cwd: folder, read: [folder], write: [artifacts] },
    limits: { maxTurns: session.limits.maxTurns ?? limits.maxTurns, ...(maxBudgetUsd === null ? {} : { maxBudgetUsd }) },
    conversation: {
      id: session.sdkSessionId,
      resume: messages.some((message) => isWholeAnswer(message) && isOfThisConversation(message, session)),
    },
    lane: session.id,
    warmKey: session.id,
  };
}

/** An answer that broke off may have left nothing in the model's own records, and then there is nothing to take up. */
const isWholeAnswer = ({ role, interrupted }: Message): boolean => role === "assistant" && interrupted !== true;

const isOfThisConversation = ({ at }: Message, { renewedAt }: Session): boolean => at > (renewedAt ?? "");

function failureOf(ending: AgentEnding, isClosing: boolean): SessionFailure | null {
  if (ending.outcome === "completed") return null;
  const { code, message, resetsAt } = ending;
  if (code === "stopped" && isClosing)
    return { code: "interrupted", message: "The hall was stopped while this was running. What was said so far is kept." };
  return { code, message, ...(resetsAt === undefined ? {} : { resetsAt }) };
}
