import { constants } from "node:fs";
import { lstat, open, rename } from "node:fs/promises";
import { z } from "zod";
import { createTurns } from "../../../core/in-turn.ts";
import type { Effect, Effects, FileToWrite } from "../../../core/run/run-store.ts";
import type { JobRunId } from "../../../schema/ids.ts";
import { HallError } from "../../../schema/hall-error.ts";
import { appendJsonLines } from "../append-json-lines.ts";
import { makeFolder } from "../durable-write.ts";
import { fileFailure } from "../file-failure.ts";
import { systemCode } from "../../system-code.ts";
import { inFolder } from "../../paths/held-folder.ts";
import type { HeldFolder } from "../../paths/held-folder.ts";
import type { Layout } from "../layout.ts";
import { readJsonLines } from "../read-json-lines.ts";

const Entry = z.object({
  callId: z.string(),
  tool: z.string(),
  approval: z.string().nullable(),
  state: z.enum(["started", "done"]),
  result: z.string().nullable(),
});

/** The journal of a run's effects, and the writing of files that it makes exact. */
export function createEffectFiles(layout: Layout): Effects {
  const inTurn = createTurns<JobRunId>();

  async function read(run: JobRunId): Promise<Effect[]> {
    const { entries } = await readJsonLines(layout.job(run).effects, Entry);
    const latest = new Map<string, Effect>();
    for (const entry of entries) if ("value" in entry) latest.set(entry.value.callId, entry.value);
    return [...latest.values()];
  }

  const note = (run: JobRunId, effect: Effect): Promise<void> => appendJsonLines(layout.job(run).effects, [effect], { durable: true });

  return {
    of: (run) => inTurn(run, () => read(run)),
    note: (run, effect) => inTurn(run, () => note(run, effect)),
    write: (run, call, file) =>
      inTurn(run, async () => {
        const known = (await read(run)).find(({ callId }) => callId === call.callId);
        if (known?.state === "done") return known;
        await inSandbox(file, async (folder, name) => {
          // Named for the call: as long as it is there, the file has not got its content yet.
          const temporary = folder.at(`.${call.callId}.tmp`);
          if (known === undefined) {
            await writeWhole(temporary, file.content);
            await folder.flush();
            await note(run, { ...call, state: "started", result: null });
          }
          if (await isThere(temporary)) await rename(temporary, folder.at(name));
          await folder.flush();
        });
        const done: Effect = { ...call, state: "done", result: file.result };
        await note(run, done);
        return done;
      }),
  };
}

async function inSandbox({ root, path }: FileToWrite, work: (folder: HeldFolder, name: string) => Promise<void>): Promise<void> {
  const names = path.split("/");
  const name = names.pop() ?? "";
  try {
    await makeFolder(root);
    await inFolder(root, names, (folder) => work(folder, name), { make: true });
  } catch (error) {
    if (!["ELOOP", "ENOTDIR"].includes(systemCode(error) ?? "")) throw fileFailure(error, path);
    throw new HallError("bad_request", `${path} leads over a link or a file, and cannot be written.`, { cause: error });
  }
}

async function writeWhole(path: string, content: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === "ENOENT") return false;
      throw error;
    },
  );
}
