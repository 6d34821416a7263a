import { z } from "zod";
import { BenchRow } from "../bench-row.ts";
import { parts } from "../parts.ts";

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

/** Those that were measured, in the order in which they are told. */
export const toldParts = ({ parts: results }: Results): { part: string; title: string; result: PartResult }[] =>
  Object.entries(parts).flatMap(([part, { title }]) => {
    const result = results[part];
    return result === undefined ? [] : [{ part, title, result }];
  });
