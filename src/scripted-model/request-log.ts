import type { IncomingHttpHeaders } from "node:http";
import type { Conversation } from "./conversation.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ReplyEnd } from "./send-reply.ts";

/** One call of the model, as it was asked. */
export type RecordedRequest = {
  /** 1 for the first call since the server started; numbers go on when old entries are dropped. */
  number: number;
  /** Lowercase names. Credentials are left out. */
  headers: IncomingHttpHeaders;
  body: ModelRequest;
  conversation: Conversation;
  /** Settles when the answer ended. */
  ended: Promise<ReplyEnd>;
};

export type RequestTest = (request: RecordedRequest) => boolean;

export type RequestLog = {
  /** The newest calls, oldest first. */
  requests: RecordedRequest[];
  add(request: Omit<RecordedRequest, "number">, size: number): void;
  waitFor(wanted: number | RequestTest): Promise<RecordedRequest>;
  close(): void;
};

type Limits = { count: number; bytes: number };
type Waiter = { test: RequestTest; resolve: (request: RecordedRequest) => void; reject: (error: Error) => void };

/** Keeps the newest calls within both limits, because a demo runs for days. */
export function createRequestLog(limits: Limits): RequestLog {
  const requests: RecordedRequest[] = [];
  const sizes: number[] = [];
  const waiters = new Set<Waiter>();
  let seen = 0;
  let bytes = 0;

  const dropOldest = () => {
    requests.shift();
    bytes -= sizes.shift() ?? 0;
  };

  return {
    requests,
    add(request, size) {
      seen += 1;
      const recorded = { ...request, number: seen };
      requests.push(recorded);
      sizes.push(size);
      bytes += size;
      // The newest always stays, however large: somebody may be waiting for it.
      while (requests.length > 1 && (requests.length > limits.count || bytes > limits.bytes)) dropOldest();
      for (const waiter of waiters) {
        if (!waiter.test(recorded)) continue;
        waiters.delete(waiter);
        waiter.resolve(recorded);
      }
    },
    waitFor(wanted) {
      const test: RequestTest = typeof wanted === "number" ? (request) => request.number === wanted : wanted;
      const found = requests.find(test);
      if (found !== undefined) return Promise.resolve(found);
      if (typeof wanted === "number" && wanted <= seen) return Promise.reject(new Error(`Request ${wanted} came, but is no longer kept.`));
      return new Promise((resolve, reject) => waiters.add({ test, resolve, reject }));
    },
    close() {
      const error = new Error(`The scripted model was closed after ${seen} requests, and the one that was waited for never came.`);
      for (const waiter of waiters) waiter.reject(error);
      waiters.clear();
    },
  };
}
