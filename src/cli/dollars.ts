import { z } from "zod";

/** An amount as people type it: 5, 2.50 or $2.50. */
export const Dollars = z
  .string()
  .trim()
  .regex(/^\$?\d+(?:\.\d+)?$/, "must be an amount of dollars, such as 5 or 2.50")
  .transform((text) => Number(text.replace("$", "")));

/** Cents, and more digits where there is less than one. */
export const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`);
