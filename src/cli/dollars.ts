import { z } from "zod";

/** An amount as people type it: 5, 2.50 or $2.50. */
export const Dollars = z
  .string()
  .trim()
  .regex(/^\$?\d+(?:\.\d+)?$/, "must be an amount of dollars, such as 5 or 2.50")
  .transform((text) => Number(text.replace("$", "")));
