import { chmod, chown, mkdir, readdir, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { splitAddress } from "../../adapters/agent/address-credentials.ts";
import { credentialsIn } from "../../adapters/agent/child-environment.ts";
import { createDeathSignal } from "../../adapters/processes/death-signal.ts";
import type { FoundMember } from "../../core/roster/member-folders.ts";
import { Check } from "../../schema/check.ts";
import { HallError } from "../../schema/hall-error.ts";
import { Manifest } from "../../schema/manifest.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { createMachine } from "../without-hall.ts";
import { checkNode } from "./check-node.ts";
import { runDoctor } from "./doctor.ts";
import type { DoctorDeps } from "./doctor.ts";

const nowhere = { address: "", headers: {}, secrets: [] };
const demo = {
  info: { backend: "demo", name: "scripted demo", detail: "The built-in scripted model answers." },
  endpoint: nowhere,
} as const;

async function examine(deps: Partial<DoctorDeps> = {}): Promise<Record<Check["id"], Check>> {
  const checks = await runDoctor({
    home: join(await temporaryFolder(), "home"),
    host: "127.0.0.1",
    port: 0,
    surroundings: { env: process.env, origins: {}, warnings: [] },
    model: async () => demo,
    hall: async () => null,
    homeVersion: async () => 1,
    readConfig: async () => undefined,
    diskUsage: async () => ({ freeBytes: 5 * 1024 ** 3, parts: [] }),
    retention: async () => null,
    members: async () => [],
    deathSignal: createDeathSignal(process.env),
    ...deps,
  });
  // One check of each kind, so this record is complete.
  return Object.fromEntries(checks.map((check) => [check.id, check])) as Record<Check["id"], Check>;
}

function found(folder: string): FoundMember {
  const name = folder.split("/").at(-1);
  const manifest = Manifest.parse({
    name,
    displayName: folder,
    description: "A member.",
    version: "0.1.0",
    transport: "stdio",
    mcp: { command: "node" },
  });
  return { folder, path: `/home/guild-members/${folder}`, origin: "added", manifest, problem: null };
}

async function listeningPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return portOf(server);
}

const endpointAt = (address: string) => async () => ({
  info: { backend: "endpoint", name: "local", detail: "The model at an endpoint answers." } as const,
  endpoint: { ...splitAddress(address), secrets: credentialsIn({ ANTHROPIC_BASE_URL: address }) },
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port; // a TCP server has such an address

describe("the doctor", () => {
  it("looks at everything once, and a new machine has nothing to fear", async () => {
    const found = await examine();

    expect(Object.keys(found)).toEqual(Check.shape.id.options);
    expect(Object.values(found).filter(({ status }) => status === "fail" || status === "warn")).toEqual([]);
    expect(found.home).toMatchObject({ status: "info", advice: "It is made at the first start: guild-hall serve" });
    expect(found.members.detail).toBe("None yet.");
  });

  it("names the Node in use and the one the hall brings", async () => {
    const { node } = await examine();

    expect(node.detail).toMatch(/^Node 2\d\.\d+\.\d+ is in use; 24\.\d+\.\d+ comes with Guild Hall\.$/);
  });

  it("has nothing against a platform for which no Node comes with it, if the machine's own is new enough", async () => {
    const { versions } = process;

    const found = await checkNode({ platform: "freebsd", arch: "x64", versions });
    const old = await checkNode({ platform: "freebsd", arch: "x64", versions: { ...versions, node: "20.0.0" } });

    expect(found).toEqual({ status: "ok", detail: `Node ${versions.node} is in use; none comes with Guild Hall for freebsd x64.` });
    expect(old.status).toBe("fail");
  });

  it("says where git is missing what needs it", async () => {
    const { git } = await examine({ surroundings: { env: { PATH: await temporaryFolder() }, origins: {}, warnings: [] } });

    expect(git).toMatchObject({ status: "warn", advice: "Install git: work on projects needs it. Sessions do not." });
  });

  it("says whether agents and members end with a hall that is killed, and what to do if they do not (SEC-17)", async () => {
    const isLinux = process.platform === "linux";

    const { processes } = await examine();
    const without = await examine({ deathSignal: async () => [] });

    expect(processes.status).toBe(isLinux ? "ok" : "info");
    expect(without.processes.status).toBe(isLinux ? "warn" : "info");
    expect(without.processes.detail).toContain("until the hall starts again and ends them");
    expect(without.processes.advice).toContain(isLinux ? "apk add setpriv" : "start the hall again");
  });

  it("says who holds the home folder, and warns where others can look into it (SEC-16)", async () => {
    const home = await temporaryFolder();
    await chmod(home, 0o755);

    const found = await examine({ home, hall: async () => ({ pid: 42, address: "http://127.0.0.1:4870" }), port: 4870 });

    expect(found.home).toMatchObject({ status: "warn", advice: `Close it with: chmod 700 ${home}` });
    expect(found.home.detail).toContain("a hall runs on it at http://127.0.0.1:4870 (process 42)");
    expect(found.port).toMatchObject({ status: "ok", detail: "4870 is in use by this hall." });
  });

  it("reports a home it cannot work with and a broken config.yaml in their own words", async () => {
    const home = await temporaryFolder();
    await chmod(home, 0o700);
    const newer = async () => Promise.reject(new HallError("home_newer", "It was written by a newer Guild Hall."));
    const typo = async () =>
      Promise.reject(new HallError("invalid_config", 'config.yaml line 1: unknown key "prot"; did you mean "port"?'));

    const found = await examine({ home, homeVersion: newer, readConfig: typo });

    expect(found.home).toMatchObject({ status: "fail", detail: "It was written by a newer Guild Hall." });
    expect(found.config).toMatchObject({ status: "fail", detail: 'config.yaml line 1: unknown key "prot"; did you mean "port"?' });
  });

  it("reports a home of another user, to root too (SEC-16)", async () => {
    const isRoot = process.getuid?.() === 0;
    // Only root can give a folder away; for others, the root folder belongs to another user.
    const home = isRoot ? await temporaryFolder() : "/";
    if (isRoot) await chown(home, 65_534, 65_534);

    const found = await examine({ home });

    expect(found.home).toMatchObject({ status: "fail", detail: `${home} belongs to another user (${isRoot ? 65_534 : 0}).` });
  });

  it("reports a home that is a file", async () => {
    const home = join(await temporaryFolder(), "home");
    await writeFile(home, "");

    const found = await examine({ home });

    expect(found.home).toMatchObject({ status: "fail", detail: `${home} is not a folder.` });
  });

  it("names the process that has the port", async () => {
    const port = await listeningPort();

    const found = await examine({ port });

    expect(found.port).toMatchObject({ status: "fail", advice: "Stop it, or choose another port with --port." });
    expect(found.port.detail).toContain(process.platform === "linux" ? `(process ${process.pid})` : "another program");
  });

  it("knows the port of a hall whose address need not name it", async () => {
    const found = await examine({ hall: async () => ({ pid: 42, address: "http://127.0.0.1:80" }), port: 80 });

    expect(found.port).toMatchObject({ status: "ok", detail: "80 is in use by this hall." });
  });

  it("reports an address that is not this machine's", async () => {
    const found = await examine({ host: "192.0.2.1", port: 4870 });

    expect(found.port).toMatchObject({ status: "fail", advice: "Choose another with --host." });
  });

  it("explains the demo and how to connect Claude", async () => {
    const { model } = await examine();

    expect(model.status).toBe("info");
    expect(model.advice).toContain("claude setup-token");
  });

  it("tries whether an endpoint can be reached", async () => {
    const server = createHttpServer((_request, response) => response.writeHead(404).end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());

    const reached = await examine({ model: endpointAt(`http://127.0.0.1:${portOf(server)}`) });
    const missed = await examine({ model: endpointAt("http://127.0.0.1:9") });

    expect(reached.model).toMatchObject({ status: "ok", detail: "The model at an endpoint answers. It is reachable." });
    expect(missed.model).toMatchObject({ status: "fail", advice: "Start it, or correct ANTHROPIC_BASE_URL." });
  });

  it("asks an endpoint whose address has a password, and shows the password nowhere (SEC-9)", async () => {
    const asked: (string | undefined)[] = [];
    const server = createHttpServer(({ headers }, response) => {
      asked.push(headers.authorization);
      response.end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());

    const reached = await examine({ model: endpointAt(`http://ada:BASE%2FPASS-4444@127.0.0.1:${portOf(server)}/v1`) });
    const missed = await examine({ model: endpointAt("http://ada:BASE%2FPASS-4444@127.0.0.1:9/v1") });
    const odd = await examine({ model: endpointAt("ftp://ada:BASE%2FPASS-4444@127.0.0.1/v1") });

    expect(reached.model.detail).toMatch(/It is reachable\.$/);
    expect(asked).toEqual([`Basic ${Buffer.from("ada:BASE/PASS-4444").toString("base64")}`]);
    expect([missed.model.status, odd.model.status]).toEqual(["fail", "fail"]);
    expect(JSON.stringify([reached, missed, odd])).not.toContain("PASS-4444");
  });

  it("says which file set which variable, and what is wrong with a file", async () => {
    const origins = { ANTHROPIC_API_KEY: "/h/.env.local", GUILD_HALL_PORT: "/h/.env.local" };

    const fine = await examine({ surroundings: { env: {}, origins, warnings: [] } });
    const amiss = await examine({ surroundings: { env: {}, origins: {}, warnings: ["/x/.env.local is not used."] } });

    expect(fine.config).toMatchObject({ status: "ok" });
    expect(fine.config.detail).toContain("\n/h/.env.local sets ANTHROPIC_API_KEY, GUILD_HALL_PORT.");
    expect(amiss.config).toMatchObject({ status: "warn", detail: expect.stringContaining("\n/x/.env.local is not used.") as string });
  });

  it("counts members, those in collections too", async () => {
    const members = async () => [
      found("researcher"),
      found("team/writer"),
      { ...found("team/editor"), note: "Edited here, so not upgraded to 0.2.0." },
    ];

    const { members: check } = await examine({ members });

    expect(check).toMatchObject({ status: "ok", advice: null });
    expect(check.detail).toBe("3: researcher, team/editor, team/writer.\nteam/editor: Edited here, so not upgraded to 0.2.0.");
  });

  it("says which members cannot be used, and why (REQ-GH1-26)", async () => {
    const broken = { ...found("broken"), manifest: null, name: "broken", problem: "guild-member.json line 3: …" };
    const members = async () => [found("team/writer"), found("writer"), broken];

    const { members: check } = await examine({ members });

    expect(check.status).toBe("warn");
    expect(check.detail.split("\n")).toEqual([
      "1: team/writer.",
      "guild-member.json line 3: …",
      expect.stringContaining('The name "writer" belongs to the member in guild-members/team/writer'),
    ]);
    expect(check.advice).toMatch(/^2 cannot be used/);
  });

  it("looks at the real folder where no hall runs, and makes nothing in it", async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, "guild-members/researcher"), { recursive: true });
    await writeFile(join(home, "guild-members/researcher/guild-member.json"), "{");
    const machine = createMachine({ env: { ...process.env, HOME: home }, folder: home, installation: [] });

    const checks = await machine.examine({ home, host: "127.0.0.1", port: 0, model: null });

    const check = checks.find(({ id }) => id === "members");
    expect(check?.status).toBe("warn");
    expect(check?.detail).toContain("researcher/guild-member.json line 1: this is not JSON");
    expect(await readdir(home)).toEqual(["guild-members"]);
  });

  it("says what the home takes, part by part, and what was not looked at in time", async () => {
    const parts = [
      { name: "sessions", bytes: 2_000_000, files: 3, isWhole: true },
      { name: "logs", bytes: 2048, files: 1, isWhole: false },
      { name: "jobs", bytes: 0, files: 0, isWhole: false },
    ] as const;

    const { disk } = await examine({ diskUsage: async () => ({ freeBytes: 5 * 1024 ** 3, parts: [...parts] }) });

    expect(disk).toMatchObject({
      status: "ok",
      detail: "5.4 GB free; the home folder holds sessions 2.0 MB, logs over 2.0 kB, jobs that could not be looked at in time.",
    });
  });

  it.each([
    [{ completedSessionDays: null, inactiveSessionDays: null }, "Sessions are kept until somebody deletes them."],
    [{ completedSessionDays: 30, inactiveSessionDays: null }, "The hall deletes completed sessions after 30 days."],
    [
      { completedSessionDays: 1, inactiveSessionDays: 90 },
      "The hall deletes completed sessions after a day and any session after 90 days without activity.",
    ],
  ])("says how long sessions are kept: %j", async (retention, sentence) => {
    const { disk } = await examine({ retention: async () => retention });

    expect(disk.detail.split("\n").at(-1)).toBe(sentence);
  });

  it("measures a home of many sessions to its end where no hall runs, and says what config.yaml keeps", async () => {
    const home = await temporaryFolder();
    for (let at = 0; at < 300; at += 1) await mkdir(join(home, "sessions", `${at}`, "artifacts"), { recursive: true });
    await writeFile(join(home, "config.yaml"), "retention:\n  completedSessionDays: 7\n");

    const checks = await createMachine({ env: process.env, folder: home, installation: [] }).examine({
      home,
      host: "127.0.0.1",
      port: 0,
      model: null,
    });

    const disk = checks.find(({ id }) => id === "disk");
    expect(disk?.detail).not.toMatch(/over|in time/);
    expect(disk?.detail).toContain("The hall deletes completed sessions after 7 days.");
  });

  it.each([
    ["warn", 500],
    ["fail", 10],
  ])("finds a disk that runs full worth a %s", async (status, megabytes) => {
    const { disk } = await examine({ diskUsage: async () => ({ freeBytes: megabytes * 1024 ** 2, parts: [] }) });

    expect(disk.status).toBe(status);
  });
});
