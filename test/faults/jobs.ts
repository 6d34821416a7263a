import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { JobId } from "../../src/schema/job.ts";
import type { Condition, Turn } from "../../src/scripted-model/script.ts";
import type { Hall } from "./conversation.ts";
import { leadersOf } from "./processes.ts";

/** A hall of any kind, and where it keeps its jobs. */
export type JobHall = Hall & { home: string };

/** A job of which the hall said that its worker has it. */
export type AcceptedJob = { jobId: JobId; task: string };

/** What the agent of each job asks, decides and writes on its way. */
const asked = "For whom is the report?";
const decided = { question: "How long?", decision: "Short.", reasoning: "It is read on the way." };
const noted = "Noted.";

const tool = (name: string): string => `mcp__worker-internal__${name}`;

/** What the model says to the agent of a job, up to its report. */
export const jobTurns: readonly Turn[] = [
  { when: atStep(1), reply: { delayMs: 200, tools: [{ name: tool("update_summary"), input: { summary: "Begun." } }] } },
  {
    when: atStep(2),
    reply: {
      tools: [
        { name: tool("log_question"), input: { question: asked } },
        { name: tool("record_decision"), input: decided },
        { name: tool("write_artifact"), input: { path: "notes.md", content: noted } },
      ],
    },
  },
  { when: atStep(3), reply: { tools: [{ name: tool("submit_result"), input: { output: "Report: {{firstUser}}" } }] } },
];

function atStep(step: number): Condition {
  return { step, toolOffered: tool("submit_result") };
}

export async function untilConnected({ client }: Hall, name = "researcher"): Promise<void> {
  while ((await client.roster.list()).members.find((member) => member.name === name)?.status !== "connected") await pause(50);
}

/** A machine that is busy with other things takes its time for three agents. */
const patienceMs = 90_000;

/** Looks on until no job runs any more, and answers where one had two agents at once. */
export async function untilEnded(hall: JobHall, accepted: readonly AcceptedJob[]): Promise<string[]> {
  const faults = new Set<string>();
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(250)) {
    for (const { jobId } of accepted) {
      const agents = await leadersOf(join(hall.home, "guild-members/researcher/jobs", jobId));
      if (agents.length > 1) faults.add(`${jobId} has ${agents.length} agents at once.`);
    }
    const { jobs, missing } = await hall.client.jobs.list({ status: "running" });
    // Of a worker that is not back yet there is nothing in the list.
    if (jobs.length === 0 && missing.length === 0) break;
  }
  return [...faults];
}

/** What is wrong with jobs after a crash and a new start, one sentence each. */
export async function faultsInJobs(hall: JobHall, accepted: readonly AcceptedJob[]): Promise<string[]> {
  return (await Promise.all(accepted.map((job) => faultsInJob(hall, job)))).flat();
}

async function faultsInJob({ client }: JobHall, { jobId, task }: AcceptedJob): Promise<string[]> {
  const job = await client.jobs.get("researcher", jobId).catch(String);
  if (typeof job === "string") return [`${jobId} was accepted and cannot be read: ${job}`];
  if (job.status !== "completed") return [`${jobId} is ${job.status}: ${job.error ?? job.summary ?? "and says nothing of it"}`];
  const { output } = await client.jobs.result("researcher", jobId);
  const { events } = await client.jobs.events("researcher", jobId);
  const { questions, decisions } = job;
  const notes = await client.jobs
    .readArtifact("researcher", jobId, "notes.md")
    .then((answer) => answer.text())
    .catch(String);
  const ends = events.filter((event) => event.type === "status" && event.status !== "running");
  return [
    ...(job.task === task && output === `Report: ${task}` ? [] : [`${jobId} was "${task}" and has the result "${output}".`]),
    ...(ends.length === 1 ? [] : [`${jobId} ended ${ends.length} times.`]),
    ...(isDeepStrictEqual(questions, [asked]) ? [] : [`${jobId} asked once, and has the questions ${JSON.stringify(questions)}.`]),
    ...(isDeepStrictEqual(decisions, [decided]) ? [] : [`${jobId} decided once, and has the decisions ${JSON.stringify(decisions)}.`]),
    ...(notes === noted ? [] : [`${jobId} wrote "${noted}", and it is kept as "${notes}".`]),
  ];
}
