import type { SessionId } from "../../schema/ids.ts";
import type { MessageRunRecord } from "../../schema/run.ts";
import type { Message, Session, SessionList, SessionStatus } from "../../schema/session.ts";

/** The port to "sessions that are kept". Whatever resolves is durable. */
export interface SessionStore {
  /** With `context`, its context file says that; otherwise it has the usual headings. */
  create(session: Session, context?: string): Promise<Session>;
  get(id: SessionId): Promise<Session | null>;
  /** Reads, changes and writes as one step; changes of one session happen one after the other. */
  update(id: SessionId, change: (session: Session) => Session): Promise<Session>;
  list(query: SessionQuery): Promise<SessionList>;
  remove(id: SessionId): Promise<void>;
  /** Keeps the run of the session's last message in place of the one before. */
  saveRun(run: MessageRunRecord): Promise<void>;
  run(id: SessionId): Promise<MessageRunRecord | null>;
  appendMessage(id: SessionId, message: Message): Promise<void>;
  /** The newest page first, oldest first inside. */
  messages(id: SessionId, page: MessagePage): Promise<{ messages: Message[]; nextCursor: string | null }>;
}

export type Page = { limit: number; cursor?: string | undefined };
/** A page ends early where its messages are larger than `mostBytes` together. It always has one. */
export type MessagePage = Page & { mostBytes?: number };

/** Newest activity first. A session is meant when its name or one of its messages holds all words of `q`, in any order and any case. */
export type SessionQuery = Page & {
  status?: readonly SessionStatus[] | undefined;
  /** Only those that failed, or only those that did not; see `isFailed`. */
  failed?: boolean | undefined;
  q?: string | undefined;
  member?: string | undefined;
};
