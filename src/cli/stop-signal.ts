export type StopSignal = {
  /** Resolves when somebody wants the program to stop. */
  requested: Promise<void>;
  /** Resolves when they insist. */
  forced: Promise<void>;
};

/** The launcher passes on a Ctrl-C that the terminal has sent to this process as well: two signals this close are one wish. */
const sameWishMs = 300;

/** Ctrl-C, SIGTERM, a closed terminal and the death of the launcher all ask; asking again by signal insists. */
export function createStopSignal(now: () => number = () => performance.now()): StopSignal {
  const requested = Promise.withResolvers<void>();
  const forced = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const ask = () => {
    askedAt ??= now();
    requested.resolve();
    if (now() - askedAt > sameWishMs) forced.resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask);
  process.once("disconnect", ask);
  // The channel to the launcher is for its death only and must not keep this process alive.
  process.channel?.unref();
  return { requested: requested.promise, forced: forced.promise };
}
