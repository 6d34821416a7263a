import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { decodeTime } from "ulid";
import { initialContext } from "../../core/session/context-sections.ts";
import type { MessagePage } from "../../core/session/session-store.ts";
import { HallError } from "../../schema/hall-error.ts";
import { SdkSessionId } from "../../schema/ids.ts";
import type { SessionId } from "../../schema/ids.ts";
import { MessageRunRecord } from "../../schema/run.ts";
import { Message, Session } from "../../schema/session.ts";
import { nothingUsed } from "../../schema/usage.ts";
import { appendJsonLines } from "./append-json-lines.ts";
import { disk, flushFolder } from "./disk.ts";
import { defineDocument } from "./document.ts";
import { makeFolder, writeFileDurably } from "./durable-write.ts";
import { fileFailure } from "./file-failure.ts";
import { systemCode } from "../system-code.ts";
import { createSessionLayout } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { parseJsonLines } from "./read-json-lines.ts";
import { readLastLines } from "./tail-lines.ts";

/** What a session waits for is known only while it does. */
export const StoredSession = Session.omit({ waitingFor: true });
const sessionRecord = defineDocument(StoredSession);
const runRecord = defineDocument(MessageRunRecord);

/** Folders under these names are on their way in or out; a crash may leave one, and then it is swept. */
const comingPrefix = ".new-";
const goingPrefix = ".deleted-";

/** The folder of one session: session.json, messages.jsonl, context.md and artifacts/. */
export function createSessionFiles(layout: Layout, onProblem: (error: unknown) => void) {
  /** Null where there is no such session. A folder without its record is one all the same: what was said is still in it. */
  async function read(id: SessionId): Promise<Session | null> {
    const { folder, record } = layout.session(id);
    const session = await sessionRecord.read(record);
    if (session !== null) return { ...session, waitingFor: null };
    if (existsSync(folder))
      throw new HallError("file_broken", `${record} is gone, while its folder is still there. Put the file back, or delete the session.`);
    return null;
  }

  const explain = (id: SessionId) => (error: unknown) => {
    // Too many open files say nothing about this one.
    if (!(error instanceof HallError) || systemCode(error.cause) === "EMFILE") throw error;
    return brokenSession(id, error.message);
  };

  return {
    read,

    /** A file that is broken, newer than this hall or closed to it is an answer too: a session in error, which says what is wrong. */
    find: (id: SessionId): Promise<Session | null> => read(id).catch(explain(id)),

    async readOrExplain(id: SessionId): Promise<Session> {
      return (await read(id).catch(explain(id))) ?? brokenSession(id, `${layout.session(id).record} is gone.`);
    },

    write: (session: Session): Promise<void> => writeRecord(layout.session(session.id).record, session),

    /** The folder is there whole or not at all. */
    async create(session: Session, context = initialContext(session.name)): Promise<void> {
      const coming = createSessionLayout(join(layout.sessions, `${comingPrefix}${session.id}`));
      await makeFolder(coming.artifacts);
      await writeFileDurably(coming.context, context);
      await writeRecord(coming.record, session);
      await moved(coming.folder, layout.session(session.id).folder);
    },

    /** Gone for everybody at once, and then from the disk. */
    async remove(id: SessionId): Promise<void> {
      const going = join(layout.sessions, `${goingPrefix}${id}`);
      await moved(layout.session(id).folder, going);
      await clear(going);
    },

    /** Finishes what a crash cut off, or could not be removed before. Only for the process that holds the home. */
    async sweep(): Promise<void> {
      const left = (await readdir(layout.sessions)).filter((name) => name.startsWith(comingPrefix) || name.startsWith(goingPrefix));
      for (const name of left) await clear(join(layout.sessions, name));
    },

    saveRun: (run: MessageRunRecord): Promise<void> => runRecord.write(layout.session(run.owner.id).run, run),
    run: (id: SessionId): Promise<MessageRunRecord | null> => runRecord.read(layout.session(id).run),

    appendMessage: (id: SessionId, message: Message): Promise<void> =>
      appendJsonLines(layout.session(id).messages, [message], { durable: true }),

    async messages(id: SessionId, { limit, cursor, mostBytes }: MessagePage): Promise<{ messages: Message[]; nextCursor: string | null }> {
      const path = layout.session(id).messages;
      const { bytes, start } = await readLastLines(path, { limit, mostBytes, before: cursor === undefined ? undefined : offsetOf(cursor) });
      const { entries } = parseJsonLines(bytes, Message);
      const messages = entries.flatMap((entry) => {
        if ("value" in entry) return [entry.value];
        onProblem(
          new HallError("file_broken", `${path}: a line is not a message (${entry.problem}). It is left out, and kept in the file.`),
        );
        return [];
      });
      return { messages, nextCursor: start === 0 ? null : String(start) };
    },
  };

  /** Nobody looks for it under its name any more, so what cannot be removed now only takes room until the next start. */
  async function clear(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) => onProblem(fileFailure(error, folder)));
  }

  async function moved(from: string, to: string): Promise<void> {
    try {
      await rename(from, to);
      await flushFolder(layout.sessions, disk);
    } catch (error) {
      if (systemCode(error) === "ENOENT") throw new HallError("not_found", `${from} is gone.`, { cause: error });
      throw fileFailure(error, to);
    }
  }
}

const writeRecord = (path: string, { waitingFor: _, ...session }: Session): Promise<void> => sessionRecord.write(path, session);

function offsetOf(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new HallError("bad_request", "This cursor is not one the hall gave. Start again without a cursor.");
}

/** What can be said of a session whose record cannot be read: its id, and with it when it was made. */
function brokenSession(id: SessionId, message: string): Session {
  const at = new Date(decodeTime(id.slice("ses_".length).toUpperCase())).toISOString();
  return {
    id,
    kind: "session",
    name: id,
    status: "error",
    members: [],
    model: null,
    sdkSessionId: SdkSessionId.parse("00000000-0000-0000-0000-000000000000"),
    messageCount: 0,
    createdAt: at,
    lastActivityAt: at,
    costUsd: 0,
    usage: nothingUsed,
    limits: {},
    error: { code: "file_broken", message },
    renewedAt: null,
    preview: null,
    waitingFor: null,
    endedQuery: null,
  };
}
