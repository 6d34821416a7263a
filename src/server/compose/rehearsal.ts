import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HallError } from "../../schema/hall-error.ts";
import { isWorker } from "../../schema/manifest.ts";
import type { Rehearsal } from "../../schema/rehearsal.ts";
import { judgeExpectations } from "../../scripted-model/judge-expectations.ts";
import { parseScript } from "../../scripted-model/script.ts";
import type { Script } from "../../scripted-model/script.ts";
import { performJob } from "../rehearsal/perform.ts";
import type { Performing } from "../rehearsal/perform.ts";
import { callsIn, callsShownTo } from "../rehearsal/tool-calls.ts";
import { findMember } from "./find-member.ts";
import type { WantedMember } from "./find-member.ts";
import { openStage } from "./rehearsal-stage.ts";

export type RehearsalRequest = Omit<Performing, "worker"> & {
  member: WantedMember;
  /** Null for the one that the member brings. */
  scriptFile: string | null;
  env: NodeJS.ProcessEnv;
  version: string;
  onProgress(text: string): void;
};

/** What a member brings for its own rehearsal. */
const ownScript = "rehearsal.yaml";

/**
 * Lets a worker do one job, alone and in a copy of its folder, with a script in the place of the model, and tells what it
 * did. No hall is needed, and nothing is left behind: neither a process nor a file.
 */
export async function rehearse({ member, scriptFile, env, version, onProgress, ...performing }: RehearsalRequest): Promise<Rehearsal> {
  const program = await findMember(member);
  if (!isWorker(program.manifest)) {
    throw new HallError("conflict", `${program.name} takes no jobs: its manifest does not name the capability "worker".`);
  }
  const file = scriptFile ?? join(program.folder, ownScript);
  const script = await readScript(file, scriptFile === null);
  const stage = await openStage({ program, script, env, version, signal: performing.signal, onProgress });
  try {
    const performed = await performJob({ worker: stage.worker, ...performing });
    const { status, result, events, isLate } = performed;
    // Whatever it still writes is written then.
    await stage.endMember();
    const tools = stage.worker.offers().events ? callsIn(events) : callsShownTo(stage.model.requests);
    const written = events.flatMap((event) => (event.type === "artifact" ? [event.path] : []));
    const did = {
      status: status.status,
      artifacts: [...new Set([...written, ...(result?.artifacts ?? [])])],
      files: await stage.changes(),
      questions: status.questions ?? [],
      decisions: status.decisions ?? [],
      result: result?.output ?? null,
      error: status.error,
    };
    const expectations = judgeExpectations(script.expect ?? {}, { ...did, toolsCalled: tools.map(({ name }) => name) });
    return {
      member: program.name,
      script: file,
      passed: !isLate && expectations.every(({ isMet }) => isMet),
      expectations,
      jobId: performed.jobId,
      ...did,
      tools,
      isLate,
      durationMs: performed.durationMs,
      modelCalls: stage.model.requests.at(-1)?.number ?? 0,
      usage: status.usage ?? null,
    };
  } finally {
    await stage.close();
  }
}

async function readScript(file: string, isOwn: boolean): Promise<Script> {
  const source = await readFile(file, "utf8").catch((cause: unknown) => {
    const advice = isOwn ? "The member brings no script of its own: name one with --script <file>." : "Is it a text file that is there?";
    throw new HallError("bad_request", `${file} cannot be read. ${advice}`, { cause });
  });
  return parseScript(source, file);
}
