import { beforeAll, describe, expect, it } from "vitest";
import { startSharedHall } from "../running-hall.ts";
import type { Hall } from "../running-hall.ts";

let hall: Hall;
beforeAll(async () => {
  hall = await startSharedHall({ bundled: false, config: "streams:\n  max: 1\n" });
});

describe("the API behind Next", () => {
  it("lets go of a stream when its reader leaves", async () => {
    for (let reader = 0; reader < 4; reader += 1) {
      const leaving = new AbortController();
      const openStream = async () => (await fetch(`${hall.url}/api/events`, { signal: leaving.signal })).status;
      await expect.poll(openStream, { timeout: 10_000 }).toBe(200);
      leaving.abort();
    }
  });

  it.each(["GET", "HEAD"])("answers %s as the hall's own handler does (REQ-GH1-1)", async (method) => {
    const response = await fetch(`${hall.url}/api/health`, { method });

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
  });
});
