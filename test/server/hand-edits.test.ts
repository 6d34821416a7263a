import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/schema/hall-event.ts";
import { rawRequest } from "../raw-request.ts";
import { startSharedHall } from "../running-hall.ts";
import type { HallProcess } from "../running-hall.ts";

let hall: HallProcess;
beforeAll(async () => {
  hall = await startSharedHall({ bundled: false });
});

describe("a person with an editor", () => {
  it("deletes a session's folder, and every page hears of it", async () => {
    const { id } = await hall.client.sessions.create({ name: "Doomed" });
    const heard: HallEvent[] = [];
    const leaving = new AbortController();
    const opened = Promise.withResolvers<void>();
    const listening = (async () => {
      for await (const { event } of hall.client.events({ signal: leaving.signal, onOpen: opened.resolve })) heard.push(event);
    })();
    await opened.promise;

    await rm(join(hall.home, "sessions", id), { recursive: true });

    await expect.poll(() => heard).toContainEqual({ event: "session", data: { id, status: null } });
    expect((await hall.client.sessions.list()).sessions).toEqual([]);
    leaving.abort();
    await expect(listening).rejects.toThrow("abort");
  });

  it("breaks a session's record, and gets one session in error, a sentence with the file, and the file as it was", async () => {
    const { id } = await hall.client.sessions.create({ name: "Broken" });
    const record = join(hall.home, "sessions", id, "session.json");
    await writeFile(record, "{ not json");

    const { session } = await hall.client.sessions.get(id);
    const refused = hall.client.sessions.send(id, "hello");

    expect(session).toMatchObject({ status: "error", error: { code: "file_broken" } });
    expect(session.error?.message).toContain(record);
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    expect(await readFile(record, "utf8")).toBe("{ not json");
    expect((await rawRequest(hall.url, { path: `/sessions/${id}` })).status).toBe(200);
  });
});
