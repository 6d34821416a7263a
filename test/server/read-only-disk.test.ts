import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { HallClient } from "../../src/client/hall-client.ts";
import type { SessionId } from "../../src/schema/ids.ts";
import type { SessionEvent } from "../../src/schema/session-event.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { startHallProcess } from "../running-hall.ts";
import { openLockableDisk } from "../small-disk.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const answer = "one two three four five six seven eight";

it("an answer is kept that comes while the disk is read-only, and a run that cannot be kept says why", async () => {
  const disk = await openLockableDisk(join(await temporaryFolder(), "disk"));
  onTestFinished(disk.remove);
  const model = await startScriptedModel({ script: { turns: [{ reply: { text: answer, chunkSize: 4, chunkDelayMs: 50 } }] } });
  onTestFinished(() => model.close());
  const { client, home } = await startHallProcess({
    home: join(disk.folder, "home"),
    bundled: false,
    waiting: false,
    env: { ...disk.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key" },
  });
  const [kept, gone] = [await client.sessions.create({ name: "Kept" }), await client.sessions.create({ name: "Gone" })];

  await client.sessions.send(kept.id, "Count.");
  await heard(client, kept.id, ({ event }) => event === "text");
  await disk.lock();
  await heard(client, kept.id, ({ event, data }) => event === "status" && data.error?.code === "home_unusable");
  const whileLocked = await client.sessions.get(kept.id);
  await disk.unlock();
  await heard(client, kept.id, ({ event }) => event === "done");

  const { session, messages } = await client.sessions.get(kept.id);
  expect(whileLocked.session).toMatchObject({ status: "running", error: null });
  expect(session).toMatchObject({ status: "idle", error: null, messageCount: 2 });
  expect(messages.at(-1)?.blocks).toEqual([{ type: "text", text: answer }]);

  const folder = join(home, "sessions", gone.id);
  await client.sessions.send(gone.id, "Count.");
  let isAway = false;
  for await (const { event } of client.sessions.events(gone.id)) {
    if (event.event === "text" && !isAway) await rename(folder, `${folder}-away`).then(() => (isAway = true));
  }
  await rename(`${folder}-away`, folder);

  expect((await client.sessions.get(gone.id)).session).toMatchObject({
    status: "idle",
    error: { code: "home_unusable", message: expect.stringMatching(/cannot be used: its folder is gone/) as string },
  });
});

async function heard(client: HallClient, id: SessionId, isIt: (event: SessionEvent) => boolean): Promise<void> {
  for await (const { event } of client.sessions.events(id)) if (isIt(event)) return;
}
