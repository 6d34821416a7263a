import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openHallInProcess } from "./hall-in-process.testing.ts";

export type Asked = { status: number; headers: Headers; body: unknown };

/** `prepare` puts into the home what the hall is to find there. `project` is where it finds its own members. */
type TestHallRequest = {
  config?: unknown;
  env?: Record<string, string>;
  prepare?: (home: string) => Promise<unknown>;
  project?: string;
};

export type TestHall = Omit<Awaited<ReturnType<typeof openTestHall>>, "close">;

/** The composed hall on a home of its own, asked at its fetch handler: everything but HTTP, pages and bundled members. Gone when the test is over. */
export async function composeTestHall(request: TestHallRequest = {}): Promise<TestHall> {
  const { close, ...hall } = await openTestHall(request);
  onTestFinished(close);
  return hall;
}

/** The same for all tests of a file. Call it in `beforeAll`, and close it when the last of them is over. */
export async function openTestHall({ config = {}, env = {}, prepare, project }: TestHallRequest = {}) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "guild-hall-test-")));
  const home = join(folder, "home");
  await prepare?.(home);
  const hall = await openHallInProcess({
    folder,
    home,
    config,
    env: { ...process.env, ANTHROPIC_BASE_URL: "", ...env },
    ...(project === undefined ? {} : { project }),
  });
  return {
    home,
    async close(): Promise<void> {
      await hall.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    fetch: hall.fetch,
    /** For a test that puts it behind a server of its own. */
    announce: hall.announce,
    client: hall.client,
    async ask(method: string, path: string, body?: unknown): Promise<Asked> {
      const headers = { authorization: `Bearer ${hall.personKey}`, ...(body === undefined ? {} : { "content-type": "application/json" }) };
      const answer = await hall.fetch(
        new Request(`http://hall${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
      );
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === "" ? null : (JSON.parse(text) as unknown) };
    },
  };
}
