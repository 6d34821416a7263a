import { mkdir } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { listArtifacts, splitPath, writeArtifact } from "./artifacts.ts";
import type { JobStore } from "./job-store.ts";
import type { OpenJob } from "./job.ts";
import { identifyAgent } from "./process-identity.ts";
import { tidyQuestion } from "./question-list.ts";

const maxSummaryLength = 4000;
const maxWords = 20_000;
const maxEntries = 500;
const maxOutputBytes = 4 * 1024 * 1024;

/** Hands a job to its agent: what the agent says is written to the job's folder, and to no other place. */
export async function openJob(store: JobStore, id: string, onStarted: () => void): Promise<OpenJob> {
  const job = store.find(id);
  if (job === undefined) throw new Error(`There is no job ${id}.`);
  const { files } = store;
  const folder = files.folder(id);
  const sdkFolder = files.sdkFolder(id);
  await mkdir(sdkFolder, { recursive: true, mode: 0o700 });
  const { turns, costUsd } = job.meta.usage;
  let hasResult = (await files.readResult(id)) !== null;

  return {
    id,
    task: await files.readTask(id),
    settings: await store.settings(id),
    attempt: job.meta.attempt,
    folder,
    sdkFolder,
    usedBefore: { turns, costUsd },
    hasResult: () => hasResult,
    writeSummary: (summary) => store.setSummary(id, clip(summary.trim(), maxSummaryLength)),

    async addQuestion(question) {
      const asked = clip(tidyQuestion(question), maxWords);
      let isNew = false;
      await store.update(id, async () => {
        const before = await files.readQuestions(id);
        if (before.length >= maxEntries) throw new Error(`There are ${maxEntries} questions already, and no room for more.`);
        // An agent that was interrupted may ask again.
        isNew = !before.includes(asked);
        if (isNew) await files.writeQuestions(id, [...before, asked]);
        return isNew ? { openQuestions: before.length + 1 } : {};
      });
      if (isNew) await store.addEvent(id, { type: "question", question: asked });
    },

    async addDecision({ question, decision, reasoning }) {
      const made = { question: clip(question, maxWords), decision: clip(decision, maxWords), reasoning: clip(reasoning, maxWords) };
      let isNew = false;
      await store.update(id, async () => {
        const before = await files.readDecisions(id);
        if (before.length >= maxEntries) throw new Error(`There are ${maxEntries} decisions already, and no room for more.`);
        // An agent that was interrupted may say it again.
        isNew = !before.some((other) => isDeepStrictEqual(other, made));
        if (isNew) await files.writeDecisions(id, [...before, made]);
        return {};
      });
      if (isNew) await store.addEvent(id, { type: "decision", ...made });
    },

    async writeArtifact(path, content) {
      const written = await writeArtifact(folder, path, content);
      await store.addEvent(id, { type: "artifact", path: written, size: Buffer.byteLength(content) });
      return written;
    },

    async submitResult(output, artifacts) {
      const size = Buffer.byteLength(output);
      if (size > maxOutputBytes)
        throw new Error(`The result has ${size} bytes; ${maxOutputBytes} are possible. Write the long parts as artifacts.`);
      const named = artifacts === undefined || artifacts.length === 0 ? null : await knownArtifacts(folder, artifacts);
      // What the result names is written first: with the result itself the job is as good as done, whatever happens next.
      await store.update(id, async () => ({ artifacts: named }));
      await files.writeResult(id, output);
      hasResult = true;
    },

    addEvent: (event) => store.addEvent(id, event),
    setUsage: (used) => store.update(id, async ({ meta }) => ({ usage: { ...meta.usage, ...used } })),
    setAgentProcess: (pid) => store.update(id, async () => ({ agent: identifyAgent(pid, folder) })),
    onStarted,
  };
}

async function knownArtifacts(folder: string, paths: string[]): Promise<string[]> {
  const there = new Set(await listArtifacts(folder));
  const named = paths.map((path) => {
    const written = ["artifacts", ...splitPath(path)].join("/");
    if (!there.has(written)) throw new Error(`There is no artifact ${path}. Write it with write_artifact before the result names it.`);
    return written;
  });
  return [...new Set(named)];
}

const clip = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
