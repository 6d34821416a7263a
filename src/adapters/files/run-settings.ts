import { z } from "zod";
import { defineDocument } from "./document.ts";
import type { Layout } from "./layout.ts";

const runSettings = defineDocument(z.object({ resumesAtReset: z.boolean() }));

/** What a person set for all runs in the settings. It beats config.yaml. */
export const createRunSettingsFile = ({ runSettings: path }: Pick<Layout, "runSettings">) => ({
  read: async (): Promise<boolean | null> => (await runSettings.read(path))?.resumesAtReset ?? null,
  write: (resumesAtReset: boolean): Promise<void> => runSettings.write(path, { resumesAtReset }),
});
