import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { setMemberStage } from "./member-stage.testing.ts";
import { playedBy } from "./played-member.testing.ts";

const transports = ["stdio", "http"] as const;
const signal = new AbortController().signal;

describe.each(transports)("a member over %s", (transport) => {
  it("is started, shakes hands, lists its tools, answers and goes", async () => {
    const stage = await setMemberStage();

    const member = stage.launch(playedBy(transport, "well"));
    const tools = await member.connected;
    const answer = await member.ask("echo", { hello: "you" });
    await member.end();

    expect(tools.map(({ name }) => name)).toContain("echo");
    expect(JSON.parse(answer)).toEqual({ hello: "you" });
    expect(await member.ended).toBeNull();
    expect(stage.problems).toEqual([]);
  });

  it("tells each step on its way, and what came of it", async () => {
    const stage = await setMemberStage();

    const member = stage.launch(playedBy(transport, "well"));
    const waiting = [...member.steps.values()].map(({ state }) => state);
    await member.connected;

    const steps = [...member.steps.values()];
    expect(new Set(waiting)).toEqual(new Set(["waiting"]));
    expect(steps.map(({ name }) => name)).toEqual(["spawned", ...(transport === "http" ? ["listening"] : []), "handshake", "tools"]);
    expect(steps.every(({ state, durationMs }) => state === "done" && durationMs !== null)).toBe(true);
    expect(member.steps.get("spawned")?.detail).toMatch(/^node .+played-member.testing.ts well (stdio|http \d+) \(process \d+\)$/);
    expect(member.steps.get("handshake")?.detail).toBe("played 1.2.3");
  });

  it("has all pages of its tools but for a broken one, of which the step tells", async () => {
    const stage = await setMemberStage();

    const member = stage.launch(playedBy(transport, "well"));
    const tools = await member.connected;

    expect(tools.length).toBeGreaterThan(10);
    expect(tools.map(({ name }) => name)).not.toContain("broken");
    expect(tools.find(({ name }) => name === "sparse")).toStrictEqual({
      name: "sparse",
      description: "",
      inputSchema: { type: "object" },
    });
    expect(member.leftOut()).toEqual([expect.stringMatching(/^broken: inputSchema /)]);
    expect(member.steps.get("tools")?.detail).toMatch(/^\d+ tools, and 1 left out: broken: inputSchema /);
  });

  it("that says its tools changed is asked for them again", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;

    await member.ask("learn");

    await expect.poll(() => member.lists.at(-1)?.map(({ name }) => name), { timeout: 20_000 }).toContain("learned");
    expect(await member.ask("learned")).toBe("new");
  });

  it("answers many calls at once, each with its own answer", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;
    const inputs = Array.from({ length: 40 }, (_, number) => ({ number, text: "x".repeat(number * 1000) }));

    const answers = await Promise.all(inputs.map((input) => member.ask("echo", input)));

    expect(answers.map((answer) => JSON.parse(answer) as unknown)).toEqual(inputs);
  });

  it("may refuse, which is an answer; a tool it does not have is a failure", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy(transport, "well"));
    await member.connected;

    expect(await member.call("refuse", {}, signal)).toEqual({ content: [{ type: "text", text: "I would rather not." }], isError: true });
    await expect(member.call("absent", {}, signal)).rejects.toMatchObject({
      code: "member_failed",
      message: "played-1 failed to answer the call of absent: There is no tool absent.",
    });
  });
});

describe("a member's surroundings", () => {
  it("are its folder, the hall's Node, a home of its own, and nothing of ours; no shell reads its arguments (SEC-7, SEC-9, REQ-GH1-24)", async () => {
    const hostEnv = { ...process.env, ANTHROPIC_API_KEY: "ours", SECRET: "ours", LANG: "de_DE.UTF-8" };
    const stage = await setMemberStage({ hostEnv, modelEnv: () => ({ ANTHROPIC_API_KEY: "ours" }) });
    const { mcp } = playedBy("stdio", "well");
    const member = stage.launch({
      transport: "stdio",
      mcp: { ...mcp, args: [...mcp.args, "two words", "$HOME; touch taken", "at ${PORT}"], env: { ADDRESS: "127.0.0.1:${PORT}" } },
    });
    await member.connected;

    const { env, cwd, args } = JSON.parse(await member.ask("surroundings")) as Surroundings;

    const home = stage.layout.memberHome(member.name);
    const { ADDRESS: address, GUILD_HALL_MEMBER: mark, ...rest } = env;
    expect(rest).toMatchObject({ LANG: "de_DE.UTF-8", HOME: home, TMPDIR: join(home, "tmp") });
    expect(rest["PATH"]?.startsWith(dirname(process.execPath))).toBe(true);
    expect(Object.keys(rest).filter((name) => !/^(PATH|HOME|TMPDIR|LANG|LC_.+|TZ|NODE_COMPILE_CACHE)$/.test(name))).toEqual([]);
    expect(`127.0.0.1:${args.at(-1)?.replace("at ", "")}`).toBe(address);
    expect(address).toMatch(/:\d+$/);
    expect(args.slice(-3, -1)).toEqual(["two words", "$HOME; touch taken"]);
    expect(mark).toMatch(/^played-1:/);
    expect(cwd).toBe(stage.folder);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it("have the way to the model only where it is a worker (SEC-9)", async () => {
    const stage = await setMemberStage({ modelEnv: () => ({ ANTHROPIC_API_KEY: "the key", CLAUDE_CONFIG_DIR: "" }) });
    const worker = stage.launch({ ...playedBy("stdio", "well"), capabilities: ["worker"] });
    await worker.connected;

    const { env } = JSON.parse(await worker.ask("surroundings")) as Surroundings;

    expect(env["ANTHROPIC_API_KEY"]).toBe("the key");
    expect(env).not.toHaveProperty("CLAUDE_CONFIG_DIR");
  });
});

describe("starts", () => {
  it("beyond the limit wait their turn, and one that hangs holds up only its own", async () => {
    const stage = await setMemberStage({ limits: { startsAtOnce: 2, handshakeMs: 120_000, callMs: 1000 } });
    const hanging = stage.launch(playedBy("stdio", "hangs"));

    const others = Array.from({ length: 3 }, () => stage.launch(playedBy("stdio", "well")));
    const states = others.map(({ steps }) => steps.get("spawned")?.state);
    await Promise.all(others.map(({ connected }) => connected));

    expect(states.filter((state) => state === "waiting").length).toBeGreaterThanOrEqual(2);
    expect(hanging.steps.get("handshake")?.state).toBe("doing");
  });

  it("that are called off while they wait never happen", async () => {
    const stage = await setMemberStage({ limits: { startsAtOnce: 1, handshakeMs: 120_000, callMs: 1000 } });
    const first = stage.launch(playedBy("stdio", "hangs"));
    const second = stage.launch(playedBy("stdio", "well"));

    await second.end();

    expect(await second.ended).toBeNull();
    expect(second.steps.get("spawned")?.state).toBe("waiting");
    await first.end();
  });

  it("give no port to two members", async () => {
    const stage = await setMemberStage({ limits: { startsAtOnce: 4, handshakeMs: 120_000, callMs: 1000 } });

    const members = Array.from({ length: 4 }, () => stage.launch(playedBy("http", "well")));
    await Promise.all(members.map(({ connected }) => connected));

    const ports = members.map(({ steps }) => steps.get("listening")?.detail);
    expect(new Set(ports).size).toBe(4);
  });
});

describe("the record of a member", () => {
  it("names its process and port while it runs, and is gone when it is", async () => {
    const stage = await setMemberStage();
    const member = stage.launch(playedBy("http", "well"));
    await member.connected;
    const { pid } = JSON.parse(await member.ask("surroundings")) as Surroundings;
    const path = stage.layout.memberState(member.name);

    const record = JSON.parse(await readFile(path, "utf8")) as unknown;
    await member.end();

    expect(record).toMatchObject({
      version: 1,
      port: expect.any(Number) as number,
      process: { pid },
      startedAt: expect.any(String) as string,
    });
    await expect(readFile(path)).rejects.toThrow("ENOENT");
  });
});

/** What the played member tells of itself. */
type Surroundings = { pid: number; env: Record<string, string>; cwd: string; args: string[] };
