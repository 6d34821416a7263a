import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLayout } from "../adapters/files/layout.ts";
import { readPersonKey } from "../adapters/files/person-key.ts";
import { createHallClient } from "../client/hall-client.ts";
import type { HallClient } from "../client/hall-client.ts";
import { Config } from "../schema/config.ts";
import { insistOnDeclaredErrors } from "./api/declared-errors.testing.ts";
import { composeHall } from "./compose.ts";
import type { ComposedHall } from "./compose.ts";
import { createMachine } from "./without-hall.ts";

/** `client` has the person's key. */
export type HallInProcess = ComposedHall & { home: string; personKey: string; client: HallClient };

/** `folder` has to be new: it is where the hall's user lives, and its project, unless there is one. `env` is the whole environment. */
type InProcessRequest = { folder: string; home: string; env: NodeJS.ProcessEnv; config?: unknown; project?: string };

/** The composed hall on any home, asked at its fetch handler. Whoever opens it closes it. */
export async function openHallInProcess({ folder, home, env, config = {}, project }: InProcessRequest): Promise<HallInProcess> {
  await mkdir(folder, { recursive: true });
  const hall = await composeHall({
    home,
    config: Config.parse(config),
    token: null,
    version: "0.0.0-test",
    machine: createMachine({ env: { ...env, HOME: folder }, folder, installation: [folder] }),
    startedAt: performance.now(),
    project: project ?? (await projectWithoutMembers(join(folder, "project"))),
  });
  await hall.announce("http://127.0.0.1:4870");
  const fetch = insistOnDeclaredErrors(hall.fetch);
  const personKey = (await readPersonKey(createLayout(home))) ?? "";
  const client = createHallClient({
    baseUrl: "http://hall",
    fetch: async (input, init) => fetch(new Request(input, init)),
    token: personKey,
  });
  return { ...hall, fetch, home, personKey, client };
}

/** The packages of this project, for members that a test adds. */
async function projectWithoutMembers(project: string): Promise<string> {
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ dependencies: { zod: "*" } }));
  await symlink(join(import.meta.dirname, "../../node_modules"), join(project, "node_modules"));
  return project;
}
