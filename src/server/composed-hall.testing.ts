import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createHallClient } from "../client/hall-client.ts";
import { Config } from "../schema/config.ts";
import { composeHall } from "./compose.ts";
import { createTokenDoor } from "./token.ts";
import { createMachine } from "./without-hall.ts";

export type Asked = { status: number; headers: Headers; body: unknown };

/** `prepare` puts into the home what the hall is to find there. */
type TestHallRequest = { config?: unknown; env?: Record<string, string>; prepare?: (home: string) => Promise<unknown> };

/** The composed hall on a home of its own, asked at its fetch handler: everything but HTTP, pages and bundled members. */
export async function composeTestHall({ config = {}, env = {}, prepare }: TestHallRequest = {}) {
  const folder = await temporaryFolder();
  const home = join(folder, "home");
  await prepare?.(home);
  const hall = await composeHall({
    home,
    config: Config.parse(config),
    token: null,
    version: "0.0.0-test",
    machine: createMachine({ env: { ...process.env, ANTHROPIC_BASE_URL: "", HOME: folder, ...env }, folder }),
    door: createTokenDoor(null),
    startedAt: performance.now(),
    project: await projectWithoutMembers(join(folder, "project")),
  });
  onTestFinished(async () => void (await hall.close()));
  await hall.announce("http://127.0.0.1:4870");
  return {
    home,
    fetch: hall.fetch,
    /** For a test that puts it behind a server of its own. */
    announce: hall.announce,
    client: createHallClient({ baseUrl: "http://hall", fetch: async (input, init) => hall.fetch(new Request(input, init)) }),
    async ask(method: string, path: string, body?: unknown): Promise<Asked> {
      const answer = await hall.fetch(
        new Request(`http://hall${path}`, {
          method,
          ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
        }),
      );
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === "" ? null : (JSON.parse(text) as unknown) };
    },
  };
}

/** The packages of this project, for members that a test adds. */
async function projectWithoutMembers(project: string): Promise<string> {
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ dependencies: { zod: "*" } }));
  await symlink(join(import.meta.dirname, "../../node_modules"), join(project, "node_modules"));
  return project;
}
