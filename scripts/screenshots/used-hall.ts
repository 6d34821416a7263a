import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { createHallClient } from "../../src/client/hall-client.ts";
import type { HallClient } from "../../src/client/hall-client.ts";
import { HallError } from "../../src/schema/hall-error.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { JobId } from "../../src/schema/job.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { storeSessions } from "../../test/web/stored-sessions.ts";
import { context, earlierSessions, question, storyScript, tasks, tides } from "./story.ts";

const repository = join(import.meta.dirname, "../..");

/** A hall in which the story has come to the point where it is photographed. */
export type UsedHall = { url: string; session: SessionId; jobs: { running: JobId; done: JobId }; stop(): Promise<void> };

export async function startUsedHall(folder: string): Promise<UsedHall> {
  const home = join(folder, "home");
  await storeSessions(home, earlierSessions);
  const model = await startScriptedModel({ script: storyScript });
  const hall = await startHall(folder, home, model.url);
  const stop = async () => {
    await hall.stop();
    await model.close();
  };
  try {
    const client = createHallClient({ baseUrl: hall.url });
    const jobs = await giveJobs(client);
    return { url: hall.url, session: await talk(client), jobs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startHall(folder: string, home: string, modelUrl: string): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const args = [join(repository, "bin/guild-hall.js"), "serve", "--port", "0", "--home", home, "--json"];
  // Nothing of this machine's own settings. What answers is named for what it is.
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    PATH: process.env["PATH"],
    HOME: folder,
    ANTHROPIC_BASE_URL: modelUrl,
    GUILD_HALL_MODEL: "a script",
  };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string]; // as readline documents "line"
  const { url } = JSON.parse(line) as { url: string }; // what `serve --json` prints
  const exited = once(child, "exit");
  return { url, stop: () => (child.kill("SIGTERM"), exited) };
}

async function giveJobs({ jobs }: HallClient): Promise<UsedHall["jobs"]> {
  const done = await onceItTakesJobs(() => jobs.dispatch("researcher", { description: tasks.done, task: tasks.done }));
  for await (const { event } of jobs.follow("researcher", done.jobId)) if (event.event === "done") break;
  const running = await jobs.dispatch("researcher", { description: tasks.running, task: tasks.running });
  // Its last word is the one at which the script stops.
  for await (const { event } of jobs.follow("researcher", running.jobId)) {
    if (event.event === "entry" && event.data.type === "progress" && event.data.summary.startsWith("Comparing")) break;
  }
  return { running: running.jobId, done: done.jobId };
}

/** Up to the sentence at which the script stops. */
async function talk({ sessions }: HallClient): Promise<SessionId> {
  const { id } = await sessions.create({ name: "The barge", members: ["example"], context });
  await sessions.artifacts.add(id, "tides.csv", new Blob([tides]));
  await sessions.send(id, question);
  for await (const { event } of sessions.events(id)) {
    if (event.event === "text" && event.data.text.includes("two windows")) break;
    if (event.event === "error") throw new Error(event.data.message);
  }
  return id;
}

/** A worker is there a moment after the hall. */
async function onceItTakesJobs<Answer>(dispatch: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await dispatch();
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      await setTimeout(200);
    }
  }
}
