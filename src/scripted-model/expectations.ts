import { z } from "zod";
import { JobStatus } from "../schema/job.ts";
import { group, text } from "./reply.ts";

/** Ways in which a job can be over. */
const ends = JobStatus.exclude(["running"]);

const every = z.union([text, z.array(text)], "must be a text, or a list of texts all of which have to fit");

/** What a worker is to have done when its rehearsal is over. All that is given must hold; an empty list means that there must be none. */
export const Expectations = group({
  /** `completed` where nothing is said. */
  status: z.enum(ends.options, `must be one of ${ends.options.join(", ")}`).optional(),
  /** Whole names, or what follows the name of the server. */
  toolsCalled: every.optional(),
  toolsNotCalled: every.optional(),
  /** Paths; `*` stands for any text. */
  artifacts: every.optional(),
  /** Paths below the folder of the member, of what is new or different there; `*` stands for any text. */
  files: every.optional(),
  resultContains: every.optional(),
  errorContains: every.optional(),
  /** Each is a part of one of its questions. */
  questions: every.optional(),
  /** Each is a part of what was to decide, of what it decided, or of why. */
  decisions: every.optional(),
});
export type Expectations = z.infer<typeof Expectations>;
