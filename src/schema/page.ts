import { z } from "zod";

const wholeNumber = "must be a whole number from 1 to 500";

/** Parameters every list takes. A cursor is opaque to clients. */
export const PageQuery = z.object({
  limit: z.coerce.number(wholeNumber).int(wholeNumber).min(1, wholeNumber).max(500, wholeNumber).default(50).describe("how many at most"),
  cursor: z.string().max(512, "must be one the hall gave").optional().describe("the `nextCursor` of the page before"),
});
export type PageQuery = z.infer<typeof PageQuery>;
