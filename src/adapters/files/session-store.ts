import { join } from "node:path";
import { createTurns } from "../../core/in-turn.ts";
import type { SessionStore } from "../../core/session/session-store.ts";
import { HallError } from "../../schema/hall-error.ts";
import { SessionId } from "../../schema/ids.ts";
import { Session, SessionStatus } from "../../schema/session.ts";
import type { SessionCounts } from "../../schema/session.ts";
import { isFailed } from "../../schema/session-failed.ts";
import { parseWellFormed } from "../../schema/well-formed.ts";
import type { Entry } from "./index/entry.ts";
import { openFileIndex } from "./index/file-index.ts";
import type { Layout } from "./layout.ts";
import { openMessageSearch } from "./search/message-search.ts";
import { createSessionFiles } from "./session-files.ts";

export type SessionStoreDeps = {
  layout: Layout;
  /** Told of a session that changed behind the hall's back, and what it is now; null where it is gone. */
  onFound?: (id: SessionId, status: SessionStatus | null) => void;
  onProblem?: (error: unknown) => void;
};

export type OpenSessionStore = SessionStore & {
  settled(): Promise<void>;
  /** Resolves when everything that was said so far can be found. */
  searchable(): Promise<void>;
  close(): Promise<void>;
};

/** Sessions as folders. Lists and what was said are found through indexes; one session always comes from its own file. */
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
      labelOf: (session) => (isFailed(session) ? failedLabel : session.status),
      textOf: ({ name }) => name,
      ...packedSessions,
    },
    onFound: (name, session) => onFound(SessionId.parse(name), session?.status ?? null),
    onProblem,
  });
  const search = openMessageSearch({ layout, onProblem });
  const inTurn = createTurns<SessionId>();

  return {
    create: (session, context) =>
      inTurn(session.id, async () => {
        await index.change(session.id, () => files.create(session, context));
        return session;
      }),

    async get(id) {
      const session = await files.find(id);
      // Somebody may have edited or deleted it by hand; whoever looks at it also puts the list right.
      await index.lookAt(id);
      search.changed(id);
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

    async list({ limit, cursor, status, failed, q, member }) {
      const labels = labelsOf(status, failed);
      const where = member === undefined ? undefined : hasMember(member);
      if (q === undefined) {
        const { values, nextCursor } = index.page({ limit, cursor, labels, where });
        return { sessions: values, nextCursor, counts: countsOf(index.counts()) };
      }
      const said = await search.find(q);
      const { values, nextCursor } = index.page({ limit, cursor, labels, search: q, also: said, where });
      const shown = new Map(values.flatMap(({ id }) => (said.has(id) ? [[id, said.get(id) ?? 0]] : [])));
      return { sessions: values, nextCursor, counts: countsOf(index.counts()), matches: await search.show(q, shown) };
    },

    remove: (id) =>
      inTurn(id, async () => {
        await index.change(id, () => files.remove(id));
        search.changed(id);
      }),

    appendMessage: (id, message) =>
      inTurn(id, async () => {
        await files.appendMessage(id, message);
        search.changed(id);
      }),
    saveRun: (run) => inTurn(run.owner.id, () => files.saveRun(run)),
    run: files.run,
    messages: files.messages,
    settled: index.settled,
    searchable: search.settled,
    async close() {
      await search.close();
      await index.close();
    },
  };
}

/** Those that failed are idle, and the list knows them apart. */
const failedLabel = "failed";
type Label = SessionStatus | typeof failedLabel;

function labelsOf(statuses: readonly SessionStatus[] | undefined, failed: boolean | undefined): readonly Label[] | undefined {
  if (failed === undefined) return statuses?.flatMap((status) => (status === "idle" ? [status, failedLabel] : [status]));
  const wanted = statuses ?? SessionStatus.options;
  if (!failed) return wanted;
  return wanted.includes("idle") ? [failedLabel] : [];
}

function countsOf(counts: ReadonlyMap<string, number> | null): SessionCounts | null {
  if (counts === null) return null;
  const countOf = (status: Label): number => counts.get(status) ?? 0;
  return {
    idle: countOf("idle") + countOf(failedLabel),
    running: countOf("running"),
    completed: countOf("completed"),
    expired: countOf("expired"),
    error: countOf("error"),
    failed: countOf(failedLabel),
  };
}

const packedFields = Session.omit({ id: true, status: true, lastActivityAt: true }).keyof().options;

/** A session as values in the order of the schema: the names of the fields would be most of the text. */
const packedSessions = {
  packing: packedFields.join(),
  pack: (session: Session): string => JSON.stringify(packedFields.map((field) => session[field])),
  unpack({ name, rank, label, packed }: Entry): Session {
    // What the index gives back is proven to be what `pack` gave it.
    const values = parseWellFormed(packed) as unknown[];
    const rest = Object.fromEntries(packedFields.map((field, at) => [field, values[at] ?? null]));
    return { id: name, status: label === failedLabel ? "idle" : label, lastActivityAt: rank, ...rest } as Session;
  },
};

/** Looks for the name in the packed text first: unpacking every session of a long list would take too long. */
function hasMember(member: string): (entry: Entry) => boolean {
  const quoted = JSON.stringify(member);
  return (entry) => entry.packed.includes(quoted) && packedSessions.unpack(entry).members.includes(member);
}
