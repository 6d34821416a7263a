import { scrub } from "./environment.ts";
import type { Variables } from "./environment.ts";
import type { NewJobEvent, OpenJob } from "./job.ts";

/** The same job, in which nothing that the agent says keeps a credential: an endpoint may repeat in an answer the key it was sent. */
export function jobWithoutSecrets(job: OpenJob, own: Variables): OpenJob {
  const clean = (text: string): string => scrub(text, own);
  return {
    ...job,
    writeSummary: (summary) => job.writeSummary(clean(summary)),
    addQuestion: (question) => job.addQuestion(clean(question)),
    addDecision: ({ question, decision, reasoning }) =>
      job.addDecision({ question: clean(question), decision: clean(decision), reasoning: clean(reasoning) }),
    writeArtifact: (path, content) => job.writeArtifact(clean(path), typeof content === "string" ? clean(content) : content),
    submitResult: (output, artifacts) => job.submitResult(clean(output), artifacts?.map(clean)),
    addEvent: (event) => job.addEvent(mapTexts(event, clean) as NewJobEvent), // the same event, with other texts
  };
}

/** No tool has an input as deep as this. Deeper values are left out, so that the recursion cannot exhaust the stack. */
const deepest = 500;

function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepest) return "[removed]";
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change, depth + 1)]));
}
