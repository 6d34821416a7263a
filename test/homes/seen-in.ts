import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { HallClient } from "../../src/client/hall-client.ts";
import type { Session } from "../../src/schema/session.ts";

/** All that a client sees in a home where nothing is under way, except times that depend on when it was opened. */
export async function seenIn(client: HallClient, home: string) {
  const { sessions } = await client.sessions.list({ limit: 100 });
  const { jobs } = await client.jobs.list({ worker: "researcher", hidden: true });
  const runs = await Promise.all((await readdir(join(home, "jobs"))).toSorted().map((id) => client.runs.get(id)));
  const { days, limit } = await client.spending.get();
  return {
    sessions: await Promise.all(sessions.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((session) => seenOf(client, session))),
    jobs: await Promise.all(jobs.toSorted((a, b) => a.description.localeCompare(b.description)).map(({ jobId }) => jobOf(client, jobId))),
    runs: runs.map((run) => ({
      id: run.id,
      owner: run.owner,
      parent: run.parent,
      root: run.root,
      depth: run.depth,
      worker: run.worker,
      model: run.model,
      state: run.state,
      waitsFor: run.waitingFor?.kind ?? null,
      usage: run.usage,
      ending: run.ending,
      output: run.output,
      children: run.children,
    })),
    approvals: (await client.approvals.list()).approvals.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    calls: (await client.tools.calls()).calls,
    spending: {
      limit,
      costUsd: Math.round(days.reduce((sum, { costUsd }) => sum + costUsd, 0) * 1e6) / 1e6,
      queries: days.reduce((sum, { queries }) => sum + queries, 0),
    },
  };
}

async function seenOf({ sessions }: HallClient, session: Session) {
  const { id, name, status, members, model, sdkSessionId, messageCount, createdAt, costUsd, usage, limits, error, renewedAt, preview } =
    session;
  const { messages } = await sessions.get(id, { limit: 100 });
  const { artifacts } = await sessions.artifacts.list(id);
  return {
    session: { id, name, status, members, model, sdkSessionId, messageCount, createdAt, costUsd, usage, limits, error, renewedAt, preview },
    messages: messages.map(({ id: message, role, blocks, interrupted = false }) => ({
      // An answer may have come after the home was opened.
      ...(role === "user" ? { id: message } : {}),
      role,
      blocks,
      interrupted,
    })),
    queue: (await sessions.queue.list(id)).messages,
    context: (await sessions.context.read(id)).text,
    artifacts: await Promise.all(
      artifacts.map(async ({ path }) => ({ path, base64: await bytesOf(await sessions.artifacts.read(id, path)) })),
    ),
  };
}

async function jobOf({ jobs }: HallClient, jobId: string) {
  const { description, task, status, summary, questions, decisions, openQuestions, error } = await jobs.get("researcher", jobId);
  const { output, artifacts } = await jobs.result("researcher", jobId);
  const files = (artifacts ?? []).map(async (path) => ({
    path,
    base64: await bytesOf(await jobs.readArtifact("researcher", jobId, path)),
  }));
  return {
    jobId,
    description,
    task,
    status,
    summary,
    questions,
    decisions,
    openQuestions,
    error,
    output,
    artifacts: await Promise.all(files),
  };
}

const bytesOf = async (response: Response): Promise<string> => Buffer.from(await response.arrayBuffer()).toString("base64");
