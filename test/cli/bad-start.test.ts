import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { errorMeanings } from "../../src/schema/error-code.ts";
import { HallError } from "../../src/schema/hall-error.ts";
import { newSessionId } from "../../src/schema/ids.ts";
import { Problem } from "../../src/schema/problem.ts";
import { startHallProcess } from "../running-hall.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { storeSessions } from "../web/stored-sessions.ts";
import { runCommand } from "./command.ts";
import { runCli } from "./run-cli.ts";
import { openServedHall } from "./served-hall.ts";
import { readOnlyFolder, smallDisk } from "./small-disk.ts";

describe("a hall that cannot start says why in one sentence and loses nothing", () => {
  it("with mistakes in config.yaml: file, line and key, all at once", async () => {
    const home = await temporaryFolder();
    const config = join(home, "config.yaml");
    const text = "host: 127.0.0.1\nprot: 80\nagent:\n  maxTurns: many\n";
    await writeFile(config, text);

    const result = await runCommand(["serve", "--home", home]);

    expect(result).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr:
        `${config} line 2: unknown key "prot"; did you mean "port"?\n` +
        `${config} line 4: "agent.maxTurns" must be a whole number from 1 to 1000, not "many"\n`,
    });
    expect(await readFile(config, "utf8")).toBe(text);
    expect(await readdir(home)).toEqual(["config.yaml"]);
  });

  it("with mistakes in config.yaml and --json: as issues of one problem", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "config.yaml"), "prot: 80\n");

    const { code, stdout } = await runCommand(["serve", "--home", home, "--json"]);

    expect(code).toBe(2);
    expect(Problem.parse(JSON.parse(stdout))).toMatchObject({
      code: "invalid_config",
      issues: [{ path: "prot", message: 'line 1: unknown key "prot"; did you mean "port"?' }],
    });
  });

  it("on a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo; // a TCP server has such an address

    const result = await runCli(["serve", "--home", join(await temporaryFolder(), "home"), "--port", String(port)]);

    expect(result).toMatchObject({ code: 4, stdout: "" });
    expect(sentences(result.stderr)).toEqual([expect.stringContaining(`Port ${port} on 127.0.0.1 is used by another program.`)]);
  });

  it("in a folder that cannot be written", async () => {
    const { folder, env } = await readOnlyFolder();
    const home = join(folder, "home");

    const result = await runCli(["serve", "--home", home, "--port", "0"], { env });

    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(sentences(result.stderr)).toEqual([
      expect.stringMatching(new RegExp(`^${home}.* cannot be used: it is on a read-only file system\\.`)),
    ]);
  });

  it("on a disk that is full", async () => {
    const { folder, env, fill } = await smallDisk();
    await fill();

    const result = await runCli(["serve", "--home", join(folder, "home"), "--port", "0"], { env });

    expect(result).toMatchObject({ code: 4, stdout: "" });
    expect(sentences(result.stderr)).toEqual([
      expect.stringMatching(/ was not written, because the disk is full\. .* Free some space and try again\.$/),
    ]);
  });

  it.each([
    ["is a file", { "": "mine" }, 2, /\/home/],
    ["is where something else lives", { "cat.jpg": "mine" }, 2, /is not a home of Guild Hall/],
    ["has a version that cannot be read", { version: "latest\n" }, 2, /\/version is broken/],
  ])("where the home folder %s", async (_what, files, exit, sentence) => {
    const home = join(await temporaryFolder(), "home");
    const prepare = async (): Promise<void> => {
      if (!("" in files)) await mkdir(home);
      for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text);
    };

    const failure = await openServedHall({ home, prepare }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ message: expect.stringMatching(sentence) as unknown });
    expect(failure instanceof HallError && errorMeanings[failure.code].exit).toBe(exit);
    for (const [name, text] of Object.entries(files)) expect(await readFile(join(home, name), "utf8")).toBe(text);
    expect("" in files || (await readdir(home))).toEqual("" in files || Object.keys(files));
  });

  it("on a home of a newer version, and the doctor says so as well", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "version"), "999\n");

    const newer = await runCli(["serve", "--home", home, "--port", "0"]);
    const doctor = await runCommand(["doctor", "--home", home, "--json"]);

    expect(newer).toMatchObject({ code: 4, stdout: "" });
    expect(sentences(newer.stderr)).toEqual([expect.stringContaining("was written by a newer Guild Hall (format 999;")]);
    expect(doctor.code).toBe(4);
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ id: "home", status: "fail" })]) as unknown,
    });
  });
});

describe("a hall that runs into trouble", () => {
  it("keeps its home to itself, and says by which process and at which address; keeps serving on a full disk, refuses what it cannot keep, and accepts it when there is room again", async () => {
    const { folder, env, fill, free } = await smallDisk();
    const { client, home, url, process: taker } = await startHallProcess({ home: join(folder, "home"), env, bundled: false });
    const kept = await client.sessions.create({ name: "kept" });

    const second = await runCli(["serve", "--home", home, "--port", "0"]);
    const doctor = await runCommand(["doctor", "--home", home, "--port", new URL(url).port]);
    await fill();
    await expect(client.sessions.create({ name: "too much" })).rejects.toMatchObject({ code: "disk_full" });
    const meanwhile = await client.sessions.list();
    await free();
    const later = await client.sessions.create({ name: "later" });

    expect(second).toMatchObject({ code: 4, stdout: "" });
    expect(sentences(second.stderr)).toEqual([expect.stringContaining(`by process ${taker.pid}, at ${url}.`)]);
    expect(doctor.stdout).toContain(`a hall runs on it at ${url} (process ${taker.pid})`);
    expect(doctor.stdout).toContain("is in use by this hall.");
    expect(meanwhile.sessions.map(({ id }) => id)).toEqual([kept.id]);
    expect((await client.sessions.list()).sessions.map(({ id }) => id).toSorted()).toEqual([kept.id, later.id]);
  });

  it("shows a session whose file somebody broke as one with an error, and leaves the file alone", async () => {
    const home = join(await temporaryFolder(), "home");
    const id = newSessionId();
    const file = join(home, "sessions", id, "session.json");
    const prepare = async (): Promise<void> => {
      await storeSessions(home, [{ id, name: "mine" }]);
      await writeFile(file, '{ "name": "half');
    };

    const hall = await openServedHall({ home, prepare });
    onTestFinished(hall.close);
    const { sessions } = await hall.client.sessions.list();

    expect(sessions).toMatchObject([{ id, status: "error", error: { code: "file_broken" } }]);
    expect(await readFile(file, "utf8")).toBe('{ "name": "half');
  });
});

/** The lines of what was said; one of them where all went as it should, and never a stack trace. */
const sentences = (stderr: string): string[] => stderr.trimEnd().split("\n");
