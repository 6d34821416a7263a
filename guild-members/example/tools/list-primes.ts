import { defineTool, text } from "../tool.ts";

export const listPrimes = defineTool<{ upTo: number }>(
  {
    name: "list_primes",
    title: "List primes",
    description: "Every prime number up to a limit, one per line. A million gives half a megabyte of text.",
    inputSchema: {
      type: "object",
      properties: { upTo: { type: "integer", title: "Up to", minimum: 2, maximum: 1_000_000, default: 1000 } },
      additionalProperties: false,
    },
  },
  ({ upTo }) => text(primesUpTo(upTo).join("\n")),
);

/** The sieve of Eratosthenes. */
function primesUpTo(limit: number): number[] {
  const isComposite = new Uint8Array(limit + 1);
  const primes: number[] = [];
  for (let number = 2; number <= limit; number += 1) {
    if (isComposite[number] === 1) continue;
    primes.push(number);
    for (let multiple = number * number; multiple <= limit; multiple += number) isComposite[multiple] = 1;
  }
  return primes;
}
