import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { changesHeader } from "../schema/changes-header.ts";
import { createGuard } from "./guard.ts";
import { createListener } from "./listener.ts";
import { createDoor } from "./door.ts";
import { createEntryCodes } from "./entry-codes.ts";

describe("a page that fails", () => {
  it("before it began is a problem without its cause, which is in the log", async () => {
    const { url, logged } = await serve(() => Promise.reject(new Error("the secret cause")));

    const response = await fetch(url);

    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      code: "internal",
      detail: "Something went wrong inside the hall. Its log has the details.",
    });
    expect(logged.join("")).toContain("the secret cause");
  });

  it("in the middle is cut off, so that nobody takes the half of it for the whole", async () => {
    const { url } = await serve(async (_request, response) => {
      response.write("<p>the first half");
      throw new Error("no second half");
    });

    const response = await fetch(url);

    await expect(response.text()).rejects.toThrow("terminated");
  });
});

it("answers a request that the hall itself breaks on, and goes on with the next one", async () => {
  const { url, logged } = await serve(async (_request, response) => void response.end("a page"), {
    changes: () => {
      if (logged.length === 0) throw new Error("the secret cause");
      return "the mark of now";
    },
  });

  const first = await fetch(url);
  const second = await fetch(url);

  expect(first.status).toBe(500);
  expect(await first.text()).not.toContain("the secret cause");
  expect(logged.join("")).toContain("the secret cause");
  expect(await second.text()).toBe("a page");
});

it("draws a page with the mark of the moment it was asked for, whatever the request says", async () => {
  const { url } = await serve(async (request, response) => void response.end(request.headers[changesHeader]));

  const response = await fetch(url, { headers: { [changesHeader]: "another" } });

  expect(await response.text()).toBe("the mark of now");
});

it("keeps from the pages what unlocks Next's preview, revalidation and actions, and nothing else", async () => {
  const { url } = await serve(async ({ headers }, response) => void response.end(JSON.stringify(headers)));
  const unlocking = ["x-prerender-revalidate", "x-prerender-revalidate-if-generated", "x-next-revalidated-tags", "next-action"];
  const bypass = "__prerender_bypass=key; theme=dark;__next_preview_data=a=b; __prerender_bypass";

  const sent = { ...Object.fromEntries(unlocking.map((name) => [name, "key"])), "x-next-revalidate-tag-token": "key", rsc: "1" };
  const [some, none] = [{ cookie: bypass }, { cookie: "__prerender_bypass=key" }];
  const first = (await (await fetch(url, { headers: { ...sent, ...some } })).json()) as Record<string, string>; // what this test answers
  const second = (await (await fetch(url, { headers: none })).json()) as Record<string, string>; // the same

  expect(first).toMatchObject({ cookie: " theme=dark", rsc: "1" });
  expect(JSON.stringify([first, second])).not.toMatch(/prerender|preview|revalidate|next-action/);
  expect(second).not.toHaveProperty("cookie");
});

it("asks Next for a whole page where the state of the router cannot be read, and passes on what its pages send", async () => {
  const { url } = await serve(async ({ headers }, response) => void response.end(JSON.stringify(headers)));
  const seen = async (state: string) => {
    const response = await fetch(url, { headers: { rsc: "1", "next-router-state-tree": state } });
    const { rsc } = (await response.json()) as { rsc?: string }; // what this test answers
    return rsc;
  };
  const ofPage = ["", { children: ["sessions", { children: [["id", "ses_1", "d"], { children: ["__PAGE__", {}] }] }] }, null, null, true];

  expect(await seen(encodeURIComponent(JSON.stringify(ofPage)))).toBe("1");
  for (const state of ["x", "%", "%5B%22%22%5D", "{}", encodeURIComponent('["",{"children":1}]'), "[".repeat(9000)]) {
    expect([state.slice(0, 20), await seen(state)]).toEqual([state.slice(0, 20), undefined]);
  }
});

describe("whoever comes without the token", () => {
  it.each([
    ["a person", "text/html", "text/html; charset=utf-8", "<form"],
    ["a program", "application/json", "application/problem+json", `"code":"unauthorized"`],
  ])("is refused as %s understands it, and reaches no page", async (_who, accept, type, text) => {
    let pages = 0;
    const { url } = await serve(async () => void (pages += 1), { token: "open sesame" });

    const response = await fetch(url, { headers: { accept } });

    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toBe(type);
    expect(await response.text()).toContain(text);
    expect(pages).toBe(0);
  });
});

async function serve(
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { token = null, changes = () => "the mark of now" }: { token?: string | null; changes?: () => string } = {},
) {
  const logged: string[] = [];
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // of a server that listens on TCP
  const door = createDoor({ token, personKey: "the person's key" });
  const codes = createEntryCodes();
  const guard = createGuard({ allowedHosts: new Set([`127.0.0.1:${port}`]), door });
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  server.on("request", createListener({ guard, next, log, changes, door, codes }));
  return { url: `http://127.0.0.1:${port}/`, logged, door, codes };
}
