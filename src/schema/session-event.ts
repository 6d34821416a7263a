import { z } from "zod";
import { statusEvent, workEvents } from "./run-event.ts";
import { SessionStatus } from "./session.ts";

/** What a session's stream sends while a message is answered. */
export const SessionEvent = z.discriminatedUnion("event", [statusEvent(SessionStatus), ...workEvents]);
export type SessionEvent = z.infer<typeof SessionEvent>;
