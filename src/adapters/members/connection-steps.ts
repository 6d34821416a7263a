import type { Transport } from "../../schema/manifest.ts";
import type { ConnectionStep } from "../../schema/roster.ts";

type StepName = ConnectionStep["name"];

export type ConnectionSteps = {
  /** Does the work of a step and tells how it goes. What the work answers is told with it. */
  take<Found>(name: StepName, doing: string, work: () => Promise<{ detail: string; found: Found }>): Promise<Found>;
  /** The step that is being taken. */
  current(): StepName | null;
  /** Says why the step being taken will not be done. */
  fail(reason: string): void;
};

/** Tells how far a member came on its way to being connected. */
export function createConnectionSteps(transport: Transport, onStep: (step: ConnectionStep) => void): ConnectionSteps {
  let current: { name: StepName; since: number } | null = null;
  for (const name of stepsOf[transport]) onStep({ name, state: "waiting", detail: null, durationMs: null });

  const end = (state: "done" | "failed", detail: string): void => {
    if (current === null) return;
    const { name, since } = current;
    current = null;
    onStep({ name, state, detail, durationMs: Math.round(performance.now() - since) });
  };

  return {
    async take(name, doing, work) {
      current = { name, since: performance.now() };
      onStep({ name, state: "doing", detail: doing, durationMs: null });
      const { detail, found } = await work();
      end("done", detail);
      return found;
    },
    current: () => current?.name ?? null,
    fail: (reason) => end("failed", reason),
  };
}

const stepsOf: Record<Transport, readonly StepName[]> = {
  http: ["spawned", "listening", "handshake", "tools"],
  stdio: ["spawned", "handshake", "tools"],
};
