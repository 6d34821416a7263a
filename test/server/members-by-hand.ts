import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Manifest } from "../../src/schema/manifest.ts";
import type { Hall } from "../running-hall.ts";

/** What a person does who puts a member into `guild-members/` by hand. Answers its folder. */
export async function putMember(
  home: string,
  name: string,
  manifest: Pick<Manifest, "transport" | "mcp"> & Partial<Manifest>,
): Promise<string> {
  const folder = join(home, "guild-members", name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const whole = { name: name.split("/").at(-1), displayName: name, description: "A member of a test.", version: "1.0.0", ...manifest };
  await writeFile(join(folder, "guild-member.json"), JSON.stringify(whole, null, 2), { mode: 0o600 });
  return folder;
}

/** For machines that are busy with other tests. */
export const patience = { timeout: 30_000 };

export async function untilConnected(hall: Pick<Hall, "client">, ...names: string[]): Promise<void> {
  for (const name of names) await expect.poll(() => statusOf(hall, name), patience).toBe("connected");
}

export const statusOf = async (hall: Pick<Hall, "client">, name: string): Promise<string | undefined> =>
  (await hall.client.roster.list()).members.find((member) => member.name === name)?.status;
