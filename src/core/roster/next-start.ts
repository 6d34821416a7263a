/** After a failure in a row, how long to wait before the next start. One more failure than there are pauses ends the attempts. */
const pausesMs = [1000, 2000, 4000, 8000];

/** A member that was connected for so long works; what happens to it after that is not part of a row. */
const provenAfterMs = 180_000;

export type NextStart = {
  /** Failures in a row, this one included. */
  failures: number;
  /** Null: the hall gives up and waits for a person. */
  inMs: number | null;
};

/** What to do about a member that ended by itself. */
export function nextStart(failuresBefore: number, connectedMs: number): NextStart {
  const failures = (connectedMs >= provenAfterMs ? 0 : failuresBefore) + 1;
  return { failures, inMs: pausesMs[failures - 1] ?? null };
}
