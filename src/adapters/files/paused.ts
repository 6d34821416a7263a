import { rm } from "node:fs/promises";
import { z } from "zod";
import { defineDocument } from "./document.ts";
import type { Layout } from "./layout.ts";

const pausedDocument = defineDocument(z.object({ since: z.iso.datetime() }));

/** Whether a person holds back new runs, over restarts of the hall. */
export const createPausedFile = ({ paused }: Pick<Layout, "paused">) => ({
  read: async (): Promise<boolean> => (await pausedDocument.read(paused)) !== null,
  write: (isPaused: boolean, now: string): Promise<void> =>
    isPaused ? pausedDocument.write(paused, { since: now }) : rm(paused, { force: true }),
});
