import { describe, expect, it } from "vitest";
import { composeTestHall } from "../composed-hall.testing.ts";

describe("an answer that nobody opens, because its client went away", () => {
  it.each([
    ["before it was made", (client: AbortController) => client.abort(), () => undefined],
    ["after it was made", () => undefined, (client: AbortController) => client.abort()],
  ])("%s, holds no place among the streams", async (_when, before, after) => {
    const { fetch } = await composeTestHall({ config: { streams: { max: 1 } } });
    const client = new AbortController();
    before(client);

    const abandoned = await fetch(new Request("http://hall/api/events", { signal: client.signal }));
    after(client);
    const next = await fetch(new Request("http://hall/api/events"));
    await next.body?.cancel();

    expect([abandoned.status, next.status]).toEqual([200, 200]);
  });
});
