import { mkdir, readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { SessionId } from "../../schema/ids.ts";
import { startProgram } from "./child-program.testing.ts";
import { createLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { openSessionStore } from "./session-store.ts";

describe("a session store whose process is killed", () => {
  it("has everything it said it had, nothing half, and lists what is in the files, life after life", async () => {
    const layout = createLayout(await temporaryFolder());
    await mkdir(layout.sessions);
    const told = { names: new Map<string, number>(), messages: new Map<string, string[]>(), removed: new Set<string>() };

    for (let life = 0; life < 3; life += 1) {
      const writer = startProgram(new URL("session-store-writer.testing.ts", import.meta.url), [layout.home]);
      for (let lines = 0; lines < 7 + life * 37; lines += 1) hear(await writer.line(), told);
      void writer.kill();
      // What it said between the last line that was read and its death counts too.
      for (let line = await writer.line(); line !== ""; line = await writer.line()) hear(line, told);

      const store = await openSessionStore({ layout });
      await store.settled();

      const { sessions } = await store.list({ limit: 500 });
      expect(sessions.map(({ id }) => id).toSorted()).toEqual((await readdir(layout.sessions)).toSorted());
      for (const session of sessions) {
        expect(session).toEqual({ ...(await fromFile(layout, session.id)), waitingFor: null });
        expect(Number(session.name)).toBeGreaterThanOrEqual(told.names.get(session.id) ?? 0);
        const { messages } = await store.messages(session.id, { limit: 500 });
        expect(messages.map(({ id }) => String(id))).toEqual(expect.arrayContaining(told.messages.get(session.id) ?? []));
      }
      const listed = new Set<string>(sessions.map(({ id }) => id));
      expect([...told.names.keys()].filter((id) => !listed.has(id) && !told.removed.has(id))).toEqual([]);
      await store.close();
    }
    expect(told.names.size).toBeGreaterThan(5);
  });
});

type Told = { names: Map<string, number>; messages: Map<string, string[]>; removed: Set<string> };

function hear(line: string, told: Told): void {
  const [what, id = "", more = ""] = line.split(" ");
  if (what === "created") told.names.set(id, 0);
  if (what === "updated") told.names.set(id, Number(more));
  if (what === "said") told.messages.set(id, [...(told.messages.get(id) ?? []), more]);
  // From here on either is true: it may be gone already, or not yet.
  if (what === "removing") told.removed.add(id);
}

async function fromFile(layout: Layout, id: string): Promise<object> {
  const { version: _version, ...session } = JSON.parse(await readFile(layout.sessionRecord(SessionId.parse(id)), "utf8")) as {
    version: number;
  }; // as the store wrote it
  return session;
}
