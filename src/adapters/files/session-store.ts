import { join } from "node:path";
import type { SessionStore } from "../../core/session/session-store.ts";
import { HallError } from "../../schema/hall-error.ts";
import { SessionId } from "../../schema/ids.ts";
import { Session } from "../../schema/session.ts";
import type { SessionStatus } from "../../schema/session.ts";
import type { Entry } from "./index/entry.ts";
import { openFileIndex } from "./index/file-index.ts";
import type { Layout } from "./layout.ts";
import { createSessionFiles } from "./session-files.ts";
import { createTurns } from "./turns.ts";

export type SessionStoreDeps = {
  layout: Layout;
  /** Told of a session that changed behind the hall's back, and what it is now; null where it is gone. */
  onFound?: (id: SessionId, status: SessionStatus | null) => void;
  onProblem?: (error: unknown) => void;
};

export type OpenSessionStore = SessionStore & { isComplete(): boolean; settled(): Promise<void>; close(): Promise<void> };

/** Sessions as folders. Lists come from an index; one session always comes from its own file. */
export async function openSessionStore({
  layout,
  onFound = () => undefined,
  onProblem = () => undefined,
}: SessionStoreDeps): Promise<OpenSessionStore> {
  const files = createSessionFiles(layout, onProblem);
  await files.sweep();
  const index = await openFileIndex<Session>({
    folder: layout.index,
    kind: "sessions",
    truth: {
      folder: layout.sessions,
      isName: (name) => SessionId.safeParse(name).success,
      // `isName` lets nothing but ids in.
      pathOf: (name) => layout.sessionRecord(name as SessionId),
      folderOf: (name) => join(layout.sessions, name),
      read: (name) => files.readOrExplain(SessionId.parse(name)),
      rankOf: ({ lastActivityAt }) => lastActivityAt,
      labelOf: ({ status }) => status,
      textOf: ({ name }) => name,
      ...packedSessions,
    },
    onFound: (name, session) => onFound(SessionId.parse(name), session?.status ?? null),
    onProblem,
  });
  const inTurn = createTurns<SessionId>();

  return {
    create: (session) =>
      inTurn(session.id, async () => {
        await index.change(session.id, () => files.create(session));
        return session;
      }),

    async get(id) {
      const session = await files.find(id);
      // Somebody may have edited or deleted it by hand; whoever looks at it also puts the list right.
      await index.lookAt(id);
      return session;
    },

    update: (id, change) =>
      inTurn(id, async () => {
        const session = await files.read(id);
        if (session === null) throw new HallError("not_found", `There is no session ${id}.`);
        const next = change(session);
        await index.change(id, () => files.write(next));
        return next;
      }),

    async list({ limit, cursor, status, q, member }) {
      const where = member === undefined ? undefined : hasMember(member);
      const { values, nextCursor } = index.page({ limit, cursor, label: status, search: q, where });
      return { sessions: values, nextCursor };
    },

    remove: (id) => inTurn(id, () => index.change(id, () => files.remove(id))),

    appendMessage: (id, message) => inTurn(id, () => files.appendMessage(id, message)),
    messages: files.messages,
    isComplete: index.isComplete,
    settled: index.settled,
    close: index.close,
  };
}

/** A session as values in the order of the schema: the names of the fields would be most of the text. */
const packedSessions = {
  pack: (session: Session): string => JSON.stringify(packedFields.map((field) => session[field])),
  unpack({ name, rank, label, packed }: Entry): Session {
    // What the index gives back is proven to be what `pack` gave it.
    const values = JSON.parse(packed) as unknown[];
    const rest = Object.fromEntries(packedFields.map((field, at) => [field, values[at]]));
    return { id: name, kind: "session", status: label, lastActivityAt: rank, ...rest } as Session;
  },
};

/** Looks for the name in the packed text first: unpacking every session of a long list would take too long. */
function hasMember(member: string): (entry: Entry) => boolean {
  const quoted = JSON.stringify(member);
  return (entry) => entry.packed.includes(quoted) && packedSessions.unpack(entry).members.includes(member);
}

const packedFields = Session.omit({ id: true, kind: true, status: true, lastActivityAt: true }).keyof().options;
