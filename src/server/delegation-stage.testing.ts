import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { leadersStartedBy } from "../../test/faults/process-lives.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Approval } from "../schema/approval.ts";
import type { RunDetail } from "../schema/run.ts";
import { readConversation } from "../scripted-model/conversation.ts";
import type { Conversation } from "../scripted-model/conversation.ts";
import type { Reply } from "../scripted-model/reply.ts";
import { startScriptedModel } from "../scripted-model/server.ts";
import { openHallInProcess } from "./hall-in-process.testing.ts";
import type { HallInProcess } from "./hall-in-process.testing.ts";

type Part = (conversation: Conversation) => Reply;

const calls = (names: readonly string[]): Reply => ({
  tools: names.map((name) => ({ name: "mcp__delegation__worker_call", input: { worker_name: name, input_data: `Task for ${name}.` } })),
});
const writes = (path: string, content: string): Reply => ({ tools: [{ name: "mcp__files__write_file", input: { path, content } }] });
/** A process that is killed early may leave a transcript without its first call, and then both texts are one message. */
const isFirst = ({ step, userTexts }: Conversation): boolean => step === 1 && userTexts.every((text) => !text.includes("are settled"));

/** What the model last heard from tools or from the hall. */
const heard = ({ toolResults, userTexts }: Conversation): string =>
  toolResults.length > 0 ? toolResults.map(({ text }) => text).join(" | ") : (userTexts.at(-1) ?? "");

export const parts = {
  desk:
    (names: readonly string[]): Part =>
    (said) =>
      isFirst(said) ? calls(names) : { text: `Desk heard: ${heard(said)}` },
  writes:
    (content = "Hello.", path = "out/note.txt"): Part =>
    (said) =>
      isFirst(said) ? writes(path, content) : { text: `Clerk heard: ${heard(said)}` },
  /** First into a place that cannot be written, then elsewhere. */
  writesTwice: (): Part => (said) => {
    if (isFirst(said)) return writes("out/in/note.txt", "Old.");
    return said.step === 2 && said.userTexts.length === 1 ? writes("out/note.txt", "Second.") : { text: `Clerk heard: ${heard(said)}` };
  },
  keepsWriting: (): Part => (said) => writes(`out/${said.userTexts.length}.txt`, "Again."),
  /** The built-in tool: each time it is told to call it again, it says something else. */
  writesBuiltIn:
    (contents: readonly string[]): Part =>
    (said) => {
      if (said.step > 1 && said.toolResults.every(({ isError }) => !isError)) return { text: "Written." };
      const file = `${/working directory: (\S+)/.exec(said.system)?.[1] ?? ""}/a.txt`;
      return { tools: [{ name: "Write", input: { file_path: file, content: contents[said.userTexts.length - 1] ?? "Never approved." } }] };
    },
  says:
    (text: string, delayMs = 0): Part =>
    () => ({ text, delayMs }),
};

const definitions = {
  desk: "name: desk\ninstructions: You are the worker desk.\nallow_workers: [clerk, clerk2]\n",
  clerk: `name: clerk
instructions: You are the worker clerk.
sandboxes: { out: { path: out, mode: rw } }
tool_rules: { sandbox.write: { approval_required: true } }
`,
  clerk2: "name: clerk2\ninstructions: You are the worker clerk2.\nsandboxes: { out: { path: out, mode: rw } }\n",
};

export type DelegationStage = Awaited<ReturnType<typeof setDelegationStage>>;

/** A home with a desk that calls clerks, the real SDK, and a model that plays a part for each of them. */
export async function setDelegationStage(
  play: Readonly<Record<string, Part>>,
  { runs = {}, workers = {} }: { runs?: object; workers?: Readonly<Record<string, string>> } = {},
) {
  const folder = await temporaryFolder();
  const home = join(folder, "home");
  const model = await startScriptedModel({
    script(request) {
      const said = readConversation(request);
      const worker = /You are the worker (\w+)\./.exec(said.system)?.[1] ?? "";
      return play[worker]?.(said) ?? { text: `Nobody plays ${worker}.` };
    },
  });
  onTestFinished(() => model.close());
  let lives = 0;
  let hall = await open();
  onTestFinished(() => hall.close().then(() => undefined));
  await mkdir(join(home, "workers"), { mode: 0o700 });
  for (const [name, text] of Object.entries({ ...definitions, ...workers })) await writeFile(join(home, "workers", `${name}.yaml`), text);

  function open(): Promise<HallInProcess> {
    return openHallInProcess({
      folder: join(folder, `user-${(lives += 1)}`),
      home,
      env: { ...process.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-test" },
      config: { runs: { atOnce: 1, processes: 1, waiting: 0, ...runs } },
    });
  }

  return {
    home,
    model,
    hall: () => hall,
    async restart() {
      await hall.close();
      hall = await open();
    },
    async run(worker: string, task = "Do it."): Promise<string> {
      return (await hall.client.jobs.dispatch(worker, { description: task, task })).jobId;
    },
    async approval(index = 0): Promise<Approval> {
      return vi.waitUntil(async () => (await hall.client.approvals.list({ state: "pending" })).approvals.toReversed()[index], patience);
    },
    approve: (approval: Approval, edited?: Record<string, unknown>) =>
      hall.client.approvals.approve(approval.id, { inputHash: approval.inputHash, ...(edited === undefined ? {} : { edited }) }),
    /** Approves all that the run asks, until it waits at a limit. */
    approveUntilLimit: (id: string): Promise<RunDetail> =>
      vi.waitUntil(async () => {
        for (const pending of (await hall.client.approvals.list({ state: "pending" })).approvals) {
          await hall.client.approvals.approve(pending.id, { inputHash: pending.inputHash });
        }
        const run = await hall.client.runs.get(id);
        return run.waitingFor?.kind === "budget" && run;
      }, patience),
    ended: (id: string): Promise<RunDetail> => vi.waitUntil(async () => endedOrNot(await hall.client.runs.get(id)), patience),
    until: (id: string, state: RunDetail["state"]) => vi.waitUntil(async () => (await hall.client.runs.get(id)).state === state, patience),
    detail: (id: string) => hall.client.runs.get(id),
    childrenOf: async (id: string) => Promise.all((await hall.client.runs.get(id)).children.map((child) => hall.client.runs.get(child))),
    approvals: async () => (await hall.client.approvals.list()).approvals,
    untilNoAgent: () => vi.waitUntil(async () => (await agentsOf(home)).length === 0, patience),
    /** All that the model was sent last for this worker. */
    conversationOf: (worker: string) =>
      JSON.stringify(model.requests.findLast(({ body }) => JSON.stringify(body).includes(`You are the worker ${worker}.`))?.body),
    work: (id: string, name: string) => readFile(join(home, "jobs", id, "work", name), "utf8"),
    note: () => readFile(join(home, "out/note.txt"), "utf8").catch(() => null),
    inode: async () => (await stat(join(home, "out/note.txt"))).ino,
  };
}

/** The processes of agents that this home's hall started. */
export async function agentsOf(home: string): Promise<number[]> {
  return leadersStartedBy(home).agents.map(({ pid }) => pid);
}

const patience = { timeout: 30_000, interval: 20 };

const endedOrNot = (run: RunDetail): RunDetail | null => (run.endedAt === null ? null : run);
