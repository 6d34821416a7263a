import { rm } from "node:fs/promises";
import type { QueueStore } from "../../core/session/message-queue.ts";
import { MessageQueue } from "../../schema/session.ts";
import { defineDocument } from "./document.ts";
import type { Layout } from "./layout.ts";

export const queueDocument = defineDocument(MessageQueue);

/** `queue.json` in the session's folder; no file where nothing waits. */
export const createQueueFiles = (layout: Layout): QueueStore => ({
  read: async (id) => (await queueDocument.read(layout.session(id).queue))?.messages ?? [],
  async write(id, messages) {
    const { queue } = layout.session(id);
    if (messages.length === 0) await rm(queue, { force: true });
    else await queueDocument.write(queue, { messages: [...messages] });
  },
});
