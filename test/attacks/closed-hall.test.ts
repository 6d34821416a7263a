import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { processesIn } from "../faults/processes.ts";
import { rawRequest } from "../raw-request.ts";
import { secrets, startClosedHall } from "./closed-hall.ts";
import type { ClosedHall } from "./closed-hall.ts";
import { attackAsAgent } from "./mischief.ts";
import { attackProcesses } from "./processes.ts";
import { attackToken } from "./token.ts";

const { token, key, planted } = secrets;

let closed: ClosedHall;

beforeAll(async () => {
  closed = await startClosedHall();
  return () => closed.model.close();
});

attackToken(() => closed.hall, token);
attackProcesses(() => closed);
attackAsAgent(() => closed);

describe("a key", () => {
  it("is taken out of what the model's own server says about it: events, records, answers and logs (SEC-9)", async () => {
    const { hall, plays } = closed;
    plays.set("tell the key", () => ({ error: { status: 400, message: `Not with the key ${key}, please.` } }));
    const { id } = await hall.client.sessions.create({ name: "Loose talk" });
    await hall.client.sessions.send(id, "tell the key");
    const events = [];
    for await (const { event } of hall.client.sessions.events(id)) events.push(event);
    const session = await hall.client.sessions.get(id);
    const asked = await rawRequest(hall.url, {
      method: "POST",
      path: "/api/sessions",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: "x", members: [key, token] }),
    });

    expect(session.session.error).toMatchObject({ code: "model_bad_request", message: expect.stringContaining("[removed]") as string });
    expect(asked.status).toBe(400);
    for (const said of [JSON.stringify(events), JSON.stringify(session), asked.body]) {
      expect(said).not.toContain(key);
      expect(said).not.toContain(token);
    }
  });

  it("is in no file of the home when all is over, and neither is the token (SEC-9, SEC-17)", async () => {
    const { hall } = closed;
    await hall.end("SIGTERM");

    const entries = await readdir(hall.home, { recursive: true, withFileTypes: true });
    // The SDK's own record of a conversation has what the model's server said, word for word.
    const isTranscript = (path: string) => path.includes("/claude/config/projects/");
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !isTranscript(path));
    const holding = await Promise.all(
      files.map(async (path) => {
        const bytes = await readFile(path);
        return [key, token, planted].some((secret) => bytes.includes(secret)) ? [path.slice(hall.home.length)] : [];
      }),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(holding.flat()).toEqual([]);
    expect(hall.said()).not.toContain(token);
    expect(await processesIn(hall.home)).toEqual([]);
  });
});
