import type { HallError } from "../../schema/hall-error.ts";
import { money } from "../../schema/money.ts";
import type { AgentEnding } from "../agent/agent-run.ts";
import type { Pause } from "./pauses.ts";

type Ended = {
  ending: AgentEnding;
  /** The limit that several runs share and that was reached, if one was. */
  refused: HallError | null;
  /** How often the run has gone on by itself after the provider's limit. */
  resumes: number;
  /** Whether the run goes on by itself when the provider's limit is reset. */
  resumesAtReset: boolean;
  /** The sentence for a run that reached its own limit. */
  words: (limit: "run" | "turns") => string;
  now: string;
};

const mostResumes = 3;

/** The wait that follows the end of a process, if the run can go on after it. Null if the run has ended. */
export function pauseOf({ ending, refused, resumes, resumesAtReset, words, now: since }: Ended): Pause | null {
  if (ending.outcome !== "failed") return null;
  if (refused !== null) {
    return { kind: "budget", since, limit: refused.details["limit"] === "day" ? "day" : "session", message: wordsOf(refused) };
  }
  if (ending.code === "budget") return { kind: "budget", since, limit: "run", message: words("run") };
  if (ending.code === "max_turns") return { kind: "budget", since, limit: "turns", message: words("turns") };
  const isLimit = ending.code === "model_rate_limited" && ending.resetsAt !== undefined;
  if (!isLimit || !resumesAtReset || resumes >= mostResumes) return null;
  return { kind: "limit", since, until: ending.resetsAt ?? since };
}

/** The message of a refusal says how to send again, and a run that waits needs no other message. */
function wordsOf({ message, details: { limit, limitUsd, spentUsd } }: HallError): string {
  if (typeof limitUsd !== "number" || typeof spentUsd !== "number") return message;
  const [spent, most] = [money(spentUsd), money(limitUsd)];
  if (limit !== "day") return `The session has cost ${spent}, and its limit is ${most}.`;
  if (spentUsd >= limitUsd) return `Today has cost ${spent}, and the limit is ${most} a day.`;
  return `Today has cost ${spent} of ${most}, and the other runs may use up the rest.`;
}
