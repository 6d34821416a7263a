import { expect, it } from "vitest";
import { z } from "zod";
import { plainWords } from "./plain-words.ts";

it.each([
  [z.string(), undefined, "is missing"],
  [z.string(), 5, "must be text"],
  [z.int(), 1.5, "must be a whole number"],
  [z.array(z.string()), {}, "must be a list"],
  [z.record(z.string(), z.string()), [], "must be an object"],
  [z.enum(["a", "b"]), undefined, "is missing"],
  [z.enum(["a", "b"]), "c", 'must be "a" or "b"'],
  [z.string().min(2), "x", "must have at least 2 characters"],
  [z.array(z.string()).max(0), ["x"], "must hold at most 0"],
  [z.number().max(9), 10, "must be at most 9"],
  [z.uuid(), "x", "is not in a form that is understood here"],
  [z.union([z.string(), z.number()]), undefined, "is missing"],
  [z.string("must be a name"), undefined, "must be a name"],
])("%o says of %j that it %s", (schema, value, words) => {
  const { error } = schema.safeParse(value, { error: plainWords });

  expect(error?.issues[0]?.message).toBe(words);
});
