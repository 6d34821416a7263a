import { isDeepStrictEqual } from "node:util";

export type Checks = ReturnType<typeof createChecks>;

/** Collects what does not hold, so that one test can look at much. */
export function createChecks() {
  const breaches: string[] = [];
  return {
    breaches,
    same(what: string, actual: unknown, expected: unknown): void {
      if (!isDeepStrictEqual(actual, expected)) breaches.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
    },
    holds(what: string, isSo: boolean): void {
      if (!isSo) breaches.push(what);
    },
  };
}
