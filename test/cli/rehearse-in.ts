import { onTestFinished, vi } from "vitest";

/** Has commands of this process make their temporary files in a folder that can be looked into, until the test is over. */
export function rehearseIn(folder: string): void {
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
}
