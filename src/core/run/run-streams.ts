import { MessageId } from "../../schema/ids.ts";
import type { JobRunId } from "../../schema/ids.ts";
import type { RunEvent } from "../../schema/run-event.ts";
import { ErrorCode } from "../../schema/error-code.ts";
import type { JobRun } from "../../schema/run.ts";
import { createMessageFold } from "./message-fold.ts";
import type { Logged } from "./run-log.ts";
import { placeAfter } from "./run-log.ts";
import { hasEnded } from "./run-records.ts";
import type { RunRecords } from "./run-records.ts";
import type { JobRunEvent, RunStore } from "./run-store.ts";

/** The streams of jobs' runs. They are read from the log of the run, so a reader may come at any time and misses nothing. */
export function createRunStreams({ store, records }: { store: RunStore; records: RunRecords }) {
  const news = new Map<JobRunId, PromiseWithResolvers<void>>();

  function nextNews(id: JobRunId): Promise<void> {
    const known = news.get(id) ?? Promise.withResolvers<void>();
    news.set(id, known);
    return known.promise;
  }

  return {
    /** Something was logged for the run, or its record changed. */
    notify(id: JobRunId): void {
      news.get(id)?.resolve();
      news.delete(id);
    },

    /** The events of a run until it ends, or those after one of them. The signal ends the reading. */
    async *watch(id: JobRunId, lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<Logged<RunEvent>> {
      const first = placeAfter(id, lastEventId);
      const read = store.reader(id);
      const toRunEvent = createTranslation(id);
      let place = 0;
      while (!signal.aborted) {
        const changed = nextNews(id);
        // Before the log is read, so that nothing which was logged before the end is missed.
        const run = records.mustGet(id);
        for (const { at, event } of await read()) {
          place = at + 1;
          const shown = toRunEvent(event);
          if (shown !== null && at >= first) yield { ...shown, id: `${id}.${at}` };
        }
        if (hasEnded(run)) {
          news.delete(id);
          for (const [index, event] of endOf(run).entries()) {
            if (place + index >= first) yield { ...event, id: `${id}.${place + index}` };
          }
          return;
        }
        await settledOrAborted(changed, signal);
      }
    },
  };
}

async function settledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  await Promise.race([work, aborted.promise]);
  signal.removeEventListener("abort", abort);
}

/** Every reader gets the same ids of messages, so they are made of the run's own id and a count. */
function createTranslation(id: JobRunId): (event: JobRunEvent) => RunEvent | null {
  let messages = 0;
  const newId = (): MessageId => MessageId.parse(`msg_${id.slice("job_".length, -6)}${(messages += 1).toString().padStart(6, "0")}`);
  const fold = createMessageFold({ now: () => "", newId });
  return (event) => {
    if (event.type === "waiting") return { event: "waiting", data: { waitingFor: event.waitingFor } };
    if (event.type === "resumed") return { event: "resumed", data: {} };
    if (event.type === "near_limit") return { event: "near_limit", data: { limit: event.limit, message: event.message } };
    if (event.type === "started") return { event: "status", data: { status: "running" } };
    return fold.take(event).events[0] ?? null;
  };
}

function endOf({ state, ending }: JobRun): RunEvent[] {
  const error = ending === null ? null : { code: ErrorCode.catch("internal").parse(ending.code), message: ending.message };
  return [
    ...(error === null ? [] : [{ event: "error", data: error } as const]),
    { event: "status", data: { status: state, ...(error === null ? {} : { error }) } },
    { event: "done", data: {} },
  ];
}
