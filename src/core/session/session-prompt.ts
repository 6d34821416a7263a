import type { Session } from "../../schema/session.ts";
import { contextGuidance } from "./context-preface.ts";

type Briefing = {
  session: Pick<Session, "name">;
  /** About guild members that are not there. */
  note: string | null;
  /** How to work with those that take jobs. */
  workers: string | null;
  /** What was said in a conversation that the model no longer has. */
  earlier: string | null;
};

/** What the main agent of a session is told before it reads the conversation. */
export const sessionPrompt = ({ session, note, workers, earlier }: Briefing): string =>
  [
    "You are the main agent of a session in Guild Hall, a workspace where a person delegates work and reviews what comes back.",
    `The session is called "${session.name}". Your working folder belongs to it alone.`,
    "You can read files in that folder and write files below artifacts/. You have no shell, and beyond that folder only what your tools reach; say so when a task would need more.",
    "Put whatever the person should keep into a file below artifacts/ and name it in your answer. Answer briefly and plainly, in Markdown.",
    note,
    workers,
    contextGuidance,
    earlier,
  ]
    .filter((part) => part !== null)
    .join("\n\n");
