import { HallError } from "../schema/hall-error.ts";
import { createEventEncoder, eventResponse } from "./api/event-response.ts";
import type { EventSource } from "./api/event-response.ts";

/** Counts open streams and refuses one too many, so that forgotten pages cannot use up the hall. What many of them send is encoded once. */
export function createEventStreams(max: number) {
  const encode = createEventEncoder();
  let open = 0;
  return {
    /** Takes a place; call what it answers when the stream ends. */
    enter(): () => void {
      if (open >= max) throw new HallError("too_many_streams", `This hall has ${max} streams open and takes no more. Close some pages.`);
      open += 1;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        open -= 1;
      };
    },
    /** The stream itself, for whoever has a place. */
    respond: (source: EventSource, onEnd: () => void): Response => eventResponse(source, { onEnd, encode }),
  };
}

export type EventStreams = ReturnType<typeof createEventStreams>;
