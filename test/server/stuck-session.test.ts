import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import { smallDisk } from "../cli/small-disk.ts";
import { startHallProcess } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";

describe("a session", () => {
  it("does not run for ever when the disk is full at its end: what was said is kept and the end is written when there is room", async () => {
    const disk = await smallDisk();
    const hall = await startHallProcess({ home: join(disk.folder, "home"), env: disk.env });
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

  it("that says it runs while nothing does is settled at the start, and can be used and deleted", async () => {
    const first = await startHallProcess();
    const { id } = await first.client.sessions.create({ name: "Copied while it ran" });
    await first.end("SIGTERM");
    const record = join(first.home, "sessions", id, "session.json");
    await writeFile(record, (await readFile(record, "utf8")).replace('"idle"', '"running"'));

    const hall = await startHallProcess({ home: first.home });

    expect((await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect((await hall.client.sessions.list({ status: "running" })).sessions).toEqual([]);
    await hall.client.sessions.remove(id);
  });

  it("whose query somebody broke in the files keeps no hall from starting, and is settled", async () => {
    const killed = await startHallProcess();
    const { id } = await killed.client.sessions.create({ name: "Broken" });
    await killed.client.sessions.send(id, "Please give me a long answer");
    await firstText(killed, id);
    await killed.end("SIGKILL");
    const open = join(killed.home, "state/queries/open");
    for (const name of await readdir(open)) await writeFile(join(open, name), "garbage");

    const hall = await startHallProcess({ home: killed.home });

    expect((await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "interrupted" } });
    expect(await readFile(join(hall.home, "logs/hall.log"), "utf8")).toContain(".job.json is broken");
  });
});

async function firstText(hall: HallProcess, id: SessionId): Promise<void> {
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "text") return;
}

async function toldOf(hall: HallProcess, id: SessionId, code: string): Promise<void> {
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "status" && event.data.error?.code === code) return;
}
