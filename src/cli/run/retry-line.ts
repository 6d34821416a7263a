/** A request to the model that failed and is sent again. */
export const retryLine = ({ attempt, inMs, reason }: { attempt: number; inMs: number; reason: string }): string =>
  `Trying again in ${Math.ceil(inMs / 1000)} s (attempt ${attempt}): ${reason}`;
