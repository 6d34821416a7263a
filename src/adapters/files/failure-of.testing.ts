import { HallError } from "../../schema/hall-error.ts";

/** The `HallError` that work ends in; anything else, success included, fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<HallError> {
  const outcome = await work.then(
    (value) => new Error(`This should have failed, and it answered ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
  if (outcome instanceof HallError) return outcome;
  throw outcome;
}
