import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openHallInProcess } from "./hall-in-process.testing.ts";

export type Asked = { status: number; headers: Headers; body: unknown };

/** `prepare` puts into the home what the hall is to find there. */
type TestHallRequest = { config?: unknown; env?: Record<string, string>; prepare?: (home: string) => Promise<unknown> };

/** The composed hall on a home of its own, asked at its fetch handler: everything but HTTP, pages and bundled members. */
export async function composeTestHall({ config = {}, env = {}, prepare }: TestHallRequest = {}) {
  const folder = await temporaryFolder();
  const home = join(folder, "home");
  await prepare?.(home);
  const hall = await openHallInProcess({ folder, home, config, env: { ...process.env, ANTHROPIC_BASE_URL: "", ...env } });
  onTestFinished(async () => void (await hall.close()));
  return {
    home,
    fetch: hall.fetch,
    /** For a test that puts it behind a server of its own. */
    announce: hall.announce,
    client: hall.client,
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
