import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { smallDisk } from "../cli/small-disk.ts";
import { startHallProcess, startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";

describe("a session", () => {
  it("does not run for ever when the disk is full at its end: what was said is kept and the end is written when there is room", async () => {
    const disk = await smallDisk();
    const hall = await startHallProcess({ home: join(disk.folder, "home"), env: disk.env, bundled: false, waiting: false });
    const { id } = await hall.client.sessions.create({ name: "Full" });
    await hall.client.sessions.send(id, "Please give me a long answer");
    await firstText(hall, id);

    await disk.fill();
    await expect(hall.client.sessions.stop(id)).rejects.toMatchObject({ code: "disk_full" });
    await toldOf(hall, id, "disk_full");
    await disk.free();
    for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;

    const { session, messages } = await hall.client.sessions.get(id);
    expect(session).toMatchObject({ status: "idle", error: { code: "stopped" }, messageCount: 2 });
    expect(messages[1]).toMatchObject({ role: "assistant", interrupted: true });
  });
});

describe("a session whose files a crash or a person left odd", () => {
  let copied: SessionId;
  let broken: SessionId;
  let hall: HallProcess;

  beforeAll(async () => {
    const killed = await startSharedHall({ bundled: false });
    copied = (await killed.client.sessions.create({ name: "Copied while it ran" })).id;
    broken = (await killed.client.sessions.create({ name: "Broken" })).id;
    await killed.client.sessions.send(broken, "Please give me a long answer");
    await firstText(killed, broken);
    await killed.end("SIGKILL");
    const record = join(killed.home, "sessions", copied, "session.json");
    await writeFile(record, (await readFile(record, "utf8")).replace('"idle"', '"running"'));
    const open = join(killed.home, "state/queries/open");
    for (const name of await readdir(open)) await writeFile(join(open, name), "garbage");
    hall = await startSharedHall({ home: killed.home });
  });

  it("so that it says it runs while nothing does is settled at the start, and can be used and deleted", async () => {
    const { session } = await hall.client.sessions.get(copied);

    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect((await hall.client.sessions.list({ status: "running" })).sessions).toEqual([]);
    await hall.client.sessions.remove(copied);
  });

  it("so that its query cannot be read keeps no hall from starting, and is settled", async () => {
    const { session } = await hall.client.sessions.get(broken);

    expect(session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(await readFile(join(hall.home, "logs/hall.log"), "utf8")).toContain(".job.json is broken");
  });
});

async function firstText(hall: HallProcess, id: SessionId): Promise<void> {
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "text") return;
}

async function toldOf(hall: HallProcess, id: SessionId, code: string): Promise<void> {
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "status" && event.data.error?.code === code) return;
}
