import type { MessageId } from "../../schema/ids.ts";
import type { Message } from "../../schema/session.ts";
import type { SessionEvent } from "../../schema/session-event.ts";

/** What of an answer was shown already, so that the rest can be taken from the history where the stream is gone. */
export function createShownEvents() {
  const characters = new Map<MessageId, number>();
  const tools = new Set<string>();

  const shownOf = (id: MessageId): number => characters.get(id) ?? 0;

  function remember(event: SessionEvent): void {
    if (event.event === "text") characters.set(event.data.messageId, shownOf(event.data.messageId) + event.data.text.length);
    if (event.event === "tool_use" || event.event === "tool_result") tools.add(`${event.event} ${event.data.id}`);
  }

  /** The joined chunks of a message are its stored text, so their length is a place in it. */
  function* missingOf({ id: messageId, blocks }: Message): Generator<SessionEvent> {
    let shown = shownOf(messageId);
    for (const block of blocks) {
      if (block.type === "text") {
        const text = block.text.slice(shown);
        shown = Math.max(0, shown - block.text.length);
        if (text !== "") yield { event: "text", data: { messageId, text } };
        continue;
      }
      if (tools.has(`${block.type} ${block.id}`)) continue;
      const { id } = block;
      if (block.type === "tool_use") yield { event: "tool_use", data: { messageId, id, name: block.name, input: block.input } };
      else yield { event: "tool_result", data: { messageId, id, content: block.content, isError: block.isError } };
    }
  }

  return {
    remember,
    missing: (messages: readonly Message[]): SessionEvent[] =>
      messages.filter(({ role }) => role === "assistant").flatMap((message) => [...missingOf(message)]),
  };
}
