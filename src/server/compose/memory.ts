import { totalmem } from "node:os";

/** What this machine or the group of processes that the hall is in may use. */
export const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

const bytesOfProcess = 150_000_000;
const mostProcesses = 24;

/** How many agent processes fit into a quarter of the memory. */
export const processesIn = (bytes: number): number => Math.max(1, Math.min(mostProcesses, Math.floor(bytes / 4 / bytesOfProcess)));
