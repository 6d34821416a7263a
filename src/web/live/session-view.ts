import { MessageId } from "../../schema/ids.ts";
import { isNote, isQuestion } from "../../schema/session.ts";
import type { Message, Session, SessionDetail } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";

export type Retry = { attempt: number; inMs: number; reason: string };

/** A limit that the running answer has used to four fifths. */
export type NearLimit = Extract<SessionEvent, { event: "near_limit" }>["data"];

/** What a Workshop shows: what the hall has stored, and over it what the running query has said so far. */
export type SessionView = {
  session: Session;
  stored: readonly Message[];
  /** Where earlier messages begin, if there are any. */
  earlier: string | null;
  live: readonly Message[];
  retry: Retry | null;
  nearLimits: readonly NearLimit[];
  /** The last event of the running query that was taken in; a new stream goes on after it. */
  lastEventId: string | undefined;
  /** Somebody deleted the session while it was open here. */
  isGone: boolean;
};

export type ViewChange =
  | { change: "read"; detail: SessionDetail }
  | { change: "earlier"; detail: SessionDetail }
  | { change: "sent"; message: Message }
  | { change: "streamed"; events: readonly { id: string | undefined; event: SessionEvent }[] }
  | { change: "gone" };

export const startView = ({ session, messages, nextCursor }: SessionDetail): SessionView => ({
  session,
  stored: messages,
  earlier: nextCursor,
  live: [],
  retry: null,
  nearLimits: [],
  lastEventId: undefined,
  isGone: false,
});

export function changeView(view: SessionView, change: ViewChange): SessionView {
  switch (change.change) {
    case "read":
      return readAgain(view, change.detail);
    case "earlier":
      return { ...view, stored: [...change.detail.messages, ...view.stored], earlier: change.detail.nextCursor };
    case "sent":
      // Another tab's news, or our own, may have had it read before the hall's answer came.
      if (view.stored.some(({ id }) => id === change.message.id)) return view;
      return {
        ...newQuery(view),
        session: { ...view.session, status: "running", error: null, waitingFor: null },
        stored: [...shownMessages(view), change.message],
      };
    case "streamed":
      return change.events.reduce((before, { id, event }) => ({ ...takeIn(before, event), lastEventId: id ?? before.lastEventId }), view);
    case "gone":
      return { ...view, isGone: true };
  }
}

/** A message the stream has spoken of is shown as the stream has it, so nothing appears twice. */
export function shownMessages({ stored, live }: SessionView): readonly Message[] {
  const spoken = new Set(live.map(({ id }) => id));
  return [...stored.filter(({ id }) => !spoken.has(id)), ...live];
}

/** What waits in a session, parted into messages that are sent in turn and notes that the agent may still read. */
export function partWaiting(view: SessionView, waiting: readonly Message[]): { queued: readonly Message[]; notes: readonly Message[] } {
  // After a stop or a failure a note is sent like any message.
  if (view.session.status !== "running") return { queued: waiting, notes: [] };
  // It waits until it is in the history, a moment after it was read.
  const said = new Set(shownMessages(view).map(({ id }) => id));
  return { queued: waiting.filter((each) => !isNote(each)), notes: waiting.filter((each) => isNote(each) && !said.has(each.id)) };
}

/** What was asked last. While a session runs, that is the query it runs. */
export const askedLast = (messages: readonly Message[]): MessageId | undefined => messages.findLast(isQuestion)?.id;

/** The run that the stream speaks of. The question of a long answer may not have been read yet. */
export function presentRun({ lastEventId, ...view }: SessionView): MessageId | undefined {
  const streamed = MessageId.safeParse(lastEventId?.split(".", 1)[0]);
  return streamed.success ? streamed.data : askedLast(view.stored);
}

function readAgain(view: SessionView, { session, messages, nextCursor }: SessionDetail): SessionView {
  const wasAsked = askedLast(shownMessages(view));
  const isSameQuery = session.status === "running" && view.session.status === "running" && askedLast(messages) === wasAsked;
  const kept = view.stored.slice(0, Math.max(0, placeOf(view.stored, messages[0]?.id)));
  const stored = [...kept, ...messages];
  const earlier = kept.length > 0 ? view.earlier : nextCursor;
  return { ...(isSameQuery ? view : newQuery(view)), session, stored, earlier };
}

/**
 * Where in the stored messages the newest page begins. Ids do not tell: a message that waited has an older one than what was
 * said before its turn. Where the page is not found, too much was said meanwhile, and the history begins anew with it.
 */
const placeOf = (stored: readonly Message[], first: MessageId | undefined): number => stored.findIndex(({ id }) => id === first);

const newQuery = (view: SessionView): SessionView => ({
  ...view,
  live: [],
  retry: null,
  nearLimits: [],
  lastEventId: undefined,
});

function takeIn(view: SessionView, event: SessionEvent): SessionView {
  switch (event.event) {
    case "status": {
      const { status, error, retry } = event.data;
      const waitingFor = status === "running" ? view.session.waitingFor : null;
      return { ...view, session: { ...view.session, status, error: error ?? null, waitingFor }, retry: retry ?? null };
    }
    case "waiting":
      return { ...view, session: { ...view.session, waitingFor: event.data.waitingFor }, retry: null };
    case "resumed":
      return { ...inNextProcess(view), session: { ...view.session, waitingFor: null } };
    case "near_limit":
      return { ...view, nearLimits: [...view.nearLimits.filter(({ limit }) => limit !== event.data.limit), event.data] };
    case "note": {
      const { messageId: id, text, readAt } = event.data;
      const note: Message = { id, role: "user", at: readAt, blocks: [{ type: "text", text }], note: { readAt } };
      return { ...view, live: [...view.live.filter((message) => message.id !== id), note] };
    }
    case "text":
      return inMessage(view, event.data.messageId, (blocks) => addText(blocks, event.data.text));
    case "tool_use": {
      const { id, name, input, messageId } = event.data;
      return inMessage(view, messageId, (blocks) => [...blocks, { type: "tool_use", id, name, input }]);
    }
    case "tool_result": {
      const { id, content, isError, messageId } = event.data;
      return inMessage(view, messageId, (blocks) => [...blocks, { type: "tool_result", id, content, isError }]);
    }
    case "error":
      return { ...view, session: { ...view.session, error: event.data } };
    // The session has it in its record when the query has ended.
    case "usage":
    case "done":
      return view;
  }
}

/** After a pause at a limit the warnings start again. */
const inNextProcess = (view: SessionView): SessionView => (view.session.waitingFor?.kind === "budget" ? { ...view, nearLimits: [] } : view);

type Blocks = Message["blocks"];

function inMessage(view: SessionView, id: MessageId, change: (blocks: Blocks) => Blocks): SessionView {
  const isKnown = view.live.some((message) => message.id === id);
  const live: Message[] = isKnown ? [...view.live] : [...view.live, { id, role: "assistant", at: new Date().toISOString(), blocks: [] }];
  return {
    ...view,
    retry: null,
    live: live.map((message) => (message.id === id ? { ...message, blocks: change(message.blocks) } : message)),
  };
}

function addText(blocks: Blocks, text: string): Blocks {
  const last = blocks.at(-1);
  return last?.type === "text" ? [...blocks.slice(0, -1), { type: "text", text: last.text + text }] : [...blocks, { type: "text", text }];
}
