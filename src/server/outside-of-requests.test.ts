import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { outsideOfRequests } from "./outside-of-requests.ts";

describe("the hall behind Next", () => {
  it("takes nothing of a request's surroundings along into what it starts", async () => {
    const surroundings = new AsyncLocalStorage<string>();
    const fetch = outsideOfRequests(async () => {
      await pause(0);
      return new Response(surroundings.getStore() ?? "nothing");
    });

    const answer = await surroundings.run("the request, its answer and its socket", () => fetch(new Request("http://hall/")));

    expect(await answer.text()).toBe("nothing");
  });
});
