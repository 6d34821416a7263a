import type { Message } from "../../schema/session.ts";
import type { AgentRun } from "../agent/agent-run.ts";

/**
 * Hands the notes of a person to the agent, with the next call that may run. A note counts as read when the result of that
 * call has come: a process that ends before may not have told the model.
 */
export function createNotes({ unread, now }: { unread: () => Promise<Message[]>; now: () => string }) {
  /** By the call that takes them along. */
  const handed = new Map<string, Message[]>();
  /** Read, and not in the history yet. */
  let read: Message[] = [];

  async function handTo(callId: string): Promise<string | null> {
    const waiting = await unread();
    const known = new Set([...handed.values(), read].flat().map(({ id }) => id));
    const fresh = waiting.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return null;
    handed.set(callId, fresh);
    return ["The person sends you this while you work:", ...fresh.map(textIn)].join("\n\n");
  }

  return {
    /** For a process that starts. What an earlier one took along without a result is handed out again. */
    withNotes({ gate, ...run }: AgentRun): AgentRun {
      handed.clear();
      return {
        ...run,
        async gate(call, context) {
          const decision = (await gate?.(call, context)) ?? { allow: true };
          const notes = decision.allow ? await handTo(call.id) : null;
          return decision.allow && notes !== null ? { ...decision, note: [decision.note ?? [], notes].flat().join("\n\n") } : decision;
        },
      };
    },
    /** Returns the notes that came with the result of this call. */
    onResult(callId: string): Message[] {
      const readNow = (handed.get(callId) ?? []).map((note) => ({ ...note, note: { readAt: now() } }));
      handed.delete(callId);
      read = [...read, ...readNow];
      return readNow;
    },
    /** The notes that were read since the last call, for the history. */
    takeRead: (): Message[] => read.splice(0),
  };
}

export const textIn = ({ blocks }: Message): string => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
