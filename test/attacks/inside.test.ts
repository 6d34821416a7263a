import { chmod, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { SessionId } from "../../src/schema/ids.ts";
import type { Block } from "../../src/schema/session.ts";
import { readConversation } from "../../src/scripted-model/conversation.ts";
import type { Reply } from "../../src/scripted-model/reply.ts";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import type { ScriptedModel } from "../../src/scripted-model/server.ts";
import { processesIn } from "../faults/processes.ts";
import { rawRequest } from "../raw-request.ts";
import type { HallProcess } from "../running-hall.ts";
import { startSharedHall } from "../running-hall.ts";
import { patience, statusOf } from "../server/members-by-hand.ts";
import { listenersOf } from "./listeners.ts";

const token = "a-long-enough-token";
const key = "key-of-this-attack";
const planted = "a-secret-of-the-shell";
const members = ["example", "researcher"] as const;

/** What the model says to a message that contains these words. */
const plays: Record<string, (step: number) => Reply> = {
  hang: () => ({ fault: { how: "hang" } }),
  "tell the key": () => ({ error: { status: 400, message: `Not with the key ${key}, please.` } }),
  attack: (step) => (step === 1 ? { tools: [...refused(), ...harmless()] } : { text: "I give up." }),
};

let model: ScriptedModel;
let hall: HallProcess;

beforeAll(async () => {
  model = await startScriptedModel({
    script(request) {
      const { userTexts, step } = readConversation(request);
      const words = Object.keys(plays).find((each) => userTexts.at(-1)?.includes(each)) ?? "";
      return plays[words]?.(step);
    },
  });
  const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: key, GUILD_HALL_TOKEN: token, PLANTED_SECRET: planted };
  hall = await startSharedHall({ env, waiting: false });
  for (const name of members) await vi.waitUntil(async () => (await statusOf(hall, name)) === "connected", patience);
  return () => model.close();
});

describe.runIf(process.platform === "linux")("what a hall has running", () => {
  it("listens on loopback alone, and no port of it answers to another name or another site (SEC-1, SEC-2, SEC-3, SEC-4)", async () => {
    const listeners = await listenersOf(await processesIn(hall.home));
    expect(listeners.length).toBeGreaterThanOrEqual(4);

    for (const { address, port } of listeners) {
      const url = `http://127.0.0.1:${port}`;
      const ask = async (path: string, headers: Record<string, string>) =>
        (await rawRequest(url, { method: "POST", path, headers: { "content-type": "application/json", ...headers }, body: "{}" })).status;

      expect(address).toBe("127.0.0.1");
      for (const path of ["/", "/mcp", "/v1/messages"]) {
        expect([port, path, await ask(path, { host: `evil.example:${port}` })]).toEqual([port, path, 421]);
        expect([port, path, await ask(path, { origin: "http://evil.example" })]).toEqual([port, path, 403]);
        expect([port, path, await ask(path, { "sec-fetch-site": "cross-site" })]).toEqual([port, path, 403]);
      }
    }
  });

  it("answers to the hall alone: another user of this machine calls no tool and dispatches no job (SEC-4, SEC-16)", async () => {
    const [example, researcher] = [await recordOf("example"), await recordOf("researcher")];
    const call = { method: "tools/call", params: { name: "tell_time", arguments: {} } };
    const dispatch = { method: "worker/dispatch", params: { description: "x", task: "hang" } };
    const strangers: Record<string, string>[] = [
      {},
      { "guild-hall-member": "" },
      { "guild-hall-member": "undefined" },
      { authorization: `Bearer ${token}`, "guild-hall-member": token },
    ];

    for (const headers of [...strangers, { "guild-hall-member": researcher.mark }])
      expect([headers, (await askDirectly(example.port, call, headers)).status]).toEqual([headers, 401]);
    for (const headers of [...strangers, { "guild-hall-member": example.mark }])
      expect([headers, (await askDirectly(researcher.port, dispatch, headers)).status]).toEqual([headers, 401]);

    const owner = await askDirectly(researcher.port, { method: "worker/list", params: {} }, { "guild-hall-member": researcher.mark });
    expect([owner.status, JSON.parse(owner.body)]).toMatchObject([200, { result: { jobs: [] } }]);
    expect(example.mark).not.toBe(researcher.mark);
  });

  it("holds the token and the rest of our environment nowhere, and the key only where a model is asked; stop ends it all (SEC-9, SEC-17)", async () => {
    const before = await processesIn(hall.home);
    const { id } = await hall.client.sessions.create({ name: "Hangs" });
    const { jobId } = await hall.client.jobs.dispatch("researcher", { description: "Hangs", task: "hang" });
    await hall.client.sessions.send(id, "hang");
    await model.waitForRequest(({ conversation }) => conversation.system.includes("main agent of a session"));
    await model.waitForRequest(({ conversation }) => !conversation.system.includes("main agent of a session"));
    const pids = await processesIn(hall.home);
    const agents = pids.filter((pid) => !before.includes(pid));
    const children = pids.filter((pid) => pid !== hall.process.pid);

    const environments = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")));
    const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
    const withKey = children.filter((_, index) => environments[index]?.includes(key));
    const [{ pid: example }, { pid: researcher }] = [await recordOf("example"), await recordOf("researcher")];

    expect(agents.length).toBeGreaterThanOrEqual(2);
    for (const secret of [token, planted]) expect(environments.join("\n")).not.toContain(secret);
    for (const secret of [token, planted, key]) expect(commands.join("\n")).not.toContain(secret);
    expect(withKey).toEqual(expect.arrayContaining([researcher, ...agents]));
    expect(withKey).not.toContain(example);

    await hall.client.jobs.cancel("researcher", jobId);
    await hall.client.sessions.stop(id);

    await expect.poll(async () => (await processesIn(hall.home)).filter((pid) => agents.includes(pid))).toEqual([]);
    expect((await hall.client.sessions.get(id)).session).toMatchObject({ status: "idle", error: { code: "stopped" } });
    expect((await hall.client.jobs.get("researcher", jobId)).status).toBe("cancelled");
  });
});

describe("an agent that was talked into mischief", () => {
  it("writes to no member and no setting, reads nothing beyond its session, and starts no program (SEC-7, SEC-8, SEC-10, SEC-11)", async () => {
    await writeFile(join(hall.home, "trap.sh"), `#!/bin/sh\ntouch ${join(hall.home, "sprung")}\n`);
    await chmod(join(hall.home, "trap.sh"), 0o700);
    const before = await configuration();
    const { id } = await hall.client.sessions.create({ name: "Mischief", members: [...members] });
    await writeFile(join(hall.home, "sessions", id, "artifacts/--help"), "a file with an odd name");

    const blocks = await sendAndWait(id, "attack");

    const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block] : []));
    expect(results).toHaveLength(refused().length + harmless().length);
    expect(refused().filter((_, index) => results[index]?.isError !== true)).toEqual([]);
    const shown = JSON.stringify(model.requests.map(({ body }) => body.messages));
    for (const secret of [(await recordOf("example")).mark, "root:x:0", planted, token]) expect(shown).not.toContain(secret);
    expect(await configuration()).toEqual(before);
    expect(await readdir(hall.home)).not.toContain("sprung");
    expect((await hall.client.roster.list()).members.map(({ name }) => name).toSorted()).toEqual([...members]);
    expect((await hall.client.jobs.list()).jobs.filter(({ description }) => description === "Mischief")).toEqual([]);
  });

  it.each(["--help", "--dangerously-skip-permissions", "-p"])("is given no argument by the name of its model: %s (SEC-7)", async (name) => {
    await expect(hall.client.sessions.create({ name: "Odd", model: name })).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("a key", () => {
  it("is taken out of what the model's own server says about it: events, records, answers and logs (SEC-9)", async () => {
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

type Call = NonNullable<Reply["tools"]>[number];

const tool = (name: string, input: Record<string, string>): Call => ({ name, input });

/** Each has to come back as a failure. */
function refused(): Call[] {
  const at = (path: string) => join(hall.home, path);
  const manifest = JSON.stringify({ name: "evil", transport: "stdio", mcp: { command: at("trap.sh") } });
  return [
    tool("Write", { file_path: at("guild-members/evil/guild-member.json"), content: manifest }),
    tool("Write", { file_path: "../../guild-members/evil/guild-member.json", content: manifest }),
    tool("Write", { file_path: "artifacts/../../../guild-members/evil/guild-member.json", content: manifest }),
    tool("Edit", { file_path: at("guild-members/example/guild-member.json"), old_string: '"node"', new_string: '"sh"' }),
    tool("Write", { file_path: at("config.yaml"), content: "agent:\n  webTools: true\n" }),
    tool("Write", { file_path: at("state/accepted-tools/example.json"), content: "{}" }),
    tool("Write", { file_path: "session.json", content: "{}" }),
    tool("Write", { file_path: ".claude/settings.json", content: "{}" }),
    tool("Write", { file_path: ".mcp.json", content: "{}" }),
    tool("Read", { file_path: at("state/members/example.json") }),
    tool("Read", { file_path: "/proc/self/environ" }),
    tool("Read", { file_path: "/etc/passwd" }),
    tool("Grep", { pattern: ".", path: at("state"), output_mode: "content" }),
    tool("Glob", { pattern: at("state/*") }),
    tool("Bash", { command: at("trap.sh") }),
    tool("Task", { description: "x", prompt: "x", subagent_type: "general-purpose" }),
    tool("WebFetch", { url: `${hall.url}/api/sessions`, prompt: "x" }),
    { name: "mcp__researcher-dispatch__dispatch", input: { description: "Mischief", task: "x", config: { maxBudgetUsd: 1000 } } },
    { name: "mcp__researcher-dispatch__dispatch", input: { description: "Mischief", task: "x", config: { permissionMode: "none" } } },
  ];
}

/** What looks like an option to the programs behind the tools. It may fail or not; it must not be one. */
function harmless(): Call[] {
  const option = `--pre=${join(hall.home, "trap.sh")}`;
  return [
    tool("Grep", { pattern: option, path: "artifacts" }),
    tool("Grep", { pattern: "odd", glob: option, path: "artifacts" }),
    tool("Grep", { pattern: "odd", type: option, path: "artifacts" }),
    tool("Glob", { pattern: option }),
    tool("Read", { file_path: "artifacts/--help" }),
  ];
}

/** Everything that says what runs and with which rights, with what it says. Jobs and memories are work. */
async function configuration(): Promise<string[]> {
  const entries = await readdir(join(hall.home, "guild-members"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter((path) => !/researcher\/(?:jobs|memory)\//.test(path));
  const settings = ["config.yaml", "state/accepted-tools/example.json"].map((path) => join(hall.home, path));
  const texts = [...own, ...settings].map(async (path) => `${path}: ${await readFile(path, "utf8").catch(() => "not there")}`);
  return (await Promise.all(texts)).toSorted();
}

type MemberRecord = { port: number; mark: string; pid: number };

/** What the hall keeps of a member, where only its owner can read it. */
async function recordOf(name: string): Promise<MemberRecord> {
  const text = await readFile(join(hall.home, `state/members/${name}.json`), "utf8");
  const { port, mark, process } = JSON.parse(text) as { port: number; mark: string; process: { pid: number } }; // the hall's own file
  return { port, mark, pid: process.pid };
}

const askDirectly = (port: number, message: object, headers: Record<string, string>) =>
  rawRequest(`http://127.0.0.1:${port}`, {
    method: "POST",
    path: "/mcp",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });

/** Answers what the agent said and did about the message. */
async function sendAndWait(id: SessionId, text: string): Promise<Block[]> {
  const { messageId } = await hall.client.sessions.send(id, text);
  for await (const { event } of hall.client.sessions.events(id)) if (event.event === "done") break;
  const { messages } = await hall.client.sessions.get(id);
  return messages.slice(messages.findIndex((message) => message.id === messageId) + 1).flatMap(({ blocks }) => blocks);
}
