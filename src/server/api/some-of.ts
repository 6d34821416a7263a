import { z } from "zod";

/** A parameter that takes one word of several, or some: with commas between, or each with its own `name=`. */
export const someOf = <const Words extends Readonly<Record<string, string>>>(choice: z.ZodEnum<Words>) =>
  z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(choice))
    .optional()
    .describe(`only with one of these, commas between: ${choice.options.map((word) => `\`${String(word)}\``).join(", ")}`);
