import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { MemberName } from "../../src/schema/ids.ts";
import { processesIn } from "../faults/processes.ts";
import { rawRequest } from "../raw-request.ts";
import { patience } from "../server/members-by-hand.ts";
import { secrets, startClosedHall } from "./closed-hall.ts";
import type { ClosedHall } from "./closed-hall.ts";
import { attackAsAgent } from "./mischief.ts";
import { attackProcesses } from "./processes.ts";
import { attackToken } from "./token.ts";

const { token, key, planted, password } = secrets;

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

  it("is taken out of an answer that repeats it, in whatever pieces it comes, and out of inputs and results of tools (SEC-9)", async () => {
    const { hall, plays } = closed;
    const use = { tools: [{ name: "Grep", input: { pattern: key, path: `/${key}` } }] };
    plays.set("repeat the key", (step) =>
      step === 1 ? { text: `It is ${key}`, chunkSize: 4, ...use } : { text: `So, ${key}.`, chunkSize: 3 },
    );
    const { id } = await hall.client.sessions.create({ name: "Echo" });
    await hall.client.sessions.send(id, "repeat the key");
    const events = [];
    for await (const { event } of hall.client.sessions.events(id)) {
      events.push(event);
      if (event.event === "done") break;
    }

    const { messages, session } = await hall.client.sessions.get(id);
    const said = messages.flatMap(({ role, blocks }) =>
      role === "assistant" ? blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])) : [],
    );
    expect(said).toEqual(["It is [removed]", "So, [removed]."]);
    expect(JSON.stringify([events, messages, session])).not.toContain(key);
  });

  it("is taken out of all that a worker's agent says and writes (SEC-9)", async () => {
    const { hall, plays } = closed;
    const input = (name: string, fields: object) => ({ name: `mcp__worker-internal__${name}`, input: { ...fields } });
    const says = `It is ${key}.`;
    plays.set("repeat it in a job", (step) =>
      step === 1
        ? {
            text: says,
            tools: [
              input("update_summary", { summary: says }),
              input("log_question", { question: says }),
              input("record_decision", { question: says, decision: says, reasoning: says }),
              input("store_memory", { key: "endpoint", content: says }),
              input("write_artifact", { path: "notes.md", content: says }),
            ],
          }
        : { text: says },
    );
    const researcher = MemberName.parse("researcher");
    const task = "Please repeat it in a job.";
    const { jobId } = await hall.client.jobs.dispatch(researcher, { description: task, task });
    const job = await vi.waitUntil(async () => {
      const found = await hall.client.jobs.get(researcher, jobId);
      return found.status === "running" ? null : found;
    }, patience);

    const { output } = await hall.client.jobs.result(researcher, jobId);
    const { events } = await hall.client.jobs.events(researcher, jobId);
    const artifact = await readFile(join(hall.home, "guild-members/researcher/jobs", jobId, "artifacts/notes.md"), "utf8");
    expect([output, artifact]).toEqual(["It is [removed].", "It is [removed]."]);
    expect(job.decisions).toEqual([{ question: "It is [removed].", decision: "It is [removed].", reasoning: "It is [removed]." }]);
    expect(JSON.stringify([job, events])).not.toContain(key);
  });

  it("in the address of the endpoint is shown nowhere, and the endpoint is found to be reachable (SEC-9)", async () => {
    const { hall } = closed;
    const headers = { authorization: `Bearer ${token}` };
    const [doctor, settings, board, health] = await Promise.all(
      ["/api/doctor", "/settings", "/", "/api/health"].map((path) => rawRequest(hall.url, { path, headers })),
    );

    expect(doctor?.body).toContain("It is reachable.");
    expect(settings?.body).toContain("It is reachable.");
    for (const shown of [doctor, settings, board, health]) {
      expect(shown?.status).toBe(200);
      for (const form of [password, encodeURIComponent(password)]) expect(shown?.body).not.toContain(form);
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
        return [key, token, planted, password, encodeURIComponent(password)].some((secret) => bytes.includes(secret))
          ? [path.slice(hall.home.length)]
          : [];
      }),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(holding.flat()).toEqual([]);
    expect(hall.said()).not.toContain(token);
    expect(await processesIn(hall.home)).toEqual([]);
  });
});
