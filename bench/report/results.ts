import { z } from "zod";
import { BenchRow } from "../bench-row.ts";

/** What a run of one part measured, when, and on what kind of machine. */
const PartResult = z.strictObject({
  at: z.iso.datetime(),
  machine: z.string(),
  /** A tenth of the rounds: it shows that the measuring works, and no more. */
  isTrial: z.boolean(),
  rows: z.array(BenchRow),
});
export type PartResult = z.infer<typeof PartResult>;

/** docs/performance.json: the newest result of each part, so that parts can be measured one by one. */
export const Results = z.strictObject({ version: z.literal(1), parts: z.record(z.string(), PartResult) });
export type Results = z.infer<typeof Results>;

/** The parts in the order in which they are told, each with what it is about. */
const partTitles: Record<string, string> = {
  agent: "An agent's run, beside the bare SDK",
  members: "Calling tools, beside the bare MCP client",
  workers: "Jobs, beside the bare SDK and reading files",
  index: "Lists and search, beside reading files",
  hall: "The hall from outside",
  web: "What a person sees",
  load: "Under load",
  idle: "With nothing to do",
};

/** Those that were measured, in that order. */
export const toldParts = ({ parts }: Results): { part: string; title: string; result: PartResult }[] =>
  Object.entries(partTitles).flatMap(([part, title]) => {
    const result = parts[part];
    return result === undefined ? [] : [{ part, title, result }];
  });
