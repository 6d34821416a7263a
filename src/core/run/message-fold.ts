import { newMessageId } from "../../schema/ids.ts";
import type { MessageId } from "../../schema/ids.ts";
import type { Block, Message } from "../../schema/session.ts";
import type { WorkEvent } from "../../schema/run-event.ts";
import type { AgentEvent } from "../agent/agent-run.ts";

export type MessageFold = {
  /** The events to publish for an agent's event, and the messages that can no longer change and may be stored. */
  take(event: AgentEvent): { events: WorkEvent[]; finished: Message[] };
  /** The message still open when the run ends, with what was said so far. */
  finish(how: { interrupted: boolean }): Message[];
};

/** Folds an agent's events into messages: one per model response, each tool result in the message of its tool use. */
export function createMessageFold({ now, newId = newMessageId }: { now: () => string; newId?: () => MessageId }): MessageFold {
  let open: { responseId: string; message: Message } | null = null;
  const usedIn = new Map<string, MessageId>();

  function openFor(responseId: string): { message: Message; finished: Message[] } {
    if (open?.responseId === responseId) return { message: open.message, finished: [] };
    const finished = open === null ? [] : [open.message];
    open = { responseId, message: { id: newId(), role: "assistant", at: now(), blocks: [] } };
    return { message: open.message, finished };
  }

  function close({ interrupted }: { interrupted: boolean }): Message[] {
    if (open === null) return [];
    const { message } = open;
    open = null;
    return [interrupted ? { ...message, interrupted: true } : message];
  }

  return {
    take(event) {
      switch (event.type) {
        case "text": {
          const { message, finished } = openFor(event.responseId);
          appendText(message.blocks, event.text);
          return { events: [{ event: "text", data: { messageId: message.id, text: event.text } }], finished };
        }
        case "tool_use": {
          const { message, finished } = openFor(event.responseId);
          const { id, name, input } = event;
          message.blocks.push({ type: "tool_use", id, name, input });
          usedIn.set(id, message.id);
          return { events: [{ event: "tool_use", data: { messageId: message.id, id, name, input } }], finished };
        }
        case "tool_result": {
          const { id, content, isError } = event;
          const messageId = usedIn.get(id);
          // A result without its call has no place in the history; the SDK sends none, a confused one is dropped.
          if (messageId === undefined || open?.message.id !== messageId) return { events: [], finished: [] };
          open.message.blocks.push({ type: "tool_result", id, content, isError });
          return { events: [{ event: "tool_result", data: { messageId, id, content, isError } }], finished: [] };
        }
        case "broken_off": {
          if (open?.responseId !== event.responseId) return { events: [], finished: [] };
          return { events: [], finished: close({ interrupted: true }) };
        }
        case "retry": {
          const { attempt, inMs, reason } = event;
          return { events: [{ event: "status", data: { status: "running", retry: { attempt, inMs, reason } } }], finished: [] };
        }
        case "usage": {
          const { type: _, ...data } = event;
          return { events: [{ event: "usage", data }], finished: [] };
        }
        case "started":
        case "ended":
          return { events: [], finished: [] };
      }
    },
    finish: close,
  };
}

/** Pieces that follow each other are one text. */
export function appendText(blocks: Block[], text: string): void {
  const last = blocks.at(-1);
  if (last?.type === "text") last.text += text;
  else blocks.push({ type: "text", text });
}
