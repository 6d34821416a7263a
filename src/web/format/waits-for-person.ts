import type { WaitingFor } from "../../schema/run.ts";

/** Whether a run stands still until the person acts. */
export const waitsForPerson = (waitingFor: WaitingFor | null): boolean => waitingFor?.kind === "person" || waitingFor?.kind === "budget";
