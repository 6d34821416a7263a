import { mkdir, readdir, rename, rm } from "node:fs/promises";
import type { SessionStore } from "../../core/session/session-store.ts";
import { HallError } from "../../schema/hall-error.ts";
import { SessionId } from "../../schema/ids.ts";
import { Message, Session } from "../../schema/session.ts";
import { appendJsonLines } from "./append-json-lines.ts";
import { defineDocument } from "./document.ts";
import { writeFileDurably } from "./durable-write.ts";
import type { Layout } from "./layout.ts";
import { readJsonLines } from "./read-json-lines.ts";

const sessionRecord = defineDocument(Session);

/** First version: reads every folder for a list. The index replaces that. */
export async function createSessionStore({ layout }: { layout: Layout }): Promise<SessionStore & { close(): Promise<void> }> {
  const tails = new Map<SessionId, Promise<unknown>>();
  const inTurn = <T>(id: SessionId, work: () => Promise<T>): Promise<T> => {
    const next = (tails.get(id) ?? Promise.resolve()).then(work, work);
    tails.set(id, next);
    return next;
  };
  const get = (id: SessionId) => sessionRecord.read(layout.session(id).record);
  const all = async () => {
    const ids = (await readdir(layout.sessions)).filter((name) => SessionId.safeParse(name).success);
    const read = await Promise.all(ids.map((id) => get(SessionId.parse(id))));
    return read.filter((each) => each !== null).toSorted((a, b) => b.lastActivityAt.localeCompare(a.lastActivityAt));
  };
  return {
    async create(session) {
      const { folder, artifacts, record, context } = layout.session(session.id);
      await mkdir(artifacts, { recursive: true, mode: 0o700 });
      await writeFileDurably(context, `# ${session.name}\n`);
      await sessionRecord.write(record, session);
      if (folder === "") throw new HallError("internal", "no folder");
      return session;
    },
    get,
    update: (id, change) =>
      inTurn(id, async () => {
        const session = await get(id);
        if (session === null) throw new HallError("not_found", `There is no session ${id}.`);
        const next = change(session);
        await sessionRecord.write(layout.session(id).record, next);
        return next;
      }),
    async list({ limit, status, q }) {
      const found = (await all()).filter((each) => (status === undefined || each.status === status) && (q === undefined || each.name.includes(q)));
      return { sessions: found.slice(0, limit), nextCursor: null };
    },
    listRunning: async () => (await all()).filter(({ status }) => status === "running"),
    async remove(id) {
      const { folder } = layout.session(id);
      await rename(folder, `${folder}.deleted`);
      await rm(`${folder}.deleted`, { recursive: true });
    },
    appendMessage: (id, message) => appendJsonLines(layout.session(id).messages, [message], { durable: true }),
    async messages(id, { limit }) {
      const { entries } = await readJsonLines(layout.session(id).messages, Message);
      return { messages: entries.flatMap((entry) => ("value" in entry ? [entry.value] : [])).slice(-limit), nextCursor: null };
    },
    close: async () => undefined,
  };
}
