export type StopSignal = {
  /** Resolves when somebody wants the program to stop. */
  requested: Promise<void>;
  /** Resolves when they insist. */
  forced: Promise<void>;
};

/** This process, as far as it is told what to do. */
export type SignalSource = { on(event: string, listener: () => void): unknown; channel?: { unref(): void } | null | undefined };

/** The launcher passes on a Ctrl-C that the terminal has sent to this process as well: two signals this close are one wish. */
const sameWishMs = 300;

/** Whatever can ask a program to stop: Ctrl-C, SIGTERM, a closed terminal and the death of the launcher. */
const allWishes = ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"];

/** Any of the wishes asks; asking again by signal insists. */
export function createStopSignal(
  from: SignalSource,
  now: () => number = () => performance.now(),
  wishes: readonly string[] = allWishes,
): StopSignal {
  const requested = Promise.withResolvers<void>();
  const forced = Promise.withResolvers<void>();
  let askedAt: number | undefined;
  const ask = () => {
    askedAt ??= now();
    requested.resolve();
    if (now() - askedAt > sameWishMs) forced.resolve();
  };
  for (const event of wishes) from.on(event, ask);
  // The channel to the launcher is for its death only and must not keep this process alive.
  from.channel?.unref();
  return { requested: requested.promise, forced: forced.promise };
}
