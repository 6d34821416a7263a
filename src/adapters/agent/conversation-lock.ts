import { createFairQueue } from "../../core/fair-queue.ts";
import type { FairQueue } from "../../core/fair-queue.ts";

export type ConversationLock = {
  acquire(id: string, signal: AbortSignal, onWait?: () => void): Promise<() => void>;
};

/** One run per conversation at a time, in the order they came: of two processes that resume one conversation at once, one loses its turn. */
export function createConversationLock(): ConversationLock {
  const queues = new Map<string, FairQueue>();

  return {
    async acquire(id, signal, onWait) {
      const queue = queues.get(id) ?? createFairQueue(1);
      queues.set(id, queue);
      const forgetIfIdle = () => {
        const { held, waiting } = queue.load();
        if (held + waiting === 0) queues.delete(id);
      };
      try {
        const release = await queue.acquire("", signal, onWait);
        return () => {
          release();
          forgetIfIdle();
        };
      } catch (error) {
        forgetIfIdle();
        throw error;
      }
    },
  };
}
