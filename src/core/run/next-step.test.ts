import { describe, expect, it } from "vitest";
import { newJobRunId, newSdkSessionId } from "../../schema/ids.ts";
import { JobRun } from "../../schema/run.ts";
import { WorkerDefinition } from "../../schema/worker-definition.ts";
import type { Transcript } from "../agent/agent-run.ts";
import { workerProfile } from "../delegation/worker-profile.ts";
import { nextStep, parkedMark } from "./next-step.ts";

const [taskId, laterId] = ["5b0b2a1e-27a0-4f0c-9d0e-000000000001", "5b0b2a1e-27a0-4f0c-9d0e-000000000002"];
const id = newJobRunId();
const definition = WorkerDefinition.parse({ name: "clerk", instructions: "You are a clerk." });
const run = JobRun.parse({
  id,
  owner: { kind: "job", id },
  parent: null,
  callId: null,
  root: id,
  depth: 0,
  worker: definition.name,
  definition,
  profile: workerProfile(definition, null),
  startedAt: null,
  model: { name: null, source: "hall" },
  conversation: newSdkSessionId(),
  state: "queued",
  waitingFor: null,
  attempt: 1,
  createdAt: "2026-01-01",
  endedAt: null,
  ending: null,
  output: null,
  prompts: [{ id: taskId, text: "The task.", tells: [] }],
});
const transcript: Transcript = { prompts: new Set([taskId]), calls: [{ id: "t1", name: "write", input: {} }], ending: null, preface: null };
const waitingFor = { kind: "slot", since: "2026-01-01" } as const;
const call = { key: "a1", callId: "t1", tool: "write", outcome: "Done." };
const [none, real, parked] = [new Map<string, string>(), new Map([["t1", "real"]]), new Map([["t1", `"${parkedMark} …"`]])];

describe("the next step of a run without a process", () => {
  it("is its task, if the model has none yet, and again if its conversation was lost", () => {
    const empty = { prompts: new Set<string>(), calls: [], ending: null, preface: null };

    expect(nextStep({ run, transcript: empty, results: none, calls: [] })).toEqual({ next: "send", prompt: run.prompts[0] });
    const lost = nextStep({ run, transcript: empty, results: none, calls: [call] });
    expect(lost).toMatchObject({ next: "tell", prompt: { text: expect.stringMatching(/^The task\.\n\n/) as string, tells: ["a1"] } });
  });

  it("is to wait as long as one of its calls has no outcome", () => {
    const calls = [call, { callId: "t2", waitingFor }];

    expect(nextStep({ run, transcript, results: parked, calls })).toEqual({ next: "wait", for: waitingFor });
  });

  it("is to tell what came of the calls that were parked or cut off, once", () => {
    for (const results of [none, parked]) {
      const step = nextStep({ run, transcript, results, calls: [call] });
      expect(step).toMatchObject({ next: "tell", prompt: { text: expect.stringContaining("- write: Done.") as string, tells: ["a1"] } });
    }
    const later = { ...run, prompts: [...run.prompts, { id: laterId, text: "Settled.", tells: ["a1"] }] };
    const sent = { ...transcript, prompts: new Set([taskId, laterId]) };
    expect(nextStep({ run: later, transcript: sent, results: parked, calls: [call] })).toMatchObject({ prompt: { tells: [] } });
    expect(nextStep({ run: later, transcript, results: parked, calls: [] })).toEqual({ next: "send", prompt: later.prompts[1] });
  });

  it("is to go on after a crash, with a word of what is still to be done", () => {
    const step = nextStep({ run, transcript, results: real, calls: [] });
    const due = nextStep({ run, transcript, results: real, calls: [{ ...call, isDue: true as const }] });

    expect(step).toMatchObject({
      next: "tell",
      prompt: { text: expect.stringContaining("You were interrupted while you worked") as string },
    });
    expect(due).toMatchObject({ next: "tell", prompt: { text: expect.stringContaining("- write: Done.") as string, tells: [] } });
  });

  it("is its end if the last turn ended, and not if that was on a result which the hall did not give", () => {
    const ended = { ...transcript, ending: "I am done." };

    expect(nextStep({ run, transcript: ended, results: real, calls: [] })).toEqual({ next: "end", text: "I am done." });
    expect(nextStep({ run, transcript: ended, results: none, calls: [] })).toMatchObject({ next: "tell" });
  });
});
